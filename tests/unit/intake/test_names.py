"""Names of students' become ids that are safe file names, and unique on every system."""

import pytest

from grader.intake.names import ID_MAX_B, ID_MAX_CHARACTERS, UniqueIds, is_junk, listed, safe_id, shown, stem


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("student-01", "student-01"),
        ("Doe, Jane_12345_assignsubmission_file_", "Doe-Jane_12345_assignsubmission_file_"),
        ("Zoë Müller", "Zoë-Müller"),
        ("学生", "学生"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "submission"),
        ("", "submission"),
        ("-rf", "rf"),
        (".hidden", "hidden"),
        ("trailing. ", "trailing"),
        ("a\x00b\nc\x1b[31m", "a-b-c-31m"),
        ("C:\\alice", "C-alice"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("COM¹", "_COM¹"),
        ("console", "console"),
        ("a\u202eb", "a-b"),
        ("kn\udce9", "kn"),
    ],
)
def test_safe_id(name: str, wanted: str) -> None:
    assert safe_id(name) == wanted


@pytest.mark.parametrize("letter", ["x", "é", "学", "𒀀"])
def test_ids_are_short(letter: str) -> None:
    unique = UniqueIds()
    for _ in range(3):
        made, _ = unique.take(letter * 5000)
        assert len(made) <= ID_MAX_CHARACTERS
        assert len(made.encode()) <= ID_MAX_B


@pytest.mark.parametrize("twin", ["ALICE", "alice", "\N{FULLWIDTH LATIN SMALL LETTER A}lice", "Alice"])
def test_the_same_name_on_another_system_gets_a_number(twin: str) -> None:
    ids = UniqueIds()
    assert ids.take("Alice") == ("Alice", "")
    assert ids.take(twin) == (f"{safe_id(twin)}-2", safe_id(twin))


def test_numbers_go_past_names_that_have_one() -> None:
    ids = UniqueIds()
    assert [ids.take(name)[0] for name in ("a", "a-2", "a", "a", "A-2")] == [
        "a",
        "a-2",
        "a-3",
        "a-4",
        "A-2-2",
    ]


def test_ten_thousand_twins_take_no_time_to_speak_of() -> None:
    ids = UniqueIds()
    assert len({ids.take("a")[0] for _ in range(10_000)}) == 10_000


@pytest.mark.parametrize(
    "name", [".DS_Store", "__MACOSX", "__pycache__", ".git", "._knight1.py", "Thumbs.db"]
)
def test_junk(name: str) -> None:
    assert is_junk(name)


def test_work_is_no_junk() -> None:
    assert not any(map(is_junk, ("knight1.py", "__init__.py", "student-01", "venv")))


def test_shown_names_are_cut_and_can_be_encoded() -> None:
    assert shown("x" * 500).endswith("…")
    assert shown("kn\udce9ght.py") == "kn\N{REPLACEMENT CHARACTER}ght.py"


def test_lists_read_as_people_write_them() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"], "abc")] == ["", "a", "a and b", "a, b and c"]
    assert listed("abcdefghij") == "a, b, c, d, e, f, g and 3 more"


@pytest.mark.parametrize(
    ("name", "bare"), [("a.zip", "a"), ("a.tar.gz", "a"), ("a.b.py", "a.b"), ("Dr. Who", "Dr. Who")]
)
def test_stem(name: str, bare: str) -> None:
    assert stem(name) == bare

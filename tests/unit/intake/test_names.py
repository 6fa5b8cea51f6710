"""Names of students' become ids that are safe file names, and unique on every system."""

import pytest

from grader.intake.names import (
    ID_MAX_B,
    ID_MAX_CHARACTERS,
    Claim,
    folded,
    is_junk,
    listed,
    safe_id,
    shown,
    stem,
    unique_ids,
)


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
        ("Aux.tar.gz", "_Aux.tar.gz"),
        ("nul. ", "_nul"),
        ("D:\\con", "D-con"),
        ("console", "console"),
        ("a\u202eb", "a-b"),
        ("kn\udce9", "kn"),
    ],
)
def test_safe_id(name: str, wanted: str) -> None:
    assert safe_id(name) == wanted


def ids_of(*names: str, sure: str = "") -> list[str]:
    claims = [Claim(name, f"{name}.py", (str(at),), "", name == sure) for at, name in enumerate(names)]
    return unique_ids(claims)


@pytest.mark.parametrize("letter", ["x", "é", "学", "𒀀"])
def test_ids_are_short(letter: str) -> None:
    for made in ids_of(letter * 5000, letter * 5001, letter * 5000):
        assert len(made) <= ID_MAX_CHARACTERS
        assert len(made.encode()) <= ID_MAX_B


TWINS = ["ALICE", "\N{FULLWIDTH LATIN SMALL LETTER A}lice", "Alice", "alice!", "alice."]


@pytest.mark.parametrize("twin", TWINS)
def test_all_who_have_one_name_on_another_system_get_a_digest_of_their_own(twin: str) -> None:
    ids = ids_of("alice", twin)
    assert [one.startswith(f"{safe_id(name)}~") for one, name in zip(ids, ("alice", twin), strict=True)] == [
        True
    ] * 2
    assert len({folded(one) for one in ids}) == 2
    assert ids == ids_of(twin, "alice")[::-1]


def test_the_digest_does_not_depend_on_who_else_is_there() -> None:
    several = {ids_of("bob", *others)[0] for others in (["BOB"], ["Bob", "BOB"], ["b", "bob ", "BOb"])}
    assert len(several) == 1
    assert several != {"bob"}
    assert ids_of("bob", "b", "bobby") == ["bob", "b", "bobby"]


def test_nobody_takes_an_id_with_a_digest_by_a_name() -> None:
    ids = ids_of("bob", "BOB")
    again = ids_of("bob", "BOB", ids[0], ids[0].replace("~", "-"), f"{ids[0]}.")
    assert again[:2] == ids
    assert len({folded(one) for one in again}) == 5


def test_a_name_that_is_sure_keeps_its_id() -> None:
    assert ids_of("bob", "BOB", sure="bob")[0] == "bob"


def test_ten_thousand_twins_take_no_time_to_speak_of() -> None:
    assert len(set(ids_of(*["a"] * 10_000))) == 10_000


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

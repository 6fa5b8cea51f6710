"""One student's folder is told from a folder of students, on disk and in a zip."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.intake import Candidate, SourceKind, discover
from grader.model.errors import NothingToMark, UsageError

KNIGHTS = {f"knight{n}": f"knight{n}.py" for n in (1, 2, 3, 4)}
SHOGUN = {"shogun": "shogun.py"}


def ids(found: list[Candidate]) -> list[str]:
    return [candidate.id for candidate in found]


LAYOUTS = [
    pytest.param(
        SHOGUN, {"alice/shogun.py": "", "bob/shogun.py": ""}, ["alice", "bob"], id="folder-of-students"
    ),
    pytest.param(SHOGUN, {"shogun.py": "", "notes.txt": ""}, ["top"], id="one-student"),
    pytest.param(KNIGHTS, {"knight1.py": "", "tests/t.py": ""}, ["top"], id="one-student-with-tests"),
    pytest.param(SHOGUN, {"shogun.py": "", "old/shogun.py": ""}, ["top"], id="one-student-with-an-old-copy"),
    pytest.param(
        SHOGUN, {"src/shogun.py": "", "docs/a.txt": ""}, ["top"], id="one-student-with-a-src-folder"
    ),
    pytest.param(SHOGUN, {"src/shogun.py": ""}, ["top"], id="one-student-in-a-src-folder"),
    pytest.param(KNIGHTS, {"knigth1.py": "", "knigth2.py": ""}, ["top"], id="one-student-with-slips"),
    pytest.param(SHOGUN, {"shogn.py": "", "helper.py": ""}, ["top"], id="one-student-slip-and-helper"),
    pytest.param(SHOGUN, {"main.py": ""}, ["top"], id="one-student-one-odd-file"),
    pytest.param(SHOGUN, {"hw1/a/shogun.py": "", "hw1/b/shogun.py": ""}, ["a", "b"], id="wrapped-batch"),
    pytest.param(
        SHOGUN,
        {"alice/x/shogun.py": "", "bob/y/shogun.py": ""},
        ["alice", "bob"],
        id="each-student-wrapped",
    ),
    pytest.param(
        SHOGUN,
        {"hw1/alice/x/shogun.py": "", "hw1/bob/y/shogun.py": ""},
        ["alice", "bob"],
        id="all-wrapped-twice",
    ),
    pytest.param(
        SHOGUN,
        {"alice/shogun.py": "", "bob/": "", "carol/notes.txt": ""},
        ["alice", "bob", "carol"],
        id="empty-folders-count",
    ),
    pytest.param(
        SHOGUN,
        {"alice/shogun.py": "", "bob/other.py": "", "expected.yaml": "", "README.md": ""},
        ["alice", "bob"],
        id="loose-files-do-not-count",
    ),
    pytest.param(SHOGUN, {"alice.py": "", "bob.py": ""}, ["alice", "bob"], id="a-file-a-student"),
    pytest.param(
        SHOGUN, {"a/shogun.py": "", "b/shogun.py": "", "c.py": ""}, ["a", "b", "c"], id="file-beside-folders"
    ),
    pytest.param(
        SHOGUN,
        {"a/shogun.py": "", "b/shogun.py": "", "shogun.py": ""},
        ["a", "b", "shogun"],
        id="stray-file-hides-nobody",
    ),
    pytest.param(
        SHOGUN,
        {"a/src/shogun.py": "", "b/src/shogun.py": "", "shogun.py": ""},
        ["a", "b", "shogun"],
        id="stray-file-beside-wrapped-work",
    ),
    pytest.param(
        SHOGUN,
        {"a/w.zip": "", "b/w.zip": "", "shogun.py": ""},
        ["a", "b", "shogun"],
        id="stray-file-beside-folders-with-zips",
    ),
    pytest.param(
        SHOGUN,
        {"hw1/shogun.py": "", "hw1/a/w.zip": "", "hw1/b/w.zip": ""},
        ["a", "b", "shogun"],
        id="stray-file-in-a-wrapped-batch",
    ),
    pytest.param(
        SHOGUN,
        {"work/shogun.py": "", "a/w.zip": "", "b/x/shogun.py": ""},
        ["a", "b", "work"],
        id="a-student-who-is-called-like-a-wrapper",
    ),
    pytest.param(
        SHOGUN,
        {"src/shogun.py": "", "data/d.zip": "", "tests/test_it.py": ""},
        ["top"],
        id="one-student-with-an-archive-beside-src",
    ),
    pytest.param(
        SHOGUN,
        {"a/shogun.py": "", "__MACOSX/a/._shogun.py": "", ".git/x.py": "", ".DS_Store": ""},
        ["a"],
        id="junk-does-not-count",
    ),
    pytest.param(
        KNIGHTS, {"a/knight2.py": "", "b/KNIGHT1.py": "", "c/x": ""}, ["a", "b", "c"], id="part-of-the-files"
    ),
]


@pytest.mark.parametrize(("modules", "files", "wanted"), LAYOUTS)
def test_layout_of_a_folder(
    make_folder: Callable[..., Path], modules: dict[str, str], files: dict[str, str], wanted: list[str]
) -> None:
    assert ids(discover([make_folder("top", files)], modules)) == wanted


@pytest.mark.parametrize(("modules", "files", "wanted"), LAYOUTS)
def test_layout_of_a_zip(
    make_zip: Callable[..., Path], modules: dict[str, str], files: dict[str, str], wanted: list[str]
) -> None:
    if [name.split("/")[0] for name in files if not name.startswith((".", "_"))] == ["a"]:
        wanted = ["top"]  # a single folder in a zip is what zipping a folder gives
    assert ids(discover([make_zip("top.zip", files)], modules)) == wanted


def test_a_folder_with_one_folder_of_work_is_a_batch_of_one(make_folder: Callable[..., Path]) -> None:
    found = discover([make_folder("submissions", {"alice/shogun.py": ""})], SHOGUN)
    assert [(candidate.id, candidate.path.name) for candidate in found] == [("alice", "alice")]


def test_a_zip_with_one_folder_of_work_is_one_student(make_zip: Callable[..., Path]) -> None:
    (found,) = discover([make_zip("alice.zip", {"homework/shogun.py": ""})], SHOGUN)
    assert (found.id, found.kind, found.inside) == ("alice", SourceKind.ZIP, ())


def test_a_folder_of_zips_has_a_student_each(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    batch = make_folder("batch", {"readme.txt": "", "carol.7z": "7z"})
    make_zip("batch/bob.zip", {"shogun.py": ""})
    make_zip("batch/alice.ZIP", {"x/shogun.py": ""})
    found = discover([batch], SHOGUN)
    assert [(c.id, c.kind) for c in found] == [
        ("alice", SourceKind.ZIP),
        ("bob", SourceKind.ZIP),
        ("carol", SourceKind.UNREAD),
    ]


def test_a_single_file_is_a_submission(make_folder: Callable[..., Path]) -> None:
    path = make_folder("x", {"alice.py": ""}) / "alice.py"
    (found,) = discover([path], SHOGUN)
    assert (found.id, found.kind, found.path) == ("alice", SourceKind.FILE, path)


def test_several_paths_keep_their_order(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    one = make_folder("zoe", {"shogun.py": ""})
    two = make_zip("anna.zip", {"shogun.py": ""})
    assert ids(discover([one, two], SHOGUN)) == ["zoe", "anna"]


def test_equal_names_are_told_apart_and_said(make_folder: Callable[..., Path]) -> None:
    notes: list[str] = []
    one = make_folder("a/alice", {"shogun.py": ""})
    two = make_folder("b/Alice", {"shogun.py": ""})
    found = discover([one, two], SHOGUN, notes.append)
    assert [one.partition("~")[0] for one in ids(found)] == ["alice", "Alice"]
    assert "alice" not in ids(found)
    assert [candidate.name for candidate in found] == ["alice", "Alice"]
    assert all(f"the id of this one is {one.id}" in one.notes[0] for one in found)
    assert len(notes) == 1


def test_the_same_path_twice_is_one_submission(make_folder: Callable[..., Path]) -> None:
    notes: list[str] = []
    path = make_folder("alice", {"shogun.py": ""})
    assert ids(discover([path, path / ".." / "alice"], SHOGUN, notes.append)) == ["alice"]
    assert notes == ["alice was given twice; it is marked once"]


def test_the_current_folder_has_its_own_name(
    make_folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(make_folder("alice", {"shogun.py": ""}))
    (found,) = discover([Path()], SHOGUN)
    assert found.id == "alice"
    assert found.path.is_absolute()


def test_a_link_that_the_user_names_is_followed(make_folder: Callable[..., Path], tmp_path: Path) -> None:
    make_folder("real", {"shogun.py": ""})
    (tmp_path / "latest").symlink_to(tmp_path / "real")
    assert ids(discover([tmp_path / "latest"], SHOGUN)) == ["latest"]


def test_loose_files_are_told_to_the_caller(make_folder: Callable[..., Path]) -> None:
    notes: list[str] = []
    discover([make_folder("b", {"a/shogun.py": "", "expected.yaml": "", "r.md": ""})], SHOGUN, notes.append)
    assert notes == ["expected.yaml and r.md beside the submissions were left out"]


def test_candidates_can_be_pickled(make_folder: Callable[..., Path]) -> None:
    found = discover([make_folder("b", {"a/shogun.py": "", "b/shogun.py": ""})], SHOGUN)
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    "files", [{}, {"a/": "", "b/": ""}, {"a/notes.txt": "", "b/c/d.txt": ""}, {".hidden/shogun.py": ""}]
)
def test_nothing_to_mark(make_folder: Callable[..., Path], files: dict[str, str]) -> None:
    path = make_folder("top", files)
    with pytest.raises(NothingToMark, match="nothing to mark") as caught:
        discover([path], SHOGUN)
    assert caught.value.faults[0].where == str(path)
    assert caught.value.exit_code == 4


def test_no_paths_at_all() -> None:
    with pytest.raises(NothingToMark):
        discover([], SHOGUN)


def test_empty_zip_has_nothing_to_mark(make_zip: Callable[..., Path]) -> None:
    with pytest.raises(NothingToMark):
        discover([make_zip("empty.zip", {})], SHOGUN)


def test_missing_paths_are_all_named_with_the_nearest_name(
    make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    make_folder("submissions", {})
    with pytest.raises(UsageError) as caught:
        discover([tmp_path / "submisions", tmp_path / "x" / "y"], SHOGUN)
    first, second = caught.value.faults
    assert first.message == "there is no such file or folder"
    assert first.hint == f"did you mean {tmp_path / 'submissions'}?"
    assert second.hint == ""
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.zip", b"PK\x03\x04 cut off", "damaged zip"),
        ("a.zip", b"", "is empty"),
        ("a.zip", b"hello", "is not a zip"),
        ("a.zip", b"Rar!\x1a\x07", "RAR archive with the name of a zip"),
        ("a.7z", b"7z", "archive of a kind that is not read"),
        ("a.tar.gz", b"\x1f\x8b", "archive of a kind that is not read"),
        ("a.docx", b"", "is no submission"),
    ],
)
def test_a_file_that_is_no_submission_is_the_users_mistake(
    make_folder: Callable[..., Path], name: str, content: bytes, said: str
) -> None:
    path = make_folder("x", {name: content}) / name
    with pytest.raises(UsageError, match=said) as caught:
        discover([path], SHOGUN)
    assert not isinstance(caught.value, NothingToMark)
    assert caught.value.faults[0].hint


@pytest.mark.parametrize("zipped", [False, True])
def test_what_lies_in_a_students_folder_takes_nobodys_id(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path], zipped: bool
) -> None:
    """Where students are named one by one, the layout of one must not put their work under another's id."""
    notes: list[str] = []
    layout = {"bob/shogun.py": "x = 1\n", "carol/shogun.py": "x = 1\n"}
    alice = make_zip("b/alice.zip", layout) if zipped else make_folder("b/alice", layout)
    bob = make_folder("b/bob", {"shogun.py": ""})
    found = discover([alice, bob], SHOGUN, notes.append)
    assert [one.partition("~")[0] for one in ids(found)] == ["bob", "carol", "bob"]
    assert ids(found)[2] == "bob" != ids(found)[0]
    assert found[2].path == bob
    assert "was taken for a batch, of bob and carol" in notes[0]


def test_a_file_and_a_folder_of_one_name_in_a_zip(make_zip: Callable[..., Path]) -> None:
    path = make_zip("batch.zip", {"bob.py": "", "bob.py/shogun.py": "", "carl.py": ""})
    assert [(one.name, one.kind) for one in discover([path], SHOGUN)] == [
        ("bob.py", SourceKind.FOLDER),
        ("bob", SourceKind.FILE),
        ("carl", SourceKind.FILE),
    ]

"""Submissions as they are read into memory."""

import errno
import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.intake_reading import collect

from grader.intake import discover, read
from grader.intake.trees.archive import ZipTree
from grader.intake.trees.tree import Unreadable
from grader.model.submission import Submission

KNIGHTS = {f"knight{n}": f"knight{n}.py" for n in (1, 2, 3, 4)}
SHOGUN = {"shogun": "shogun.py"}
FOUR = {f"knight{n}.py": f"n = {n}\n" for n in (1, 2, 3, 4)}


def only(path: Path, modules: dict[str, str] = SHOGUN) -> Submission:
    (submission,) = collect([path], modules)
    return submission


def test_a_folder_is_read_whole(make_folder: Callable[..., Path]) -> None:
    path = make_folder("alice", {**FOUR, "helper.py": "h = 1\n", "report.txt": "text"})
    submission = only(path, KNIGHTS)
    assert list(submission.files) == ["knight1", "knight2", "knight3", "knight4", "helper"]
    assert submission.files["knight2"].text == "n = 2\n"
    assert submission.files["knight2"].name == "knight2.py"
    assert (submission.id, submission.name, submission.origin) == ("alice", "alice", path)
    assert (submission.problems, submission.notes) == ((), ())


def test_a_zip_reads_as_the_folder_does(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    files = {**FOUR, "data/x.bin": b"\x00\xff", "__MACOSX/._knight1.py": "", ".DS_Store": ""}
    folder = only(make_folder("alice", files), KNIGHTS)
    zipped = only(make_zip("alice.zip", files), KNIGHTS)
    assert zipped.files == folder.files
    assert zipped.content_sha256 == folder.content_sha256
    assert (zipped.id, zipped.problems, zipped.notes) == (folder.id, folder.problems, folder.notes)


def test_every_student_of_a_zip_is_read(make_zip: Callable[..., Path]) -> None:
    path = make_zip("batch.zip", {f"hw/s{n}/w/shogun.py": f"n = {n}\n" for n in range(5)})
    found = list(collect([path], SHOGUN))
    assert [s.id for s in found] == ["s0", "s1", "s2", "s3", "s4"]
    assert [s.files["shogun"].text for s in found] == [f"n = {n}\n" for n in range(5)]
    assert found[3].origin == path / "hw" / "s3"


def test_a_file_of_a_zip_is_read(make_zip: Callable[..., Path]) -> None:
    path = make_zip("batch.zip", {"alice.py": "a = 1\n", "bob.py": "b = 1\n"})
    assert [s.files["shogun"].text for s in collect([path], SHOGUN)] == ["a = 1\n", "b = 1\n"]


def test_a_wrapper_of_one_student_is_looked_through(make_folder: Callable[..., Path]) -> None:
    batch = make_folder("b", {"alice/hw/shogun.py": "x = 1\n", "alice/readme.txt": "", "bob/shogun.py": ""})
    alice, _bob = collect([batch], SHOGUN)
    assert alice.files["shogun"].text == "x = 1\n"
    assert alice.files["shogun"].name == "hw/shogun.py"
    assert alice.problems == ()


def test_a_zip_in_a_students_folder_is_opened(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    batch = make_folder("b", {"alice/": "", "bob/shogun.py": ""})
    make_zip("b/alice/work.zip", {"hw/shogun.py": "x = 1\n"})
    alice, _bob = collect([batch], SHOGUN)
    assert alice.id == "alice"
    assert alice.files["shogun"].text == "x = 1\n"


def test_two_zips_of_one_student_are_a_problem(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    batch = make_folder("b", {"bob/shogun.py": ""})
    make_zip("b/alice/1.zip", {"shogun.py": "x = 1\n"})
    make_zip("b/alice/2.zip", {"shogun.py": "x = 2\n"})
    alice, _bob = collect([batch], SHOGUN)
    assert alice.files == {}
    assert alice.problems == ("alice holds 2 zips, 1.zip and 2.zip; expected one",)


def test_a_zip_beside_python_files_is_not_opened(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    path = make_folder("alice", {"shogun.py": "x = 1\n"})
    make_zip("alice/backup.zip", {"shogun.py": "x = 2\n"})
    submission = only(path)
    assert submission.files["shogun"].text == "x = 1\n"
    assert submission.notes == ("backup.zip was not opened, since there are Python files beside it",)


def test_a_students_zip_inside_the_zip_of_the_batch_is_opened(make_zip: Callable[..., Path]) -> None:
    inner = make_zip("inner.zip", {"shogun.py": "x = 1\n"}).read_bytes()
    batch = make_zip("b.zip", {"alice/work.zip": inner, "bob/shogun.py": "", "carol.zip": inner})
    alice, bob, carol = collect([batch], SHOGUN)
    assert alice.files["shogun"].text == carol.files["shogun"].text == "x = 1\n"
    assert (alice.problems, bob.problems, carol.problems) == ((), (), ())


def test_a_zip_in_a_students_own_zip_is_not_opened(make_zip: Callable[..., Path]) -> None:
    inner = make_zip("inner.zip", {"shogun.py": ""}).read_bytes()
    own = make_zip("own.zip", {"work.zip": inner}).read_bytes()
    alice, _bob = collect([make_zip("b.zip", {"alice/own.zip": own, "bob/shogun.py": ""})], SHOGUN)
    assert "work.zip is a zip inside a zip, which is not opened" in alice.problems


def test_a_folder_without_work_is_a_submission_with_a_problem(make_folder: Callable[..., Path]) -> None:
    batch = make_folder("b", {"alice/shogun.py": "", "bob/essay.txt": "", "carol/": "", "dan/x.7z": ""})
    _alice, bob, carol, dan = collect([batch], SHOGUN)
    assert bob.files == carol.files == dan.files == {}
    assert carol.problems == ("no Python file was found; expected shogun.py",)
    assert bob.problems == (*carol.problems, "what was found can't be taken for it: essay.txt")
    assert (bob.found, carol.found, dan.found) == (("essay.txt",), (), ("x.7z",))
    assert any("x.7z is an archive of a kind that is not read" in problem for problem in dan.problems)


def test_a_damaged_zip_harms_only_its_student(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    batch = make_folder("b", {"alice.zip": b"PK\x03\x04", "carol/work.zip": b"no zip"})
    make_zip("b/bob.zip", {"shogun.py": "x = 1\n"})
    alice, bob, carol = collect([batch], SHOGUN)
    assert alice.problems == ("alice.zip is a damaged zip; perhaps its upload was cut off",)
    assert bob.problems == ()
    assert carol.problems == ("carol holds work.zip, which is not a zip",)


def test_a_misnamed_single_file(make_folder: Callable[..., Path]) -> None:
    folder = make_folder("x", {"knigth1.py": "x = 1\n", "shogn.py": "x = 1\n"})
    one = only(folder / "shogn.py", SHOGUN)
    assert one.files["shogun"].text == "x = 1\n"
    assert one.problems == ()
    many = only(folder / "knigth1.py", KNIGHTS)
    assert "knight1" not in many.files
    assert many.problems[0].startswith("found knigth1.py; expected knight1.py, ")
    assert many.problems[0].endswith("did you mean knight1.py?")


def test_a_single_file_of_several(make_folder: Callable[..., Path]) -> None:
    submission = only(make_folder("x", FOUR) / "knight2.py", KNIGHTS)
    assert list(submission.files) == ["knight2"]
    assert submission.problems == ("knight1.py, knight3.py and knight4.py are missing",)


def test_repairs_stay_with_their_file(make_folder: Callable[..., Path]) -> None:
    submission = only(make_folder("alice", {"shogun.py": b"x = '\xe9'\r\n"}))
    assert submission.files["shogun"].text == "x = 'é'\n"
    assert len(submission.files["shogun"].repairs) == 2
    assert submission.problems == ()


def test_nul_bytes_are_a_problem_and_kept(make_folder: Callable[..., Path]) -> None:
    submission = only(make_folder("alice", {"shogun.py": b"x = 1\0\n"}))
    assert submission.files["shogun"].text == "x = 1\0\n"
    assert submission.problems == ("shogun.py holds NUL bytes, which Python refuses",)


def test_packages_below_are_left_out_and_said(make_folder: Callable[..., Path]) -> None:
    submission = only(make_folder("alice", {"shogun.py": "", "pkg/__init__.py": "", "pkg/sub/a.py": ""}))
    assert list(submission.files) == ["shogun"]
    assert submission.notes == (
        "Python files in pkg and pkg/sub were not read; only those outside of folders are",
    )


def test_python_files_outside_the_wrapper_are_left_out_and_said(make_folder: Callable[..., Path]) -> None:
    batch = make_folder("b", {"alice/setup.py": "", "alice/hw/shogun.py": "", "bob/shogun.py": ""})
    alice, _bob = collect([batch], SHOGUN)
    assert list(alice.files) == ["shogun"]
    assert alice.notes == ("Python files in the outermost folder were not read; only those in hw are",)


@pytest.mark.parametrize(
    ("files", "read", "place"),
    [
        ({"hw/hw/shogun.py": ""}, ["shogun"], "hw/hw"),
        ({"a/b/c/d/shogun.py": "", "a/b/c/d/more.py": ""}, ["shogun", "more"], "a/b/c/d"),
        ({"proj/src/shogun.py": "", "proj/tests/test_it.py": ""}, ["shogun"], "proj/src"),
        ({"notes.py": "", "proj/src/shogun.py": ""}, ["shogun"], "proj/src"),
        ({"proj/src/main.py": ""}, ["shogun"], "proj/src"),
        ({"v1/a/shogun.py": "", "v2/a/shogun.py": ""}, [], ""),
        ({"v1/a/main.py": "", "v2/a/other.py": ""}, [], ""),
    ],
)
def test_work_in_deeper_folders_is_read_where_it_is_one(
    make_folder: Callable[..., Path],
    make_zip: Callable[..., Path],
    files: dict[str, str],
    read: list[str],
    place: str,
) -> None:
    batch = {f"amy/{name}": text for name, text in files.items()} | {"bob/deep/er/shogun.py": ""}
    for path in (make_folder("batch", batch), make_zip("batch.zip", batch)):
        amy, bob = collect([path], SHOGUN)
        assert list(amy.files) == read
        assert {each.name.rpartition("/")[0] for each in amy.files.values()} <= {place}
        assert list(bob.files) == ["shogun"]
    if not read:
        assert amy.notes[0].endswith("were not read: which folder counts is not sure")


def test_virtual_environments_are_left_out(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    files = {"shogun.py": "", "env/pyvenv.cfg": "", "env/lib/site.py": "", "env/bin/activate": ""}
    bare = only(make_folder("bare", {"shogun.py": ""}))
    for path in (make_folder("alice", files), make_zip("bob.zip", files)):
        submission = only(path)
        assert submission.notes == ("env is a virtual environment, and was left out",)
        assert submission.content_sha256 == bare.content_sha256
        assert submission.sha256 != bare.sha256


def test_the_digest_is_what_the_docstring_says(make_folder: Callable[..., Path]) -> None:
    submission = only(make_folder("alice", {"shogun.py": b"x\r\n", "data/d.txt": b"abc"}))
    expected = hashlib.sha256(b"grader submission 1\n")
    for name, data in ((b"data/d.txt", b"abc"), (b"shogun.py", b"x\r\n")):
        digest = len(data).to_bytes(8, "big") + hashlib.sha256(data).digest()
        expected.update(len(name).to_bytes(8, "big") + name + bytes([len(digest)]) + digest)
    assert submission.sha256 == submission.content_sha256 == expected.hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        {"shogun.py": "x = 2\n", "d": "1"},
        {"shogun.py": "x = 1\r\n", "d": "1"},
        {"shogun.py": "x = 1\n", "e": "1"},
        {"shogun.py": "x = 1\n", "d": "2"},
        {"shogun.py": "x = 1\n"},
    ],
)
def test_the_digest_tells_names_and_bytes_apart(
    make_folder: Callable[..., Path], other: dict[str, str]
) -> None:
    same = {"shogun.py": "x = 1\n", "d": "1"}
    first = only(make_folder("1/alice", same)).sha256
    assert first == only(make_folder("2/bob", same)).sha256
    assert first != only(make_folder("3/alice", other)).sha256


def test_collect_reads_lazily_and_fails_at_once(make_folder: Callable[..., Path], tmp_path: Path) -> None:
    batch = make_folder("b", {"alice/shogun.py": "x = 1\n", "bob/shogun.py": "x = 1\n"})
    found = collect([batch], SHOGUN)
    (batch / "bob" / "shogun.py").write_text("x = 2\n")
    assert [s.files["shogun"].text for s in found] == ["x = 1\n", "x = 2\n"]
    with pytest.raises(Exception, match="no such file"):
        collect([tmp_path / "nowhere"], SHOGUN)


def test_a_folder_that_went_away_is_a_problem(make_folder: Callable[..., Path]) -> None:
    batch = make_folder("b", {"alice/shogun.py": "", "bob/shogun.py": ""})
    alice, _bob = discover([batch], SHOGUN)
    (batch / "alice" / "shogun.py").unlink()
    (batch / "alice").rmdir()
    assert read(alice, SHOGUN).problems == ("alice can't be read (No such file or directory)",)


def test_a_zip_that_changed_is_read_as_it_is_now(make_zip: Callable[..., Path]) -> None:
    path = make_zip("b.zip", {"alice/shogun.py": "", "bob/shogun.py": ""})
    alice, bob = discover([path], SHOGUN)
    make_zip("b.zip", {"alice/shogun.py": "changed = True\n"})
    assert read(alice, SHOGUN).files["shogun"].text == "changed = True\n"
    assert read(bob, SHOGUN).problems == ("bob is no longer in the zip",)
    assert read(bob, SHOGUN).unreadable


def test_a_zip_of_students_that_is_cut_off_meanwhile_is_nobodys_mistake(
    make_zip: Callable[..., Path],
) -> None:
    path = make_zip("b.zip", {"alice/shogun.py": "x = 1\n", "bob/shogun.py": "x = 2\n"})
    alice, _bob = discover([path], SHOGUN)
    os.truncate(path, 60)
    submission = read(alice, SHOGUN)
    assert submission.unreadable.startswith("alice lies in b.zip, which is a damaged zip")


def test_a_member_of_a_zip_of_students_that_is_damaged_is_not_theirs(make_zip: Callable[..., Path]) -> None:
    path = make_zip("b.zip", {"alice/shogun.py": "x = 1\n", "bob/shogun.py": "x = 2\n"})
    content = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("alice/shogun.py").header_offset + 30 + len("alice/shogun.py")
    path.write_bytes(content[:start] + b"\xff" + content[start + 1 :])
    alice, bob = collect([path], SHOGUN)
    assert alice.unreadable == "shogun.py is damaged in the zip"
    assert bob.files["shogun"].text == "x = 2\n"


def test_an_encrypted_zip_of_students_is_not_theirs(make_zip: Callable[..., Path]) -> None:
    path = make_zip("b.zip", {"alice/shogun.py": "x = 1\n", "bob/shogun.py": "x = 2\n"})
    content = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = -1
        while (place := content.find(mark, place + 1)) >= 0:
            content[place + flags] |= 1
    path.write_bytes(content)
    for one in collect([path], SHOGUN):
        assert one.unreadable == "shogun.py is encrypted"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file whose reading fails")
@pytest.mark.skipif(sys.platform != "linux", reason="no such file")
def test_a_zip_whose_disk_fails_is_not_a_damaged_zip() -> None:
    with open("/proc/self/mem", "rb") as file, pytest.raises(Unreadable, match="Input/output error"):
        ZipTree(file)


class _FailingDisk(io.BytesIO):
    """A file whose first bytes cannot be read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() < 30:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)


def test_a_member_of_a_zip_whose_disk_fails_is_not_damaged(make_zip: Callable[..., Path]) -> None:
    with ZipTree(_FailingDisk(make_zip("a.zip", {"shogun.py": "x = 1\n"}).read_bytes())) as tree:
        (entry,) = tree.contents(()).entries
        with pytest.raises(Unreadable, match="Input/output error"):
            list(tree.chunks((), entry))


def test_the_same_bytes_that_lie_otherwise_have_another_digest(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    files = {"shogun.py": "", "extra.zip": make_zip("extra.zip", {"a": ""}).read_bytes()}
    folder, zipped = only(make_folder("alice", files)), only(make_zip("1/alice.zip", files))
    assert folder.notes
    assert zipped.problems
    assert folder.content_sha256 == zipped.content_sha256
    assert folder.sha256 != zipped.sha256


def test_an_archive_of_another_kind_beside_the_work_is_no_problem_and_leaves_one_digest(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    files = {"shogun.py": "x = 1\n", "data.tar.gz": "x"}
    # `only` compares the digest that decides whether a mark is kept with the one that it was made from.
    for path in (make_folder("alice", files), make_zip("bob.zip", files)):
        assert only(path).problems == ()


def test_what_could_not_be_read_has_a_digest_for_each_reason(make_folder: Callable[..., Path]) -> None:
    batch = make_folder(
        "b", {"alice.zip": b"PK nothing", "bob/a.zip": b"", "bob/b.zip": b"", "carol/shogun.py": ""}
    )
    damaged, two, _carol = collect([batch], SHOGUN)
    assert damaged.problems
    assert two.problems
    assert damaged.content_sha256 == two.content_sha256 == ""
    assert damaged.sha256 != two.sha256


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files")
def test_a_file_that_was_not_read_has_a_digest_for_each_reason(make_folder: Callable[..., Path]) -> None:
    folder = make_folder("alice", {"other.txt": ""})
    source = folder / "shogun.py"
    found = []
    for put in (
        lambda: source.symlink_to("other.txt"),
        lambda: os.mkfifo(source),
        lambda: source.write_text("#" * 2**21),
    ):
        source.unlink(missing_ok=True)
        put()
        found.append(only(folder))
    assert len({submission.problems for submission in found}) == 3
    assert len({submission.content_sha256 for submission in found}) == 1
    assert len({submission.sha256 for submission in found}) == 3


def test_an_archive_in_a_folder_that_is_not_read_is_told(
    make_folder: Callable[..., Path], make_zip: Callable[..., Path]
) -> None:
    """A later attempt may be in it."""
    batch = make_folder("batch", {"alice/attempt 1/shogun.py": "x = 1\n", "bob/shogun.py": ""})
    make_zip("batch/alice/attempt 2/work.zip", {"shogun.py": "x = 2\n"})
    alice, bob = collect([batch], SHOGUN)
    assert alice.files["shogun"].text == "x = 1\n"
    assert alice.notes == ("attempt 2/work.zip was not opened; only what lies in attempt 1 is read",)
    assert bob.notes == ()


def test_a_name_that_is_twice_in_a_zip_of_many_is_pending(make_zip: Callable[..., Path]) -> None:
    """Two students of one name, say: whose file it is is not theirs to know, and no reason for no mark."""
    path = make_zip("batch.zip", {"ann/shogun.py": "x = 1\n", "bob/shogun.py": ""})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ann/shogun.py", "x = 2\n")
    ann, bob = collect([path], SHOGUN)
    assert ann.unreadable == "shogun.py is in the zip more than once"
    assert bob.unreadable == ""

"""Folders made to harm: links, pipes, devices, sockets, huge and unreadable files."""

import codecs
import errno
import os
import socket
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.intake_reading import collect

from grader.intake import Candidate, discover, read
from grader.intake.trees.tree import DEPTH_MAX, FILES_MAX
from grader.model.errors import UsageError
from grader.model.submission import Submission

SHOGUN = {"shogun": "shogun.py"}
GOOD = "x = 1\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and sockets of POSIX")


@pytest.fixture
def batch(make_folder: Callable[..., Path]) -> Path:
    return make_folder("batch", {"alice/": "", "bob/shogun.py": GOOD})


def alice_of(batch: Path) -> Submission:
    """Read the batch; Bob's work must be unharmed."""
    alice, bob = collect([batch], SHOGUN)
    assert (bob.files["shogun"].text, bob.problems) == (GOOD, ())
    return alice


def test_link_to_a_file(batch: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret = 1\n")
    (batch / "alice" / "shogun.py").symlink_to(tmp_path / "secret")
    alice = alice_of(batch)
    assert alice.files == {}
    assert alice.problems == ("shogun.py is a link, and links are not followed",)


@pytest.mark.parametrize("target", ["nowhere", "shogun.py", "../bob/shogun.py", "/dev/zero"])
def test_links_that_lead_nowhere_round_or_across(batch: Path, target: str) -> None:
    (batch / "alice" / "shogun.py").symlink_to(target)
    assert alice_of(batch).problems == ("shogun.py is a link, and links are not followed",)


def test_link_to_a_folder(batch: Path) -> None:
    (batch / "alice" / "hw").symlink_to(batch / "bob")
    alice = alice_of(batch)
    assert alice.files == {}
    assert "hw is a link, and links are not followed" in alice.problems


def test_link_as_a_student(batch: Path, tmp_path: Path) -> None:
    (batch / "alice").rmdir()
    (batch / "alice").symlink_to(batch / "bob")
    alice = alice_of(batch)
    assert alice.files == {}
    assert alice.problems == ("alice is a link, and links are not followed",)


def test_link_as_a_students_zip(batch: Path, make_zip: Callable[..., Path]) -> None:
    real = make_zip("real.zip", {"shogun.py": GOOD})
    (batch / "alice" / "work.zip").symlink_to(real)
    assert alice_of(batch).problems == ("alice holds work.zip, which is a link, and links are not followed",)


def test_links_in_a_circle_cost_nobody_a_place_in_the_batch(batch: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    # In whatever order the folder lists them, some come before a student.
    circles = [f"circle-{number}" for number in range(20)]
    for name in circles:
        (batch / name).symlink_to(name)
        (batch / "alice" / name).symlink_to(name)
    found = {submission.id: submission for submission in collect([batch], SHOGUN)}
    assert sorted(found) == ["alice", "bob", *sorted(circles)]
    assert all(found[name].files for name in ("alice", "bob"))
    assert found["circle-1"].problems == ("circle-1 is a link, and links are not followed",)


def test_folder_that_becomes_a_link_after_the_search(batch: Path, tmp_path: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    alice, _bob = discover([batch], SHOGUN)
    (batch / "alice").rename(tmp_path / "moved")
    (batch / "alice").symlink_to(tmp_path / "moved")
    submission = read(alice, SHOGUN)
    assert submission.files == {}
    assert len(submission.problems) == 1


def test_pipe_does_not_block(batch: Path) -> None:
    os.mkfifo(batch / "alice" / "shogun.py")
    alice = alice_of(batch)
    assert alice.files == {}
    assert alice.problems == ("shogun.py is a pipe, not a file",)


def test_single_file_that_is_a_pipe(batch: Path) -> None:
    os.mkfifo(batch / "carol.py")
    _alice, _bob, carol = collect([batch], SHOGUN)
    assert carol.problems == ("carol.py is a pipe, not a file",)
    with pytest.raises(UsageError, match="neither a folder nor a file"):
        discover([batch / "carol.py"], SHOGUN)


def test_zip_that_is_a_pipe(batch: Path) -> None:
    os.mkfifo(batch / "alice" / "work.zip")
    assert alice_of(batch).problems == ("alice holds work.zip, which is a pipe, not a file",)


def test_socket(batch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(batch / "alice")  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("shogun.py")
        assert alice_of(batch).problems == ("shogun.py is a socket, not a file",)


def test_device(batch: Path) -> None:
    try:
        os.mknod(batch / "alice" / "shogun.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except OSError:
        pytest.skip("only root may make a device, and not in every container")
    assert alice_of(batch).problems == ("shogun.py is a device, not a file",)


def test_huge_sparse_files_are_not_read(batch: Path) -> None:
    for name in ("shogun.py", "data.bin"):
        with (batch / "alice" / name).open("wb") as file:
            file.truncate(2**40)
    alice = alice_of(batch)
    assert alice.files == {}
    assert alice.problems == ("shogun.py is larger than 1 MiB, the most that is read",)
    assert alice.notes == ("data.bin is larger than 50 MiB, the most that is read",)


def test_a_huge_file_in_front_does_not_starve_the_source(batch: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    for n in range(3):
        (batch / "alice" / f"a{n}.bin").write_bytes(bytes(20 * 1024 * 1024))
    alice = alice_of(batch)
    assert alice.files["shogun"].text == GOOD
    assert alice.problems == ()
    assert alice.notes == ("a2.bin is beyond the 50 MiB that are read of a submission",)


def test_hard_links_are_files(batch: Path, tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(GOOD)
    (batch / "alice" / "shogun.py").hardlink_to(tmp_path / "shared.py")
    assert alice_of(batch).files["shogun"].text == GOOD


def test_a_folder_with_the_name_of_a_source(batch: Path) -> None:
    (batch / "alice" / "shogun.py").mkdir()
    alice = alice_of(batch)
    assert alice.files == {}
    assert alice.problems == ("no Python file was found; expected shogun.py",)


def test_too_many_files(batch: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    (batch / "alice" / "many").mkdir()
    for n in range(FILES_MAX):
        (batch / "alice" / "many" / str(n)).touch()
    assert alice_of(batch).problems == (f"alice holds more than {FILES_MAX} files",)


def test_very_deep_folders(batch: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    (batch / "alice").joinpath(*["d"] * (DEPTH_MAX + 5)).mkdir(parents=True)
    alice = alice_of(batch)
    assert alice.files["shogun"].text == GOOD
    assert alice.problems[0].endswith(f"lies more than {DEPTH_MAX} folders deep")


def test_names_that_are_no_text(batch: Path) -> None:
    (batch / "alice" / "shogun.py").write_text(GOOD)
    for name in (b"kn\xffght.py", b"d\xff", b"line\nbreak.py", b"\x1b[31m.py"):
        Path(os.fsdecode(bytes(batch / "alice") + b"/" + name)).write_text(GOOD)
    (batch / os.fsdecode(b"car\xffol")).mkdir()
    alice, bob, carol = collect([batch], SHOGUN)
    assert list(alice.files) == ["shogun"]
    assert bob.problems == ()
    for submission in (alice, bob, carol):
        text = repr((submission.id, submission.name, submission.problems, submission.notes))
        "".join((submission.id, submission.name, *submission.problems, *submission.notes)).encode()
        assert "\\udc" not in text


@pytest.fixture
def nobodys_batch() -> Iterator[Path]:
    """Return a batch that a user other than root can reach, and act as that user."""
    with tempfile.TemporaryDirectory(prefix="intake-") as folder:
        batch = Path(folder)
        batch.chmod(0o755)
        for name in ("alice", "bob"):
            (batch / name).mkdir(mode=0o755)
            (batch / name / "shogun.py").write_text(GOOD)
        yield batch


def as_nobody(batch: Path, work: Callable[[], list[Candidate] | Submission]) -> list[Candidate] | Submission:
    """Call a function without root's right to read everything."""
    if os.geteuid() != 0:
        return work()
    codecs.lookup("cp437")  # of the names in zips: the library may be closed to other users
    os.seteuid(65534)
    try:
        if not os.access(batch, os.R_OK, effective_ids=True):
            pytest.skip("the folder for temporary files is closed to other users")
        return work()
    finally:
        os.seteuid(0)


def test_unreadable_file_is_its_students_problem(nobodys_batch: Path) -> None:
    (nobodys_batch / "alice" / "shogun.py").chmod(0)
    submission = as_nobody(nobodys_batch, lambda: alice_of(nobodys_batch))
    assert isinstance(submission, Submission)
    assert submission.files == {}
    assert submission.problems == ("shogun.py can't be read (Permission denied)",)


def test_unreadable_folder_is_its_students_problem(nobodys_batch: Path) -> None:
    (nobodys_batch / "alice").chmod(0)
    submission = as_nobody(nobodys_batch, lambda: alice_of(nobodys_batch))
    (nobodys_batch / "alice").chmod(0o755)
    assert isinstance(submission, Submission)
    assert submission.problems == ("alice can't be read (Permission denied)",)


def zip_in_place_of_work(alice: Path) -> Path:
    with zipfile.ZipFile(alice / "work.zip", "w") as archive:
        archive.write(alice / "shogun.py", "shogun.py")
    (alice / "shogun.py").unlink()
    return alice / "work.zip"


def folder_around_work(alice: Path) -> Path:
    (alice / "src").mkdir()
    (alice / "shogun.py").rename(alice / "src" / "shogun.py")
    return alice / "src"


def later_attempt(alice: Path) -> Path:
    for name in ("attempt-1", "attempt-2"):
        (alice / name).mkdir()
        (alice / name / "shogun.py").write_text(GOOD)
    (alice / "shogun.py").unlink()
    return alice / "attempt-2"


@pytest.mark.parametrize(
    ("closed", "mode"),
    [
        (zip_in_place_of_work, 0),
        (folder_around_work, 0),
        (folder_around_work, 0o444),
        (later_attempt, 0),
        (lambda alice: alice, 0o444),
    ],
)
def test_where_the_work_may_lie_in_what_is_unreadable_the_submission_is(
    nobodys_batch: Path, closed: Callable[[Path], Path], mode: int
) -> None:
    path = closed(nobodys_batch / "alice")
    path.chmod(mode)
    submission = as_nobody(nobodys_batch, lambda: alice_of(nobodys_batch))
    path.chmod(0o755)
    assert isinstance(submission, Submission)
    assert "can't be read (Permission denied)" in submission.unreadable
    assert submission.unreadable in submission.problems


def test_unreadable_data_beside_the_work_is_a_problem_and_no_more(nobodys_batch: Path) -> None:
    (nobodys_batch / "alice" / "data.csv").touch(0)
    submission = as_nobody(nobodys_batch, lambda: alice_of(nobodys_batch))
    assert isinstance(submission, Submission)
    assert submission.problems == ("data.csv can't be read (Permission denied)",)
    assert not submission.unreadable
    assert submission.files


def test_unreadable_batch_is_the_users_mistake(nobodys_batch: Path) -> None:
    (nobodys_batch / "bob").chmod(0)
    with pytest.raises(UsageError, match="Permission denied"):
        as_nobody(nobodys_batch, lambda: discover([nobodys_batch / "bob"], SHOGUN))
    (nobodys_batch / "bob").chmod(0o755)


@pytest.mark.parametrize("closed", [["alice", "bob"], ["alice/src", "bob/src"]])
def test_where_all_work_is_unreadable_it_is_told_of_each(nobodys_batch: Path, closed: list[str]) -> None:
    for name in ("alice", "bob"):
        folder_around_work(nobodys_batch / name)
    for name in closed:
        (nobodys_batch / name).chmod(0)
    found = as_nobody(nobodys_batch, lambda: discover([nobodys_batch], SHOGUN))
    for name in closed:
        (nobodys_batch / name).chmod(0o755)
    assert isinstance(found, list)
    assert [candidate.id for candidate in found] == ["alice", "bob"]


def test_a_batch_that_cannot_be_listed_to_its_end_is_refused(
    batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle must not leave anybody out."""

    class Failing:
        def __init__(self, of: int | str) -> None:
            self._all = scandir(of)

        def __enter__(self) -> Iterator["os.DirEntry[str]"]:
            first = next(self._all)

            def one_and_an_error() -> Iterator["os.DirEntry[str]"]:
                yield first
                raise OSError(errno.EIO, os.strerror(errno.EIO))

            return one_and_an_error()

        def __exit__(self, *_: object) -> None:
            self._all.close()

    scandir = os.scandir
    monkeypatch.setattr("grader.intake.trees.folder.os.scandir", Failing)
    with pytest.raises(UsageError, match=r"this can't be read \(Input/output error\)"):
        discover([batch], SHOGUN)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="Linux tells what is open")
def test_nothing_is_left_open_of_what_was_refused(batch: Path) -> None:
    os.mkfifo(batch / "carol.py")
    os.mkfifo(batch / "alice" / "work.zip")
    (batch / "dan.py").write_bytes(bytes(2 * 1024 * 1024))  # refused in the middle
    os.mkdir(batch / "eve")
    os.mkfifo(batch / "eve" / "shogun.py")
    before = set(os.listdir("/proc/self/fd"))
    read_ones = list(collect([batch], SHOGUN))
    assert [one.id for one in read_ones if one.problems] == ["alice", "carol", "dan", "eve"]
    assert set(os.listdir("/proc/self/fd")) == before


def test_a_zip_beside_a_folder_that_cannot_be_read_is_pending(nobodys_batch: Path) -> None:
    """Newer work than the zip's may lie there."""
    alice = nobodys_batch / "alice"
    zip_in_place_of_work(alice)
    (alice / "new").mkdir(mode=0)
    submission = as_nobody(nobodys_batch, lambda: alice_of(nobodys_batch))
    (alice / "new").chmod(0o755)
    assert isinstance(submission, Submission)
    assert submission.unreadable == "./new can't be read (Permission denied)"

"""Files: what student code can read, write, see and leave behind.

Under `namespaces` other files do not exist.  Under `landlock` they can be neither opened nor listed,
but seen.  `seccomp` promises nothing about files, and is not tested here for what it does not promise.
"""

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from support.sieges import MODES, Arena, Zygotes, job, value

import grader
from grader.model.outcome import Ending
from grader.model.values import Value
from grader.sandbox.driver import Driver
from grader.worker.box.main import TRACE

HEAD = """
import os, sys

def answer(call):
    try:
        return call() or True
    except OSError as error:
        return type(error).__name__

"""
REPOSITORY = Path(grader.__file__).resolve().parent.parent


def attempt(arena: Arena, expression: str, *args: Value) -> Value:
    """What `expression` of `x`, the arguments, comes to in a box."""
    source = f"{HEAD}def attack(*x):\n    return answer(lambda: {expression})\n"
    return value(arena.besiege(source, job("attack", *args)).outcome)


@pytest.fixture(params=[Driver.NAMESPACES, Driver.LANDLOCK])
def guarded(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """The drivers that promise something about files."""
    return zygotes.arena(request.param, "snapshot")


# Never written to, whatever a broken sandbox would allow: the victims of writing are the test's own.
OTHERS = {
    "passwords": "/etc/passwd",
    "environment of init": "/proc/1/environ",
    "own environment": "/proc/self/environ",
    "own maps": "/proc/self/maps",
    "processor": "/proc/cpuinfo",
    "environment of the grader": f"/proc/{os.getpid()}/environ",
    "command of the grader": f"/proc/{os.getpid()}/cmdline",
    "messages of the kernel": "/dev/kmsg",
    "terminal": "/dev/tty",
    "project": str(REPOSITORY / "pyproject.toml"),
    "package": grader.__file__,
    "this test": __file__,
}
REFUSED = ("PermissionError", "FileNotFoundError", "NotADirectoryError", "OSError")


@pytest.mark.parametrize("whose", OTHERS)
def test_no_file_of_others_is_read(guarded: Arena, whose: str) -> None:
    for expression in (
        "open(x[0], 'rb').read(1)",
        "os.open(x[0], os.O_RDONLY | os.O_NONBLOCK)",
        "os.listdir(os.path.dirname(x[0]))",
        "os.open(f'/proc/self/fd/{os.open(x[0], os.O_PATH)}', 0)",
        "list(os.scandir(os.open(os.path.dirname(x[0]), os.O_PATH)))",
    ):
        assert attempt(guarded, expression, OTHERS[whose]) in REFUSED, expression


def test_no_file_of_others_is_written_or_moved(guarded: Arena, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    victim = tmp_path / "victim"
    for expression in (
        "open(x[0], 'w')", "open(x[0], 'a')", "open(x[0], 'r+')", "os.open(x[0], os.O_RDONLY | os.O_TRUNC)",
        "os.truncate(x[0], 0)", "os.unlink(x[0])", "os.rename(x[0], 'mine')", "os.link(x[0], 'mine')",
        "os.rename(x[0], x[0] + '.new')", "os.symlink('elsewhere', x[0] + '.new')", "os.mkdir(x[0] + '.new')",
        "os.open(x[0] + '.new', os.O_CREAT | os.O_WRONLY)", "os.rmdir(os.path.dirname(x[0]))",
        "os.open(os.path.dirname(x[0]), os.O_TMPFILE | os.O_RDWR)", "os.mkfifo(x[0] + '.new')",
    ):  # fmt: skip
        victim.write_text("content")
        victim.chmod(0o666)
        assert attempt(guarded, expression, str(victim)) in REFUSED, expression
        assert victim.read_text() == "content"
        assert list(tmp_path.iterdir()) == [victim]


def test_metadata_of_others_is_not_changed(driver_arena: Arena, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("content")
    os.utime(path, (1, 1))
    before = path.stat()
    for expression in (
        "os.chmod(x[0], 0)", "os.chown(x[0], 1, 1)", "os.utime(x[0], (5, 5))", "os.truncate(x[0], 0)",
        "os.setxattr(x[0], 'user.x', b'1')", "os.link(x[0], x[0] + '.link')", "os.chflags(x[0], 0)",
    ):  # fmt: skip
        expression = f"hasattr(os, {expression.split('(')[0][3:]!r}) and {expression}"
        attempt(driver_arena, expression, str(path))
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_mtime, after.st_size, after.st_nlink) == (
        before.st_mode, before.st_uid, before.st_mtime, before.st_size, before.st_nlink
    )  # fmt: skip
    assert os.listxattr(path) == []


def test_others_are_not_even_seen_in_namespaces(zygotes: Zygotes, tmp_path: Path) -> None:
    arena = zygotes.arena(Driver.NAMESPACES, "snapshot")
    # Folders above the interpreter's own are there, empty but for what leads to it.
    for path in (str(tmp_path), "/etc", "/proc", "/var", "/sys", "/root/.bashrc", str(REPOSITORY / "tests")):
        assert attempt(arena, "os.stat(x[0])", path) == "FileNotFoundError", path
    assert attempt(arena, "os.readlink('/proc/self/exe')") == "FileNotFoundError"


def test_nothing_is_written_outside_the_scratch_folder(guarded: Arena, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    folders = [
        "/",
        "/tmp",
        "/var/tmp",
        "/dev",
        "/dev/shm",
        "/box",
        "/usr/lib",
        sys.prefix,
        str(tmp_path),
        ".",
    ]
    written = {
        folder
        for folder in folders
        if attempt(guarded, "open(x[0] + '/litter', 'w').close()", folder) is True
    }
    scratch = {"."} | {"/tmp"} if guarded.driver is Driver.NAMESPACES else set()
    assert written == scratch
    assert list(tmp_path.iterdir()) == []


def test_a_link_does_not_lead_out(zygotes: Zygotes) -> None:
    arena = zygotes.arena(Driver.NAMESPACES, "snapshot")
    assert attempt(arena, "os.symlink('/etc/passwd', 'a') or open('a').read()") == "FileNotFoundError"
    assert attempt(arena, "os.symlink('..', 'b') or os.listdir('b/..')") == "PermissionError"
    assert attempt(arena, "os.chdir('/') or os.listdir('.')") == "PermissionError"


def test_no_device_is_made_or_reached(guarded: Arena) -> None:
    assert attempt(guarded, "os.mknod('null', 0o20666, 0x103)") == "PermissionError"
    for device in ("null", "zero", "urandom"):
        assert attempt(guarded, f"open('/dev/{device}', 'rb').read(0) == b''") is True


BYTES = """
import os
def attack(size):
    written = 0
    try:
        for number in range(100):
            with open(f"file-{number}", "wb", 0) as file:
                for _ in range(16):
                    written += file.write(b"x" * size)
    except OSError:
        pass
    return written
"""
NAMES = """
import os
def attack(count):
    made = 0
    try:
        for made in range(count):
            os.mkdir(f"folder-{made}")
    except OSError:
        pass
    return made
"""
LEFT = """
import os
def attack():
    return sorted(os.listdir("."))
"""


def test_scratch_is_bounded_in_bytes_and_names_and_gone_for_the_next(zygotes: Zygotes) -> None:
    for mode in MODES:
        arena = zygotes.arena(Driver.NAMESPACES, mode)
        written = value(arena.besiege(BYTES, job("attack", 1 << 20)).outcome)
        assert isinstance(written, int)
        assert 8 << 20 < written <= 16 << 20
        made = value(arena.besiege(NAMES, job("attack", 5000)).outcome)
        assert isinstance(made, int)
        assert 500 < made <= 1024
        assert value(arena.besiege(LEFT, job("attack")).outcome) == []


def test_without_a_bounded_scratch_there_is_none(zygotes: Zygotes) -> None:
    arena = zygotes.arena(Driver.LANDLOCK, "snapshot")
    assert value(arena.besiege(BYTES, job("attack", 1)).outcome) == 0


ABOUT = """
import os, sys
def attack():
    return [dict(os.environ), sys.argv, sys.orig_argv, sys.path, os.getcwd()]
"""


def test_nothing_of_the_graders_is_in_the_environment(
    driver_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TEST_TOKEN", "hush")
    told: Any = value(driver_arena.besiege(ABOUT, job("attack")).outcome)
    environ, argv, original, path, folder = told
    assert set(environ) <= {
        "PYTHONHASHSEED", "PATH", "HOME", "TMPDIR", "LC_ALL", "TZ", "MALLOC_ARENA_MAX", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LC_CTYPE",
    }  # fmt: skip
    assert str(REPOSITORY / "grader") not in repr((environ, argv, original, path, folder))
    assert folder == ("/box/work" if driver_arena.driver is Driver.NAMESPACES else "/")


def test_standard_input_is_empty(driver_arena: Arena) -> None:
    source = (
        "import os, sys\ndef attack():\n    return [os.read(0, 10), sys.stdin.read(), os.fstat(0).st_mode]\n"
    )
    told: Any = value(driver_arena.besiege(source, job("attack")).outcome)
    first, second, mode = told
    assert (first, second) == (b"", "")
    assert stat.S_ISCHR(mode)


DESCRIPTORS = """
import os
def attack():
    found = {}
    for fd in range(2048):
        try:
            found[fd] = os.fstat(fd).st_mode >> 12
        except OSError:
            pass
    return found
"""


def test_no_descriptor_but_the_channels_is_open(arena: Arena) -> None:
    socket, pipe, device = 0o14, 0o1, 0o2
    channels = {0: device, 1: pipe, 2: pipe, 3: socket, 4: socket, TRACE: pipe}
    if arena.mode == "snapshot":
        del channels[3]  # the box's own, closed in its forks
    assert value(arena.besiege(DESCRIPTORS, job("attack")).outcome) == channels


def test_files_and_descriptors_are_bounded(driver_arena: Arena) -> None:
    source = "import os\ndef attack():\n    return [os.pipe() for _ in range(100)]\n"
    outcome = driver_arena.besiege(source, job("attack")).outcome
    assert outcome.ending is Ending.ANSWERED
    assert "Too many open files" in repr(outcome.answers)

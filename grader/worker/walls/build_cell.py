"""Puts walls around a compiler, has it build one program of a student's text, and hands on the result.

The compiler is trusted and the text is not: what it includes may be any file that the compiler can open, and
its expansion may be endless.  So the compiler has a root with itself and the system's libraries and headers,
a scratch folder of bounded size, no network, no capabilities, and a pid namespace that bounds its processes.
The caller sets limits on time, memory and output beforehand.

This process is pid 1 of that namespace.  It reads two files of the scratch folder, as bytes, after the
compiler has ended.
"""

import binascii
import os
import stat
import sys

from grader.wire.decoder import decode_plain
from grader.worker.settings import ARTEFACT, EXIT_NO_CELL, EXIT_NOT_BUILT, Settings
from grader.worker.walls import jail, kernel, landlock, limits, seccomp

_SAID = f"{jail.SCRATCH}/said"
_SAID_MOST_B = 16 * 1024
_PROCESSES = 32
_PATH = "/usr/bin:/bin"


def main(settings_hex: str, most_b: int, memory_b: int, command: list[str]) -> None:
    """Build the walls and then the program; does not return.

    The source is standard input.  The artefact, of at most `most_b` bytes, goes out in base 64.
    The compiler's messages go to standard error.
    """
    try:
        settings = Settings(*decode_plain(bytes.fromhex(settings_hex)))  # type: ignore[misc]
        # From here on this is a new process; the one that was started passes its exit status on.
        jail.enter(settings, lifeline=os.open(os.devnull, os.O_RDONLY))
        jail.make_scratch(settings)
        os.closerange(3, 1024)
        child = os.fork()
        if child == 0:
            _compile(settings, memory_b, command)
        _, status = os.waitpid(child, 0)
        os._exit(_hand_on(os.waitstatus_to_exitcode(status), most_b))
    except BaseException as error:
        _complain(error)
    os._exit(EXIT_NO_CELL)


def _compile(settings: Settings, memory_b: int, command: list[str]) -> None:
    """Become the compiler, behind the walls."""
    try:
        said = os.open(_SAID, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        limits.lower_limit(limits.AS, memory_b)
        limits.lower_limit(limits.NPROC, _PROCESSES)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.drop_capabilities()
        if landlock.version():
            devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
            ruleset = landlock.ruleset(settings.readable, [jail.BOX, *filter(os.path.exists, devices)])
            landlock.restrict(ruleset)
            os.close(ruleset)
        os.chdir(jail.SCRATCH)
        kernel.install_filter(
            seccomp.program(listen=False, own_pid=None, starts=True, forks=True), listen=False
        )
        os.dup2(said, 1)
        os.dup2(said, 2)
        environment = {"PATH": _PATH, "TMPDIR": jail.SCRATCH, "LC_ALL": "C.UTF-8"}
        os.execve(command[0], command, environment)
    except BaseException as error:
        _complain(error)
    os._exit(EXIT_NO_CELL)


def _hand_on(status: int, most_b: int) -> int:
    """Write out what the compiler left; return our exit status."""
    if status == EXIT_NO_CELL:
        return EXIT_NO_CELL
    os.write(2, _content(_SAID, _SAID_MOST_B))
    if status != 0:
        return EXIT_NOT_BUILT
    artefact = _content(f"{jail.SCRATCH}/{ARTEFACT}", most_b + 1)
    if len(artefact) > most_b:
        os.write(2, b"the program is too large\n")
        return EXIT_NOT_BUILT
    left = memoryview(binascii.b2a_base64(artefact))
    while left:
        left = left[os.write(1, left) :]
    return 0


def _content(path: str, most_b: int) -> bytes:
    """Return the beginning of a regular file; the compiler may have left anything there."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("the compiler left no regular file")
        parts, left_b = [], most_b
        while left_b > 0 and (part := os.read(descriptor, min(left_b, 1 << 18))):
            parts.append(part)
            left_b -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _complain(error: BaseException) -> None:
    sys.stderr.write(f"{type(error).__name__}: {error}\n")
    sys.stderr.flush()

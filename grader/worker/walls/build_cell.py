"""Puts walls around a compiler, has it build one program of a student's text, and hands on the result.

The compiler is trusted and the text is not: what it includes may be any file that the compiler can open, and
its expansion may be endless.  So the compiler has a root with itself and the system's libraries and headers,
a scratch folder of bounded size, no network, no capabilities, and a pid namespace that bounds its processes.
The caller sets limits on time, memory and output beforehand.

This process is pid 1 of that namespace.  It reads files of the scratch folder, as bytes, after the compiler
has ended.  A process that the compiler left behind ends with this one.
"""

import binascii
import os
import signal
import sys
import time

from grader.wire.decoder import decode_plain
from grader.wire.encoder import encode_plain
from grader.worker.regular_file import beginning_of
from grader.worker.settings import EXIT_NO_CELL, EXIT_NOT_BUILT, Settings
from grader.worker.walls import jail, kernel, landlock, limits, seccomp

_FILES_MOST = 256
_NAP_S = 0.01
_SAID_MOST_B = 16 * 1024
_PROCESSES = 32
_PATH = "/usr/bin:/bin"


def main(
    settings_hex: str, most_b: int, memory_b: int, patience_s: float, libraries: str, *command: str
) -> None:
    """Build the walls and then the program; does not return.

    patience_s: a command that runs longer by the clock has failed; 0: none does.
    libraries: a folder in which the command finds its own; empty for none.
    The source files are standard input: a dict of names and contents, in base 64.  What the command leaves
    besides, of at most `most_b` bytes, goes out likewise.  The compiler's messages go to standard error.
    """
    try:
        settings = Settings(*decode_plain(bytes.fromhex(settings_hex)))  # type: ignore[misc]
        # From here on this is a new process; the one that was started passes its exit status on.
        jail.enter(settings, lifeline=os.open(os.devnull, os.O_RDONLY))
        jail.make_scratch(settings)
        os.closerange(3, 1024)
        sources = _write_sources()
        said = os.memfd_create("said", os.MFD_CLOEXEC)
        child = os.fork()
        if child == 0:
            _compile(settings, memory_b, libraries, list(command), said)
        os._exit(_hand_on(_status_of(child, patience_s), most_b, sources, said))
    except BaseException as error:
        _complain(error)
    os._exit(EXIT_NO_CELL)


def _status_of(child: int, patience_s: float) -> int:
    """Wait for the command; return its exit status, or that of one that was killed."""
    deadline = time.monotonic() + patience_s
    while patience_s:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.write(2, b"the build did not end in time\n")
            return -signal.SIGKILL
        time.sleep(_NAP_S)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _write_sources() -> frozenset[str]:
    """Write the source files into the folder; return their names, which the grader has looked at."""
    packed = b""
    while part := os.read(0, 1 << 16):
        packed += part
    sources = decode_plain(binascii.a2b_base64(packed))
    assert isinstance(sources, dict)
    for name, left in sources.items():
        target = os.open(f"{jail.SCRATCH}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        while left:
            left = left[os.write(target, left) :]
        os.close(target)
    return frozenset(sources)


def _compile(settings: Settings, memory_b: int, libraries: str, command: list[str], said: int) -> None:
    """Become the compiler, behind the walls."""
    try:
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
        environment = {"PATH": _PATH, "TMPDIR": jail.SCRATCH, "HOME": jail.SCRATCH, "LC_ALL": "C.UTF-8"}
        if libraries:
            # Without a process table, the loader can't tell where the program itself lies.
            environment["LD_LIBRARY_PATH"] = libraries
        os.execve(command[0], command, environment)
    except BaseException as error:
        _complain(error)
    os._exit(EXIT_NO_CELL)


def _hand_on(status: int, most_b: int, sources: frozenset[str], said: int) -> int:
    """Write out what the compiler left; return our exit status."""
    if status == EXIT_NO_CELL:
        return EXIT_NO_CELL
    found = _left(most_b, sources) if status == 0 else None
    if status == 0 and found is None:
        # The first line is told, unless one names an error in the source.
        os.write(2, b"what was built is too large\n")
    os.write(2, os.pread(said, _SAID_MOST_B, 0))
    if found is None:
        return EXIT_NOT_BUILT
    left = memoryview(binascii.b2a_base64(encode_plain(found)))
    while left:
        left = left[os.write(1, left) :]
    return 0


def _left(most_b: int, sources: frozenset[str]) -> dict[str, bytes] | None:
    """Return the regular files that were left besides the sources, by name; None if they are too large."""
    found: dict[str, bytes] = {}
    for folder, _, names in os.walk(jail.SCRATCH):
        for name in sorted(names):
            path = os.path.join(folder, name)
            short = path[len(jail.SCRATCH) + 1 :]
            if short in sources or not short.isascii() or not short.isprintable():
                continue
            content = _content(path, most_b + 1)
            if content is None:
                continue
            most_b -= len(content)
            found[short] = content
            if most_b < 0 or len(found) > _FILES_MOST:
                return None
    return found


def _content(path: str, most_b: int) -> bytes | None:
    """Return the beginning of a regular file; None for a link or a pipe, or what is gone meanwhile."""
    try:
        return beginning_of(path, most_b)
    except OSError:
        return None


def _complain(error: BaseException) -> None:
    sys.stderr.write(f"{type(error).__name__}: {error}\n")
    sys.stderr.flush()

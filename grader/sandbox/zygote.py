"""Starting a zygote and opening boxes in it: the grader's end of `grader.worker.zygote`."""

import os
import select
import socket
import subprocess
from array import array
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import grader
from grader.sandbox import control_group
from grader.sandbox.driver import SCRATCH_FILES, WALLS, Driver
from grader.sandbox.interpreter import Interpreter
from grader.wire import codec, frames
from grader.worker.settings import Settings

_START_S = 60.0
_STOP_S = 5.0
_PROCESSES = 1024
"""Processes and threads below a zygote: some boxes with as many threads as they may have."""
_OWN_B = 256 * 1024 * 1024
_DYING = 2
"""Boxes that are ended take a moment to give their memory back, while others begin."""
_FIRST_UID = 1_900_000_000
"""Where the grader runs as root, boxes run as a user above this, which no account has."""

# The worker is loaded from its two folders alone: nothing else of the grader's can be imported
# on the far side, and no folder of third-party packages is on the path.
_BOOT = """
import sys, types
package = sys.argv[2]
for name, folder in (("grader", None), ("grader.wire", "wire"), ("grader.worker", "worker")):
    module = types.ModuleType(name)
    module.__path__ = [package + "/" + folder] if folder else []
    sys.modules[name] = module
    if folder:
        setattr(sys.modules["grader"], folder, module)
from grader.worker import zygote
zygote.main(int(sys.argv[1]))
"""

# -I would ignore PYTHONHASHSEED, so that the order of sets would differ from zygote to zygote.
_FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8")
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PATH": "",
    "HOME": "/box/work",
    "TMPDIR": "/box/work",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_PRELOADED = ("collections", "functools", "heapq", "itertools", "math", "operator", "random")


class SandboxFailure(Exception):
    """The sandbox itself failed: our own fault, never the student's."""


class Zygote:
    """A running zygote.  Use it as a context manager, or call `close`.

    packages: third-party packages that submissions may import; they are preloaded.
    listen: False makes every case import its module anew (for tests and odd kernels).
    Raises `SandboxFailure` where the driver's walls cannot be built on this host.
    """

    def __init__(
        self,
        driver: Driver,
        interpreter: Interpreter,
        packages: tuple[str, ...] = (),
        *,
        listen: bool = True,
    ) -> None:
        self.driver = driver
        self.interpreter = interpreter
        settings = _settings(driver, interpreter, packages, listen=listen)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [interpreter.command, *_FLAGS, "-c", _BOOT, str(theirs.fileno()), _package_folder()],
                pass_fds=[theirs.fileno()],
                env=_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
                cwd="/",
            )
        self._idle: list[socket.socket] = []
        self._open_b = self._most_open_b = 0
        self._group = self._grouped()
        self.baseline_b = self._greet(settings)

    def _grouped(self) -> control_group.ControlGroup | None:
        """Put the zygote, which has started nothing yet, into a control group where the host allows it."""
        group = control_group.make()
        if group is not None:
            try:
                group.bound(_OWN_B, _PROCESSES)
                group.take(self._process.pid)
            except OSError:
                group.close()
                return None
        return group

    def box_opened(self, memory_b: int) -> None:
        """A box may take so much memory from now on.  Raises `SandboxFailure`."""
        self._open_b += memory_b + self.baseline_b
        # With the fork for a case, which may take as much.
        wanted_b = self._open_b + memory_b + self.baseline_b
        if self._group is not None and wanted_b > self._most_open_b:
            self._most_open_b = wanted_b
            try:
                self._group.bound(_OWN_B + _DYING * wanted_b, _PROCESSES)
            except OSError as error:
                raise SandboxFailure(f"the control group is gone: {error}") from error

    def box_closed(self, memory_b: int) -> None:
        """A box that was opened with so much memory has been ended."""
        self._open_b -= memory_b + self.baseline_b

    def _greet(self, settings: Settings) -> int:
        """Send the settings and return the address space that the interpreter takes by itself."""
        self._control.settimeout(_START_S)
        try:
            self._control.send(codec.encode_plain(tuple(settings)))
            answer = self._control.recv(4096)
        except OSError as error:
            answer = f"failed: {error}".encode()
        word, _, rest = answer.decode("utf-8", "replace").partition(": ")
        if word != "ready":
            said = _last_line(self._process)
            self.close()
            raise SandboxFailure(rest or said or "the interpreter did not start")
        self._control.settimeout(None)
        return int(rest)

    def open(self, *, for_many: bool) -> socket.socket:
        """Return the socket of a keeper: of one box, or of box after box.

        Keepers of many are kept for the next caller, if `give_back` says that they are free.
        """
        if for_many and self._idle:
            return self._idle.pop()
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                rights = array("i", [theirs.fileno()])
                self._control.sendmsg(
                    [frames.FOR_MANY if for_many else frames.FOR_ONE],
                    [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)],
                )
            except OSError as error:
                ours.close()
                raise SandboxFailure(f"the zygote is gone: {error}") from error
        return ours

    def give_back(self, keeper: socket.socket) -> None:
        """Take back a keeper of many boxes that has ended its box."""
        self._idle.append(keeper)

    def close(self) -> None:
        """End the zygote and every box in it."""
        for keeper in self._idle:
            keeper.close()
        self._idle.clear()
        self._control.close()
        if self._process.poll() is None and not _ends_within(self._process, _STOP_S):
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if self._group is not None:
            self._group.close()

    def __enter__(self) -> "Zygote":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _settings(
    driver: Driver, interpreter: Interpreter, packages: tuple[str, ...], *, listen: bool
) -> Settings:
    walls = WALLS[driver]
    folders = interpreter.packages if packages else ()
    hidden = interpreter.hidden + (() if packages else interpreter.packages)
    readable = interpreter.readable + tuple(
        folder
        for folder in folders
        if not any(folder.startswith(path + "/") for path in interpreter.readable)
    )
    return Settings(
        namespaces=walls.namespaces,
        landlock=walls.landlock,
        seccomp=walls.seccomp,
        listen=walls.seccomp and listen,
        readable=readable,
        hidden=hidden,
        path=folders,
        preload=(*_PRELOADED, *packages),
        uid=_FIRST_UID + os.getpid() % 1_000_000 if os.getuid() == 0 and walls.seccomp else -1,
        scratch_b=walls.scratch_b,
        scratch_files=SCRATCH_FILES if walls.scratch_b else 0,
    )


def _package_folder() -> str:
    return str(Path(grader.__file__).resolve().parent)


def _ends_within(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return True
    return False


def _last_line(process: "subprocess.Popen[bytes]") -> str:
    if process.stderr is None or not select.select([process.stderr], [], [], 0)[0]:
        return ""
    lines = os.read(process.stderr.fileno(), 1 << 16).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""

"""Starting a zygote and opening boxes in it: the grader's end of `grader.worker.zygote`."""

import os
import signal
import socket
from contextlib import suppress

from grader.model.closing import Closing
from grader.sandbox.driver import SCRATCH_FILES, WALLS, Driver
from grader.sandbox.ids import unprivileged_uid
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.packages import Packages, all_installed, importable
from grader.sandbox.waiting import Deadline, await_end, receive, send, send_descriptor
from grader.sandbox.zygote_process import take
from grader.wire.encoder import encode_plain
from grader.worker.settings import Settings

_START_S = 60.0
_STOP_S = 5.0


class SandboxFailure(Exception):
    """The sandbox itself failed: our own fault, never the student's."""


class HostKilled(SandboxFailure):
    """The system killed a process of a box, or denied it a thread: no program can do that to itself."""


class Zygote(Closing):
    """A running zygote.  Use it as a context manager, or call `close`.

    preloaded: modules to import once for all boxes.  Boxes see no third-party packages but theirs.
    all_packages: boxes see all of them (for programs that are not a student's).
    listen: False makes every case import its module again (for tests and odd kernels).
    core: the number of the core that everything in it runs on; -1 for any.
    data: the folder with the task's own files, see `data_folder`; empty for none.
    hash_seed: the order of sets of texts; another one than 0 is for looking whether it matters.
    Raises `SandboxFailure` where the driver's walls cannot be built on this host.
    """

    def __init__(
        self,
        driver: Driver,
        interpreter: Interpreter,
        preloaded: tuple[str, ...] = (),
        *,
        all_packages: bool = False,
        listen: bool = True,
        core: int = -1,
        data: str = "",
        hash_seed: int = 0,
    ) -> None:
        self.driver = driver
        self.core = core
        self.data = data
        self.interpreter = interpreter
        packages = all_installed(interpreter) if all_packages else importable(preloaded, interpreter)
        settings = _settings(driver, interpreter, packages)
        settings = settings._replace(
            preload=preloaded, listen=settings.listen and listen, core=core, data=data
        )
        self._pid = 0
        """Of the process that is there as long as anything of the zygote is; 0 if not known."""
        try:
            self._process = take(interpreter.command, hash_seed)
        except OSError as error:
            raise SandboxFailure(f"the interpreter did not start: {error}") from error
        self._control = self._process.control
        try:
            self.baseline_b = self._greet(settings)
        except BaseException:
            self.close()
            raise

    def _greet(self, settings: Settings) -> int:
        """Send the settings and return the address space that the interpreter takes by itself."""
        try:
            send(self._control, encode_plain(tuple(settings)), Deadline(_START_S))
            word, rest = self._hear()
            if word == "started":
                self._pid = int(rest)
                word, rest = self._hear()
        except OSError as error:
            word, rest = "failed", str(error)
        if word != "ready":
            raise SandboxFailure(rest or self._process.last_words() or "the interpreter did not start")
        return int(rest)

    def _hear(self) -> tuple[str, str]:
        said = receive(self._control, 4096, Deadline(_START_S))
        word, _, rest = said.decode("utf-8", "replace").partition(": ")
        return word, rest

    def another(
        self, interpreter: Interpreter, preloaded: tuple[str, ...] = (), *, all_packages: bool = False
    ) -> "Zygote":
        """Return a zygote with the same walls on the same core.  Raises `SandboxFailure`."""
        core, data = self.core, self.data
        return Zygote(self.driver, interpreter, preloaded, all_packages=all_packages, core=core, data=data)

    def open(self) -> socket.socket:
        """Return the socket of a new keeper.  Raises `SandboxFailure`."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                send_descriptor(self._control, b"1", theirs.fileno(), Deadline(_START_S))
            except OSError as error:
                ours.close()
                raise SandboxFailure(f"the zygote is gone: {error}") from error
        return ours

    def close(self) -> None:
        """End the zygote and every box in it."""
        if self._pid and not await_end(self._control, _STOP_S):
            # It holds the other end of our socket, so the number is still its own.
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            await_end(self._control, _STOP_S)
        self._process.close()


def _settings(driver: Driver, interpreter: Interpreter, packages: Packages) -> Settings:
    walls = WALLS[driver]
    return Settings(
        namespaces=walls.namespaces,
        landlock=walls.landlock,
        seccomp=walls.seccomp,
        listen=walls.seccomp,
        readable=interpreter.readable,
        hidden=(*interpreter.hidden, *interpreter.packages),
        shown=packages.paths,
        path=packages.folders,
        modules=packages.names,
        preload=(),
        uid=unprivileged_uid() if walls.seccomp else -1,
        scratch_b=walls.scratch_b,
        scratch_files=SCRATCH_FILES if walls.scratch_b else 0,
    )

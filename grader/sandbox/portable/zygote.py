"""The zygote of the `portable` driver: it starts a process where others fork."""

import socket
import subprocess
import threading
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.packages import all_installed, importable
from grader.sandbox.portable.process import PlainProcess, environment
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.sandbox.zygote_process import FLAGS
from grader.worker.keeper.keeper import Keeper

_START_S = 60.0


class PortableZygote(Zygote):
    """A zygote for hosts without fork: each box is a Python started for it.

    preloaded: modules to import in each; the packages that submissions may import among them.
    data: see `Zygote`.
    Raises `SandboxFailure` if a package cannot be imported.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        preloaded: tuple[str, ...] = (),
        *,
        all_packages: bool = False,
        data: str = "",
    ) -> None:
        self.data = data
        self.driver, self.interpreter, self.baseline_b = Driver.PORTABLE, interpreter, 0
        packages = all_installed(interpreter) if all_packages else importable(preloaded, interpreter)
        self._job: dict[str, Any] = {
            "path": packages.folders,
            "modules": packages.names,
            "preload": preloaded,
        }
        if preloaded:
            self._require_packages()

    def _require_packages(self) -> None:
        words = f"import sys; sys.path += {list(self._job['path'])}; import {', '.join(self._job['preload'])}"
        try:
            # matplotlib writes into a folder when it is imported.
            with TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True) as folder:
                done = subprocess.run(
                    [self.interpreter.command, *FLAGS, "-c", words],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_START_S,
                    env=environment() | {"MPLCONFIGDIR": folder},
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SandboxFailure(f"the interpreter did not start: {error}") from error
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise SandboxFailure(lines[-1] if lines else f"exit status {done.returncode}")

    def another(
        self, interpreter: Interpreter, preloaded: tuple[str, ...] = (), *, all_packages: bool = False
    ) -> Zygote:
        """Return one for another interpreter.  Raises `SandboxFailure`."""
        return PortableZygote(interpreter, preloaded, all_packages=all_packages, data=self.data)

    def open(self) -> socket.socket:
        """Return the socket of a new keeper."""
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._keep, args=(theirs,), daemon=True).start()
        return ours

    def _keep(self, control: socket.socket) -> None:
        """Keep a box for the grader behind `control`, until the grader closes its end."""

        def start(job: dict[str, Any], single: bool, listen: bool) -> PlainProcess:
            del single, listen  # it always works on its cases itself, and nothing can listen
            return PlainProcess(self.interpreter, job | self._job, control, self.data)

        with control, suppress(OSError):
            Keeper(control, start, listen=False).serve()

    def close(self) -> None:
        """Do nothing: each box ends with its own socket."""

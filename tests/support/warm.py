"""Runs `grader` as a process of its own, forked from one that has imported it: starting costs no time.

A run has its own streams, folder and environment, as the console script has.  What it does not have: a fresh
Python's order of imports, and a hash seed of its own.  Tests of those run the console script.
"""

import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TextIO

_NUMBERS = 3
"""Descriptors that come with a request: those for stdout, stderr, and the report of its end."""
_PIECE_B = 1 << 16
_REQUEST_B = 1 << 20


class Warm:
    """The process that has imported `grader`, started with an environment; it ends with this one."""

    def __init__(self, started_with: Mapping[str, str]) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _REQUEST_B)
        self._fits = _needed(started_with)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=started_with,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def suits(self, env: Mapping[str, str]) -> bool:
        """Tell whether a run with this environment would be as in a fresh process."""
        return self._fits == _needed(env)

    def run(
        self, command: Sequence[str], cwd: Path | None, env: Mapping[str, str], first: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the console script, named by its path, with arguments, and return how it ended.

        first: a program that its process runs before.
        """
        pipes = [os.pipe() for _ in range(_NUMBERS)]
        given = {"command": list(command), "cwd": str(cwd or Path.cwd()), "env": dict(env), "first": first}
        try:
            socket.send_fds(self._ours, [json.dumps(given).encode()], [theirs for _, theirs in pipes])
        finally:
            for _, theirs in pipes:
                os.close(theirs)
        stdout, stderr, ends = _read_all([ours for ours, _ in pipes])
        status = os.waitstatus_to_exitcode(int(ends.split()[1]))
        return subprocess.CompletedProcess(list(command), status, _text(stdout), _text(stderr))


@cache
def warm() -> Warm:
    """Return the process of this Python's tests."""
    return Warm({name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"})


def _needed(env: Mapping[str, str]) -> dict[str, str]:
    """Return the part of an environment that Python, or a library, looks at when it starts."""
    return {
        name: value
        for name, value in env.items()
        if name.startswith(("PYTHON", "LC_", "LANG", "LD_", "PATH", "TZ"))
    }


def _text(output: bytes) -> str:
    """Return what a command wrote, with the ends of lines as `subprocess` gives them."""
    return io.IncrementalNewlineDecoder(None, translate=True).decode(output.decode(), final=True)


def _read_all(descriptors: Sequence[int]) -> list[bytes]:
    """Read each to its end, and close it.  Kill the command if the test is stopped before."""
    found = {descriptor: bytearray() for descriptor in descriptors}
    with selectors.DefaultSelector() as waiting:
        for descriptor in descriptors:
            waiting.register(descriptor, selectors.EVENT_READ)
        try:
            while waiting.get_map():
                for key, _ in waiting.select():
                    piece = os.read(key.fd, _PIECE_B)
                    found[key.fd] += piece
                    if not piece:
                        waiting.unregister(key.fd)
                        os.close(key.fd)
        except BaseException:
            if started := found[descriptors[-1]].split():
                os.kill(int(started[0]), signal.SIGKILL)
            raise
    return [bytes(found[descriptor]) for descriptor in descriptors]


# -- the process that has imported `grader` ------------------------------------------------------------


def _serve(requests: socket.socket) -> tuple[list[str], str]:
    """Fork for each request.  Return in the process that is to run one: its command, and what is first."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, numbers, _, _ = socket.recv_fds(requests, _REQUEST_B, _NUMBERS)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            *streams, report = numbers
            pid = os.fork()
            if pid == 0:
                requests.close()
                os.close(report)
                return _become(json.loads(request), streams)
            for number in streams:
                os.close(number)
            os.write(report, f"{pid} ".encode())
            os.write(report, str(os.waitpid(pid, 0)[1]).encode())
            os._exit(0)
        for number in numbers:
            os.close(number)


def _become(given: dict[str, object], streams: Sequence[int]) -> tuple[list[str], str]:
    """Take over the folder, environment and streams of a request; return its command, and what is first."""
    command, env = given["command"], given["env"]
    assert isinstance(command, list)
    assert isinstance(env, dict)
    os.chdir(str(given["cwd"]))
    os.environ.clear()
    os.environ.update(env)
    for number, ours in enumerate(streams, 1):
        os.dup2(ours, number)
        os.close(ours)
    sys.stdout, sys.stderr = _stream(1, sys.stdout), _stream(2, sys.stderr)
    return command, str(given["first"])


def _stream(number: int, old: TextIO) -> TextIO:
    """Open a descriptor as Python did when it started."""
    raw = io.BufferedWriter(io.FileIO(number, "w"))
    return io.TextIOWrapper(raw, old.encoding, old.errors, line_buffering=number == 2)


def _import_all() -> None:
    """Do once what each command would do: import what it needs, compile the templates, digest the code.

    Nothing here starts a thread.
    """
    for package in ("cli", "intake", "kinds", "spec"):
        path = importlib.import_module(f"grader.{package}").__path__
        for module in pkgutil.walk_packages(path, f"grader.{package}."):
            importlib.import_module(module.name)
    for name in ("sqlite3", "multiprocessing.connection", "multiprocessing.popen_fork"):
        importlib.import_module(name)
    importlib.import_module("grader.runtime.code_identity").own_identity()
    sysconfig.get_config_vars()
    pages = importlib.import_module("grader.reports.html.pages").templates()
    for name in pages.list_templates(["j2"]):
        pages.get_template(name)


def _main() -> NoReturn:
    gc.disable()
    _import_all()
    from grader.cli import main

    gc.freeze()
    sys.argv, first = _serve(socket.socket(fileno=int(sys.argv[1])))
    script = sys.modules["__main__"] = ModuleType("__main__")
    script.__file__ = sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    exec(first, {})
    main()


if __name__ == "__main__":
    _main()

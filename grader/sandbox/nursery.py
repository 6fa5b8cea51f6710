"""Warm interpreters that zygotes are forked from: the grader's end of `grader.worker.nursery`.

There is one for each Python, started when it is first needed and shared by everything in this process
and by what is forked from it, since asking for a zygote is a single message.  It ends with the last
of them.  This module knows nothing of walls or boxes.
"""

import atexit
import os
import select
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import grader
from grader.sandbox.waiting import Deadline, send_descriptor

_ASK_S = 60.0
_DEATH_S = 20.0
_STOP_S = 0.5
"""How long one that is let go of gets to end.  Zygotes live on without it, so to kill it harms nobody."""

# The worker is loaded from its two folders alone: nothing else of the grader's can be imported
# on the far side, and no folder of third-party packages is on the path.
PACKAGES = """
import sys, types
package = sys.argv[2]
for name, folder in (("grader", None), ("grader.wire", "wire"), ("grader.worker", "worker")):
    module = types.ModuleType(name)
    module.__path__ = [package + "/" + folder] if folder else []
    sys.modules[name] = module
    if folder:
        setattr(sys.modules["grader"], folder, module)
"""
"""Makes the worker importable; the package's folder is the second argument."""
_BOOT = (
    f"{PACKAGES}\nsys.dont_write_bytecode = False\n"
    "from grader.worker import nursery\nnursery.main(int(sys.argv[1]))"
)

# -I would ignore PYTHONHASHSEED, so that the order of sets would differ from start to start.
FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8")
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    # Else each fork of a box would look up for itself what it calls of the C library.
    "LD_BIND_NOW": "1",
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


class Nursery:
    """A running nursery.

    command: the Python that it is.  Raises `OSError` where that cannot be started.
    """

    def __init__(self, command: str) -> None:
        self._owner = os.getpid()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [command, *FLAGS, "-c", _BOOT, str(theirs.fileno()), package_folder()],
                    pass_fds=[theirs.fileno()],
                    env=_ENVIRONMENT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    cwd="/",
                )
            except OSError:
                self._control.close()
                raise

    def hatch(self, control: socket.socket) -> None:
        """Have a zygote forked that serves whoever is behind `control`.  Raises `OSError`."""
        send_descriptor(self._control, b"1", control.fileno(), Deadline(_ASK_S))

    def last_words(self) -> str:
        """Return the last line that it or one of its zygotes wrote for people, "" if there is none."""
        errors = self._process.stderr
        if errors is None or not select.select([errors], [], [], 0)[0]:
            return ""
        lines = os.read(errors.fileno(), 1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """Let go of it, and end it where it is ours and does not end by itself.  Can be called again.

        It ends once every process that has it did so.
        """
        self._control.close()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if os.getpid() != self._owner:
            return
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_DEATH_S)


_nurseries: dict[str, Nursery] = {}
"""Those in use, by command."""


def hatch(command: str, control: socket.socket) -> Nursery:
    """Have a zygote forked that serves whoever is behind `control`; start the nursery if there is none.

    Raises `OSError`.
    """
    nursery = _nurseries.get(command)
    if nursery is not None:
        try:
            nursery.hatch(control)
        except OSError:
            drop(command)
        else:
            return nursery
    nursery = _start(command)
    nursery.hatch(control)
    return nursery


def prepare(command: str) -> None:
    """Start the nursery of a Python that will probably be needed, so that it warms up meanwhile.

    Where it does not start, whoever needs it hears of that.
    """
    if command in _nurseries:
        return
    with suppress(OSError):
        _start(command)


def _start(command: str) -> Nursery:
    if not _nurseries:
        atexit.register(close_all)
    nursery = _nurseries[command] = Nursery(command)
    return nursery


def close_all() -> None:
    """Let go of all nurseries; the next zygote starts one anew."""
    atexit.unregister(close_all)
    for command in list(_nurseries):
        drop(command)


def drop(command: str) -> None:
    """Let go of one that is of no use any more."""
    if command in _nurseries:
        _nurseries.pop(command).close()


def package_folder() -> str:
    """Return the folder of this package, which the worker is loaded from."""
    return str(Path(grader.__file__).resolve().parent)

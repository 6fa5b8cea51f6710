"""Starting the Python that becomes a zygote (`grader.worker.zygote`).

One can be started before it is needed, so that it warms up meanwhile.  This module knows nothing of walls
or boxes.
"""

import atexit
import os
import select
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import grader
from grader.sandbox.driver import has_zygotes
from grader.sandbox.stack import even_stack

_STOP_S = 0.5
_DEATH_S = 20.0

# The worker is loaded from its two folders alone: nothing else of the grader's can be imported
# on the far side, and no folder of third-party packages is on the path.
PACKAGES = """
import os, sys, types
os.umask(0o022)
package = sys.argv[2]
for name, folder in (("grader", None), ("grader.wire", "wire"), ("grader.worker", "worker")):
    module = types.ModuleType(name)
    module.__path__ = [package + "/" + folder] if folder else []
    sys.modules[name] = module
    if folder:
        setattr(sys.modules["grader"], folder, module)
from grader.worker.signals import even_signals
even_signals()
"""
"""Begins each process of the sandbox: makes the worker importable from the folder in its second argument.

The mask for new files is the same whatever the shell's: another user must enter the roots that are built
under it, and student code can see it.  So are the signals.
"""
_BOOT = f"{PACKAGES}\nfrom grader.worker import zygote\nzygote.main(int(sys.argv[1]))"
_KEEP_COMPILED = "import sys\nsys.dont_write_bytecode = False\n"
_LARGEST_COMPILED_B = 1 << 20

# -I would ignore PYTHONHASHSEED, so that the order of sets would differ from start to start.
FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8")
ENVIRONMENT = {
    # Without it each fork of a box looks up for itself what it calls of the C library.
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


def environment_of_system() -> dict[str, str]:
    """Return the variable without which Windows starts few programs; nothing elsewhere."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}


class ZygoteProcess:
    """A Python that loads the worker and then serves the other end of `control`.

    command: the Python that it is.  hash_seed: of its sets of texts.
    Raises `OSError` where it cannot be started.
    """

    def __init__(self, command: str, hash_seed: int = 0) -> None:
        self._owner = os.getpid()
        even_stack()
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [command, *FLAGS, "-c", _boot(), str(theirs.fileno()), package_folder()],
                    pass_fds=[theirs.fileno()],
                    env=ENVIRONMENT | {"PYTHONHASHSEED": str(hash_seed)},
                    stdin=subprocess.DEVNULL,
                    # Boxes write to pipes, through a `sys.stdout` that is made here.  It looks now, once,
                    # whether its descriptor has a position; so this is a pipe too.
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    cwd="/",
                )
            except OSError:
                self.control.close()
                raise
        # An interrupted grader does not wait for the thread that uses it.
        atexit.register(self.close)

    def last_words(self) -> str:
        """Return the last line that it wrote for people, "" if there is none."""
        words = self._process.stdout
        if words is None or not select.select([words], [], [], 0)[0]:
            return ""
        lines = os.read(words.fileno(), 1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """Close its socket, and kill it where it does not end by itself.  Can be called again."""
        atexit.unregister(self.close)
        self.control.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if os.getpid() != self._owner:
            return
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_DEATH_S)


def _boot() -> str:
    """Return the program of a zygote.  It keeps what it compiles, where a file may be large enough.

    Under a limit on files (`ulimit -f`) Python would keep the first part of it, and never start again.
    """
    if sys.platform == "win32":
        return _BOOT
    import resource  # noqa: PLC0415  (Windows has none)

    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    is_large = most == resource.RLIM_INFINITY or most >= _LARGEST_COMPILED_B
    return _KEEP_COMPILED + _BOOT if is_large else _BOOT


_prepared: dict[tuple[int, str], ZygoteProcess] = {}
"""Started and not taken yet, by the process that started it (its forks must not take it) and by command."""


def prepare(command: str) -> None:
    """Start a Python that will probably be needed.  Where it does not start, `take` raises the error."""
    if not has_zygotes():
        return
    with suppress(OSError):
        _prepared[os.getpid(), command] = ZygoteProcess(command)


def take(command: str, hash_seed: int = 0) -> ZygoteProcess:
    """Return the Python that was prepared, or start one.  Raises `OSError`."""
    prepared = None if hash_seed else _prepared.pop((os.getpid(), command), None)
    return prepared or ZygoteProcess(command, hash_seed)


def package_folder() -> str:
    """Return the folder of this package, which the worker is loaded from."""
    return str(Path(grader.__file__).resolve().parent)

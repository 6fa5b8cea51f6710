"""The nursery: a warm interpreter that is forked for each zygote.

Starting Python costs more than everything else that a zygote needs, and a run needs several: one
to try the walls, one for the reference, one for each worker process.  So it is done once.

    grader            trusted
      nursery         trusted: this process; outside all walls, sees no submission
        zygote        leaves for a root of its own, or for none, and serves one process of the grader's

It never hears anything but "one more", so nothing can pass from zygote to zygote through it.  It has
one thread, no secrets, and ends when the grader's end of its socket closes; zygotes live as long as
their own socket, with or without it.
"""

import _socket
import gc
import importlib
import os
import signal
import sys

from grader.worker import passing, zygote
from grader.worker.box import main as box
from grader.worker.keeper.family import Family
from grader.worker.keeper.rehearsal import rehearse
from grader.worker.walls import kernel

_PRELOADED = ("collections", "functools", "itertools", "operator", "typing")
"""What students import the most, as far as it brings no shared library along, which all forks would carry."""


def main(control_fd: int) -> None:
    """Serve the grader behind `control_fd` until it closes.

    Each message brings the control socket of a new zygote.
    """
    control = _socket.socket(fileno=control_fd)
    # From here on an interrupt at the terminal is the grader's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _PRELOADED:
        importlib.import_module(name)
    box.prepare_interpreter()
    # Our own modules are compiled once for all runs; what is imported from here on is a student's.
    sys.dont_write_bytecode = True
    if sys.platform == "linux":
        # Who could write to its memory would have all zygotes to come.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.name_process("grader-nursery")
    rehearse()
    # The grader hears from zygotes directly; what outlives one is ended here.
    family = Family() if sys.platform == "linux" else None
    if family is None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while True:
        if family is not None:
            family.await_message(control.fileno())
        message, descriptors = passing.receive(control, 64)
        if not message:
            os._exit(0)
        for descriptor in descriptors:
            _hatch(control, _socket.socket(fileno=descriptor), family)


def _hatch(control: _socket.socket, theirs: _socket.socket, family: Family | None) -> None:
    """Fork a zygote that serves `theirs`."""
    try:
        child = os.fork()
    except OSError as error:
        theirs.send(f"failed: the host denied a process: {error}".encode())
        theirs.close()
        return
    if child:
        theirs.close()
        if family is not None:
            family.add(child)
        return
    try:
        control.close()
        if family is not None:
            family.leave()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        zygote.main(theirs)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)

"""Keeps a box of our own for some cases, so that each fork of the zygote starts with a warm interpreter.

The interpreter writes what it learns about code into the code.  A keeper that lives for twenty cases would
learn everything again, on memory that it has to copy first.
"""

import _socket
import marshal
import sys

from grader.wire import frames, messages
from grader.worker.keeper.box_process import stop_waking_up, wake_up_on_child
from grader.worker.keeper.main import keeper_of
from grader.worker.settings import Settings
from grader.worker.walls import kernel
from grader.worker.walls.prepared import Walls

_OFTEN = 8
_TIME_S = 2.0
_MEMORY_B = 1 << 30
_OUTPUT_B = _ANSWER_B = 1 << 16
_NO_WALLS = Settings(
    namespaces=False,
    landlock=False,
    seccomp=False,
    listen=True,
    readable=(),
    hidden=(),
    shown=(),
    path=(),
    modules=(),
    preload=(),
    uid=-1,
    scratch_b=0,
    scratch_files=0,
)
_JOB = {
    "module": "rehearsal",
    "sources": {"rehearsal": "def f(value):\n    return value\n"},
    "shared": False,
    "lasts": False,
    "program": False,
    "captures": False,
    "seed": 0,
    "memory_b": _MEMORY_B,
    "baseline_b": _MEMORY_B,
    "cpu_backstop_s": None,
    "answer_items": 1000,
    "import": (_TIME_S, _TIME_S, _OUTPUT_B),
}


def rehearse() -> None:
    """In the zygote: run some cases in a box without walls, with a module of ours."""
    if sys.platform != "linux" or not kernel.machine_is_known():
        return
    ours, theirs = _socket.socketpair()
    wake_up = wake_up_on_child()
    keeper = keeper_of(theirs, _NO_WALLS, Walls(None, -1, (b"", b"")), wake_up)
    try:
        keeper.obey(frames.JOB, messages.pack_job(_JOB))
        ours.recv(1 << 16)
        request = marshal.dumps((_ANSWER_B, [("f", [[(0, 1)]], {}, False)], None), messages.MARSHAL_FORMAT)
        case = messages.CaseOrder(_TIME_S, _TIME_S, _OUTPUT_B, _ANSWER_B, False, False, request)
        for _ in range(_OFTEN):
            keeper.obey(frames.RUN, messages.pack_cases([case]))
            ours.recv(1 << 16)
    except Exception:
        # On such a host no box can be kept; the first real one reports why.
        return
    finally:
        keeper.end()
        stop_waking_up(wake_up)
        ours.close()
        theirs.close()

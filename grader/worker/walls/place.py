"""The line at which a process was stopped, as that process itself reports it.

Before a process that met a limit is killed, it gets a signal.  At that signal Python's `faulthandler` writes
down the stack of the thread that got it, also in the middle of a call in C.  It does the same by itself when
compiled code crashes.  The answer is the claim of
hostile code: it is bounded, read once from left to right, and used for one sentence to the student only.
"""

import faulthandler
import signal
from collections.abc import Iterable

MOST_B = 4096
"""The most bytes read of a trace."""
_MOST_DIGITS = 6
_FILE, _LINE = b'  File "', b'", line '

_SIGNAL = getattr(signal, "SIGXCPU", None)


def prepare(descriptor: int) -> None:
    """In the zygote: have all forks of this process write their stack to that descriptor at `ask_signal`.

    They do it at a crash, too.
    """
    faulthandler.enable(file=descriptor, all_threads=False)
    if ask_signal():
        faulthandler.register(ask_signal(), file=descriptor, all_threads=False, chain=False)


def ask_signal() -> int:
    """Return the signal that asks for the stack, 0 where there is none."""
    return int(_SIGNAL) if _SIGNAL is not None and hasattr(faulthandler, "register") else 0


def place_in(trace: bytes, files: Iterable[str]) -> tuple[str, int] | None:
    """Return the innermost line of one of these files that a trace names.

    A line that is cut off does not count.
    """
    names = {name.encode("ascii", "backslashreplace"): name for name in files}
    for line in trace[:MOST_B].split(b"\n")[:-1]:
        if not line.startswith(_FILE):
            continue
        name, found, rest = line[len(_FILE) :].rpartition(_LINE)
        digits = rest.partition(b" ")[0]
        if found and name in names and 0 < len(digits) <= _MOST_DIGITS and digits.isdigit():
            return names[name], int(digits)
    return None

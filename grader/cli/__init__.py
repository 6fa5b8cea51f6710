"""The command line: `grader COMMAND`.

Data goes to stdout; progress, messages and logs to stderr.  Exit codes are in `ExitCode`.
"""

import gc
import os
import signal
import sys
from enum import IntEnum
from typing import NoReturn


class ExitCode(IntEnum):
    """What the exit status says; other tools rely on it."""

    DONE = 0
    """Done; low marks are not a failure."""
    NOT_MET = 1
    """`--fail-under`, or a check, was not met."""
    USAGE = 2
    """The command cannot be carried out as given."""
    SPEC = 3
    """The spec is invalid."""
    NOTHING = 4
    """There was nothing to mark."""
    PENDING = 5
    """Some marks are pending through internal errors."""
    SANDBOX = 6
    """No sandbox here is strong enough."""
    INTERRUPTED = 130
    """Interrupted."""


_INTERRUPTS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Ctrl-C, a request to end, and the end of the terminal, which not every system knows."""


def main() -> NoReturn:
    """Run the command line of this process."""
    _fill_streams()  # before anything else is opened
    # Looking for garbage among what is being imported takes its time, and there is none.
    gc.disable()
    for number in _INTERRUPTS:
        # A signal that this process was started with ignored stays ignored (nohup, a shell's `&`).
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt_once)
    try:
        from grader.cli.commands import run

        status = run()
    except KeyboardInterrupt:
        status = ExitCode.INTERRUPTED
    # Python would look for garbage among all there is before it lets go of all of it.
    gc.freeze()
    sys.exit(status)


def _fill_streams() -> None:
    """Have a standard stream that this process was started without (`>&-`) be the null device.

    The descriptors come first: the next file that is opened, a socket or the database, would
    take the number that is free, and whoever writes to stdout would write into it.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest number that is free, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            # Of its own, in case something that was imported has this number already.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _interrupt_once(*_: object) -> None:
    """Interrupt what is going on; a second Ctrl-C must not interrupt the tidying up."""
    for number in _INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt

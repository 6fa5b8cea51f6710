"""Interrupts of a command: Ctrl-C, a request to end, and the end of the terminal.

The first one raises `KeyboardInterrupt`, and further ones are ignored while the command tidies up.
"""

import _thread
import signal
import sys
from threading import Timer

INTERRUPTS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Not every system knows all of them."""

_AGAIN_S = 0.05


def hear_interrupts() -> None:
    """Turn interrupts into `KeyboardInterrupt`, from now on.

    A signal that this process was started with ignored stays ignored (nohup, a shell's `&`).
    """
    for number in INTERRUPTS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt_once)
    sys.unraisablehook = _interrupt_again


def _interrupt_once(*_: object) -> None:
    """Interrupt the command; ignore a second Ctrl-C, which would interrupt the tidying up."""
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interrupt_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Interrupt the command a moment later, where Python could not raise the interrupt.

    In a finalizer, or what a weak reference calls, Python reports an exception and goes on.  As further
    interrupts are ignored, nothing could end the command then.
    """
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        # Of two signals at once Python reports the second one, which is ignored by then.
        if "race condition" not in str(unraisable.exc_value) or unraisable.exc_type is not OSError:
            sys.__unraisablehook__(unraisable)
        return
    # The handler of this process was replaced, and what is interrupted below has to be a handler.
    signal.signal(signal.SIGINT, _interrupt_once)
    again = Timer(_AGAIN_S, _thread.interrupt_main)
    again.daemon = True
    again.start()

"""Interrupts of a command: Ctrl-C, a request to end, and the end of the terminal; and those by ourselves.

The first one raises `KeyboardInterrupt`, and further ones are ignored while the command tidies up.
"""

import _thread
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, Timer, main_thread

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


class Overtaken(KeyboardInterrupt):
    """What goes on is not wanted any more: something happened meanwhile.  It ends as by Ctrl-C."""


class _Over(Exception):
    """Nobody waits any more."""


_OWN_SIGNAL = getattr(signal, "SIGUSR1", signal.SIGTERM)


@contextmanager
def overtaken_by(wait: Callable[[Callable[[float], None]], object]) -> Iterator[None]:
    """Raise `Overtaken` in the block, in the main thread, once `wait` returns.

    wait: is called in another thread, with a function to sleep by, which raises when the block has ended.
    """
    ended, armed = Event(), True

    def sleep(seconds: float) -> None:
        if ended.wait(seconds):
            raise _Over

    def interrupt(*_: object) -> None:
        nonlocal armed
        if armed:
            armed = False
            raise Overtaken

    def watch() -> None:
        try:
            wait(sleep)
        except _Over:
            return
        if armed:
            # A signal also ends what the main thread waits for.
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main_thread().ident or 0, _OWN_SIGNAL)
            else:
                _thread.interrupt_main(_OWN_SIGNAL)

    hook, handler = sys.unraisablehook, signal.signal(_OWN_SIGNAL, interrupt)
    # In a finalizer Python can't raise it, and goes on; then nothing is overtaken.
    sys.unraisablehook = lambda found: None if found.exc_type is Overtaken else hook(found)
    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        armed = False
        ended.set()
        watching.join()
        signal.signal(_OWN_SIGNAL, handler)
        sys.unraisablehook = hook

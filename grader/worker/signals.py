"""The signals of what we start: as Python has them by itself, whatever those who start the grader left.

A signal that they block or ignore (`nohup`, a daemon of jobs) would never reach a program that waits for it.
"""

import signal

_IGNORED_BY_PYTHON = {getattr(signal, name, None) for name in ("SIGPIPE", "SIGXFSZ")}


def even_signals() -> None:
    """Block no signal in this process, and ignore those alone that Python ignores."""
    for number in signal.valid_signals() - _IGNORED_BY_PYTHON:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

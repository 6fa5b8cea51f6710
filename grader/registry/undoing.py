"""Undoes what the import of a plugin's module changes in this process, where all else would suffer from it.

A module that changes the current folder as it is imported would have the works looked for somewhere else.  No
plugin means to do that to the grader: such a line comes from a script.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from threading import current_thread, main_thread

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGCHLD", "SIGPIPE")


@contextmanager
def undoing() -> Iterator[None]:
    """Put back folder, paths, mask, limit of recursion and handlers of signals; print to stderr meanwhile.

    stdout is data: what a module prints would stand in it.
    """
    here = _current_folder()
    mask = os.umask(0o077)
    os.umask(mask)
    paths, limit, streams = list(sys.path), sys.getrecursionlimit(), (sys.stdout, sys.stderr)
    handlers = {
        number: signal.getsignal(number) for name in _SIGNALS if (number := getattr(signal, name, None))
    }
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdout, sys.stderr = streams
        sys.setrecursionlimit(limit)
        os.umask(mask)
        # What it added to the paths, its own imports may need later.
        sys.path += [path for path in paths if path not in sys.path]
        if here and here != _current_folder():
            with suppress(OSError):
                os.chdir(here)
        if current_thread() is main_thread():  # others cannot change handlers
            for number, handler in handlers.items():
                if handler is not None and signal.getsignal(number) is not handler:
                    signal.signal(number, handler)


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it is gone
        return ""

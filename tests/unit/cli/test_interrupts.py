"""An interrupt ends a command, also where Python can't raise it."""

import signal
import subprocess
import sys

import pytest

_FINALIZER = """\
class Odd:
    def __del__(self):
        signal.raise_signal(NUMBER)
del_me = Odd()
del del_me
"""
_REFERENCE = """\
class Odd: pass
odd = Odd()
reference = weakref.ref(odd, lambda _: signal.raise_signal(NUMBER))
del odd
"""
_COMMAND = """\
import signal, time, weakref
from grader.cli.interrupts import hear_interrupts
hear_interrupts()
NUMBER = signal.%s
try:
    try:
%s
        while True:
            time.sleep(0.01)
    finally:
        signal.raise_signal(signal.SIGINT)  # a second one does not interrupt the tidying up
        print("tidied up")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("where", [_FINALIZER, _REFERENCE, "signal.raise_signal(NUMBER)\n"])
def test_an_interrupt_that_cannot_be_raised_comes_again(name: str, where: str) -> None:
    indented = "".join(f"        {line}\n" for line in where.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", _COMMAND % (name, indented)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("tidied up\ninterrupted\n", "")


def test_what_else_cannot_be_raised_is_told() -> None:
    command = (
        "from grader.cli.interrupts import hear_interrupts\nhear_interrupts()\n"
        "class Odd:\n    def __del__(self):\n        1 / 0\nOdd()\n"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert "ZeroDivisionError" in done.stderr


def test_the_second_of_two_signals_at_once_is_not_told() -> None:
    command = (
        "from grader.cli.interrupts import hear_interrupts\nhear_interrupts()\n"
        "class Odd:\n    def __del__(self):\n"
        "        raise OSError('Signal 2 ignored due to race condition')\nOdd()\n"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_an_ignored_signal_stays_ignored() -> None:
    command = (
        "import signal\nfrom grader.cli.interrupts import hear_interrupts\nhear_interrupts()\n"
        "signal.raise_signal(signal.SIGHUP)\nprint('goes on')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert done.stdout == "goes on\n"

"""Boxes in which pytest runs test files: an interpreter with pytest, and our own program beside the tests."""

from collections.abc import Iterable

from grader.model.closing import Closing
from grader.model.errors import Fault, UsageError
from grader.model.limits import GIB, Limits
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.budget import UNBILLED, Purse
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.own_programs import own_sources
from grader.sandbox.zygote import SandboxFailure, Zygote

_PACKAGE = "grader.plugins.tests.cell"
_PROGRAM = f"{_PACKAGE}.main"
_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_MEMORY_B = 2 * GIB


def find_pytest() -> str:
    """Return the version of pytest.  Raises `UsageError` if it is not installed beside the grader."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pytest")
    except PackageNotFoundError:
        hint = "install the grader with its extra `pytest`: pip install 'grader-harness[pytest]'"
        message = "the spec has test files, which need pytest, and it is not installed"
        raise UsageError(Fault(message, hint=hint)) from None


class TestCells(Closing):
    """Opens boxes for test files, in an interpreter of their own that has pytest.  Call `close`.

    It is the grader's own Python, whichever one the submissions run in.  beside: a zygote whose walls and
    core the boxes get.  purse: pays for them.
    """

    __test__ = False

    def __init__(self, beside: Zygote, purse: Purse) -> None:
        self._beside = beside
        self._purse = purse
        self._zygote: Zygote | None = None

    def open(self, names: Iterable[str], longest_s: float, memory_b: int = _MEMORY_B) -> Box:
        """Return a new box, which the caller closes.  Raises `SandboxFailure`.

        What an answer did to it must not meet another answer, so it is for one case, or for one program that
        a student's tests are tried on.  names: of the test files as modules.  longest_s: the CPU limit.
        """
        # Without fork there is nothing to keep warm.
        is_warm = self._beside.driver is not Driver.PORTABLE
        if self._zygote is None:
            find_pytest()
            preloaded = ("pytest", _PROGRAM) if is_warm else ("pytest",)
            self._zygote = self._beside.another(find_interpreter(""), preloaded, all_packages=True)
        # The texts themselves come with each case; the names tell the keeper whose lines to report.
        # A student's file can have a name of ours.
        sources = dict.fromkeys(names, "")
        if not is_warm:
            sources |= own_sources(_PACKAGE)
        program = Program(_PROGRAM, sources)
        box = Box(self._zygote, program, memory_b, _LOAD_LIMITS, longest_s, purse=self._purse)
        # No submission has caused that.
        with self._purse.drawing_from(UNBILLED):
            outcome, _ = box.load()
        if not loaded(outcome):
            box.close()
            raised = outcome.raised
            said = f"{raised.type_name}: {raised.message}" if raised else outcome.detail
            raise SandboxFailure(f"pytest cannot be started in a box: {said}")
        return box

    def close(self) -> None:
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

"""Boxes in which pytest runs test files: an interpreter with pytest, and our own program beside the tests."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from grader.model.errors import Fault, UsageError
from grader.model.limits import GIB, Limits
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.own_programs import own_sources
from grader.sandbox.zygote import SandboxFailure, Zygote

_PROGRAM = "grader.pytest_cell"
_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_MEMORY_B = 2 * GIB


def find_pytest() -> str:
    """Return the version of pytest.  Raises `UsageError` if it is not installed beside the grader."""
    try:
        return version("pytest")
    except PackageNotFoundError:
        hint = "install the grader with its extra `pytest`: pip install 'grader[pytest]'"
        message = "the spec has test files, which need pytest, and it is not installed"
        raise UsageError(Fault(message, hint=hint)) from None


class TestCells:
    """Opens boxes for test files, in an interpreter of their own that has pytest.  Call `close`.

    It is the grader's own Python, whichever one the submissions run in.  beside: a zygote whose walls and
    core the boxes get.
    """

    __test__ = False

    def __init__(self, beside: Zygote) -> None:
        self._beside = beside
        self._zygote: Zygote | None = None
        self._boxes: dict[frozenset[str], Box] = {}

    def box(self, texts: Mapping[str, str], longest_s: float) -> Box:
        """Return the box for test files with these names, which is kept.  Raises `SandboxFailure`.

        texts: the test files by module name.  longest_s: the CPU limit of a case.
        """
        key = frozenset(texts)
        if key not in self._boxes:
            self._boxes[key] = self.open(texts, longest_s)
        return self._boxes[key]

    def open(self, texts: Mapping[str, str], longest_s: float, memory_b: int = _MEMORY_B) -> Box:
        """Return a new box, which the caller closes.  Raises `SandboxFailure`."""
        if self._zygote is None:
            find_pytest()
            self._zygote = self._beside.another(find_interpreter(""), ("pytest",), all_packages=True)
        # The texts themselves come with each case; the names tell the keeper whose lines to report.
        # A student's file can have a name of ours.
        sources = dict.fromkeys(texts, "") | own_sources(_PROGRAM, "grader.wire.library_values")
        program = Program(f"{_PROGRAM}.main", sources)
        box = Box(self._zygote, program, memory_b, _LOAD_LIMITS, longest_s)
        outcome, _ = box.load()
        if not loaded(outcome):
            box.close()
            raised = outcome.raised
            said = f"{raised.type_name}: {raised.message}" if raised else outcome.detail
            raise SandboxFailure(f"pytest cannot be started in a box: {said}")
        return box

    def close(self) -> None:
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

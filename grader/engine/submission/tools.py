"""The tools that mark submissions, one after another: a zygote, an inspector of sources, and the oracle."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from grader.engine.submission.oracle import Oracle
from grader.model.task import Task
from grader.sandbox.budget import Budget
from grader.sandbox.test_cells import TestCells
from grader.sandbox.tools.inspector import Inspector
from grader.sandbox.zygote import SandboxFailure, Zygote


class MarkingTools:
    """A zygote and the boxes in it.  Use it as a context manager, or call `close`, which ends the zygote.

    start: starts a zygote, or raises `SandboxFailure`.
    zygote: makes the boxes of submissions.  inspector: reads their sources.  oracle: asks the spec's own
    code.  cells: run test files.
    """

    def __init__(self, start: Callable[[], Zygote], task: Task) -> None:
        self._start = start
        self._task = task
        self._budget: Budget | None = None
        self._open()

    def _open(self) -> None:
        self.zygote = self._start()
        self.inspector = Inspector(self.zygote)
        self.cells = TestCells(self.zygote)
        self.oracle = Oracle(self.zygote, self._task)
        self.oracle.draw_from(self._budget)

    @contextmanager
    def marking(self, budget: Budget) -> Iterator[None]:
        """Charge a submission's budget for the spec's code while the context is open."""
        self._budget = budget
        self.oracle.draw_from(budget)
        try:
            yield
        finally:
            self._budget = None
            self.oracle.draw_from(None)

    def renew(self) -> None:
        """Restart everything after a sandbox failed.  Raises `SandboxFailure`."""
        self.close()
        self._open()

    def close(self) -> None:
        for part in (self.oracle, self.inspector, self.cells):
            with suppress(SandboxFailure):
                part.close()
        self.zygote.close()

    def __enter__(self) -> "MarkingTools":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""What submissions are marked with, one after another: a zygote, and what works in it."""

from types import TracebackType

from grader.engine.oracle import Oracle
from grader.model.task import Task
from grader.sandbox.inspector import Inspector
from grader.sandbox.zygote import Zygote


class Workplace:
    """Use it as a context manager, or call `close`, which ends the zygote too.

    zygote: where submissions have their boxes.  inspector: reads their sources.
    oracle: the spec's own code.
    """

    def __init__(self, zygote: Zygote, task: Task) -> None:
        self.zygote = zygote
        self.inspector = Inspector(zygote)
        self.oracle = Oracle(zygote, task)

    def close(self) -> None:
        """End the zygote and all boxes."""
        self.oracle.close()
        self.inspector.close()
        self.zygote.close()

    def __enter__(self) -> "Workplace":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

"""The facts that a term is computed from: where each task of one student stands."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.course.course import Missing


class CellState(StrEnum):
    """Where a task of one student stands.  Each of these is another thing than a mark of zero."""

    NOT_DUE = "not-due"
    NOTHING = "nothing"
    """The task was due, and nothing was handed in."""
    MARKED = "marked"
    PENDING = "pending"
    """A mark is still awaited."""
    EXCUSED = "excused"
    """The student need not do the task, so it is no number at all."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One task of one student.  Raises `ValueError` where the numbers contradict the state.

    mark: not negative, and above `most` where bonus questions were earned; None unless it is marked.
    most: the marks of the task without bonus questions, above 0.
    """

    task: str
    state: CellState
    mark: Fraction | None
    most: Fraction

    def __post_init__(self) -> None:
        """Refuse what a sum would turn into a wrong result without a word."""
        if (self.mark is not None) != (self.state is CellState.MARKED):
            raise ValueError(f"{self.task}: a cell has a mark if it is marked, and only then")
        if self.most <= 0 or (self.mark is not None and self.mark < 0):
            raise ValueError(f"{self.task}: a mark is not negative, and its maximum is above 0")


def is_open(cell: Cell, missing: Missing) -> bool:
    """Tell whether a task is open in a column: it is not due, or its mark is awaited.

    missing: of the column; it says whether a task for which nothing was handed in is open or counts as zero.
    """
    if cell.state is CellState.NOTHING:
        return missing is Missing.PENDING
    return cell.state in (CellState.NOT_DUE, CellState.PENDING)

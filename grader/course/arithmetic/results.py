"""The value of a column for one student, in the readings that stand side by side."""

from dataclasses import dataclass
from fractions import Fraction

from grader.course.arithmetic.wording import TermLine, percent_range
from grader.reports.words import say


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an unfinished column.

    value: a share, above 1 where bonus was earned; None where nothing counts.
    lines: the steps to the value.  dropped: tasks that count for nothing, in the order of the column.
    """

    value: Fraction | None
    lines: tuple[TermLine, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnResult:
    """A column of the gradebook for one student.

    so_far: leaves out the open tasks.  if_nothing_more: counts them as zero.
    best: the value with full marks for each open task; a bonus question can still take it higher.
    open: tasks that are not due or whose mark is pending.
    """

    id: str
    title: str
    so_far: Reading
    if_nothing_more: Reading
    best: Fraction | None
    open: tuple[str, ...] = ()

    @property
    def worst(self) -> Fraction | None:
        """The value if nothing more comes: no open task can be worth less than zero."""
        return self.if_nothing_more.value


def interval_lines(worst: Fraction | None, best: Fraction | None) -> tuple[TermLine, ...]:
    """Return the line that says what a column with open tasks can still become; none without a value."""
    if worst is None or best is None:
        return ()
    return (TermLine(say("Still possible"), percent_range(worst, best)),)


def empty_line(title: str, is_yet_to_come: bool) -> TermLine:
    """Return the line of a column without a value.  is_yet_to_come: something in it can still count."""
    if is_yet_to_come:
        return TermLine(title, say("not yet"), say("nothing counts so far"))
    return TermLine(title, say("no value"), say("nothing in it counts for this student"))

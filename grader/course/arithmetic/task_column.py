"""Evaluates a column over tasks for one student."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.course.arithmetic.drop import Portion, kept, quotient
from grader.course.arithmetic.facts import Cell, CellState, is_open
from grader.course.arithmetic.results import ColumnResult, Reading, empty_line, interval_lines
from grader.course.arithmetic.wording import TermLine, marks_of, percent, tasks_of
from grader.course.course import By, TaskColumn
from grader.reports.words import say, word

_WHY = {
    CellState.NOT_DUE: word("not due yet"),
    CellState.NOTHING: word("nothing handed in"),
    CellState.PENDING: word("pending"),
    CellState.EXCUSED: word("excused"),
}
_ZERO = Fraction(0)


def task_column(column: TaskColumn, cells: Mapping[str, Cell]) -> ColumnResult:
    """Return the result of a column over tasks.  cells: by task, at least those of the column.

    So far, it drops in proportion to the tasks that count: a column that drops two of ten tasks must not
    drop two of the first three, which shows a result that the term cannot keep.
    """
    row = tuple(cells[name] for name in column.tasks)
    present = _present(row)
    counted = [cell for cell in present if not is_open(cell, column.missing)]
    if_nothing_more = _reading(column, row, present, column.drop)
    so_far, best = if_nothing_more, if_nothing_more.value
    interval: tuple[TermLine, ...] = ()
    if len(counted) < len(present):
        so_far = _reading(column, row, counted, column.drop * len(counted) // len(present))
        best = _best(column, present)
        interval = interval_lines(if_nothing_more.value, best)
    return ColumnResult(
        id=column.id,
        title=column.title,
        so_far=Reading(so_far.value, (*so_far.lines, *interval), so_far.dropped),
        if_nothing_more=if_nothing_more,
        best=best,
        open=tuple(cell.task for cell in present if is_open(cell, column.missing)),
    )


def _present(row: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in row if cell.state is not CellState.EXCUSED]


def _best(column: TaskColumn, present: Sequence[Cell]) -> Fraction | None:
    """Return the value with full marks for each open task."""
    marks = [cell.most if is_open(cell, column.missing) else cell.mark or _ZERO for cell in present]
    portions = [_portion(column.by, cell, mark) for cell, mark in zip(present, marks, strict=True)]
    return quotient(kept(portions, column.drop, column.never_drop)) if portions else None


def _portion(by: By, cell: Cell, mark: Fraction) -> Portion:
    if by is By.SHARE:
        return Portion(cell.task, mark / cell.most, Fraction(1))
    return Portion(cell.task, mark, cell.most)


def _reading(column: TaskColumn, row: Sequence[Cell], counted: Sequence[Cell], drop: int) -> Reading:
    """Return the reading in which the `counted` cells count; those without a mark count as zero."""
    portions = [_portion(column.by, cell, cell.mark or _ZERO) for cell in counted]
    remaining = kept(portions, drop, column.never_drop)
    names = {cell.task for cell in counted}
    dropped = names - {portion.task for portion in remaining}
    lines = [_task_line(column, cell, cell.task in names, cell.task in dropped) for cell in row]
    if counted and drop < column.drop:
        reason = say("{n} of {tasks} count so far", n=len(counted), tasks=tasks_of(len(_present(row))))
        amount = say("{n} of {total}", n=drop, total=column.drop)
        lines.append(TermLine(say("Drops so far"), amount, reason))
    value = quotient(remaining) if remaining else None
    if value is not None:
        lines.append(_sum_line(column.by, remaining, value))
    else:
        lines.append(empty_line(column.title, is_yet_to_come=bool(_present(row))))
    return Reading(value, tuple(lines), tuple(name for name in column.tasks if name in dropped))


def _task_line(column: TaskColumn, cell: Cell, is_counted: bool, is_dropped: bool) -> TermLine:
    reason = _reason(column, cell, is_counted)
    if not is_counted:
        return TermLine(cell.task, say("left out"), reason)
    if is_dropped:
        return TermLine(cell.task, say("dropped"), reason)
    if column.by is By.SHARE:
        return TermLine(cell.task, percent((cell.mark or _ZERO) / cell.most), reason)
    amount = marks_of(cell.mark or _ZERO, cell.most)
    return TermLine(cell.task, amount, "" if amount == reason else reason)


def _reason(column: TaskColumn, cell: Cell, is_counted: bool) -> str:
    if cell.mark is not None:
        return marks_of(cell.mark, cell.most)
    why = say(_WHY[cell.state])
    if not is_open(cell, column.missing):
        return why
    if is_counted:
        return say("{why}, counts as zero", why=why)
    return say("nothing handed in, which is pending here") if cell.state is CellState.NOTHING else why


def _sum_line(by: By, portions: Sequence[Portion], value: Fraction) -> TermLine:
    tasks = tasks_of(len(portions))
    if by is By.SHARE:
        return TermLine(say("Mean of {tasks}", tasks=tasks), percent(value))
    gained = sum((portion.gained for portion in portions), _ZERO)
    most = sum((portion.of for portion in portions), _ZERO)
    return TermLine(say("Sum of {tasks}", tasks=tasks), percent(value), marks_of(gained, most))

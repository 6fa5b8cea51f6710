"""Decides what a student has reached: the grade of the scale, and each rule for passing.

A share is compared with the value of its column, that is after the column's rounding.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.course.arithmetic.facts import Cell, CellState, is_open
from grader.course.arithmetic.results import ColumnResult
from grader.course.arithmetic.wording import TermLine, percent, percent_range, tasks_of
from grader.course.course import Gradebook, Missing, PassRule, Scale, TaskColumn
from grader.reports.words import say, word


class PassState(StrEnum):
    """Whether something that a student needs to pass is reached."""

    REACHED = "reached"
    NOT_REACHED = "not-reached"
    OPEN = "open"
    """It can still go both ways, or a person decides, since tasks are excused."""


_WORDS = {
    PassState.REACHED: word("reached"),
    PassState.NOT_REACHED: word("not reached"),
    PassState.OPEN: word("open"),
}


@dataclass(frozen=True, slots=True)
class PassResult:
    """What a student reached of one rule."""

    rule: PassRule
    state: PassState
    line: TermLine


@dataclass(frozen=True, slots=True)
class GradeResult:
    """The grade of a student.

    grade: None while a task of the column is open, and below the lowest step of the scale.
    worst, best: the grades that the column can still lead to; None below the lowest step.
    """

    grade: str | None
    worst: str | None
    best: str | None
    line: TermLine


def grade_result(scale: Scale, column: ColumnResult) -> GradeResult:
    """Return the grade.  column: the one that the scale names."""
    if column.worst is None or column.best is None:
        reason = say("nothing in {column} counts for this student", column=column.title)
        line = TermLine(say("Grade"), say("none"), reason)
        return GradeResult(None, None, None, line)
    worst, best = _grade(scale, column.worst), _grade(scale, column.best)
    if column.open:
        possible = _or_none(worst)
        if worst != best:
            possible = say("{a} to {b}", a=possible, b=_or_none(best))
        reason = say("open: {tasks}; possible: {grades}", tasks=", ".join(column.open), grades=possible)
        return GradeResult(None, worst, best, TermLine(say("Grade"), say("not yet"), reason))
    reason = f"{column.title} {percent(column.worst)}"
    if worst is None and scale.steps:
        reason = say("{value}, below {share}", value=reason, share=percent(scale.steps[-1][0]))
    elif worst is None:
        reason = say("{value}, the scale has no steps", value=reason)
    return GradeResult(worst, worst, best, TermLine(say("Grade"), _or_none(worst), reason))


def pass_results(
    gradebook: Gradebook, columns: Iterable[ColumnResult], cells: Iterable[Cell]
) -> tuple[PassResult, ...]:
    """Return what one student reached of each rule, in the order of the rules.

    columns: the results of the gradebook's columns.  cells: one for each task that a rule names.
    A rule over tasks takes *nothing handed in* as pending for the tasks of a column that does so.
    """
    by_id = {column.id: column for column in columns}
    by_task = {cell.task: cell for cell in cells}
    pending = _pending_if_nothing(gradebook)
    return tuple(
        _of_column(rule, by_id[rule.column]) if rule.column else _of_tasks(rule, by_task, pending)
        for rule in gradebook.rules
    )


def passed(results: Sequence[PassResult]) -> PassState | None:
    """Return whether all rules are reached; None without rules."""
    states = {result.state for result in results}
    for state in (PassState.NOT_REACHED, PassState.OPEN, PassState.REACHED):
        if state in states:
            return state
    return None


def _grade(scale: Scale, share: Fraction) -> str | None:
    return next((grade for least, grade in scale.steps if share >= least), None)


def _or_none(grade: str | None) -> str:
    return say("none") if grade is None else grade


def _pending_if_nothing(gradebook: Gradebook) -> set[str]:
    """Return the tasks for which a column takes *nothing handed in* as pending."""
    columns = (column for column in gradebook.columns if isinstance(column, TaskColumn))
    return {task for column in columns if column.missing is Missing.PENDING for task in column.tasks}


def _of_column(rule: PassRule, column: ColumnResult) -> PassResult:
    label = say("At least {share} in {column}", share=percent(rule.share), column=column.title)
    if column.worst is None or column.best is None:
        reason = say("nothing in it counts for this student, so a person decides")
        return _result(rule, PassState.OPEN, label, reason)
    if column.worst >= rule.share:
        state = PassState.REACHED
    else:
        state = PassState.OPEN if column.best >= rule.share else PassState.NOT_REACHED
    return _result(rule, state, label, percent_range(column.worst, column.best))


def _of_tasks(rule: PassRule, cells: Mapping[str, Cell], pending: Collection[str]) -> PassResult:
    """Return what a student reached of a rule over tasks.

    Nobody fails by being excused: where only excused tasks are short of the number, a person decides.
    """
    row = [cells[name] for name in rule.tasks]
    excused = sum(cell.state is CellState.EXCUSED for cell in row)
    still_open = sum(is_open(cell, _missing_of(cell, pending)) for cell in row)
    reached = sum(_reaches(cell, rule.share) for cell in row)
    if reached >= rule.count:
        state = PassState.REACHED
    else:
        state = PassState.OPEN if reached + still_open + excused >= rule.count else PassState.NOT_REACHED
    counts = [say("{n} reached", n=reached)]
    counts += [say("{n} open", n=still_open)] if still_open else []
    counts += [say("{n} excused", n=excused)] if excused else []
    reason = ", ".join(counts)
    tasks = tasks_of(len(row))
    label = say("At least {share} in {n} of {tasks}", share=percent(rule.share), n=rule.count, tasks=tasks)
    return _result(rule, state, label, reason)


def _missing_of(cell: Cell, pending: Collection[str]) -> Missing:
    return Missing.PENDING if cell.task in pending else Missing.ZERO


def _reaches(cell: Cell, share: Fraction) -> bool:
    return cell.mark is not None and cell.mark >= share * cell.most


def _result(rule: PassRule, state: PassState, label: str, reason: str) -> PassResult:
    return PassResult(rule, state, TermLine(label, say(_WORDS[state]), reason))

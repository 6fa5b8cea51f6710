"""Evaluates all columns of a gradebook for one student."""

from collections.abc import Iterable

from grader.course.arithmetic.facts import Cell
from grader.course.arithmetic.results import ColumnResult
from grader.course.arithmetic.task_column import task_column
from grader.course.arithmetic.weighted_column import weighted_column
from grader.course.course import Gradebook, TaskColumn


def column_results(gradebook: Gradebook, cells: Iterable[Cell]) -> tuple[ColumnResult, ...]:
    """Return the results of the columns, in their order.

    cells: of one student, one for each task that a column names, in any order.
    """
    by_task = {cell.task: cell for cell in cells}
    results: dict[str, ColumnResult] = {}
    for column in gradebook.columns:
        if isinstance(column, TaskColumn):
            results[column.id] = task_column(column, by_task)
        else:
            results[column.id] = weighted_column(column, results)
    return tuple(results.values())

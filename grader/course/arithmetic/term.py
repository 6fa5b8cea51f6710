"""Computes the term of one student: the columns, the grade and the rules for passing."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.course.arithmetic.columns import column_results
from grader.course.arithmetic.facts import Cell
from grader.course.arithmetic.passing import (
    GradeResult,
    PassResult,
    PassState,
    grade_result,
    pass_results,
    passed,
)
from grader.course.arithmetic.results import ColumnResult
from grader.course.course import Gradebook


@dataclass(frozen=True, slots=True)
class TermResult:
    """The term of one student.  columns: in the order of the gradebook.  grade: None without a scale."""

    columns: tuple[ColumnResult, ...]
    grade: GradeResult | None
    rules: tuple[PassResult, ...]

    @property
    def passed(self) -> PassState | None:
        """Whether all rules are reached; None without rules."""
        return passed(self.rules)

    def column(self, id: str) -> ColumnResult:
        """Return the result of the column with an id.  Raises `KeyError` if there is none."""
        return {column.id: column for column in self.columns}[id]


def term_result(gradebook: Gradebook, cells: Iterable[Cell]) -> TermResult:
    """Return the term of one student.

    cells: one for each task that a column or a rule names, in any order.
    """
    row = tuple(cells)
    columns = column_results(gradebook, row)
    scale = gradebook.scale
    of_scale = next((column for column in columns if scale and column.id == scale.column), None)
    return TermResult(
        columns=columns,
        grade=grade_result(scale, of_scale) if scale and of_scale else None,
        rules=pass_results(gradebook, columns, row),
    )

"""Grades and rules for passing: reached, not reached, or open, and the text of each line."""

from fractions import Fraction

import pytest

from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.passing import PassState
from grader.course.arithmetic.term import TermResult, term_result
from grader.course.course import By, Gradebook, Missing, PassRule, Scale, TaskColumn, WeightedColumn

HALF = Fraction(1, 2)
SCALE = Scale("total", ((Fraction(9, 10), "1.0"), (HALF, "4.0")))
OPEN, REACHED, NOT_REACHED = PassState.OPEN, PassState.REACHED, PassState.NOT_REACHED


def term(
    *marks: int | CellState, rule: PassRule | None = None, missing: Missing = Missing.ZERO
) -> TermResult:
    """Return the term of a student with these marks, or states, of tasks of 10 marks."""
    cells = [
        Cell(f"t{at}", mark, None, Fraction(10))
        if isinstance(mark, CellState)
        else Cell(f"t{at}", CellState.MARKED, Fraction(mark), Fraction(10))
        for at, mark in enumerate(marks, 1)
    ]
    names = tuple(cell.task for cell in cells)
    sheets = TaskColumn(id="sheets", title="Sheets", tasks=names, by=By.SHARE, missing=missing)
    total = WeightedColumn(id="total", title="Total", weights={"sheets": Fraction(1)}, step=Fraction(1, 10))
    return term_result(Gradebook((sheets, total), SCALE, (rule,) if rule else ()), cells)


@pytest.mark.parametrize(
    ("marks", "grade", "text"),
    [
        ((9, 9), "1.0", "Grade: 1.0 (Total 90%)"),
        ((9, 8), "1.0", "Grade: 1.0 (Total 90%)"),  # 85 %, rounded up
        ((4, 5), "4.0", "Grade: 4.0 (Total 50%)"),
        ((4, 4), None, "Grade: none (Total 40%, below 50%)"),
        ((9, CellState.PENDING), None, "Grade: not yet (open: t2; possible: 4.0 to 1.0)"),
        ((0, CellState.NOT_DUE), None, "Grade: not yet (open: t2; possible: none to 4.0)"),
        ((CellState.EXCUSED,), None, "Grade: none (nothing in Total counts for this student)"),
    ],
)
def test_the_grade_of_the_scale(marks: tuple[int | CellState, ...], grade: str | None, text: str) -> None:
    result = term(*marks).grade
    assert result is not None
    assert (result.grade, str(result.line)) == (grade, text)


def test_without_a_scale_there_is_no_grade_and_without_rules_nothing_to_pass() -> None:
    result = term_result(Gradebook(), ())
    assert (result.columns, result.grade, result.rules, result.passed) == ((), None, (), None)


@pytest.mark.parametrize(
    ("marks", "state", "text"),
    [
        ((4, 5), REACHED, "At least 50% in Total: reached (50%)"),  # 45 %, rounded up
        ((4, 4), NOT_REACHED, "At least 50% in Total: not reached (40%)"),
        ((9, 9, CellState.PENDING), REACHED, "At least 50% in Total: reached (60% to 90%)"),
        ((4, CellState.NOT_DUE), OPEN, "At least 50% in Total: open (20% to 70%)"),
        ((0, CellState.NOT_DUE), OPEN, "At least 50% in Total: open (0% to 50%)"),
        ((0, 0, CellState.NOT_DUE), NOT_REACHED, "At least 50% in Total: not reached (0% to 30%)"),
        (
            (CellState.EXCUSED,),
            OPEN,
            "At least 50% in Total: open (nothing in it counts for this student, so a person decides)",
        ),
    ],
)
def test_a_rule_over_a_column(marks: tuple[int | CellState, ...], state: PassState, text: str) -> None:
    result = term(*marks, rule=PassRule(share=HALF, column="total"))
    assert (result.rules[0].state, str(result.rules[0].line)) == (state, text)
    assert result.passed is state


@pytest.mark.parametrize(
    ("marks", "state", "reason"),
    [
        ((4, 4, 0), REACHED, "2 reached"),
        ((4, 3, 0), NOT_REACHED, "1 reached"),
        ((4, 3, CellState.NOTHING), NOT_REACHED, "1 reached"),
        ((4, 3, CellState.PENDING), OPEN, "1 reached, 1 open"),
        ((3, 3, CellState.PENDING), NOT_REACHED, "0 reached, 1 open"),
        ((4, 3, CellState.EXCUSED), OPEN, "1 reached, 1 excused"),
        ((4, 4, CellState.EXCUSED), REACHED, "2 reached, 1 excused"),
    ],
)
def test_a_rule_over_tasks(marks: tuple[int | CellState, ...], state: PassState, reason: str) -> None:
    rule = PassRule(share=Fraction(2, 5), tasks=("t1", "t2", "t3"), count=2)
    result = term(*marks, rule=rule).rules[0]
    word = {REACHED: "reached", NOT_REACHED: "not reached", OPEN: "open"}[state]
    assert (result.state, str(result.line)) == (state, f"At least 40% in 2 of 3 tasks: {word} ({reason})")


def test_a_rule_over_tasks_takes_nothing_as_its_column_does() -> None:
    rule = PassRule(share=HALF, tasks=("t1",), count=1)
    assert term(CellState.NOTHING, rule=rule).passed is NOT_REACHED
    assert term(CellState.NOTHING, rule=rule, missing=Missing.PENDING).passed is OPEN


def test_a_result_has_its_columns_by_id() -> None:
    assert term(4, 5).column("sheets").worst == Fraction(9, 20)
    assert term(4, 5).column("total").worst == HALF

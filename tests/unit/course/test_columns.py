"""Columns of the gradebook, worked by hand: values, dropped tasks, and the text of each line."""

from fractions import Fraction

import pytest

from grader.course.arithmetic.columns import column_results
from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.results import ColumnResult, Reading
from grader.course.course import By, Column, Gradebook, Missing, TaskColumn, WeightedColumn

HALF = Fraction(1, 2)


def marked(task: str, mark: str, most: int = 10) -> Cell:
    return Cell(task, CellState.MARKED, Fraction(mark), Fraction(most))


def cell(task: str, state: CellState, most: int = 10) -> Cell:
    return Cell(task, state, None, Fraction(most))


def tasks(names: str, by: By = By.SHARE, **keys: object) -> TaskColumn:
    return TaskColumn(id="sheets", title="Sheets", tasks=tuple(names.split()), by=by, **keys)  # type: ignore[arg-type]


def results(columns: list[Column], *cells: Cell) -> dict[str, ColumnResult]:
    return {result.id: result for result in column_results(Gradebook(tuple(columns)), cells)}


def result(column: TaskColumn, *cells: Cell) -> ColumnResult:
    return results([column], *cells)["sheets"]


def texts(reading: Reading) -> list[str]:
    return [str(line) for line in reading.lines]


def test_by_share_tasks_count_alike_and_by_marks_as_their_marks() -> None:
    cells = marked("a", "8"), marked("b", "1", most=2)
    by_share, by_marks = result(tasks("a b"), *cells), result(tasks("a b", By.MARKS), *cells)
    assert texts(by_share.so_far) == [
        "a: 80% (8 of 10 marks)",
        "b: 50% (1 of 2 marks)",
        "Mean of 2 tasks: 65%",
    ]
    assert texts(by_marks.so_far) == [
        "a: 8 of 10 marks",
        "b: 1 of 2 marks",
        "Sum of 2 tasks: 75% (9 of 12 marks)",
    ]
    assert by_share.so_far == by_share.if_nothing_more
    assert (by_marks.worst, by_marks.best, by_marks.open) == (Fraction(3, 4), Fraction(3, 4), ())


def test_five_states_are_five_things() -> None:
    column = result(
        tasks("zero none due wait excused"),
        marked("zero", "0"),
        cell("none", CellState.NOTHING),
        cell("due", CellState.NOT_DUE),
        cell("wait", CellState.PENDING),
        cell("excused", CellState.EXCUSED),
    )
    assert texts(column.so_far) == [
        "zero: 0% (0 of 10 marks)",
        "none: 0% (nothing handed in)",
        "due: left out (not due yet)",
        "wait: left out (pending)",
        "excused: left out (excused)",
        "Mean of 2 tasks: 0%",
        "Still possible: 0% to 50%",
    ]
    assert texts(column.if_nothing_more) == [
        "zero: 0% (0 of 10 marks)",
        "none: 0% (nothing handed in)",
        "due: 0% (not due yet, counts as zero)",
        "wait: 0% (pending, counts as zero)",
        "excused: left out (excused)",
        "Mean of 4 tasks: 0%",
    ]
    assert column.open == ("due", "wait")


def test_by_marks_what_is_missing_still_has_its_maximum() -> None:
    column = result(
        tasks("a b c", By.MARKS),
        marked("a", "6"),
        cell("b", CellState.NOTHING),
        cell("c", CellState.NOT_DUE, 20),
    )
    assert texts(column.so_far) == [
        "a: 6 of 10 marks",
        "b: 0 of 10 marks (nothing handed in)",
        "c: left out (not due yet)",
        "Sum of 2 tasks: 30% (6 of 20 marks)",
        "Still possible: 15% to 65%",
    ]
    assert texts(column.if_nothing_more)[2:] == [
        "c: 0 of 20 marks (not due yet, counts as zero)",
        "Sum of 3 tasks: 15% (6 of 40 marks)",
    ]


def test_missing_pending_takes_nothing_handed_in_as_pending() -> None:
    column = result(tasks("exam", missing=Missing.PENDING), cell("exam", CellState.NOTHING))
    assert (column.so_far.value, column.worst, column.best, column.open) == (None, 0, 1, ("exam",))
    assert texts(column.so_far) == [
        "exam: left out (nothing handed in, which is pending here)",
        "Sheets: not yet (nothing counts so far)",
        "Still possible: 0% to 100%",
    ]


def test_a_column_of_excused_tasks_is_no_number() -> None:
    column = result(tasks("a"), cell("a", CellState.EXCUSED))
    assert (column.so_far.value, column.worst, column.best, column.open) == (None, None, None, ())
    assert texts(column.so_far)[-1] == "Sheets: no value (nothing in it counts for this student)"


def test_the_lowest_share_is_dropped_and_told() -> None:
    column = result(tasks("a b c", drop=1), marked("a", "8"), marked("b", "3"), cell("c", CellState.NOTHING))
    assert texts(column.so_far) == [
        "a: 80% (8 of 10 marks)",
        "b: 30% (3 of 10 marks)",
        "c: dropped (nothing handed in)",
        "Mean of 2 tasks: 55%",
    ]
    assert column.so_far.dropped == ("c",)


def test_by_marks_the_best_total_drops_neither_the_lowest_share_nor_the_fewest_marks() -> None:
    """Without a, the lowest share: 53/141.  Without b: 43/61.  Without c, the fewest marks: 54/160."""
    cells = marked("a", "2", 20), marked("b", "12", 100), marked("c", "1", 1), marked("d", "40", 40)
    column = result(tasks("a b c d", By.MARKS, drop=1), *cells)
    assert column.so_far.dropped == ("b",)
    assert texts(column.so_far)[-1] == "Sum of 3 tasks: 70.49…% (43 of 61 marks)"


def test_the_task_that_falls_furthest_below_the_total_of_all_need_not_be_the_one_to_drop() -> None:
    """Of all: 8/11, below which a falls by 8/11 and b by 7/11.  Without a: 8/10; without b: 5/6."""
    cells = marked("a", "0", 1), marked("b", "3", 5), marked("c", "5", 5)
    assert result(tasks("a b c", By.MARKS, drop=1), *cells).so_far.value == Fraction(5, 6)


@pytest.mark.parametrize("by", By)
def test_of_equal_tasks_the_earlier_stays(by: By) -> None:
    column = result(tasks("a b c", by, drop=1), marked("a", "5"), marked("b", "9"), marked("c", "5"))
    assert column.so_far.dropped == ("c",)


def test_some_tasks_are_never_dropped_and_neither_is_the_last() -> None:
    cells = marked("a", "2"), marked("b", "9")
    assert result(tasks("a b", drop=1, never_drop=("a",)), *cells).so_far.dropped == ("b",)
    assert result(tasks("a b", drop=5), *cells).so_far.dropped == ("a",)
    assert result(tasks("a b", drop=1, never_drop=("a", "b")), *cells).so_far.dropped == ()


def test_so_far_drops_in_proportion_to_the_tasks_that_count() -> None:
    column = result(
        tasks("a b c d", drop=2),
        marked("a", "8"),
        marked("b", "2"),
        cell("c", CellState.NOT_DUE),
        cell("d", CellState.NOT_DUE),
    )
    assert texts(column.so_far)[1:] == [
        "b: dropped (2 of 10 marks)",
        "c: left out (not due yet)",
        "d: left out (not due yet)",
        "Drops so far: 1 of 2 (2 of 4 tasks count so far)",
        "Mean of 1 task: 80%",
        "Still possible: 50% to 100%",
    ]
    assert column.if_nothing_more.dropped == ("c", "d")


def test_a_part_of_a_drop_is_none_so_far() -> None:
    column = result(tasks("a b c", drop=1), marked("a", "8"), marked("b", "2"), cell("c", CellState.NOT_DUE))
    assert (column.so_far.value, column.so_far.dropped) == (HALF, ())


def test_marks_above_the_maximum_count_as_they_are() -> None:
    assert result(tasks("a b"), marked("a", "12"), marked("b", "10")).so_far.value == Fraction(11, 10)


@pytest.mark.parametrize(
    ("state", "mark", "most"),
    [
        (CellState.MARKED, None, 1),
        (CellState.PENDING, 0, 1),
        (CellState.MARKED, -1, 1),
        (CellState.MARKED, 0, 0),
    ],
)
def test_a_cell_that_contradicts_itself_is_refused(state: CellState, mark: int | None, most: int) -> None:
    with pytest.raises(ValueError, match="tour: "):
        Cell("tour", state, None if mark is None else Fraction(mark), Fraction(most))


QUIZ = TaskColumn(id="quiz", title="Quiz", tasks=("q",), by=By.SHARE)
EXAM = TaskColumn(id="exam", title="Exam", tasks=("exam",), by=By.SHARE)


def total(**keys: object) -> WeightedColumn:
    weights = {"sheets": Fraction(2, 5), "exam": Fraction(3, 5)}
    return WeightedColumn(id="total", title="Total", weights=weights, **keys)  # type: ignore[arg-type]


def total_of(column: WeightedColumn, *cells: Cell) -> ColumnResult:
    return results([tasks("a"), EXAM, QUIZ, column], *cells)["total"]


def test_a_weighted_column_adds_bounds_and_rounds_once() -> None:
    column = total(bonus={"quiz": Fraction(1, 20)}, at_most=Fraction(1), step=Fraction(1, 10))
    low = total_of(column, marked("a", "8"), marked("exam", "5"), marked("q", "6"))
    assert texts(low.so_far) == [
        "Sheets: 32% (40% of 80%)",
        "Exam: 30% (60% of 50%)",
        "Quiz, bonus: 3% (5% of 60%)",
        "Rounding: +5% (from 65% to 70%)",
        "Total: 70%",
    ]
    assert low.so_far == low.if_nothing_more
    high = total_of(column, marked("a", "10"), marked("exam", "10"), marked("q", "6"))
    assert texts(high.so_far)[2:] == ["Quiz, bonus: 3% (5% of 60%)", "Capped at 100%: -3%", "Total: 100%"]


def test_rounding_does_not_lead_above_the_bound() -> None:
    column = total(at_most=Fraction(19, 20), step=Fraction(1, 10))
    assert total_of(
        column, marked("a", "10"), marked("exam", "10"), marked("q", "0")
    ).so_far.value == Fraction(19, 20)


def test_a_part_that_is_not_there_yet_is_said_and_the_others_are_scaled_in_a_line() -> None:
    column = total_of(total(), marked("a", "8"), cell("exam", CellState.NOT_DUE), marked("q", "6"))
    assert texts(column.so_far) == [
        "Sheets: 32% (40% of 80%)",
        "Exam: not yet (weight 60%)",
        "Scaled to the parts that are there: 80% (32% of the 40% that have a value)",
        "Total so far: 80%",
        "Still possible: 32% to 92%",
    ]
    assert texts(column.if_nothing_more) == [
        "Sheets: 32% (40% of 80%)",
        "Exam: 0% (60% of 0%)",
        "Total if nothing more comes: 32%",
    ]
    assert (column.best, column.open) == (Fraction(23, 25), ("exam",))


def test_bonus_is_not_scaled() -> None:
    column = total(bonus={"quiz": Fraction(1, 20)})
    so_far = total_of(column, marked("a", "5"), cell("exam", CellState.PENDING), marked("q", "6")).so_far
    assert texts(so_far)[2:5] == [
        "Scaled to the parts that are there: 50% (20% of the 40% that have a value)",
        "Quiz, bonus: 3% (5% of 60%)",
        "Total so far: 53%",
    ]


def test_bonus_alone_is_no_value() -> None:
    column = total(bonus={"quiz": Fraction(1, 20)})
    so_far = total_of(
        column, cell("a", CellState.NOT_DUE), cell("exam", CellState.PENDING), marked("q", "6")
    ).so_far
    assert so_far.value is None
    assert texts(so_far) == [
        "Sheets: not yet (weight 40%)",
        "Exam: not yet (weight 60%)",
        "Quiz, bonus: 3% (5% of 60%)",
        "Total: not yet (nothing counts so far)",
        "Still possible: 3% to 103%",
    ]


def test_a_part_in_which_all_is_excused_is_left_out_for_good() -> None:
    column = total_of(total(), marked("a", "8"), cell("exam", CellState.EXCUSED), marked("q", "6"))
    assert (column.so_far.value, column.worst, column.best) == (
        Fraction(4, 5),
        Fraction(4, 5),
        Fraction(4, 5),
    )
    assert texts(column.if_nothing_more)[1:3] == [
        "Exam: left out, as nothing in it counts for this student (weight 60%)",
        "Scaled to the parts that are there: 80% (32% of the 40% that have a value)",
    ]


def test_a_column_uses_the_rounded_value_of_another() -> None:
    inner = total(step=Fraction(1, 10))
    outer = WeightedColumn(id="outer", title="Outer", weights={"total": Fraction(1)})
    cells = marked("a", "8"), marked("exam", "5"), marked("q", "0")
    assert results([tasks("a"), EXAM, QUIZ, inner, outer], *cells)["outer"].so_far.value == Fraction(3, 5)

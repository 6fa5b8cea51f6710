"""The figures of a case: answers, times, and how passing goes with the marks elsewhere."""

from fractions import Fraction
from math import isclose
from statistics import correlation

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.made_class import HARDEST, KNOWN_ANSWER, SLOW, TASK, made_class
from support.results_sample import case, question

from grader.model.results import Raised, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.html.chart import map_columns, strip, student_map
from grader.reports.views.cohort.case_figures import (
    LEAST_STUDENTS,
    MOST_NAMED,
    VERDICT_OF,
    AllCases,
    Failure,
    Failures,
    Relation,
    Times,
    letter_of,
)
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.questions_by_loss import question_views


@pytest.fixture(scope="module")
def klass() -> Cohort:
    found = Cohort(TASK.max_mark)
    for student in made_class(200):
        found.add(student)
    return found


# -- answers ------------------------------------------------------------------------------------------


def test_answers_are_counted_with_the_first_who_gave_them() -> None:
    found = Failures()
    for student in range(30):
        found.add(Failure(Verdict.WRONG_ANSWER, "None" if student % 3 else "0"), student)
    (first, tally), (second, _) = found.commonest(2)
    assert (first.answer, tally.count, tally.students[:2]) == ("None", 20, [1, 2])
    assert len(tally.students) == MOST_NAMED
    assert (second.answer, found.others) == ("0", 0)


@given(st.lists(st.integers(0, 400), max_size=2000))
def test_many_different_answers_take_bounded_room_and_nobody_is_lost(answers: list[int]) -> None:
    found = Failures()
    for student, answer in enumerate(answers):
        found.add(Failure(Verdict.WRONG_ANSWER, str(answer)), student)
        assert len(found.kinds) <= 80
    assert sum(tally.count for tally in found.kinds.values()) + found.others == len(answers)
    for failure, tally in found.kinds.items():
        assert tally.count <= answers.count(int(failure.answer))


def test_a_common_answer_among_many_rare_ones_is_found() -> None:
    found = Failures()
    for student in range(5000):
        found.add(Failure(Verdict.WRONG_ANSWER, "None" if student % 10 == 0 else str(student)), student)
    ((first, tally),) = found.commonest(1)
    assert (first.answer, tally.count) == ("None", 500)


def test_an_outcome_is_told_by_its_answer_exception_or_message() -> None:
    cases = AllCases()
    told = [
        case("1.1", "f()", Verdict.WRONG_ANSWER, actual="x" * 1000, message="differs"),
        case("1.2", "f()", Verdict.EXCEPTION, raised=Raised("NameError", "no dim"), message="It raised."),
        case("1.3", "f()", Verdict.WRONG_ANSWER, message="step 2 is wrong"),
        case("1.4", "f()", Verdict.TIME_LIMIT, message="It ran out of time."),
    ]
    cases.add(_student(*told), 0, is_final=True)
    answers = [next(iter(figures.failures.kinds)).answer for figures in cases.figures.values()]
    assert answers == ["x" * 200, "NameError: no dim", "step 2 is wrong", ""]


def _student(*cases: object, mark: int = 0) -> SubmissionResult:
    return SubmissionResult(
        id="s",
        name="",
        mark=Fraction(mark),
        max_mark=Fraction(8),
        status=Status.MARKED,
        questions=(question("1", mark, *cases),),  # type: ignore[arg-type]
    )


# -- times --------------------------------------------------------------------------------------------


def _times(*seconds: float, limit_s: float = 2.0) -> Times:
    found = Times()
    for student, cpu_s in enumerate(seconds):
        found.add(case("1.1", "f()", cpu_s=cpu_s, time_limit_s=limit_s, near_limit=cpu_s > 1), student)
    return found


def test_outliers_are_far_above_what_is_usual() -> None:
    usual = [0.1 + 0.001 * number for number in range(50)]
    found = _times(*usual, 1.5)
    assert found.slowest.named(found.fence_s) == [(1.5, 50)]
    assert 0.1 < found.quantile(0.5) < 0.16
    assert _times(*usual).slowest.named(_times(*usual).fence_s) == []
    assert _times(*[0.001] * 20, 0.0012).slowest.named(0.002) == []


def test_who_used_most_of_the_limit_is_named_and_who_was_stopped_is_not() -> None:
    found = _times(0.1, 1.2, 1.7)
    stopped = case("1.1", "f()", Verdict.TIME_LIMIT, cpu_s=2.1, time_limit_s=2.0, near_limit=True)
    found.add(stopped, 3)
    assert (found.near.count, found.high.named()) == (3, [(1.7, 2)])


def test_a_strip_shows_times_and_limit_and_says_them_in_words() -> None:
    assert strip(Times()) is None
    drawn = strip(_times(*[0.1] * 40, 1.5))
    assert drawn is not None
    assert drawn.description == "median 99 ms, slowest 1.5 s of 2 s"
    assert len(drawn.bars) == 2
    assert drawn.limit is not None
    assert max(bar.x for bar in drawn.bars) < drawn.dots[0] < drawn.limit < drawn.width
    short = strip(_times(0.001, 0.004))
    assert short is not None
    assert (short.bars, short.description) == ((), "at most 4 ms")


# -- discrimination -----------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 100)), min_size=LEAST_STUDENTS, max_size=80))
def test_the_point_biserial_is_the_correlation_with_passing(students: list[tuple[bool, float]]) -> None:
    found = Relation()
    for passed, elsewhere in students:
        found.add(passed, elsewhere)
    if found.point_biserial is not None:
        expected = correlation([float(passed) for passed, _ in students], [mark for _, mark in students])
        assert isclose(found.point_biserial, expected, abs_tol=1e-6)


def test_a_small_or_one_sided_class_has_no_discrimination() -> None:
    found = Relation()
    for number in range(LEAST_STUDENTS - 1):
        found.add(number % 2 == 0, number)
    assert found.point_biserial is None
    found.add(True, 3)
    assert found.point_biserial is not None
    one_sided = Relation()
    for number in range(100):
        one_sided.add(number > 3, number)
    assert one_sided.point_biserial is None
    alike = Relation()
    for number in range(100):
        alike.add(number % 2 == 0, 7.0)
    assert alike.point_biserial is None


def test_a_case_that_the_strong_fail_is_told() -> None:
    found = Cohort(Fraction(8))
    for number in range(40):
        strong = number % 2 == 0
        answer = case("1.1", "f()", Verdict.WRONG_ANSWER if strong else Verdict.ACCEPTED, actual="1")
        student = SubmissionResult(
            id=f"s{number}",
            name="",
            mark=Fraction(strong),
            max_mark=Fraction(8),
            status=Status.MARKED,
            questions=(question("1", 0, answer), question("2", int(strong), case("2.1", "g()"))),
        )
        found.add(student)
    rows = {row.id: row for view in question_views(found) for row in (*view.hard, *view.easy)}
    assert (rows["1.1"].discrimination, rows["1.1"].inverted) == ("-1.00", True)
    assert rows["2.1"].discrimination == ""


# -- a whole class ------------------------------------------------------------------------------------


def test_the_dearest_question_comes_first_with_its_hardest_case_and_commonest_answer(klass: Cohort) -> None:
    first, *others = question_views(klass)
    assert (first.id, first.is_open) == (HARDEST.partition(".")[0], True)
    assert not any(view.is_open for view in others)
    assert first.hardest == f"{HARDEST}: 4 % pass"
    (hardest, *_) = first.hard
    assert (hardest.id, hardest.answers[0].text, hardest.visibility) == (HARDEST, KNOWN_ANSWER, "hidden")
    assert int(hardest.answers[0].count) > 100
    assert hardest.answers[0].people.links[0].target.startswith("staff/student-")
    assert hardest.answers[0].people.links[0].target.endswith(f".html#c-{HARDEST}")
    assert [float(view.lost) for view in others] == sorted(
        (float(view.lost) for view in others), reverse=True
    )


def test_who_times_out_is_counted(klass: Cohort) -> None:
    (slow,) = [row for view in question_views(klass) for row in view.hard if row.id == SLOW]
    stopped = sum(
        one.verdict is Verdict.TIME_LIMIT for student in made_class(200) for each in student.questions
        for one in each.cases if one.id == SLOW
    )  # fmt: skip
    assert ("time limit", str(stopped)) in [(answer.word, answer.count) for answer in slow.answers]
    assert slow.high.links


def test_verdicts_of_a_row_are_those_of_the_results(klass: Cohort) -> None:
    columns = map_columns(klass)
    for row, student in zip(klass.rows, made_class(200), strict=True):
        told = {one.id: one.verdict for each in student.questions for one in each.cases}
        assert len(row.verdicts) == len(told)
        for column in columns if told else ():
            assert VERDICT_OF[row.verdicts[column]] is told[klass.case_at[column].id]


def test_the_map_draws_each_case_that_was_not_accepted(klass: Cohort) -> None:
    drawn = student_map(klass, [row.verdicts for row in klass.rows])
    assert drawn is not None
    assert (drawn.rows, drawn.columns) == (200, 110)
    assert drawn.rows * drawn.row_px <= 800  # one screen
    lengths = {tone: sum(int(run.partition("h")[2]) for run in d.split("M")[1:]) for tone, d in drawn.paths}
    absent = sum(not row.verdicts for row in klass.rows)
    ours = sum(row.verdicts.count(letter_of(Verdict.INTERNAL_ERROR)) for row in klass.rows)
    assert (lengths["absent"], lengths["ours"]) == (absent * 110, ours)
    accepted = sum(row.verdicts.count(letter_of(Verdict.ACCEPTED)) for row in klass.rows)
    assert sum(lengths.values()) + accepted == 200 * 110
    assert drawn.edges.count("M") == 9


def test_cases_beyond_a_bound_are_left_out() -> None:
    cases = AllCases()
    many = [case(f"1.{number}", "f()") for number in range(4_100)]
    assert len(cases.add(_student(*many), 0, is_final=True)) == len(cases.figures) == 4_000


def test_those_without_a_fault_come_last_on_the_map(klass: Cohort) -> None:
    """Here half of the class has full marks, which would be half of a screen with nothing on it."""
    right = letter_of(Verdict.ACCEPTED) * len(klass.case_at)
    others = [row.verdicts for row in klass.rows if row.verdicts and row.verdicts != right]
    drawn = student_map(klass, [right] * 300 + others)
    assert drawn is not None
    places = [int(run.split()[1].partition(".")[0]) for _, d in drawn.paths for run in d.split("M")[1:]]
    assert min(places) == 0
    assert max(places) == len(others) - 1

"""The figures of a cohort."""

from fractions import Fraction

from support.results_sample import TASK, results, submissions

from grader.model.results import Status, SubmissionResult
from grader.reports.html.chart import histogram
from grader.reports.views.cohort import Cohort


def cohort() -> Cohort:
    found = Cohort(TASK.max_mark)
    for submission in results().submissions:
        found.add(submission)
    return found


def with_marks(max_mark: int, *marks: int) -> Cohort:
    found = Cohort(Fraction(max_mark))
    for number, mark in enumerate(marks):
        student = SubmissionResult(
            id=f"s{number}", name="", mark=Fraction(mark), max_mark=Fraction(max_mark), status=Status.MARKED
        )
        found.add(student)
    return found


def test_pending_and_missing_work_stay_out_of_the_averages() -> None:
    marks = [one.mark for one in submissions() if one.status is Status.MARKED]
    assert cohort().mean == sum(marks, Fraction(0)) / 4
    assert cohort().median == Fraction("1.75")


def test_a_question_counts_those_whose_mark_is_known() -> None:
    third = cohort().questions["3"]
    assert (third.marked, third.full, third.mean) == (3, 1, Fraction(1, 3))


def test_the_most_frequent_fault_is_named() -> None:
    sixth = cohort().questions["6"]
    assert sixth.verdicts == {"partial": 1, "missing": 1, "wrong-answer": 1}
    assert sixth.common_fault == ("partial", 1)
    assert cohort().questions["4"].common_fault == ("forbidden", 1)


def test_an_empty_cohort_has_no_figures() -> None:
    empty = Cohort(Fraction(8))
    assert (empty.mean, empty.median, empty.full) == (None, None, 0)
    assert histogram(empty.distribution()) is None


def test_small_whole_marks_have_a_bar_each() -> None:
    counts = [item.count for item in with_marks(8, 0, 1, 1, 7, 8).distribution()]
    assert counts == [1, 2, 0, 0, 0, 0, 0, 2]


def test_a_mark_above_the_maximum_has_its_bar() -> None:
    found = with_marks(8, 0, 8, 10).distribution()
    assert [item.count for item in found] == [1, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert found[-1].high == 10


def test_large_marks_have_ten_bars() -> None:
    found = with_marks(100, 0, 9, 10, 99, 100).distribution()
    assert [item.count for item in found] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [found[1].low, found[1].high] == [Fraction(10), Fraction(20)]


def test_the_chart_says_in_words_what_it_shows() -> None:
    chart = histogram(with_marks(4, 1, 1, 4).distribution())
    assert chart is not None
    assert chart.description == "Distribution of marks: 2 students from 1 to 2; 1 student from 3 to 4."
    highest = max(chart.bars, key=lambda bar: bar.height)
    assert (highest.count, highest.y + highest.height) == (2, chart.base)

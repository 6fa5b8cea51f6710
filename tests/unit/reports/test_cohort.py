"""The figures of a cohort."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from support.results_sample import RUN, TASK, case, question, results, submissions

from grader.model.person import Person
from grader.model.results import CriterionResult, Override, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.html.chart import histogram
from grader.reports.views.cohort.cohort import Cohort, QuestionFigures
from grader.reports.views.cohort.distribution import distribution
from grader.reports.views.cohort.run_warnings import warnings_of
from grader.reports.views.submission.submission import submission_view


def cohort() -> Cohort:
    found = Cohort(TASK.max_mark)
    for submission in results().submissions:
        found.add(submission)
    return found


def with_marks(max_mark: int, *marks: Fraction | int) -> Cohort:
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
    assert sixth.verdicts == {"partial": 1, "missing": 1, "runtime-error": 1}
    assert sixth.common_fault == ("partial", 1)
    assert cohort().questions["4"].common_fault == ("forbidden", 1)


def test_marks_are_lost_where_they_could_be_had_and_never_in_a_bonus() -> None:
    third = cohort().questions["3"]
    assert third.lost == 2
    third.bonus = True
    assert third.lost == 0


def test_an_empty_cohort_has_no_figures() -> None:
    empty = Cohort(Fraction(8))
    assert (empty.mean, empty.median, empty.full) == (None, None, 0)
    assert histogram(empty) is None


def bins(found: Cohort) -> list[tuple[str, str, int]]:
    return [(str(item.low), str(item.high), item.count) for item in distribution(found)]


def test_few_possible_marks_have_a_bar_each() -> None:
    assert [count for _, _, count in bins(with_marks(8, 0, 1, 1, 7, 8))] == [1, 2, 0, 0, 0, 0, 0, 1, 1]
    assert bins(with_marks(3, 2, 2)) == [("0", "0", 0), ("1", "1", 0), ("2", "2", 2), ("3", "3", 0)]


def test_the_marks_of_the_class_and_of_the_questions_say_which_are_possible() -> None:
    halves = with_marks(2, Fraction(3, 2))
    assert [low for low, _, _ in bins(halves)] == ["0", "1/2", "1", "3/2", "2"]
    halves.questions["1"] = QuestionFigures("1", "", Fraction(1, 4))
    assert len(bins(halves)) == 9


def test_a_mark_above_the_maximum_has_its_bar() -> None:
    found = bins(with_marks(8, 0, 8, 10))
    assert (found[0], found[-1]) == (("0", "0", 1), ("10", "10", 1))


def test_of_many_possible_marks_several_share_a_bar_and_the_maximum_has_one() -> None:
    found = bins(with_marks(100, 0, 4, 5, 99, 100))
    assert found[:2] == [("0", "4", 2), ("5", "9", 1)]
    assert found[-2:] == [("95", "99", 1), ("100", "100", 1)]
    fine = bins(with_marks(11, Fraction("7.86"), Fraction("10.99"), 11))
    assert sum(count for _, _, count in fine) == 3
    assert len(fine) <= 25
    assert fine[-2][1:] == ("1099/100", 1)


@given(st.lists(st.fractions(0, 20, max_denominator=60), max_size=30))
def test_every_mark_is_in_one_bin(marks: list[Fraction]) -> None:
    found = distribution(with_marks(20, *marks))
    for item in found:
        assert item.count == sum(item.low <= mark <= item.high for mark in marks)
    assert sum(item.count for item in found) == len(marks)


def test_the_chart_says_in_words_what_it_shows() -> None:
    chart = histogram(with_marks(4, 1, 1, 4))
    assert chart is not None
    assert chart.description == "Distribution of marks: 2 students with 1; 1 student with 4."
    highest = max(chart.bars, key=lambda bar: bar.height)
    assert (highest.count, highest.y + highest.height) == (2, chart.base)
    assert [line.label for line in chart.lines] == ["median 1", "mean 2"]
    assert [line.x for line in chart.lines] == [chart.bars[1].middle, chart.bars[2].middle]


def test_pending_marks_stand_beside_the_others() -> None:
    chart = histogram(cohort())
    assert chart is not None
    assert [(bar.kind, bar.count) for bar in chart.bars[-1:]] == [("pending", 1)]
    assert chart.description.endswith("1 mark pending.")


def test_students_with_equal_files_are_told_but_not_a_team() -> None:
    found = Cohort(Fraction(1))
    for name, work, team in [("a", "1", ""), ("b", "2", "x"), ("c", "1", ""), ("d", "2", "x"), ("e", "", "")]:
        student = SubmissionResult(
            id=name,
            name="",
            mark=Fraction(1),
            max_mark=Fraction(1),
            status=Status.MARKED,
            content_sha256=work * 64,
            person=Person(group=team),
        )
        found.add(student)
    assert [[found.rows[at].id for at in group.students] for group in found.equal_works] == [["a", "c"]]
    (warned,) = [one for one in warnings_of(RUN, found) if "equal" in one.title]
    assert str(warned.items[0]) == "a and c"


def test_one_cause_is_told_once_with_its_cases_and_students() -> None:
    found = Cohort(TASK.max_mark)
    failed = [case(name, "f()", Verdict.INTERNAL_ERROR, message="It broke.") for name in ("3.1", "3.2")]
    for number in range(15):
        student = SubmissionResult(
            id=f"s{number}",
            name="",
            mark=Fraction(0),
            max_mark=TASK.max_mark,
            status=Status.PENDING,
            questions=(question("3", 0, *failed),),
        )
        found.add(student)
    (warned,) = [one for one in warnings_of(RUN, found) if "pending" in one.title]
    assert warned.title == "15 marks are pending"
    assert [item.text for item in warned.items] == ["cases 3.1, 3.2: It broke."]
    assert (len(warned.items[0].students), warned.items[0].more) == (12, 3)


def test_who_handed_in_nothing_is_named() -> None:
    (warned,) = [one for one in warnings_of(RUN, cohort()) if "nothing" in one.title]
    assert (warned.title, str(warned.items[0])) == ("1 student has handed in nothing", "student-06")


def test_a_question_that_a_person_set_is_known_whatever_was_open() -> None:
    by_hand = [
        Override(question=each, before=Fraction(0), after=Fraction(1), reason="seen", by="A. Marker")
        for each in ("1", "2")
    ]
    style = CriterionResult(id="2.style", title="Style", max_mark=Fraction(1))
    questions = (
        question("1", 1, case("1.1", "f()", Verdict.INTERNAL_ERROR)),
        replace(question("2", 1), criteria=(style,)),
    )
    for overrides, status, marked in (((), Status.PENDING, 0), (tuple(by_hand), Status.MARKED, 1)):
        one = SubmissionResult(
            id="s",
            name="",
            mark=Fraction(2),
            max_mark=Fraction(2),
            status=status,
            questions=questions,
            overrides=overrides,
            awaiting=() if overrides else ("2.style",),
        )
        found = Cohort(Fraction(2))
        found.add(one)
        assert [figures.marked for figures in found.questions.values()] == [marked] * 2
        views = submission_view(one).questions
        assert [view.waits for view in views] == [not marked] * 2
        assert [view.mark for view in views] == (["1", "1"] if marked else ["pending", "1 so far"])

"""Groups, bonus, caps and attempts, worked out by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from grader.marking.attempts import result_of_attempts
from grader.marking.groups import group_fraction, shown_least
from grader.marking.penalties import DuePenalty
from grader.marking.questions import question_result
from grader.marking.totals import failed_internally, submission_result
from grader.model.policy import AtLeast, Attempts, Deduction, DeductionBase, Group, GroupAward, Late, Section
from grader.model.results import CaseResult, QuestionResult, Status, SubmissionResult
from grader.model.submission import OverridingMark, Record, Review, SourceFile, Submission
from grader.model.task import Award, Question, Rounding, RoundingMode, Task
from grader.model.verdict import Verdict

ACCEPTED, WRONG, OURS = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.INTERNAL_ERROR
COUNT, SHARE = AtLeast(Fraction(2), False), AtLeast(Fraction(1, 2), True)


def cases(*verdicts: Verdict, group: str = "g", weight: int = 1) -> list[CaseResult]:
    return [
        CaseResult(id=f"1.{number}", call="f()", verdict=verdict, group=group, weight=Fraction(weight))
        for number, verdict in enumerate(verdicts, 1)
    ]


@pytest.mark.parametrize(
    ("award", "least", "verdicts", "fraction"),
    [
        (GroupAward.ALL, None, (ACCEPTED, WRONG), "0"),
        (GroupAward.ALL, None, (ACCEPTED, ACCEPTED), "1"),
        (GroupAward.EACH, None, (ACCEPTED, WRONG, WRONG), "1/3"),
        (GroupAward.THRESHOLD, COUNT, (ACCEPTED, WRONG, WRONG), "0"),
        (GroupAward.THRESHOLD, COUNT, (ACCEPTED, ACCEPTED, WRONG), "1"),
        (GroupAward.THRESHOLD, SHARE, (ACCEPTED, WRONG), "1"),
        (GroupAward.THRESHOLD, SHARE, (ACCEPTED, WRONG, WRONG), "0"),
        (GroupAward.MINIMUM, COUNT, (ACCEPTED, ACCEPTED, WRONG), "2/3"),
        (GroupAward.MINIMUM, COUNT, (ACCEPTED, WRONG, WRONG), "0"),
        (GroupAward.MINIMUM, SHARE, (ACCEPTED, WRONG), "1/2"),
        (GroupAward.MINIMUM, SHARE, (ACCEPTED, WRONG, WRONG), "0"),
        # Our faults are left out, also of what is needed.
        (GroupAward.ALL, None, (ACCEPTED, OURS), "1"),
        (GroupAward.THRESHOLD, COUNT, (ACCEPTED, OURS), "1"),
        (GroupAward.THRESHOLD, COUNT, (WRONG, OURS), "0"),
        (GroupAward.MINIMUM, SHARE, (OURS, OURS), "0"),
        (GroupAward.ALL, None, (OURS,), "0"),
    ],
)
def test_a_group(
    award: GroupAward, least: AtLeast | None, verdicts: tuple[Verdict, ...], fraction: str
) -> None:
    group = Group(id="g", award=award, weight=Fraction(1), at_least=least)
    assert group_fraction(group, cases(*verdicts)) == Fraction(fraction)


def test_a_partly_right_case_counts_in_proportion_and_is_not_accepted() -> None:
    half = replace(cases(Verdict.PARTIAL)[0], score=Fraction(1, 2))
    minimum = Group(id="g", award=GroupAward.MINIMUM, weight=Fraction(1), at_least=SHARE)
    assert group_fraction(minimum, [half]) == Fraction(1, 2)
    assert group_fraction(replace(minimum, award=GroupAward.THRESHOLD), [half]) == 0


def test_the_least_as_a_spec_states_it() -> None:
    assert [shown_least(each) for each in (COUNT, SHARE, None)] == ["2", "50%", ""]
    assert shown_least(AtLeast(Fraction(125, 1000), True)) == "12.5%"


def question(*groups: Group, bonus: bool = False, marks: int = 6, name: str = "1") -> Question:
    award = Award.GROUPS if groups else Award.EACH
    return Question(
        id=name,
        title="",
        module="m",
        marks=Fraction(marks),
        award=award,
        cases=(),
        groups=groups,
        bonus=bonus,
    )


def test_groups_share_the_marks_by_weight_and_bonus_comes_on_top() -> None:
    first = Group(id="a", award=GroupAward.ALL, weight=Fraction(1))
    second = Group(id="b", award=GroupAward.EACH, weight=Fraction(2))
    extra = Group(id="c", award=GroupAward.ALL, weight=Fraction(3), bonus=True)
    of_cases = [
        *cases(ACCEPTED, group="a"),
        *cases(ACCEPTED, WRONG, group="b"),
        *cases(ACCEPTED, group="c"),
    ]
    whole = question(first, second, extra)
    result = question_result(whole, of_cases)
    assert [(one.id, one.mark, one.max_mark, one.bonus) for one in result.groups] == [
        ("a", 2, 2, False),
        ("b", 2, 4, False),
        ("c", 3, 3, True),
    ]
    assert (result.mark, result.max_mark, whole.most) == (7, 6, 9)
    assert result.verdict is ACCEPTED  # full marks, though a case is wrong
    assert question_result(question(first, second), of_cases[:3]).verdict is WRONG
    assert question_result(whole, [*of_cases[:2], *cases(OURS, group="b"), of_cases[3]]).verdict is OURS


def earned(name: str, mark: int, bonus: bool = False) -> QuestionResult:
    return QuestionResult(
        id=name,
        title="",
        mark=Fraction(mark),
        max_mark=Fraction(6),
        verdict=ACCEPTED,
        award="each",
        cases=(),
        bonus=bonus,
    )


def result(
    *questions: QuestionResult, due: tuple[DuePenalty, ...] = (), **of_task: object
) -> SubmissionResult:
    task = Task(id="t", title="", marks=Fraction(10), questions=(), modules=(("m", "m.py"),))
    submission = Submission("s", "s", {"m": SourceFile("m.py", "")})
    return submission_result(replace(task, **of_task), submission, questions, due)  # type: ignore[arg-type]  # by name


def test_bonus_makes_up_for_lost_marks_and_no_more() -> None:
    assert result(earned("1", 5), earned("2", 3, bonus=True)).mark == 8
    above = result(earned("1", 9), earned("2", 3, bonus=True))
    assert (above.mark, above.max_mark, [(cap.title, cap.most, cap.amount) for cap in above.caps]) == (
        10,
        10,
        [("", 10, 2)],
    )


def test_a_cap_above_the_marks_lets_bonus_count() -> None:
    above = result(earned("1", 9), earned("2", 3, bonus=True), cap=Fraction(11))
    assert (above.mark, above.max_mark, above.caps[0].amount) == (11, 10, 1)


def test_a_section_comes_before_the_cap_of_the_task() -> None:
    section = Section("Two of three", ("1", "2"), Fraction(7))
    found = result(earned("1", 5), earned("2", 5), earned("3", 6), sections=(section,))
    assert [(cap.title, cap.amount) for cap in found.caps] == [("Two of three", 3), ("", 3)]
    assert found.mark == 10


def test_penalties_come_after_the_cap_so_bonus_does_not_pay_for_them() -> None:
    due = DuePenalty("late", Deduction(Fraction(1, 10), DeductionBase.MARK))
    found = result(earned("1", 10), earned("2", 2, bonus=True), due=(due,))
    assert (found.caps[0].amount, found.penalties[0].amount, found.mark) == (2, 1, 9)


def test_no_rounding_exceeds_the_cap() -> None:
    up = Rounding(Fraction(4), RoundingMode.UP)
    assert result(earned("1", 9), rounding=up).mark == 10
    assert result(earned("1", 9), rounding=up, cap=Fraction(11)).mark == 11


NO_REVIEW = Review()
LATE = Late(deadline=datetime(2026, 11, 20, tzinfo=UTC), then=Deduction(Fraction(1, 2), DeductionBase.MARK))


def student(
    policy: Attempts, *attempts: tuple[Verdict, int | None], review: Review = NO_REVIEW, empty: int = 0
) -> SubmissionResult:
    """Return the result of a student whose attempts have one case, each with its day in November.

    empty: the number of an attempt without any file.
    """
    whole = question(marks=10)
    task = Task(
        id="t",
        title="",
        marks=Fraction(10),
        questions=(whole,),
        modules=(("m", "m.py"),),
        late=LATE,
        attempts=policy,
    )
    read = [
        Submission(
            "s",
            "s",
            {"m": SourceFile("m.py", "")} if number != empty else {},
            record=Record(datetime(2026, 11, day, tzinfo=UTC) if day else None, review),
            attempt=f"attempt-{number}",
        )
        for number, (_, day) in enumerate(attempts, 1)
    ]
    results = [
        submission_result(task, attempt, [question_result(whole, cases(verdict, group=""))])
        for attempt, (verdict, _) in zip(read, attempts, strict=True)
    ]
    handed_in = Submission(
        "s", "Ada", notes=("of all",), sha256="ab", content_sha256="cd", attempts=tuple(read)
    )
    return result_of_attempts(task, handed_in, results)


def counting(found: SubmissionResult) -> list[str]:
    return [attempt.id for attempt in found.attempts if attempt.counts]


def test_the_best_attempt_counts_after_its_penalty_and_of_equal_ones_the_latest() -> None:
    found = student(Attempts.BEST, (WRONG, 18), (ACCEPTED, 21), (ACCEPTED, 22), (WRONG, 23))
    assert [attempt.mark for attempt in found.attempts] == [0, 5, 5, 0]
    assert (counting(found), found.mark, found.late_s) == (["attempt-3"], 5, 2 * 86400)
    assert (found.id, found.name, found.sha256, found.content_sha256) == ("s", "Ada", "ab", "cd")
    assert (found.counting, found.notes) == ("best", ("of all",))


def test_the_latest_before_the_deadline_counts() -> None:
    policy = Attempts.LAST_BEFORE_DEADLINE
    assert counting(student(policy, (ACCEPTED, 18), (WRONG, 19), (ACCEPTED, 21))) == ["attempt-2"]
    assert counting(student(policy, (WRONG, 21), (ACCEPTED, 22))) == ["attempt-1"]
    assert counting(student(policy, (WRONG, 19), (ACCEPTED, None))) == ["attempt-2"]


def test_the_best_is_not_known_while_we_failed_on_any() -> None:
    found = student(Attempts.BEST, (OURS, 18), (WRONG, 19))
    assert (found.status, found.attempts[0].status) == (Status.PENDING, Status.PENDING)
    assert failed_internally(found)
    assert student(Attempts.LATEST, (OURS, 18), (WRONG, 19)).status is Status.MARKED
    assert student(Attempts.LATEST, (WRONG, 18), (OURS, 19)).status is Status.PENDING


def test_no_failure_of_ours_is_waited_for_where_nothing_can_be_better() -> None:
    for attempts in ([(OURS, 18), (ACCEPTED, 19)], [(ACCEPTED, 18), (OURS, 19)]):
        found = student(Attempts.BEST, *attempts)
        assert (found.mark, found.status) == (10, Status.MARKED)
    # Late, so the other one could have been in time.
    assert student(Attempts.BEST, (OURS, 18), (ACCEPTED, 21)).status is Status.PENDING


def test_an_empty_attempt_does_not_hide_a_work_that_earned_nothing_so_far() -> None:
    found = student(Attempts.BEST, (WRONG, 18), (WRONG, 19), empty=2)
    assert (found.status, counting(found)) == (Status.MARKED, ["attempt-1"])
    found = student(Attempts.BEST, (OURS, 18), (WRONG, 19), (WRONG, 20), empty=3)
    assert found.status is Status.PENDING
    assert student(Attempts.BEST, (OURS, 18), (WRONG, 19), empty=2).status is Status.PENDING


def test_a_persons_mark_for_the_whole_does_not_choose_the_attempt() -> None:
    review = Review((), (OverridingMark(question="", marks=Fraction(3), reason="oral", by="B"),))
    found = student(Attempts.BEST, (ACCEPTED, 18), (WRONG, 19), review=review)
    assert (found.mark, counting(found)) == (3, ["attempt-1"])
    assert [attempt.mark for attempt in found.attempts] == [10, 0]

"""What people know and decide, in the result of a submission: criteria, overrides, time."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from grader.marking.penalties import DuePenalty
from grader.marking.questions import question_result
from grader.marking.totals import NO_TIME, failed_internally, submission_result
from grader.model.case import Case
from grader.model.policy import Deduction, DeductionBase, Late, LateStep, Smoke
from grader.model.results import CaseResult, Status, SubmissionResult
from grader.model.submission import CriterionMark, OverridingMark, Record, Review, SourceFile, Submission
from grader.model.task import Award, Criterion, Question, Task
from grader.model.verdict import Verdict

DEADLINE = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
TENTH = Deduction(Fraction(1, 10), DeductionBase.MARK)
CASE = Case(id="1.1", text="f()")
AUTOMATIC = Question(id="1", title="", module="m", marks=Fraction(6), award=Award.ALL, cases=(CASE,))
BY_HAND = Question(
    id="2",
    title="Report",
    module="",
    marks=Fraction(4),
    award=Award.ALL,
    cases=(),
    criteria=(
        Criterion(id="2.a", title="A", marks=Fraction(1)),
        Criterion(id="2.b", title="B", marks=Fraction(3)),
    ),
)
MARKED = tuple(
    CriterionMark(criterion=name, marks=Fraction(marks), comment="good", by="M", date="2026-11-25")
    for name, marks in (("2.a", 1), ("2.b", 2))
)
FILES = {"m": SourceFile("m.py", "")}
NOTHING = Review()


def result(
    review: Review = NOTHING,
    *,
    submitted: datetime | None = DEADLINE,
    verdict: Verdict = Verdict.ACCEPTED,
    files: dict[str, SourceFile] = FILES,
    asked: bool = True,
    broken: tuple[DuePenalty, ...] = (),
    **policy: Any,
) -> SubmissionResult:
    task = Task(
        id="t",
        title="",
        marks=Fraction(10),
        questions=(AUTOMATIC, BY_HAND),
        modules=(("m", "m.py"),),
        **policy,
    )
    submission = Submission("s", "s", files, record=Record(submitted, review) if asked else None)
    cases = {"1": (CaseResult(id="1.1", call="f()", verdict=verdict),), "2": ()}
    return submission_result(
        task, submission, [question_result(one, cases[one.id]) for one in task.questions], broken
    )


def override(marks: int, question: str = "") -> OverridingMark:
    return OverridingMark(question=question, marks=Fraction(marks), reason="why", by="M")


LATE = Late(
    deadline=DEADLINE, steps=(LateStep(86400, TENTH),), then=Deduction(Fraction(1), DeductionBase.MARK)
)


def test_until_a_person_marks_the_mark_is_provisional_and_pending() -> None:
    found = result()
    assert (found.status, found.mark, found.awaiting) == (Status.PENDING, 6, ("2.a", "2.b"))
    assert not failed_internally(found)
    assert found.questions[1].verdict is Verdict.SKIPPED


def test_with_all_criteria_marked_it_is_final() -> None:
    found = result(Review(marks=MARKED))
    assert (found.status, found.mark, found.awaiting) == (Status.MARKED, 9, ())
    assert found.questions[1].verdict is Verdict.PARTIAL
    assert [(one.mark, one.comment, one.by) for one in found.questions[1].criteria] == [
        (1, "good", "M"),
        (2, "good", "M"),
    ]


def test_with_some_marked_it_waits_for_the_rest() -> None:
    found = result(Review(marks=MARKED[:1]))
    assert (found.status, found.mark, found.awaiting) == (Status.PENDING, 7, ("2.b",))


def test_an_internal_error_is_ours_whoever_else_is_awaited() -> None:
    assert failed_internally(result(verdict=Verdict.INTERNAL_ERROR))
    assert failed_internally(result(Review(marks=MARKED), verdict=Verdict.INTERNAL_ERROR))


def test_an_override_of_a_question_keeps_the_original_beside_it() -> None:
    found = result(Review(MARKED, (override(5, "1"),)), verdict=Verdict.WRONG_ANSWER)
    assert found.mark == 8
    assert [(one.question, one.before, one.after, one.by) for one in found.overrides] == [("1", 0, 5, "M")]
    assert found.questions[0].mark == 5


def test_an_override_settles_a_question_that_failed_or_waits() -> None:
    settled = result(Review(MARKED, (override(5, "1"),)), verdict=Verdict.INTERNAL_ERROR)
    assert (settled.status, settled.mark) == (Status.MARKED, 8)
    settled = result(Review(overrides=(override(4, "2"),)))
    assert (settled.status, settled.mark, settled.awaiting) == (Status.MARKED, 10, ())


def test_an_override_of_the_whole_stands_as_it_is_after_all_penalties() -> None:
    found = result(
        Review(MARKED, (override(10),)),
        submitted=DEADLINE + timedelta(days=9),
        late=LATE,
        verdict=Verdict.INTERNAL_ERROR,
    )
    assert (found.status, found.mark) == (Status.MARKED, 10)
    assert [(one.question, one.before, one.after) for one in found.overrides] == [("", 0, 10)]
    assert [penalty.amount for penalty in found.penalties] == [3]


def test_rules_then_smoke_then_lateness() -> None:
    found = result(
        Review(marks=MARKED),
        verdict=Verdict.WRONG_ANSWER,
        submitted=DEADLINE + timedelta(hours=1),
        broken=(DuePenalty("a rule was broken", Deduction(Fraction(1))),),
        smoke=Smoke(("1.1",), TENTH),
        late=LATE,
    )
    assert [(one.reason, one.amount) for one in found.penalties] == [
        ("a rule was broken", 1),
        ("the smoke test failed: 1.1 (wrong answer)", Fraction(2, 10)),
        ("handed in 1 hour after the deadline", Fraction(18, 100)),
    ]
    assert found.mark == Fraction("1.62")
    assert found.late_s == 3600


def test_penalties_are_taken_before_the_one_rounding() -> None:
    third = Deduction(Fraction(1, 3), DeductionBase.MARK)
    found = result(Review(marks=MARKED), broken=(DuePenalty("", third), DuePenalty("", third)))
    assert found.mark == 4  # of 9; a third rounded on the way would not give a whole number


def test_an_unknown_time_costs_nothing_and_is_said() -> None:
    found = result(submitted=None, late=LATE)
    assert (found.penalties, found.late_s, found.submitted) == ((), 0, "")
    assert (found.deadline, found.notes) == ("2026-11-20T22:59:00Z", (NO_TIME,))


def test_in_a_self_check_nobody_asks_for_the_time() -> None:
    found = result(asked=False, late=LATE)
    assert (found.notes, found.deadline) == ((), "")


def test_nothing_is_taken_off_and_nothing_awaited_where_nothing_was_handed_in() -> None:
    found = result(
        files={}, submitted=None, late=LATE, smoke=Smoke(("1.1",), TENTH), verdict=Verdict.LOAD_ERROR
    )
    assert (found.status, found.mark, found.penalties) == (Status.NO_SUBMISSION, 0, ())
    assert (found.awaiting, found.notes) == ((), ())


def test_a_person_can_mark_what_came_on_paper() -> None:
    found = result(Review(marks=MARKED), files={}, verdict=Verdict.LOAD_ERROR)
    assert (found.status, found.mark) == (Status.MARKED, 3)

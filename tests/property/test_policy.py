"""Laws of policy: lines that add up as they are shown, caps that hold, groups within their marks."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.marking.attempts import result_of_attempts
from grader.marking.groups import group_fraction
from grader.marking.penalties import DuePenalty
from grader.marking.questions import question_result
from grader.marking.totals import submission_result
from grader.model.policy import (
    AtLeast,
    Attempts,
    Deduction,
    DeductionBase,
    Group,
    GroupAward,
    Late,
    LateStep,
    Section,
)
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import OverridingMark, Record, Review, SourceFile, Submission
from grader.model.task import Award, Question, Rounding, RoundingMode, Task
from grader.model.verdict import Verdict
from grader.reports.diff.case_value import CaseValue
from grader.reports.views.audience import for_student
from grader.reports.views.mark.mark_breakdown import shown_exactly
from grader.reports.views.mark.policy import groups_view
from grader.reports.views.submission.submission import submission_view
from grader.store.results_json import submission_of, submission_text

VERDICTS = st.sampled_from(
    [Verdict.ACCEPTED, Verdict.PARTIAL, Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.INTERNAL_ERROR]
)
SHARES = st.fractions(0, 1, max_denominator=12)
MARKS = st.fractions(Fraction(1, 100), 20, max_denominator=100)
WEIGHTS = st.fractions(Fraction(1, 7), 5, max_denominator=7)
DEADLINE = datetime(2026, 11, 20, tzinfo=UTC)
LEASTS = st.one_of(
    st.builds(AtLeast, st.integers(1, 4).map(Fraction), st.just(False)),
    st.builds(AtLeast, st.fractions(Fraction(1, 100), 1, max_denominator=100), st.just(True)),
)


@st.composite
def cases(draw: st.DrawFn, question: str, groups: list[str]) -> list[CaseResult]:
    # Each group has a case, as the spec demands.
    of = [*groups, *draw(st.lists(st.sampled_from(groups or [""]), max_size=4))] or [""]
    return [
        CaseResult(
            id=f"{question}.{number}",
            call="f()",
            verdict=draw(VERDICTS),
            score=draw(SHARES),
            weight=draw(WEIGHTS),
            group=group,
        )
        for number, group in enumerate(of, 1)
    ]


@st.composite
def group(draw: st.DrawFn, name: str, bonus: bool) -> Group:
    award = draw(st.sampled_from(GroupAward))
    needs_least = award in (GroupAward.THRESHOLD, GroupAward.MINIMUM)
    least = draw(LEASTS) if needs_least else None
    return Group(id=name, award=award, weight=draw(WEIGHTS), at_least=least, bonus=bonus)


@st.composite
def questions(draw: st.DrawFn, name: str) -> tuple[Question, list[CaseResult]]:
    groups = []
    if draw(st.booleans()):
        groups = [draw(group(f"g{number}", False)) for number in range(draw(st.integers(1, 3)))]
        groups += [draw(group("extra", True))] * draw(st.integers(0, 1))
    question = Question(
        id=name,
        title="",
        module="m",
        marks=draw(MARKS),
        award=Award.GROUPS if groups else draw(st.sampled_from([Award.ALL, Award.EACH])),
        cases=(),
        groups=tuple(groups),
        bonus=draw(st.booleans()),
    )
    return question, draw(cases(name, [each.id for each in groups]))


@st.composite
def marked(draw: st.DrawFn) -> tuple[Task, SubmissionResult]:
    """Return a task with a random policy, and the result of a submission."""
    found = [draw(questions(str(number))) for number in range(1, draw(st.integers(1, 4)) + 1)]
    names = [each.id for each, _ in found]
    of_section = draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
    section = Section("Extra", tuple(of_section), draw(MARKS))
    task = Task(
        id="t",
        title="",
        marks=draw(MARKS),
        questions=tuple(each for each, _ in found),
        modules=(("m", "m.py"),),
        rounding=Rounding(draw(WEIGHTS), draw(st.sampled_from(RoundingMode))),
        cap=draw(st.none() | MARKS),
        sections=(section,) if of_section else (),
    )
    overrides = [
        OverridingMark(question=name, marks=draw(SHARES) * task.marks, reason="why", by="B")
        for name in draw(
            st.lists(st.sampled_from(["", *(each.id for each, _ in found)]), unique=True, max_size=2)
        )
    ]
    dues = [
        DuePenalty("why", Deduction(draw(SHARES), draw(st.sampled_from(DeductionBase))))
        for _ in range(draw(st.integers(0, 2)))
    ]
    files = {"m": SourceFile("m.py", "")}
    submission = Submission("s", "s", files, record=Record(review=Review((), tuple(overrides))))
    results = [question_result(question, of_question) for question, of_question in found]
    return task, submission_result(task, submission, results, dues)


@settings(max_examples=100)
@given(marked())
def test_the_shown_lines_add_up_to_the_shown_mark(pair: tuple[Task, SubmissionResult]) -> None:
    _, result = pair
    # From the file alone, for the staff and for the student.
    of_file = submission_of(submission_text(result))
    for one in (of_file, for_student(of_file)):
        lines = submission_view(one).mark_breakdown
        amounts = [Fraction(line.amount) for line in lines]
        if lines:
            assert sum(amounts[:-1]) == amounts[-1] == shown_exactly(one.mark)
        else:
            assert sum(shown_exactly(question.mark) for question in one.questions) == shown_exactly(one.mark)
        assert not any(line.amount in ("-0", "+0") for line in lines)


@given(marked())
@pytest.mark.acceptance  # `make test` has the shown lines
def test_the_shown_groups_add_up_to_their_question(pair: tuple[Task, SubmissionResult]) -> None:
    overridden = {override.question for override in pair[1].overrides}
    for question in pair[1].questions:
        groups = groups_view(question)
        if not groups:
            continue
        assert sum(Fraction(each.mark) for each in groups) == shown_exactly(question.mark)
        if question.id not in overridden:
            assert not any(each.name == "Set by hand" for each in groups)
            worth = CaseValue(question)
            firsts = {case.group: case for case in question.cases}
            assert sum(worth.fraction(case) for case in firsts.values()) * question.max_mark == question.mark


@given(marked())
@pytest.mark.acceptance  # `make test` has the shown lines
def test_no_mark_is_above_the_cap_or_below_nothing(pair: tuple[Task, SubmissionResult]) -> None:
    task, result = pair
    whole = [override for override in result.overrides if not override.question]
    assert 0 <= (whole[0].before if whole else result.mark) <= task.most
    assert all(cap.amount > 0 for cap in result.caps)


@given(st.data())
def test_a_case_that_turns_accepted_costs_its_group_nothing(data: st.DataObject) -> None:
    of = data.draw(group("g", False))
    before = data.draw(cases("1", ["g"]))
    place = data.draw(st.integers(0, len(before) - 1))
    after = list(before)
    after[place] = replace(before[place], verdict=Verdict.ACCEPTED, score=Fraction(1))
    assert 0 <= group_fraction(of, before) <= group_fraction(of, after) <= 1
    assert group_fraction(of, [replace(case, verdict=Verdict.ACCEPTED) for case in before]) == 1


@given(
    st.sampled_from(Attempts),
    st.lists(st.tuples(st.fractions(0, 4, max_denominator=4), st.none() | st.integers(-50, 50)), min_size=1),
)
def test_one_attempt_counts_and_the_best_is_no_worse_than_any(
    policy: Attempts, handed_in: list[tuple[Fraction, int | None]]
) -> None:
    late = Late(
        deadline=DEADLINE,
        grace_s=5 * 3600,
        steps=(LateStep(24 * 3600, Deduction(Fraction(1, 2), DeductionBase.MARK)),),
        then=Deduction(Fraction(1), DeductionBase.MARK),
    )
    question = Question(id="1", title="", module="m", marks=Fraction(4), award=Award.EACH, cases=())
    task = Task(
        id="t",
        title="",
        marks=Fraction(4),
        questions=(question,),
        modules=(("m", "m.py"),),
        late=late,
        attempts=policy,
    )
    attempts, results = [], []
    for number, (mark, hours) in enumerate(handed_in):
        submitted = (
            None if hours is None else datetime.fromtimestamp(DEADLINE.timestamp() + hours * 3600, UTC)
        )
        files = {"m": SourceFile("m.py", "")}
        attempt = Submission("s", "s", files, record=Record(submitted), attempt=f"attempt-{number}")
        case = CaseResult(id="1.1", call="f()", verdict=Verdict.PARTIAL, score=mark / 4)
        attempts.append(attempt)
        results.append(submission_result(task, attempt, [question_result(question, [case])]))
    whole = Submission("s", "s", attempts=tuple(attempts))
    found = result_of_attempts(task, whole, results)
    (place,) = [number for number, each in enumerate(found.attempts) if each.counts]
    assert (found.mark, found.questions, found.late_s) == (
        results[place].mark,
        results[place].questions,
        results[place].late_s,
    )
    assert [each.mark for each in found.attempts] == [each.mark for each in results]
    in_time = [number for number, each in enumerate(results) if each.late_s <= late.grace_s]
    match policy:
        case Attempts.BEST:
            assert found.mark == max(each.mark for each in results)
        case Attempts.LATEST:
            assert place == len(results) - 1
        case Attempts.LAST_BEFORE_DEADLINE:
            assert place == (in_time[-1] if in_time else 0)

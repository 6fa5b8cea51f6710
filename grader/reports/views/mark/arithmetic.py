"""The arithmetic of a mark, step by step in words that add up: cases, award rule, question, total, rounding.

The figures come from `grader.marking`, so a step says what was really computed.
"""

from collections.abc import Iterator
from fractions import Fraction

from grader.marking.award import earned, group_part, groups_of, is_accepted, without_our_faults
from grader.marking.rounding import format_mark
from grader.model.results import CaseResult, QuestionResult, SubmissionResult
from grader.model.task import Award, Rounding
from grader.model.verdict import Verdict
from grader.reports.views.mark.mark_breakdown import BreakdownLine, exact_mark, full_breakdown
from grader.reports.views.wording import award_sentence, counted, group_sentence, verdict_wording

_MOST_NAMED = 3


def exact(number: Fraction) -> str:
    """Return a number exactly, with its decimals if it has no end: `1.5`, `2/3 (about 0.6667)`."""
    text = format_mark(number)
    return f"{text} (about {float(number):.4f})" if "/" in text else text


def case_counts(case: CaseResult) -> str:
    """Return how much a case counts: `1 of weight 1`."""
    if case.verdict is Verdict.INTERNAL_ERROR:
        return "left out, since the grader failed on it"
    return f"{exact(earned(case) * case.weight)} of weight {exact(case.weight)}"


def question_steps(question: QuestionResult, submission: SubmissionResult) -> Iterator[str]:
    """Yield the steps from the cases of a question to its mark."""
    override = next((one for one in submission.overrides if one.question == question.id), None)
    computed = override.before if override is not None else question.mark
    yield from _criteria_steps(question) if question.criteria else _case_steps(question, computed)
    if override is not None:
        when = f" on {override.date}" if override.date else ""
        change = f"{exact(override.before)} -> {exact(override.after)}"
        yield f"set by {override.by}{when}: {change}, since {override.reason}"


def _criteria_steps(question: QuestionResult) -> Iterator[str]:
    marks = [one.mark for one in question.criteria if one.mark is not None]
    parts = " + ".join(map(format_mark, marks)) or "0"
    yield f"sum of the criteria: {parts} = {exact(sum(marks, Fraction(0)))} of {exact(question.max_mark)}"


def _case_steps(question: QuestionResult, computed: Fraction) -> Iterator[str]:
    counting = without_our_faults(question.cases)
    sentence = award_sentence(question.award)
    if sentence and not question.groups:
        yield sentence
    if len(counting) < len(question.cases):
        left_out = len(question.cases) - len(counting)
        yield f"{counted(left_out, 'case')} left out, since the grader failed there"
    maximum = question.max_mark
    if question.groups:
        yield from _own_group_steps(question)
        if sum((group.mark for group in question.groups), Fraction(0)) != computed:
            yield f"recorded mark: {exact(computed)}"
        return
    if question.award == Award.ALL:
        fraction = Fraction(bool(counting) and all(map(is_accepted, counting)))
        yield from _all_steps(counting)
    else:
        parts = _weights(question)
        total = sum((weight for weight, _ in parts), Fraction(0))
        reached = sum((weight * part for weight, part in parts), Fraction(0))
        fraction = reached / total if total else Fraction(0)
        if question.award == Award.GROUPS:
            yield from _group_steps(question)
        yield f"earned weight: {exact(reached)} of {exact(total)}"
    product = fraction * maximum
    yield f"{format_mark(fraction)} x {exact(maximum)} = {exact(product)}"
    if product != computed:
        # Only a policy that this view does not know can lead here; the recorded mark counts.
        yield f"recorded mark: {exact(computed)}"


def _own_group_steps(question: QuestionResult) -> Iterator[str]:
    """Yield the marks of groups with rules of their own, which add up to the question's."""
    for group in question.groups:
        rule = group_sentence(group.award, group.at_least)
        count = f"{group.accepted} of {counted(group.cases, 'case')} accepted"
        bonus = ", bonus" if group.bonus else ""
        yield f"group {group.id}{bonus} ({rule}), {count}: {exact(group.mark)} of {exact(group.max_mark)}"
    marks = [group.mark for group in question.groups]
    yield f"{' + '.join(map(format_mark, marks))} = {exact(sum(marks, Fraction(0)))}"


def _all_steps(counting: list[CaseResult]) -> Iterator[str]:
    failed = [case for case in counting if not is_accepted(case)]
    if not failed:
        yield f"accepted: {len(counting)} of {counted(len(counting), 'case')}"
        return
    named = [f"{case.id} ({verdict_wording(case.verdict).word})" for case in failed[:_MOST_NAMED]]
    more = f" and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
    yield f"not accepted: {', '.join(named)}{more}"


def _weights(question: QuestionResult) -> list[tuple[Fraction, Fraction]]:
    """Return weight and earned part of all that counts: cases, or groups of them."""
    if question.award == Award.GROUPS:
        return [group_part(group) for group in groups_of(question.cases)]
    return [(case.weight, earned(case)) for case in without_our_faults(question.cases)]


def _group_steps(question: QuestionResult) -> Iterator[str]:
    for group in groups_of(question.cases):
        weight, part = group_part(group)
        name = f"group {group[0].group}" if group[0].group else f"case {group[0].id}"
        yield f"{name}: {'earned' if part else 'lost'}, weight {exact(weight)}"


def total_steps(submission: SubmissionResult, rounding: Rounding | None = None) -> Iterator[str]:
    """Yield the steps from the questions to the mark.  rounding: None if it is not known."""
    *steps, last = full_breakdown(submission) or (BreakdownLine("Mark", "0"),)
    for step in steps:
        yield f"{step.label}: {step.amount}" + (f", {step.reason}" if step.reason else "")
    whole = next((one for one in submission.overrides if not one.question), None)
    before, rounded = exact_mark(submission), whole.before if whole is not None else submission.mark
    if before != rounded and rounding is not None:
        rule = f"to a multiple of {exact(rounding.step)}, {rounding.mode.value}"
        yield f"rounded once, {rule}: {exact(before)} -> {exact(rounded)}"
    yield f"{last.label}: {last.amount} of {exact(submission.max_mark)}"

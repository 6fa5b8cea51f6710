"""Applies the marks that people give: by criteria, and as overrides of automatic marks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.model.policy import Second, SecondRule
from grader.model.results import CriterionResult, Override, QuestionResult
from grader.model.submission import CriterionMark, MarkGiven, MarkRole, OverridingMark, Review
from grader.model.task import Criterion, Question
from grader.model.verdict import Verdict


def criteria_result(question: Question, review: Review, second: Second | None = None) -> QuestionResult:
    """Return the result of a question that people mark.  A criterion without a mark counts as 0 so far.

    second: the rule of the second marking, for a work that has one.
    """
    criteria = tuple(_criterion(criterion, review, second) for criterion in question.criteria)
    marks = [criterion.mark for criterion in criteria if criterion.mark is not None]
    mark = sum(marks, Fraction(0))
    verdict = Verdict.SKIPPED if len(marks) < len(criteria) else _verdict(mark, question.marks)
    return QuestionResult(
        id=question.id,
        title=question.title,
        mark=mark,
        max_mark=question.marks,
        verdict=verdict,
        award=question.award.value,
        cases=(),
        criteria=criteria,
        bonus=question.bonus,
    )


def _verdict(mark: Fraction, maximum: Fraction) -> Verdict:
    if mark >= maximum:
        return Verdict.ACCEPTED
    return Verdict.PARTIAL if mark > 0 else Verdict.WRONG_ANSWER


def _criterion(criterion: Criterion, review: Review, second: Second | None) -> CriterionResult:
    result = CriterionResult(
        id=criterion.id, title=criterion.title, max_mark=criterion.marks, description=criterion.description
    )
    given = {mark.role: mark for mark in review.marks if mark.criterion == criterion.id}
    if second is None and given.keys() <= {MarkRole.FIRST}:
        first = given.get(MarkRole.FIRST)
        return _with(result, first, first.marks) if first is not None else result
    told = tuple(
        MarkGiven(role=role, mark=given[role].marks, by=given[role].by, date=given[role].date)
        for role in MarkRole
        if role in given
    )
    counting, marks = _of_two(given, second or Second())
    result = replace(result, given=told)
    return _with(result, counting, marks) if counting is not None and marks is not None else result


def _with(result: CriterionResult, given: CriterionMark, marks: Fraction) -> CriterionResult:
    return replace(result, mark=marks, comment=given.comment, by=given.by, date=given.date, work=given.work)


def _of_two(
    given: Mapping[MarkRole, CriterionMark], rule: Second
) -> tuple[CriterionMark | None, Fraction | None]:
    """Return whose words count, and the mark; None while a second mark, or an agreement, is awaited."""
    if MarkRole.AGREED in given:
        agreed = given[MarkRole.AGREED]
        return agreed, agreed.marks
    if not {MarkRole.FIRST, MarkRole.SECOND} <= given.keys():
        return None, None
    first, second = given[MarkRole.FIRST], given[MarkRole.SECOND]
    if abs(first.marks - second.marks) > rule.within:
        return None, None
    low, high = sorted((first.marks, second.marks))
    marks = {
        SecondRule.FIRST: first.marks,
        SecondRule.SECOND: second.marks,
        SecondRule.MEAN: (low + high) / 2,
        SecondRule.HIGHER: high,
        SecondRule.LOWER: low,
    }[rule.then]
    comment = "\n".join(dict.fromkeys(filter(None, (first.comment, second.comment))))
    both = " and ".join(dict.fromkeys((first.by, second.by)))
    return replace(first, comment=comment, by=both, date=max(first.date, second.date)), marks


def awaited(questions: Sequence[QuestionResult], overridden: Sequence[Override]) -> tuple[str, ...]:
    """Return the criteria that await a person, but for questions whose mark is overridden."""
    done = {override.question for override in overridden}
    return tuple(
        criterion.id
        for question in questions
        if question.id not in done
        for criterion in question.criteria
        if criterion.mark is None
    )


def overridden_questions(
    questions: Sequence[QuestionResult], review: Review
) -> tuple[tuple[QuestionResult, ...], tuple[Override, ...]]:
    """Return the questions with their overridden marks, and the overrides for the report."""
    given = {override.question: override for override in review.overrides if override.question}
    results, lines = [], []
    for question in questions:
        override = given.get(question.id)
        if override is not None:
            lines.append(_line(override, question.mark))
            question = replace(question, mark=override.marks)
        results.append(question)
    return tuple(results), tuple(lines)


def overridden_whole(mark: Fraction, review: Review) -> Override | None:
    """Return the override of the whole submission's mark, for the report; None where there is none."""
    return next((_line(given, mark) for given in review.overrides if not given.question), None)


def _line(given: OverridingMark, before: Fraction) -> Override:
    return Override(
        question=given.question,
        before=before,
        after=given.marks,
        reason=given.reason,
        by=given.by,
        date=given.date,
        work=given.work,
    )

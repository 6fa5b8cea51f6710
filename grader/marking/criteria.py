"""Applies the marks that people give: by criteria, and as overrides of automatic marks."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.model.results import CriterionResult, Override, QuestionResult
from grader.model.submission import OverridingMark, Review
from grader.model.task import Criterion, Question
from grader.model.verdict import Verdict


def criteria_result(question: Question, review: Review) -> QuestionResult:
    """Return the result of a question that people mark.  A criterion without a mark counts as 0 so far."""
    criteria = tuple(_criterion(criterion, review) for criterion in question.criteria)
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


def _criterion(criterion: Criterion, review: Review) -> CriterionResult:
    result = CriterionResult(
        id=criterion.id, title=criterion.title, max_mark=criterion.marks, description=criterion.description
    )
    for given in review.marks:
        if given.criterion == criterion.id:
            return replace(
                result,
                mark=given.marks,
                comment=given.comment,
                by=given.by,
                date=given.date,
                work=given.work,
            )
    return result


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

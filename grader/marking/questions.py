"""The result of one question, from the results of its cases."""

from collections.abc import Sequence
from fractions import Fraction

from grader.marking.award import earned_fraction
from grader.marking.groups import group_results
from grader.model.results import CaseResult, QuestionResult
from grader.model.task import Question
from grader.model.verdict import Verdict, summary


def question_result(question: Question, cases: Sequence[CaseResult]) -> QuestionResult:
    """Return the result of a question, given the results of all its cases, in order.

    An internal error among them makes the whole submission pending.  Meanwhile the mark is what the other
    cases alone would earn.
    """
    groups = group_results(question, cases)
    earned = sum((group.mark for group in groups), Fraction(0))
    mark = earned if groups else question.marks * earned_fraction(question.award, cases)
    return QuestionResult(
        id=question.id,
        title=question.title,
        mark=mark,
        max_mark=question.marks,
        verdict=_verdict(cases, has_full_marks=bool(groups) and mark >= question.marks),
        award=question.award.value,
        cases=tuple(cases),
        groups=groups,
        bonus=question.bonus,
    )


def _verdict(cases: Sequence[CaseResult], *, has_full_marks: bool) -> Verdict:
    """Return the verdict; a case that a group can do without does not spoil full marks."""
    found = summary(case.verdict for case in cases)
    return Verdict.ACCEPTED if has_full_marks and found is not Verdict.INTERNAL_ERROR else found

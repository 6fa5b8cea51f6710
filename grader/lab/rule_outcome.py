"""The outcome of the rules on source, for one submission."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from grader.judge.rules import reason_of
from grader.marking.penalties import DuePenalty
from grader.model.policy import Deduction, DeductionBase
from grader.model.results import CaseResult, RuleResult, SubmissionResult
from grader.model.task import Task


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """The outcome of all rules.

    cases: the results of cases with a rule, and of all cases if the submission is rejected.
    penalties_due: the penalties.
    reach: for each module that rules cover, the modules that it can import when it runs, which are covered
        too.  So an import that the rules do not see finds nothing.
    read: the texts that run in place of what was handed in: bytes as the rules read them; modules and cells
        that the rules could not read, which are refused.
    """

    cases: Mapping[str, CaseResult] = field(default_factory=dict)
    penalties_due: tuple[DuePenalty, ...] = ()
    rules: tuple[RuleResult, ...] = ()
    rejected: str = ""
    reach: Mapping[str, frozenset[str]] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)

    def applied_to(self, result: SubmissionResult) -> SubmissionResult:
        """Return the submission's result with the results of the task's rules."""
        problems = (*result.problems, self.rejected) if self.rejected else result.problems
        return replace(result, rules=self.rules, problems=problems)


def due_for_rejection(task: Task, rejecting: RuleResult) -> tuple[DuePenalty, ...]:
    """Return the penalty of a rejected submission: all that people gave, by criteria or for a question."""
    by_hand = any(question.criteria for question in task.questions)
    all_of_it = Deduction(Fraction(1), DeductionBase.MARK)
    return (DuePenalty(reason_of(rejecting), all_of_it, told_if_zero=by_hand),)

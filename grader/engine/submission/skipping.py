"""Which cases of a submission do not run, and why: they need another one, or come too late."""

from collections.abc import Mapping

from grader.judge.messages import unmet
from grader.lab.turn import CaseTurn
from grader.model.case import Case
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult
from grader.model.task import Award, Question, Task
from grader.model.verdict import Verdict
from grader.sandbox.budget import Budget

_TIMEOUTS = (Verdict.TIME_LIMIT, Verdict.WALL_LIMIT)


class Skipping:
    """Decides about the cases of one submission.  results: those that there are; they grow meanwhile."""

    def __init__(self, task: Task, results: Mapping[str, CaseResult], budget: Budget) -> None:
        self._results = results
        self._budget = budget
        self._needed = _needed_elsewhere(task)

    def outcome_of(self, turn: CaseTurn) -> Outcome | None:
        """Return the outcome of a case that does not run; None if it runs."""
        without = self.unmet(turn.case)
        if without is not None:
            return without
        # Its own question's mark may be decided, but not that of another which needs it.
        ended = self._ended_by_time(turn.question) if turn.case.id not in self._needed else ""
        reason = ended or (self._budget.reason() if self._budget.is_used_up else "")
        return _skipped(reason) if reason else None

    def unmet(self, case: Case) -> Outcome | None:
        """Return the outcome of a case that needs another one which was not accepted; else None.

        Where our own side or the spec failed to run that one, nobody knows whether this one would have run,
        and it is no fault of the student's either.
        """
        found = [(need, self._results.get(need)) for need in case.needs]
        wanting = [(need, met) for need, met in found if met is None or met.verdict is not Verdict.ACCEPTED]
        for need, met in wanting:
            if met is None or met.verdict is not Verdict.INTERNAL_ERROR:
                return _skipped(unmet(need))
        return failed(f"it needs case {wanting[0][0]}, which could not be run") if wanting else None

    def _ended_by_time(self, question: Question) -> str:
        """Return the reason if time limits left the question without marks, or are as many as it takes."""
        most = 1 if question.award is Award.ALL else question.stop_after
        if most is None:
            return ""
        results = [self._results.get(case.id) for case in question.cases]
        late = [each.id for each in results if each is not None and each.verdict in _TIMEOUTS]
        if len(late) < most:
            return ""
        if question.award is Award.ALL:
            return f"case {late[0]} ran out of time, which decides this question's mark"
        cases = f"case {late[0]}" if most == 1 else f"cases {', '.join(late[:-1])} and {late[-1]}"
        return f"{cases} ran out of time, after which this question stops"


def _needed_elsewhere(task: Task) -> frozenset[str]:
    """Return the cases that cases of other questions need, by way of others too."""
    cases = {case.id: case for case in task.cases}
    found: set[str] = set()
    for question in task.questions:
        own = {case.id for case in question.cases}
        waiting = [need for case in question.cases for need in case.needs if need not in own]
        while waiting:
            need = waiting.pop()
            if need not in found:
                found.add(need)
                waiting += cases[need].needs if need in cases else ()
    return frozenset(found)


def _skipped(reason: str) -> Outcome:
    return Outcome(ending=Ending.BUDGET, detail=f"skipped: {reason}")


def failed(reason: str) -> Outcome:
    """Return the outcome of a case that our own side, or a plugin, failed to run."""
    return Outcome(ending=Ending.INTERNAL, detail=reason)

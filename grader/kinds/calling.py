"""The part that kinds of cases have in common which call functions of the student's module."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from grader.judge.finding import Expected
from grader.kinds.kind import Kind
from grader.lab.folders import no_folder
from grader.lab.lab import Lab
from grader.lab.oracle import Oracle
from grader.lab.turn import CaseTurn
from grader.model.case import Case
from grader.model.kinds import What, calls_of
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.task import Task
from grader.sandbox.box import Job
from grader.sandbox.evidence import Evidence

if TYPE_CHECKING:
    from grader.reports.standalone import Standalone
    from grader.spec.writing.cases import Writer

W = TypeVar("W", bound=What)


class CallingKind(Kind[W]):
    """A kind whose cases call functions: those that `calls_of` returns.

    It runs them in a process of their own, asks the reference for the same, and writes them for people.
    """

    def typed(self, case: Case, writer: "Writer") -> str:
        return writer.statements(case)

    def expected(self, case: Case, module: str, oracle: Oracle) -> Expected:
        return oracle.answers(case, module)

    def run(self, turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
        known = lab.known(turns)
        if known:
            for one in known:
                lab.budget.charge(one.report)
            return known
        # A student's box takes one case at a time, since each case changes the budget for the next one.
        turn = turns[0]
        box = lab.boxes.box(turn)
        if isinstance(box, Outcome):
            return [box] * len(turns)
        if calls_of(turn.case).folder is not None:
            refused = no_folder(lab.tools.zygote, "a case")
            if refused is not None:
                return [refused]
        answerer = lab.tools.oracle.answerer(turn.case)
        job = Job(lab.inputs.requests[turn.case.id], allowed(turn.case.limits), answerer)
        with lab.working():
            (found,) = box.gather([job])
            lab.note_waiting(found)
        return [lab.counted(turn, found)]

    def alone(
        self, case: Case, module: str, texts: Mapping[str, str], task: Task, replayed: CaseResult
    ) -> "Standalone":
        from grader.reports.standalone import of_calls

        return of_calls(calls_of(case), module, texts, task.seed_of(case))

"""Cases that call functions: one call, many together, a scenario, or inputs that are drawn or listed."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.judge.finding import Checkers, Expected, Finding
from grader.judge.given import given_files
from grader.kinds.calls.answered import expected_text
from grader.kinds.calls.judge import judge_calls
from grader.kinds.calls.pictures import subjects
from grader.kinds.calls.running import about, asks_reference, captures, printed_texts, run_calls
from grader.kinds.kind import Kind
from grader.lab.lab import Lab
from grader.lab.oracle import Oracle
from grader.lab.pictures import Subject
from grader.lab.turn import CaseTurn
from grader.model.case import Calls, Case, Generated, Raises, Text
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.task import Task
from grader.model.values import DeclaredType
from grader.sandbox.evidence import Evidence
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.yamlfile.table import Fields

if TYPE_CHECKING:
    from grader.reports.standalone import Standalone
    from grader.spec.writing.cases import Writer


class CallCases(Kind[Calls]):
    """Calls of functions of the student's module."""

    name = "calls"
    calls = True

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Case | None:
        from grader.kinds.calls.reading import read_calls

        return read_calls(fields, common, context, inherited)

    def undrawn(self, case: Case) -> str | None:
        if case.steps or case.plot is not None:
            return ""
        return "raises" if isinstance(case.expect, Raises) else None

    def drawn_inputs(self, case: Case) -> Generated | None:
        return case.generated if case.generated is not None and case.generated.drawn else None

    def typed(self, case: Case, writer: "Writer") -> str:
        return writer.statements(case)

    def written(self, case: Case, writer: "Writer") -> dict[str, object]:
        from grader.kinds.calls.written import written

        return written(case, writer)

    def box(self, case: Case) -> Hashable:
        return case.harness

    def texts(self, case: Case) -> Sequence[Text]:
        return printed_texts(case)

    def each_by_itself(self, case: Case) -> bool:
        return bool(case.steps)

    def gain(self, case: Case) -> str:
        if case.growth is None or not case.growth.decides:
            return ""
        lacks = "" if case.growth.again else "; all of its inputs are known, and answers can be kept"
        return (
            "the growth of its time decides marks, and a program can make it look better by wasting time on "
            f"small inputs{lacks}"
        )

    def captures(self, case: Case) -> bool:
        return captures(case)

    def asks_reference(self, case: Case) -> bool:
        return asks_reference(case)

    def expected(self, case: Case, module: str, oracle: Oracle) -> Expected:
        return oracle.answers(case, module)

    def about(
        self, task: Task, case: Case, request: bytes, reference: Outcome | None
    ) -> Sequence[str | bytes]:
        return about(case, request)

    def run(self, turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
        return run_calls(turns, lab)

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        return judge_calls(case, outcome, expected, oracle)

    def expected_text(self, case: Case, expected: Expected | None) -> str:
        return expected_text(case, expected)

    def with_given(self, case: Case, result: CaseResult, outcome: Outcome, finding: Finding) -> CaseResult:
        return replace(result, given=given_files(case.folder.files)) if case.folder is not None else result

    def timed(self, turn: CaseTurn, result: CaseResult, lab: Lab) -> CaseResult:
        from grader.kinds.calls.timing import timed

        return timed(turn, result, lab)

    def not_timed(self, case: Case, result: CaseResult, reason: str) -> CaseResult:
        from grader.kinds.calls.relative_time import not_timed

        return not_timed(case, result, reason)

    def subjects(
        self, case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
    ) -> Iterator[Subject]:
        return subjects(case, outcome, expected, result)

    def alone(
        self, case: Case, module: str, texts: Mapping[str, str], task: Task, replayed: CaseResult
    ) -> "Standalone":
        from grader.reports.standalone import of_calls

        return of_calls(case, module, texts, task.seed_of(case))

    def stays(self, case: Case) -> str:
        if case.pace is not None:
            return "its time is compared with the reference's"
        return "its time is measured over growing inputs" if case.growth is not None else ""

    def answered(self, case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
        from grader.kinds.calls.handout import answered

        return answered(case, expected, types)


KIND = CallCases()

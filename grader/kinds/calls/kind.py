"""Cases that call functions: one call, many together, a scenario, or inputs that are drawn or listed."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.judge.finding import Checkers, Expected, Finding
from grader.judge.given import given_files
from grader.kinds.calling import CallingKind
from grader.kinds.calls.answered import expected_text
from grader.kinds.calls.judge import judge_calls
from grader.kinds.calls.pictures import subjects
from grader.lab.lab import Lab
from grader.lab.pictures import Subject
from grader.lab.requests import watched_in
from grader.lab.turn import CaseTurn
from grader.model.case import (
    Calls,
    Case,
    Check,
    Expectation,
    Generated,
    Raises,
    Rendering,
    SameAsReference,
    Text,
)
from grader.model.kinds import calls_of
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.task import Task
from grader.model.values import DeclaredType
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.yamlfile.table import Fields

if TYPE_CHECKING:
    from grader.spec.writing.cases import Writer


class CallCases(CallingKind[Calls]):
    """Calls of functions of the student's module."""

    name = "calls"

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        from grader.kinds.calls.reading.case import read_calls

        return [read_calls(fields, common, context, inherited)]

    def undrawn(self, case: Case) -> str | None:
        what = calls_of(case)
        if what.apart or what.plot is not None:
            return ""
        return "raises" if isinstance(what.decides, Raises) else None

    def drawn_inputs(self, case: Case) -> Generated | None:
        generated = calls_of(case).generated
        return generated if generated is not None and generated.drawn else None

    def calls_of(self, case: Case) -> Calls:
        assert isinstance(case.what, Calls)
        return case.what

    def expectations(self, case: Case) -> Sequence[Expectation]:
        what = calls_of(case)
        stated = (what.expect, *(step.expect for step in what.steps))
        return [expect for expect in stated if expect is not None]

    def with_checks(self, case: Case, change: Callable[[Check], Check]) -> Case:
        what = calls_of(case)

        def changed(expect: Expectation | None) -> Expectation | None:
            return change(expect) if isinstance(expect, Check) else expect

        steps = tuple(replace(step, expect=changed(step.expect)) for step in what.steps)
        return replace(case, what=replace(what, expect=changed(what.expect), steps=steps))

    def with_picture(self, case: Case, picture: Rendering) -> Case:
        what = calls_of(case)
        if what.combine is not None:
            return replace(case, what=replace(what, picture=picture))
        return replace(case, what=replace(what, steps=(replace(what.steps[0], picture=picture),)))

    def written(self, case: Case, writer: "Writer") -> dict[str, object]:
        from grader.kinds.calls.written import written

        return written(case, writer)

    def box(self, case: Case) -> Hashable:
        what = calls_of(case)
        return what.harness, what.around

    def texts(self, case: Case) -> Sequence[Text]:
        return [step.prints for step in calls_of(case).steps if step.prints is not None]

    def each_by_itself(self, case: Case) -> bool:
        return calls_of(case).apart

    def names_steps(self, case: Case) -> bool:
        what = calls_of(case)
        return what.apart and what.generated is None

    def gain(self, case: Case) -> str:
        growth = calls_of(case).growth
        if growth is None or not growth.decides:
            return ""
        lacks = "" if growth.again else "; all of its inputs are known, and answers can be kept"
        return (
            "the growth of its time decides marks, and a program can make it look better by wasting time on "
            f"small inputs{lacks}"
        )

    def captures(self, case: Case) -> bool:
        return bool(self.texts(case))

    def asks_reference(self, case: Case) -> bool:
        what = calls_of(case)
        if what.plot is not None and what.plot.asks_reference:
            return True
        if any(isinstance(expect, SameAsReference) for expect in what.expects):
            return True
        files = what.folder.texts if what.folder is not None else ()
        return any(text.asks_reference for text in (*self.texts(case), *(text for _, text in files)))

    def repeats(self, case: Case) -> Sequence[Case]:
        if calls_of(case).growth is None:
            return ()
        from grader.kinds.calls.timing.growth import repeats

        return repeats(case)

    def untimed(self, case: Case, *, growth: bool) -> Case:
        what = calls_of(case)
        return replace(case, what=replace(what, pace=None, growth=what.growth if growth else None))

    def about(
        self, task: Task, case: Case, request: bytes, reference: Outcome | None
    ) -> Sequence[str | bytes]:
        return request, repr([(watched.name, watched.source) for watched in watched_in(case)])

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        return judge_calls(case, outcome, expected, oracle)

    def expected_text(self, case: Case, expected: Expected | None) -> str:
        return expected_text(calls_of(case), expected)

    def with_given(self, case: Case, result: CaseResult, outcome: Outcome, finding: Finding) -> CaseResult:
        folder = calls_of(case).folder
        return replace(result, given=given_files(folder.files)) if folder is not None else result

    def timed(self, turn: CaseTurn, result: CaseResult, lab: Lab) -> CaseResult:
        from grader.kinds.calls.timing.growth import measure_growth
        from grader.kinds.calls.timing.ratio import compare_times
        from grader.kinds.calls.timing.track import Track

        # A process that is left of the submission could do the work, or use the core.
        lab.boxes.close()
        track = Track(lab, turn.case, lab.boxes.program(turn), lab.budget)
        measure = compare_times if calls_of(turn.case).growth is None else measure_growth
        # This thread decodes and judges the answers.
        with lab.budget.spending():
            return measure(track, result)

    def not_timed(self, case: Case, result: CaseResult, reason: str) -> CaseResult:
        from grader.kinds.calls.timing.ratio import not_timed

        return not_timed(case, result, reason)

    def subjects(
        self, case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
    ) -> Iterator[Subject]:
        return subjects(calls_of(case), outcome, expected, result)

    def stays(self, case: Case) -> str:
        what = calls_of(case)
        if what.pace is not None:
            return "its time is compared with the reference's"
        return "its time is measured over growing inputs" if what.growth is not None else ""

    def public(self, case: Case) -> Case:
        from grader.kinds.calls.handout import public

        return replace(case, what=public(calls_of(case)))

    def answered(self, case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
        from grader.kinds.calls.handout import answered

        return replace(case, what=answered(calls_of(case), expected, types))


KIND = CallCases()

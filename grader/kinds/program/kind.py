"""Cases that run a module as a program: arguments, input or a dialogue, output, files and an exit code."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.judge.finding import Checkers, Expected, Finding, OwnFault
from grader.kinds.kind import Kind, Unfit
from grader.kinds.program import running
from grader.kinds.program.command import command
from grader.kinds.program.judge import as_literals, asks_reference, compared_texts, judge_program
from grader.kinds.program.pictures import subjects
from grader.kinds.program.transcript import typed_lines, with_transcript
from grader.lab.lab import Lab
from grader.lab.oracle import Oracle
from grader.lab.pictures import Subject
from grader.lab.turn import CaseTurn
from grader.languages.toolchain import language_of, toolchain_named
from grader.model.case import Calls, Case, Check, Expectation, ProgramRun, Rendering, Text
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.model.values import DeclaredType
from grader.sandbox.box import Program
from grader.sandbox.evidence import Evidence
from grader.sandbox.tools.toolchains import needed_compilers
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.worker.box.native import INPUT_MOST_B
from grader.yamlfile.table import Fields

if TYPE_CHECKING:
    from grader.reports.standalone import Standalone
    from grader.spec.writing.cases import Writer


class ProgramCases(Kind[ProgramRun]):
    """A module that is run as a program."""

    name = "program"
    as_main = True
    imports = False

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        from grader.kinds.program.reading import decode_program

        return [decode_program(fields, common, context)]

    def module(self, what: ProgramRun, of_question: str) -> str:
        return what.module

    def python_alone(self, case: Case) -> str:
        run = run_of(case)
        if run.keeps:
            return "looks at the files that are left"
        if len(run.stdin.encode()) > INPUT_MOST_B:
            return f"reads more than {INPUT_MOST_B >> 20} MiB"
        return ""

    def expectations(self, case: Case) -> Sequence[Expectation]:
        run = run_of(case)
        return (run.expect,) if run.check is None else (run.expect, run.check)

    def with_checks(self, case: Case, change: Callable[[Check], Check]) -> Case:
        run = run_of(case)
        return case if run.check is None else replace(case, what=replace(run, check=change(run.check)))

    def with_picture(self, case: Case, picture: Rendering) -> Case:
        return replace(case, what=replace(run_of(case), picture=picture))

    def written(self, case: Case, writer: "Writer") -> dict[str, object]:
        if reason := self.stays(case):
            raise Unfit(reason)
        return writer.program(run_of(case))

    def stays(self, case: Case) -> str:
        # It could give an answer away, and students' machines need not have its compiler.
        return "a program of the spec judges it" if run_of(case).judges else ""

    def tools(self, case: Case) -> Mapping[str, Callable[[], str]]:
        languages = [each.language for each in run_of(case).judges if each.language]
        found = [needed_compilers(toolchain_named(each)) for each in languages]
        return {name: tell for each in found for name, tell in each.items()}

    def typed(self, case: Case, writer: "Writer") -> str:
        return writer.input_of(run_of(case))

    def box(self, case: Case) -> Hashable:
        return run_of(case).module, run_of(case).harness

    def calls_of(self, case: Case) -> Calls:
        return Calls(harness=run_of(case).harness)

    def program(self, case: Case, program: Program, task: Task, files: Mapping[str, SourceFile]) -> Program:
        return running.loaded_program(run_of(case), program, task, files)

    def texts(self, case: Case) -> Sequence[Text]:
        return compared_texts(run_of(case))

    def asks_reference(self, case: Case) -> bool:
        return asks_reference(run_of(case))

    def expected(self, case: Case, module: str, oracle: Oracle) -> Expected:
        assert oracle.task.reference is not None, "the oracle looks before it asks"
        return running.expected_of(case, run_of(case), oracle.task.reference, oracle)

    def about(
        self, task: Task, case: Case, request: bytes, reference: Outcome | None
    ) -> Sequence[str | bytes]:
        return running.about(task, case, run_of(case), reference)

    def run(self, turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
        return [running.run_program(turns[0], run_of(turns[0].case), lab)]

    def command(self, case: Case, task: Task, submission: Submission) -> str:
        run = run_of(case)
        file = submission.files.get(run.module)
        toolchain = task.toolchain_of(file.name) if file is not None else None
        if file is None or toolchain is None:
            return ""
        language = language_of(toolchain)
        return command(language.command(run.module, language.file_of(run.module, file.name)), run)

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        return judge_program(case, run_of(case), outcome, expected, oracle)

    def with_given(self, case: Case, result: CaseResult, outcome: Outcome, finding: Finding) -> CaseResult:
        return with_transcript(result, run_of(case), outcome, finding.wrong_turn)

    def subjects(
        self, case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
    ) -> Iterator[Subject]:
        return subjects(run_of(case), outcome, expected, result)

    def alone(
        self, case: Case, module: str, texts: Mapping[str, str], task: Task, replayed: CaseResult
    ) -> "Standalone":
        from grader.reports.standalone import NotStandalone, of_program

        run = run_of(case)
        if run.passes > 1:
            raise NotStandalone("it runs several times, each time with an input that the validator writes")
        typed = typed_lines(run, replayed.dialogue) if run.talks else None
        return of_program(run, texts, f"{run.main}.py", task.seed_of(case), typed)

    def players(self, case: Case) -> tuple[str, ...]:
        player = run_of(case).player
        return (player.function,) if player is not None else ()

    def public(self, case: Case) -> Case:
        return replace(case, what=replace(run_of(case), picture=None))

    def answered(self, case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
        if expected is None or expected.failure or expected.outcome is None:
            raise OwnFault((expected and expected.failure) or "it was not run")
        return replace(case, what=as_literals(run_of(case), expected.outcome))


def run_of(case: Case) -> ProgramRun:
    """Return the program that a case of this kind runs."""
    assert isinstance(case.what, ProgramRun)
    return case.what


KIND = ProgramCases()

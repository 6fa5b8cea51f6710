"""One round of `grader try`: what each program gets, and what of it the instructor did not expect."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from grader.authoring.bench import REFERENCE, Program, TrialRunner, programs_of
from grader.authoring.programs import WRONG, Declaration, folder_of
from grader.engine.proof.faults import faults_of
from grader.engine.proof.marking import ReferenceMarks
from grader.engine.self_check import with_cases
from grader.lab.run_inputs import Expectations
from grader.marking.rounding import format_mark, rounded
from grader.model.errors import Fault, UsageError
from grader.model.events import TellPhase, ignore_phase
from grader.model.results import CaseResult, SubmissionResult
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.spec import load_task


@dataclass(frozen=True, slots=True)
class Surprise:
    """Something that the instructor did not expect of a program.

    case: its id and call where it is about one case; empty for the whole program.
    """

    program: str
    problem: str
    case: str = ""
    call: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class TrialRound:
    """The results of a round.  surprises: by program, in the order of the results."""

    task: Task
    results: tuple[tuple[Program, SubmissionResult], ...]
    surprises: tuple[Surprise, ...]

    @property
    def is_pending(self) -> bool:
        """Whether the grader or the spec's own code failed somewhere."""
        return any(
            case.verdict is Verdict.INTERNAL_ERROR
            for _, result in self.results
            for question in result.questions
            for case in question.cases
        )


def try_spec(
    spec: Path, questions: Sequence[str], bench: TrialRunner, tell: TellPhase = ignore_phase
) -> TrialRound:
    """Load a spec, and mark its own programs by all questions, or by some.  Raises `UsageError`."""
    tell("reading the spec")
    whole = load_task(spec)
    task = _part(whole, questions)
    programs = programs_of(whole)
    if not programs:
        hint = f"name a `reference`, or put programs into {folder_of(whole) / WRONG}/NAME/"
        raise UsageError(Fault("this task has no reference and no programs to try", str(spec), hint=hint))
    results = bench.mark(task, programs, tell)
    pairs = tuple((program, results[program.name]) for program in programs)
    found = [each for program, result in pairs for each in _surprises(task, program, result, not questions)]
    if REFERENCE in results:
        found += _unproven(task, results[REFERENCE], bench.expectations)
    return TrialRound(task, pairs, tuple(found))


def _part(task: Task, wanted: Sequence[str]) -> Task:
    """Return the task with the wanted questions alone; needs of cases elsewhere are dropped."""
    known = [question.id for question in task.questions if question.cases]
    for name in wanted:
        if name not in known:
            raise UsageError(Fault(f"there is no question {name!r} with cases; there are {', '.join(known)}"))
    if not wanted:
        return with_cases(task, lambda case: True)
    ids = {case.id for question in task.questions if question.id in wanted for case in question.cases}
    return replace(with_cases(task, lambda case: case.id in ids), rules=(), smoke=None)


def _surprises(task: Task, program: Program, result: SubmissionResult, is_whole: bool) -> Iterator[Surprise]:
    if program.kind == WRONG and program.declared is not None:
        yield from _unlike_declared(program.name, program.declared, result, is_whole)
    elif program.kind == WRONG:
        if is_whole and all(case.verdict is Verdict.ACCEPTED for case in _cases(result)):
            yield Surprise(program.name, "is accepted in every case")
    else:
        failing = [case for case in _cases(result) if case.verdict is not Verdict.ACCEPTED]
        for case in failing:
            yield _of_case(program.name, f"is not accepted: {case.verdict}", case)
        broken = [rule for rule in result.rules if rule.broken] if program.kind == REFERENCE else []
        for rule in broken:
            yield Surprise(program.name, f"breaks the rule `{rule.rule}`", message=rule.findings[0].message)
        most = min(rounded(task.most, task.rounding), task.most)
        if not failing and not broken and result.mark < most:
            problem = f"gets {format_mark(result.mark)} of {format_mark(most)}"
            reasons = (*result.problems, *(penalty.reason for penalty in result.penalties))
            yield Surprise(program.name, problem, message="; ".join(reasons))


def _unproven(task: Task, result: SubmissionResult, expectations: Expectations) -> Iterator[Surprise]:
    """Yield why `mark` would refuse the spec although the reference is accepted.

    Its answers may be none that another program can be compared with: an exception where none is expected,
    or no plain data.
    """
    cases = {case.id: case for case in _cases(result)}
    for fault in faults_of(task, ReferenceMarks(cases, result.rules, expectations)):
        case = cases.get(fault.case)
        if fault.rule or (case is not None and case.verdict is not Verdict.ACCEPTED):
            continue
        told = "; ".join(filter(None, (fault.message, fault.hint)))
        yield Surprise(
            REFERENCE, "is refused by `grader mark`", fault.case, case.call if case is not None else "", told
        )


def _unlike_declared(
    name: str, declared: Declaration, result: SubmissionResult, is_whole: bool
) -> Iterator[Surprise]:
    cases = {case.id: case for case in _cases(result)}
    for case_id, verdict in declared.get("verdicts", {}).items():
        case = cases.get(case_id)
        if case is not None and str(case.verdict) != verdict:
            yield _of_case(name, f"is declared {verdict}, and is {case.verdict}", case)
    marks = {question.id: question.mark for question in result.questions}
    for question_id, text in declared.get("questions", {}).items():
        if question_id in marks and not _is(marks[question_id], text):
            found = format_mark(marks[question_id])
            yield Surprise(name, f"is declared to get {text} in question {question_id}, and gets {found}")
    mark = declared.get("mark", "")
    if is_whole and mark and not _is(result.mark, mark):
        yield Surprise(name, f"is declared to get {mark}, and gets {format_mark(result.mark)}")


def _is(mark: Fraction, text: str) -> bool:
    try:
        return mark == Fraction(text)
    except (ValueError, ZeroDivisionError):
        return False


def _of_case(name: str, problem: str, case: CaseResult) -> Surprise:
    return Surprise(name, problem, case.id, case.call, case.message)


def _cases(result: SubmissionResult) -> Iterator[CaseResult]:
    for question in result.questions:
        yield from question.cases

"""Validates a spec: does it accept the reference, and does it catch faults?

The checks come in an order in which each can use what the ones before found; see `model.validation.Check`.
A spec that its own reference does not pass is checked all the same, without the cases that it fails.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from grader.doctor.doctor import strongest
from grader.engine.cache.keys import conditions_key
from grader.engine.run_config import prepare_run
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Mutant, QuestionScore, Remark, Validation
from grader.model.verdict import Verdict
from grader.runtime.cores import default_processes
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.validation import mutation
from grader.validation.cases import failures_of, never_failed, unneeded
from grader.validation.crew import Crew, TellDone
from grader.validation.equivalent import read_equivalent
from grader.validation.jobs import Checking, Distinguish, Job, Marking, Trying
from grader.validation.known import Known
from grader.validation.limits import head_room
from grader.validation.odd_answers import checkers_of
from grader.validation.programs import Programs, read_programs, slow_cases
from grader.validation.secrets import secrets_in_spec
from grader.validation.steadiness import steadiness
from grader.validation.trial import program, reference_program
from grader.validation.verdicts import blank_remarks, program_remarks, reference_remarks, secret_remarks

QUICK_MUTANTS = 40
EMPTY, HANDOUT, REFERENCE = "an empty file", "the bare handout", "reference"
_MOST_OTHERS = 12
"""Right answers of so many other cases are tried on a checker."""

MutantsOf = Callable[[Task], Sequence[Mutant]]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a validation.

    quick: for a hook before each commit: some mutants, cheap cases, no search.
    python: see `find_interpreter`.  jobs: processes; 0 for one a core.
    known: the file with results of earlier runs; None: keep nothing.
    """

    quick: bool = False
    python: str = ""
    jobs: int = 0
    known: Path | None = None


def validate(
    task: Task, options: Options, mutants_of: MutantsOf, distinguish: Distinguish | None, tell: TellDone
) -> Validation:
    """Validate a spec.  Raises `UsageError` and `NoSandbox`.

    mutants_of: see `grader.validation.mutants`.  distinguish: see `jobs.Distinguish`.
    """
    if task.reference is None:
        hint = "name one with  reference: FOLDER"
        raise UsageError(Fault("the spec has no reference to test it with", str(task.spec_path), hint=hint))
    began_s = monotonic()
    programs, equivalent = read_programs(task), read_equivalent(task)
    python = options.python or task.python
    tell("examining the sandbox", 0, 0)
    examination = strongest(find_interpreter(python), Driver.POSIX)
    tell("asking the reference", 0, 0)
    config = prepare_run(task, examination.driver, python)
    known = Known(options.known, conditions_key(task, examination, find_interpreter(python)))
    mutants = list(mutants_of(task))
    if options.quick:
        mutants = _spread(mutants, QUICK_MUTANTS)
    crew = Crew(task, config, known, options.jobs or default_processes(), distinguish, tell)
    with crew:
        validating = _Validating(task, programs, mutants, crew, options.quick)
        try:
            validating.run()
            questions = validating.scores(equivalent)
        finally:
            known.save(all_of_them=options.quick)
    caught = {
        question: {m for m, failed in by.items() if failed} for question, by in validating.kills.items()
    }
    validating.note(
        Check.MUTANTS, equivalent.wrong({mutant.id for mutant in mutants}, caught, quick=options.quick)
    )
    return Validation(
        task=task.id,
        title=task.title,
        spec=str(task.spec_path),
        spec_sha256=task.spec_sha256,
        checks=validating.checks,
        remarks=tuple(validating.remarks),
        questions=questions,
        mutants=len(mutants),
        quick=options.quick,
        elapsed_s=monotonic() - began_s,
        kept=crew.kept,
    )


def _spread(mutants: Sequence[Mutant], most: int) -> list[Mutant]:
    """Return at most so many mutants, from all over the reference."""
    if len(mutants) <= most:
        return list(mutants)
    return [mutants[place * len(mutants) // most] for place in range(most)]


class _Validating:
    """The checks of one validation, and what they found."""

    def __init__(
        self, task: Task, programs: Programs, mutants: Sequence[Mutant], crew: Crew, quick: bool
    ) -> None:
        self._task, self._programs, self._mutants = task, programs, mutants
        self._crew, self._quick = crew, quick
        self.remarks: list[Remark] = []
        self.checks: dict[Check, int] = {}
        self.kills: Mapping[str, Mapping[str, Sequence[str]]] = {}
        self._marked: dict[str, Any] = {}
        """The facts of marked programs, by name."""

    def note(self, check: Check, remarks: Iterator[Remark], tried: int = 0) -> None:
        """Keep what a check found."""
        self.remarks += remarks
        self.checks[check] = self.checks.get(check, 0) + tried

    def run(self) -> None:
        """Do all checks but the mutants'."""
        self._mark_programs()
        self.note(Check.SECRETS, secrets_in_spec(self._task))
        if not self._quick:
            self._try_checkers()
            self._run_again()

    @property
    def _passed(self) -> dict[str, Any]:
        """The reference's facts on the cases that it passes."""
        cases = self._marked[REFERENCE]["cases"]
        return {case: facts for case, facts in cases.items() if facts["verdict"] == Verdict.ACCEPTED}

    def _mark_programs(self) -> None:
        task, programs = self._task, self._programs
        jobs: dict[str, Job] = {REFERENCE: Marking(program(reference_program(task)))}
        jobs[EMPTY] = Marking(program({module: "" for module, _ in task.modules}))
        if programs.handout is not None:
            jobs[HANDOUT] = Marking(programs.handout)
        if not self._quick:
            for name, submission in programs.wrong.items():
                slow = slow_cases(programs.declared.get(name, {}))
                jobs[f"wrong/{name}"] = Marking(submission, slow)
            jobs |= {f"right/{name}": Marking(each) for name, each in programs.right.items()}
        results = self._crew.do("marking the reference and the programs", list(jobs.values()))
        for name, result in zip(jobs, results, strict=True):
            self._marked[name] = result["marked"]
            self.note(Check.SECRETS, secret_remarks(task, name, result["secrets"]), 1)
        reference = self._marked[REFERENCE]
        self.note(Check.REFERENCE, reference_remarks(task, reference), len(task.cases))
        self.note(Check.HEAD_ROOM, head_room(task, self._passed), len(self._passed))
        if self._quick:
            self._try_programs()
        else:
            self.note(Check.PROGRAMS, program_remarks(task, programs, self._marked), len(jobs) - 2)
        for name in (EMPTY, HANDOUT):
            if name in self._marked:
                self.note(Check.BLANK, blank_remarks(task, name, self._marked[name]), 1)

    def _try_programs(self) -> None:
        """Check the declared verdicts of cheap cases alone."""
        costs = self._costs()
        jobs, declared = [], []
        for name, submission in self._programs.wrong.items():
            verdicts = {
                case: verdict
                for case, verdict in self._programs.declared.get(name, {}).get("verdicts", {}).items()
                if case in costs.cpu_s
                and costs.is_cheap(case)
                and verdict not in (Verdict.SKIPPED, Verdict.TIME_LIMIT, Verdict.RULE_BROKEN)
            }
            if verdicts:
                sources = tuple(sorted((module, file.text) for module, file in submission.files.items()))
                most_s = tuple((case, costs.most_s(case)) for case in verdicts)
                jobs.append(Trying(sources, tuple(verdicts), most_s))
                declared.append((name, verdicts))
        for (name, verdicts), result in zip(
            declared, self._crew.do("trying the wrong programs", jobs), strict=True
        ):
            differing = [
                (case, f"declared {verdict}, got {result[case]['verdict']}")
                for case, verdict in verdicts.items()
                if result[case]["verdict"] != verdict
            ]
            if differing:
                text = f"wrong/{name} does not get what is declared"
                remark = Remark(
                    check=Check.PROGRAMS, gravity=Gravity.FAULT, text=text, details=tuple(differing)
                )
                self.note(Check.PROGRAMS, iter([remark]))
        self.note(Check.PROGRAMS, iter(()), len(jobs))

    def _try_checkers(self) -> None:
        tried = list(checkers_of(self._task))
        jobs = []
        for question_id, case, step, _ in tried:
            others = [
                other.id
                for question in self._task.questions
                if question.id == question_id
                for other in question.cases
                if other.id != case and other.id in self._passed and not other.steps and not other.program
            ]
            jobs.append(Checking(case, step, tuple(others[:_MOST_OTHERS])))
        results = self._crew.do("trying the checkers on odd answers", jobs)
        for (question_id, case, _, check), found in zip(tried, results, strict=True):
            self.note(Check.CHECKERS, _checker_remarks(question_id, case, check.text, found), 1)

    def _run_again(self) -> None:
        passed = self._passed
        cases = [case.id for case in self._task.cases if case.rule is None and case.id in passed]
        self.note(Check.STEADY, steadiness(self._crew, self._task, cases, passed), len(cases))

    def _costs(self) -> mutation.Costs:
        return mutation.Costs({case: facts["cpu_s"] for case, facts in self._passed.items()})

    def scores(self, equivalent: Any) -> tuple[QuestionScore, ...]:
        """Try the mutants, and then tell which cases do nothing."""
        task, crew, costs, mutants = self._task, self._crew, self._costs(), self._mutants
        reach = mutation.reached(crew, task, costs, mutants)
        whole = not self._quick
        kills = mutation.kills(crew, task, costs, mutants, reach, whole=whole, only_cheap=self._quick)
        self.kills = kills.by_question
        self.note(Check.MUTANTS, iter(()), len(mutants))
        self.note(Check.CHECKERS, mutation.unjudged(kills, task))
        if whole:
            failures = failures_of(task, self._marked, kills.by_question)
            blank = {EMPTY, HANDOUT}
            self.note(Check.FAILURES, never_failed(task, failures, blank), len(task.cases))
            self.note(Check.NEEDED, unneeded(task, failures, blank), len(task.cases))
        return mutation.scores(crew, task, mutants, kills, equivalent, search=whole)


def _checker_remarks(question: str, case: str, checker: str, found: list[list[str]]) -> Iterator[Remark]:
    """Yield what a checker did with odd answers: one remark for its failures, one for what it accepted."""
    for kind, gravity, text, hint in (
        (
            "failed",
            Gravity.FAULT,
            f"{checker} fails on odd answers; such a student's mark would be pending",
            "let the checker return a sentence for every answer",
        ),
        (
            "accepted",
            Gravity.ODD,
            f"{checker} accepts odd answers; are they right?",
            "",
        ),
    ):
        details = tuple((answer, said) for what, answer, said in found if what == kind)
        if details:
            yield Remark(
                check=Check.CHECKERS,
                gravity=gravity,
                question=question,
                case=case,
                text=text,
                hint=hint,
                details=details,
            )

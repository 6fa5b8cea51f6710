"""Validates a spec: does it accept the reference, and does it catch faults?

The checks come in an order in which each can use what the ones before found; see `model.validation.Check`.
A spec that its own reference does not pass is checked all the same, without the cases that it fails.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from grader.authoring.programs import LONGEST_S, Programs, read_programs, slow_cases
from grader.doctor.doctor import strongest
from grader.engine.cache.keys import conditions_key
from grader.engine.run_config import RunConfig, prepare_run
from grader.model.errors import Fault, UsageError
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Task
from grader.model.validation import Check, Mutant, QuestionScore, Remark, Validation
from grader.model.verdict import Verdict
from grader.plugins.validate.checks import mutation
from grader.plugins.validate.checks.cases import failures_of, never_failed, unneeded
from grader.plugins.validate.checks.equivalent import Equivalent, read_equivalent
from grader.plugins.validate.checks.limits import head_room, needs_of
from grader.plugins.validate.checks.mutation import Costs
from grader.plugins.validate.checks.numbers import number_remarks
from grader.plugins.validate.checks.steadiness import begin_again, steadiness
from grader.plugins.validate.checks.test_files import test_file_remarks
from grader.plugins.validate.checks.verdicts import (
    TriedProgram,
    blank_remarks,
    growth_remarks,
    program_remarks,
    reference_remarks,
    secret_remarks,
    tried_remarks,
)
from grader.plugins.validate.lacking import installed_part
from grader.plugins.validate.mutants import mutants_of
from grader.plugins.validate.odd_answers import CheckerUse, checker_remarks, checkers_of
from grader.plugins.validate.secrets import secrets_in_spec
from grader.plugins.validate.trial import program, reference_program
from grader.plugins.validate.work.crew import JobPool, PendingJob, TellDone
from grader.plugins.validate.work.jobs import CasesJob, CheckerJob, MutantsJob, ProgramJob, listed_mutants
from grader.plugins.validate.work.known import JobCache
from grader.runtime.cores import default_processes
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.spec.places import Places

MUTANTS = 150
QUICK_MUTANTS = 40
EMPTY, HANDOUT, REFERENCE = "an empty file", "the bare handout", "the reference"
_BLANK = frozenset({EMPTY, HANDOUT})
_NOT_CHEAP = (Verdict.SKIPPED, Verdict.TIME_LIMIT, Verdict.RULE_BROKEN)
_MOST_OTHERS = 12
"""Right answers of so many other cases are tried on a checker."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a validation.

    quick: for a hook before each commit: some mutants, cheap cases, no search.
    mutants: the most mutants that are tried.
    python: see `find_interpreter`.  jobs: processes; 0 for one a core.
    known: the file with results of earlier runs; None: keep nothing.
    places: of the task's cases in its spec.
    """

    quick: bool = False
    mutants: int = MUTANTS
    python: str = ""
    jobs: int = 0
    known: Path | None = None
    places: Places = field(default_factory=Places)


def validate(task: Task, options: Options, tell: TellDone) -> Validation:
    """Validate a spec.  Raises `UsageError` and `NoSandbox`."""
    if task.reference is None:
        hint = "name one with  reference: FOLDER"
        raise UsageError(Fault("the spec has no reference to test it with", str(task.spec_path), hint=hint))
    began_s = monotonic()
    python = options.python or task.python
    whole, lacking = task, installed_part(task, find_interpreter(python))
    task = lacking.task
    programs = lacking.left_of(read_programs(whole))
    equivalent = read_equivalent(whole).without(lacking.questions)
    tell("examining the sandbox", 0, 0)
    examination = strongest(find_interpreter(python), Driver.POSIX)
    known = JobCache(
        options.known, conditions_key(task, examination.driver, examination.held, find_interpreter(python))
    )
    most = QUICK_MUTANTS if options.quick else options.mutants

    def prepare() -> RunConfig:
        tell("asking the reference", 0, 0)
        return prepare_run(task, examination.driver, python)

    crew = JobPool(task, prepare, known, options.jobs or default_processes(), tell)
    with crew:
        (listed,) = crew.do("making mutants", [MutantsJob(most)])
        mutants = listed_mutants(task, listed)
        are_few = len(mutants) < min(MUTANTS, len(listed["ids"]))
        validating = _Validating(task, programs, mutants, crew, options.quick, are_few)
        is_done = False
        try:
            questions = validating.run(equivalent)
            is_done = True
        finally:
            # What an interrupted or a quick run did not come to may be known from before.
            known.save(all_of_them=options.quick or not is_done)
    ids = {mutant.id for mutant in mutants_of(whole, sys.maxsize)} if lacking.needs else set()
    validating.note(Check.MUTANTS, equivalent.wrong(ids.union(listed["ids"]), validating.caught))
    validating.note(Check.REFERENCE, lacking.remarks())
    return Validation(
        task=task.id,
        title=task.title,
        spec=str(task.spec_path),
        spec_sha256=task.spec_sha256,
        checks=validating.checks,
        remarks=tuple(_with_place(remark, options.places) for remark in validating.remarks),
        questions=questions,
        mutants=len(mutants),
        quick=options.quick,
        elapsed_s=monotonic() - began_s,
        kept=crew.kept,
    )


def _with_place(remark: Remark, places: Places) -> Remark:
    known = places.cases.get(remark.case)
    return replace(remark, place=known.fault("").where) if known is not None else remark


class _Validating:
    """The checks of one validation, and what they found."""

    def __init__(
        self,
        task: Task,
        programs: Programs,
        mutants: Sequence[Mutant],
        crew: JobPool,
        quick: bool,
        are_few: bool,
    ) -> None:
        """are_few: fewer mutants are tried than usual, and others are left out."""
        self._task, self._programs, self._mutants = task, programs, mutants
        self._crew, self._quick, self._are_few = crew, quick, are_few
        self.remarks: list[Remark] = []
        self.checks: dict[Check, int] = {}
        self.caught: dict[str, set[str]] = {}
        """Ids of caught mutants, by question."""
        self._marked: dict[str, Any] = {}
        """The facts of marked programs, by name."""

    def note(self, check: Check, remarks: Iterable[Remark], tried: int = 0) -> None:
        """Keep what a check found.  tried: the number of things that it tried."""
        self.remarks += remarks
        if tried:
            self.checks[check] = self.checks.get(check, 0) + tried

    def run(self, equivalent: Equivalent) -> tuple[QuestionScore, ...]:
        """Do all checks; return how well each question catches mutants."""
        task, crew, mutants = self._task, self._crew, self._mutants
        begun = self._begin_blank()
        self._take("marking the reference", {REFERENCE: begun.pop(REFERENCE)})
        self._look_at_reference()
        costs = self._costs()
        probes = mutation.begin_probes(crew, task, costs, mutants)
        again = [] if self._quick else begin_again(crew, task, self._passed)
        checkers = [] if self._quick else self._begin_checkers()
        begun |= {} if self._quick else self._begin_programs()
        tried = self._begin_cheap(costs) if self._quick else []
        reach = mutation.reached(crew, task, probes)
        pairs = mutation.begin_mutants(crew, task, costs, mutants, reach, only_cheap=self._quick)
        kills = mutation.kills(crew, task, pairs)
        self.caught = kills.caught
        searching = [] if self._quick else mutation.begin_search(crew, kills, equivalent)
        sample = [] if self._quick else mutation.begin_sample(crew, task, costs, kills)
        self.note(Check.MUTANTS, (), len(mutants))
        self.note(Check.CHECKERS, mutation.unjudged(kills, task))
        self.note(Check.CHECKERS, test_file_remarks(task))
        if not self._quick:
            self.note(Check.STEADY, steadiness(crew, task, again, self._passed), len(self._passed))
            self._look_at_checkers(checkers)
        self._take("marking the programs", begun)
        self._look_at_programs(tried)
        self.note(Check.SECRETS, secrets_in_spec(task), 1)
        if not self._quick:
            # A sample of the mutants was tried against every case; the others up to the first that failed.
            sampled = mutation.kills(crew, task, sample, "trying some mutants against every case")
            failures = failures_of(task, self._marked, sampled.by_question)
            first_failed = failures_of(task, {}, kills.by_question)
            unfailed = never_failed(task, [failures, first_failed], len(mutants), are_few=self._are_few)
            self.note(Check.FAILURES, unfailed, len(task.cases))
            self.note(Check.NEEDED, unneeded(task, failures, _BLANK), len(task.cases))
        return mutation.scores(crew, task, kills, equivalent, searching)

    # -- programs ----------------------------------------------------------------------------------

    def _begin_blank(self) -> dict[str, PendingJob]:
        """Begin to mark the reference, first, and blank programs."""
        task = self._task
        jobs = {REFERENCE: ProgramJob(program(reference_program(task)))}
        jobs[EMPTY] = ProgramJob(program({module: "" for module, _ in task.modules}))
        if self._programs.handout is not None:
            jobs[HANDOUT] = ProgramJob(self._programs.handout)
        return dict(zip(jobs, self._crew.begin(list(jobs.values())), strict=True))

    def _begin_programs(self) -> dict[str, PendingJob]:
        programs = self._programs
        # Right ones first: they run every case to its end.
        jobs = {
            f"right/{name}": ProgramJob(each, longest_s=LONGEST_S) for name, each in programs.right.items()
        }
        for name, submission in programs.wrong.items():
            slow = slow_cases(programs.declared.get(name, {}))
            jobs[f"wrong/{name}"] = ProgramJob(submission, slow)
        return dict(zip(jobs, self._crew.begin(list(jobs.values())), strict=True))

    def _take(self, stage: str, begun: Mapping[str, PendingJob]) -> None:
        """Take the results of marked programs."""
        results = self._crew.results(stage, list(begun.values()))
        for name, result in zip(begun, results, strict=True):
            self._marked[name] = result["marked"]
            self.note(Check.SECRETS, secret_remarks(self._task, name, result["secrets"]), 1)

    @property
    def _passed(self) -> dict[str, Any]:
        """The reference's facts on the cases that it passes."""
        cases = self._marked[REFERENCE]["cases"]
        return {case: facts for case, facts in cases.items() if facts["verdict"] == Verdict.ACCEPTED}

    def _costs(self) -> Costs:
        return Costs({case: facts["cpu_s"] for case, facts in self._passed.items()})

    def _look_at_reference(self) -> None:
        task, reference = self._task, self._marked[REFERENCE]
        self.note(Check.REFERENCE, reference_remarks(task, reference), len(task.cases))
        self.note(Check.FAILURES, growth_remarks(task))
        self.note(Check.FAILURES, number_remarks(task, self._passed))

    def _look_at_programs(self, tried: Sequence[TriedProgram]) -> None:
        task, programs = self._task, self._programs
        right = [facts["cases"] for name, facts in self._marked.items() if name.startswith("right/")]
        needs = needs_of([self._passed, *right])
        self.note(Check.HEAD_ROOM, head_room(task, needs), len(needs))
        for name in _BLANK & self._marked.keys():
            self.note(Check.BLANK, blank_remarks(task, name, self._marked[name]), 1)
        if self._quick:
            results = self._crew.results("trying the wrong programs", [one.begun for one in tried])
            self.note(Check.PROGRAMS, tried_remarks(tried, results), len(tried))
        else:
            count = len(programs.wrong) + len(programs.right)
            self.note(Check.PROGRAMS, program_remarks(task, programs, self._marked), count)

    def _begin_cheap(self, costs: Costs) -> list[TriedProgram]:
        """Begin to try the declared verdicts of cheap cases alone, of programs that need not be built."""
        found = []
        for name, submission in self._programs.wrong.items():
            if any(self._task.toolchain_of(file.name) for file in submission.files.values()):
                continue
            declared = self._programs.declared.get(name, {}).get("verdicts", {})
            verdicts = {
                case: verdict
                for case, verdict in declared.items()
                if case in costs.cpu_s and costs.is_cheap(case) and verdict not in _NOT_CHEAP
            }
            if verdicts:
                sources = tuple(sorted((module, file.text) for module, file in submission.files.items()))
                most_s = tuple((case, costs.most_s(case)) for case in verdicts)
                begun = self._crew.begin_one(CasesJob(sources, tuple(verdicts), most_s))
                found.append(TriedProgram(name, verdicts, begun))
        return found

    # -- checkers ----------------------------------------------------------------------------------

    def _begin_checkers(self) -> list[tuple[CheckerUse, PendingJob]]:
        tried = list(checkers_of(self._task))
        known: set[str] = set()
        jobs = []
        for use in tried:
            others = [
                other.id
                for question in self._task.questions
                if question.id == use.question
                for other in question.cases
                if other.id != use.case
                and other.id in self._passed
                and calls_of(other).calls
                and not kind_of(other).each_by_itself(other)
            ]
            # Large answers once a checker are enough: they take long, and the arguments hardly matter.
            is_first = use.check.checker not in known
            known.add(use.check.checker)
            jobs.append(CheckerJob(use.case, use.step, tuple(others[:_MOST_OTHERS]), is_first))
        return list(zip(tried, self._crew.begin(jobs), strict=True))

    def _look_at_checkers(self, begun: Sequence[tuple[CheckerUse, PendingJob]]) -> None:
        results = self._crew.results("trying the checkers on odd answers", [one for _, one in begun])
        for (use, _), found in zip(begun, results, strict=True):
            self.note(Check.CHECKERS, checker_remarks(use, found), 1)

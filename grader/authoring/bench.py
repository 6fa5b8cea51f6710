"""Marks an instructor's own programs by a task, and keeps what ran, so that the next round is fast."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.authoring.programs import RIGHT, WRONG, Declaration, read_programs
from grader.engine.proof.marking import reference_submission
from grader.engine.self_check import refusing_failures, zygote_for
from grader.engine.submission.marker import SubmissionMarker
from grader.engine.submission.memo import JudgementMemo
from grader.judge.judge import Expected
from grader.lab.digests import digest
from grader.lab.evidence import EvidenceCache
from grader.lab.oracle import Oracle
from grader.lab.requests import needs_reference, request_of
from grader.lab.run_inputs import Expectations, run_inputs
from grader.lab.tools import MarkingTools
from grader.marking.totals import failed_internally
from grader.model.case import Case
from grader.model.events import TellPhase, ignore_phase
from grader.model.kinds import calls_of, kind_of
from grader.model.results import SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task

REFERENCE = "reference"

_CONDITIONS = "one bench"
"""The conditions of all evidence: one process on one machine, which no other process shares."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the instructor's.

    name: `reference`, or the folder as in `wrong/off-by-one`.  declared: see `read_declarations`.
    """

    name: str
    submission: Submission
    declared: Declaration | None = None

    @property
    def kind(self) -> str:
        """The first part of its name: `reference`, `right` or `wrong`."""
        return self.name.partition("/")[0]


def programs_of(task: Task) -> list[Program]:
    """Return the reference, and the programs in `right/` and `wrong/` beside the spec.

    Raises `UsageError`.
    """
    beside = read_programs(task)
    found = reference_of(task)
    found += [Program(f"{RIGHT}/{name}", submission) for name, submission in beside.right.items()]
    found += [
        Program(f"{WRONG}/{name}", submission, beside.declared.get(name))
        for name, submission in beside.wrong.items()
    ]
    return found


def reference_of(task: Task) -> list[Program]:
    """Return the reference as a program, if there is one."""
    if task.reference is None:
        return []
    return [Program(REFERENCE, reference_submission(task, task.reference))]


class TrialRunner:
    """Marks programs in rounds; a round runs again only what changed since the rounds before."""

    def __init__(self, python: str = "") -> None:
        """python: see `find_interpreter`; empty for the spec's choice."""
        self._python = python
        self._caches: dict[str, EvidenceCache] = {}
        self._answers: dict[str, Expected] = {}
        self.expectations: Expectations = {}
        """The reference's answers in the last round, by the cases that ask for them."""
        self._task: Task | None = None
        self._marked: dict[str, tuple[Submission, SubmissionResult]] = {}
        """The programs that were marked by that task, and their results."""

    def mark(
        self, task: Task, programs: Sequence[Program], tell: TellPhase = ignore_phase
    ) -> dict[str, SubmissionResult]:
        """Return the results by the programs' names.  Raises `NoSandbox`."""
        task = replace(task, spec_sha256="")
        if task != self._task:
            self._task, self._marked = task, {}
        results = self._unchanged(programs)
        if len(results) == len(programs):
            return results
        tell("starting the sandbox")
        with self._tools(task) as tools, refusing_failures():
            tell("asking the reference")
            self.expectations = self._expectations(task, tools.oracle)
            inputs = run_inputs(task, self.expectations, _CONDITIONS)
            memo = JudgementMemo()
            for program in [each for each in programs if each.name not in results]:
                tell(f"running {program.name}")
                cache = EvidenceCache(self._caches.get(program.name, EvidenceCache()).packed())
                marker = SubmissionMarker(inputs, program.submission, tools, memo, cache, shrinks=True)
                results[program.name] = marker.run()
                self._caches[program.name] = cache
                self._marked[program.name] = (program.submission, results[program.name])
        return results

    def _unchanged(self, programs: Sequence[Program]) -> dict[str, SubmissionResult]:
        """Return the results of programs that are as they were when the same task was marked."""
        found = {}
        for program in programs:
            submission, result = self._marked.get(program.name, (None, None))
            if result is not None and submission == program.submission and not failed_internally(result):
                found[program.name] = result
        return found

    def ask(self, task: Task) -> Expectations:
        """Return the reference's answers to the cases that expect them.  Raises `NoSandbox`."""
        with self._tools(task) as tools, refusing_failures():
            return self._expectations(task, tools.oracle)

    def _tools(self, task: Task) -> MarkingTools:
        return MarkingTools(lambda: zygote_for(task, self._python or task.python), task)

    def _expectations(self, task: Task, oracle: Oracle) -> Expectations:
        found: Expectations = {}
        kept: dict[str, Expected] = {}
        for question in task.questions:
            asked = filter(needs_reference, question.cases)
            for case in (one for each in asked for one in (each, *kind_of(each).repeats(each))):
                key = _question_asked(task, case, question.module)
                # One call that did not end says nothing about the next one.
                oracle.draw_from(None)
                kept[key] = self._answers.get(key) or oracle.expected(case, question.module)
                found[case.id] = kept[key]
        self._answers = kept
        return found


def _question_asked(task: Task, case: Case, module: str) -> str:
    """Return the digest of all that the reference's answer to a case depends on."""
    texts = {**(task.reference.texts if task.reference else {})}
    players = task.checkers.texts if task.checkers else {}
    request = request_of(task, case)
    what = calls_of(case)
    about = repr(
        (what.harness, what.around, case.limits, module, task.seed_of(case), task.types, sorted(texts))
    )
    own = (part for name in sorted(texts) for part in (name, texts[name]))
    own_part = kind_of(case).about(task, case, request, None)
    return digest(request, *own_part, about, *own, *(players[name] for name in sorted(players)))

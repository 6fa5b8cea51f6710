"""The boxes of one submission: opened when a case first needs one, closed together.

Cases share a box where their module, the modules beside it, their memory limit and their
visibility are the same.  What a box costs to open is told, since it counts for the budget.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from grader.engine.evidence_book import EvidenceBook, program_digest
from grader.engine.overtime import GRACE, at_best, has_waited, is_over
from grader.engine.prepared import Prepared
from grader.engine.workplace import Workplace
from grader.judge.messages import stopped_at
from grader.model.case import Case, Visibility
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.model.submission import Submission
from grader.model.task import Question
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.evidence import Evidence, import_outcome_of
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.wire.messages import Report

if TYPE_CHECKING:
    from grader.engine.programs import Programs

IMPORT_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""For the import of a student's module, at best: generous, since numpy alone takes a tenth of a second."""

_MOST_OPEN = 4
"""Boxes at a time: each can hold its memory limit for what it has imported."""

_Ground: TypeAlias = tuple[str, tuple[str, ...]]
"""What a box is made for: a module, and the modules that stand beside it."""

Weigh: TypeAlias = Callable[[Question, Case, Evidence, float], Evidence]
"""Returns what counts of an import that was over its limit, given how slow the machine was before it."""

_BoxKey: TypeAlias = tuple[_Ground, int, Visibility]


def import_limits(memory_b: int, slowness: float) -> Limits:
    """Return the limits for the import of a student's module on a machine as slow as that."""
    return replace(IMPORT_LIMITS, time_s=IMPORT_LIMITS.time_s * slowness, memory_b=memory_b)


def share_a_box(question: Question, one: Case, other: Case) -> bool:
    """Whether two cases of a question run in the same box."""
    return _box_key(question, one) == _box_key(question, other)


def _box_key(question: Question, case: Case) -> _BoxKey:
    """Return what cases have in common that share a box.

    By visibility too: what passes from case to case in a box, by a file or a pipe, must not bring the
    inputs of hidden cases into the output of others.
    """
    return _ground(question), case.limits.memory_b, case.visibility


def _ground(question: Question) -> _Ground:
    return question.module, question.beside


class Boxes:
    """The boxes of one submission, by what they are made for.  Close them at the end.

    book: knows how imports went in earlier runs, and is told of this run's.
    spend: told what each import costs of the budget, in seconds.
    """

    def __init__(
        self,
        prepared: Prepared,
        submission: Submission,
        workplace: Workplace,
        book: EvidenceBook,
        spend: Callable[[float], None],
    ) -> None:
        self._prepared = prepared
        self._submission = submission
        self._workplace = workplace
        self._book = book
        self._spend = spend
        self._open: dict[_BoxKey, Box | Outcome] = {}
        self._digests: dict[tuple[object, ...], bytes] = {}
        self._charged: set[_BoxKey] = set()
        """The boxes whose imports are paid for."""
        self._loaded: dict[_Ground, Program] = {}
        self._sources: dict[tuple[str, ...], dict[str, str]] = {}
        """The texts of the modules, by those that stand beside the submission's."""
        self._programs: dict[tuple[str, ...], Programs] = {}
        """What runs programs, by the modules that stand beside the submission's."""

    def need_not_open(self, question: Question, case: Case) -> bool:
        """Whether a case's box is open, or known to open if it must; what its import cost is paid then."""
        key = _box_key(question, case)
        if key in self._open:
            return True
        if question.module not in self._submission.files:
            return False
        imported = self._book.find_import(self.digest(question, case))
        if imported is None:
            return False
        self._charge(key, imported.report)
        return loaded(import_outcome_of(imported.report))

    def _charge(self, key: _BoxKey, imported: Report) -> None:
        """Take the cost of an import from the budget, once for each box.  imported: at best."""
        if key not in self._charged:
            self._charged.add(key)
            self._spend(imported.cpu_s + imported.besides_s)

    def digest(self, question: Question, case: Case) -> bytes:
        """Return the digest of what the box of a case is made of."""
        key = (*_box_key(question, case), case.program and case.program.module)
        if key not in self._digests:
            program = self._program(question, shared=False)
            if case.program is not None:
                program = replace(program, module=case.program.module, runs=True)
            self._digests[key] = program_digest(self._prepared.conditions, program, case.limits.memory_b)
        return self._digests[key]

    def box(self, question: Question, case: Case, weigh: Weigh) -> Box | Outcome:
        """Return the box of a case, or the outcome that every case of that box has since there is none.

        Raises `SandboxFailure`.
        """
        key = _box_key(question, case)
        if key in self._open:
            # To the end: the one that was not used for longest comes first.
            self._open[key] = self._open.pop(key)
        else:
            self._make_room()
            self._open[key] = self._opened(question, case, weigh)
        return self._open[key]

    def _make_room(self) -> None:
        """End the box that was not used for longest, where as many as may be are open."""
        boxes = [(key, box) for key, box in self._open.items() if isinstance(box, Box)]
        if len(boxes) >= _MOST_OPEN:
            key, box = boxes[0]
            box.close()
            del self._open[key]

    def discard(self, question: Question, case: Case) -> None:
        """End a box that failed; the next case of it gets another."""
        box = self._open.pop(_box_key(question, case), None)
        if isinstance(box, Box):
            box.close()

    def program(self, question: Question) -> Program:
        """Return what was loaded into the boxes of a question's cases; there was one."""
        return self._loaded[_ground(question)]

    def programs(self, question: Question) -> "Programs":
        """Return what runs the programs of a question."""
        beside = question.beside
        if beside not in self._programs:
            self._programs[beside] = self.programs_in(self._workplace.zygote, question)
        return self._programs[beside]

    def programs_in(self, zygote: Zygote, question: Question) -> "Programs":
        """Return what runs the programs of a question elsewhere; close it after use."""
        from grader.engine.programs import Programs

        prepared = self._prepared
        sources, play = self._sources_of(question), self._workplace.oracle.play
        return Programs(zygote, sources, play, prepared.longest_s, prepared.task.seed)

    def absence(self, module: str) -> Outcome | None:
        """Return what becomes of a case whose module was not handed in; None where it was."""
        if module in self._submission.files:
            return None
        file = dict(self._prepared.task.modules)[module]
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"there is no {file} in the submission")

    def close(self) -> None:
        """End all boxes."""
        for box in self._open.values():
            if isinstance(box, Box):
                box.close()
        for programs in self._programs.values():
            programs.close()

    def _opened(self, question: Question, case: Case, weigh: Weigh) -> Box | Outcome:
        absence = self.absence(question.module)
        if absence is not None:
            return absence
        memory_b = case.limits.memory_b
        program = self._loaded[_ground(question)] = self._program(question, shared=False)
        gauge = self._workplace.gauge
        slowness = gauge.slowness()
        box, outcome, report = self._load(program, import_limits(memory_b, GRACE * slowness))
        first = Evidence(report)
        is_doubtful = is_over(first, IMPORT_LIMITS) or has_waited(first)
        if is_doubtful:
            with ExitStack() as where_that_fails:
                where_that_fails.callback(box.close)
                counted = weigh(question, case, first, slowness).report
                where_that_fails.pop_all()
            if counted.ending in ("time", "wall"):
                outcome = import_outcome_of(counted)
            elif not loaded(outcome):
                box.close()
                limits = import_limits(memory_b, GRACE * max(slowness, gauge.slowness()))
                box, outcome, report = self._load(program, limits)
        imported = at_best(report, gauge.usual_slowness())
        self._charge(_box_key(question, case), imported)
        if loaded(outcome):
            if self._prepared.conditions and not is_doubtful:
                self._book.add_import(self.digest(question, case), Evidence(imported))
            return box
        box.close()
        return _load_failure(outcome, IMPORT_LIMITS)

    def _load(self, program: Program, limits: Limits) -> tuple[Box, Outcome, Report]:
        """Open a box; return with it how the import went.  Raises `SandboxFailure`."""
        prepared = self._prepared
        longest_s, seed = prepared.longest_s, prepared.task.seed
        box = Box(self._workplace.zygote, program, limits.memory_b, limits, longest_s, seed)
        try:
            outcome, _ = box.load()
        except SandboxFailure:
            box.close()
            raise
        assert box.imported is not None, "it was loaded"
        return box, outcome, box.imported

    def _program(self, question: Question, *, shared: bool) -> Program:
        return Program(
            question.module,
            self._sources_of(question),
            shared=shared,
            captures=question.module in self._prepared.captured,
        )

    def _sources_of(self, question: Question) -> dict[str, str]:
        """Return the texts of the modules that a question's cases find."""
        beside = question.beside
        if beside not in self._sources:
            task = self._prepared.task
            sources = {name: file.text for name, file in self._submission.files.items()}
            if task.reference is not None:
                files, texts = dict(task.modules), task.reference.texts
                sources |= {name: texts[files[name].removesuffix(".py")] for name in beside}
            self._sources[beside] = sources
        return self._sources[beside]


def _load_failure(outcome: Outcome, limits: Limits) -> Outcome:
    """Every way in which an import can end badly is a failure to load, but for our own faults."""
    place = stopped_at(outcome)
    words = {
        Ending.TIME: f"it was still being imported after {limits.time_s:g} s of CPU time{place}",
        Ending.WALL: f"it was still being imported after {limits.wall_s:g} s{place}",
        Ending.MEMORY: "its import used more memory than allowed",
        Ending.OUTPUT: "its import printed more than allowed",
        Ending.FORBIDDEN: f"its import tried to {outcome.detail}",
        Ending.EXITED: f"its import ended the process ({outcome.detail})",
        Ending.KILLED: f"its import was killed ({outcome.detail})",
        Ending.PROTOCOL: f"its import {outcome.detail}",
    }
    if outcome.ending is Ending.INTERNAL:
        return outcome
    detail = words.get(outcome.ending, outcome.detail)
    return replace(outcome, ending=Ending.LOAD_FAILED, detail=detail, cpu_s=0.0, wall_s=0.0)

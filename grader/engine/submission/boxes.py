"""The box of one submission: one at a time, closed before the next one opens.

Cases share a box where their module, the modules beside it, their memory limit and their visibility are the
same; each of them runs in a process of its own.  What opening a box costs is drawn from the budget.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from grader.engine.cache.evidence import EvidenceBook, program_digest
from grader.engine.submission.case_queue import BoxKey, Turn
from grader.engine.submission.prepared import Prepared
from grader.engine.submission.programs import Programs
from grader.engine.submission.tools import Workplace
from grader.judge.messages import stopped_at
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome
from grader.model.submission import Submission
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence, import_outcome_of
from grader.sandbox.zygote import SandboxFailure
from grader.wire.messages import Report

IMPORT_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""For the import of a student's module: generous, since numpy alone takes a tenth of a second."""

OnWait: TypeAlias = Callable[[bool], None]
"""Is told True when something of a submission waits, and uses no core, and False when it goes on."""


def import_limits(memory_b: int) -> Limits:
    """Return the limits for the import of a student's module."""
    return replace(allowed(IMPORT_LIMITS), memory_b=memory_b)


class Boxes:
    """Opens the box of a submission.  Close it at the end.

    book: knows how imports went in earlier runs, and is told of this run's.
    """

    def __init__(
        self,
        prepared: Prepared,
        submission: Submission,
        workplace: Workplace,
        book: EvidenceBook,
        budget: Budget,
        on_wait: OnWait | None = None,
    ) -> None:
        self._prepared = prepared
        self._submission = submission
        self._workplace = workplace
        self._book = book
        self._budget = budget
        self._tell_wait = on_wait
        self._waits = False
        """Whether it was told that something of the submission waits."""
        self._key: BoxKey | None = None
        self._box: Box | Programs | None = None
        self._failed: dict[tuple[object, ...], Outcome] = {}
        """Imports that failed, by what was imported: they would fail again."""
        self._charged: set[BoxKey] = set()
        """The boxes whose imports are paid for."""
        self._digests: dict[BoxKey, bytes] = {}
        self._sources: dict[BoxKey, dict[str, str]] = {}
        """The texts of the modules, by the key of the box that finds them."""
        self._reach: Mapping[str, frozenset[str]] = {}

    def keep_to(self, reach: Mapping[str, frozenset[str]]) -> None:
        """Have modules find those others alone that `reach` names for them; see `rules.Ruling`."""
        self._reach = reach

    @property
    def open_key(self) -> BoxKey | None:
        """The key of the box at hand; None where there is none."""
        return self._key

    def need_not_open(self, turn: Turn) -> bool:
        """Whether a case's box is open, or known to open if it must; what its import cost is paid then."""
        if turn.key == self._key:
            return True
        if turn.question.module not in self._submission.files:
            return False
        imported = self._book.find_import(self.digest(turn))
        if imported is None:
            return False
        self._charge(turn.key, imported.report)
        return loaded(import_outcome_of(imported.report))

    def _charge(self, key: BoxKey, imported: Report) -> None:
        """Draw what an import cost from the budget, once for each box."""
        if key not in self._charged:
            self._charged.add(key)
            self._budget.charge(imported)

    def digest(self, turn: Turn) -> bytes:
        """Return the digest of what the box of a case is made of."""
        if turn.key not in self._digests:
            case = turn.case
            program = self.program(turn)
            if case.program is not None:
                program = replace(program, module=case.program.module, runs=True)
            conditions = self._prepared.conditions
            self._digests[turn.key] = program_digest(conditions, program, case.limits.memory_b)
        return self._digests[turn.key]

    def box(self, turn: Turn) -> Box | Outcome:
        """Return the box of a case, or the outcome that every case of that box has since there is none.

        Raises `SandboxFailure`.
        """
        if self._key == turn.key and isinstance(self._box, Box):
            return self._box
        self.close()
        question, memory_b = turn.question, turn.case.limits.memory_b
        absence = self.absence(question.module)
        if absence is not None:
            return absence
        loads = question.module, question.beside, memory_b
        if loads in self._failed:
            return self._failed[loads]
        limits = import_limits(memory_b)
        box, outcome, report = self._load(self.program(turn), self._budget.within(limits))
        self.go_on()
        self._charge(turn.key, report)
        if loaded(outcome):
            if self._prepared.conditions:
                self._book.add_import(self.digest(turn), Evidence(report))
            self._key, self._box = turn.key, box
            return box
        box.close()
        if outcome.ending in (Ending.TIME, Ending.WALL) and self._budget.is_used_up:
            return self.skipped()
        if outcome.ending is not Ending.INTERNAL:
            outcome = self._failed[loads] = _load_failure(outcome, IMPORT_LIMITS)
        return outcome

    def skipped(self) -> Outcome:
        """Return the outcome of what does not run, or not to its end, since the budget is used up."""
        return Outcome(ending=Ending.BUDGET, detail=f"skipped: {self._budget.reason()}")

    def programs(self, turn: Turn) -> Programs:
        """Return what runs the program of a case."""
        if self._key == turn.key and isinstance(self._box, Programs):
            return self._box
        self.close()
        prepared, sources = self._prepared, self._sources_of(turn)
        programs = Programs(
            self._workplace.zygote,
            sources,
            self._workplace.oracle.play,
            prepared.longest_s,
            prepared.task.seed,
            on_wait=self.wait,
        )
        self._key, self._box = turn.key, programs
        return programs

    def absence(self, module: str) -> Outcome | None:
        """Return what becomes of a case whose module was not handed in; None where it was."""
        if module in self._submission.files:
            return None
        file = dict(self._prepared.task.modules)[module]
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"there is no {file} in the submission")

    def wait(self) -> None:
        """Note that what runs in the box waits, or probably will."""
        if self._tell_wait is not None and not self._waits:
            self._waits = True
            self._tell_wait(True)

    def go_on(self) -> None:
        """Note that what ran in the box, and perhaps waited, has ended."""
        if self._tell_wait is not None and self._waits:
            self._waits = False
            self._tell_wait(False)

    def close(self) -> None:
        """End the box at hand, with all that is left in it."""
        self.go_on()
        box, self._key, self._box = self._box, None, None
        if box is not None:
            box.close()

    def program(self, turn: Turn) -> Program:
        """Return what is loaded into the box of a case."""
        module = turn.question.module
        return Program(module, self._sources_of(turn), captures=module in self._prepared.captured)

    def _load(self, program: Program, limits: Limits) -> tuple[Box, Outcome, Report]:
        """Open a box; return with it how the import went.  Raises `SandboxFailure`."""
        prepared = self._prepared
        longest_s, seed = prepared.longest_s, prepared.task.seed
        zygote = self._workplace.zygote
        box = Box(zygote, program, limits.memory_b, limits, longest_s, seed, on_wait=self.wait)
        try:
            outcome, _ = box.load()
        except SandboxFailure:
            box.close()
            raise
        assert box.imported is not None, "it was loaded"
        return box, outcome, box.imported

    def _sources_of(self, turn: Turn) -> dict[str, str]:
        """Return the texts of the modules that a case finds."""
        if turn.key not in self._sources:
            task, case, beside = self._prepared.task, turn.case, turn.question.beside
            files = self._submission.files
            module = case.program.module if case.program is not None else turn.question.module
            reach = self._reach.get(module, files.keys())
            sources = {name: file.text for name, file in files.items() if name in reach}
            if task.reference is not None:
                names, texts = dict(task.modules), task.reference.texts
                sources |= {name: texts[names[name].removesuffix(".py")] for name in beside}
            self._sources[turn.key] = sources
        return self._sources[turn.key]


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
    detail = words.get(outcome.ending, outcome.detail)
    return replace(outcome, ending=Ending.LOAD_FAILED, detail=detail, cpu_s=0.0, wall_s=0.0)

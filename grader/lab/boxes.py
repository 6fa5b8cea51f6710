"""The boxes of one submission: one at a time, closed before the next one opens.

Cases share a box where they have the same module, the same modules beside it, the same memory limit and the
same visibility.  Each case runs in a process of its own.  The submission's budget pays for each opening of a
box.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar

from grader.judge.absent import with_what_is_there
from grader.judge.messages import stop_notes, stopped_at
from grader.lab.evidence import EvidenceCache, program_digest
from grader.lab.rule_outcome import RuleOutcome
from grader.lab.run_inputs import RunInputs
from grader.lab.tools import MarkingTools
from grader.lab.turn import BoxKey, CaseTurn
from grader.languages.artefact import Artefact
from grader.model.case import Visibility
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome
from grader.model.submission import ImportPolicy, Submission
from grader.sandbox.box import Box, Program, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence, import_outcome_of
from grader.sandbox.zygote import SandboxFailure
from grader.wire.messages import Report
from grader.wire.notebook import files_of

IMPORT_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""The limits on the import of a student's module; numpy alone takes a tenth of a second."""


class Closeable(Protocol):
    """Something that stands open for the cases of one box."""

    def close(self) -> None:
        """End it, with all its processes and files."""


_C = TypeVar("_C", bound=Closeable)

OnWait: TypeAlias = Callable[[bool], None]
"""Called with True when a submission waits, so that its core is free, and with False when it goes on."""


def import_limits(memory_b: int) -> Limits:
    """Return the limits for the import of a student's module."""
    return replace(allowed(IMPORT_LIMITS), memory_b=memory_b)


class Boxes:
    """Opens the boxes of a submission.  Call `close` in the end.

    cache: has the evidence of earlier imports, and gets this run's.
    """

    def __init__(
        self,
        inputs: RunInputs,
        submission: Submission,
        tools: MarkingTools,
        cache: EvidenceCache,
        budget: Budget,
        on_wait: OnWait | None = None,
    ) -> None:
        self._inputs = inputs
        self._submission = submission
        self._tools = tools
        self._cache = cache
        self._budget = budget
        self._tell_wait = on_wait
        self._waits = False
        """The last value that `on_wait` was called with."""
        self._key: BoxKey | None = None
        self._box: Closeable | None = None
        self._failed: dict[tuple[object, ...], Outcome] = {}
        """The outcomes of imports that failed, by module, modules beside it, memory limit and seed."""
        self.built: dict[str, Artefact | Outcome] = {}
        """The programs built of modules in other languages, or the outcomes of builds that failed."""
        self._prepaid: dict[BoxKey, Report] = {}
        """The imports of an earlier run that the budget has paid for, of boxes that did not open yet."""
        self._digests: dict[BoxKey, bytes] = {}
        self._sources: dict[BoxKey, dict[str, str]] = {}
        """The texts of the modules in each box."""
        self._reach: Mapping[str, frozenset[str]] = {}
        self._keeps_parts = inputs.task.imports is ImportPolicy.KEEP
        self._stopped: dict[str, None] = {}
        self._may_have_seen: BoxKey | None = None
        """The first box for cases that the student does not see all of."""

    def keep_to(self, rules: RuleOutcome) -> None:
        """Run what the rules read, and nothing else; see `reach` and `read` of `RuleOutcome`."""
        self._reach = rules.reach
        files = self._submission.files
        read = {module: replace(files[module], text=text) for module, text in rules.read.items()}
        self._submission = replace(self._submission, files={**files, **read})

    @property
    def submission(self) -> Submission:
        return self._submission

    @property
    def keeps_evidence(self) -> bool:
        """Tell whether evidence is kept for later runs."""
        return bool(self._inputs.conditions)

    @property
    def open_key(self) -> BoxKey | None:
        return self._key

    def need_not_open(self, turn: CaseTurn) -> bool:
        """Tell whether a case's box is open, or is known to open; the budget pays for that as it did then."""
        if turn.key == self._key:
            return True
        if turn.question.module not in self._submission.files:
            return False
        imported = self._cache.find_import(self.digest(turn))
        if imported is None:
            return False
        if turn.key not in self._prepaid:
            self._prepaid[turn.key] = imported.report
            self._budget.charge(imported.report)
        outcome = import_outcome_of(imported.report)
        self._note_stops(turn, outcome)
        return loaded(outcome)

    @property
    def stopped(self) -> tuple[str, ...]:
        """Sentences about the modules that raised while they were imported, and of which a part counts."""
        return tuple(self._stopped)

    def _note_stops(self, turn: CaseTurn, outcome: Outcome) -> None:
        """Note which modules a box has in part.  What comes after a hidden case could give that away."""
        files = self._kept_in_part(turn)
        if not (files and loaded(outcome)):
            return
        if turn.case.visibility is not Visibility.PUBLIC:
            self._may_have_seen = self._may_have_seen or turn.key
            if turn.key != self._may_have_seen:
                return
        self._stopped |= dict.fromkeys(stop_notes(self._with_what_is_there(outcome), files))

    def _with_what_is_there(self, outcome: Outcome) -> Outcome:
        task = self._inputs.task
        return with_what_is_there(outcome, task.packages, [file.name for file in task.data])

    def _kept_in_part(self, turn: CaseTurn) -> list[str]:
        """Return the files and cells, as tracebacks name them, that stay as they are where they raise."""
        sources, keeps = self.sources_of(turn), self.program(turn).keeps
        files = {name: files_of(name, text) for name, text in sources.items()}
        return [file for name, own in files.items() if name in keeps or own != [f"{name}.py"] for file in own]

    def _pay_back(self, key: BoxKey) -> None:
        """Pay back an import of an earlier run where the box opens after all, and is charged for it."""
        paid = self._prepaid.pop(key, None)
        if paid is not None:
            self._budget.spend(-paid.cpu_s - paid.overhead_s, -paid.waited_s)

    def digest(self, turn: CaseTurn) -> bytes:
        """Return the digest of the program in the box of a case."""
        if turn.key not in self._digests:
            case, task, conditions = turn.case, self._inputs.task, self._inputs.conditions
            program = kind_of(case).program(case, self.program(turn), task, self._submission.files)
            self._digests[turn.key] = program_digest(conditions, program, case.limits.memory_b)
        return self._digests[turn.key]

    def box(self, turn: CaseTurn) -> Box | Outcome:
        """Return the box of a case, or the outcome of all its cases if it does not open.

        Raises `SandboxFailure`.
        """
        box = self.held(turn, Box)
        if box is not None:
            return box
        self.close()
        question, memory_b = turn.question, turn.case.limits.memory_b
        absence = self.absence(question.module)
        if absence is not None:
            return absence
        what = calls_of(turn.case)
        loads = question.module, question.beside, memory_b, turn.case.seed, what.harness, what.around
        if loads in self._failed:
            return self._failed[loads]
        self._pay_back(turn.key)
        limits = import_limits(memory_b)
        box, outcome, report = self._load(self.program(turn), limits, self._inputs.task.seed_of(turn.case))
        self.go_on()
        self._note_stops(turn, outcome)
        if loaded(outcome):
            if self._inputs.conditions:
                self._cache.add_import(self.digest(turn), Evidence(report))
            self._key, self._box = turn.key, box
            return box
        box.close()
        if outcome.ending is Ending.BUDGET:
            return self.skipped()
        if outcome.ending is not Ending.INTERNAL:
            outcome = self._failed[loads] = _load_failure(outcome, IMPORT_LIMITS)
        return outcome

    def skipped(self) -> Outcome:
        """Return the outcome of a case that does not run to its end because the budget is used up."""
        return Outcome(ending=Ending.BUDGET, detail=f"skipped: {self._budget.reason()}")

    def held(self, turn: CaseTurn, sort: type[_C]) -> _C | None:
        """Return what was opened for a case's box by `hold`, if it is of this sort; else None."""
        return self._box if self._key == turn.key and isinstance(self._box, sort) else None

    def hold(self, turn: CaseTurn, box: Closeable) -> None:
        """Keep what a kind opened for the box of a case in place of an ordinary box."""
        self._key, self._box = turn.key, box

    def absence(self, module: str) -> Outcome | None:
        """Return the outcome of a case whose module was not handed in or can't be read, else None."""
        if module in self._submission.files:
            return None
        unread = self._submission.unread.get(module)
        if unread is not None:
            return Outcome(ending=Ending.LOAD_FAILED, detail=f"no code was read: {unread}")
        file = dict(self._inputs.task.modules)[module]
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"there is no {file} in the submission")

    def wait(self) -> None:
        """Tell `on_wait` that the running case waits, or probably will."""
        if self._tell_wait is not None and not self._waits:
            self._waits = True
            self._tell_wait(True)

    def go_on(self) -> None:
        """Tell `on_wait` that the case no longer waits, if it was told that it does."""
        if self._tell_wait is not None and self._waits:
            self._waits = False
            self._tell_wait(False)

    def close(self) -> None:
        """End the open box, with all its processes and files."""
        self.go_on()
        box, self._key, self._box = self._box, None, None
        if box is not None:
            box.close()

    def program(self, turn: CaseTurn) -> Program:
        module = turn.question.module
        sources = self.sources_of(turn)
        keeps = sorted(sources.keys() - {*turn.question.beside}) if self._keeps_parts else ()
        program = Program(module, sources, captures=module in self._inputs.captured, keeps=tuple(keeps))
        return program.beside(calls_of(turn.case))

    def _load(self, program: Program, limits: Limits, seed: int) -> tuple[Box, Outcome, Report]:
        """Open a box; return it with the outcome and the report of the import.  Raises `SandboxFailure`."""
        inputs = self._inputs
        longest_s = inputs.longest_s
        zygote = self._tools.zygote
        purse, on_wait = self._budget, self.wait
        box = Box(zygote, program, limits.memory_b, limits, longest_s, seed, purse=purse, on_wait=on_wait)
        try:
            outcome, _ = box.load()
        except SandboxFailure:
            box.close()
            raise
        assert box.imported is not None, "it was loaded"
        return box, outcome, box.imported

    def sources_of(self, turn: CaseTurn) -> dict[str, str]:
        if turn.key not in self._sources:
            task, case, beside = self._inputs.task, turn.case, turn.question.beside
            files = self._submission.files
            module = kind_of(case).module(case.what, turn.question.module)
            imported = (module, *calls_of(case).own_imports)
            reach = {name for each in imported for name in self._reach.get(each, files)}
            sources = {name: file.text for name, file in files.items() if name in reach}
            if task.reference is not None:
                sources |= {name: task.reference.texts[name] for name in beside}
            self._sources[turn.key] = sources
        return self._sources[turn.key]


def _load_failure(outcome: Outcome, limits: Limits) -> Outcome:
    """Return the outcome of the cases whose module's import failed, with words for the failure."""
    place = stopped_at(outcome)
    used = f"{limits.wall_s:g} s {outcome.detail}" if outcome.detail else f"{limits.time_s:g} s of CPU time"
    words = {
        Ending.TIME: f"it was still being imported after {used}{place}",
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

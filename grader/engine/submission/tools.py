"""The tools that mark submissions, one after another: a zygote, a box for rules, and the oracle."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from grader.engine.submission.oracle import Oracle
from grader.judge.messages import failed_build
from grader.model.closing import Closing
from grader.model.outcome import Ending, Outcome
from grader.model.submission import SourceFile
from grader.model.task import Task, Toolchain
from grader.sandbox.artefact import Artefact
from grader.sandbox.budget import Budget
from grader.sandbox.test_cells import TestCells
from grader.sandbox.tools.build import BUILD_S, build, refusal
from grader.sandbox.tools.rule_box import RuleBox
from grader.sandbox.tools.toolchains import artefact_of, commands_of, outermost
from grader.sandbox.zygote import SandboxFailure, Zygote


class MarkingTools(Closing):
    """A zygote and the boxes in it.  Use it as a context manager, or call `close`, which ends the zygote.

    start: starts a zygote, or raises `SandboxFailure`.
    zygote: makes the boxes of submissions.  rule_box: reads their sources.  oracle: asks the spec's own
    code.  cells: run test files.
    """

    def __init__(self, start: Callable[[], Zygote], task: Task) -> None:
        self._start = start
        self._task = task
        self._budget: Budget | None = None
        self._open()

    def _open(self) -> None:
        self.zygote = self._start()
        self._runtimes: dict[Toolchain, Zygote] = {}
        """Zygotes for programs that an interpreter or a machine of another language runs."""
        self.rule_box = RuleBox(self.zygote)
        self.cells = TestCells(self.zygote)
        self.oracle = Oracle(self.zygote, self._task)
        self.oracle.draw_from(self._budget)

    @contextmanager
    def marking(self, budget: Budget) -> Iterator[None]:
        """Charge a submission's budget for the spec's code while the context is open."""
        self._budget = budget
        self.oracle.draw_from(budget)
        try:
            yield
        finally:
            self._budget = None
            self.oracle.draw_from(None)

    def build(
        self, toolchain: Toolchain, module: str, files: Mapping[str, SourceFile], budget: Budget
    ) -> Artefact | Outcome | None:
        """Return the program built of a module, or the outcome of all its cases if it can't be built.

        files: all of the submission.  The budget is charged for it; None if the budget cut it short.  Raises
        `SandboxFailure`.
        """
        reason = refusal(toolchain, self.zygote.driver, self.zygote.interpreter)
        if reason:
            return Outcome(ending=Ending.INTERNAL, detail=reason)
        name = toolchain.file_of(module, files[module].name)
        texts = {name: files[module].text}
        # Helpers in another language than Python have their file's name for a module's.
        texts |= {
            each: file.text for each, file in files.items() if each.casefold().endswith(toolchain.beside)
        }
        most_s = min(BUILD_S, max(1.0, math.ceil(budget.cpu_left_s)))
        built = build(toolchain, name, texts, self.zygote.interpreter, most_s)
        budget.spend(built.cpu_s)
        if built.files is None:
            return None if most_s < BUILD_S and budget.is_used_up else failed_build(texts, built.said)
        sources = {each: text.encode("utf-8", "surrogatepass") for each, text in texts.items()}
        artefact = artefact_of(toolchain, name, sources, built.files)
        return artefact if isinstance(artefact, Artefact) else failed_build(texts, artefact)

    def zygote_of(self, toolchain: Toolchain | None) -> Zygote:
        """Return the zygote whose boxes have what programs in a language read.  Raises `SandboxFailure`."""
        commands = commands_of(toolchain) if toolchain is not None else None
        if toolchain is None or commands is None or not commands.headroom_b:
            return self.zygote
        if toolchain not in self._runtimes:
            interpreter = self.zygote.interpreter
            inside = tuple(f"{path}/" for path in interpreter.readable)
            reads = tuple(path for path in outermost(commands.reads) if not path.startswith(inside))
            readable = tuple(dict.fromkeys((*interpreter.readable, *reads)))
            found = self.zygote.another(replace(interpreter, readable=readable), ())
            found.baseline_b = commands.headroom_b
            self._runtimes[toolchain] = found
        return self._runtimes[toolchain]

    def renew(self) -> None:
        """Restart everything after a sandbox failed.  Raises `SandboxFailure`."""
        self.close()
        self._open()

    def close(self) -> None:
        for part in (self.oracle, self.rule_box, self.cells):
            with suppress(SandboxFailure):
                part.close()
        for zygote in (*self._runtimes.values(), self.zygote):
            zygote.close()

"""The tools that mark submissions, one after another: a zygote, a box for rules, and the oracle."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from grader.lab.building import build_artefact
from grader.lab.oracle import Oracle
from grader.languages.artefact import Artefact
from grader.languages.toolchain import Toolchain, language_of
from grader.model.closing import Closing
from grader.model.limits import MIB
from grader.model.outcome import Outcome
from grader.model.submission import SourceFile
from grader.model.task import Task
from grader.model.values import Value
from grader.sandbox.budget import UNBILLED, Budget, Purse
from grader.sandbox.zygote import SandboxFailure, Zygote

if TYPE_CHECKING:
    from grader.sandbox.tools.rule_box import RuleBox


C = TypeVar("C", bound=Closing)


class MarkingTools(Closing):
    """A zygote and the boxes in it.  Use it as a context manager, or call `close`, which ends the zygote.

    start: starts a zygote, or raises `SandboxFailure`.
    zygote: makes the boxes of submissions.  rule_box: reads their sources.  oracle: asks the spec's own
    code.  lessons: what the reference did in tests.
    """

    def __init__(self, start: Callable[[], Zygote], task: Task) -> None:
        self._start = start
        self._task = task
        self._purse = Purse()
        """Pays for the spec's own code, and for what kinds of cases run beside a submission."""
        self.lessons: dict[Hashable, Value] = {}
        self._open()

    def _open(self) -> None:
        self.zygote = self._start()
        self._runtimes: dict[Toolchain, Zygote] = {}
        """Zygotes for programs that an interpreter or a machine of another language runs."""
        self._rule_box: RuleBox | None = None
        self._own: dict[Callable[[Zygote, Purse], Closing], Closing] = {}
        """The parts of kinds of cases."""
        self.oracle = Oracle(self.zygote, self._task, self._purse)

    @property
    def rule_box(self) -> "RuleBox":
        """Return the box that reads sources."""
        if self._rule_box is None:
            from grader.sandbox.tools.rule_box import RuleBox

            self._rule_box = RuleBox(self.zygote)
        return self._rule_box

    def own(self, make: Callable[[Zygote, Purse], C]) -> C:
        """Return the part that a kind of case needs: made when first asked for, and closed with the rest.

        make: gets the zygote, and the purse that pays for it.
        """
        if make not in self._own:
            self._own[make] = make(self.zygote, self._purse)
        found: C = self._own[make]  # type: ignore[assignment]
        return found

    @contextmanager
    def marking(self, budget: Budget) -> Iterator[None]:
        """Draw from a submission's budget for the spec's code and for kinds while the context is open."""
        self.oracle.draw_from(budget)
        try:
            yield
        finally:
            self.oracle.draw_from(None)

    def unbilled(self) -> AbstractContextManager[None]:
        """Return a context in which what kinds run draws from no submission's budget."""
        return self._purse.drawing_from(UNBILLED)

    def build(
        self, toolchain: Toolchain, module: str, files: Mapping[str, SourceFile], budget: Budget
    ) -> Artefact | Outcome | None:
        """Return the program built of a module, or the outcome of all its cases if it can't be built.

        files: all of the submission.  budget: pays for it; None if it cut the build short.  Raises
        `SandboxFailure`.
        """
        language = language_of(toolchain)
        name = language.file_of(module, files[module].name)
        texts = {name: files[module].text}
        # Helpers in another language than Python have their file's name for a module's.
        texts |= {
            each: file.text for each, file in files.items() if each.casefold().endswith(language.beside)
        }
        return build_artefact(toolchain, name, texts, self.zygote, purse=budget, encode=_as_written)

    def zygote_of(self, toolchain: Toolchain | None) -> Zygote:
        """Return the zygote whose boxes have what programs in a language read.  Raises `SandboxFailure`."""
        if toolchain is None:
            return self.zygote
        from grader.sandbox.tools.toolchains import commands_of, outermost

        language = language_of(toolchain)
        if not language.headroom_mib:
            return self.zygote
        if toolchain not in self._runtimes:
            interpreter = self.zygote.interpreter
            inside = tuple(f"{path}/" for path in interpreter.readable)
            reads = outermost(commands_of(toolchain).reads)
            outside = (path for path in reads if not path.startswith(inside))
            readable = tuple(dict.fromkeys((*interpreter.readable, *outside)))
            found = self.zygote.another(replace(interpreter, readable=readable), ())
            found.baseline_b = language.headroom_mib * MIB
            self._runtimes[toolchain] = found
        return self._runtimes[toolchain]

    def renew(self) -> None:
        """Restart everything after a sandbox failed.  Raises `SandboxFailure`."""
        self.close()
        self._open()

    def close(self) -> None:
        for part in (self.oracle, self._rule_box, *self._own.values()):
            with suppress(SandboxFailure):
                if part is not None:
                    part.close()
        for zygote in (*self._runtimes.values(), self.zygote):
            zygote.close()


def _as_written(text: str) -> bytes:
    # A submission's text is UTF-8, or it was refused.
    return text.encode("utf-8", "surrogatepass")

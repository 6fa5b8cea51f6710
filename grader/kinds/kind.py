"""What a kind of case is: all that the grader asks about a case, in one place.

This is the page to read first.  A kind lives in a package beside this one: its record, its keys, how it is
read, run, judged, shown and handed out.  Everybody else asks `kind_of(case)` from `grader.model.kinds`, and
nobody tests which kind a case is.  A question that a kind cannot answer is refused by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from grader.judge.finding import Checkers, Expected, Finding
from grader.model.case import NO_CALLS, Calls, Case, Check, Expectation, Generated, Rendering, Text
from grader.model.kinds import What
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.rule import Rule
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.model.values import DeclaredType

if TYPE_CHECKING:
    from grader.lab.lab import Lab
    from grader.lab.oracle import Oracle
    from grader.lab.pictures import Subject
    from grader.lab.turn import CaseTurn
    from grader.reports.standalone import Standalone
    from grader.sandbox.box import Program
    from grader.sandbox.evidence import Evidence
    from grader.spec.decode.inherited import Inherited
    from grader.spec.expressions.context import Context
    from grader.spec.writing.cases import Writer
    from grader.yamlfile.table import Fields

W = TypeVar("W", bound=What)


class Unfit(Exception):
    """A case cannot be written as a spec, or be in a handout; the text says why."""


class Kind(ABC, Generic[W]):
    """A kind of case.

    name: the key by which it is found.
    runs: whether a case runs code of the submission; else it reads its source.
    imports: whether it imports a module of the submission for that.
    as_main: whether a case runs its whole module, as a program.
    """

    name: ClassVar[str]
    runs: ClassVar[bool] = True
    imports: ClassVar[bool] = True
    as_main: ClassVar[bool] = False

    # -- reading a spec --------------------------------------------------------------------------------

    @abstractmethod
    def read(
        self, fields: "Fields", common: Case, context: "Context", inherited: "Inherited"
    ) -> Sequence[Case]:
        """Return the case that a mapping of the spec states; several where it stands for several.

        common: a case with the values that every kind has.
        Raises Unusable once all mistakes are reported; see `grader.yamlfile.unusable`.
        """

    def module(self, what: W, of_question: str) -> str:
        """Return the module that a case is about, given the question's."""
        return of_question

    def tools(self, case: Case) -> Mapping[str, Callable[[], str]]:
        """Return the programs on our side that a case needs, by name.

        Each function returns the version of one, which is a part of the run's record, and raises `UsageError`
        where it is missing.
        """
        return {}

    def test_texts(self, case: Case) -> Mapping[str, str]:
        """Return name and text of each module of the instructor's tests, as far as a case needs it."""
        return {}

    def python_alone(self, case: Case) -> str:
        """Return what a case needs that only Python gives, as a verb and its object; empty for nothing."""
        return "calls Python"

    def undrawn(self, case: Case) -> str | None:
        """Return the key that leaves a case without an answer to draw, or ""; None if it has one."""
        return None

    def drawn_inputs(self, case: Case) -> Generated | None:
        """Return the source of a case's inputs, if they were drawn."""
        return None

    def calls_of(self, case: Case) -> Calls:
        """Return the calls that a case makes."""
        return NO_CALLS

    def expectations(self, case: Case) -> Sequence[Expectation]:
        """Return all that a case expects: of its steps, and of them together."""
        return ()

    def with_checks(self, case: Case, change: Callable[[Check], Check]) -> Case:
        """Return a case with each of its checkers changed."""
        return case

    def with_picture(self, case: Case, picture: Rendering) -> Case:
        """Return a case whose answer a renderer draws."""
        return case

    def rule(self, what: W) -> Rule | None:
        """Return the rule on source that a case is; None if it runs code."""
        return None

    def each_by_itself(self, case: Case) -> bool:
        """Tell whether each call of a case has an expectation of its own."""
        return False

    def names_steps(self, case: Case) -> bool:
        """Tell whether people know the calls of a case as its steps, by their numbers."""
        return False

    def gain(self, case: Case) -> str:
        """Return how a program could earn marks that it should not, for `validate`; empty if it can't."""
        return ""

    # -- writing a spec --------------------------------------------------------------------------------

    def typed(self, case: Case, writer: "Writer") -> str:
        """Return an input as one would type it."""
        return case.text

    def written(self, case: Case, writer: "Writer") -> dict[str, object]:
        """Return a case as keys of the spec, for handouts and for cases that `validate` proposes."""
        raise NotImplementedError(f"a case of the kind {self.name} cannot be written")

    # -- running ---------------------------------------------------------------------------------------

    def box(self, case: Case) -> Hashable:
        """Return what two cases must have in common, besides module and limits, to share a box."""
        return None

    def program(
        self, case: Case, program: "Program", task: Task, files: Mapping[str, SourceFile]
    ) -> "Program":
        """Return the program whose evidence a case depends on, given that of the question's module."""
        return program

    def captures(self, case: Case) -> bool:
        """Tell whether a case judges, or can judge, the text that its calls print."""
        return False

    def texts(self, case: Case) -> Sequence[Text]:
        """Return the texts with which a case compares what is printed."""
        return ()

    def asks_reference(self, case: Case) -> bool:
        """Tell whether a case expects an answer or output of the reference."""
        return False

    def expected(self, case: Case, module: str, oracle: "Oracle") -> Expected:
        """Return the reference's answers to a case, or the reason why there are none."""
        return Expected(failure=f"a case of the kind {self.name} has no reference")

    def about(
        self, task: Task, case: Case, request: bytes, reference: Outcome | None
    ) -> Sequence[str | bytes]:
        """Return all that the evidence of a case depends on, besides the program and the conditions.

        Here these are its calls and its whole record.  A kind whose evidence depends on anything else says
        so, or a case gets the evidence of another.

        request: its calls, encoded for a box.  reference: the outcome of the reference's program.
        """
        return request, repr(case.what)

    def run(self, turns: "Sequence[CaseTurn]", lab: "Lab") -> "Sequence[Outcome | Evidence]":
        """Run the first cases, at least one, of some that share a box.  Raises `SandboxFailure`."""
        raise NotImplementedError(f"a case of the kind {self.name} runs nothing")

    def command(self, case: Case, task: Task, submission: Submission) -> str:
        """Return how people start a program that is not Python; empty for anything else."""
        return ""

    def repeats(self, case: Case) -> Sequence[Case]:
        """Return a case with the other inputs on which the growth of its time is measured."""
        return ()

    def untimed(self, case: Case, *, growth: bool) -> Case:
        """Return a case whose time is worth nothing.  growth: its growth is measured all the same."""
        return case

    # -- judging ---------------------------------------------------------------------------------------

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        """Return the finding on a case.  Raises `OwnFault` and `CheckFailed`."""
        raise NotImplementedError(f"a case of the kind {self.name} has no outcome")

    def expected_text(self, case: Case, expected: Expected | None) -> str:
        """Return what is expected as text for people; empty if it is not known, or shown elsewhere."""
        return ""

    def with_given(self, case: Case, result: CaseResult, outcome: Outcome, finding: Finding) -> CaseResult:
        """Return the result with what the case was given: files, input, dialogue."""
        return result

    def timed(self, turn: "CaseTurn", result: CaseResult, lab: "Lab") -> CaseResult:
        """Return the result of an accepted case with the worth of its time.  Raises `SandboxFailure`."""
        return result

    def not_timed(self, case: Case, result: CaseResult, reason: str) -> CaseResult:
        """Return the result of an accepted case whose time our own side failed to measure."""
        return result

    def subjects(
        self, case: Case, outcome: Outcome, expected: Expected | None, result: CaseResult
    ) -> "Iterator[Subject]":
        """Yield the answers to draw where the spec asks for pictures."""
        return iter(())

    # -- for people ------------------------------------------------------------------------------------

    def alone(
        self, case: Case, module: str, texts: Mapping[str, str], task: Task, replayed: CaseResult
    ) -> "Standalone":
        """Return a case for a run without the grader.  Raises `NotStandalone`.

        module: the module that it is about, whose text is there.

        texts: of the modules beside it, by file name.  replayed: its result here.
        """
        from grader.reports.standalone import NotStandalone

        raise NotStandalone(f"a case of the kind {self.name} does not run without the grader")

    def stays(self, case: Case) -> str:
        """Return why a case cannot be handed out to students; empty if it can."""
        return ""

    def players(self, case: Case) -> tuple[str, ...]:
        """Return the functions of the checkers file that play a part in a case, besides its checkers."""
        return ()

    def public(self, case: Case) -> Case:
        """Return a case without what is for the staff."""
        return case

    def answered(self, case: Case, expected: Expected | None, types: tuple[DeclaredType, ...]) -> Case:
        """Return a case as students get it: the reference's answers are written out.

        Raises `OwnFault` and `NotCombinable`.
        """
        return case

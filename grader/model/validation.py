"""The findings of `grader validate` about a spec: mutants, those that pass, and other faults.

`grader.plugins.validate` makes these, and the reports read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

VALIDATION_SCHEMA = "grader-validation/1"

EXAMPLES_ONLY = "examples-only"
"""The kind of mutant that looks up the answers of public cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """The reference with one fault put in.

    id: the same as long as the mutated function is: made from operator, function and text, never from a line.
    operator: the kind of fault, such as `off-by-one`.
    module: the mutated module's name.  function: its qualified name, such as `Board.move`; empty for code
        outside functions.
    line: where the fault is in the reference's module.
    before, after: the mutated text, without the lines around it.
    sources: all modules of the mutated program, by name.
    """

    id: str
    operator: str
    module: str
    function: str
    line: int
    before: str
    after: str
    sources: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_by_heart(self) -> bool:
        """Whether it knows the answers of public cases, so that only a hidden case catches it."""
        return self.operator == EXAMPLES_ONLY

    @property
    def place(self) -> str:
        """The fault's line, in words."""
        return f"{self.module}.py line {self.line}" + (f", {self.function}" if self.function else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinction:
    """An input for which a mutant differs from the reference.

    call: the call, or a scenario's steps, as one would type it.
    reference, mutant: what each does, as text for people.
    lines: a case for the spec, ready to paste below `cases:`, without indentation.
    certain: False if many answers may be right and no checker of the spec could judge this one; then the
        lines lack what is expected.
    odd: in what the input is unlike those of nearly all cases, in words; empty where it is like them.  An odd
        input may be one that the function is not made for.
    slow: True if all that was seen is that the mutant needs longer than a limit below the question's own, so
        that it may be right in the time that students have.
    """

    call: str
    reference: str
    mutant: str
    lines: tuple[str, ...]
    certain: bool = True
    odd: tuple[str, ...] = ()
    slow: bool = False

    @property
    def is_sure(self) -> bool:
        """Tell whether the mutant is surely wrong here: one answer is right, and the input is not odd."""
        return self.certain and not self.odd and not self.slow


class Check(StrEnum):
    """One thing that is looked into.  The texts are part of `grader-validation/1`."""

    REFERENCE = "reference"
    """The reference gets every mark."""
    HEAD_ROOM = "head-room"
    """The limits are neither near nor far from what the reference needs."""
    PROGRAMS = "programs"
    """Each wrong and right program beside the spec gets its declared verdicts."""
    BLANK = "blank"
    """Empty files and the bare handout get no marks."""
    CHECKERS = "checkers"
    """The checkers stand every odd answer, and accept none."""
    MUTANTS = "mutants"
    """Each question catches the faults that touch it."""
    STEADY = "steady"
    """The reference's verdicts do not depend on seeds, order or load."""
    SECRETS = "secrets"
    """No student sees what a hidden case holds."""
    FAILURES = "failures"
    """Each case can fail."""
    NEEDED = "needed"
    """Each case catches a fault that no other case of its question catches."""


class Gravity(StrEnum):
    """The gravity of a remark."""

    FAULT = "fault"
    """Students can lose or gain marks by it."""
    ODD = "odd"
    """A person should look at it."""
    NOTE = "note"
    """For information."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing that a check found.

    question, case: what it is about; empty: the whole task.
    place: `file:line:column` of the case in the spec; empty where it is not about a case.
    text: one sentence.  hint: what to do about it.
    details: lines such as expected and found, each with its label.
    """

    check: Check
    gravity: Gravity
    question: str = ""
    case: str = ""
    place: str = ""
    text: str
    hint: str = ""
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A mutant that passes a question.

    distinction: an input that the question could try; None: the search found none.
    reason: why a person says that it is equivalent; empty where nobody says so.
    caught_by: the questions that catch it.
    """

    mutant: Mutant
    distinction: Distinction | None = None
    reason: str = ""
    caught_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionScore:
    """The mutants that a question catches and lacks.

    caught: number of mutants that fail one of its cases.
    survivors: mutants that differ for some input, and pass.
    unsure: mutants that pass and differ, but perhaps only where both answers are right, or for an input that
        is not meant to work; a person decides.
    alike: mutants that pass, and for which no such input was found.
    equivalent: those of which a person says that they are equivalent.
    """

    id: str
    title: str
    caught: int
    survivors: tuple[Survivor, ...] = ()
    unsure: tuple[Survivor, ...] = ()
    alike: tuple[Survivor, ...] = ()
    equivalent: tuple[Survivor, ...] = ()

    @property
    def total(self) -> int:
        """The number of mutants that the question should catch."""
        return self.caught + len(self.survivors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The result of `grader validate` for one spec.

    checks: those that were done, each with the number of things tried.
    mutants: number of mutants tried.
    quick: the search was left out, and so were dear cases.
    elapsed_s: by the clock; kept: how many results were known from an earlier run.
    """

    task: str
    title: str
    spec: str
    spec_sha256: str
    checks: Mapping[Check, int]
    remarks: tuple[Remark, ...]
    questions: tuple[QuestionScore, ...]
    mutants: int
    quick: bool = False
    elapsed_s: float = 0.0
    kept: int = 0

    @property
    def caught(self) -> int:
        """The mutants caught, counted in each question that they touch."""
        return sum(question.caught for question in self.questions)

    @property
    def total(self) -> int:
        """The mutants that should be caught, counted in each question that they touch."""
        return sum(question.total for question in self.questions)

    @property
    def alike(self) -> tuple[Survivor, ...]:
        """The mutants that pass all questions and that no input tells from the reference, each once."""
        told = {one.mutant.id for each in self.questions for one in (*each.survivors, *each.unsure)}
        passing = {one.mutant.id: one for each in self.questions for one in each.alike}
        return tuple(one for id, one in passing.items() if not one.caught_by and id not in told)

    @property
    def faults(self) -> tuple[Remark, ...]:
        """The remarks that students can lose or gain marks by."""
        return tuple(remark for remark in self.remarks if remark.gravity is Gravity.FAULT)

    @property
    def is_well(self) -> bool:
        """Tell whether there is no fault, and every mutant is caught in each question that it touches."""
        return not self.faults and self.caught == self.total

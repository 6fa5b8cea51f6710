"""A case of a task: what is tried, and what is expected of it.

Built by `grader.spec` alone; every later layer reads it.  All of it can be pickled and compared.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, Union

from grader.model.limits import Limits
from grader.model.values import Value

if TYPE_CHECKING:  # few tasks have these, and each class made takes its time at the start
    from grader.model.program import Produces, ProgramRun
    from grader.model.rendering import Rendering
    from grader.model.rule import Rule
    from grader.model.text import Text


class Visibility(StrEnum):
    """How much of a case its student sees."""

    PUBLIC = "public"
    """Everything."""
    HIDDEN = "hidden"
    """That there is a case, and its verdict; never its call, values or messages."""
    AFTER_DUE = "after-due"
    """As hidden until the marks are released, then as public."""

    @property
    def turn(self) -> int:
        """When such cases of a submission run: public ones first, hidden ones last.

        So when a hidden case runs, nothing is left to run whose output the student sees.
        """
        return (Visibility.PUBLIC, Visibility.AFTER_DUE, Visibility.HIDDEN).index(self)


class Combine(StrEnum):
    """What becomes of the answers of a case with several calls."""

    EACH = "each"
    """A list of the answers, in the order of the calls."""
    SUM = "sum"
    """Their sum; an answer that is no number is a wrong answer."""
    COUNT = "count"
    """How many of them are exactly `True`."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A function argument whose source runs beside the student's code.  Not evidence."""

    source: str


@dataclass(frozen=True, slots=True)
class Watched:
    """A function argument each call of which is answered and recorded on the trusted side.

    name: the name that the spec gives it.
    source: a lambda; it runs in the oracle's sandbox, never beside the student's code.
    """

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Bound:
    """An argument that an earlier step of the scenario made; it never leaves the student's process."""

    name: str


Argument: TypeAlias = Value | Shipped | Watched | Bound


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function of the student's module.

    function: its name; `name.method` in a scenario, where `name` was bound by an earlier step.
    text: the call as one would type it in Python, for people.
    bind: keep what is returned under this name instead of bringing it back, which then is None.
    reads: `function` is an attribute that is read, not called.
    """

    function: str
    args: tuple[Argument, ...]
    kwargs: tuple[tuple[str, Argument], ...] = ()
    text: str = ""
    bind: str = ""
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an answer is compared with a value; exact unless relaxed."""

    any_sequence: bool = False
    """A list and a tuple with equal items are equal, and so are a set and a frozenset."""
    unordered: bool = False
    """The order of the outermost list or tuple does not matter."""
    rel: float = 0.0
    """Relative tolerance of floats."""
    abs: float = 0.0
    """Absolute tolerance of floats."""
    differing: Fraction = Fraction(0)
    """Share of the items of nested sequences that may differ; their shape must be the same."""


@dataclass(frozen=True, slots=True)
class Returns:
    """The answer equals a literal of the spec."""

    value: Value
    comparison: Comparison = Comparison()


@dataclass(frozen=True, slots=True)
class SameAsReference:
    """The answer equals the reference's answer to the same call."""

    comparison: Comparison = Comparison()


@dataclass(frozen=True, slots=True)
class Check:
    """A checker of the spec looks at the answer; many answers may be right.

    checker: name of a function in the spec's checkers file.
    arguments: keyword arguments for it, in the order of the spec.
    any_sequence: lists inside the answer are handed to it as tuples where tuples are due;
        the checker then sees every sequence as a tuple, except the outermost, which is a list.
    text: as written in the spec.
    """

    checker: str
    arguments: tuple[tuple[str, Value], ...]
    text: str
    any_sequence: bool = False


@dataclass(frozen=True, slots=True)
class Raises:
    """The call raises an exception of this class (or a subclass, where that is known).

    message: a regular expression that its text must match somewhere; None for any text.
    """

    exception: str
    message: str | None = None


Expectation: TypeAlias = Union[Returns, SameAsReference, Check, Raises, "Produces"]


@dataclass(frozen=True, slots=True)
class Step:
    """What is expected of one call of a scenario; the call stands at the same place in `Case.calls`.

    expect: None: anything but an exception.
    prints: None: not compared.
    picture: how its answer is drawn; None: not at all.
    """

    expect: "Expectation | None" = None
    prints: "Text | None" = None
    picture: "Rendering | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What the time of a right answer is worth, as a multiple of the reference's time.

    full: up to this multiple, all.  none: from this multiple on, nothing.
    steps: equal bands between the two, each worth the same less than the one before.
    rounds: how often both are run in turns; up to three times as often near the edge of a band.
    floor_s: CPU time up to which an answer is worth all, whatever the reference needs.
    module, function: what of the reference's folder is timed; empty for the case's own.
    """

    full: Fraction
    none: Fraction
    steps: int = 4
    rounds: int = 5
    floor_s: float = 0.02
    module: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One thing that is tried, with what is expected of it."""

    id: str
    """`<question>.<number>`, unique in the task."""
    text: str
    """What is tried, for people: the call, or `sum of f(x) for x in range(5)`."""
    calls: tuple[Call, ...]
    combine: Combine | None = None
    """None: a single call, whose answer is the case's answer."""
    expect: "Expectation | None"
    """None for a scenario, whose steps say what is expected."""
    prints: "Text | None" = None
    """What the call prints; None: not compared."""
    steps: tuple[Step, ...] = ()
    """For a scenario: what is expected of each call."""
    goes_on: bool = False
    """A scenario's steps after a failing one are judged too, each for its share of the case."""
    program: "ProgramRun | None" = None
    """For a case that runs a program; it has no calls, and expects a `Produces`."""
    check: Check | None = None
    """For a program: a checker that looks at all that it did, besides what is expected."""
    watch: tuple[tuple[str, tuple[tuple[Value, ...], ...]], ...] = ()
    """For a watched callback: the argument tuples it must have been called with, in order."""
    unchanged: bool = False
    """The arguments must equal their copies after the call."""
    weight: Fraction = Fraction(1)
    group: str = ""
    hint: str = ""
    visibility: Visibility = Visibility.PUBLIC
    needs: tuple[str, ...] = ()
    """Ids of cases that must be accepted first; else this one is skipped."""
    limits: Limits = Limits()
    pace: Pace | None = None
    """What its time is worth; None: nothing, within its limits."""
    picture: "Rendering | None" = None
    """How an answer that is not accepted is drawn; None: not at all."""
    rule: "Rule | None" = None
    """For a case that looks at the source; it has no calls and expects nothing."""

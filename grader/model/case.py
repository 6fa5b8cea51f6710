"""A case of a task: what is tried, and what is expected of it.

Built by `grader.spec` alone; every later layer reads it.  All of it can be pickled and compared.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias, Union

from grader.model.formula import Formula
from grader.model.kinds import What
from grader.model.limits import Limits
from grader.model.own_code import Around, Harness, Interactor, Validator
from grader.model.values import Value


@dataclass(frozen=True, slots=True)
class Rendering:
    """The renderer that a spec names for an answer.

    renderer: name of a built-in renderer, or of a function of the checkers file.
    arguments: keyword arguments for it.
    own: it is a function of the checkers file.
    always: draw accepted answers too.
    """

    renderer: str
    arguments: tuple[tuple[str, object], ...] = ()
    own: bool = False
    always: bool = False


class Whitespace(StrEnum):
    """Which blanks count when printed text is compared."""

    EXACT = "exact"
    """Every character counts, the last line end too."""
    TRAILING = "trailing"
    """Blanks at the ends of lines and empty lines at the end do not count."""
    ANY = "any"
    """A run of blanks and line ends counts as one blank; at both ends of the text, as none."""
    NONE = "none"
    """No blank and no line end counts."""


class Ignored(StrEnum):
    """Differences between printed texts that do not count."""

    CASE = "case"
    """Capital and small letters are equal."""
    PUNCTUATION = "punctuation"
    """Punctuation does not count, apart from the points and signs of numbers."""


@dataclass(frozen=True, slots=True)
class Text:
    """Expected text: all of it, or parts of it, or a pattern, or lines.

    value: all of it; None: whatever the reference prints, if nothing else is stated.
    ignores: differences that do not count.
    rel, abs: tolerance of the numbers in it that have a point or an exponent.
    contains: texts that stand in it, one after another.
    pattern: a regular expression that matches somewhere in it.
    lines: what is expected of single lines; line 1 is the first, line -1 the last.
    every_line: `lines` are all of its lines.
    unordered: its lines may come in any order; only where all of it is expected to be one text.
    """

    value: str | None
    whitespace: Whitespace = Whitespace.EXACT
    ignores: tuple[Ignored, ...] = ()
    rel: float = 0.0
    abs: float = 0.0
    contains: tuple[str, ...] = ()
    pattern: str | None = None
    lines: tuple[tuple[int, "Text"], ...] = ()
    every_line: bool = False
    unordered: bool = False

    @property
    def is_whole(self) -> bool:
        """Tell whether all of the text is expected to be one text."""
        return self.pattern is None and not self.contains and not self.lines

    @property
    def asks_reference(self) -> bool:
        """Tell whether any of it must be the same as the reference's."""
        return (self.is_whole and self.value is None) or any(line.asks_reference for _, line in self.lines)


class Visibility(StrEnum):
    """The part of a case that its student sees."""

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
    """The way from several calls' answers to the answer of their case."""

    EACH = "each"
    """A list of the answers, in the order of the calls."""
    SUM = "sum"
    """Their sum; an answer that is no number is a wrong answer."""
    COUNT = "count"
    """The number of answers that are exactly `True`."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A function argument whose source runs beside the student's code.  Not evidence.

    uses: names in it that are the module's, or an earlier step's.
    """

    source: str
    uses: tuple[str, ...] = ()


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

    function: its name; `name.method` in a scenario, where `name` was bound by an earlier step; for a formula
        its text, with `_` for data.
    text: the call as one would type it in Python, for people.
    bind: store the answer under this name in the box; the grader gets None instead.
    brings: the grader gets the answer all the same.
    reads: `function` is an attribute that is read, not called.
    formula: what is computed instead of a call of `function`; `args` are the data in it.
    """

    function: str
    args: tuple[Argument, ...]
    kwargs: tuple[tuple[str, Argument], ...] = ()
    text: str = ""
    bind: str = ""
    reads: bool = False
    brings: bool = False
    formula: Formula | None = None

    @property
    def own_name(self) -> str:
        """Its function's name, or its method's without the object's; for a formula, its text."""
        return self.function if self.formula is not None else self.function.rpartition(".")[2]

    @property
    def functions(self) -> tuple[str, ...]:
        """The dotted names that it calls or reads: `f`, `name.method`."""
        lambdas = (each.uses for each in self.arguments if isinstance(each, Shipped))
        own = (self.function,) if self.formula is None else self.formula.functions()
        return (*own, *(name for uses in lambdas for name in uses))

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All arguments, those with keywords too."""
        return (*self.args, *(value for _, value in self.kwargs))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rules by which an answer is compared with a value; exact unless relaxed."""

    any_sequence: bool = False
    """A list and a tuple with equal items are equal, and so are a set and a frozenset."""
    unordered: bool = False
    """The order of the outermost list or tuple, or of the rows of a table, does not matter."""
    rel: float = 0.0
    """Tolerance of floats, complex numbers, Fractions and Decimals, as a share of the expected number."""
    abs: float = 0.0
    """Absolute tolerance of the same; of points in time and timedeltas, in seconds."""
    differing: Fraction = Fraction(0)
    """Share of the items of nested sequences that may differ; their shape must be the same."""
    python: bool = False
    """Values are equal where Python's `==` says so, whatever their types."""
    any_columns: bool = False
    """The order of a table's columns does not matter, nor the name of a Series."""
    any_index: bool = False
    """The labels of a table's rows do not matter."""


@dataclass(frozen=True, slots=True)
class Plot:
    """The plots that must be drawn: for each axes, values of some of its parts, by the names of the parts.

    axes: None: the usual parts of all axes are the reference's; None as a value: the reference's.
    """

    axes: tuple[tuple[tuple[str, Value], ...], ...] | None
    comparison: Comparison = Comparison(any_sequence=True, python=True)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all parts that are looked at."""
        stated = [name for axes in self.axes or () for name, _ in axes]
        return tuple(dict.fromkeys(stated)) if self.axes is not None else USUAL_PARTS

    @property
    def asks_reference(self) -> bool:
        """Tell whether a part must be the reference's."""
        return self.axes is None or any(value is None for axes in self.axes for _, value in axes)


USUAL_PARTS = ("title", "xlabel", "ylabel", "legend", "lines", "points", "bars")
"""The parts of a plot that must be the reference's if the whole plot must."""


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
    proven: it takes the reference's answer, so where it raises, that comes from the answer.
    """

    checker: str
    arguments: tuple[tuple[str, Value], ...]
    text: str
    any_sequence: bool = False
    proven: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Raises:
    """The call raises an exception of this class (or a subclass, where that is known).

    message: a regular expression that its text must match somewhere; None for any text.
    by_name: another class that is called as a built-in one is right too, as the reference has one.
    """

    exception: str
    message: str | None = None
    by_name: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Produces:
    """The output, files and exit status expected of a program; None: not compared.

    stdout: after a dialogue, what it prints after the last input.
    """

    stdout: Text | None = None
    stderr: Text | None = None
    exit_code: int | None = 0
    files: tuple[tuple[str, Text], ...] = ()


Expectation: TypeAlias = Union[Returns, SameAsReference, Check, Raises, "Produces"]


@dataclass(frozen=True, slots=True)
class Step:
    """A call, and what is expected of it alone.

    expect: None: anything but an exception.
    prints: None: not compared.
    picture: how its answer is drawn; None: not at all.
    """

    call: Call
    expect: Expectation | None = None
    prints: Text | None = None
    picture: Rendering | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The source of a case's inputs, from which smaller ones can be drawn too.

    given: the names, each with its expression as the spec writes it.
    call: the call, as the spec writes it.
    module_names: the names in it that are the module's.
    expects: the answer or the checker's call as the spec writes it; empty where no name of `given` is in it.
    names: the other names that these texts use, with their values.
    rows: the inputs: for each, the values of the names in the order of `given`.
    drawn: they were drawn; else the spec lists them.
    """

    given: tuple[tuple[str, str], ...]
    call: str
    expects: str = ""
    module_names: tuple[str, ...] = ()
    names: tuple[tuple[str, Value], ...] = ()
    rows: tuple[tuple[Value, ...], ...] = ()
    drawn: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The worth of a right answer's time, as a multiple of the reference's time.

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
class Growth:
    """The growth of its time that a right answer may have.

    sizes: one for each call of the case, ascending.
    at_most: the name of the fastest growth that is asked for, as in `grader.marking.growth`.
    decides: a faster growth costs marks; else it is a remark.
    worse: the share of the case that a faster growth earns where it decides.
    rounds: how often each size is run; more often where two growths are hard to tell apart.
    again: the steps of the case with other inputs of the same sizes, if there are others.
    """

    sizes: tuple[int, ...]
    at_most: str
    decides: bool = False
    worse: Fraction = Fraction(0)
    rounds: int = 3
    again: tuple[tuple[Step, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of a dialogue.

    says: what the program prints between its last input and this one; None: not compared.
    answer: the line it is then given, without its line end; None: the end of the input.
    stops: the case ends when the program asks; only the last turn has this.
    """

    says: Text | None
    answer: str | None
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A function of the checkers file that plays the other side of a dialogue.

    function: called with the transcript, a list of (said, answered) pairs that ends with what was
    said last and None, and with the arguments; returns the next line, or None for the end of the input.
    """

    function: str
    arguments: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun(What):
    """A module run as a program.

    stdin: all of its input; empty where there is a dialogue or a player.
    files: name and content of the files it finds in its folder.
    keeps: names of the files that it is expected to leave there.
    check: a checker looks at all that it did, besides what is expected.
    picture: the renderer for what it did, if that is not accepted; None: no picture.
    silent: what `input` would show is left out of its output.
    validator: judges its output, with the expected one as an answer that is right; None: they are compared.
    interactor: talks with it, and judges it; None: nothing does.
    left: the files that the validator left in an earlier pass.
    harness: the instructor's program that runs in place of the module, and imports it; None: the module runs.
    """

    kind_name = "program"
    module: str
    arguments: tuple[str, ...] = ()
    stdin: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    keeps: tuple[str, ...] = ()
    dialogue: tuple[Exchange, ...] = ()
    player: Player | None = None
    expect: Produces = Produces()
    check: Check | None = None
    picture: Rendering | None = None
    silent: bool = False
    validator: Validator | None = None
    interactor: Interactor | None = None
    left: tuple[tuple[str, bytes], ...] = ()
    harness: Harness | None = None

    @property
    def main(self) -> str:
        """The module that is run."""
        return self.module if self.harness is None else self.harness.module

    @property
    def talks(self) -> bool:
        """Tell whether the program's input depends on what it says."""
        return bool(self.dialogue) or self.player is not None or self.interactor is not None

    @property
    def passes(self) -> int:
        """How often it is run at most."""
        return max((each.passes for each in self.judges), default=1)

    @property
    def judges(self) -> tuple[Validator, ...]:
        """Return the programs of the spec's that judge it."""
        of_interactor = self.interactor.program if self.interactor is not None else None
        return tuple(each for each in (self.validator, of_interactor) if each is not None)


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a case that makes calls.

    files: name and content of the files that the calls find there.
    keeps: names of those that they must leave.  texts: of these, the expected ones.
    """

    files: tuple[tuple[str, bytes], ...] = ()
    keeps: tuple[str, ...] = ()
    texts: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOfTests:
    """A test file of the instructor's, with the files beside it that it can import.

    module: its name as a module.  texts: name and text of each module, its own among them.
    tests: all test functions in it, with their classes: `TestLeap.test_century`.
    """

    module: str
    texts: tuple[tuple[str, str], ...]
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFunction(What):
    """One test function of a test file, with all of its parameters.

    name: with its classes: `TestLeap.test_century`.
    proven: the reference passes it, so a failure comes from the answers of a program.
    """

    kind_name = "pytest"
    __test__ = False

    file: FileOfTests
    name: str
    proven: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentTests(What):
    """A student's own test file, tried on programs of the instructor's.

    module: of the submission, with the tests.  program: the name by which they import a program.
    right, wrong: the texts of programs that they must accept, and that they should not.
    """

    kind_name = "student tests"
    module: str
    program: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls(What):
    """Calls of functions of the student's module, or its import."""

    kind_name = "calls"
    steps: tuple[Step, ...] = ()
    """A plain call is one step.  A call of a function without a name stands for the import of the module."""
    apart: bool = False
    """Each step is judged by itself, as in a scenario, whose steps share objects, and with many inputs."""
    combine: Combine | None = None
    """The way to one answer from several calls that are not judged apart; their steps expect nothing."""
    expect: Expectation | None = None
    """What is expected of all together: of the combined answer, or for a scenario a checker of answers that
    steps keep, which stand among its arguments as `Bound`."""
    picture: Rendering | None = None
    """The renderer for a combined answer that is not accepted; None: no picture."""
    plot: Plot | None = None
    """The plots that the call draws, which then are its answer; None: they do not matter."""
    goes_on: bool = False
    """A scenario's steps after a failing one are judged too, each for its share of the case.  A generated
    case is worth the share of its inputs that are right."""
    generated: Generated | None = None
    """For a case with many inputs: their source.  Each is a step."""
    harness: Harness | None = None
    """The module whose functions the calls can be, besides the student's."""
    around: Around | None = None
    """The code that runs before and after the student's module."""
    folder: Folder | None = None
    """Its files; None if it has none."""
    watch: tuple[tuple[str, tuple[tuple[Value, ...], ...]], ...] = ()
    """For a watched callback: the argument tuples it must have been called with, in order."""
    unchanged: bool = False
    """The arguments must equal their copies after the call."""
    pace: Pace | None = None
    """The worth of its time; None: nothing, within its limits."""
    growth: Growth | None = None
    """The growth of its time over its inputs; None: it does not matter."""

    @property
    def own_code(self) -> dict[str, str]:
        """The instructor's files that run beside the student's code, by name."""
        found = {own.file: own.text for own in self.around.files} if self.around is not None else {}
        return found | ({f"{self.harness.module}.py": self.harness.text} if self.harness is not None else {})

    @property
    def own_imports(self) -> tuple[str, ...]:
        """The modules of the task that these files import."""
        files = (*(self.around.files if self.around is not None else ()), self.harness)
        return tuple(name for file in files if file is not None for name in file.imports)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of all steps."""
        return tuple(step.call for step in self.steps)

    @property
    def expects(self) -> tuple[Expectation | None, ...]:
        """What is expected of each call, in order; of one that is judged together with others, of all."""
        return tuple(step.expect if self.combine is None else self.expect for step in self.steps)

    @property
    def decides(self) -> Expectation | None:
        """What is expected of the answer that decides, where one does: of the call, or of all combined."""
        return None if self.apart else next(iter(self.expects), None)

    @property
    def is_timed(self) -> bool:
        """Tell whether its time is measured by itself."""
        return self.pace is not None or self.growth is not None


NO_CALLS = Calls()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One thing that is tried, with what is expected of it."""

    id: str
    """`<question>.<number>`, unique in the task."""
    text: str
    """Text for people: the call, or `sum of f(x) for x in range(5)`."""
    what: What = NO_CALLS
    """The record of its kind: what is tried, and what is expected."""
    weight: Fraction = Fraction(1)
    group: str = ""
    title: str = ""
    """Words for people that stand for a long `text`; empty: `text` itself."""
    hint: str = ""
    visibility: Visibility = Visibility.PUBLIC
    needs: tuple[str, ...] = ()
    """Ids of cases that must be accepted first; else this one is skipped."""
    limits: Limits = Limits()
    seed: int | None = None
    """The seed of all that is random in it; None: the task's."""

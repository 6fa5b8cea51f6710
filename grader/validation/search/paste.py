"""An input as lines of YAML that can be pasted into the spec, below `cases:`."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

import yaml

from grader.judge.values.show import show
from grader.model.case import (
    Argument,
    Bound,
    Call,
    Case,
    Check,
    Comparison,
    Expectation,
    Player,
    Plot,
    Produces,
    Raises,
    Returns,
    SameAsReference,
    Shipped,
    Text,
    Watched,
    Whitespace,
)
from grader.model.task import Question, Task
from grader.model.values import DeclaredType, EnumMember, EnumType, Record, Table, Value
from grader.spec.expressions.literals import literal
from grader.spec.keys.plots import LISTS, TEXTS

_LONGEST_ANSWER = 160
"""Longer answers are left to the reference."""
_ORACLE = "same as reference"
_LONGEST_LITERAL = 2000
"""The most characters of a value, and bytes of a file, that stand in the spec itself."""


class _Written:
    """Text that stands for itself inside a literal."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class Attachments:
    """The files beside a spec that is written.  contents: by path.  values: paths by names of `let`.

    folder: where they lie.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._count = 0
        self.contents: dict[str, bytes] = {}
        self.values: dict[str, str] = {}

    def path_of(self, content: bytes) -> str:
        """Return the path of a file with this content, which is added if there is none."""
        known = next((path for path, each in self.contents.items() if each == content), None)
        if known is not None:
            return known
        self._count += 1
        path = f"{self._folder}/{self._count}.txt"
        self.contents[path] = content
        return path

    def name_of(self, text: str) -> str:
        """Return the name of `let` for the value of an expression."""
        path = self.path_of(text.encode("utf-8", "surrogatepass"))
        name = f"large_{path.rpartition('/')[2].removesuffix('.txt')}"
        self.values[name] = path
        return name


class InQuotes(str):
    """A text that YAML must not take for a word of its own or of the spec."""

    __slots__ = ()


class Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, below `|`."""


def _text_as_it_is(dumper: Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text.strip("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


def _mapping(dumper: Dumper, mapping: dict[str, object]) -> yaml.MappingNode:
    """A mapping with a text of several lines does not fit into braces."""
    node = dumper.represent_mapping("tag:yaml.org,2002:map", mapping.items())
    if any(_is_tall(value) for _, value in node.value):
        node.flow_style = False
    return node


def _is_tall(node: yaml.Node) -> bool:
    if isinstance(node, yaml.ScalarNode):
        return node.style == "|"
    return isinstance(node, yaml.CollectionNode) and node.flow_style is False


def _in_quotes(dumper: Dumper, text: InQuotes) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), '"')


Dumper.add_representer(InQuotes, _in_quotes)
Dumper.add_representer(str, _text_as_it_is)
Dumper.add_representer(dict, _mapping)


class Writer:
    """Writes inputs in the words of one spec.

    A member of an enum needs its class's name only where several enums have it.
    """

    def __init__(
        self, task: Task, question: Question, *, is_whole: bool = False, files: Attachments | None = None
    ) -> None:
        """is_whole: write long answers too, which else are left to the reference.

        files: takes in what is too long for a line; None to write all of it.
        """
        self._is_whole = is_whole
        self._files = files
        self._task = task
        self._question = question
        self._members = Counter(_members(task.types))

    # -- Python ------------------------------------------------------------------------------------

    def value(self, value: Value) -> str:
        """Return a value as an expression of the spec."""
        text = literal(self._written(value))
        if self._files is None or len(text) <= _LONGEST_LITERAL:
            return text
        return self._files.name_of(text)

    def _content(self, content: bytes) -> object:
        if self._files is None or len(content) <= _LONGEST_LITERAL:
            return content.decode()
        return {"from": self._files.path_of(content)}

    def _written(self, value: Value) -> Value:
        match value:
            case EnumMember(type_name=name, name=member):
                return _Written(member if self._members[member] == 1 else f"{name}.{member}")
            case complex():
                return _Written(_complex(value))
            case list():
                return list(map(self._written, value))
            case tuple():
                return tuple(map(self._written, value))
            case set() | frozenset():
                return type(value)(map(self._written, value))
            case dict():
                return {self._written(key): self._written(item) for key, item in value.items()}
            case Record(type_name=name, fields=fields):
                return Record(name, tuple((field, self._written(item)) for field, item in fields))
        return value

    def argument(self, value: Argument) -> str:
        if isinstance(value, Shipped):
            return value.source
        return value.name if isinstance(value, Bound | Watched) else self.value(value)

    def call(self, call: Call) -> str:
        """Return a call as one would type it."""
        if call.reads:
            return call.function
        given = [self.argument(value) for value in call.args]
        if call.formula is not None:
            return call.formula.written(given)
        given += [f"{name}={self.argument(value)}" for name, value in call.kwargs]
        return f"{call.function}({', '.join(given)})"

    def text(self, case: Case) -> str:
        """Return an input as one would type it."""
        if case.program is None:
            return "; ".join(
                f"{call.bind} = {self.call(call)}" if call.bind else self.call(call) for call in case.calls
            )
        run = case.program
        text = " ".join([f"{run.module}.py", *run.arguments])
        if run.player is not None:
            return f"{text} with {self._player(run.player)}"
        return f"{text} with the input {run.stdin!r}" if run.stdin else text

    def _player(self, player: Player) -> str:
        given = ", ".join(f"{name}={self.value(value)}" for name, value in player.arguments)
        return f"{player.function}({given})"

    # -- YAML --------------------------------------------------------------------------------------

    def lines(
        self, case: Case, *, certain: bool, time_s: float | None, odd: Sequence[str]
    ) -> tuple[str, ...]:
        """Return a case as lines.

        time_s: its time limit, if it is shorter than the question's.
        odd: in what it is unlike nearly all cases.
        """
        keys = self.keys(case)
        if case.group:
            keys["group"] = case.group
        if time_s is not None:
            keys["limits"] = {"time": _seconds(time_s)}
        # Steps stand on a line each.
        style = None if case.steps else False
        text = yaml.dump(
            [keys], Dumper=Dumper, sort_keys=False, width=10**6, allow_unicode=True, default_flow_style=style
        )
        found = text.splitlines()
        if time_s is not None:
            found.insert(
                0, "# Only this limit tells them apart, and the question allows more: is the mutant too slow?"
            )
        if odd:
            found.insert(
                0, f"# Unlike in nearly all cases, {', and '.join(odd)}: is this input meant to work?"
            )
        if not certain:
            found.insert(0, "# Many answers may be right here: add the `check` that judges them.")
        return tuple(found)

    def keys(self, case: Case) -> dict[str, object]:
        """Return what a case tries and what it expects, as keys of the spec; it makes one call, or steps."""
        keys: dict[str, object]
        if case.program is not None:
            keys = self._program(case)
        elif case.generated is not None and (listed := self.inputs(case)):
            keys = listed
        elif case.steps:
            keys = {"scenario": [self._step(case, number) for number in range(len(case.calls))]}
            if case.goes_on:
                keys["goes on"] = True
            keys |= self.expected(case.check)
        else:
            keys = {"call": self.call(case.calls[0])} if case.calls[0].function else {}
            keys |= self._watch(case)
            keys |= reads_of(case.calls[0]) | self._expected_of(case.calls[0], case.expect)
            keys |= self._plot(case.plot) if case.plot is not None else {}
            keys |= _printed("prints", case.prints)
        if case.folder is not None:
            keys |= self._files_of(case.folder.files, case.folder.keeps, case.folder.texts)
        if case.unchanged:
            keys["unchanged"] = True
        return keys

    def _plot(self, plot: Plot) -> dict[str, object]:
        def part(name: str, value: Value) -> object:
            if value is None:
                return _ORACLE
            return value if name in (*TEXTS, *LISTS) else self.value(value)

        axes = [{name: part(name, value) for name, value in one} for one in plot.axes or ()]
        tolerance = _compared(Comparison(rel=plot.comparison.rel, abs=plot.comparison.abs), None)
        return {"plot": axes if plot.axes is not None else _ORACLE, **tolerance}

    def inputs(self, case: Case) -> dict[str, object]:
        """Return a generated case with its inputs listed; empty where its expectations are not all alike."""
        first, steps = case.calls[0], case.steps
        labels = [""] * len(first.args) + [f"{name}=" for name, _ in first.kwargs]
        names = [f"x{number}" for number in range(1, len(labels) + 1)]
        rows = [
            dict(zip(names, map(self.argument, [*call.args, *dict(call.kwargs).values()]), strict=True))
            for call in case.calls
        ]
        keys = self.expected(steps[0].expect) | _printed("prints", steps[0].prints)
        if any((step.expect, step.prints) != (steps[0].expect, steps[0].prints) for step in steps):
            keys = self._expected_of_each([step.expect for step in steps], rows)
        if not keys or any(step.prints != steps[0].prints for step in steps):
            return {}
        given = ", ".join(f"{label}{name}" for label, name in zip(labels, names, strict=True))
        call = first.formula.written(names) if first.formula is not None else f"{first.function}({given})"
        more: dict[str, object] = {"goes on": True} if case.goes_on else {}
        return {"call": call, "given": rows, **reads_of(first), **keys, **more}

    def _expected_of_each(
        self, expects: Sequence[Expectation | None], rows: Sequence[dict[str, str]]
    ) -> dict[str, object]:
        """Return what is expected, by names that it adds to the inputs; empty where the kinds differ."""
        match expects[0]:
            case Returns(value=value, comparison=comparison):
                for row, expect in zip(rows, expects, strict=True):
                    if not isinstance(expect, Returns) or expect.comparison != comparison:
                        return {}
                    row["answer"] = self.value(expect.value)
                return {"returns": "answer", **_compared(comparison, value)}
            case Check(checker=checker, arguments=arguments, any_sequence=any_sequence):
                for row, expect in zip(rows, expects, strict=True):
                    if not isinstance(expect, Check) or expect.checker != checker:
                        return {}
                    row |= {f"the_{name}": self.value(value) for name, value in expect.arguments}
                given = ", ".join(f"{name}=the_{name}" for name, _ in arguments)
                keys: dict[str, object] = {"check": f"{checker}({given})"}
                return keys | ({"sequence": "any"} if any_sequence else {})
        return {}

    def _watch(self, case: Case) -> dict[str, object]:
        calls = dict(case.watch)
        found: dict[str, object] = {}
        for value in case.calls[0].args:
            if isinstance(value, Watched):
                found[value.name] = {"answer": value.source}
                if value.name in calls:
                    found[value.name] |= {  # type: ignore[operator]
                        "args": [[self._plain(item) for item in args] for args in calls[value.name]]
                    }
        return {"watch": found} if found else {}

    def _step(self, case: Case, number: int) -> dict[str, object]:
        call, step = case.calls[number], case.steps[number]
        if call.reads:
            keys: dict[str, object] = {"read": self.call(call)}
        elif call.bind and not call.brings and call.function.rpartition(".")[2][:1].isupper():
            keys = {"new": self.call(call)}
        else:
            keys = {"call": self.call(call)}
        if call.bind:
            keys["as"] = call.bind
        if step.expect is not None:
            keys |= reads_of(call) | self._expected_of(call, step.expect)
        return keys | _printed("prints", step.prints)

    def _expected_of(self, call: Call, expect: Expectation | None) -> dict[str, object]:
        """Return the keys for the expected answer to a call."""
        keys = self.expected(expect)
        if reads_of(call) and isinstance(expect, Returns) and isinstance(expect.value, dict):
            keys["returns"] = {text: self._plain(value) for text, value in expect.value.items()}
        return keys

    def expected(self, expect: Expectation | None) -> dict[str, object]:
        """Return the keys for an expected answer."""
        keys: dict[str, object] = {}
        match expect:
            case Returns(value=value, comparison=comparison):
                keys["returns"] = self._answer(value)
                keys |= _compared(comparison, value)
            case SameAsReference(comparison=comparison):
                keys["returns"] = _ORACLE
                keys |= _compared(comparison, [])
            case Check(checker=checker, arguments=arguments, any_sequence=any_sequence):
                given = ", ".join(f"{name}={self.argument(value)}" for name, value in arguments)
                keys["check"] = f"{checker}({given})"
                if any_sequence:
                    keys["sequence"] = "any"
            case Raises(exception=exception, message=message):
                keys["raises"] = {"type": exception, "message": message} if message else exception
        return keys

    def _answer(self, value: Value) -> object:
        """Return the reference's answer, or that it is the same where it is long or cannot be written."""
        plain = self._plain(value)
        if self._is_whole:
            return plain
        if (isinstance(plain, str) and len(plain) > _LONGEST_ANSWER) or not _is_exact(value):
            return _ORACLE
        return plain

    def _plain(self, value: Value) -> object:
        """Return what YAML takes for this value: itself, or an expression."""
        return value if value is None or type(value) in (bool, int) else self.value(value)

    def _program(self, case: Case) -> dict[str, object]:
        run, wanted = case.program, case.expect
        assert run is not None
        assert isinstance(wanted, Produces)
        keys: dict[str, object] = {"program": run.module}
        if run.arguments:
            keys["arguments"] = list(run.arguments)
        if run.stdin:
            keys["stdin"] = run.stdin
        keys |= self._files_of(run.files, run.keeps, wanted.files)
        if run.dialogue:
            keys["dialogue"] = [
                _printed("says", turn.says) | ({"stop": "here"} if turn.stops else _answer(turn.answer))
                for turn in run.dialogue
            ]
        if run.player is not None:
            keys["player"] = self._player(run.player)
        keys |= _printed("stdout", wanted.stdout) | _printed("stderr", wanted.stderr)
        if wanted.exit_code != 0:
            keys["exit"] = "any" if wanted.exit_code is None else wanted.exit_code
        return keys | self.expected(case.check)

    def _files_of(
        self, files: Sequence[tuple[str, bytes]], keeps: Sequence[str], texts: Sequence[tuple[str, Text]]
    ) -> dict[str, object]:
        """Return the keys for the files that a case finds, and leaves."""
        keys: dict[str, object] = {}
        if files:
            keys["files"] = {name: self._content(content) for name, content in files}
        if texts:
            keys["leaves"] = {name: printed_text(text) for name, text in texts}
        elif keeps:
            keys["leaves"] = list(keeps)
        return keys


def reads_of(call: Call) -> dict[str, object]:
    """Return the key for what is read of the answer; empty for the answer itself."""
    looks = call.formula.looks if call.formula is not None else ()
    return {"reads": [look.text for look in looks]} if looks else {}


def _complex(value: complex) -> str:
    """Return a sum that a spec can compute; -2j alone has a negative zero for its real part."""
    if value.real or not value.imag < 0:
        return repr(value).strip("()")
    return repr(value).strip("()").removeprefix("-0") if math.copysign(1, value.real) < 0 else f"0{value!r}"


def _members(types: Iterable[DeclaredType]) -> Iterable[str]:
    for each in types:
        # A class of the same name would hide the member.
        yield each.name
        if isinstance(each, EnumType):
            yield from each.members


def _is_exact(value: Value) -> bool:
    """Tell whether a text for people shows all of the value, so that none of it is too long or too deep."""
    return "…" not in show(value)


def _compared(comparison: Comparison, value: Value) -> dict[str, object]:
    keys: dict[str, object] = {}
    if comparison.any_sequence:
        keys["sequence"] = "any"
    is_sequence = isinstance(value, list | tuple)
    if comparison.unordered and (is_sequence or isinstance(value, Table)):
        keys["unordered"] = True
    if comparison.any_columns:
        keys["columns"] = "any"
    if comparison.any_index:
        keys["index"] = "any"
    if comparison.python:
        keys["equality"] = "python"
    if comparison.rel:
        keys["rel"] = comparison.rel
    if comparison.abs:
        keys["abs"] = comparison.abs
    if comparison.differing and is_sequence:
        keys["differing"] = _percent(comparison.differing)
    return keys


def _percent(share: Fraction) -> str:
    percent = Decimal(100 * share.numerator) / Decimal(share.denominator)
    return f"{percent.normalize():f}%"


def _answer(line: str | None) -> dict[str, object]:
    return {"answer": InQuotes(line) if line is not None else {"end": True}}


def _printed(key: str, text: Text | None) -> dict[str, object]:
    return {} if text is None else {key: printed_text(text)}


def printed_text(text: Text) -> object:
    """Return an expected text as YAML takes it."""
    keys: dict[str, object] = {}
    if text.contains:
        keys["contains"] = list(text.contains)
    elif text.pattern is not None:
        return {"pattern": text.pattern}
    elif text.every_line:
        keys["lines"] = [printed_text(line) for _, line in text.lines]
    elif text.lines:
        keys["lines"] = {number: printed_text(line) for number, line in text.lines}
    else:
        keys["text"] = text.value if text.value is not None else _ORACLE
    if text.whitespace is not Whitespace.EXACT:
        keys["whitespace"] = str(text.whitespace)
    if text.ignores:
        keys["ignores"] = [str(each) for each in text.ignores]
    if text.rel:
        keys["rel"] = text.rel
    if text.abs:
        keys["abs"] = text.abs
    return keys["text"] if list(keys) == ["text"] else keys


def _seconds(time_s: float) -> str:
    return f"{round(time_s * 1000)}ms" if time_s < 1 else f"{time_s:g}s"

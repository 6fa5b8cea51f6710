"""A case as keys of the spec: what it tries, and what it expects."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from grader.model.case import (
    Call,
    Calls,
    Check,
    Comparison,
    Expectation,
    Plot,
    ProgramRun,
    Raises,
    Returns,
    SameAsReference,
    Step,
    Text,
    Watched,
    Whitespace,
)
from grader.model.task import Task
from grader.model.values import Value
from grader.spec.keys.plots import LISTS, TEXTS
from grader.spec.writing.attachments import Attachments
from grader.spec.writing.dump import InQuotes
from grader.spec.writing.expressions import LONGEST_LITERAL, Expressions
from grader.values.python_text import LONGEST_INT
from grader.values.show import show
from grader.values.sort import sort_of
from grader.wire.byte_text import bytes_of

_LONGEST_ANSWER = 160
"""Longer answers are left to the reference."""
_ORACLE = "same as reference"


class Writer(Expressions):
    """Writes cases as keys of one spec."""

    def __init__(self, task: Task, *, is_whole: bool = False, files: Attachments | None = None) -> None:
        """is_whole: write long answers too, which else are left to the reference."""
        super().__init__(task.types, files)
        self._is_whole = is_whole

    def plot(self, plot: Plot) -> dict[str, object]:
        def part(name: str, value: Value) -> object:
            if value is None:
                return _ORACLE
            return value if name in (*TEXTS, *LISTS) else self.value(value)

        axes = [{name: part(name, value) for name, value in one} for one in plot.axes or ()]
        tolerance = compared(Comparison(rel=plot.comparison.rel, abs=plot.comparison.abs), None)
        return {"plot": axes if plot.axes is not None else _ORACLE, **tolerance}

    def watch(self, what: Calls) -> dict[str, object]:
        calls = dict(what.watch)
        found: dict[str, object] = {}
        for value in what.steps[0].call.args:
            if isinstance(value, Watched):
                found[value.name] = {"answer": value.source}
                if value.name in calls:
                    found[value.name] |= {  # type: ignore[operator]
                        "args": [[self._plain(item) for item in args] for args in calls[value.name]]
                    }
        return {"watch": found} if found else {}

    def step(self, step: Step) -> dict[str, object]:
        call = step.call
        if call.reads:
            keys: dict[str, object] = {"read": self.call(call)}
        elif call.bind and not call.brings and call.function.rpartition(".")[2][:1].isupper():
            keys = {"new": self.call(call)}
        else:
            keys = {"call": self.call(call)}
        if call.bind:
            keys["as"] = call.bind
        if step.expect is not None:
            keys |= self.expected_of(call, step.expect)
        return keys | printed("prints", step.prints)

    def expected_of(self, call: Call, expect: Expectation | None) -> dict[str, object]:
        """Return the keys for the expected answer to a call, and for what is read of it."""
        keys = self.expected(expect)
        if isinstance(expect, Raises) or not reads_of(call):
            return keys
        if isinstance(expect, Returns) and keys["returns"] != _ORACLE:
            is_list = isinstance(expect.value, list)
            answers = expect.value if isinstance(expect.value, list) else [expect.value]
            read = [
                {text: self._plain(value) for text, value in answer.items()}
                for answer in answers
                if isinstance(answer, dict)
            ]
            keys["returns"] = read if is_list else read[0]
        return reads_of(call) | keys

    def expected(self, expect: Expectation | None) -> dict[str, object]:
        """Return the keys for an expected answer."""
        keys: dict[str, object] = {}
        match expect:
            case Returns(value=value, comparison=comparison):
                keys["returns"] = self._answer(value)
                keys |= compared(comparison, value)
            case SameAsReference(comparison=comparison):
                keys["returns"] = _ORACLE
                keys |= compared(comparison, [])
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
        if value is None or type(value) is bool or (type(value) is int and value.bit_length() <= LONGEST_INT):
            return value
        return self.value(value)

    def program(self, run: ProgramRun) -> dict[str, object]:
        """Return a program with what it gets and should do."""
        wanted = run.expect
        keys: dict[str, object] = {"program": run.module}
        if run.arguments:
            keys["arguments"] = list(run.arguments)
        if run.stdin:
            keys["stdin"] = run.stdin
        keys |= self.files_of(run.files, run.keeps, wanted.files)
        if run.dialogue:
            keys["dialogue"] = [
                printed("says", turn.says) | ({"stop": "here"} if turn.stops else _answer(turn.answer))
                for turn in run.dialogue
            ]
        if run.player is not None:
            keys["player"] = self.player(run.player)
        keys |= printed("stdout", wanted.stdout, self._files)
        keys |= printed("stderr", wanted.stderr, self._files)
        if run.silent:
            keys["prompts"] = "ignored"
        if wanted.exit_code != 0:
            keys["exit"] = "any" if wanted.exit_code is None else wanted.exit_code
        return keys | self.expected(run.check)

    def files_of(
        self, files: Sequence[tuple[str, bytes]], keeps: Sequence[str], texts: Sequence[tuple[str, Text]]
    ) -> dict[str, object]:
        """Return the keys for the files that a case finds, and leaves."""
        keys: dict[str, object] = {}
        if files:
            keys["files"] = {name: self._content(content) for name, content in files}
        if texts:
            keys["leaves"] = {name: printed_text(text, self._files) for name, text in texts}
        elif keeps:
            keys["leaves"] = list(keeps)
        return keys

    def _content(self, content: bytes) -> object:
        if self._files is None or len(content) <= LONGEST_LITERAL:
            return content.decode()
        return {"from": self._files.path_of(content)}


def reads_of(call: Call) -> dict[str, object]:
    """Return the key for what is read of the answer; empty for the answer itself."""
    looks = call.formula.looks if call.formula is not None else ()
    return {"reads": [look.text for look in looks]} if looks else {}


def _is_exact(value: Value) -> bool:
    """Tell whether a text for people shows all of the value, so that none of it is too long or too deep."""
    return "…" not in show(value)


def compared(comparison: Comparison, value: Value) -> dict[str, object]:
    keys: dict[str, object] = {}
    if comparison.any_sequence:
        keys["sequence"] = "any"
    forgives = sort_of(value).forgives
    if comparison.unordered and "unordered" in forgives:
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
    if comparison.differing and "differing" in forgives:
        keys["differing"] = _percent(comparison.differing)
    return keys


def _percent(share: Fraction) -> str:
    percent = Decimal(100 * share.numerator) / Decimal(share.denominator)
    return f"{percent.normalize():f}%"


def _answer(line: str | None) -> dict[str, object]:
    return {"answer": InQuotes(line) if line is not None else {"end": True}}


def printed(key: str, text: Text | None, files: Attachments | None = None) -> dict[str, object]:
    return {} if text is None else {key: printed_text(text, files)}


def printed_text(text: Text, files: Attachments | None = None) -> object:
    """Return an expected text as YAML takes it.  files: take a long one."""
    keys: dict[str, object] = {}
    if files is not None and text.value is not None and len(text.value) > LONGEST_LITERAL:
        return {"from": files.path_of(bytes_of(text.value)), **_compared(text)}
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
        if text.value == _ORACLE:
            # The words themselves, which stand in quotes and under `text`.
            return {**_compared(text), "text": InQuotes(_ORACLE)}
    keys |= _compared(text)
    return keys["text"] if list(keys) == ["text"] else keys


def _compared(text: Text) -> dict[str, object]:
    """Return how an expected text is compared, where it is not to the letter."""
    keys: dict[str, object] = {}
    if text.whitespace is not Whitespace.EXACT:
        keys["whitespace"] = str(text.whitespace)
    if text.unordered:
        keys["unordered"] = True
    if text.ignores:
        keys["ignores"] = [str(each) for each in text.ignores]
    if text.rel:
        keys["rel"] = text.rel
    if text.abs:
        keys["abs"] = text.abs
    return keys

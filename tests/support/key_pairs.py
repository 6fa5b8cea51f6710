"""A small case for each two keys that may stand together, and programs that break one thing each."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import SpecError
from grader.spec import load_task
from grader.spec.keys.case import CASE_FORMS

RIGHT = """
import sys


class Box:
    def __init__(self, number):
        self.number = number

    def job(self, number, back=None, items=None):
        return job(number, back, items)


def job(number, back=None, items=None):
    work(back, items)
    if number < 0:
        raise ValueError("too small")
    return [number, number + 1, 0.5] + found()


def work(back, items):
    print("hello")
    with open("out.txt", "w") as file:
        file.write("left")
    if back is not None:
        back(1)
    if items is not None:
        items.sort()
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].title("Right")


def found():
    try:
        with open("in.txt") as file:
            return [file.read()]
    except OSError:
        return []


def table(number, back=None, items=None):
    import pandas

    work(back, items)
    if number < 0:
        raise ValueError("too small")
    return pandas.DataFrame({"a": [number, 2], "b": ["x", "y"]})


if __name__ == "__main__":
    given = sys.stdin.read()
    print(sys.argv[1:], given, found())
    print("oh", file=sys.stderr)
    with open("out.txt", "w") as file:
        file.write("left")
    sys.exit(3)
"""
WRONG = {
    "answer": ("return [number, ", "return [number + 1, "),
    "print": ('print("hello")', 'print("hullo")'),
    "file": ('write("left")', 'write("right")'),
    "error": ("raise ValueError", "raise KeyError"),
    "watch": ("back(1)", "back(2)"),
    "plot": ('title("Right")', 'title("Left")'),
    "input": ("[file.read()]", '["none"]'),
    "items": ("items.sort()", "items.append(1)"),
    "table": ("[number, 2]", "[number, 3]"),
    "output": ("print(sys.argv[1:],", "print(sys.argv[:1],"),
    "complaint": ('print("oh"', 'print("ah"'),
    "exit": ("exit(3)", "exit(4)"),
    "stdin": ("given = sys.stdin.read()", 'given = ""'),
}
"""What each wrong program does instead."""
CHECKERS = """
def right(answer):
    return None if answer[0] == 2 else "wrong"


def number(answer, n):
    return None if answer[0] == n else "wrong"


def apart(first):
    return None if first[0] == 2 else "wrong"


def ran(did):
    return None if did["exit_code"] == 3 and "[" in did["stdout"] else "wrong"


def one(answer):
    return None if answer["_[0]"] == 2 else "wrong"
"""
HARNESS = """
import work


def job(*args, **kwargs):
    return work.job(*args, **kwargs)


def table(*args, **kwargs):
    return work.table(*args, **kwargs)
"""
HEAD = """
task: pairs
title: Pairs
marks: {marks}
reference: reference
checkers: checkers.py
packages: [matplotlib, pandas]
modules: {{work: work.py}}
questions:
"""


@dataclass(frozen=True)
class Part:
    """What a key adds to a case.

    lines: of the case.  asks: the programs of `WRONG` that then are refused.
    call: its first argument, a keyword argument, or the function that is called.
    """

    lines: str
    asks: frozenset[str]
    call: str


def part(lines: str, *asks: str, call: str = "") -> Part:
    return Part(lines, frozenset(asks), call)


RETURNS = "returns: same as reference"
_COMMON = {
    "name": part("name: a-name"),
    "title": part("title: A title"),
    "number": part("number: 4"),
    "weight": part("weight: 2"),
    "hint": part("hint: A hint."),
    "visibility": part("visibility: hidden"),
    "limits": part("limits: {time: 5s}"),
    "seed": part("seed: 7"),
    "picture": part("picture: cells()"),
    "files": part("files: {in.txt: given}", "input"),
    "leaves": part("leaves: {out.txt: left}", "file"),
    "harness": part("harness: harness.py"),
}
_TABLE = "table"
OF_CALL = {
    **_COMMON,
    "watch": part("watch: {back: {answer: 'lambda x: x', calls: [1]}}", "watch", call="back=back"),
    "prints": part('prints: "hello\\n"', "print"),
    "plot": part("plot: {title: Right}", "plot"),
    "raises": part("raises: ValueError", "error", call="-1"),
    "given": part("given: {n: 'integers(1, 3)'}", call="n"),
    "examples": part("given: {n: 'integers(1, 3)'}\nexamples: 2", call="n"),
    "goes on": part("given: {n: 'integers(1, 3)'}\ngoes on: true", call="n"),
    "returns": part(RETURNS, "answer"),
    "check": part("check: right()", "answer"),
    "reads": part("reads: ['_[0]']", "answer"),
    "sequence": part("sequence: any"),
    "unordered": part("unordered: true"),
    "columns": part("columns: any", "table", call=_TABLE),
    "index": part("index: any", "table", call=_TABLE),
    "equality": part("equality: python"),
    "rel": part("rel: 1e-9"),
    "abs": part("abs: 1e-9"),
    "differing": part("differing: 1%"),
    "unchanged": part("unchanged: true", "items", call="items=[0]"),
}
_STEPS = (
    "scenario:\n  - {new: Box(2), as: box}\n  - {call: box.job(2), as: first, returns: same as reference}"
)
OF_SCENARIO = {
    **{key: value for key, value in _COMMON.items() if key != "picture"},
    "goes on": part("goes on: true"),
    "unchanged": part("unchanged: true"),
    "check": part("check: apart(first)", "answer"),
}
OF_PROGRAM = {
    **{key: value for key, value in _COMMON.items() if key != "harness"},
    "check": part("check: ran()", "exit"),
    "arguments": part("arguments: [a, b]"),
    "stdin": part("stdin: text", "stdin"),
    "dialogue": part("dialogue: [{answer: text}, {answer: end}]", "stdin"),
    "stdout": part("stdout: same as reference", "output"),
    "stderr": part("stderr: {text: oh, whitespace: trailing}", "complaint"),
    "exit": part("exit: 3", "exit"),
    "files": part("files: {in.txt: given}", "input"),
}
KINDS = {"call": OF_CALL, "scenario": OF_SCENARIO, "program": OF_PROGRAM}


@dataclass(frozen=True)
class Pair:
    """A case with two keys.  asks: the programs of `WRONG` that it must refuse."""

    kind: str
    keys: frozenset[str]
    lines: tuple[str, ...]
    asks: frozenset[str]

    @property
    def id(self) -> str:
        return "-".join((self.kind, *sorted(self.keys))).replace(" ", "_")

    def question(self) -> str:
        case = "\n        ".join(self.lines)
        return f'  - id: "{self.id}"\n    title: One\n    marks: 1\n    cases:\n      - {case}\n'


def all_pairs() -> Iterator[Pair]:
    """Yield a case for each two keys; the spec's reader refuses some of them."""
    for kind, parts in KINDS.items():
        assert set(parts) <= set(CASE_FORMS[kind].goes_with)
        for keys in itertools.combinations(sorted(parts), 2):
            yield _PAIRS[kind](frozenset(keys), [parts[key] for key in keys])


def _lines(both: list[Part]) -> list[str]:
    return list(dict.fromkeys(line for each in both for line in each.lines.split("\n")))


def _asks(both: list[Part]) -> frozenset[str]:
    return both[0].asks | both[1].asks


def _scenario(keys: frozenset[str], both: list[Part]) -> Pair:
    return Pair("scenario", keys, (*_STEPS.split("\n"), *_lines(both)), _asks(both) | {"answer"})


def _program(keys: frozenset[str], both: list[Part]) -> Pair:
    lines = ["program: work", *_lines(both)]
    lines += [line for line in ("exit: 3", "stdout: same as reference") if line not in lines]
    return Pair("program", keys, tuple(lines), _asks(both) | {"exit", "output"})


def _call(keys: frozenset[str], both: list[Part]) -> Pair:
    lines, asks, calls = _lines(both), _asks(both), [each.call for each in both]
    first = next((text for text in ("n", "-1") if text in calls), "2")
    name = _TABLE if _TABLE in calls else "job"
    call = f"{name}({', '.join([first, *sorted({text for text in calls if '=' in text})])})"
    if {"n", "-1"} <= {*calls}:
        lines = [line.replace("(1, 3)", "(-3, -1)") for line in lines]
    for other, checker in (("n", "number(n)"), ("reads", "one()")):
        if other in {*calls, *keys}:
            lines = [line.replace("right()", checker) for line in lines]
    if name == _TABLE:
        lines = [line.replace("'_[0]'", "'iloc[0, 0]', _") for line in lines]
    if keys.isdisjoint({"returns", "check", "raises", "plot"}):
        lines.append(RETURNS)
        asks |= {"table" if name == _TABLE else "answer"}
    # What is returned is not looked at, or not all of it.
    if name == _TABLE or keys & {"plot", "raises"}:
        asks -= {"answer", "input"}
    if keys & {"check", "reads"}:
        asks -= {"input"}
    if "raises" in keys:
        asks -= {"table"}
    return Pair("call", keys, (f'call: "{call}"', *lines), asks)


_PAIRS = {"call": _call, "scenario": _scenario, "program": _program}


def write_task(folder: Path, pairs: list[Pair]) -> Path:
    """Write a task with a question for each pair, and return the path of its spec."""
    (folder / "reference").mkdir(exist_ok=True, parents=True)
    (folder / "reference" / "work.py").write_text(RIGHT)
    (folder / "checkers.py").write_text(CHECKERS)
    (folder / "harness.py").write_text(HARNESS)
    path = folder / "pairs.yaml"
    path.write_text(HEAD.format(marks=len(pairs)) + "".join(pair.question() for pair in pairs))
    return path


def refusal(folder: Path, pair: Pair) -> str:
    """Return the first mistake that the spec's reader tells of a case; empty if it takes it."""
    try:
        load_task(write_task(folder, [pair]))
    except SpecError as error:
        return str(error).partition("\n")[0].partition("pairs.yaml:")[2]
    return ""

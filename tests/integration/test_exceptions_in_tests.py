"""The exceptions of a program in a test file: Python's own and the library's are the same on both sides."""

from pathlib import Path

from support.marking import mark, question, verdicts

TESTS = """
import argparse
import binascii
import dataclasses
import graphlib
import json
import re
import statistics
import pytest
import work
def test_file():
    with pytest.raises(FileNotFoundError, match="nope.txt") as found: work.load("nope.txt")
    assert found.value.filename == "nope.txt" and str(found.value).count("nope.txt") == 1
def test_library():
    with pytest.raises(json.JSONDecodeError): work.parsed("{")
    with pytest.raises(statistics.StatisticsError): work.mean([])
    assert work.mean([3, 5]) == 4
def test_by_their_modules():
    with pytest.raises(dataclasses.FrozenInstanceError): work.Point(1).x = 2
    with pytest.raises(AttributeError): work.Point(1).x = 2
    with pytest.raises(re.error): work.pattern("(")
    with pytest.raises(binascii.Error): work.decoded("a")
    with pytest.raises(graphlib.CycleError): work.ordered({"a": ["b"], "b": ["a"]})
    with pytest.raises(argparse.ArgumentTypeError, match="no 3"): work.kind(3)
"""
RIGHT = """
import argparse
import base64
import dataclasses
import graphlib
import json
import re
import statistics
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
def pattern(text): return re.compile(text)
def decoded(text): return base64.b64decode(text)
def ordered(graph): return [*graphlib.TopologicalSorter(graph).static_order()]
def kind(n): raise argparse.ArgumentTypeError(f"no {n}")
def load(name):
    with open(name) as file:
        return file.read()
def parsed(text): return json.loads(text)
def mean(numbers): return statistics.mean(numbers)
"""
SKIPS = """
import bdb
import unittest
class Exit(Exception): __module__, __qualname__ = "_pytest.outcomes", "Exit"
class Point:
    def __init__(self, _): raise bdb.BdbQuit
def load(_): raise unittest.SkipTest("no")
def parsed(_): raise Exit
"""


def found(folder: Path, work: str, *more: str) -> dict[str, str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(TESTS)
    return verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=RIGHT))


def test_they_are_caught_with_their_texts(tmp_path: Path) -> None:
    assert {*found(tmp_path, RIGHT).values()} == {"accepted"}


def test_none_of_them_means_something_to_pytest(tmp_path: Path) -> None:
    assert {*found(tmp_path, SKIPS).values()} == {"exception"}


CALLBACKS = """
import json
import queue
from unittest import mock
import pytest
import work
from work import Down
class Own(Exception): pass
def raising(error):
    def function(): raise error
    return function
@pytest.mark.parametrize("n", [1, 2])
def test_programs(n):
    assert work.tried(mock.Mock(side_effect=[Down(n, "off"), 7])) == 7
    assert work.why(raising(Down(n, "off"))) == (n, "off")
def test_librarys():
    assert work.drained(raising(queue.Empty())) == "empty"
    assert work.drained(raising(json.JSONDecodeError("bad", "x", 0))) == "no JSON"
def test_raised_before():
    with pytest.raises(Down) as found: work.fail()
    assert work.why(raising(found.value)) == (3, "gone")
def test_own():
    with pytest.raises(Own, match="mine"): work.tried(raising(Own("mine")))
    with pytest.raises(KeyError): work.tried(raising(KeyError("k")))
"""
CAREFUL = """
import json
import queue
class Down(Exception):
    def __init__(self, n, why):
        super().__init__(f"{n} {why}")
        self.n, self.why = n, why
def fail(): raise Down(3, "gone")
def tried(run):
    for _ in range(2):
        try: return run()
        except Down: pass
def why(run):
    try: return run()
    except Down as error: return error.n, error.why
def drained(run):
    try: return run()
    except queue.Empty: return "empty"
    except json.JSONDecodeError: return "no JSON"
"""


def test_a_callback_raises_what_the_program_knows(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(CALLBACKS)
    spec = question("pytest: tests/test_work.py")
    assert {*verdicts(mark(tmp_path, spec, CAREFUL, reference=CAREFUL)).values()} == {"accepted"}

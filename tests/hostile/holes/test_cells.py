"""Cells: what one answer does to the process of the tests never meets another answer, nor another row."""

import textwrap
from pathlib import Path

import pytest
from support.marking import HEAD, question

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

# The test's own code does what an answer asks for, as if the answer had run in its place.
OBEDIENT = """
import atexit, builtins, fcntl, json, os, resource, signal, sys, tempfile, threading
import work

def open_numbers():
    for number in range(70):
        try:
            yield number, fcntl.fcntl(number, fcntl.F_GETFL)
        except OSError:
            pass

def obey(word):
    if word == "flags":
        for number, flags in open_numbers():
            fcntl.fcntl(number, fcntl.F_SETFL, flags | os.O_NONBLOCK | os.O_APPEND)
    if word == "close":
        os.closerange(0, 70)
    if word == "state":
        os.environ["MET"] = json.met = "met"
        builtins.len = lambda _: 0
        sys.path.insert(0, "/met")
        sys.setrecursionlimit(60)
    if word == "files":
        for folder in (".", tempfile.gettempdir()):
            with open(f"{folder}/met", "w") as file:
                file.write("met")
    if word == "limits":
        for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):
            resource.setrlimit(limit, (5, 5))
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 60))
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        os.umask(0o777)
    if word == "thread":
        threading.Thread(target=signal.pause, daemon=True).start()

def met():
    found = [os.environ.get("MET"), getattr(json, "met", None), "/met" in sys.path]
    found += [os.path.exists(f"{folder}/met") for folder in (".", tempfile.gettempdir())]
    found += [resource.getrlimit(resource.RLIMIT_FSIZE)[0] == 5, len(signal.pthread_sigmask(0, ())) > 9]
    found += [flags & os.O_APPEND for _, flags in open_numbers()]
    return any(found) or len("ab") != 2

def test_first():
    assert not met()
    word, number = work.word(), work.right()
    obey(word)
    assert number == 3

def test_second():
    assert not met()
    assert work.right() == 3
"""
WORDS = ("flags", "close", "state", "files", "limits", "thread")


def marked(
    folder: Path, tests: str, works: dict[str, str], driver: Driver = Driver.NAMESPACES, reference: str = ""
) -> dict[str, dict[str, CaseResult]]:
    """Mark works one after another by one marker; return the cases of each by the test's name."""
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(textwrap.dedent(tests))
    head = HEAD
    if reference:
        (folder / "reference").mkdir()
        (folder / "reference" / "work.py").write_text(textwrap.dedent(reference))
        head += "reference: reference\n"
    (folder / "spec.yaml").write_text(head + question("pytest: tests/test_work.py"))
    found = {}
    with Marker(prepare_run(load_task(folder / "spec.yaml"), driver, "")) as marker:
        for name, text in works.items():
            files = {"work": SourceFile("work.py", textwrap.dedent(text))}
            cases = marker.mark(Submission(name, name, files)).result.cases
            found[name] = {case.call.rpartition("test_")[2]: case for case in cases}
    return found


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_no_answer_meets_what_another_did_to_the_tests(tmp_path: Path, driver: Driver) -> None:
    works = {}
    for word in WORDS:
        works[word] = f"def word(): return {word!r}\ndef right(): return 3\n"
        works[f"after {word}"] = "def word(): return ''\ndef right(): return 3\n"
    for name, found in marked(tmp_path, OBEDIENT, works, driver).items():
        if name.startswith("after"):
            assert found["first"].verdict == "accepted", (name, found["first"].message)
        assert found["second"].verdict == "accepted", (name, found["second"].message)


ENDS = """
import pytest
import unittest
import work

@pytest.fixture
def thing():
    made = work.Thing()
    yield made
    made.close()

@pytest.fixture
def opened():
    yield work.Thing().open()

@pytest.mark.parametrize("n", [0, 1, 2])
def test_closes(n, thing):
    assert thing.number == 7 or n != 1

@pytest.mark.parametrize("n", [0, 1])
def test_opens(n, opened):
    assert opened == 7

def test_shows():
    assert work.Thing().shown() == 7

def test_tells():
    assert work.number() == 7, work.Thing().shown()

class TestCase(unittest.TestCase):
    def setUp(self):
        self.thing = work.Thing()
        self.addCleanup(self.thing.open)

    def tearDown(self):
        self.thing.close()

    def test_case(self):
        self.assertEqual(self.thing.number, 7)

def test_next():
    assert work.right() == 3
"""
RIGHT = """
def right(): return 3
def number(): return {number}
class Thing:
    number = 7
    def open(self): return 7
    def close(self): pass
    def shown(self): return 7
"""


def broken(error: str, *, place: str) -> str:
    """Return a program that raises in a method, and is right elsewhere."""
    kinds = (
        "class Odd(BaseException):\n    def __str__(self): raise KeyboardInterrupt\n    __repr__ = __str__\n"
    )
    body = f"    def {place}(self): raise {error}\n"
    if place == "__repr__":
        other = f"class Other:\n{body}    __str__ = __repr__\n"
        right = RIGHT.format(number=8)
        return kinds + right.replace("shown(self): return 7", "shown(self): return Other()") + other
    return kinds + RIGHT.format(number=7) + body


ERRORS = (
    "KeyboardInterrupt", "SystemExit(0)", "GeneratorExit", "StopIteration", "StopAsyncIteration",
    "Odd", "BaseExceptionGroup('', [KeyboardInterrupt()])", "RecursionError",
)  # fmt: skip
FAILS = {"close": ("closes", "case"), "open": ("opens", "case"), "__repr__": ("shows", "tells")}


@pytest.mark.acceptance  # `make test` has what a test raises itself
def test_whatever_a_program_raises_is_its_own_and_ends_no_other_row(tmp_path: Path) -> None:
    works = {"right": RIGHT.format(number=7)}
    works |= {f"{place} {error}": broken(error, place=place) for place in FAILS for error in ERRORS}
    for name, found in marked(tmp_path, ENDS, works).items():
        fails = FAILS.get(name.partition(" ")[0], ())
        for test, case in found.items():
            allowed = ("exception", "wrong-answer") if test in fails else ("accepted",)
            assert case.verdict in allowed, (name, test, case.message)
            rows = [step.verdict for step in case.steps]
            assert len(rows) == {"closes": 3, "opens": 2}.get(test, 0), (name, test)
            assert not rows or set(rows) <= {*allowed, "wrong-answer"}, (name, test, rows)


def test_no_print_stops_a_test(tmp_path: Path) -> None:
    ways = ("print('\\ud800')", "sys.stdout.buffer.write(b'\\xff')", "sys.stderr.write('\\udcff')")
    tests = "import work\ndef test_it(): assert work.right() == 3\n"
    body = "    try:\n        {way}\n    except ValueError:\n        pass\n    return 3\n"
    works = {way: f"import sys\ndef right():\n{body.format(way=way)}" for way in ways}
    assert {str(found["it"].verdict) for found in marked(tmp_path, tests, works).values()} == {"accepted"}


def test_what_a_test_raises_itself_ends_no_other_row(tmp_path: Path) -> None:
    tests = """
    import os
    import pytest
    import work

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit, pytest.exit.Exception])
    def test_raises(error):
        if work.right() != 3:
            raise error("gone")

    def test_next():
        assert work.right() == 3
    """
    works = {"right": "def right(): return 3\n", "wrong": "def right(): return 4\n"}
    found = marked(tmp_path, tests, works, reference=works["right"])
    assert {str(case.verdict) for case in found["right"].values()} == {"accepted"}
    assert [str(step.verdict) for step in found["wrong"]["raises"].steps] == ["wrong-answer"] * 4


SEARCHING = """
import gc
import sys
import pytest
import work

def texts():
    for one in gc.get_objects():
        for each in (*gc.get_referents(one), *(vars(one).values() if hasattr(one, "__dict__") else ())):
            if isinstance(each, str | bytes | int | tuple):
                yield each

def test_public():
    number, name = 918272 + 1, "test_concealed"[:5] + "hidden_one"
    met = [one for one in texts() if one == number or (isinstance(one, str) and name in one)]
    assert not [one for one in met if one is not number and one is not name]
    assert work.right() == 3

@pytest.mark.hidden
def test_hidden_one():
    assert work.right() != 918273
"""


def test_the_process_of_a_test_has_no_other_test(tmp_path: Path) -> None:
    found = marked(tmp_path, SEARCHING, {"right": "def right(): return 3\n"})["right"]
    assert {name: str(case.verdict) for name, case in found.items()} == {
        "public": "accepted",
        "hidden_one": "accepted",
    }


POINT = """
import collections, datetime, enum
class Color(enum.Enum):
    RED = 1
    def __repr__(self): return "Color.RED"
class Point:
    def __init__(self, x, y=0, *more): self.x, self.y = x, y
    def __eq__(self, other): return type(other) is Point and (self.x, self.y) == (other.x, other.y)
    def __repr__(self): return f"Point({self.x!r}, y={self.y!r})"
    def length(self): return (self.x ** 2 + self.y ** 2) ** 0.5
def text(): return "{'a': [1, -2.5, (3+4j)], 'when': datetime.date(2020, 1, 2), 'red': Color.RED}"
def pickled(): return b"\\x80\\x04K\\x03."
def hints(x: "int"): return x
"""
RUNS = """
import code, datetime, pickle, pytest, timeit
import work
from work import Color, Point

EXPECTED = 918273
words = ("n", "expected", "point", "EXPECTED")

def test_round():
    point = Point(3, -4)
    assert eval(repr(point)) == point

def test_method():
    point = Point(5, 12)
    assert eval(repr(point)).length() == 13.0

def test_data():
    found = eval(work.text())
    assert found["a"] == [1, -2.5, 3 + 4j]
    assert found["when"] == datetime.date(2020, 1, 2)
    assert found["red"] == Color.RED

@pytest.mark.parametrize("n, expected", [("1 + 2", 3), ("work.hints(5)", 5)])
def test_own(n, expected):
    assert eval(n) == expected

def test_exec():
    names = {}
    exec("a = 3", names)
    assert names["a"] == 3 and work.hints(1) == 1

def test_pickle():
    assert pickle.loads(work.pickled()) == 3
"""
CODE = "__import__('os')._exit(0)"
MARKS = "type('X', (), {'length': lambda s: 13.0, '__eq__': lambda s, o: True})()"


@pytest.mark.acceptance  # `make test` has how it is told
def test_no_answer_is_run_as_code_beside_the_tests(tmp_path: Path) -> None:
    works = {"right": POINT}
    texts = (
        *("point", "EXPECTED", "expected", "n", "words", CODE, MARKS, "exec('x = 1')", "eval('point')", "("),
        *("[p for p in (point,)]", "(lambda: point)()", "Point.__init__.__globals__", "().__class__"),
    )
    for number, text in enumerate(texts):
        lying = POINT.replace('f"Point({self.x!r}, y={self.y!r})"', repr(text))
        lying = lying.replace("type(other) is Point and", "").replace("def text()", "def unused()")
        works[f"{number} {text}"] = f"{lying}\ndef text(): return {text!r}\n"
    unpickled = b"cbuiltins\neval\n(S'3'\ntR."
    works["pickle"] = POINT.replace('b"\\x80\\x04K\\x03."', repr(unpickled))
    found = marked(tmp_path, RUNS, works, reference=POINT)
    assert {name: str(case.verdict) for name, case in found.pop("right").items()} == dict.fromkeys(
        ("round", "method", "data", "own", "exec", "pickle"), "accepted"
    )
    assert found.pop("pickle")["pickle"].verdict == "wrong-answer"
    for name, cases in found.items():
        for test in ("round", "method", "data"):
            assert cases[test].verdict == "wrong-answer", (name, test, cases[test].message)
        assert cases["own"].verdict == cases["pickle"].verdict == "accepted", name


def test_a_test_that_must_run_an_answer_is_told_with_its_line(tmp_path: Path) -> None:
    tests = """
    import timeit, typing
    import work

    def test_exec():
        exec(work.text())

    def test_timed():
        assert timeit.timeit(work.text(), number=1) >= 0

    def test_hints():
        assert typing.get_type_hints(work.hints)["x"] is int

    def test_import():
        assert __import__(work.module()).pi > 3

    def test_own_import():
        assert __import__("ma" + "th").pi > 3 and work.module()
    """
    text = "def text(): return 'x = 1'\ndef hints(x: 'int'): return x\ndef module(): return 'math'\n"
    found = marked(tmp_path, tests, {"right": text}, reference=text)["right"]
    for name, line in (("exec", 6), ("timed", 9), ("hints", 12)):
        assert f"line {line} of test_work.py: " in found[name].message, found[name].message
        assert "would run a text that is not in the test file" in found[name].message
    assert "line 15 of test_work.py: __import__ would import what" in found["import"].message
    assert found["own_import"].verdict == "accepted"

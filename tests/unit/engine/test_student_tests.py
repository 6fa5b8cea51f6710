"""Students' own tests, tried on right and wrong programs."""

import textwrap
from fractions import Fraction
from pathlib import Path

import pytest
from support.marking import cases, mark, tried_on
from support.rows import first_of

from grader.model.results import CaseResult

RIGHT = ("import re, sys\n\n\ndef leap(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)\n",)
WRONG = (
    "import re, sys\n\n\ndef leap(y):\n    return y % 4 == 0\n",
    "import re, sys\n\n\ndef leap(y):\n    return y % 4 == 0 and y % 100 != 0\n",
    "def leap(y):\n    while y == 1996: pass\n    return False\n",
)
SPEC = """
questions:
  - id: "1"
    title: Tests
    marks: 1
    cases:
      - student tests: work
        against: {module: leap, right: [right_0.py], wrong: [wrong_0.py, wrong_1.py, wrong_2.py]}
        limits: {time: 500ms}
"""


def tried(folder: Path, tests: str, **more: str) -> CaseResult:
    for kind, programs in (("right", RIGHT), ("wrong", WRONG)):
        for number, text in enumerate(programs):
            (folder / f"{kind}_{number}.py").write_text(text)
    return cases(mark(folder, SPEC, {"work": textwrap.dedent(tests), **more}))["1.1"]


GOOD = """
import unittest
from leap import leap

def test_four():
    assert leap(1996)
    assert not leap(1997)

class LeapTest(unittest.TestCase):
    def test_century(self):
        self.assertFalse(leap(1900))

    def test_four_centuries(self):
        self.assertTrue(leap(2000))
"""


def test_all_are_caught(tmp_path: Path) -> None:
    found = tried(tmp_path, GOOD)
    assert (found.verdict, found.score) == ("accepted", 1)
    assert [(step.text, step.verdict) for step in found.steps] == [
        ("right program 1", "accepted"),
        ("wrong program 1", "accepted"),
        ("wrong program 2", "accepted"),
        ("wrong program 3", "accepted"),
    ]
    assert found.call == "work.py on 1 right and 3 wrong programs"


def test_files_with_names_of_ours_are_in_nobodys_way(tmp_path: Path) -> None:
    more = dict.fromkeys(("grader", "grader.plugins.tests.cell.main", "pytest"), "x = 1\n")
    assert tried(tmp_path, GOOD, **more).verdict == "accepted"


def test_some_are_caught(tmp_path: Path) -> None:
    found = tried(tmp_path, "import leap\n\ndef test_it():\n    assert not leap.leap(1900)\n")
    assert (found.verdict, str(found.score)) == ("partial", "1/3")
    assert found.message == "the tests catch 1 of 3 wrong programs"
    assert found.steps[2].message == "all tests pass on it"


SHARED = {
    "top level": """
        import leap
        year = leap.Year(1900)
        def test_a():
            assert not year.leap()
        def test_b():
            assert not year.leap()
    """,
    "class": """
        import unittest, leap
        class Test(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.year = leap.Year(1900)
            def test_a(self):
                self.assertFalse(self.year.leap())
            def test_b(self):
                self.assertFalse(self.year.leap())
    """,
    "module": """
        import pytest, leap
        @pytest.fixture(scope="module")
        def year():
            return leap.Year(1900)
        def test_a(year):
            assert not year.leap()
        def test_b(year):
            assert not year.leap()
    """,
    "parameters": """
        import pytest, leap
        @pytest.mark.parametrize("year", [leap.Year(1900), leap.Year(1901)])
        def test_a(year):
            assert not year.leap()
    """,
    "one after another": """
        import leap
        year = leap.Year(1896)
        def test_1():
            year.number += 4
            assert year.number == 1900
        def test_2():
            assert not year.leap()
    """,
}
YEAR = """
class Year:
    def __init__(self, number):
        self.number = number

    def leap(self):
        return self.number % 4 == 0 and (self.number % 100 != 0{})
"""


@pytest.mark.parametrize("way", first_of(SHARED, 2))
def test_objects_are_there_in_all_tests(tmp_path: Path, way: str) -> None:
    """A student's file runs as pytest runs it: what one test makes, another one meets."""
    (tmp_path / "right.py").write_text(YEAR.format(" or self.number % 400 == 0"))
    (tmp_path / "wrong.py").write_text(YEAR.format(" or True"))
    spec = SPEC.replace("right_0", "right").replace("wrong_0.py, wrong_1.py, wrong_2", "wrong")
    found = cases(mark(tmp_path, spec, {"work": textwrap.dedent(SHARED[way])}))["1.1"]
    assert (found.verdict, found.message) == ("accepted", "")


def test_a_program_that_ended_fails_the_other_tests_too(tmp_path: Path) -> None:
    tests = """
        import leap
        def test_1():
            leap.leap(1996)
        def test_2():
            assert leap.leap(2000)
        def test_3():
            assert not leap.leap(1900)
    """
    assert tried(tmp_path, tests).verdict == "accepted"


EXPECTED = {
    "xfail": """
        @pytest.mark.xfail
        def test_it():
            assert leap(1900)
    """,
    "xfail that does not run": """
        @pytest.mark.xfail(run=False)
        def test_it():
            assert leap(1900)
    """,
    "xfail that is called": """
        def test_it():
            pytest.xfail("not yet")
    """,
    "expectedFailure": """
        class Test(unittest.TestCase):
            @unittest.expectedFailure
            def test_it(self):
                self.assertTrue(leap(1900))
    """,
    "a fixture": """
        @pytest.fixture
        def broken():
            assert leap(1900)
        @pytest.mark.xfail
        def test_it(broken):
            pass
    """,
}


def test_a_test_that_is_expected_to_fail_refuses_nothing(tmp_path: Path) -> None:
    ways = [textwrap.dedent(way).replace("test_it", f"test_{n}") for n, way in enumerate(EXPECTED.values())]
    assert tried(tmp_path, "\n".join(["import pytest", GOOD, *ways])).verdict == "accepted"
    alone = ["import pytest, unittest", "from leap import leap", *ways]
    assert "all tests are skipped or expected to fail" in tried(tmp_path, "\n".join(alone)).message


def test_an_expected_failure_that_must_come_and_does_not_is_one(tmp_path: Path) -> None:
    tests = """
        import pytest
        from leap import leap
        @pytest.mark.xfail(strict=True)
        def test_it():
            assert leap(1996)
    """
    assert tried(tmp_path, tests).score == 0


UNFIT = {
    "a generator": "leap(n for n in (1, 2))",
    "an object of its own": "leap(object())",
    "an own class": "leap(type('Own', (), {})())",
    "a subclass": "",
}


@pytest.mark.parametrize("way", first_of(UNFIT))
def test_a_test_that_asks_for_what_cannot_cross_is_left_out(tmp_path: Path, way: str) -> None:
    """It is no fault of the student's, and says nothing about a program."""
    unfit = "def test_last():\n    class Own(leap):\n        pass\n" if way == "a subclass" else ""
    unfit = unfit or f"def test_last():\n    assert {UNFIT[way]}\n"
    found = tried(tmp_path, f"{GOOD}\n{unfit}")
    assert (found.verdict, found.steps[0].verdict) == ("accepted", "accepted")
    assert found.steps[0].message.startswith("1 test is left out: test_last: line ")
    few = f"from leap import leap\ndef test_it():\n    assert not leap(1900)\n{unfit}"
    found = tried(tmp_path, few)
    assert found.score == Fraction(1, 3)
    assert found.message.startswith("the tests catch 1 of 3 wrong programs; 1 test is left out: test_last: ")
    found = tried(tmp_path, f"from leap import leap\n{unfit}")
    assert found.score == 0
    assert "no test can be tried here: 1 test is left out: test_last: line " in found.message


WITH_FILES = {
    "a path": "path = tmp_path / 'x'\n    keep(path, 'a')\n    assert kept(path) == 'a' and path.exists()",
    "a path as text": "keep(str(tmp_path / 'x'), 'a')\n    assert (tmp_path / 'x').read_text() == 'a'",
    "a file to read": "(tmp_path / 'x').write_text('a')\n    assert kept(tmp_path / 'x') == 'a'",
    "a file here": "open('x', 'w').write('a')\n    assert kept('x') == 'a'",
    "another folder": "monkeypatch.chdir(tmp_path)\n    keep('x', 'a')\n    assert (tmp_path / 'x').exists()",
    "the program's file": "keep('x', 'a')\n    assert open('x').read() == 'a'",
}
FILES = """

def keep(path, text):
    with open(path, "w") as file:
        file.write(text)


def kept(path):
    with open(path) as file:
        return file.read()
"""


@pytest.mark.parametrize("way", first_of(WITH_FILES, 2))
def test_a_test_of_files_refuses_nothing(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the tests and of the program lie in two boxes; with a plain import these tests pass."""
    monkeypatch.setitem(globals(), "RIGHT", tuple(text + FILES for text in RIGHT))
    monkeypatch.setitem(globals(), "WRONG", tuple(text + FILES for text in WRONG))
    files = f"from leap import keep, kept\ndef test_file(tmp_path, monkeypatch):\n    {WITH_FILES[way]}\n"
    found = tried(tmp_path, f"{GOOD}\n{files}")
    assert (found.verdict, found.score) == ("accepted", 1)
    assert "1 test is left out: test_file: " in found.steps[0].message
    alone = tried(tmp_path, files)
    assert alone.message.startswith(
        "for right program 1: no test can be tried here: 1 test is left out: test_"
    )
    assert alone.message.endswith("; tests that call it with values can be tried")
    assert alone.steps[1].message == "no test fails on it"


def test_a_test_finds_the_folder_of_its_box_for_temporary_files(tmp_path: Path) -> None:
    """Pytest is imported before there is a box.  Where the interpreter lies below /tmp, /tmp is read-only."""
    where = "import tempfile, pytest\ndef test_where():\n    assert tempfile.gettempdir() == '/box/work'\n"
    assert tried(tmp_path, f"{GOOD}\n{where}").verdict == "accepted"


REFUSING = {
    "assert False": "def test_it():\n    assert False\n",
    "none": "def helper():\n    pass\n",
    "syntax": "def test_it(:\n",
    "wrong name": "from leap import is_leap\ndef test_it():\n    assert is_leap(4)\n",
    "own fault": "def test_it():\n    import leap\n    leap.leap(4)[0]\n",
    "exit": "import os\ndef test_it():\n    os._exit(0)\n",
}
SAID = {
    "assert False": "the tests refuse right program 1: test_it: assert False",
    "none": "for right program 1: there is no test to try",
    "syntax": "the tests refuse right program 1: the file: SyntaxError: invalid syntax",
    "wrong name": "the tests refuse right program 1: the file: it has no is_leap",
    "own fault": "the tests refuse right program 1: test_it: line 3 of work.py: TypeError: 'bool' object",
    "exit": "",
}


@pytest.mark.parametrize("way", first_of(REFUSING, 3))
def test_tests_that_refuse_a_right_program_are_worth_nothing(tmp_path: Path, way: str) -> None:
    found = tried(tmp_path, REFUSING[way])
    assert found.score == 0
    assert found.verdict in ("wrong-answer", "crashed")
    assert SAID[way] in found.message


SECRETS = (
    "inspect.getsource(leap)",
    "inspect.getsource(leap.leap)",
    "leap.leap.__code__.co_code",
    "leap.__loader__.get_source('leap')",
    "open('leap.py').read()",
    "leap.__dict__['leap'].__code__",
    "leap.leap.__globals__",
    "'{0.__code__.co_consts}'.format(leap.leap)",
    "leap.__builtins__['eval']('1')",
    "leap.re.enum.sys.meta_path[0].get_source('leap')",
    "leap.re.enum.sys.modules['leap']",
    "leap.sys.settrace",
    "leap.re.escape('x')",
)
"""What tells programs apart by other things than what they do."""
FORGED = """
    import builtins
    import gc
    import leap

    def fails(name):
        kind = getattr(builtins, name)
        return isinstance(kind, type) and issubclass(kind, BaseException)

    def test_it():
        (link,) = [one for one in gc.get_objects() if type(one).__name__ == "ProgramConnection"]
        f = link.node(leap.leap)
        assert f[0] in "fh"
        assert link._ask(["call", f, [["v", 1996]], {}])[:2] == ["returned", ["v", True]]
        for operation in (
            ["get", f, "__code__"],
            ["get", ["f", "leap", "__builtins__"], "eval"],
            ["call", ["b", "eval"], [["v", "1"]], {}],
            ["call", ["b", "open"], [["v", "leap.py"]], {}],
            ["get", ["v", "{0.__code__.co_consts}"], "format"],
            ["import", "os"],
            ["do", "getattr", [f, ["v", "__code__"]]],
            ["do", "eval", [["v", "1"]]],
            ["keep", [[-1, 0, []]]],
            ["keep", [[-1, 9, []]]],
            ["keep", [[-1, 0, [0]]]],
            ["keep", [[0, 0, []]]],
            ["keep", [["x", None, "y"]]],
            ["fill", 0, ["v", [1]]],
            ["fill", -1, ["v", {}]],
            ["kept", [0]],
            ["kept", [[]]],
            *(["do", "repr", [["u", name, [["v", 1]]]]] for name in dir(builtins) if not fails(name)),
        ):
            reply = link._ask(operation)
            assert reply[0] in ("raised", "refused"), f"SEEN {operation}"
"""


CALLING = """
def leap(y): return 4242
def call(f): return f()
from operator import attrgetter as look
get = getattr
"""
RAISING = """
    import leap

    def test_it():
        link = object.__getattribute__(leap.leap, "_grader_handle").link
        said = []
        for name in ("eval", "exec", "print", "compile", "getattr", "open"):
            link._called = lambda *_: ["raise", name, "__import__('leap').__dict__.update(got=1)"]
            try:
                leap.call(lambda: 1)
            except BaseException as error:
                said.append(type(error).__name__)
        assert said == ["RuntimeError"] * 6 and not hasattr(leap, "got"), f"SEEN {said}"

    def test_what_the_program_calls_otherwise():
        for look in (lambda: leap.look("__code__")(leap.leap), lambda: leap.get(leap.leap, "__code__")):
            try:
                found = look()
            except Exception:
                continue
            assert False, f"SEEN {found}"
"""


def test_no_text_of_the_tests_is_run_beside_a_program(tmp_path: Path) -> None:
    """What a callback raises, and what a program has of Python's own under a name, run nothing there."""
    assert tried_on(tmp_path, "leap", CALLING, textwrap.dedent(RAISING)) == ("accepted", "")


READING = """
from dataclasses import dataclass
from functools import singledispatch, wraps
from pathlib import Path
from string import Formatter
from typing import get_type_hints
from random import randint
from collections import namedtuple

@dataclass(order=True)
class Card:
    rank: int

@singledispatch
def leap(y): return Card(y).rank
"""
READERS = """
    import random
    from leap import Card, leap, namedtuple

    def test_readers():
        link = object.__getattribute__(Card(1), "_grader_handle").link
        seen = []
        for operation in (
            *(["get", ["f", "leap", ""], name] for name in ("dataclass", "wraps", "get_type_hints")),
            *(["call", ["f", "leap", name], [["f", "leap", "leap"]], {}] for name in ("dataclass", "wraps")),
            ["get", ["f", "leap", "Path"], "open"],
            ["get", ["f", "leap", "leap"], "register"],
            ["get", ["f", "leap", "Formatter"], "vformat"],
            ["do", "copy", [["b", "type"]]],
        ):
            reply = link._ask(operation)
            if reply[0] not in ("raised", "refused") and reply[1][0] != "opaque":
                seen.append((operation, reply))
        assert not seen, f"SEEN {seen}"

    def test_the_rest(monkeypatch):
        assert leap(4) == 4 and Card(3) < Card(4) and Card(3) == Card(3) and type(Card(3)) is Card
        assert namedtuple("Point", "x y")(1, 2).y == 2
        monkeypatch.setattr("leap.randint", lambda *_: 3)
"""


def test_nothing_that_a_program_imports_reads_its_source(tmp_path: Path) -> None:
    """`dataclass` runs text made of names, `wraps` reads attributes by name, a path opens files."""
    assert tried_on(tmp_path, "leap", READING, textwrap.dedent(READERS)) == ("accepted", "")


def test_the_programs_are_told_apart_by_what_they_do_alone(tmp_path: Path) -> None:
    """To see more is refused, by an error or by leaving the test out."""
    secrets = [
        f"""
def test_secret_{number}():
    try:
        found = {secret}
    except Exception:
        return
    assert not found, "SEEN"
"""
        for number, secret in enumerate(SECRETS)
    ]
    known = "import inspect\nimport leap\n\ndef test_known():\n    assert leap.leap(1996)\n"
    right, *wrong = tried(tmp_path, known + "".join(secrets)).steps
    assert right.verdict == "accepted", right.message
    assert [step.verdict for step in wrong] == ["wrong-answer", "wrong-answer", "accepted"]
    assert not any("SEEN" in step.message for step in (right, *wrong))


def test_operations_that_tests_forge_show_no_more(tmp_path: Path) -> None:
    right, *wrong = tried(tmp_path, FORGED).steps
    assert right.verdict == "accepted", right.message
    assert not any("SEEN" in step.message for step in (right, *wrong))


def test_no_state_is_kept_between_programs(tmp_path: Path) -> None:
    tests = """
    import os, sys
    from leap import leap
    def test_it():
        try:
            with open("/box/work/seen", "a+") as file:
                file.write("x")
                file.seek(0)
                assert file.read() == "x"
        except OSError:
            pass
        assert not hasattr(sys, "seen")
        sys.seen = 1
    """
    found = tried(tmp_path, tests)
    assert (found.verdict, found.score) == ("wrong-answer", 0)
    assert found.steps[0].verdict == "accepted"
    assert [step.message for step in found.steps[1:]] == ["all tests pass on it"] * 3


def test_a_result_that_the_tests_forge_is_a_guess(tmp_path: Path) -> None:
    tests = """
    import grader.plugins.tests.cell.main as main
    main._Session._conclude = lambda self, name: self.results.append({"name": [], "end": ["passed"], 3: 4})
    def test_it():
        assert True
    """
    found = tried(tmp_path, tests)
    assert found.score == 0


@pytest.mark.acceptance
def test_a_test_that_hangs_is_named_and_is_one_test(tmp_path: Path) -> None:
    found = tried(tmp_path, GOOD + "\ndef test_hangs():\n    while True:\n        pass\n")
    assert found.verdict == "wrong-answer"
    assert "the tests refuse right program 1: test_hangs: stopped in line 1" in found.message


def test_a_test_that_hangs_on_a_wrong_program_alone_catches_it(tmp_path: Path) -> None:
    hangs = (
        "from leap import leap\n\ndef test_it():\n    wrong = leap(1900)\n    while wrong:\n        pass\n"
    )
    found = tried(tmp_path, hangs)
    assert (found.verdict, str(found.score)) == ("partial", "1/3")


def test_tests_that_stop_the_timer_meet_the_limit(tmp_path: Path) -> None:
    tests = """
    import signal
    from leap import leap

    def test_it():
        leap(1900)
        signal.setitimer(signal.ITIMER_REAL, 0)
        while True:
            pass
    """
    assert tried(tmp_path, tests).verdict == "time-limit"


LOOKING_UP = """
def pluck(things, name): return [getattr(thing, name) for thing in things]
def fill(template, *values): return template.format(*values)
def each(texts, found): return [fill(text, found) for text in texts]
def ask(f, thing): return getattr(thing, f())
def leap(y): return y % 4 == 0
"""
LOOKED_UP = """
    from leap import ask, each, fill, leap, pluck

    def test_what_shows_the_source():
        link = object.__getattribute__(leap, "_grader_handle").link
        node, seen = link.node, []
        looks = (
            lambda: pluck([leap], "__code__"),
            lambda: fill("{0.__code__.co_consts}", leap),
            lambda: each(["{0.__globals__}"], leap),
            lambda: each({"{0.__globals__}": 1}, leap),
            lambda: fill("{0.__reduce_ex__}", leap),
            lambda: ask(lambda: "__code__", leap),
            lambda: pluck(name="__defaults__", things=(leap,)),
        )
        for number, look in enumerate(looks):
            try:
                seen.append((number, look()))
            except Exception as error:
                if "can show a program" not in str(error):
                    seen.append((number, error))
        raw = ["call", node(pluck), [["l", [node(leap)]], ["v", "__code__"]], {}]
        nested = ["call", node(each), [["v", ["{0.__code__}"]], node(leap)], {}]
        odd = ["call", node(fill), [["v", b"{0.__code__}"], node(leap)], {}]
        for operation in (raw, nested, odd):
            reply = link._ask(operation)
            if reply[0] not in ("raised", "refused"):
                seen.append((operation, reply))
        assert not seen, f"SEEN {seen}"

    def test_the_rest():
        assert pluck([1 + 2j], "imag") == [2.0] and fill("{0} of __{1}__", 1, "a") == "1 of __a__"
        assert fill("{} codes", "__a__") == "__a__ codes" and leap(4)
"""


def test_no_program_looks_its_source_up_for_the_tests(tmp_path: Path) -> None:
    """A program that reads attributes by a name that it is given, or fills a template, does so for tests."""
    assert tried_on(tmp_path, "leap", LOOKING_UP, textwrap.dedent(LOOKED_UP)) == ("accepted", "")


def test_what_a_test_replaced_is_back_for_the_next(tmp_path: Path) -> None:
    """One process of a program serves all tests of a student."""
    tests = """
    import leap

    def test_a_mock(monkeypatch):
        monkeypatch.setattr(leap, "leap", lambda year: year)
        assert leap.leap(3) == 3

    def test_by_its_path(monkeypatch):
        monkeypatch.setattr("leap.leap", lambda year: year)
        assert leap.leap(3) == 3

    def test_the_program():
        assert leap.leap(2000) and not leap.leap(1900)
    """
    program = "def leap(year): return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n"
    assert tried_on(tmp_path, "leap", program, textwrap.dedent(tests)) == ("accepted", "")

"""Test files: pytest in a cell, the program's objects in a box."""

import textwrap
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from support.marking import HEAD as SPEC_HEAD
from support.marking import cases, mark, question

from grader.engine.submission.required_tools import tools_of
from grader.model.errors import UsageError
from grader.model.results import CaseResult
from grader.reports.views.audience import for_student
from grader.spec import load_task

REFERENCE = """
from collections import defaultdict

LIMIT = 5


class Refused(ValueError):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __iter__(self):
        return iter((self.x, self.y))

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return (self.x, self.y)[index]

    def __lt__(self, other):
        return self.x < other.x

    def __add__(self, distance):
        return Point(self.x + distance, self.y + distance)

    def __contains__(self, number):
        return number in (self.x, self.y)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    @property
    def length(self):
        return abs(self.x) + abs(self.y)


def double(x):
    return 2 * x


def refuse(text):
    raise Refused(text, 7)


def sort_it(xs):
    xs.sort()
    return xs


def apply(f, x):
    return f(x) + 1


def greet():
    name = input("name? ")
    print("Hello", name)
    return name


def letters(text):
    places = defaultdict(list)
    for number, letter in enumerate(text):
        places[letter].append(number)
    return places


def count(n):
    yield from range(n)


def helper():
    return 1


def uses_helper():
    return helper() + 1
"""
HEAD = "import pytest\nimport work\n\n"


def run(
    folder: Path, tests: str, work: str = REFERENCE, *, proven: bool = True, **more: str
) -> dict[str, CaseResult]:
    """Mark `work` by a test file.  more: further files beside it, by module."""
    (folder / "tests").mkdir()
    for name, text in {"test_work": HEAD + textwrap.dedent(tests), **more}.items():
        (folder / "tests" / f"{name}.py").write_text(textwrap.dedent(text))
    spec = question("pytest: tests/test_work.py\n  limits: {time: 2s}")
    return cases(mark(folder, spec, work, reference=REFERENCE if proven else ""))


def messages(found: dict[str, CaseResult]) -> list[str]:
    return [
        f"{case.verdict}: {case.message}" if case.message else str(case.verdict) for case in found.values()
    ]


CROSSES = """
def test_function():
    assert work.double(4) == 8
    assert work.double("ab") == "abab"
    assert work.LIMIT == 5

def test_values_of_the_library():
    from datetime import timedelta
    from decimal import Decimal
    from fractions import Fraction

    assert work.double(Fraction(1, 3)) == Fraction(2, 3)
    assert work.double(Decimal("0.1")) == Decimal("0.2")
    assert work.double(timedelta(days=1)) == timedelta(days=2)
    assert work.double(float("inf")) == float("inf")

def test_dicts_with_a_default():
    found = work.letters("aba")
    assert found == {"a": [0, 2], "b": [1]} and found["c"] == []

def test_object():
    p = work.Point(1, 2)
    assert (p.x, p.length, p[1], len(p), list(p)) == (1, 3, 2, 2, [1, 2])
    p.x = 7
    assert p.x == 7
    assert hasattr(p, "y") and not hasattr(p, "z")
    with pytest.raises(AttributeError):
        p.z
    assert repr(p) == "Point(7, 2)"

def test_operators_of_a_class_that_the_test_names():
    p = work.Point(1, 2)
    assert p == work.Point(1, 2) and p != work.Point(2, 1)
    assert p < work.Point(2, 0)
    assert p + 1 == work.Point(2, 3)
    assert 2 in p and 3 not in p
    assert len({p, work.Point(1, 2)}) == 1
    assert sorted([work.Point(2, 0), p])[0] == p

def test_identity_and_types():
    p = work.Point(1, 2)
    with p as q:
        assert q is p
    assert isinstance(p, work.Point) and not isinstance(3, work.Point)
    assert issubclass(work.Refused, ValueError)

def test_exceptions():
    with pytest.raises(work.Refused, match="no") as caught:
        work.refuse("no")
    assert caught.value.code == 7 and caught.value.args == ("no",)
    with pytest.raises(ValueError):
        work.refuse("no")
    with pytest.raises(TypeError, match="positional"):
        work.double()
    with pytest.raises(ZeroDivisionError):
        work.apply(lambda x: 1 / x, 0)

def test_arguments_that_change():
    xs = [3, 1, 2]
    assert work.sort_it(xs) is xs
    assert xs == [1, 2, 3]

def test_callbacks():
    assert work.apply(lambda x: x * 2, 5) == 11
    assert work.apply(len, "abc") == 4
    assert work.apply(lambda x: work.double(x), 5) == 11
    from unittest.mock import Mock
    f = Mock(return_value=1)
    assert work.apply(f, 3) == 2
    f.assert_called_once_with(3)

def test_input_and_output(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda prompt: "Ann")
    assert work.greet() == "Ann"
    assert capsys.readouterr().out == "Hello Ann\\n"

def test_standard_input(monkeypatch, capsys):
    import io
    monkeypatch.setattr("sys.stdin", io.StringIO("Bob\\n"))
    assert work.greet() == "Bob"
    assert capsys.readouterr().out == "name? Hello Bob\\n"

def test_names_of_the_module_can_be_replaced(monkeypatch):
    monkeypatch.setattr(work, "helper", lambda: 41)
    assert work.uses_helper() == 42
    from unittest import mock
    with mock.patch("work.helper", return_value=9):
        assert work.uses_helper() == 10

def test_names_that_were_replaced_come_back(monkeypatch):
    for target in ("module", "path"):
        with monkeypatch.context() as patch:
            if target == "module":
                patch.setattr(work, "helper", lambda: 41)
            else:
                patch.setattr("work.helper", lambda: 41)
            assert work.uses_helper() == 42
        assert work.uses_helper() != 42
    before = work.uses_helper()
    monkeypatch.setattr(work, "helper", lambda: 41)
    monkeypatch.undo()
    assert work.uses_helper() == before
    with monkeypatch.context() as patch:
        patch.delattr(work, "helper")
        with pytest.raises(NameError):
            work.uses_helper()
    assert work.uses_helper() == before
    with monkeypatch.context() as patch:
        patch.setattr(work, "new_one", 3, raising=False)
        assert work.new_one == 3
    assert not hasattr(work, "new_one")
    point = work.Point(1, 2)
    with monkeypatch.context() as patch:
        patch.setattr(point, "x", 5)
        assert (point.x, point.length) == (5, 7)
    assert (point.x, point.length) == (1, 3)

def test_generators():
    assert sorted(work.count(4)) == [0, 1, 2, 3]
    assert next(work.count(1)) == 0
    with pytest.raises(StopIteration):
        next(work.count(0))
    assert 3 in work.count(5)

@pytest.mark.parametrize("x", [1, 2, 3])
def test_parameters(x):
    assert work.double(x) == x + x

def test_star():
    names = {}
    exec("from work import *", names)
    assert names["double"](2) == 4

def test_approx():
    assert work.double(0.05) == pytest.approx(0.1)
"""


def test_what_crosses(tmp_path: Path) -> None:
    found = run(tmp_path, CROSSES)
    assert len(found) == 17
    assert set(messages(found)) == {"accepted"}


def test_each_test_is_a_case_and_each_parameter_a_row(tmp_path: Path) -> None:
    tests = """
    @pytest.mark.points(3)
    @pytest.mark.parametrize("x", [1, 2, 3], ids=["one", "two", "three"])
    def test_double(x):
        assert work.double(x) == x + x

    @pytest.mark.hidden
    def test_second():
        assert work.double(0) == 1

    @pytest.mark.skip
    def test_never():
        assert work.double(0) == 1

    class TestMore:
        def test_third(self, five):
            assert work.double(five) == 10
    """
    conftest = "import pytest\nimport values\n\n@pytest.fixture\ndef five():\n    return values.FIVE\n"
    wrong = REFERENCE.replace("return 2 * x", "return 4 if x == 3 else 2 * x")
    found = run(tmp_path, tests, wrong, proven=False, conftest=conftest, values="FIVE = 5\n")
    assert [
        (case.id, case.call, case.verdict, str(case.weight), case.visibility) for case in found.values()
    ] == [
        ("1.1.1", "test_work.py::test_double", "partial", "3", "public"),
        ("1.1.2", "test_work.py::test_second", "wrong-answer", "1", "hidden"),
        ("1.1.3", "test_work.py::TestMore::test_third", "accepted", "1", "public"),
    ]
    first = found["1.1.1"]
    assert [(step.text, step.verdict) for step in first.steps] == [
        ("test_double[one]", "accepted"),
        ("test_double[two]", "accepted"),
        ("test_double[three]", "wrong-answer"),
    ]
    assert (
        first.message
        == "test_double[three]: assert 4 == (3 + 3); where 4 = double(3); where double = work.double"
    )
    assert (first.expected, first.actual, str(first.score)) == ("6", "4", "2/3")


def test_unittest_classes_run(tmp_path: Path) -> None:
    tests = """
    import unittest

    class WorkTest(unittest.TestCase):
        def setUp(self):
            self.p = work.Point(3, 4)

        def test_point(self):
            self.assertEqual(self.p.x, 3)
            self.assertEqual([work.double(1)], [3])

        def test_raises(self):
            with self.assertRaisesRegex(work.Refused, "no"):
                work.refuse("no")

        def test_parts(self):
            for x in (1, 2, 3):
                with self.subTest(x=x):
                    self.assertNotEqual(work.double(x), 4)
    """
    found = run(tmp_path, tests, proven=False)
    assert [case.verdict for case in found.values()] == ["wrong-answer", "accepted", "wrong-answer"]
    assert (found["1.1.1"].expected, found["1.1.1"].actual) == ("[3]", "[2]")


def test_blame(tmp_path: Path) -> None:
    tests = """
    def test_raises():
        work.double(1)

    def test_of_another_kind():
        assert work.sort_it([2, 1])[0] == 1

    def test_absent():
        work.missing_one(1)

    def test_ends():
        work.helper()

    def test_computes():
        work.uses_helper()

    def test_waits():
        assert work.apply(len, "") == 1

    def test_skipped():
        pytest.skip("not now")
    """
    work = """
    def double(x):
        return 1 / 0

    def sort_it(xs):
        return None

    def helper():
        import os
        os._exit(0)

    def uses_helper():
        while True:
            pass

    def apply(f, x):
        raise SystemExit(0)
    """
    found = run(tmp_path, tests.replace("work.missing_one", "work.LIMIT and work.double"), work)
    assert messages(found)[:2] == [
        "exception: raised ZeroDivisionError: division by zero (line 3 of work.py)",
        "wrong-answer: with what was answered the test cannot go on: line 9 of test_work.py: "
        "TypeError: 'NoneType' object is not subscriptable",
    ]
    assert messages(found)[2] == "missing: the module work has no LIMIT"
    assert [case.verdict for case in found.values()][3:] == [
        "crashed",
        "time-limit",
        "exception",
        "skipped",
    ]
    assert found["1.1.1"].raised is not None


def test_without_a_reference_a_test_that_stops_is_for_a_person(tmp_path: Path) -> None:
    found = run(
        tmp_path, "def test_it():\n    assert work.sort_it(3)[0]\n", "def sort_it(x): pass", proven=False
    )
    assert found["1.1.1"].verdict == "internal-error"


CANNOT_CROSS = {
    "an object of type Odd cannot be given to the program": "class Odd: pass\n    work.double(Odd())",
    "an object of type list_iterator cannot be given to the program": "work.double(iter([1]))",
    "a value with so many levels, or one that holds itself, cannot cross": (
        "x = []\n    x.append(x)\n    work.double(x)"
    ),
}


@pytest.mark.parametrize("reason", CANNOT_CROSS)
def test_what_cannot_cross_names_the_line(tmp_path: Path, reason: str) -> None:
    body = CANNOT_CROSS[reason]
    tests = f"def test_it():\n    try:\n        pass\n    finally:\n        pass\n    {body}\n"
    found = run(tmp_path, tests)
    assert found["1.1.1"].verdict == "internal-error"
    line = 9 + body.count("\n")
    assert f"test test_it: line {line} of test_work.py: {reason}" in found["1.1.1"].message


def test_it_cannot_be_hidden_by_the_test(tmp_path: Path) -> None:
    tests = (
        "def test_it():\n    try:\n        work.double(object())\n    except BaseException:\n        pass\n"
    )
    assert run(tmp_path, tests)["1.1.1"].verdict == "internal-error"


def test_an_object_of_another_process(tmp_path: Path) -> None:
    tests = """
    SHARED = work.Point(1, 2)

    @pytest.mark.parametrize("x", [1, 2])
    def test_it(x):
        assert SHARED.x == 1
    """
    found = run(tmp_path, tests)
    assert (
        "line 9 of test_work.py: a Point was made outside this test, in another process"
        in found["1.1.1"].message
    )


def test_tests_that_the_text_does_not_show_are_told(tmp_path: Path) -> None:
    # What the text shows is a mistake of the spec, see unit/spec/test_uncounted_tests.
    tests = "def test_it():\n    pass\n\nglobals()['_'.join(['test', 'more'])] = test_it\n"
    (case,) = run(tmp_path, tests).values()
    assert "pytest finds the test test_more" in case.message


def test_a_student_sees_nothing_of_a_hidden_test(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    secret = "def test_about_zebras():\n    assert work.double(20771) == 41542, 'yaks'\n"
    (tmp_path / "tests" / "test_work.py").write_text(HEAD + secret)
    spec = question("pytest: tests/test_work.py\n  visibility: hidden")
    result = mark(tmp_path, spec, "def double(x):\n    return x\n")
    assert cases(result)["1.1.1"].verdict == "wrong-answer"
    shown = repr(for_student(result))
    assert not [word for word in ("zebras", "yaks", "20771", "41542", "test_work") if word in shown]
    assert "zebras" in repr(result)


def test_without_pytest_one_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "spec.yaml").write_text(SPEC_HEAD + question("pytest: tests/test_work.py"))
    task = load_task(tmp_path / "spec.yaml")
    assert list(tools_of(task)) == ["pytest"]
    monkeypatch.setattr("importlib.metadata.version", missing)
    with pytest.raises(UsageError, match="test files, which need pytest") as caught:
        tools_of(task)
    assert "pip install 'grader-harness[pytest]'" in str(caught.value)


READS = {
    "input": "int(input()) + int(input())",
    "lines": "int(sys.stdin.readline()) + int(sys.stdin.readline())",
    "each line": "sum(int(line) for line in sys.stdin)",
    "all": "sum(map(int, sys.stdin.read().split()))",
    "a list": "sum(map(int, sys.stdin.readlines()))",
    "bytes": "sum(map(int, sys.stdin.buffer.read().split()))",
    "a line, then the rest": "int(input()) + int(sys.stdin.read())",
}


@pytest.mark.parametrize("way", READS)
def test_each_way_to_read_gets_the_lines_of_the_test(tmp_path: Path, way: str) -> None:
    tests = """
    import io, work

    def test_it(monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO("3\\n4\\n"))
        assert work.ask() == 7

    def test_again(monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\\n1"))
        assert work.ask() == 2
    """
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(textwrap.dedent(tests))
    found = cases(
        mark(
            tmp_path,
            question("pytest: tests/test_work.py"),
            f"import sys\ndef ask(): return {READS[way]}\n",
            reference=f"def ask(): return {READS['input']}\n",
        )
    )
    assert {case.message for case in found.values() if case.verdict != "accepted"} == set()


def test_without_a_stdin_of_the_test_there_is_nothing_to_read(tmp_path: Path) -> None:
    tests = """
import work
def test_it(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _="": "5")
    assert work.ask() == ("5", "")
"""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(tests)
    work = "import sys\ndef ask(): return input(), sys.stdin.read()\n"
    found = cases(mark(tmp_path, question("pytest: tests/test_work.py"), work, reference=work))
    assert {case.message for case in found.values() if case.verdict != "accepted"} == set()

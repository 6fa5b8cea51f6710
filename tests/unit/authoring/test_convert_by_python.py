"""The converter goes by Python's rules: which names are bound, what runs, what a line may change."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.plugins.convert import read_tests
from grader.plugins.convert.draft import Draft, Meaning
from grader.plugins.convert.python.lines import lines_of

HEAD = "import math, os, pytest, random, sys, unittest\nimport work\nfrom work import E, f, g\n"


def read(tmp_path: Path, text: str, tool: str = "pytest") -> Draft:
    path = tmp_path / "test_a.py"
    path.write_text(HEAD + text, encoding="utf-8")
    return read_tests(path, tool, "work")


def calls(draft: Draft) -> list[str]:
    return [str(case.keys["call"]) for one in draft.questions for case in one.cases]


@pytest.mark.parametrize(
    "top",
    [
        "work.RATE = 2",
        "work.input = lambda prompt='': 'Ada'",
        "os.environ['NAME'] = 'Ada'",
        "sys.argv = ['x']",
        "random.seed(7)",
        "pytest.skip('not this year', allow_module_level=True)",
        "raise unittest.SkipTest",
        "XS = list(work.XS)",
        "R = work.RATE + 1",
        "from work import *\nR = [n for n in numbers]",
        "def list(x): work.RATE = 2\nR = list(3)",
        "class Held:\n    work.RATE = 2",
        "class Held(metaclass=work.Meta): pass",
        "def helper(n=f(1)): pass",
        "@work.register\ndef helper(): pass",
        "@pytest.mark.parametrize('n', [f(1)])\ndef test_b(n): pass",
        "unittest.TestCase.assertEqual = print",
        "load_tests = None",
        "setup_function = random.seed",
        "__test__ = False",
        "pytest_plugins = ['clock']",
        "env = os.environ\nenv['NAME'] = 'Ada'",
        "env = os.environ\nenv.update(NAME='Ada')",
        "def load(): work.RATE = 2\nDATA = load()",
        "def load(): os.environ['A'] = '2'\nDATA = list(map(load, []))",
        "class Held:\n    def __init__(self): random.seed(3)\nheld = Held()",
        "ONE = sorted([3], key=lambda n: f(n))",
        "from unittest import mock\nwith mock.patch('builtins.input'):\n    import other",
        "from unittest import mock\nfake = mock.patch('work.f')\nfake.start()",
        "open('in.txt', 'w').write('3')",
        "from pathlib import Path\nPath('in.txt').write_text('3')",
        "for n in [2]: work.RATE = n",
        "if sys.argv: raise SystemExit",
        "import decimal\ndecimal.getcontext().prec = 3",
        "setattr(work, 'RATE', 2)",
        "def seed(n): random.seed(n); return lambda f: f\n@seed(2)\ndef helper(): pass",
    ],
)
def test_a_top_that_may_do_more_than_name_values_leaves_all_tests_out(tmp_path: Path, top: str) -> None:
    draft = read(tmp_path, f"{top}\ndef test_a():\n    assert f(1) == 2\n")
    assert calls(draft) == []
    assert draft.points_left_out()


@pytest.mark.parametrize(
    "top",
    [
        "sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))",
        "from pathlib import Path\nsys.path.append(str(Path(__file__).resolve().parent))",
        "CASES = [float('inf'), set(), 'a b'.split(), range(3)]",
        "h = work.h\nBOTH = [work.f, work.g]",
        "k = lambda n: f(n) + 1",
        "slow = pytest.mark.slow",
        "class Held:\n    k = staticmethod(lambda n: n)",
        "@pytest.fixture(scope='module')\ndef held(): return f(1)",
        "@pytest.mark.parametrize('n', [pytest.param(1, id='one'), set()])\ndef helper(n): pass",
        "class Held(unittest.TestCase):\n    maxDiff = None\n    @property\n    def a(self): return f(1)",
        "if __name__ == '__main__':\n    unittest.main()",
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
        "def make(es: list[E], e: E | None = None) -> 'E': return es[0]",
        "from timeout_decorator import timeout\n@timeout(2)\ndef test_b(): assert f(2) == 3",
        "def points(n):\n    def mark(t):\n        t.points = n\n        return t\n    return mark\n"
        "@points(2)\ndef test_b(): assert f(2) == 3",
        "import warnings\nwarnings.filterwarnings('ignore')\nprint('now')\nassert sys.version_info >= (3, 8)",
        "if sys.version_info < (3, 8):\n    raise SystemExit('too old')",
        "import json\nwith open('data.json') as file:\n    DATA = json.load(file)",
        "DEBUG = os.environ.get('DEBUG')\nA = 'a'\nB = A.upper()\nHAS = hasattr(work, 'E')",
        "CASES = []\nfor i in range(3):\n    CASES.append((i, i * i))",
        "TABLE = {}\nTABLE['a'] = math.sqrt(2)",
        "from dataclasses import dataclass, field\n@dataclass\nclass P: xs: list = field()",
        "def load(): return [math.floor(1.5)]\nDATA = load()",
        "class Held:\n    def __init__(self): self.n = 3\nheld = Held()",
    ],
)
def test_a_top_that_names_values_is_no_hindrance(tmp_path: Path, top: str) -> None:
    assert calls(read(tmp_path, f"{top}\ndef test_a():\n    assert f(1) == 2\n")) == ["f(1)"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(n): return work.f(n)\ndef test_a():\n    assert f(1) == 2\n",
        "def test_a():\n    assert f(1) == 2\nclass f: pass\n",
        "if sys.argv:\n    f = g\ndef test_a():\n    assert f(1) == 2\n",
        "def test_a():\n    work = E(5)\n    assert work.f(1) == 2\n",
        "def test_a():\n    assert f(1) == 2\n    f = 3\n",
        "def test_a():\n    assert f(1) == 2\n    def f(): pass\n",
        "@pytest.mark.parametrize('f', [3])\ndef test_a(f):\n    assert f(1) == 2\n",
        "def test_a():\n    math = g\n    assert math.isclose(f(1), 2)\n",
        "def isclose(a, b): return True\ndef test_a():\n    assert isclose(f(1), 2)\n",
        "def approx(n): return n\ndef test_a():\n    assert f(1) == approx(2)\n",
        "def assert_equal(a, b): pass\ndef test_a():\n    assert_equal(f(1), 2)\n",
        "N = 1\ndef test_b():\n    global N\n    N = 2\ndef test_a():\n    assert f(N) == 2\n",
        "N = 1\nN = 2\ndef test_a():\n    assert f(N) == 2\n",
        "N = 1\nfrom work import *\ndef test_a():\n    assert f(N) == 2\n",
        "def test_a():\n    n = 1\n    assert (n := 2) == 2\n    assert f(n) == 2\n",
        "def len(n): return 0\ndef test_a():\n    assert len(f(1)) == 2\n",
        "def set(): return 0\ndef test_a():\n    assert f(1) == set()\n",
        "from numpy import *\ndef test_a():\n    assert sum(f(1)) == 2\n",
    ],
)
def test_a_name_that_stands_for_something_else_is_not_the_students(tmp_path: Path, text: str) -> None:
    draft = read(tmp_path, text)
    assert calls(draft) == []
    assert draft.points_left_out()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import work\nN: int = 1\ndef test_a():\n    assert f(N) == 2\n", ["f(1)"]),
        (
            "def test_a():\n    n = 1\n    assert f(n) == 2\n    n = 2\n    assert f(n) == 2\n",
            ["f(1)", "f(2)"],
        ),
        ("def test_a():\n    from work import h\n    assert h(1) == 2\n", ["h(1)"]),
        ("ns = [n for n in (1, 2)]\nn = 3\ndef test_a():\n    assert f(n) == 2\n", ["f(3)"]),
        (
            "from math import *\nINF = float('inf')\ndef test_a():\n    assert isclose(f(INF), 2)\n",
            ["f(float('inf'))"],
        ),
        ("from math import *\ndef test_a():\n    assert len(f(1)) == 2\n", ["len(f(1))"]),
        ("from math import *\ndef test_a():\n    assert pow(f(1), 1) == 2\n", []),
        ("from nose.tools import *\ndef test_a():\n    assert len(f(1)) == 2\n", []),
        ("from math import isclose as near\ndef test_a():\n    assert near(f(1), 2)\n", ["f(1)"]),
    ],
)
def test_a_name_that_is_bound_once_is_known(tmp_path: Path, text: str, wanted: list[str]) -> None:
    assert calls(read(tmp_path, text)) == wanted


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["assert x == 3", "assert x != 2", "assert len(x) == 2", "assert x"], 3),
        (["assert x is not None", "assert isinstance(x, list)", "assert x == 3"], 1),
        (["assert x.pop() == 2", "assert x == 3"], 0),
        (["assert g(x) == 2", "assert x == 3"], 0),
        (["assert sum(x) == 2", "assert list(x) == []"], 1),
        (["assert 3 in x", "assert list(x) == []"], 0),
        (["y = f(2)", "assert y.pop() == 1", "assert x == 3"], 0),
        (["z = [1]", "y = g(z)", "assert z.append(1) is None", "assert y == [1]"], 0),
        (["assert helper() == 1", "assert f(2) == 3"], 0),
        (["assert f(2) == 3, helper(x)", "assert x == 3"], 2),
    ],
)
def test_an_answer_is_known_until_a_line_does_more_than_to_look(
    tmp_path: Path, lines: list[str], wanted: int
) -> None:
    body = "\n    ".join(["x = f(1)", *lines])
    assert len(calls(read(tmp_path, f"def helper(): work.R = 1\ndef test_a():\n    {body}\n"))) == wanted


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("ValueError", "ValueError"),
        ("E", "E"),
        ("work.Odd", "Odd"),
        ("Renamed", "E"),
        ("Named", ""),
        ("Own", ""),
        ("KeyError", ""),
        ("print", ""),
    ],
)
def test_an_exception_is_the_students_or_pythons(tmp_path: Path, kind: str, wanted: str) -> None:
    text = "from work import E as Renamed\nNamed = work.E\nclass Own(Exception): pass\nKeyError = work.E\n"
    draft = read(tmp_path, f"{text}def test_a():\n    with pytest.raises({kind}):\n        f(1)\n")
    found = [str(getattr(case.keys["raises"], "text", "")) for q in draft.questions for case in q.cases]
    assert found == ([wanted] if wanted else [])


CLASSES = """
class Checks:
    def test_1(self): assert f(1) == 1
class TestMade:
    def __init__(self): pass
    def test_2(self): assert f(2) == 1
class TestOff:
    __test__ = False
    def test_3(self): assert f(3) == 1
class TestOn:
    def test_4(self): assert f(4) == 1
    def test_5(self): assert f(5) == 1
    test_5 = None
class Cases(unittest.TestCase):
    def test_6(self): assert f(6) == 1
    class TestInner:
        def test_7(self): assert f(7) == 1
class TestOwn(unittest.TestCase):
    def assertEqual(self, one, other): pass
    def test_8(self): self.assertEqual(f(8), 1)
def test_9(): assert f(9) == 1
def test_10(): assert f(10) == 1
del test_10
if sys.argv:
    def test_11(): assert f(11) == 1
"""


@pytest.mark.parametrize(
    ("tool", "wanted"), [("pytest", ["f(4)", "f(6)", "f(9)"]), ("gradescope-utils", ["f(6)"])]
)
def test_tests_are_those_that_run(tmp_path: Path, tool: str, wanted: list[str]) -> None:
    draft = read(tmp_path, CLASSES, tool)
    assert calls(draft) == wanted
    assert len(draft.offered) == 11
    left_out = [each for each in draft.remarks if each.meaning is Meaning.LEFT_OUT]
    assert len(left_out) == 11 - len(wanted)


@pytest.mark.parametrize("folder", [".", "unit/small"])
def test_a_conftest_beside_a_file_or_above_it_is_read(tmp_path: Path, folder: str) -> None:
    inner, conftest = tmp_path / folder, tmp_path / "conftest.py"
    inner.mkdir(parents=True, exist_ok=True)
    for text in ("import work\nwork.RATE = 2\n", "def pytest_runtest_setup(item): pass\n", "def (\n"):
        conftest.write_text(text)
        assert calls(read(inner, "def test_a():\n    assert f(1) == 2\n")) == []
    conftest.write_text("import sys, pytest\nsys.path.insert(0, '..')\n@pytest.fixture\ndef n(): return 1\n")
    assert calls(read(inner, "def test_a():\n    assert f(1) == 2\n")) == ["f(1)"]


def test_helpers_of_an_otter_file_and_of_earlier_cells_are_not_the_students(tmp_path: Path) -> None:
    path = tmp_path / "q1.py"
    text = "from otter.test_files import test_case\nLIMIT = 3\ndef near(a, b): return a == b\n"
    text += "@test_case(points=1)\ndef test_a(f, g):\n    assert f(LIMIT) == 2\n    assert near(4, 5)\n"
    path.write_text(text)
    assert calls(read_tests(path, "otter", "work")) == ["case_of_q1_test_a()"]
    path.write_text(text.replace("LIMIT = 3", "import numpy as np\nnp.random.seed(3)"))
    assert calls(read_tests(path, "otter", "work")) == []


def test_lines_are_those_of_pythons_parser() -> None:
    text = "a = '\x0c\x0b\x1c\u2028\x85'\r\nb\rc\n"
    assert lines_of(text) == ["a = '\x0c\x0b\x1c\u2028\x85'", "b", "c", ""]


@pytest.mark.parametrize(
    ("lines", "base", "kept"),
    [
        ("", "unittest.TestCase", 1),
        ("", "unittest.IsolatedAsyncioTestCase", 1),
        ("", "Base", 0),
        ("assertEqual = print", "unittest.TestCase", 0),
        ("@staticmethod", "unittest.TestCase", 0),
    ],
)
def test_a_scenario_begins_with_a_set_up_of_unittest_alone(
    tmp_path: Path, lines: str, base: str, kept: int
) -> None:
    text = f"from base import Base\nclass TestA({base}):\n    {lines}\n    def setUp(self): self.e = E(1)\n"
    draft = read(tmp_path, f"{text}    def test_a(self): self.assertEqual(self.e.get(), 1)\n")
    assert len(draft.questions) == kept


def test_modules_of_two_packages_with_one_last_name_are_not_one(tmp_path: Path) -> None:
    test = "def test_a():\n    assert h(1) == 2\n"
    (tmp_path / "test_1.py").write_text(f"from hw1.utils import h\n{test}")
    (tmp_path / "test_2.py").write_text(f"from hw2.utils import h\n{test}")
    draft = read_tests(tmp_path, "pytest", "work")
    assert len(draft.questions) == 1
    assert "`hw2.utils` is one of two modules with this last name" in str(draft.remarks[0])


def test_examples_of_an_otter_case_share_a_process(tmp_path: Path) -> None:
    path = tmp_path / "q1.py"
    code = ">>> deposit(5)\n5\n>>> balance()\n5\n"
    path.write_text(f'test = {{"name": "q", "suites": [{{"cases": [{{"code": {code!r}}}]}}]}}')
    [case] = read_tests(path, "otter", "work").questions[0].cases
    assert "scenario" in case.keys


def test_students_read_neither_the_name_nor_the_docstring_of_a_hidden_test(tmp_path: Path) -> None:
    text = """
import unittest
from gradescope_utils.autograder_utils.decorators import visibility, weight
from work import f
class TestWork(unittest.TestCase):
    @weight(1)
    @visibility("hidden")
    def test_zero(self):
        "Dividing by zero"
        self.assertEqual(f(0), 1)
    @weight(1)
    @visibility("after_due_date")
    def test_later(self): self.assertEqual(f(1), 1)
    @weight(1)
    def test_shown(self): self.assertEqual(f(2), 1)
"""
    questions = read(tmp_path, text, "gradescope-utils").questions
    assert [(each.id, each.title) for each in questions] == [
        ("hidden_1", "Hidden test 1"),
        ("hidden_2", "Hidden test 2"),
        ("shown", "shown"),
    ]
    assert "`test_zero`" in questions[0].remarks[0]
    assert "Dividing by zero" in questions[0].remarks[0]


def cells(tmp_path: Path, work: str, *tests: str) -> list[str]:
    """Return the calls of a notebook of a cell of the student's, and of tests."""
    meta = [{}, *({"nbgrader": {"grade": True, "points": 1, "grade_id": f"c{n}"}} for n in range(len(tests)))]
    made = [
        {"cell_type": "code", "source": text, "metadata": each}
        for text, each in zip((work, *tests), meta, strict=True)
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": made}))
    return calls(read_tests(path, "nbgrader", "work"))


@pytest.mark.parametrize(
    "test",
    [
        "rate = 0.5\nassert price(10) == 15",
        "import math as rate\nassert price(10) == 15",
        "board[0] = 1\nassert price(10) == 15",
        "deposit(5)",
        "for n in range(3): deposit(n)",
        "%magic",
        "del rate",
    ],
)
def test_what_a_cell_of_tests_gives_to_the_kernel_is_seen_by_all_that_follows(
    tmp_path: Path, test: str
) -> None:
    work = "%matplotlib inline\nimport math\ndef price(x): return math.ceil(x * (1 + rate)) + board[0]"
    assert cells(tmp_path, work, "assert price(1) == 2", test, "assert price(2) == 3") == ["price(1)"]


@pytest.mark.parametrize(
    "test", ["import math\nx = 1\nassert price(x) == 2", "n = 1\nfor m in [2]: assert price(m)"]
)
def test_a_name_of_a_cell_of_tests_alone_is_its_own(tmp_path: Path, test: str) -> None:
    work = "import math\ndef price(x): return math.ceil(x)"
    assert cells(tmp_path, work, test, "assert price(3) == 4")[-1] == "price(3)"


def test_an_argument_is_read_before_its_name_is_given_anew(tmp_path: Path) -> None:
    assert calls(read(tmp_path, "def test_a():\n    x = [3, 1]\n    x = f(x)\n    assert x == [1]\n")) == [
        "f([3, 1])"
    ]


OF_OTTER = (
    "from otter.test_files import test_case\nimport math\ndef near(a): return a\n@test_case(points=1)\n"
)


@pytest.mark.parametrize("note", ["len(log)", "1"])
def test_calls_of_an_otter_function_share_a_process(tmp_path: Path, note: str) -> None:
    path = tmp_path / "q1.py"
    text = "def test_a(note):\n    import math\n    assert note('a') == 1\n    print('ok')\n"
    path.write_text(f"{OF_OTTER}{text}    assert near(note('b')) == 2\n")
    draft = read_tests(path, "otter", "work")
    [case] = draft.questions[0].cases
    harness = draft.files[str(case.keys["harness"])]
    assert isinstance(harness, bytes)
    (tmp_path / "harness.py").write_bytes(harness)
    (tmp_path / "work.py").write_text(f"log = []\ndef note(x):\n    log.append(x)\n    return {note}\n")
    run = [sys.executable, "-c", f"import harness; assert str(harness.{case.keys['call']}) == \"['']\""]
    assert (subprocess.run(run, cwd=tmp_path, stderr=subprocess.DEVNULL).returncode == 0) == (note != "1")
    assert (case.examples, draft.remarks) == (2, [])


def test_all_but_the_first_call_of_an_otter_function_that_no_harness_can_call_is_left_out(
    tmp_path: Path,
) -> None:
    path = tmp_path / "q1.py"
    path.write_text(
        f"{OF_OTTER}def test_a(f, *, g):\n    import math\n    assert f(1) == 1\n    assert g(1) == 2\n"
    )
    draft = read_tests(path, "otter", "work")
    assert calls(draft) == ["f(1)"]
    assert len(draft.remarks) == 1


FIXTURE = "import pytest\n@pytest.fixture(autouse=True)\ndef fake(monkeypatch): pass\n"


@pytest.mark.parametrize(
    ("files", "kept"),
    [
        ({"conftest.py": "from helpers import *\n", "helpers.py": FIXTURE}, 0),
        (
            {
                "conftest.py": "from helpers import fake\n",
                "helpers.py": "from deep import fake\nimport work\n",
            },
            1,
        ),
        ({"conftest.py": "from .own.helpers import *\n", "own/helpers.py": FIXTURE}, 0),
        ({"conftest.py": "from nowhere import *\n"}, 0),
        ({"helpers.py": FIXTURE}, 0),
        ({"helpers.py": "import work\nwork.RATE = 2\n"}, 0),
        ({"helpers.py": "import pytest\nLIMIT = 3\n"}, 1),
        ({"helpers.py": "bank = []\nbank.append(print(3))\n"}, 1),
        ({"conftest.py": "collect_ignore = ['test_a.py']\n"}, 0),
        ({"conftest.py": "collect_ignore = ['test_b.py', 'old']\n"}, 1),
        ({"conftest.py": "collect_ignore_glob = ['*_a.py']\n"}, 0),
        ({"conftest.py": "collect_ignore = []\nif 3: collect_ignore.append('test_a.py')\n"}, 0),
    ],
)
def test_what_is_imported_beside_the_tests_is_read_as_they_are(
    tmp_path: Path, files: dict[str, str], kept: int
) -> None:
    (tmp_path / "pytest.ini").touch()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    draft = read(tmp_path, "from helpers import fake\ndef test_a():\n    assert f(1) == 2\n")
    assert len(calls(draft)) == kept


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("pytest.ini", "[pytest]\naddopts = -q\n    --ignore=test_b.py\n", [3]),
        ("pytest.ini", "[pytest]\naddopts = -q --strict-markers\npythonpath = src -k\n", []),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = ['-m', 'not slow']\ntestpaths = ['b']\n",
            [2, 3],
        ),
        ("setup.cfg", "[metadata]\ntestpaths = a\n[tool:pytest]\npython_files = check_*.py\n", [4]),
    ],
)
def test_settings_that_choose_tests_are_told(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / name).write_text(text)
    draft = read(tmp_path, "def test_a():\n    assert f(1) == 2\n")
    assert [each.line for each in draft.remarks if each.file == name] == lines
    assert calls(draft) == ["f(1)"]


@pytest.mark.parametrize(
    "top",
    [
        "XS = [1]\nXS.append(2)",
        "XS = {1: 2}\nXS[2] = 3",
        "XS = [1]\nYS = XS\nYS.append(2)",
        "XS = [1]\nXS += [2]",
    ],
)
@pytest.mark.parametrize("tool", ["pytest", "otter"])
def test_a_list_that_the_top_changes_is_not_known(tmp_path: Path, top: str, tool: str) -> None:
    test = "@test_case(points=1)\n" if tool == "otter" else ""
    text = f"from otter.test_files import test_case\n{top}\n{test}def test_a():\n    assert f(XS) == 2\n"
    assert "f([1])" not in calls(read(tmp_path, text, tool))


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("work.RATE = 3", 0),
        ("work.RATE += 3", 0),
        ("del work.RATE", 0),
        ("work.XS[0] = 3", 0),
        ("work.XS.append(3)", 0),
        ("w = work; w.RATE = 3", 0),
        ("import builtins; builtins.input = print", 0),
        ("os.environ['A'] = 'b'", 0),
        ("random.seed(1)", 0),
        ("setattr(work, 'RATE', 3)", 0),
        ("set_rate()", 0),
        ("prepare()", 0),
        ("g.clear()", 0),
        ("p = patch.object(work, 'RATE', 3); p.start()", 0),
        ("global N; N = 3", 0),
        ("e = E(3); e.n = 4; e.xs.append(3)", 1),
        ("ns = {}; ns['a'] = 3", 1),
        ("monkeypatch.setattr(work, 'RATE', 3)", 1),
        ("with pytest.raises(AttributeError): work.PI = 3", 1),
        ("try: g()\n    except TypeError: pass\n    else: raise AssertionError", 1),
    ],
)
def test_what_a_test_changes_for_good_is_seen_by_later_tests(tmp_path: Path, line: str, kept: int) -> None:
    text = "def set_rate(): work.RATE = 3\ndef prepare(): set_rate()\n"
    text += f"def test_a(monkeypatch):\n    {line}\n"
    draft = read(
        tmp_path, f"def test_0():\n    assert g(1) == 2\n{text}def test_b():\n    assert f(1) == 2\n"
    )
    assert calls(draft) == ["g(1)", "f(1)"][: kept + 1]


def test_unittest_runs_methods_by_name(tmp_path: Path) -> None:
    text = "class A(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\n"
    assert calls(read(tmp_path, f"{text}    def test_0(self): work.RATE = 2\n", "gradescope-utils")) == []
    text += "    def set(self): work.RATE = 2\n    def test_0(self): self.set()\n"
    assert calls(read(tmp_path, text, "gradescope-utils")) == []


@pytest.mark.parametrize(
    ("text", "tool", "reason"),
    [
        (
            "@pytest.mark.parametrize('a', [pytest.param(id='x')])\ndef test_a(a): assert f(a)\n",
            "pytest",
            "does not fit",
        ),
        ("def test_a():\n    with pytest.raises(): f(1)\n", "pytest", "names no class of exceptions"),
        ("def (\n", "pytest", f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot read this file: "),
        (
            "class B(unittest.TestCase): pass\nclass A(B):\n    def test_a(self): assert f(1) == 2\n",
            "gradescope-utils",
            "its class inherits from `B`",
        ),
        (
            "class A(unittest.TestCase):\n    def setUp(self): self.e = E(1)\n"
            "    def test_a(self):\n        a = self.e\n        self.assertEqual(a.n, 2)\n",
            "gradescope-utils",
            "`a` is a second name of `e`",
        ),
        (
            "class A(unittest.TestCase):\n    def setUp(self): self.e = E(1)\n"
            "    def test_a(self):\n        self.e = E(2)\n        self.assertEqual(self.e.n, 2)\n",
            "gradescope-utils",
            "`e` gets a second object",
        ),
    ],
)
def test_why_a_test_is_left_out_is_said(tmp_path: Path, text: str, tool: str, reason: str) -> None:
    draft = read(tmp_path, text, tool)
    assert draft.questions == []
    assert reason in str(draft.remarks[0])


def test_an_id_has_the_letters_that_a_spec_knows(tmp_path: Path) -> None:
    text = "def test_größe():\n    assert f(1) == 2\ndef test_Ж():\n    assert f(2) == 2\n"
    questions = read(tmp_path, text).questions
    assert [(each.id, each.title) for each in questions] == [("gro-e", "größe"), ("test", "Ж")]


def test_tests_that_a_class_inherits_are_counted_for_each_heir(tmp_path: Path) -> None:
    """Their points were lost unsaid, and tests of a mixin were said never to run."""
    text = (
        "class Common:\n    def test_a(self): self.assertEqual(f(1), 2)\n"
        "class TestA(Common, unittest.TestCase): pass\n"
        "class TestB(Common, unittest.TestCase):\n    def test_a(self): self.assertEqual(f(2), 3)\n"
        "class TestC(TestA):\n    def test_c(self): self.assertEqual(f(4), 5)\n"
    )
    for tool in ("pytest", "gradescope-utils"):
        draft = read(tmp_path, text, tool)
        told = [each.reason for each in draft.remarks]
        assert told[:2] == [f"`{name}` inherits `test_a` from `Common`" for name in ("TestA", "TestC")]
        assert len(draft.offered) == 4

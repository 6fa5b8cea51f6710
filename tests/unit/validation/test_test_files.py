"""Where a test file lets a text of the program's choose what the test does, and where it does not."""

import textwrap
from pathlib import Path

import pytest
from support.validating import REFERENCE, remarks, validated

from grader.model.validation import Check, Gravity
from grader.plugins.validate.checks.test_files import unfit_uses

HEAD = (
    "import importlib, math, operator, pickle, runpy, sys, pytest\nimport work\nfrom work import name, Box\n"
)
UNFIT = [
    "__import__(work.name())",
    "importlib.import_module(name())",
    "runpy.run_module(name())",
    "work.text().format(3)",
    "('[' + work.text() + ']').format(3)",
    "str.format(work.text(), 3)",
    "work.text().format_map({})",
    "getattr(math, work.name())(4)",
    "operator.attrgetter(name())(math)",
    "operator.methodcaller(name())(math)",
    "globals()[name()]",
    "vars(math)[work.name()]",
    "math.__dict__[name()]",
    "sys.modules[name()]",
    "exec(work.text())",
    "pickle.loads(work.data())",
    "Box().label.format(3)",
]
FIT = [
    "'{} {}'.format(work.text(), name())",
    "f'{work.text()}'",
    "__import__('math').sqrt(work.number())",
    "getattr(work, 'name')()",
    "getattr(work.box(), work.name())",
    "{'a': 'x{}'}[name()].format(3)",
    "'%s' % name()",
    "re.compile(name())",
    "len(work.text()).__format__('d')",
    "eval(repr(work.box()))",
    "[work.text()][0] == '{}'.format(3)",
]


def found(body: str, *, known: tuple[str, ...] = ("name", "Box"), head: str = HEAD) -> list[tuple[int, str]]:
    text = head + textwrap.dedent(body)
    return [(use.line, use.code) for use in unfit_uses({"tests": text}, ["work"], known)]


@pytest.mark.parametrize("code", UNFIT)
def test_what_the_program_chooses_is_told_with_its_line(code: str) -> None:
    assert [line for line, _ in found(f"def test_it():\n    assert {code} == 2\n")] == [5], code


@pytest.mark.parametrize("code", FIT)
def test_what_the_test_chooses_is_not(code: str) -> None:
    assert found(f"def test_it():\n    assert {code}\n") == []


@pytest.mark.parametrize(
    "body",
    [
        "def test_it():\n    text = work.text()\n    other = text.strip()\n    assert other.format(3) == 1\n",
        "def test_it():\n    for text in work.texts():\n        assert text.format(3) == 1\n",
        "def test_it():\n    assert [t.format(3) for t in work.texts()] == []\n",
        "def test_it():\n    if (text := work.text()):\n        assert text.format(3) == 1\n",
        "def test_it():\n    assert shown(work.text()) == 1\ndef shown(text):\n    return text.format(3)\n",
        "def test_it():\n    assert said().format(3) == 1\ndef said():\n    return work.text()\n",
        "@pytest.fixture\ndef t():\n    return work.text()\ndef test_it(t):\n    assert t.format(3)\n",
        "def test_it(capsys):\n    work.main()\n    assert capsys.readouterr().out.format(3) == 1\n",
        "def test_it():\n    with raises(ValueError) as e:\n        name()\n    str(e.value).format(3)\n",
        "def test_it():\n    try:\n        name()\n    except work.Bad as e:\n        e.args[0].format(3)\n",
        "class TestIt:\n    def setUp(self):\n        self.t = work.text()\n"
        "    def test_it(self):\n        self.t.format(3)\n",
        "text = work.text()\ndef test_it():\n    assert text.format(3) == 1\n",
    ],
)
def test_a_text_is_followed_to_where_it_is_used(body: str) -> None:
    ((_, code),) = found(body)
    assert ".format(3)" in code


def test_all_names_of_a_module_are_the_programs() -> None:
    head = "from work import *\n"
    assert found("def test_it():\n    assert name().format(3)\n", head=head)
    assert not found("def test_it():\n    assert other().format(3)\n", head=head)


def test_a_method_of_that_name_is_the_references_own() -> None:
    body = "def test_it():\n    assert Box().format(3) == 1\n"
    assert found(body)
    assert not found(body, known=("Box", "format"))


TESTS = """\
import work

def test_largest():
    assert work.largest([1, 2]) == 2

def test_name():
    assert hasattr(__import__(str(work.divisors(6))[:0] or "math"), "pi")

def test_text():
    assert str(work.divisors(4)).format(3) == "[1, 2, 4]"
"""


@pytest.mark.acceptance
def test_validate_tells_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "tests.py").write_text(TESTS)
    assert "def divisors" in REFERENCE
    questions = "  - id: largest\n    title: t\n    marks: 2\n    cases: [{pytest: tests.py}]\n"
    done = validated(tmp_path, questions=questions)
    told = [one for one in remarks(done, Check.CHECKERS, Gravity.ODD) if "tests.py" in one.text]
    assert [one.text.partition(":")[0] for one in told] == ["line 7 of tests.py", "line 10 of tests.py"]
    assert "imports what the program names" in told[0].text
    assert "takes its format from the program" in told[1].text
    assert [one.case for one in told] == ["largest.1.2", "largest.1.3"]
    assert all(one.hint for one in told)

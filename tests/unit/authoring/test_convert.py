"""What the converter takes, what it leaves out, and why."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.written import Raw
from grader.model.errors import UsageError
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.checkers import checkers_source
from grader.plugins.convert.draft import Draft, Meaning
from grader.plugins.convert.write import spec_text
from grader.spec import load_task
from grader.yamlfile.kinds import marks


def read(tmp_path: Path, text: str, tool: str = "pytest", name: str = "test_a.py") -> Draft:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_tests(path, tool, "work")


def calls(draft: Draft) -> list[str]:
    return [str(case.keys["call"]) for one in draft.questions for case in one.cases]


def test_nothing_of_the_tests_is_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    draft = read(
        tmp_path,
        f"from work import f\nopen({str(trace)!r}, 'w')\n\ndef test_f():\n    assert f(1) == 1\n",
    )
    assert "line 2 may do something" in str(draft.remarks[0])
    assert not trace.exists()


@pytest.mark.parametrize(
    "body",
    [
        "data = [1]\n    assert f(data) == 1\n    assert f(data) == 1",
        "data = [1]\n    other = data\n    assert f(other) == 1\n    assert f(data) == 1",
        "reset()\n    assert f(1) == 1\n    assert f(1) == 1",
        "for x in range(3):\n        f(x)\n    assert f(1) == 1\n    assert f(2) == 1",
        "assert f(1) == 1\n    assert f(1) == 2",
        "with open('x') as file:\n        pass\n    assert f(1) == 1",
    ],
)
def test_what_may_rely_on_state_is_left_out(tmp_path: Path, body: str) -> None:
    draft = read(tmp_path, f"from work import f, reset\n\ndef test_f():\n    {body}\n")
    assert len(calls(draft)) <= 1
    assert draft.converted == len(calls(draft))
    assert any("left out" in str(remark) for remark in draft.remarks)


def test_what_follows_a_call_whose_answer_is_never_asserted_is_left_out(tmp_path: Path) -> None:
    text = """
from work import push, peek, f

def test_a():
    assert f(1) == 2
    _ = push(3)
    assert peek() == 3

def test_b():
    first = f(1)
    second = f(2)
    assert first == 2
    assert second == 3
"""
    draft = read(tmp_path, text)
    assert calls(draft) == ["f(1)", "f(1)", "f(2)"]
    assert draft.converted == 3
    told, several = [str(remark) for remark in draft.remarks]
    assert told.startswith("test_a.py:7: left out: it may rely on line 6")
    assert several.startswith("test_a.py:5: stricter: from here on each call has a process of its own")


def test_one_call_in_several_tests_does_not_contradict_itself(tmp_path: Path) -> None:
    text = """
import pytest
from work import f, E

def test_a():
    with pytest.raises(ValueError):
        f("")

def test_b():
    with pytest.raises(ValueError, match="no text"):
        f("")

def test_c():
    with pytest.raises(E):
        f("")

def test_d():
    assert f("a") == 2
    assert f("a") == 2.0

def test_e():
    assert f("b") == 2
    assert f("b") == 3

def test_g():
    assert f("c") == 2

def test_h():
    with pytest.raises(E):
        f("c")
"""
    draft = read(tmp_path, text)
    assert [one.id for one in draft.questions] == ["a", "b", "c", "d"]


def test_a_call_that_is_repeated_is_told_to_be_kinder(tmp_path: Path) -> None:
    body = "assert f(3) == [3]\n    assert f(3) == [3]"
    draft = read(tmp_path, f"from work import f\n\ndef test_f():\n    {body}\n")
    assert calls(draft) == ["f(3)"]
    [told] = [str(remark) for remark in draft.remarks]
    assert told.startswith("test_a.py:5: kinder: it repeats an assertion, ")


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("assert len(f(1)) == 2", "len(f(1))"),
        ("assert sorted(set(f([1]))) == [2]", "sorted(set(f([1])))"),
        ("assert list(f(1)) == [1, 2]", "list(f(1))"),
        ("found = f(1)\n    assert str(found) == 'x'", "str(f(1))"),
        ("with pytest.raises(ValueError):\n        list(f(1))", "list(f(1))"),
    ],
)
def test_pythons_functions_stand_around_a_call(tmp_path: Path, line: str, call: str) -> None:
    draft = read(tmp_path, f"import pytest\nfrom work import f\n\ndef test_f():\n    {line}\n")
    assert calls(draft) == [call]
    assert call in written(draft, tmp_path / "work.yaml", "x", "pytest").spec
    assert not any("would not load" in str(remark) for remark in draft.remarks)


@pytest.mark.parametrize(
    "line",
    [
        "assert f(1) != 2",
        "assert f(1) < 2",
        "assert f(1) in (1, 2)",
        "assert len([1, 2]) == 2",
        "assert f(1)[0] == 2",
        "assert f(1) == float('nan')",
        "assert f(g(1)) == 2",
        "assert f(*[1]) == 2",
        "assert f(x) == 2",
        "assert f(1) == [pytest.approx(1)]",
        "assert f(1) == pytest.approx([1, 2])",
        "assert f(1) == g(1)",
        "assert sqrt(4) == 2",
        "assert f(1) and f(2)",
        "assert f(2 ** 10**6) == 1",
    ],
)
def test_a_line_without_a_counterpart_is_named(tmp_path: Path, line: str) -> None:
    draft = read(
        tmp_path,
        f"from math import sqrt\nimport pytest\nfrom work import f, g\n\ndef test_f():\n    {line}\n",
    )
    assert calls(draft) == []
    [remark] = draft.remarks
    assert str(remark).startswith("test_a.py:6: left out: ")


@pytest.mark.parametrize(
    "line",
    [
        "assert xs.sort() is None",
        "assert xs.pop() == 2",
        "assert grow(xs) == 3",
        "assert isinstance(xs.pop(), int)",
        "assert sorted(xs) == [1, 2]",
        "assert (xs := [7])",
    ],
)
def test_what_a_line_changes_that_is_left_out_is_known(tmp_path: Path, line: str) -> None:
    """The test runs it all the same.  `sorted` is the student's own."""
    text = f"""
from work import first, sorted
def grow(xs): return len(xs + [xs.append(0)])
def test_a():
    assert first([5]) == 5
    xs = [2, 1]
    {line}
    assert first(xs) == 1
"""
    draft = read(tmp_path, text)
    assert "first(xs)" not in "".join(calls(draft))
    assert not any("first([2, 1])" in call for call in calls(draft))
    assert "first([5])" in calls(draft)


def test_code_before_the_tests_is_respected(tmp_path: Path) -> None:
    draft = read(tmp_path, "import work\nwork.setup()\n\ndef test_f():\n    assert work.f(1) == 1\n")
    assert calls(draft) == []
    draft = read(tmp_path, "import work\nA = [1]\nA.append(2)\n\ndef test_f():\n    assert work.f(A) == 1\n")
    assert calls(draft) == []


@pytest.mark.parametrize(
    "other",
    [
        "def test_a():\n    for _ in [1]:\n        f(A)\n",
        "def test_a():\n    A.append(2)\n",
        "def test_a():\n    assert f([A]) == 1\n",
        "B = A\ndef test_a():\n    B.append(2)\n",
        "def helper():\n    f(A)\n",
        "def helper(numbers=A):\n    return numbers\n",
        "class Held:\n    numbers = A\n",
    ],
)
def test_a_list_that_something_else_may_change_is_no_literal(tmp_path: Path, other: str) -> None:
    draft = read(tmp_path, f"from work import f\nA = [1]\n{other}\ndef test_f():\n    assert f(A) == 1\n")
    assert "f" not in [each.id for each in draft.questions]
    assert "something before it may have changed `A`" in " ".join(map(str, draft.remarks))


def test_lists_that_are_only_read_elsewhere_are_literals(tmp_path: Path) -> None:
    other = (
        "def test_a():\n    for each in A:\n        assert f(each) == len(A) == A[0]\n    assert f(2) in A\n"
    )
    draft = read(tmp_path, f"from work import f\nA = [1]\n{other}\ndef test_f():\n    assert f(A) == 1\n")
    assert calls(draft) == ["f([1])"]


@pytest.mark.parametrize(
    "around",
    [
        "def setup_module():\n    pass\n",
        "@pytest.fixture(autouse=True)\ndef clean():\n    pass\n",
        "pytestmark = pytest.mark.skip\n",
    ],
)
def test_what_is_set_up_for_all_tests_is_respected(tmp_path: Path, around: str) -> None:
    draft = read(tmp_path, f"import pytest\nfrom work import f\n\n{around}\ndef test_f():\n    assert f(1)\n")
    assert calls(draft) == []
    (tmp_path / "conftest.py").write_text(around)
    draft = read(tmp_path, "from work import f\n\ndef test_f():\n    assert f(1)\n")
    assert (calls(draft) == []) == ("autouse" in around)


def test_a_class_that_inherits_is_left_out(tmp_path: Path) -> None:
    text = "import unittest\nfrom work import f\n\nclass TestF(Base):\n"
    text += "    def test_f(self):\n        assert f(1)\n"
    assert calls(read(tmp_path, text)) == []
    assert calls(read(tmp_path, text.replace("Base", "unittest.TestCase"))) == ["f(1)"]


def test_a_test_that_another_one_replaces_is_left_out(tmp_path: Path) -> None:
    text = "from work import f\n\ndef test_f():\n    assert f(1)\n\ndef test_f():\n    assert f(2)\n"
    assert calls(read(tmp_path, text)) == ["f(2)"]


def test_a_question_has_one_module(tmp_path: Path) -> None:
    draft = read(tmp_path, "import a, b\n\ndef test_f():\n    assert a.f(1) == 1\n    assert b.g(2) == 2\n")
    made = written(draft, tmp_path / "spec.yaml", "x", "pytest")
    assert "module: a" not in made.spec
    assert "g(2)" not in made.spec
    assert "b, and the test's first call is of a" in str(draft.remarks[-1])


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    spec = tmp_path / "hw.yaml"
    for existing in (spec, tmp_path / "hw_checkers.py"):
        existing.write_text("mine")
        draft = read(tmp_path, "from work import f\n\ndef test_f():\n    assert f(1)\n")
        with pytest.raises(UsageError, match="exists already"):
            written(draft, spec, "x", "pytest")
        assert existing.read_text() == "mine"
        existing.unlink()
        assert not spec.exists()


def test_a_spec_that_would_not_load_is_not_written(tmp_path: Path) -> None:
    text = "import pytest\nfrom work import f\n\ndef test_f():\n    assert f(1) == 1\n\ndef test_g():\n"
    text += "    with pytest.raises(ValueError, match='('):\n        f(2)\n"
    draft = read(tmp_path, text)
    made = written(draft, tmp_path / "hw.yaml", "x", "pytest")
    assert "f(2)" not in made.spec
    assert any("the spec would not load" in str(remark) for remark in draft.remarks)


@pytest.mark.parametrize("tool", ["pytest", "otter", "check50", "nbgrader", "gradescope-utils"])
@pytest.mark.parametrize("text", ["", "def (", "\x00", "[" * 5000, "{}", '{"cells": 3}', "test = 3", "null"])
def test_odd_files_are_refused_or_listed(tmp_path: Path, tool: str, text: str) -> None:
    draft = read(tmp_path, text, tool)
    assert draft.questions == []
    with pytest.raises(UsageError, match="nothing could be converted"):
        written(draft, tmp_path / "hw.yaml", "x", tool)


def test_points_of_otter(tmp_path: Path) -> None:
    text = """
OK_FORMAT = True
test = {"name": "q", "points": POINTS, "suites": [{"cases": [
    {"code": ">>> f(1)\\n1\\n>>> f(2)\\n2\\n"},
    {"code": ">>> f(3)\\n3\\n", "points": 0.5, "hidden": False}]}]}
"""
    draft = read(tmp_path, text.replace("POINTS", "2"), "otter", "q.py")
    [question] = draft.questions
    assert question.marks == 2
    # Two assertions in one process have 1.5 points, the third has 0.5.
    assert [case.keys["weight"].text for case in question.cases] == ["3", "1"]  # type: ignore[union-attr]
    assert [case.keys.get("visibility") is not None for case in question.cases] == [True, False]
    draft = read(tmp_path, text.replace('"points": POINTS, ', ""), "otter", "q.py")
    assert draft.questions[0].marks == 0.5


def test_a_case_without_points_counts_where_all_must_pass(tmp_path: Path) -> None:
    text = """
OK_FORMAT = True
test = {"name": "q", "all_or_nothing": WHOLE, "suites": [{"cases": [
    {"code": ">>> f(1)\\n1\\n", "points": 2},
    {"code": ">>> f(2)\\n2\\n", "points": 0}]}]}
"""
    assert calls(read(tmp_path, text.replace("WHOLE", "True"), "otter", "q.py")) == ["f(1)", "f(2)"]
    assert calls(read(tmp_path, text.replace("WHOLE", "False"), "otter", "q.py")) == ["f(1)"]


def simple_checks(tmp_path: Path, steps: str) -> Draft:
    return read(tmp_path, f"check50:\n  checks:\n    greets:\n{steps}", "check50", ".cs50.yaml")


def test_the_line_end_of_a_block_is_no_input(tmp_path: Path) -> None:
    draft = simple_checks(
        tmp_path,
        """
      - run: python3 hello.py
        stdin: |
          Ada
          Bob
        stdout: Ada and Bob
""",
    )
    [case] = draft.questions[0].cases
    assert case.keys["dialogue"] == Raw('[{answer: "Ada"}, {answer: "Bob"}]')


def test_all_runs_of_a_simple_check_are_one_question(tmp_path: Path) -> None:
    step = """
      - run: python3 hello.py
        stdin: A
"""
    draft = simple_checks(tmp_path, step + step.replace("A", "B"))
    [question] = draft.questions
    assert (question.marks, len(question.cases)) == (1, 2)
    assert draft.points_left_out() == ""


def test_a_program_that_must_end_by_itself_may_not_ask_for_input(tmp_path: Path) -> None:
    text = """
import check50

@check50.check()
def a():
    check50.run("python3 work.py").exit(1)

@check50.check()
def b():
    check50.run("python3 work.py").stdout("x")
"""
    first, second = read(tmp_path, text, "check50", "__init__.py").questions
    assert first.cases[0].keys["check"] == "said(expected=[], prompts=[], ends=True)"
    assert second.cases[0].keys["check"] == "said(expected=[(0, 'x', True)], prompts=[])"
    names: dict[str, Any] = {}
    exec(checkers_source(frozenset({"said"})), names)
    did = {"dialogue": [], "stdout": "Name? ", "stderr": "Traceback\nEOFError: EOF when reading a line\n"}
    told = names["said"](did, [], [], ends=True)
    assert told == "it asked for input, and gets none"
    assert names["said"](did, [], []) is None
    assert names["said"]({**did, "stderr": "usage\n"}, [], [], ends=True) is None


DID = {
    "dialogue": [("Name? ", "Ada"), ("Age? ", "7")],
    "stdout": "Name? Age? Ada is 7\n",
    "stderr": "",
    "exit_code": 0,
}


@pytest.mark.parametrize(
    ("expected", "prompts", "wrong"),
    [
        ([(2, "Ada is 7", False)], [True, True], None),
        ([(0, "Name", False), (1, "Age", False), (2, r"\d", True)], [True, True], None),
        # A prompt takes in what was printed before it.
        ([(2, "Age", False)], [True, True], "expected output 'Age', got 'Ada is 7\\n'"),
        ([(2, "Age", False)], [False, False], None),
        # Each text is looked for after the one before.
        ([(2, "is 7", False), (2, "Ada", False)], [True, True], "expected output 'Ada', got '\\n'"),
        ([(2, "a.*7", True)], [True, True], None),
        ([(2, "a.*7", False)], [True, True], "expected output 'a.*7', got 'Ada is 7\\n'"),
        # What was asked for before the input is no prompt any more.
        ([(0, "Name? ", False)], [True, True], "expected a prompt for input, found none"),
    ],
)
def test_output_is_looked_for_as_check50_does(
    expected: list[object], prompts: list[bool], wrong: str | None
) -> None:
    names: dict[str, Any] = {}
    exec(checkers_source(frozenset({"said"})), names)
    assert names["said"](DID, expected, prompts) == wrong


def notebook(*cells: tuple[object, str]) -> str:
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "source": text,
                    "metadata": {"nbgrader": {"grade": True, "grade_id": f"c{number}", "points": points}},
                }
                for number, (points, text) in enumerate(cells, 1)
            ]
        }
    )


@pytest.mark.parametrize(
    "points", ["1e400000000", "1/0", "nan", "inf", "9" * 5000, "1_0", "²", True, [2], 1e300]
)
def test_points_that_are_no_number_are_refused_at_once(tmp_path: Path, points: object) -> None:
    text = notebook((2, "assert f(1) == 1"), (points, "assert f(2) == 2"))
    with pytest.raises(UsageError, match="no number of points") as refused:
        read(tmp_path, text, "nbgrader", "hw.ipynb")
    assert refused.value.faults[0].where == "hw.ipynb, cell 2"


@pytest.mark.parametrize("points", ["'1e400000000'", "'1/0'", "1e400", "[1, '1/0']"])
def test_points_of_otter_that_are_no_number_are_refused_at_once(tmp_path: Path, points: str) -> None:
    cases = '[{"code": ">>> f(1)\\n1\\n"}, {"code": ">>> f(2)\\n2\\n"}]'
    text = f'test = {{"name": "q", "points": {points}, "suites": [{{"cases": {cases}}}]}}\n'
    with pytest.raises(UsageError, match="no number of points"):
        read(tmp_path, text, "otter", "q.py")


def test_points_that_are_left_out_are_told(tmp_path: Path) -> None:
    text = notebook((8.5, "assert f(1) == 1"), (1, "%magic"), ("0.5", "assert g(open('x')) == 1"), (0, "x"))
    draft = read(tmp_path, text, "nbgrader", "hw.ipynb")
    left = "2 cells worth 1.5 of 10 points left out: cell 2 c2 (1), cell 3 c3 (0.5)"
    assert draft.points_left_out() == left
    assert f"# {left}\n" in written(draft, tmp_path / "hw.yaml", "hw.ipynb", "nbgrader").spec


LEFT_OUT = {
    "pytest": """
from work import f

def test_a():
    assert f(1) == 1

def test_b(tmp_path):
    assert f(tmp_path)
""",
    "gradescope-utils": """
import unittest
from gradescope_utils.autograder_utils.decorators import weight
from work import f

class A(unittest.TestCase):
    @weight(1)
    def test_a(self):
        self.assertEqual(f(1), 1)

    @weight(1)
    def test_b(self):
        assert f(open('x'))
""",
    "otter": r"""
test = {"name": "q", "points": 2, "suites": [{"cases": [
    {"code": ">>> f(1)\n1\n"},
    {"code": ">>> f('x')\nTraceback (most recent call last):\nValueError: x\n"}]}]}
""",
    "check50": """
import check50

@check50.check()
def a():
    check50.run('python3 work.py').stdout('a').exit(0)

@check50.check()
def b():
    check50.run('make work').exit(0)
""",
}


@pytest.mark.parametrize("tool", LEFT_OUT)
def test_each_tool_tells_the_points_that_are_left_out(tmp_path: Path, tool: str) -> None:
    draft = read(tmp_path, LEFT_OUT[tool], tool, "test_a.py")
    assert "1 test worth 1 of 2 points left out: " in draft.points_left_out()


def test_nothing_is_told_where_all_points_are_there(tmp_path: Path) -> None:
    draft = read(tmp_path, notebook((2, "assert f(1) == 1")), "nbgrader", "hw.ipynb")
    assert draft.points_left_out() == ""


# -- an exception that is expected by hand -------------------------------------------------------------


@pytest.mark.parametrize(
    "end",
    [
        "else:\n    raise AssertionError('did not raise')",
        "else:\n    assert False",
        "else:\n    raise Exception",
    ],
)
def test_a_call_in_a_try_that_has_to_raise_is_a_case(tmp_path: Path, end: str) -> None:
    text = f"try:\n    f(0)\nexcept ValueError:\n    pass\n{end}\nassert f(1) == 1\n"
    draft = read(tmp_path, notebook((1, text)), "nbgrader", "a.ipynb")
    (question,) = draft.questions
    first, second = question.cases
    assert first.keys == {"call": "f(0)", "raises": Raw("ValueError")}
    assert second.keys["call"] == "f(1)"
    assert (draft.converted, draft.assertions) == (2, 2)
    assert not [each for each in draft.remarks if each.meaning is Meaning.LEFT_OUT]


@pytest.mark.parametrize(
    "tried",
    [
        "try:\n    f(0)\nexcept ValueError:\n    pass",
        "try:\n    f(0)\nexcept ValueError:\n    x = 1\nelse:\n    assert False",
        "try:\n    f(0)\nexcept:\n    pass\nelse:\n    assert False",
        "try:\n    f(0)\n    f(1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "try:\n    f(0)\nexcept ValueError:\n    pass\nelse:\n    assert f(2)",
        "try:\n    f(0)\nexcept (ValueError, KeyError):\n    pass\nelse:\n    assert False",
    ],
)
def test_another_try_is_left_out(tmp_path: Path, tried: str) -> None:
    draft = read(tmp_path, notebook((1, f"{tried}\nassert f(1) == 1\n")), "nbgrader", "a.ipynb")
    assert "f(0)" not in calls(draft)
    assert draft.remarks


def test_a_notebook_for_a_person_alone_has_the_module_that_was_named(tmp_path: Path) -> None:
    cell = {"cell_type": "markdown", "source": "Why?", "metadata": {"nbgrader": {"grade": True, "points": 2}}}
    cell["metadata"]["nbgrader"] |= {"solution": True, "grade_id": "a"}  # type: ignore[index]
    draft = read(tmp_path, json.dumps({"cells": [cell]}), "nbgrader", "a.ipynb")
    made = written(draft, tmp_path / "new" / "deep" / "spec.yaml", "a.ipynb", "nbgrader")
    assert "modules: {work: work.py}" in made.spec
    assert (tmp_path / "new" / "deep" / "spec.yaml").is_file()


def test_cells_that_share_a_kernel_are_told_to_have_processes_of_their_own(tmp_path: Path) -> None:
    text = notebook((1, "assert f(1) == 2"), (1, "try: f()\nexcept TypeError: pass\nelse: assert False"))
    draft = read(tmp_path, text, "nbgrader", "a.ipynb")
    assert len(draft.questions) == 2
    assert "a process of its own" in str(draft.remarks[-1])


@pytest.mark.parametrize(
    ("kind", "source", "title"),
    [
        ("solution", "Since 0 is no divisor.", "why not"),
        ("solution", "### BEGIN SOLUTION\nmedian = 2\n### END SOLUTION", "why not"),
        (
            "task",
            "## Draw a tree.\n=== BEGIN MARK SCHEME ===\nleaves\n=== END MARK SCHEME ===",
            "Draw a tree.",
        ),
        ("task", "=== BEGIN MARK SCHEME ===\nleaves\n=== END MARK SCHEME ===", "why not"),
    ],
)
def test_a_model_answer_of_a_notebook_is_no_title(tmp_path: Path, kind: str, source: str, title: str) -> None:
    """Students read titles, in the handout too."""
    meta = {"grade": True, "points": 2, "grade_id": "why_not", kind: True}
    cell = {"cell_type": "markdown", "source": source, "metadata": {"nbgrader": meta}}
    draft = read(tmp_path, json.dumps({"cells": [cell]}), "nbgrader", "a.ipynb")
    assert [each.title for each in draft.questions] == [title]


@pytest.mark.parametrize("name", ["-why", "(a) why", "--"])
def test_any_name_of_a_cell_becomes_an_id(tmp_path: Path, name: str) -> None:
    meta = {"grade": True, "points": 2, "grade_id": name, "solution": True}
    text = json.dumps({"cells": [{"cell_type": "markdown", "source": "x", "metadata": {"nbgrader": meta}}]})
    written(read(tmp_path, text, "nbgrader", "a.ipynb"), tmp_path / "spec.yaml", "a.ipynb", "nbgrader")


def test_beside_a_weight_tests_without_one_are_worth_nothing_on_gradescope(tmp_path: Path) -> None:
    """So says `json_test_runner` of gradescope-utils: a result without a weight has no score."""
    text = """
import unittest
from work import f
from gradescope_utils.autograder_utils.decorators import partial_credit, weight

class Tests(unittest.TestCase):
    @weight(2)
    def test_a(self):
        self.assertEqual(f(1), 2)

    def test_b(self):
        self.assertEqual(f(2), 3)

    @partial_credit(5)
    def test_c(self, set_score=None):
        set_score(5)
"""
    draft = read(tmp_path, text, "gradescope-utils")
    assert [(one.id, one.marks) for one in draft.questions] == [("a", 2)]
    assert "worth nothing on Gradescope" in str(draft.remarks[0])
    assert draft.points_left_out() == "1 test worth 5 of 7 points left out: test_c (5)"
    plain = read(
        tmp_path, text.replace("@weight(2)", "").replace("@partial_credit(5)", ""), "gradescope-utils"
    )
    assert [(one.id, one.marks) for one in plain.questions] == [("a", 1), ("b", 1)]


def test_weights_with_many_digits_add_up_or_are_left_out(tmp_path: Path) -> None:
    weights = ("1/3", "10/3", "1/30", "99999.5", "1/300")
    tests = "".join(
        f"    @weight({weight})\n    def test_{at}(self):\n        self.assertEqual(f({at}), {at})\n"
        for at, weight in enumerate(weights)
    )
    head = "import unittest\nfrom work import f\n"
    head += (
        "from gradescope_utils.autograder_utils.decorators import weight\nclass Tests(unittest.TestCase):\n"
    )
    draft = read(tmp_path, head + tests, "gradescope-utils")
    told = [str(remark).partition(": ")[2] for remark in draft.remarks]
    assert "left out: its weight has more than 17 decimal places" in told
    spec = tmp_path / "spec.yaml"
    spec.write_text(spec_text(draft, "spec"), encoding="utf-8")
    assert marks(Fraction("1.33333333333333331")) != marks(Fraction("1.3333333333333333"))
    assert load_task(spec).marks == sum(Fraction(str(each)) for each in (1 / 3, 10 / 3, 1 / 30, 99999.5))


@pytest.mark.parametrize(("points", "kept", "told"), [("[1, 0]", 1, 1), ("0", 0, 2), ("[1, 2]", 2, 0)])
def test_cases_of_otter_without_points_are_told(tmp_path: Path, points: str, kept: int, told: int) -> None:
    cases = '[{"code": ">>> f(1)\\n2"}, {"code": ">>> f(2)\\n3"}]'
    text = f'test = {{"name": "q1", "points": {points}, "suites": [{{"cases": {cases}}}]}}\n'
    draft = read(tmp_path, text, "otter", "q1.py")
    assert (len(calls(draft)), draft.converted) == (kept, kept)
    assert [str(remark).endswith("has no points") for remark in draft.remarks] == [True] * told

"""Questions of PrairieLearn: scores over conditions, code around a module, and what is left out by name."""

import ast
import json
import textwrap
from fractions import Fraction
from pathlib import Path

import pytest

from grader.authoring.written import Raw
from grader.model.errors import UsageError
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.draft import Draft, Meaning
from grader.plugins.convert.prairielearn.shares import ONE, condition, number
from grader.spec import load_task

HEAD = """\
import random
import numpy as np
from code_feedback import Feedback
from pl_helpers import name, points
from pl_unit_test import PLTestCase


class Test(PLTestCase):
    {settings}

"""


def lay(folder: Path, body: str, files: dict[str, str] | None = None, settings: str = "pass") -> Path:
    """Write a question with one test of two points, whose statements are given."""
    test = "    @points(2)\n    def test_it(self):\n" + textwrap.indent(textwrap.dedent(body), " " * 8)
    return question(folder, HEAD.format(settings=settings) + test, files)


def question(folder: Path, tests: str, files: dict[str, str] | None = None) -> Path:
    given = {
        "info.json": json.dumps({"title": "A question", "gradingMethod": "External"}),
        "server.py": "def generate(data):\n"
        '    data["params"]["names_from_user"] = [{"name": "f"}, {"name": "x"}, {"name": "y"}]\n',
        "tests/ans.py": "def f(n):\n    return n\n\n\nx = 1\ny = [1]\n",
        "tests/test.py": tests,
        **(files or {}),
    }
    for name, text in given.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(folder: Path) -> Draft:
    return read_tests(folder, "prairielearn", "work", "spec")


def reasons(draft: Draft, meaning: Meaning = Meaning.LEFT_OUT) -> str:
    return "\n".join(each.reason for each in draft.remarks if each.meaning is meaning)


def keys(draft: Draft, index: int = 0) -> dict[str, str]:
    [one] = draft.questions
    return {
        key: value.text if isinstance(value, Raw) else str(value)
        for key, value in one.cases[index].keys.items()
    }


def test_shares() -> None:
    first, second = condition(0), condition(1)
    assert first * first == first
    assert first + (ONE - first) == ONE
    assert (first + second - first * second) * first == first
    assert (number(0.1) + number(0.2)).constant == Fraction(3, 10)


CHECK = "Feedback.check_scalar('f', self.ref.f({0}), Feedback.call_user(self.st.f, {0}))"


@pytest.mark.parametrize(
    ("body", "award", "weights"),
    [
        (f"Feedback.set_score(1 if {CHECK.format(1)} else 0)", "", [None]),
        (f"Feedback.set_score({CHECK.format(1)})", "", [None]),
        (f"if {CHECK.format(1)} and {CHECK.format(2)}:\n    Feedback.set_score(1)", "", [None, None]),
        (
            f"score = 0\nif {CHECK.format(1)}:\n    score += 1\nif {CHECK.format(2)}:\n    score += 3\n"
            "Feedback.set_score(score / 4)",
            "each",
            [None, "3"],
        ),
        (
            f"score = 0\nfor n in range(3):\n    if not {CHECK.format('n')}:\n        continue\n"
            "    score += 1\n"
            "Feedback.set_score(score / 3)",
            "each",
            [None, None, None],
        ),
        (
            f"if not {CHECK.format(1)}:\n    return\nFeedback.set_score(0.5)\n"
            f"if {CHECK.format(2)}:\n    Feedback.set_score(1)",
            "groups",
            ["2", "1", "1"],
        ),
        (f"for n in [1, 2]:\n    assert {CHECK.format('n')}\nFeedback.set_score(1)", "", [None, None]),
        (
            f"right = True\nfor n in [1, 2]:\n    right = right and {CHECK.format('n')}\nif right:\n"
            "    Feedback.set_score(1)",
            "",
            [None, None],
        ),
    ],
)
def test_a_score_becomes_weights(tmp_path: Path, body: str, award: str, weights: list[str | None]) -> None:
    draft = read(lay(tmp_path / "q", body))
    [one] = draft.questions
    assert (one.marks, one.award) == (2, award), reasons(draft)
    assert [keys(draft, index).get("weight") for index in range(len(one.cases))] == weights
    written(draft, tmp_path / "spec.yaml", "q", "prairielearn")
    assert load_task(tmp_path / "spec.yaml").marks == 2


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (
            "Feedback.check_scalar('x', self.ref.f(1), self.st.f(1))",
            {
                "call": "f(1)",
                "returns": "same as reference",
                "equality": "python",
                "rel": "1e-05",
                "abs": "1e-08",
            },
        ),
        (
            "Feedback.check_scalar('x', self.ref.f(1), self.st.f(1), False, None, 0.5)",
            {"call": "f(1)", "returns": "same as reference", "equality": "python", "abs": "0.5"},
        ),
        (
            "Feedback.check_dict('x', self.ref.f(1), self.st.f(1))",
            {"call": "f(1)", "returns": "same as reference"},
        ),
        ("self.st.f(n=[1]) == {'a': 1}", {"call": "f(n=[1])", "returns": "{'a': 1}", "equality": "python"}),
        (
            "self.st.f(1) == self.ref.f(1)",
            {"call": "f(1)", "returns": "same as reference", "equality": "python"},
        ),
        (
            "len(self.st.y) == len(self.ref.y)",
            {"call": "len(y)", "returns": "same as reference", "equality": "python"},
        ),
    ],
)
def test_a_check_becomes_keys(tmp_path: Path, check: str, expected: dict[str, str]) -> None:
    assert keys(read(lay(tmp_path, f"Feedback.set_score({check})"))) == expected


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Feedback.set_score(0.5)", "it gives points for nothing"),
        ("pass", "it gives no points that can be told"),
        (f"Feedback.set_score(1 - {CHECK.format(1)})", "it gives points for nothing"),
        (f"Feedback.set_score({CHECK.format(1)} / 2)", "other than all of its points"),
        ("Feedback.set_score(self.st.f(1))", "points depend on what is known only when it runs"),
        ("Feedback.set_score(self.st.z == 1)", "`z` is not among `names_from_user`"),
        ("Feedback.set_score(self.st.f(self.st.x) == 1)", "it hands over what is known only when it runs"),
        (
            "Feedback.set_score(self.st.f(1) == self.ref.f(2))",
            "it compares `f(1)` with `f(2)` of the reference",
        ),
        ("Feedback.set_score(self.st.f(1) > 2)", "is no comparison by `==` of an answer"),
        ("Feedback.set_score(self.data['params']['n'] == self.st.x)", "drawn anew for each student"),
        ("self.st.f(1)\nFeedback.set_score(self.st.x == 1)", "a call whose answer is not looked at"),
        ("v = [1]\na = self.st.f(v)\nFeedback.set_score(self.st.f(v) == 1)", "two calls get one list"),
        ("v = [1]\na = self.st.f(v)\nFeedback.set_score(a == len(v))", "may have changed a list"),
        ("v = [1]\na = self.st.f(v)\nFeedback.set_score(a == v[0])", "may have changed a list"),
        ("v = [1]\na = self.st.f(v)\nv.append(2)\nFeedback.set_score(a == 1)", "may have changed a list"),
        ("while self.st.x:\n    pass", "stands in the test"),
        ("Feedback.set_score(Feedback.check_plot('x', self.ref.f(1), self.st.f(1)))", "what a call returns"),
        ("Feedback.set_score(Feedback.check_tuple('x', (1,), self.st.x))", "a value that the test computes"),
        ("Feedback.set_score(Feedback.check_all('x', 1, self.st.x))", "has no counterpart that is certain"),
        ("for n in range(10**9):\n    pass", "more than 200 turns"),
        ("v = list(range(10**9))\nFeedback.set_score(1)", "is not known here"),
        ("v = [1]\nfor n in range(200):\n    v = v + v\nFeedback.set_score(1)", "`v + v` is not known here"),
        ("v = [1]\nv.append(v)\nFeedback.set_score(self.st.f(v) == 1)", "it is too deep"),
        (
            f"if {CHECK.format(1)}:\n    v = [1]\nelse:\n    v = [2]\nFeedback.set_score(self.st.f(v) == 1)",
            "known",
        ),
        ("v = np.zeros((1000, 1000))\nFeedback.set_score(1)", "an array has more than 1000 items"),
        (
            "for a in range(200):\n    for b in range(200):\n        n = a * b\nFeedback.set_score(1)",
            "its loops are too long to be unrolled",
        ),
    ],
)
def test_a_test_that_is_left_out(tmp_path: Path, body: str, reason: str) -> None:
    draft = read(lay(tmp_path, body))
    assert not draft.questions
    assert reason in reasons(draft)
    assert draft.points_left_out() == "1 test worth 2 of 2 points left out: test_it (2)"


def test_two_names_of_one_list_stay_one(tmp_path: Path) -> None:
    body = "v = [1]\nw = v\nw += [2]\nFeedback.set_score(Feedback.call_user(self.st.f, v) == 1)"
    assert keys(read(lay(tmp_path / "q", body)))["call"] == "f([1, 2])"


@pytest.mark.parametrize("change", ["V += [2]", "V.append(2)", "W = V", "if V:\n    V = [2]"])
def test_a_list_that_the_top_of_the_file_may_change_is_not_known(tmp_path: Path, change: str) -> None:
    head = HEAD.format(settings="pass").replace("import random", f"V = [1]\n{change}")
    test = "    @points(2)\n    def test_it(self):\n        Feedback.set_score(self.st.f(V) == 1)\n"
    assert "`V` is not known here" in reasons(read(question(tmp_path / "q", head + test)))


@pytest.mark.parametrize("change", ["y.append(2)", "z = y", "def g():\n    y[0] = 2"])
def test_a_list_that_the_reference_may_change_is_not_known(tmp_path: Path, change: str) -> None:
    files = {"tests/ans.py": f"def f(n):\n    return n\n\n\nx = 1\ny = [1]\n{change}\n"}
    body = "Feedback.set_score(self.st.f(self.ref.y) == 1)"
    assert "f([1])" in keys(read(lay(tmp_path / "known", body)))["call"]
    assert "known only when it runs" in reasons(read(lay(tmp_path / "q", body, files)))


def test_a_drawn_value_is_the_same_each_time(tmp_path: Path) -> None:
    body = "v = random.randint(0, 10**6)\nFeedback.set_score(self.st.f(v) == self.ref.f(v))"
    first, second = read(lay(tmp_path / "a", body)), read(lay(tmp_path / "b", body))
    assert keys(first) == keys(second)
    assert "its values are drawn once" in reasons(first, Meaning.KINDER)


def test_an_array_is_handed_over_and_compared(tmp_path: Path) -> None:
    body = """
    m = np.array([[1, 2], [3, 4]])
    if Feedback.check_numpy_array_allclose("f", self.ref.f(m), self.st.f(m), atol=0):
        Feedback.set_score(1)
    """
    draft = read(lay(tmp_path / "q", body))
    [one] = draft.questions
    steps = one.cases[0].keys["scenario"]
    assert not isinstance(steps, str | Raw)
    call, _ = steps
    assert call["call"] == "f(np.array([[1, 2], [3, 4]]))"
    assert "abs" not in call
    assert draft.settings["packages"].text == "[numpy]"
    written(draft, tmp_path / "spec.yaml", "q", "prairielearn")


def test_the_shape_of_an_array_ends_all_where_it_is_wrong(tmp_path: Path) -> None:
    body = """
    Feedback.check_numpy_array_sanity("x", 1, self.st.x)
    if np.allclose(self.ref.x, self.st.x, rtol=0.1):
        Feedback.set_score(1)
    """
    draft = read(lay(tmp_path / "q", body, {"tests/ans.py": "import numpy as np\nx = np.ones(3)\n"}))
    [one] = draft.questions
    assert [case.keys["scenario"] for case in one.cases] == [
        [{"call": "len(x.shape)", "returns": Raw("1")}],
        [
            {
                "read": Raw("x"),
                "returns": Raw("same as reference"),
                "equality": Raw("python"),
                "rel": Raw("0.1"),
                "abs": Raw("1e-08"),
            }
        ],
    ]
    written(draft, tmp_path / "spec.yaml", "q", "prairielearn")


def test_what_the_server_drew_is_read_from_a_file(tmp_path: Path) -> None:
    body = "name = self.data['params']['name']\nFeedback.set_score(getattr(self.st, name)(2) == 3)"
    variant = {"params": {"name": "g", "names_from_user": [{"name": "g"}]}}
    files = {"data.json": json.dumps(variant), "tests/ans.py": "g = data['params']['name'].count\n"}
    draft = read(lay(tmp_path, body, files))
    assert keys(draft)["call"] == "g(2)"
    reference = draft.files["spec/reference/user_code.py"]
    assert isinstance(reference, bytes)
    assert ast.parse(reference.decode()).body[0].lineno == 1
    assert reference.startswith(b"data = {'params': {'name': 'g'")


def test_a_failed_check_that_ends_all_is_needed_by_the_later_ones(tmp_path: Path) -> None:
    tests = HEAD.format(settings="total_iters = 3")
    for name in ("b", "a"):
        critical = ", accuracy_critical=True" if name == "a" else ""
        tests += f"    @points(1)\n    def test_{name}(self):\n"
        tests += f"        if Feedback.check_scalar('x', self.ref.x, self.st.x{critical}):\n"
        tests += "            Feedback.set_score(1)\n\n"
    draft = read(question(tmp_path, tests))
    assert [(one.id, one.marks, one.needs) for one in draft.questions] == [("a", 3, ()), ("b", 3, ("a",))]
    assert "run once, not 3 times" in reasons(draft, Meaning.KINDER)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"tests/leading_code.py": "def f(n):\n"}, "leading_code.py is no code by itself"),
        ({"tests/setup_code.py": "k = 2\n", "tests/ans.py": "x = k\n"}, "uses `k` of the setup"),
        ({"tests/setup_code.py": "k = data['params']\n"}, "drawn anew for each student"),
        (
            {"tests/setup_code.py": "from code_feedback import Feedback\nFeedback.finish('x')\n"},
            "its setup uses `Feedback` for more",
        ),
        ({"tests/trailing_code.py": "z = lost(1)\n"}, "uses `lost`, which ans.py does not define"),
    ],
)
def test_code_that_no_module_can_stand_between(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    draft = read(lay(tmp_path, "Feedback.set_score(self.st.x == 1)", files))
    assert not draft.questions
    assert reason in reasons(draft)
    assert "worth 2 of 2 points left out" in draft.points_left_out()


@pytest.mark.parametrize("name", ["../../x.py", "/tmp/x.py", "x/y.py", "x.txt", ".py"])
def test_a_file_outside_is_not_written(tmp_path: Path, name: str) -> None:
    draft = read(
        lay(tmp_path, "Feedback.set_score(self.st.x == 1)", settings=f"student_code_file = {name!r}")
    )
    assert not draft.questions
    assert not draft.files
    assert "is no module or notebook" in reasons(draft)


def test_a_link_among_the_tests_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = lay(tmp_path / "q", "Feedback.set_score(self.st.x == 1)", {"tests/table.csv": "1\n"})
    (folder / "tests" / "stolen.csv").symlink_to(tmp_path / "secret")
    (folder / "tests" / "initial_code.py").symlink_to(tmp_path / "secret")
    assert sorted(read(folder).files) == ["spec/reference/user_code.py", "spec/table.csv"]


def test_what_students_begin_with_may_import_packages(tmp_path: Path) -> None:
    files = {"tests/initial_code.py": "import numpy as np\n\nx = # here\n"}
    draft = read(lay(tmp_path, "Feedback.set_score(self.st.x == 1)", files))
    assert draft.settings["packages"].text == "[numpy]"
    assert draft.files["spec/handout/user_code.py"] == files["tests/initial_code.py"].encode()


def test_a_notebook_has_a_notebook_as_its_reference(tmp_path: Path) -> None:
    settings = "student_code_file = 'Work-1.ipynb'"
    draft = read(lay(tmp_path / "q", "Feedback.set_score(self.st.x == 1)", settings=settings))
    content = draft.files["spec/reference/Work-1.ipynb"]
    assert isinstance(content, bytes)
    assert json.loads(content)["cells"][0]["source"].startswith("def f(n)")
    written(draft, tmp_path / "spec.yaml", "q", "prairielearn")
    assert '{Work_1: "Work-1.ipynb"}' in (tmp_path / "spec.yaml").read_text()


def test_what_is_no_question(tmp_path: Path) -> None:
    (tmp_path / "info.json").write_text("{}")
    with pytest.raises(UsageError, match="no external grading"):
        read(tmp_path)
    (tmp_path / "info.json").write_text('{"gradingMethod": "External"}')
    with pytest.raises(UsageError, match=r"no tests/test.py and tests/ans.py"):
        read(tmp_path)
    (tmp_path / "info.json").write_text("[" * 100_000)
    with pytest.raises(UsageError, match="no mapping in JSON"):
        read(tmp_path)
    question(tmp_path, "x = 1\n")
    with pytest.raises(UsageError, match="no class `Test`"):
        read(tmp_path)


def test_the_lines_of_a_setup_are_those_that_python_counts(tmp_path: Path) -> None:
    setup = "LIMIT = '\u2028'\n\x0c\nfrom code_feedback import Feedback\nRATE = 2\n"
    draft = read(
        lay(tmp_path / "q", f"Feedback.set_score({CHECK.format(1)})", {"tests/setup_code.py": setup})
    )
    before = next(str(text) for name, text in draft.files.items() if name.endswith("setup.py"))
    assert "LIMIT = " in before
    assert "code_feedback" not in before

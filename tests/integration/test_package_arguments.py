"""Arrays and other objects of a package as arguments, written in the call: `f(np.array([1, 2]))`."""

from pathlib import Path

import pytest
from support.command_line import grader
from support.marking import cases, mark, verdicts

from grader.model.errors import SpecError
from grader.sandbox.driver import Driver

pytest.importorskip("numpy")
HEAD = 'questions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: each\n    cases:\n'
NUMPY = f"\npackages: [numpy]\n{HEAD}"
# It imports the package under a name of its own.
WORK = """
import numpy as n


def total(values):
    if type(values) is not n.ndarray:
        raise TypeError(type(values).__name__)
    return int(values.sum())


def doubled(values):
    return values * 2
"""
CALLS = [
    "call: 'total(np.array([1, 2, 3]))', returns: 6",
    "call: 'total(numpy.array([[1, 2], [3, 4]]))', returns: 10",
    "call: 'total(np.arange(6).reshape(2, 3) + 1)', returns: 21",
    "call: 'total(np.zeros((2, 2), dtype=int))', returns: 0",
    "call: 'doubled(np.array([1.5, 2]))', returns: [3.0, 4.0]",
    "call: 'doubled(np.array([1, 2]))[1]', returns: 4",
    "call: 'total(doubled(np.array([1, 2])))', returns: same as reference",
    "call: 'total(np.array([start, start]))', returns: 8",
]
SCENARIO = """
      - scenario:
          - {call: 'np.array([1, 2, 3])', as: x}
          - {call: total(x), returns: 6}
          - {call: doubled(x), returns: [2, 4, 6]}
"""


def spec(*lines: str, more: str = "") -> str:
    head = NUMPY.replace("packages: [numpy]", "packages: [numpy]\nlet: {start: 4}")
    return head + "".join(f"      - {{{each}}}\n" for each in lines) + more


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_a_call_can_make_what_it_gives_by_a_package(driver: Driver, tmp_path: Path) -> None:
    result = mark(tmp_path, spec(*CALLS, more=SCENARIO), WORK, reference=WORK, driver=driver)
    assert set(verdicts(result).values()) == {"accepted"}, [each.message for each in cases(result).values()]


def test_the_student_need_not_import_the_package(tmp_path: Path) -> None:
    work = "def total(v):\n    return int(v.sum())\n\n\ndef doubled(values):\n    return values + values\n"
    result = mark(tmp_path, spec(*CALLS, more=SCENARIO), work, reference=WORK)
    assert set(verdicts(result).values()) == {"accepted"}


def test_frames_and_series_are_written_so_too(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    work = "def first(table):\n    return type(table).__name__, float(table.iloc[0].sum())\n"
    text = spec(
        'call: \'first(pd.DataFrame({"a": [1.5], "b": [2.5]}))\', returns: "(\'DataFrame\', 4.0)"',
        "call: 'first(pandas.DataFrame(np.ones((2, 2))))', returns: \"('DataFrame', 2.0)\"",
    ).replace("[numpy]", "[numpy, pandas]")
    assert set(verdicts(mark(tmp_path, text, work)).values()) == {"accepted"}


def test_a_wrong_answer_shows_the_call(tmp_path: Path) -> None:
    result = mark(tmp_path, spec(CALLS[0]), WORK.replace("values.sum()", "values.max()"))
    (case,) = cases(result).values()
    assert (case.call, case.message) == ("total(numpy.array([1, 2, 3]))", "expected 6, got 3")


def test_a_program_that_changes_the_package_gains_nothing(tmp_path: Path) -> None:
    work = f"import numpy\nnumpy.array = lambda *_, **__: numpy.zeros(1, dtype=int)\n{WORK}"
    result = mark(tmp_path, spec(CALLS[0], CALLS[6]), work, reference=WORK)
    assert set(verdicts(result).values()) == {"wrong-answer"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("call: 'np.array_equal(doubled(3), 6)', returns: true", "lets the student's own answer decide"),
        ("call: 'np.sum(doubled(np.array([1])))', returns: 2", "lets the student's own answer decide"),
        ("call: 'total(np.__builtins__)', returns: 1", "`__builtins__` can't be used in an expression"),
        ("call: 'total(pd.Series([1]))', returns: 1", "`pd` is neither"),
    ],
)
def test_what_lets_a_package_decide_is_refused(line: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=told):
        mark(tmp_path, spec(line), WORK, reference=WORK)


def test_without_the_package_it_is_a_name_of_the_students(tmp_path: Path) -> None:
    text = spec(CALLS[0]).replace("packages: [numpy]\n", "")
    assert [*verdicts(mark(tmp_path, text, "def total(v):\n    return 6\n")).values()] == ["missing"]


def test_a_handout_and_a_replay_say_the_same(tmp_path: Path) -> None:
    for place in ("reference", "in/student-01"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "work.py").write_text(WORK)
    head = "task: sample\ntitle: Sample\nmarks: 1\nreference: reference\nmodules: {work: work.py}\n"
    (tmp_path / "task.yaml").write_text(head + spec(*CALLS, more=SCENARIO))
    assert grader("mark", "task.yaml", "in", "-o", "out", "-q", cwd=tmp_path).returncode == 0
    for case in ("1.1", "1.9"):
        replayed = grader("replay", "out", "student-01", case, cwd=tmp_path)
        assert "import numpy" in replayed.stdout, replayed.stdout + replayed.stderr
        assert "The same verdict as recorded: accepted." in replayed.stdout
    done = grader("bundle", "task.yaml", "-o", "hand", cwd=tmp_path)
    assert "9 public cases" in done.stderr + done.stdout
    (tmp_path / "hand" / "work.py").write_text(WORK)
    assert grader("check", cwd=tmp_path / "hand").returncode == 0

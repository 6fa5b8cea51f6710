"""Generated cases from the spec to the result: verdicts, marks, and the input that is shown."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import grader
from support.marking import cases, mark, question, verdicts

from grader.engine.submission import marker
from grader.kinds.calls import shrinking
from grader.model.results import CaseResult

REFERENCE = """
def total(xs):
    return sum(xs)


def low(n):
    if n > 90:
        raise ValueError(n)
    return n
"""
TOTAL = '{call: total(xs), given: {xs: "lists(integers(-50, 50))"}, returns: same as reference%s}'
FORGETS = "def total(xs):\n    return sum(xs[:3])\n"


def one(folder: Path, work: str, more: str = "", case: str = TOTAL) -> CaseResult:
    """Return the result of one generated case."""
    return cases(mark(folder, question(case.replace("%s", more)), work, reference=REFERENCE))["1.1"]


def test_the_smallest_failing_input_is_looked_for(tmp_path: Path) -> None:
    result = one(tmp_path, FORGETS)
    assert str(result.verdict) == "wrong-answer"
    told = "expected 1, got 0; the smallest input found that fails;"
    assert result.message.startswith(f"total([0, 0, 0, 1]): {told}")
    assert (result.expected, result.actual, result.call) == ("1", "0", "total(xs) for 50 inputs")


def test_a_right_answer_to_each_input_is_accepted(tmp_path: Path) -> None:
    result = one(tmp_path, REFERENCE)
    assert (str(result.verdict), result.message) == ("accepted", "")


def test_what_the_search_finds_changes_no_mark(tmp_path: Path) -> None:
    result = one(tmp_path, FORGETS, ", goes on: true")
    assert str(result.verdict) == "partial"
    (failing,) = (int(word) for word in result.message.split("; ")[-1].split()[:1])
    assert result.score == Fraction(50 - failing, 50)


def test_an_exception_is_as_small_as_can_be(tmp_path: Path) -> None:
    result = one(tmp_path, "def total(xs):\n    return sum(xs) if len(xs) < 2 else xs[9] and sum(xs)\n")
    assert result.message.startswith("total([0, 0]): raised IndexError: list index out of range (line 2 of")
    assert result.raised is not None
    assert result.raised.frames[-1].source.startswith("return sum(xs)")


def test_listed_inputs_show_the_smallest(tmp_path: Path) -> None:
    case = '{call: "total([n, n])", given: [{n: 100}, {n: 7}, {n: 0}], returns: 2 * n}'
    result = one(tmp_path, "def total(xs):\n    return 0\n", case=case)
    assert result.message == "total([7, 7]): expected 14, got 0; the smallest of 2 failing inputs, of 3"


def test_checkers_and_exceptions_judge_each_input(tmp_path: Path) -> None:
    checkers = "def below(answer, most):\n    return answer < most\n"
    spec = question(
        '{call: low(n), given: {n: "integers(0, 90)"}, check: below(n + 1)}',
        '{call: low(n), given: {n: "integers(91, 99)"}, raises: {type: ValueError, message: "9"}}',
    )
    work = "def low(n):\n    if n == 95:\n        return n\n    raise ValueError(n)\n"
    result = mark(tmp_path, spec, work, reference=REFERENCE, checkers=checkers)
    found = cases(result)
    assert verdicts(result) == {"1.1": "exception", "1.2": "wrong-answer"}
    assert found["1.1"].message.startswith("low(0): raised ValueError: 0 (line 4 of work.py); the smallest")
    assert "expected ValueError to be raised, got 95; the only failing input of 9" in found["1.2"].message


def test_smaller_inputs_are_tried_before_hidden_cases_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    run, shrink = marker.SubmissionMarker._run, shrinking.with_smallest

    def ran(self: marker.SubmissionMarker, turns: object) -> None:
        order.append(f"ran {turns[0].case.id}")  # type: ignore[index]
        run(self, turns)  # type: ignore[arg-type]

    def shrunk(task: object, found: object, *rest: object) -> CaseResult:
        order.append(f"shrank {found.turn.case.id}")  # type: ignore[attr-defined]
        return shrink(task, found, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(marker.SubmissionMarker, "_run", ran)
    monkeypatch.setattr(marker, "with_smallest", shrunk)
    spec = question(TOTAL % ", visibility: hidden", TOTAL % "")
    mark(tmp_path, spec, FORGETS, reference=REFERENCE)
    assert order == ["ran 1.2", "shrank 1.2", "ran 1.1", "shrank 1.1"]


def test_the_search_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shrinking, "MOST_TRIES", 1)
    result = one(tmp_path, FORGETS)
    assert "; the smallest of " in result.message


SPEC = """\
task: sums
title: Sums
marks: 2
reference: reference
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - {call: total(xs), given: {xs: "lists(integers(-50, 50))"}, returns: same as reference}
  - id: "2"
    title: Two
    marks: 1
    visibility: hidden
    cases:
      - {call: total(xs), given: {xs: "lists(integers(700, 799))"}, returns: same as reference}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("spec.yaml", SPEC),
        ("reference/work.py", REFERENCE),
        ("batch/ada/work.py", FORGETS),
        ("batch/bob/work.py", REFERENCE),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_students_see_the_inputs_of_public_cases_alone(folder: Path) -> None:
    assert grader("mark", "spec.yaml", "batch", "-o", "out", cwd=folder).returncode == 0
    page = (folder / "out" / "students" / "ada.html").read_text()
    assert "total([0, 0, 0, 1])" in page
    assert "70" not in page.partition("<main")[2].partition("</main>")[0], "nothing of the hidden inputs"
    assert "700" in (folder / "out" / "staff" / "ada.html").read_text()


@pytest.mark.acceptance
def test_a_run_is_recorded_and_repeated(folder: Path) -> None:
    """`test_recorded_inputs_are_not_drawn_again` in `tests/unit/spec/test_given.py` has the loader's part."""
    assert grader("mark", "spec.yaml", "batch", "-o", "out", cwd=folder).returncode == 0
    (folder / "spec.yaml").unlink()
    explained = grader("explain", "out", "ada", cwd=folder)
    assert "hypothesis" in explained.stdout
    again = grader("remark", "out", cwd=folder)
    assert (again.returncode, "No mark and no verdict differs." in again.stdout) == (0, True), again.stdout
    replayed = grader("replay", "out", "ada", "1.1", cwd=folder)
    assert "The same verdict as recorded: wrong answer." in replayed.stdout


@pytest.mark.acceptance
def test_a_reference_that_raises_is_told_with_its_call(folder: Path) -> None:
    spec = folder / "spec.yaml"
    spec.write_text(
        SPEC.replace("call: total(xs)", "call: low(n)").replace("xs:", "n:").replace("lists(", "(")
    )
    done = grader("mark", "spec.yaml", "batch", "-o", "out", cwd=folder)
    assert done.returncode == 3
    assert "the reference raises in 2.1: low(7" in done.stderr
    assert not (folder / "out").exists()


def test_names_in_a_list_or_mapping_of_yaml_have_the_values_of_each_input(tmp_path: Path) -> None:
    right = "def two(n): return [n, n + 1]\ndef one(n): return {n: [n]}\n"
    right += "class Box:\n    def __init__(self, n): self.n = n\n"
    wrong = "def two(n): return [1, 2]\ndef one(n): return {1: [1]}\n"
    wrong += "class Box:\n    def __init__(self, n): self.n = 1\n"
    spec = question(
        "{call: two(n), given: [{n: 1}, {n: 2}], returns: [n, n + 1]}",
        '{call: one(n), given: {n: "integers(1, 9)"}, returns: {n: [n]}}',
        '{call: Box(n), given: {n: "integers(1, 9)"}, reads: [n], returns: {n: n}}',
    )
    for name, work, verdict in (("right", right, "accepted"), ("wrong", wrong, "wrong-answer")):
        (tmp_path / name).mkdir()
        assert {*verdicts(mark(tmp_path / name, spec, work)).values()} == {verdict}

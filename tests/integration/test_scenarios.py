"""Scenarios and printed text marked for real: steps, limits, needs, hidden cases, pages, terminal."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.model.results import RunInfo, RunResults, SandboxInfo, SubmissionResult, TaskHead
from grader.reports.html.pages import Pages
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student

TOUR = """
class Tour:
    def __init__(self, x, y):
        if x < 0:
            raise ValueError("off the board")
        self.path = [(x, y)]

    def move(self, x, y):
        self.path.append((x, y))
        return len(self.path)

    def print(self):
        print(*self.path)

    def hang(self):
        while True:
            pass

    def eat(self):
        return [0] * (1 << 40)


def drop(xs):
    xs.pop()
    raise KeyError("gone")


def show(n):
    print("n:", n)
    return n
"""
STEPS = """goes on: true
scenario:
  - {new: "Tour(1, 3)", as: tour}
  - {call: "tour.move(3, 2)", returns: 2}
  - {call: tour.print(), prints: "(1, 3) (3, 2)\\n"}
  - {call: tour.WHAT(), returns: 3}
  - {call: "tour.move(4, 4)", returns: 3}
"""


def marked(tmp_path: Path, *lines: str, work: str = TOUR, reference: str = "") -> SubmissionResult:
    items = [line.strip().replace("\n", "\n  ") for line in lines]
    return mark(tmp_path, question(*items), work, reference=reference)


@pytest.mark.parametrize(
    ("what", "verdict", "message"),
    [
        ("hang", "time-limit", "stopped after 0."),
        ("eat", "memory-limit", "raised MemoryError"),
        ("gone", "missing", "tour has no gone"),
    ],
)
def test_a_bad_step_leaves_its_share_to_the_others(
    tmp_path: Path, what: str, verdict: str, message: str
) -> None:
    steps = STEPS.replace("WHAT", what) + "limits: {time: 500ms}\n"
    case = cases(marked(tmp_path, steps))["1.1"]
    ended = what == "hang"
    assert case.message.startswith(f"step 4, tour.{what}(): {message}")
    assert [str(step.verdict) for step in case.steps] == [
        *("accepted", "accepted", "accepted", verdict, "skipped" if ended else "accepted")
    ]
    assert case.score == (2 if ended else 3) / 4
    assert case.steps[2].printed == "(1, 3) (3, 2)\n"


def test_needs_and_the_order_of_cases_hold_for_scenarios(tmp_path: Path) -> None:
    first = 'name: first\nscenario: [{new: "Tour(-1, 0)", as: tour}, {read: tour.path}]\n'
    second = 'needs: "1.first"\nscenario: [{new: "Tour(0, 0)", as: tour}]\n'
    third = 'scenario: [{new: "Tour(-1, 0)", raises: {type: ValueError, message: board}}]\n'
    assert verdicts(marked(tmp_path, first, second, third)) == {
        "1.first": "exception",
        "1.2": "skipped",
        "1.3": "accepted",
    }


def test_scenarios_do_not_see_one_another(tmp_path: Path) -> None:
    work = "made = []\n\nclass Tour:\n    def __init__(self):\n        made.append(1); self.n = len(made)\n"
    case = 'scenario: [{new: "Tour()", as: tour}, {read: tour.n, returns: 1}]\n'
    assert set(verdicts(marked(tmp_path, *[case] * 3, work=work)).values()) == {"accepted"}


def test_each_step_says_what_it_expects(tmp_path: Path) -> None:
    steps = (
        "goes on: true\nscenario:\n"
        '  - {new: "Tour(-1, 0)", raises: ValueError}\n'
        '  - {new: "Tour(1, 0)", raises: KeyError}\n'
        '  - {new: "Tour(1, 0)", as: tour}\n'
        '  - {call: "tour.move(1, 1)", returns: 2}\n'
        '  - {call: "tour.move(1, 1)"}\n'
    )
    (case,) = cases(marked(tmp_path, steps)).values()
    assert [step.expected for step in case.steps] == ["raises ValueError", "raises KeyError", "", "2", ""]


def test_arguments_must_stay_unchanged_though_the_call_raises(tmp_path: Path) -> None:
    case = 'call: "drop([1, 2])"\nraises: KeyError\nunchanged: true\n'
    result = cases(marked(tmp_path, case, case.replace("unchanged: true\n", "")))
    assert result["1.1"].message.startswith("argument 1 was changed: length")
    assert [str(case.verdict) for case in result.values()] == ["wrong-answer", "accepted"]


def test_what_is_printed_is_taken_in_where_a_case_asks_for_it(tmp_path: Path) -> None:
    """The cases that ask for what is printed, and those that do not, take turns."""
    work = "def show(n):\n    print('n:', n)\n    return n\n"
    asking = 'call: show(3)\nprints: "n: 3\\n"\nreturns: 3\n'
    silent = "call: show(4)\nreturns: 4\n"
    by_reference = "call: show(5)\nprints: same as reference\n"
    result = cases(marked(tmp_path, asking, silent, by_reference, asking, work=work, reference=work))
    assert {str(case.verdict) for case in result.values()} == {"accepted"}
    assert [case.stdout for case in result.values()] == ["", "n: 4\n", "", ""]
    assert [case.printed for case in result.values()] == ["n: 3\n", "", "n: 5\n", "n: 3\n"]


def test_a_reference_that_fails_in_a_step_is_our_own_fault(tmp_path: Path) -> None:
    case = 'scenario: [{new: "Tour(1, 1)", as: t}, {call: t.hang(), returns: same as reference}]\n'
    work = TOUR.replace("while True:\n            pass", "return 1")
    result = marked(tmp_path, case + "limits: {time: 300ms}\n", work=work, reference=TOUR)
    assert verdicts(result) == {"1.1": "internal-error"}
    assert result.status == "pending"


def test_the_same_evidence_is_judged_alike(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    steps = STEPS.replace("WHAT", "gone")
    one, two = marked(tmp_path / "one", steps), marked(tmp_path / "two", steps)
    assert cases(one)["1.1"].steps == cases(two)["1.1"].steps


# -- what is shown ---------------------------------------------------------------------------------

PRINTING = (
    'scenario: [{new: "Tour(1, 3)", as: tour}, {call: tour.print(), prints: "(1, 3)"}, {read: tour.path}]\n'
)
RUN = RunInfo(id="r", grader="0", spec_sha256="", seed=0, python="3", sandbox=SandboxInfo("namespaces"))


def document_of(tmp_path: Path, *lines: str) -> tuple[RunResults, SubmissionResult]:
    result = marked(tmp_path, *lines)
    return RunResults(RUN, TaskHead("sample", "Sample", result.max_mark), [result]), result


def test_the_page_shows_the_steps_and_both_texts(tmp_path: Path) -> None:
    document, result = document_of(tmp_path, PRINTING)
    page = Pages(document.run, document.task).student(result)
    steps = re.findall(r"<code>(.*?)</code>(?:<p class=\"small\">(.*?)</p>)?</li>", page)
    assert [text for text, _ in steps] == ["tour = Tour(1, 3)", "tour.print()", "tour.path"]
    assert "step 2, tour.print(): printed text, line 1, column 7: expected (1,·3), got (1,·3)↵" in page
    assert steps[1][1] == ""
    assert steps[2][1] == "not judged: step 2 failed"
    assert "<dt>To be printed</dt>" in page
    assert "<dt>Printed</dt>" in page


def test_the_terminal_shows_the_steps(tmp_path: Path) -> None:
    document, result = document_of(tmp_path, PRINTING)
    text = to_text(check_lines(document.task, result))
    assert "step 2, tour.print(): printed text, line 1, column 7" in text
    assert re.search(r"steps +\+ tour = Tour\(1, 3\)\n +- tour.print\(\)\n", text)
    assert "differs" not in text, "the sentence says it already"


def test_hidden_scenarios_show_nothing_but_their_verdict(tmp_path: Path) -> None:
    hidden = PRINTING + "visibility: hidden\n"
    document, result = document_of(tmp_path, hidden)
    result = replace(result, sources=())  # they are the student's own, and name what the student made
    page = Pages(document.run, document.task).student(result)
    terminal = to_text(check_lines(document.task, result))
    (case,) = for_student(result).questions[0].cases
    assert (case.steps, case.printed, case.expected_print) == ((), "", "")
    for output in (page, terminal, str(case)):
        assert "Tour" not in output
        assert "(1, 3)" not in output
    staff = Pages(document.run, document.task).staff(result)
    assert "tour.print()" in staff


TOGETHER = """scenario:
  - {new: "Tour(1, 3)", as: tour}
  - {call: "tour.move(3, 2)", as: first, returns: 2}
  - {call: "tour.move(4, 4)", as: second}
  - {call: "show(second)", returns: same as reference}
check: apart(second, other=first, by=1)
"""
APART = """
def apart(one, other, by):
    return one - other == by or (0.5, f"{one} and {other} are not {by} apart")
"""


@pytest.mark.parametrize(
    ("moved", "verdict", "message"),
    [
        ("len(self.path)", "accepted", ""),
        ("2 if len(self.path) == 2 else 7", "partial", "7 and 2 are not 1 apart"),
        ("3", "wrong-answer", "step 2, first = tour.move(3, 2): expected 2, got 3"),
        ("len(self.path) if len(self.path) == 2 else self", "wrong-answer", "not plain data"),
    ],
)
def test_answers_are_kept_compared_and_checked_together(
    tmp_path: Path, moved: str, verdict: str, message: str
) -> None:
    reference = TOUR.replace("    return n", "    return 3")
    items = [TOGETHER.strip().replace("\n", "\n  ")]
    work = reference.replace("len(self.path)", moved)
    result = mark(tmp_path, question(*items), work, reference=reference, checkers=APART)
    found = cases(result)["1.1"]
    assert found.verdict == verdict, found.message
    assert message in found.message
    assert len(found.steps) == 4

"""Programs and their dialogues in the results file, on the pages and in the terminal."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from support.results_sample import as_json, case, question, results, submissions

from grader.model.case import Visibility
from grader.model.results import CaseResult, Difference, GivenText, SubmissionResult, TurnResult
from grader.model.verdict import Verdict
from grader.reports.html.pages import Pages
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student
from grader.store import results_json as store

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e"
TURNS = (
    TurnResult(number=1, said="Size? ", answered="5"),
    TurnResult(number=120, said=f"Start {HOSTILE}? ", answered="a0 <b>"),
    TurnResult(number=121, said="Where? ", answered=None, wrong=True),
    TurnResult(number=122, said="bye\n", ended=True),
)
GIVEN = (GivenText("stdin", f"5\n{HOSTILE}\n"), GivenText("data/board.txt", "1 0\n"))


def program_case(**fields: object) -> CaseResult:
    difference = Difference("turn 121, line 1, column 1", "Start?·", "Where?·")
    settled: dict[str, object] = {
        "message": "turn 121, line 1, column 1: expected Start?·, got Where?·",
        "difference": difference,
        "expected_print": "Start? ",
        "stdout": "Size? Start? Where? ",
        "given": GIVEN,
        "dialogue": TURNS,
    }
    return case("2.1", "python main.py --fast", Verdict.WRONG_ANSWER, **(settled | fields))


def told(*cases: CaseResult) -> SubmissionResult:
    return replace(submissions()[0], questions=(question("2", 0, *cases),))


def page(shown: SubmissionResult, *, staff: bool = False) -> str:
    whole = results()
    pages = Pages(whole.run, whole.task)
    return pages.staff(shown) if staff else pages.student(shown)


def terminal(shown: SubmissionResult) -> str:
    return to_text(check_lines(results().task, shown))


def test_the_results_file_keeps_to_its_schema() -> None:
    schema = json.loads((Path(store.__file__).parent / "grader-results-1.schema.json").read_text())
    shown = told(program_case())
    jsonschema.validate(as_json(replace(results(), submissions=[shown])), schema)
    (found,) = as_json(shown)["questions"][0]["cases"]
    assert found["given"][1] == {"name": "data/board.txt", "text": "1 0\n"}
    assert found["dialogue"][2] == {
        "number": 121,
        "said": "Where? ",
        "answered": None,
        "ended": False,
        "wrong": True,
    }


def test_other_cases_have_nothing_of_it() -> None:
    (found,) = as_json(told(case("2.1", "f(3)")))["questions"][0]["cases"]
    assert not {"given", "dialogue"} & set(found)


def test_the_page_shows_the_dialogue_and_marks_the_wrong_turn() -> None:
    text = page(told(program_case()))
    assert '<li class="bad"><span class="soft small">121</span>' in text
    assert text.count("not as expected") == 1
    assert "<kbd>5</kbd>" in text
    assert "(the input ends)" in text
    assert "(the program ends)" in text
    assert "118 turns left out" in text
    assert "File data/board.txt" in text
    # The dialogue has all of what was printed.
    assert ">Printed<" not in text


def test_nothing_hostile_reaches_the_page_or_the_terminal() -> None:
    shown = told(program_case())
    text = page(shown)
    assert "<script>alert" not in text
    assert "a0 &lt;b&gt;" in text
    for medium in (text, terminal(shown)):
        assert "\x1b" not in medium
        assert "\u202e" not in medium
        assert "\\x1b[2J\\u202e" in medium


def test_the_terminal_shows_the_dialogue() -> None:
    text = terminal(told(program_case()))
    assert "| Size?\n            > 5\n" in text
    assert "> (the input ends)  not as expected\n" in text
    assert text.index("> 5") < text.index("| Where?") < text.index("| bye")


def test_the_terminal_shows_the_end_of_a_long_dialogue() -> None:
    turns = tuple(TurnResult(number=number, said=f"{number}? ", answered="x") for number in range(1, 101))
    text = terminal(told(program_case(dialogue=turns)))
    assert "(from turn 93 on)" in text
    assert "| 92?" not in text
    assert "| 93?" in text


@pytest.mark.parametrize("visibility", [Visibility.HIDDEN, Visibility.AFTER_DUE])
def test_a_hidden_dialogue_stays_hidden(visibility: Visibility) -> None:
    shown = told(program_case(visibility=visibility))
    text = page(shown) + terminal(shown) + repr(for_student(shown))
    for secret in ("Size?", "Where?", "board.txt", "--fast", "Start?"):
        assert secret not in text
    assert "Where?" in page(shown, staff=True)


def test_released_dialogues_are_shown() -> None:
    shown = for_student(told(program_case(visibility=Visibility.AFTER_DUE)), released=True)
    assert shown.questions[0].cases[0].dialogue[0].said == "Size? "

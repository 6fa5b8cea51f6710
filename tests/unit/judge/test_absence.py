"""What is said about a name that a module lacks, and about an import that fails."""

import pytest

from grader.judge.absent import with_what_is_there
from grader.judge.messages import ending_message
from grader.model.case import Call, Calls, Case, Step
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.results import Frame, Raised

CASE = Case(id="1.1", text="is_leap(4)", what=Calls(steps=(Step(Call("is_leap", (4,))),)))


def said(*present: str) -> str:
    outcome = Outcome(ending=Ending.MISSING, detail="is_leap", present=present)
    return ending_message(CASE, outcome).removeprefix("the module has no function is_leap")


@pytest.mark.parametrize(
    ("present", "words"),
    [
        ((), ""),
        (("leap:",), ": leap.py is empty"),
        (("days", "isLeap"), "; there is isLeap: did you mean that?"),
        (("days", "is_laep"), "; there is is_laep: did you mean that?"),
        (("days",), ""),
        (
            ("Year", "Year.is_leap"),
            ": it is a method of the class Year there, and the task asks for a function",
        ),
        (("is_leap: int",), ": is_leap is an int there, which can't be called"),
    ],
)
def test_what_is_there_instead_is_told(present: tuple[str, ...], words: str) -> None:
    assert said(*present) == words


@pytest.mark.parametrize(
    "claimed",
    [
        "<b>isLeap</b>",
        "is leap",
        "is_leap: full marks",
        "full marks:",
        "is_leap" * 40,
        "Full marks.is_leap",
        "",
    ],
)
def test_what_is_no_name_is_not_repeated(claimed: str) -> None:
    assert said(claimed) == ""


def failed(type_name: str, message: str, line: int = 3) -> Outcome:
    raised = Raised(type_name, message, (Frame("leap.py", line, "<module>"),))
    answers = (RaisedAnswer(raised, (type_name, "Exception")),)
    return Outcome(ending=Ending.LOAD_FAILED, raised=raised, answers=answers)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (
            failed("EOFError", "EOF when reading a line", 8),
            "your program asks for input while it is imported (line 8 of leap.py): put that part under "
            "`if __name__ == '__main__':`",
        ),
        (
            failed("SystemExit", "None"),
            "your program ends itself while it is imported (line 3 of leap.py): put that part under "
            "`if __name__ == '__main__':`",
        ),
        (failed("ValueError", "no"), "importing the module raised ValueError: no (line 3 of leap.py)"),
    ],
)
def test_an_import_that_fails_says_what_to_do(outcome: Outcome, words: str) -> None:
    assert ending_message(CASE, outcome) == words


@pytest.mark.parametrize(
    ("packages", "allowed"), [((), "the standard library"), (("numpy",), "numpy, the standard library")]
)
def test_a_missing_package_names_those_that_are_allowed(packages: tuple[str, ...], allowed: str) -> None:
    outcome = failed("ModuleNotFoundError", "No module named 'pandas.core'")
    outcome = with_what_is_there(outcome, packages, ())
    assert ending_message(CASE, outcome).endswith(f". This task allows {allowed} and your own files only")


def test_a_part_of_the_standard_library_is_no_package() -> None:
    outcome = failed("ModuleNotFoundError", "No module named 'tkinter'")
    assert with_what_is_there(outcome, (), ()) is outcome

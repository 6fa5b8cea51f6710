"""Results in the terminal."""

import io
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from support.results_sample import RUN, TASK, results, submissions

from grader.model.results import RunResults, TaskHead
from grader.model.verdict import Verdict
from grader.reports.terminal.cohort import summary_lines
from grader.reports.terminal.lines import StyledText, cells, fit, line, shows_colours, to_text, write_lines
from grader.reports.terminal.student import check_lines
from grader.reports.tone import Tone


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def check(index: int) -> str:
    found = results()
    return to_text(check_lines(found.task, list(found.submissions)[index]))


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_summary_keeps_to_the_width(width: int) -> None:
    lines = to_text(summary_lines(results(), width)).splitlines()
    table = lines[next(index for index, text in enumerate(lines) if text.startswith("student ")) :]
    assert len(table) >= 7
    assert max(cells(text) for text in table[:7]) <= width


def test_the_summary_has_warnings_first() -> None:
    text = to_text(summary_lines(results()))
    assert text.index("! 1 mark is pending: case 3.1") < text.index("! 2 guarantees") < text.index("Anna")


def test_a_narrow_summary_leaves_the_questions_out() -> None:
    assert "+ all of the mark" not in to_text(summary_lines(results(), 30))


def test_the_summary_of_nobody() -> None:
    text = to_text(summary_lines(RunResults(RUN, TASK, [])))
    assert "0 submissions" in text
    assert "No final marks yet." in text


def test_a_student_sees_the_call_at_the_margin() -> None:
    assert "\nlegal_moves(8, [], (2, 2))\n" in check(1)


def test_the_differing_characters_are_pointed_at() -> None:
    lines = check(1).splitlines()
    answer = next(index for index, text in enumerate(lines) if text == "  answer    303")
    assert lines[answer + 1] == " " * 14 + "^"


def test_hidden_cases_are_counted_and_not_told() -> None:
    text = check(1)
    assert "wrong answer (1 hidden)" in text
    assert "524486" not in text
    assert "count_tours(6" not in text


def test_a_cause_is_told_once() -> None:
    assert check(4).count("expected ':'") == 1
    assert check(4).count("The same in 2 other cases: ") == 1


def test_a_module_that_does_not_load_is_told_once_for_all_cases() -> None:
    """It was told in three lines for each of them."""
    found = results()
    whole = list(found.submissions)[4]
    question = next(one for one in whole.questions if one.cases[0].verdict is Verdict.LOAD_ERROR)
    cases = tuple(replace(question.cases[0], id=f"1.{number}") for number in range(1, 26))
    lines = to_text(check_lines(found.task, replace(whole, questions=(replace(question, cases=cases),))))
    assert "  The same in 24 other cases: 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, …\n" in lines
    assert len(lines.splitlines()) < 20


def test_long_output_and_values_are_cut() -> None:
    text = check(2)
    assert "(there is more)" in text
    assert "characters left out" in text
    assert len(text) < 6000


def test_frames_that_repeat_are_counted() -> None:
    assert "in search (20 times)" in check(2)


def test_a_pipe_gets_no_colour() -> None:
    stream = io.StringIO()
    write_lines(summary_lines(results()), stream)
    assert "\x1b" not in stream.getvalue()
    assert stream.getvalue() == to_text(summary_lines(results()))


def test_a_terminal_gets_colour_and_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    write_lines([line("a [bold]b[/bold] ", StyledText("red", Tone.BAD, strong=True))], stream)
    assert stream.getvalue() == "a [bold]b[/bold] \x1b[31m\x1b[1mred\x1b[0m\n"


def test_no_colour_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    write_lines([line(StyledText("red", Tone.BAD))], stream)
    assert stream.getvalue() == "red\n"


def test_a_poor_encoding_gets_escapes() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    write_lines([line("Zoë …")], stream)
    stream.flush()
    assert raw.getvalue() == b"Zo\\xeb \\u2026\n"


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [
        ("abc", 5, "abc  "),
        ("abcdef", 4, "abc…"),
        ("李小龍", 6, "李小龍"),
        ("李小龍", 5, "李小…"),
        ("李小龍", 4, "李… "),
    ],
)
def test_fitting_counts_columns(text: str, width: int, fitted: str) -> None:
    assert fit(text, width) == fitted
    assert cells(fitted) == width


def test_a_task_of_many_questions_keeps_to_the_width() -> None:
    head = TaskHead(id="t", title="T", max_mark=Fraction(8))
    one = submissions()[0]
    text = to_text(summary_lines(RunResults(RUN, head, [one]), 80))
    assert all(cells(row) <= 80 for row in text.splitlines())


def test_a_student_does_not_wait_for_what_pages_need() -> None:
    program = "import sys, grader.reports.terminal.student; print({'jinja2', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_names_that_only_repeat_the_ids_get_no_column() -> None:
    nameless = [replace(submission, name=submission.id) for submission in submissions()]
    lines = to_text(summary_lines(RunResults(RUN, TASK, nameless))).splitlines()
    assert next(text for text in lines if text.startswith("student ")).split()[:2] == ["student", "mark"]


def test_questions_that_do_not_fit_are_told() -> None:
    (one, *_) = submissions()
    questions = tuple(replace(one.questions[0], id=f"a-question-with-words-{n}") for n in range(4))
    wide = RunResults(RUN, TASK, [replace(one, questions=questions)])
    text = to_text(summary_lines(wide, 80))
    assert "4 questions do not fit in 80 columns; the pages have them.\n" in text
    assert "a-question-with-words-1" not in text
    assert "do not fit" not in to_text(summary_lines(wide, 160))


def test_a_narrow_check_puts_the_verdict_below_the_title() -> None:
    found = results()
    lines = to_text(check_lines(found.task, list(found.submissions)[1], 40)).splitlines()
    table = [row for row in lines if row.lstrip().endswith(("of 3", "of 2", "of 1"))]
    assert table
    assert max(map(cells, table)) <= 40


@pytest.mark.parametrize(
    ("environment", "platform", "shows"),
    [
        ({"TERM": "xterm"}, "linux", True),
        ({}, "darwin", True),
        ({"TERM": "dumb"}, "darwin", False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "linux", False),
        # A console of Windows prints the codes, if nothing takes them out.
        ({}, "win32", False),
        ({"WT_SESSION": "1"}, "win32", True),
        ({"TERM": "xterm"}, "win32", True),
        ({"TERM": "dumb", "WT_SESSION": "1"}, "win32", False),
    ],
)
def test_colours_are_for_terminals_that_show_them(environment, platform, shows) -> None:
    assert shows_colours(environment, platform) is shows

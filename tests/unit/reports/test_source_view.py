"""The student's source on a page: lines at fault open and linked, the rest folded, hidden cases silent."""

from dataclasses import replace
from fractions import Fraction

from support.results_sample import case, question

from grader.model.case import Visibility
from grader.model.results import (
    CaseResult,
    Frame,
    Raised,
    RuleEffect,
    RuleFinding,
    RuleResult,
    SourceText,
    Status,
    SubmissionResult,
)
from grader.model.verdict import Verdict
from grader.reports.views.audience import for_student
from grader.reports.views.case.source import LINES_MAX, NoteView, SourceView
from grader.reports.views.case.steps import FrameView, RaisedView
from grader.reports.views.submission.submission import SubmissionView, submission_view

TEXT = "\n".join(f"line{number}()" for number in range(1, 41)) + "\n"


def failing(case_id: str, line: int, message: str = "no", **fields: object) -> CaseResult:
    frames = (Frame("k.py", 2, "f", "line2()"), Frame("k.py", line, "g", f"line{line}()"))
    return case(case_id, "f()", Verdict.EXCEPTION, raised=Raised("ValueError", message, frames), **fields)


def submission(*cases: CaseResult, text: str = TEXT, rules: tuple[RuleResult, ...] = ()) -> SubmissionResult:
    return SubmissionResult(
        id="s",
        name="S",
        mark=Fraction(0),
        max_mark=Fraction(1),
        status=Status.MARKED,
        questions=(question("1", 0, *cases),),
        rules=rules,
        sources=(SourceText("k", "K.py", text),),
    )


def view(result: SubmissionResult) -> SubmissionView:
    return submission_view(for_student(result))


def source(result: SubmissionResult) -> SourceView:
    (only,) = view(result).sources
    return only


def shape(found: SourceView) -> list[tuple[bool, int, int]]:
    return [(bool(lines), first, last) for first, last, lines, _ in found.stretches]


def marks(found: SourceView) -> dict[int, list[tuple[str, str]]]:
    """Return the notes of each line: ids and a count, and the text."""
    lines = (line for stretch in found.stretches for line in stretch.lines)
    return {line.number: [(ids(note), note.text) for note in line.notes] for line in lines if line.notes}


def ids(note: NoteView) -> str:
    return " ".join([*note.cases, *([f"+{note.more}"] if note.more else [])])


def test_lines_at_fault_are_open_with_context_and_the_rest_is_folded() -> None:
    found = source(submission(failing("1.1", 20), failing("1.2", 20), failing("1.3", 20, "other")))
    assert shape(found) == [(True, 1, 5), (False, 6, 16), (True, 17, 23), (False, 24, 40)]
    assert marks(found) == {20: [("1.1 1.2", "ValueError: no"), ("1.3", "ValueError: other")]}
    assert (found.file, found.length, found.faults, found.left_out) == ("K.py", "40 lines", 1, "")


def test_a_file_without_faults_is_folded_whole() -> None:
    assert shape(source(submission(case("1.1", "f()")))) == [(False, 1, 40)]


def test_a_short_gap_is_not_folded() -> None:
    assert shape(source(submission(failing("1.1", 10)))) == [(True, 1, 13), (False, 14, 40)]


def test_an_expected_exception_is_no_fault() -> None:
    right = replace(failing("1.1", 20), verdict=Verdict.ACCEPTED)
    assert marks(source(submission(right))) == {}


def test_where_it_hung_and_where_rules_are_broken_is_marked_too() -> None:
    hung = case("1.1", "f()", Verdict.TIME_LIMIT, stopped_at=Frame("k.py", 9, "", "line9()"))
    found = RuleFinding("K.py", 30, "no loops", "line30()")
    of_case = case("1.2", "no loops", Verdict.RULE_BROKEN, findings=(found,))
    of_task = RuleResult(rule="r", effect=RuleEffect.TOLD, findings=(replace(found, message="no recursion"),))
    assert marks(source(submission(hung, of_case, rules=(of_task,)))) == {
        9: [("1.1", "time limit")],
        30: [("1.2", "no loops"), ("", "no recursion")],
    }


def test_many_cases_of_one_fault_are_counted() -> None:
    cases = [failing(f"1.{number}", 20) for number in range(1, 12)]
    assert marks(source(submission(*cases))) == {20: [("1.1 1.2 1.3 +8", "ValueError: no")]}


def test_a_case_links_to_its_lines() -> None:
    (shown,) = view(submission(failing("1.1", 20))).questions[0].cases
    raised = next(fact.content for fact in shown.facts if fact.kind == "raised")
    assert isinstance(raised, RaisedView)
    assert [frame.anchor for frame in raised.frames] == ["file-1-line-2", "file-1-line-20"]
    anchors = {
        line.anchor for part in source(submission(failing("1.1", 20))).stretches for line in part.lines
    }
    assert {"file-1-line-2", "file-1-line-20"} <= anchors


def test_a_hidden_case_marks_no_line_for_its_student_and_does_for_the_staff() -> None:
    result = submission(failing("1.1", 20, visibility=Visibility.HIDDEN), case("1.2", "f()"))
    assert shape(source(result)) == [(False, 1, 40)]
    (for_staff,) = submission_view(result, staff=True).sources
    assert 20 in marks(for_staff)


def test_a_frame_that_names_another_text_is_not_believed() -> None:
    frames = (
        Frame("k.py", 20, "g", "something else"),
        Frame("other.py", 3, "g", "line3()"),
        Frame("k.py", 5, "g"),
    )
    forged = [
        case(f"1.{number}", "f()", Verdict.EXCEPTION, raised=Raised("E", "", (frame,)))
        for number, frame in enumerate(frames)
    ]
    assert marks(source(submission(*forged))) == {}
    shown = view(submission(*forged)).questions[0].cases[0]
    raised = next(fact.content for fact in shown.facts if fact.kind == "raised")
    assert isinstance(raised, RaisedView)
    assert raised.frames == (FrameView("k.py, line 20, in g", "something else", 1, ""),)


def test_of_long_files_and_lines_a_part_is_shown() -> None:
    long = source(submission(text="x" * 100_000 + "\n" + "y\n" * 2 * LINES_MAX))
    ((first, last, _, text),) = long.stretches
    assert (first, last, text.count("\n") + 1) == (1, LINES_MAX, LINES_MAX)
    assert len(text) < 2 * LINES_MAX + 500
    assert "x … 99,600 characters left out … x" in text
    assert long.left_out == "5,001 more lines left out here."
    cut = replace(submission(), sources=(SourceText("k", "k.py", "x\n", 70_000),))
    assert source(cut).left_out == "68.4 KiB left out here."

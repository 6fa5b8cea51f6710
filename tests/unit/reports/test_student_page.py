"""A student's page says where to begin, tells each cause once, and adds up in view."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from support.results_sample import RUN, TASK, case, question, results

from grader.model.case import Visibility
from grader.model.errors import UsageError
from grader.model.results import (
    Cap,
    CaseResult,
    Frame,
    GroupResult,
    Override,
    Penalty,
    QuestionResult,
    Raised,
    RunResults,
    Status,
    SubmissionResult,
)
from grader.model.task import Award, Question, Task
from grader.model.verdict import Verdict
from grader.records.reviews.reading import parse_reviews
from grader.reports.html.pages import Neighbours, Pages
from grader.reports.render import render_all
from grader.reports.views.audience import for_student
from grader.reports.views.mark.mark_breakdown import account_view
from grader.reports.views.submission.override_snippet import override_snippet
from grader.reports.views.submission.submission import SubmissionView, submission_view
from grader.reports.written_pages import page_link, page_path

WRONG = Verdict.WRONG_ANSWER
HIDDEN = Visibility.HIDDEN


def student(*questions: QuestionResult, mark: Fraction | int = 0, **fields: object) -> SubmissionResult:
    plain = SubmissionResult(
        id="ada", name="Ada", mark=Fraction(mark), max_mark=TASK.max_mark, status=Status.MARKED,
        questions=questions,
    )  # fmt: skip
    return replace(plain, **fields)  # type: ignore[arg-type]


def shown(submission: SubmissionResult) -> SubmissionView:
    return submission_view(for_student(submission))


def page(submission: SubmissionResult, *, staff: bool = False) -> str:
    pages = Pages(RUN, TASK)
    return pages.staff(submission) if staff else pages.student(submission)


def wrong(name: str, expected: str, got: str, **fields: object) -> CaseResult:
    message = f"expected {expected}, got {got}"
    return case(name, f"f({name})", WRONG, message=message, expected=expected, actual=got, **fields)


def raising(name: str, line: int = 5, verdict: Verdict = Verdict.EXCEPTION) -> CaseResult:
    raised = Raised("NameError", "name 'x' is not defined", (Frame("leap.py", line, "f", "return x + 1"),))
    return case(name, f"f({name})", verdict, message=f"raised NameError {name}", raised=raised)


RIGHT = question("1", 1, case("1.1", "f(1)"))
FAILED = question("2", 0, wrong("2.1", "3", "1"))


# -- where to begin ----------------------------------------------------------------------------------


def test_the_box_counts_the_questions_and_names_the_first_fault() -> None:
    start = shown(student(RIGHT, FAILED, mark=1)).start
    assert start is not None
    assert start.lead == "1 of 2 questions loses marks."
    assert (start.anchor, start.label, start.text) == ("c-2.1", "2.1", "expected 3, got 1")


def test_the_link_leads_to_a_case_that_stands_open() -> None:
    skipped = case(
        "2.1", "f(2)", Verdict.SKIPPED, message="skipped: it needs case 2.2, which was not accepted"
    )
    found = page(student(question("2", 0, skipped, wrong("2.2", "3", "1")), RIGHT, mark=1))
    assert '<a href="#c-2.2">2.2</a>: expected 3, got 1' in found
    assert re.search('<li id="c-2.2"><details class="case bad" open>', found)


def test_a_question_of_which_only_hidden_cases_fail_is_named_as_a_whole() -> None:
    start = shown(student(question("2", 0, case("2.1", "secret(1)", WRONG, visibility=HIDDEN)))).start
    assert start is not None
    assert (start.anchor, start.label, start.text) == ("q1", "question 2", "only hidden cases fail")


def test_full_marks_need_no_beginning() -> None:
    start = shown(student(RIGHT, mark=8)).start
    assert start is not None
    assert (start.lead, start.anchor) == ("Every question has its full mark.", "")


def test_marks_that_a_penalty_took_are_found_in_the_arithmetic() -> None:
    late = Penalty("handed in 1 hour late", Fraction(1))
    start = shown(student(RIGHT, mark=0, penalties=(late,))).start
    assert start is not None
    assert (start.lead, start.anchor) == ("No question loses marks.", "account")
    assert 'id="account"' in page(student(RIGHT, mark=0, penalties=(late,)))


def test_nothing_handed_in_has_no_box() -> None:
    assert submission_view(list(results().submissions)[5]).start is None


def test_a_bonus_that_was_not_earned_loses_no_marks() -> None:
    bonus = replace(FAILED, bonus=True)
    start = shown(student(RIGHT, bonus, mark=8)).start
    assert start is not None
    assert start.lead == "Every question has its full mark."


# -- failed questions first, right ones one line -----------------------------------------------------


def test_questions_that_lose_marks_come_first_and_right_ones_are_closed() -> None:
    found = page(student(RIGHT, FAILED, mark=1))
    assert found.index('<h2 id="q2">') < found.index('<h2 id="q1">')
    assert '<details class="question line good">' in found
    assert found.count('<section class="question"') == 1


def test_hidden_accepted_cases_are_one_row() -> None:
    hidden = [case(f"2.{number}", f"secret({number})", visibility=HIDDEN) for number in range(2, 7)]
    (view,) = shown(student(question("2", 0, wrong("2.1", "3", "1"), *hidden))).questions
    assert [part.more for part in view.parts if part.more] == ["5 hidden cases accepted"]
    assert view.parts[-1].ids == "2.2, 2.3, 2.4, 2.5, 2.6"
    assert "secret" not in page(student(question("2", 0, *hidden, wrong("2.1", "3", "1"))))


def test_hidden_failed_cases_are_one_row_too() -> None:
    hidden = [
        case("2.1", "secret(1)", WRONG, visibility=HIDDEN),
        case("2.2", "secret(2)", Verdict.SKIPPED, visibility=HIDDEN),
        case("2.3", "secret(3)", WRONG, visibility=HIDDEN),
    ]
    (view,) = shown(student(question("2", 0, *hidden))).questions
    assert [part.more for part in view.parts] == ["3 hidden cases: 2 wrong answer, 1 skipped"]


# -- the same cause once -----------------------------------------------------------------------------


def test_one_line_that_raises_is_told_once_for_all_cases() -> None:
    cases = [raising(f"2.{number}") for number in range(1, 12)]
    (view,) = shown(student(question("2", 0, *cases))).questions
    (part,) = view.parts
    assert part.title == "11 cases: NameError in line 5 of leap.py"
    assert ([one.id for one in part.shown], part.opens) == (["2.1"], True)
    assert (part.more, len(part.rest)) == ("10 more cases of this kind", 10)


def test_two_lines_that_raise_are_two_causes() -> None:
    (view,) = shown(student(question("2", 0, raising("2.1", 5), raising("2.2", 6)))).questions
    assert [part.shown[0].id for part in view.parts if part.opens] == ["2.1", "2.2"]


def test_a_cause_of_an_earlier_question_is_not_explained_again() -> None:
    questions = [
        question(str(number), 0, raising(f"{number}.1"), raising(f"{number}.2")) for number in (2, 3)
    ]
    first, second = shown(student(*questions)).questions
    assert [part.opens for part in first.parts] == [True]
    assert [(part.opens, part.more) for part in second.parts] == [
        (False, "2 cases: NameError in line 5 of leap.py")
    ]


def test_answers_that_differ_in_numbers_alone_are_of_one_kind_within_a_question() -> None:
    failed = [wrong("2.1", "3", "1"), wrong("2.2", "7", "-2"), wrong("2.3", "[3]", "1")]
    (view,) = shown(student(question("2", 0, *failed))).questions
    assert [[one.id for one in part.shown] for part in view.parts] == [["2.1", "2.2"], ["2.3"]]
    assert [part.title for part in view.parts] == ["", ""]


def test_an_answer_that_is_none_each_time_is_one_cause() -> None:
    failed = [wrong("2.1", "3", "None"), wrong("2.2", "[(1, 2)]", "None")]
    (view,) = shown(student(question("2", 0, *failed))).questions
    assert [part.title for part in view.parts] == ["2 cases: the answer is None"]


def test_at_most_three_causes_of_a_question_stand_open() -> None:
    (view,) = shown(student(question("2", 0, *(raising(f"2.{n}", n) for n in range(1, 7))))).questions
    assert [part.opens for part in view.parts] == [True] * 3 + [False] * 3


def test_every_case_that_is_not_hidden_is_on_the_page_once() -> None:
    for submission in results().submissions:
        found = page(submission)
        for one in submission.questions:
            for each in one.cases:
                anchors = found.count(f'<li id="c-{each.id}">')
                assert anchors == (each.visibility == Visibility.PUBLIC)


# -- a module that does not load ---------------------------------------------------------------------


def test_a_module_that_does_not_load_is_one_box_and_nothing_else() -> None:
    submission = list(results().submissions)[4]
    view = shown(submission)
    assert view.start is not None
    (load,) = view.start.loads
    assert (load.title, load.place) == ("knight1.py does not load", "line 12")
    assert (load.source, load.reason) == ("def is_legal(dim, path, x)", "SyntaxError: expected ':'")
    assert load.caret == "^" * len(load.source)
    assert view.start.blocked == "4 cases of 2 questions could not run. Mend this first."
    found = page(submission)
    assert found.count('<section class="question"') == 0
    assert " open>" not in found


def test_the_caret_points_at_the_word_that_the_message_quotes() -> None:
    raised = Raised("NameError", "name 'two' is not defined", (Frame("a.py", 3, "<module>", "x = [1, two]"),))
    view = shown(student(question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, raised=raised))))
    assert view.start is not None
    assert view.start.loads[0].caret == "        ^^^"


def test_the_caret_stands_where_python_says_that_the_syntax_is_wrong() -> None:
    frame = Frame("a.py", 3, "<module>", "    if x = 1:", column=4, end_column=9)
    raised = Raised("SyntaxError", "invalid syntax", (frame,))
    view = shown(student(question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, raised=raised))))
    assert view.start is not None
    assert (view.start.loads[0].source, view.start.loads[0].caret) == ("if x = 1:", "   ^^^^^")


@pytest.mark.parametrize("column", [-1, 0, 99, 10**9])
def test_a_column_outside_of_the_line_is_not_believed(column: int) -> None:
    raised = Raised("SyntaxError", "bad", (Frame("a.py", 3, "<module>", "x = (", column, 10**9),))
    view = shown(student(question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, raised=raised))))
    assert view.start is not None
    assert len(view.start.loads[0].caret) <= 7


@pytest.mark.parametrize("source", ["two = [1, two]", "  x = 1"])
def test_a_place_that_is_not_certain_is_the_whole_line(source: str) -> None:
    raised = Raised("NameError", "name 'two' is not defined", (Frame("a.py", 3, "<module>", source),))
    view = shown(student(question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, raised=raised))))
    assert view.start is not None
    assert view.start.loads[0].caret.lstrip() == "^" * len(source.lstrip())


def test_cases_that_were_skipped_for_it_are_no_second_cause() -> None:
    skipped = case(
        "2.2", "f()", Verdict.SKIPPED, message="skipped: it needs case 2.1, which was not accepted"
    )
    (view,) = shown(student(question("2", 0, raising("2.1", 4, Verdict.LOAD_ERROR), skipped))).questions
    assert view.stopped
    assert [[one.id for one in part.shown] for part in view.parts] == [["2.1", "2.2"]]


def test_a_missing_file_is_told_once() -> None:
    message = "the module could not be loaded: there is no leap.py in the submission"
    missing = question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, message=message))
    found = page(student(missing, problems=("leap.py is missing", "a link was left out")))
    assert found.count("leap.py is missing") == 0
    assert "There is no leap.py in the submission" in found
    assert "a link was left out" in found


# -- the arithmetic ----------------------------------------------------------------------------------


def test_a_full_mark_needs_no_arithmetic() -> None:
    assert account_view(student(RIGHT, question("2", 1), mark=2, max_mark=Fraction(2))) is None


def test_a_plain_sum_is_one_line() -> None:
    account = account_view(student(RIGHT, FAILED, mark=1))
    assert account is not None
    assert (account.parts, account.total, account.changes) == ((("1", "1"), ("2", "0")), "1", ())


def test_what_leads_from_the_questions_to_the_mark_adds_up() -> None:
    submission = student(
        RIGHT, replace(FAILED, mark=Fraction(2, 3)), mark=Fraction(1),
        caps=(Cap(title="Tours", most=Fraction(3, 2), amount=Fraction(1, 6)),),
        penalties=(Penalty("late", Fraction(1, 4)),),
        overrides=(
            Override(question="2", before=Fraction(0), after=Fraction(2, 3), reason="kind", by="B"),
            Override(question="", before=Fraction(5, 4), after=Fraction(1), reason="oral", by="B"),
        ),
    )  # fmt: skip
    account = account_view(submission)
    assert account is not None
    parts = [Fraction(amount) for _, amount in account.parts]
    assert sum(parts) == Fraction(account.total)
    changes = sum(Fraction(line.amount) for line in account.changes)
    assert Fraction(account.total) + changes == Fraction(account.mark.amount) == submission.mark
    assert [line.label for line in account.by_hand] == ["Question 2, set by B"]
    found = page(submission)
    for words in ("kind (instead of 0)", "Tours, capped at 1.5", "Penalty", "Mark set by B"):
        assert words in found


def test_a_penalty_that_finds_no_marks_takes_nothing() -> None:
    found = page(student(FAILED, RIGHT, penalties=(Penalty("late", Fraction(0)),)))
    assert "no marks were left to take" in found
    assert "-0" not in re.sub(r"[0-9a-f]{8,}|2026-03-04T1506-7f3a|2026-03-04|utf-8", "", found)


# -- names that would tell ---------------------------------------------------------------------------


def group(name: str) -> GroupResult:
    return GroupResult(id=name, award="all", mark=Fraction(0), max_mark=Fraction(1), accepted=0, cases=1)


def test_a_group_of_hidden_cases_has_no_name_for_students() -> None:
    cases = (
        case("2.1", "f(1)", WRONG, group="seen"),
        case("2.2", "f(2)", WRONG, group="empty-board", visibility=HIDDEN),
        case("2.3", "f(3)", WRONG, group="later", visibility=Visibility.AFTER_DUE),
    )
    groups = tuple(map(group, ("seen", "empty-board", "later")))
    submission = student(replace(question("2", 0, *cases), groups=groups))
    names = [[one.id for one in for_student(submission, out).questions[0].groups] for out in (False, True)]
    assert names == [["seen", "Group 2", "Group 3"], ["seen", "Group 2", "later"]]
    assert "empty-board" not in page(submission)
    assert "empty-board" in page(submission, staff=True)


def test_a_title_stands_for_the_call_and_stays_hidden_with_it() -> None:
    long = case("2.1", "f(" + "x" * 900 + ")", WRONG, title="A board without moves")
    secret = case("2.2", "f(1)", WRONG, title="The empty board", visibility=HIDDEN)
    submission = student(question("2", 0, long, secret))
    assert '<span class="call">A board without moves</span>' in page(submission)
    assert "The empty board" not in page(submission)
    assert "The empty board" in page(submission, staff=True)


# -- the staff's page --------------------------------------------------------------------------------


def test_flags_say_what_needs_a_person_and_lead_there() -> None:
    near = case("1.1", "f(1)", near_limit=True, cpu_s=1.4, wall_s=1.5, time_limit_s=2.0)
    ours = case("2.1", "f(2)", Verdict.INTERNAL_ERROR, message="the checker raised KeyError")
    submission = student(question("1", 1, near), question("2", 0, ours), status=Status.PENDING)
    flags = [(flag.text, flag.anchor) for flag in submission_view(submission, staff=True).flags]
    assert flags == [
        ("our own fault in 2.1: the checker raised KeyError", "c-2.1"),
        ("1.1 near its limit: 1.4 s of 2 s", "c-1.1"),
    ]
    assert shown(submission).flags == ()
    found = page(submission, staff=True)
    assert found.index('class="flags"') < found.index('<section class="question"')


def test_the_override_is_a_review_that_asks_for_author_and_reason() -> None:
    asked = Question(id="2", title="", module="m", marks=Fraction(1), award=Award.ALL, cases=())
    task = Task(id="t", title="T", marks=Fraction(1), modules=(("m", "m.py"),), questions=(asked,))
    submission = replace(student(FAILED, RIGHT, mark=1), id="on")
    text = override_snippet(submission_view(submission, staff=True))
    with pytest.raises(UsageError, match="reason"):
        parse_reviews(text.replace("by:", "by: B"), "r.yaml", task, ["on"], whole_batch=True)
    filled = text.replace("by:", "by: B").replace("reason:", "reason: why")
    (review,) = parse_reviews(filled, "r.yaml", task, ["on"], whole_batch=True).by_student.values()
    (override,) = review.overrides
    assert (override.question, override.marks, override.reason) == ("2", 1, "why")


@pytest.mark.parametrize(
    "name",
    ["a\n- student: b", "'x' #", "null", "1", "*a", "\u2028- x", "\x85x", "\u202eabc", "{a: 1}", "%T", "yes"],
)
def test_no_name_breaks_out_of_the_override(name: str) -> None:
    snippet = override_snippet(submission_view(replace(student(FAILED, RIGHT, mark=1), id=name), staff=True))
    (review,) = yaml.safe_load(snippet)
    assert list(review) == ["student", "by", "overrides"]
    assert review["student"] == name


def test_staff_pages_lead_to_the_students_beside(tmp_path: Path) -> None:
    names = ["ada", "bob", "../c"]
    submissions = [replace(student(FAILED, mark=0), id=name, name=name) for name in names]
    render_all(RunResults(RUN, TASK, submissions), tmp_path)
    found = [
        re.findall(r'<a rel="(\w+)" href="([^"]*)"', (tmp_path / page_path("staff", name)).read_text("utf-8"))
        for name in names
    ]
    assert [[way for way, _ in links] for links in found] == [["next"], ["prev", "next"], ["prev"]]
    assert [link for _, link in found[1]] == ["../staff/ada.html", f"../{page_link('staff', '../c')}"]
    assert "rel=" not in (tmp_path / "students" / "bob.html").read_text("utf-8")


def test_a_neighbour_that_changes_changes_the_page(tmp_path: Path) -> None:
    one, two = (replace(student(FAILED, mark=0), id=name, name=name) for name in ("ada", "bob"))
    render_all(RunResults(RUN, TASK, [one]), tmp_path)
    assert 'rel="next"' not in (tmp_path / "staff" / "ada.html").read_text("utf-8")
    render_all(RunResults(RUN, TASK, [one, two]), tmp_path)
    assert 'rel="next"' in (tmp_path / "staff" / "ada.html").read_text("utf-8")


def test_a_hostile_id_beside_is_text() -> None:
    found = Pages(RUN, TASK).staff(student(FAILED), beside=Neighbours('"><script>alert(1)</script>', ""))
    assert "<script>alert" not in found


# -- hostile texts -----------------------------------------------------------------------------------

HOSTILE = "</pre></p><script>alert(1)</script>\u202e\x1b[31m\" onload='x"


def test_a_student_cannot_write_into_the_box_or_into_a_row() -> None:
    raised = Raised(HOSTILE, HOSTILE, (Frame(HOSTILE, 3, HOSTILE, HOSTILE),))
    load = case("2.1", HOSTILE, Verdict.LOAD_ERROR, message=HOSTILE, raised=raised)
    failed = [case(f"3.{n}", HOSTILE, WRONG, message=HOSTILE, actual=f"<{HOSTILE}") for n in (1, 2)]
    for submission in (student(question("2", 0, load)), student(question("3", 0, *failed))):
        for staff in (False, True):
            found = page(submission, staff=staff)
            assert "alert(1)&lt;/script&gt;" in found
            assert found.count("<script>") == staff
            assert not {"\u202e", "\x1b"} & set(found)


def test_a_very_long_message_is_cut_before_it_is_looked_at() -> None:
    long = "'a" * 500_000
    failed = [case(f"2.{n}", "f()", WRONG, message=f"{long}{n}") for n in (1, 2)]
    found = shown(student(question("2", 0, *failed))).questions[0].parts
    assert [len(part.shown) for part in found] == [2]
    assert all(len(view.reason) < 200 for part in found for view in part.shown)


@pytest.mark.parametrize(
    ("kind", "message", "words"),
    [
        (
            "EOFError",
            "EOF when reading a line",
            "It asks for input while it is imported: put that part under ",
        ),
        ("SystemExit", "0", "It ends the program while it is imported: put that part under "),
    ],
)
def test_the_box_says_what_is_wrong_with_input_at_import(kind: str, message: str, words: str) -> None:
    """It said `EOFError`, and the words stood in a case that was not open."""
    raised = Raised(kind, message, (Frame("a.py", 1, "<module>", 'n = int(input("n? "))'),))
    view = shown(student(question("2", 0, case("2.1", "f()", Verdict.LOAD_ERROR, raised=raised))))
    assert view.start is not None
    (load,) = view.start.loads
    assert load.reason == f"{words}`if __name__ == '__main__':`"

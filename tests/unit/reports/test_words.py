"""Pages for students in the language of the task: catalogues have every word, and none is left in English."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from string import Formatter

import pytest
from support import every_detail
from support.pseudo_language import Words, in_cyrillic, in_greek, latin_words
from support.results_sample import RUN, TASK, case, question, results, submissions
from support.said import said

from grader.judge.messages import difference_message
from grader.model.case import Visibility
from grader.model.results import CaseResult, Difference, Frame, Raised, SourceText, SubmissionResult, TaskHead
from grader.model.task import PageLanguage
from grader.model.verdict import Verdict
from grader.reports import words
from grader.reports.html.pages import Pages
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.reports.words import CATALOGUES, English, language, many, say, speaking
from grader.values.compare import first_difference

GERMAN_TASK = replace(TASK, language=PageLanguage.GERMAN)
OTHERS = [each for each in PageLanguage if each is not PageLanguage.ENGLISH]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return said()


# -- the catalogues --------------------------------------------------------------------------------


@pytest.mark.parametrize("spoken", OTHERS)
def test_a_catalogue_has_every_text_that_is_said_and_no_other(spoken: str, texts: dict[str, str]) -> None:
    catalogue = CATALOGUES[spoken]
    assert {text: place for text, place in texts.items() if text not in catalogue} == {}
    assert [text for text in catalogue if text not in texts] == []


@pytest.mark.parametrize("spoken", OTHERS)
def test_a_text_has_the_same_parts_in_every_language(spoken: str) -> None:
    for english, other in CATALOGUES[spoken].items():
        assert parts_of(english) == parts_of(other), english
        assert other.strip()


def parts_of(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name})


def test_the_language_holds_for_a_block_alone() -> None:
    with speaking("de"):
        assert say("accepted") == "richtig"
        assert many(2, "{n} case", "{n} cases") == "2 Fälle"
        with speaking("en"):
            assert language() == "en"
        assert language() == "de"
    assert many(1, "{n} case", "{n} cases") == "1 case"
    with speaking("no such language"):
        assert say("accepted") == "accepted"


def test_a_part_is_never_read_as_a_text_with_parts() -> None:
    assert say("{cases}: {words}", cases="{words}", words="{0.__class__}") == "{words}: {0.__class__}"


# -- a page without an English word ------------------------------------------------------------------


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]) -> None:
    monkeypatch.setitem(words.CATALOGUES, PageLanguage.GERMAN, in_cyrillic(texts))  # type: ignore[arg-type]


def everything() -> Iterator[SubmissionResult]:
    """Yield submissions with every fault, every verdict and every field."""
    frame = Frame("k.py", 1, "f", "def f():")
    faults = [
        case(f"1.{number}", "f()", verdict, stopped_at=frame, raised=None, message="m" * 200)
        for number, verdict in enumerate(Verdict)
    ]
    hidden = [replace(each, visibility=Visibility.HIDDEN) for each in faults]
    whole = question("1", 0, *faults, *hidden)
    long = SourceText("k", "k.py", "def f():\n" + "    pass\n" * 20 + "x" * 1000 + "\n", 70_000)
    yield replace(next(iter(submissions())), questions=(whole,), sources=(long,))
    yield from submissions()
    yield from every_detail.submissions()


@pytest.mark.usefixtures("pseudo")
def test_no_english_word_stands_on_a_page_in_another_language() -> None:
    head = TaskHead("τ", "Ω", TASK.max_mark, PageLanguage.GERMAN)
    run = replace(RUN, id="1", grader="1", spec_faults=("x",))
    pages = Pages(run, head)
    for released in (False, True):
        for submission in everything():
            page = pages.student(in_greek(submission), released=released)
            assert latin_words(" ".join(Words(page).seen)) == set(), submission.id


@pytest.mark.usefixtures("pseudo")
def test_no_english_word_stands_in_the_terminal_in_another_language() -> None:
    head = TaskHead("τ", "Ω", TASK.max_mark, PageLanguage.GERMAN)
    for submission in everything():
        text = to_text(check_lines(head, in_greek(submission), released=True))
        assert latin_words(text) == set(), submission.id


# -- German ------------------------------------------------------------------------------------------


def german(*cases: CaseResult) -> str:
    return Pages(RUN, GERMAN_TASK).student(having(*cases))


def having(*cases: CaseResult) -> SubmissionResult:
    return replace(next(iter(submissions())), questions=(question("1", 0, *cases),), mark=Fraction(0))


def test_a_page_says_its_language_and_marks_sentences_in_english() -> None:
    page = german(case("1.1", "f()", Verdict.CRASHED, message="the program ended by itself <b>"))
    assert '<html lang="de">' in page
    assert '<span lang="en">the program ended by itself &lt;b&gt;</span>' in page
    assert "abgestürzt" in page
    assert "1 von 1 Aufgabe verliert Punkte." in page


def test_sentences_of_the_judge_are_built_again_from_what_the_result_holds() -> None:
    told = german(
        case(
            *("1.1", "f()", Verdict.WRONG_ANSWER),
            message="item 1, item 2: expected 1, got None (is a return missing?)",
            expected="[[0, 1]]",
            actual="[[0, None]]",
            difference=Difference("item 1, item 2", "1", "None", code="answer[0][1]"),
        ),
        case(
            *("1.2", "f()", Verdict.EXCEPTION),
            message="raised ValueError: no (line 3 of k.py)",
            raised=Raised("ValueError", "no", (Frame("k.py", 3, "f", "x"),)),
        ),
        case("1.3", "f()", Verdict.TIME_LIMIT, message="stopped after 2 s of computing"),
    )
    assert "answer[0][1]: erwartet 1, erhalten None (fehlt ein return?)" in told
    assert "ValueError in Zeile 3 von k.py" in told
    assert "Der Aufruf hat seine Rechenzeit aufgebraucht." in told
    assert 'lang="en"' not in told


def test_a_difference_that_has_no_code_stays_in_english() -> None:
    fields = Difference("fields", "x, y", "x")
    told = german(
        case("1.1", "f()", Verdict.WRONG_ANSWER, message="fields: expected x, y, got x", difference=fields)
    )
    assert '<span lang="en">fields: expected x, y, got x</span>' in told


def test_what_the_judge_says_of_lists_is_said_in_german() -> None:
    def judged(expected: list[int], actual: list[int]) -> str:
        found = first_difference(expected, actual)
        assert found is not None
        message = difference_message(found)
        return german(case("1.1", "f()", Verdict.WRONG_ANSWER, message=message, difference=found))

    assert "Länge: erwartet 2, erhalten 1" in judged([1, 2], [1])
    assert "erwartet 1, erhalten 2; die Elemente stimmen, ihre Reihenfolge nicht" in judged([1, 2], [2, 1])


def test_the_reason_of_a_skipped_case_is_said_in_german() -> None:
    message = "skipped: it needs case 7.small, which was not accepted"
    assert "braucht den Fall 7.small, der nicht richtig war" in german(
        case("7.2", "f()", Verdict.SKIPPED, message=message)
    )


def test_pages_for_the_staff_are_in_english() -> None:
    pages = Pages(RUN, GERMAN_TASK)
    student = next(each for each in submissions() if each.id == "student-02")
    pages.student(student)
    assert pages.staff(student) == Pages(RUN, TASK).staff(student)
    assert '<html lang="en">' in pages.staff(student)


def test_the_terminal_speaks_german_and_the_language_does_not_stay() -> None:
    student = next(each for each in results().submissions if each.id == "student-02")
    lines = check_lines(GERMAN_TASK, student)
    next(iter(lines))
    assert language() == "en"
    text = to_text(check_lines(GERMAN_TASK, student))
    assert "falsche Antwort" in text
    assert "erwartet  " in text
    assert "Punkte: 3.5 von 8" in text


def test_english_sentences_are_plain_on_an_english_page() -> None:
    assert isinstance(English("x"), str)
    assert 'lang="en">' not in Pages(RUN, TASK).student(next(iter(submissions()))).replace(
        '<html lang="en">', ""
    )


def test_an_exception_is_told_once() -> None:
    raised = Raised("ValueError", "an empty list", (Frame("k.py", 3, "f", "x"),))
    message = "raised ValueError: an empty list (line 3 of k.py)"
    failed = case("1.1", "f()", Verdict.EXCEPTION, message=message, raised=raised)
    page = Pages(RUN, TASK).student(having(failed))
    assert page.count("an empty list") == 1
    assert german(failed).count("an empty list") == 1

"""Answers, exceptions and names on the index are text, whatever they hold, and take bounded room."""

from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from support.results_sample import RUN, TASK, case, question

from grader.model.results import Raised, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.html.pages import Pages
from grader.reports.views.cohort.cohort import Cohort

TEXTS = (
    "</script><script>window.ran = 1</script>",
    "</code></details><img src=x onerror='window.ran = 1'>",
    "<!--<script>",
    "\u202egnp.exe",
    "\x1b[2J\x00",
    "\ud800",
    "{{ 7654 * 7654 }}",
)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.handlers: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def student(number: int, text: str) -> SubmissionResult:
    cases = (
        case(
            "1.1", f"f({text!r})", Verdict.WRONG_ANSWER, actual=text, message=text, cpu_s=1.9, near_limit=True
        ),
        case("1.2", "g()", Verdict.EXCEPTION, raised=Raised(text, text)),
        case("1.3", "h()", Verdict.INTERNAL_ERROR, message=text),
    )
    return SubmissionResult(
        id=f"{number}{text}",
        name=text,
        mark=Fraction(0),
        max_mark=TASK.max_mark,
        status=Status.PENDING,
        content_sha256=text,
        problems=(text,),
        questions=(replace(question("1", 0, *cases), id=f"1{text[:1]}"),),
    )


def index_of(*students: SubmissionResult) -> str:
    cohort = Cohort(TASK.max_mark)
    for one in students:
        cohort.add(one)
    return "".join(Pages(RUN, TASK).index(cohort))


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_becomes_markup_or_misleads(text: str) -> None:
    page = index_of(*(student(number, text) for number in range(3)))
    plain = index_of(*(student(number, "x") for number in range(3)))
    found, expected = Elements(), Elements()
    found.feed(page)
    expected.feed(plain)
    assert (found.tags, found.handlers) == (expected.tags, [])
    assert not {"\u202e", "\x1b", "\x00", "\ud800"} & set(page)
    assert page.count("</script>") == 2
    assert "58583716" not in page


def test_different_long_answers_of_everybody_take_bounded_room() -> None:
    def size(count: int) -> int:
        texts = ((number, f"{number}" * 3000) for number in range(count))
        return len(
            index_of(*(replace(student(number, text), id=f"s{number}", name="") for number, text in texts))
        )

    grown_by = (size(300) - size(200)) / 100
    assert grown_by < 1500  # a row of the table, a line of the data

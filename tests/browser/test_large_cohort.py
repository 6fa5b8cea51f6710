"""A cohort over several pages, as a browser shows it: find, sort, turn over."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.large_cohort import COUNT, HOSTILE, write_pages

from grader.reports.html.parts import ROWS, parts

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

NAMES = "Array.from(document.querySelectorAll('.students tbody a'), one => one.innerText)"
WHERE = "document.querySelector('nav.parts p').textContent"
FIND = """
(() => {
  const field = document.querySelector('.filters input');
  field.value = %r;
  field.dispatchEvent(new Event('input', {bubbles: true}));
})()
"""
PRESS = "document.querySelectorAll(%r)[%d].click()"


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("large"))


@pytest.fixture
def page(browser: Page, index: Path) -> Page:
    browser.show(index, width=1280)
    return browser


def test_what_the_script_makes_looks_like_what_was_there(page: Page) -> None:
    html = "document.querySelector('.students tbody').innerHTML.replaceAll('\\n', '')"
    before = page.value(html)
    page.value(FIND % "")
    assert page.value(html) == before


def test_a_student_of_any_page_is_found_by_name_or_id(page: Page) -> None:
    page.value(FIND % "STUDENT-00342")
    assert page.value(NAMES) == [name for name in page.value(NAMES) if name.startswith("Student 342 of")]
    assert page.value(WHERE) == "Students 1 to 1 of 1"
    page.value(FIND % "nobody of that name")
    assert (page.value(NAMES), page.value(WHERE)) == ([], "No such student")


def test_all_students_are_sorted_not_only_those_in_sight(page: Page) -> None:
    page.value(PRESS % (".students th button", 1))
    marks = page.value(
        "Array.from(document.querySelectorAll('.students tbody .total'), one => one.innerText)"
    )
    assert marks == sorted(marks, key=float, reverse=True)
    assert (marks[0], marks[-1]) == ("7.33", "0")
    page.value(PRESS % (".students th button", 0))
    assert page.value(NAMES)[-2].startswith("Student ")
    page.value(PRESS % (".students th button", 0))
    assert page.value(NAMES)[0].startswith(f"Student {COUNT - len(HOSTILE) - 1} of")
    assert page.value("document.querySelector('.students th').getAttribute('aria-sort')") == "descending"


def test_pages_are_turned_over(page: Page) -> None:
    assert page.value("document.querySelectorAll('.parts button')[0].disabled") is True
    first = page.value(NAMES)
    page.value(PRESS % (".parts button", 1))
    second = page.value(NAMES)
    page.value(PRESS % (".parts button", 1))
    last = page.value(NAMES)
    assert [len(names) for names in (first, second, last)] == [ROWS, ROWS, COUNT - 2 * ROWS]
    assert page.value(WHERE) == f"Students {2 * ROWS + 1:,} to {COUNT:,} of {COUNT:,}"
    assert page.value("document.querySelectorAll('.parts button')[1].disabled") is True
    assert len({*first, *second, *last}) == COUNT


def test_names_are_text_wherever_they_come_from(page: Page) -> None:
    page.value(FIND % "zz-")
    assert page.value(NAMES)[:3] == list(HOSTILE[:3])
    assert page.value("window.ran === undefined") is True
    assert page.value("document.querySelectorAll('.students img, .students script').length") == 0


@pytest.mark.parametrize("width", [1280, 400])
def test_pages_do_not_scroll_sideways_ask_for_nothing_and_complain_of_nothing(
    browser: Page, index: Path, width: int
) -> None:
    for part in parts(COUNT):
        path = index.with_name(part.file)
        browser.show(path, width=width)
        assert browser.value("document.documentElement.scrollWidth") == width
        methods = [event["method"] for event in browser.events]
        assert methods.count("Network.requestWillBeSent") == 1
        assert not {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"} & set(methods)

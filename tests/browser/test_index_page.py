"""The instructor's page as a browser shows it: filters, sorting, the map, by pointer, touch and keyboard."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.made_class import HARDEST, KNOWN_ANSWER, SLOW, TASK, made_class
from support.results_sample import RUN

from grader.model.results import RunResults
from grader.model.verdict import Verdict
from grader.reports.html.pages import Pages
from grader.reports.html.parts import ROWS
from grader.reports.render import render_all
from grader.reports.views.cohort.cohort import Cohort

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

COUNT = 60
NAMES = "Array.from(document.querySelectorAll('.students tbody a'), one => one.innerText)"
CHOOSE = """
(() => {
  const select = document.querySelectorAll('.filters select')[%d];
  select.value = Array.from(select.options).find(one => one.text === %r).value;
  select.dispatchEvent(new Event('input', {bubbles: true}));
})()
"""
PLACE, RESULT, ONLY = range(3)
VISIBLE = "document.querySelector(%r).checkVisibility()"
MAP_HEIGHT = "Number(document.querySelector('.mapped .cells').getAttribute('viewBox').split(' ')[3])"
KEY = (
    "document.querySelector('.to-case').dispatchEvent(new KeyboardEvent('keydown', {key: %r, bubbles: true}))"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    render_all(RunResults(RUN, TASK, list(made_class(COUNT))), folder)
    return folder


@pytest.fixture
def page(browser: Page, report: Path) -> Page:
    browser.show(report / "index.html", width=1280)
    return browser


def names(*which: int) -> list[str]:
    return [student.name for number, student in enumerate(made_class(COUNT)) if number in which]


def with_verdict(verdict: Verdict, case_id: str = "") -> list[str]:
    return [
        student.name
        for student in made_class(COUNT)
        if any(
            case.verdict is verdict and case_id in ("", case.id)
            for question in student.questions
            for case in question.cases
        )
    ]


def test_the_hardest_case_and_its_commonest_answer_are_in_sight_without_a_click(page: Page) -> None:
    text = page.value("document.querySelector('details.loss').innerText")
    assert f"{HARDEST}: " in text
    assert KNOWN_ANSWER in text


def test_all_who_time_out_are_two_choices_away(page: Page) -> None:
    page.value(CHOOSE % (RESULT, "time limit"))
    assert page.value(NAMES) == with_verdict(Verdict.TIME_LIMIT)
    assert page.value(MAP_HEIGHT) == len(with_verdict(Verdict.TIME_LIMIT))
    label = page.value("document.querySelector('.mapped .map').getAttribute('aria-label')")
    assert label.startswith(f"Map of {len(with_verdict(Verdict.TIME_LIMIT))} students, ")
    page.value(CHOOSE % (PLACE, f"case {SLOW}"))
    assert page.value(NAMES) == with_verdict(Verdict.TIME_LIMIT, SLOW)
    page.value(CHOOSE % (PLACE, "case 1.1"))
    assert page.value(NAMES) == []
    assert page.value("document.querySelector('.parts p').innerText") == "No such student"
    page.value(CHOOSE % (PLACE, "anywhere"))
    page.value(CHOOSE % (RESULT, "any"))
    assert len(page.value(NAMES)) == COUNT


def test_students_are_found_by_what_needs_a_person(page: Page) -> None:
    page.value(CHOOSE % (ONLY, "nothing handed in"))
    assert page.value(NAMES) == names(40)
    page.value(CHOOSE % (ONLY, "late"))
    assert page.value(NAMES) == names(0, 13, 26, 39, 52)


def test_a_case_leads_to_all_who_did_not_pass_it(page: Page) -> None:
    link = "document.querySelector('a.find')"
    assert page.value(f"{link}.dataset.where") == HARDEST
    failed = int(re.sub(r"\D", "", page.value(f"{link}.innerText")))
    page.value(f"{link}.click()")
    assert len(page.value(NAMES)) == failed
    assert page.value("location.hash") == "#students"


def test_every_cell_of_the_map_leads_to_its_case(page: Page, report: Path) -> None:
    box = "document.querySelector('.mapped .cells').getBoundingClientRect()"
    link = "document.querySelector('.to-case').href"
    for x, y in ((0, 0), (54, 30), (109, 58)):
        at = page.value(
            f"(() => {{ const b = {box}; return [b.left + (({x} + .5) / 110) * b.width,"
            f" b.top + (({y} + .5) / {COUNT}) * b.height]; }})()"
        )
        page.value(
            "document.querySelector('.to-case').dispatchEvent(new PointerEvent('pointermove',"
            f" {{clientX: {at[0]}, clientY: {at[1]}, pointerType: 'mouse', bubbles: true}}))"
        )
        path, _, place = page.value(link).removeprefix(report.as_uri() + "/").partition("#")
        question, number = divmod(x, 11)
        assert place == f"c-{question + 1}.{number + 1}"
        assert f'id="{place}"' in (report / path).read_text("utf-8")
    marks = {student.name: student.mark for student in made_class(COUNT)}
    page.value(KEY % "PageUp")
    told = page.value("document.querySelector('.told').innerText")
    assert told.partition(",")[0] in marks


def test_the_keyboard_walks_over_the_map(page: Page) -> None:
    page.value("document.querySelector('.filters select:last-of-type').focus()")
    for _ in range(9):
        page.press("Tab")
        if page.value("document.activeElement.className") == "to-case":
            break
    assert page.value("document.activeElement.className") == "to-case"
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    best = max(made_class(COUNT), key=lambda student: student.mark)
    assert page.value("document.querySelector('.told').innerText").startswith(best.name)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"):
        page.value(KEY % key)
    assert f"{best.name}, case 1.2: " in page.value("document.querySelector('.told').innerText")
    page.press("Enter")
    while page.value("location.hash") != "#c-1.2" or page.value("document.readyState") != "complete":
        pass
    assert page.value("document.querySelector('h1').innerText") == best.name


def test_a_touch_chooses_and_does_not_leave_the_page(page: Page, report: Path) -> None:
    page.value(
        "(() => { const b = document.querySelector('.mapped .cells').getBoundingClientRect();"
        " document.querySelector('.to-case').dispatchEvent(new PointerEvent('click', {clientX: b.left + 2,"
        " clientY: b.top + 2, pointerType: 'touch', bubbles: true, cancelable: true})); })()"
    )
    assert page.value("location.href") == (report / "index.html").as_uri()
    assert "case 1.1: " in page.value("document.querySelector('.told').innerText")
    assert page.value("document.querySelector('.told a').href").endswith("#c-1.1")


@pytest.mark.parametrize("width", [1280, 400])
def test_sorting_shows_its_arrows_before_the_first_press(browser: Page, report: Path, width: int) -> None:
    browser.show(report / "index.html", width=width)
    button = "document.querySelectorAll('.students th button')[1]"
    assert browser.value(f"getComputedStyle({button}, '::after').content") == '" ↕"'
    assert browser.value(f"{button}.checkVisibility()") is True
    browser.value(f"{button}.click()")
    assert browser.value(f"getComputedStyle({button}, '::after').content") == '" ↓"'
    best = max(made_class(COUNT), key=lambda student: student.mark)
    assert browser.value(NAMES)[0] == best.name


def test_a_phone_shows_a_student_in_few_lines(browser: Page, report: Path) -> None:
    browser.show(report / "index.html", width=400)
    assert browser.value("document.documentElement.scrollWidth") == 400
    heights = browser.value(
        "Array.from(document.querySelectorAll('.students tbody tr'), one => one.offsetHeight)"
    )
    assert max(heights) < 130
    assert sum(heights) / len(heights) < 90
    assert not browser.value(VISIBLE % ".students td[data-q]")
    figures = browser.value(
        "Array.from(document.querySelectorAll('.figures dd'), one => one.firstChild.data.trim())"
    )
    assert all(re.fullmatch(r"[\d.,]+", figure) for figure in figures)


def test_all_is_there_without_the_script(page: Page, report: Path, tmp_path: Path) -> None:
    text = (report / "index.html").read_text("utf-8")
    still = tmp_path / "index.html"
    still.write_text(re.sub(r"(?s)<script>.*?</script>", "", text), "utf-8")
    map_of = "document.querySelector('.mapped .cells').innerHTML"
    before = page.value(map_of)
    page.value(CHOOSE % (RESULT, "any"))  # draws the map again
    assert page.value(f"{map_of}.includes('<path')") is True
    page.show(still, width=1280)
    assert page.value(NAMES) == [student.name for student in made_class(COUNT)]
    assert page.value(map_of) == before
    assert page.value(VISIBLE % ".mapped .map") is True
    assert page.value("document.querySelector('a.find').checkVisibility()") is False


def test_the_map_of_the_script_is_that_of_the_page(page: Page) -> None:
    drawn = (
        "Object.fromEntries(Array.from(document.querySelectorAll('.mapped .cells path'),"
        " one => [one.getAttribute('class'), one.getAttribute('d')]))"
    )
    before = page.value(drawn)
    page.value(CHOOSE % (RESULT, "any"))
    after = page.value(drawn)
    assert before == after


def test_a_link_to_a_case_opens_its_question(page: Page) -> None:
    page.value("location.hash = '#c-1.11'")
    assert page.value("document.getElementById('c-1.11').closest('details').open") is True


DRAWN_ROWS = (
    "Array.from(document.querySelectorAll('.mapped .cells path:not(.edges)'),"
    " one => one.getAttribute('d').match(/ \\d+\\.5/g).map(Number)).flat()"
)


def last_with_a_fault(count: int) -> float:
    """Return the last row of the map of a class in which something is drawn."""
    without = [
        all(case.verdict is Verdict.ACCEPTED for each in student.questions for case in each.cases)
        for student in made_class(count)
        if student.questions
    ]
    return count - sum(without) - 0.5


def test_the_map_begins_with_what_there_is_to_see(page: Page) -> None:
    page.value(CHOOSE % (RESULT, "any"))
    rows = page.value(DRAWN_ROWS)
    assert (min(rows), max(rows)) == (0.5, last_with_a_fault(COUNT))


def test_the_map_of_a_large_class_begins_so_too(browser: Page, tmp_path: Path) -> None:
    """The script draws it when it starts, since the page comes with some of the rows alone."""
    cohort = Cohort(TASK.max_mark)
    for student in made_class(2 * ROWS):
        cohort.add(student)
    (tmp_path / "index.html").write_text("".join(Pages(RUN, TASK).index(cohort)), "utf-8")
    browser.show(tmp_path / "index.html", width=1280)
    rows = browser.value(DRAWN_ROWS)
    assert (min(rows), max(rows)) == (0.5, last_with_a_fault(2 * ROWS))
    assert max(rows) < 2 * ROWS - 0.5


def test_no_line_cuts_through_a_number_of_the_histogram(page: Page) -> None:
    """The numbers are drawn last, and each has a border in the colour of the page."""
    drawn = page.value(
        "(() => { const all = Array.from(document.querySelectorAll('.chart > *'));"
        " const counts = all.filter(one => one.matches('.count'));"
        " const style = getComputedStyle(counts[0]);"
        " return [counts.length, all.findLastIndex(one => one.matches('line')) < all.indexOf(counts[0]),"
        " style.paintOrder.startsWith('stroke'), parseFloat(style.strokeWidth) > 2,"
        " style.stroke === getComputedStyle(document.documentElement).backgroundColor]; })()"
    )
    assert drawn[0] > 3
    assert drawn[1:] == [True, True, True, True]

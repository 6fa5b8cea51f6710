"""A student's pages in use: the way to a fault, to the students beside, and onto paper."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.results_sample import case, question, results

from grader.model.case import Visibility
from grader.model.results import SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.render import render_all

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


def near_and_wrong() -> SubmissionResult:
    """Return a submission with a case near its limit in a question that is right, and so closed."""
    near = case("1.2", "f(2)", near_limit=True, cpu_s=1.4, wall_s=1.5, time_limit_s=2.0)
    wrong = [case(f"2.{n}", f"g({n})", Verdict.WRONG_ANSWER, message="wrong") for n in range(1, 9)]
    one = next(iter(results().submissions))
    return replace(one, id="student-07", questions=(question("1", 1, near), question("2", 0, *wrong)))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report")
    document = results()
    render_all(replace(document, submissions=[*document.submissions, near_and_wrong()]), directory)
    return directory


def is_seen(page: Page, anchor: str) -> bool:
    """Tell whether the facts of a case are open and in the window."""
    found: bool = page.value(
        f"(() => {{ const facts = document.querySelector('[id=\"{anchor}\"] .facts');"
        " const place = facts.getBoundingClientRect();"
        " return facts.checkVisibility() && place.top >= 0 && place.top < innerHeight; })()"
    )
    return found


@pytest.mark.parametrize("folder", ["students", "staff"])
def test_one_click_leads_to_the_first_fault(page: Page, report: Path, folder: str) -> None:
    page.show(report / folder / "student-07.html", width=400, height=500)
    assert not is_seen(page, "c-2.1")
    page.value("document.querySelector('.start a').click()")
    assert is_seen(page, "c-2.1")


def test_a_flag_leads_into_a_question_that_is_closed(page: Page, report: Path) -> None:
    page.show(report / "staff" / "student-07.html", width=1280)
    assert not is_seen(page, "c-1.2")
    page.value("document.querySelector('.flags a').click()")
    while not page.value("document.querySelector('[id=\"c-1.2\"] details').open"):
        pass
    assert is_seen(page, "c-1.2")


def test_the_arrow_keys_lead_to_the_students_beside(page: Page, report: Path) -> None:
    for key, there in (("ArrowRight", "student-03"), ("ArrowLeft", "student-01")):
        page.show(report / "staff" / "student-02.html", width=1280)
        deadline = time.monotonic() + 600
        while there not in page.value("location.href"):
            assert time.monotonic() < deadline, f"{key} leads nowhere"
            # A key that comes before the page has the focus is lost.
            if page.value("document.hasFocus() && location.href.includes('student-02')"):
                page.press(key)
            time.sleep(0.5)


def test_arrow_keys_move_within_what_scrolls(page: Page, report: Path) -> None:
    page.show(report / "staff" / "student-03.html", width=1280)
    page.value("document.querySelector('details[open] [tabindex]').focus()")
    page.press("ArrowRight")
    assert "student-03" in page.value("location.href")


def test_a_page_without_faults_prints_on_one_sheet(page: Page, report: Path) -> None:
    sheets = {}
    for name in ("student-01", "student-05", "student-07"):
        page.show(report / "students" / f"{name}.html", width=1280)
        sheets[name] = len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf()))
    assert set(sheets.values()) == {1}


def test_nothing_moves(report: Path) -> None:
    style = re.search("(?s)<style>(.*?)</style>", (report / "staff" / "student-02.html").read_text("utf-8"))
    assert style is not None
    assert not re.search(r"animation|transition|scroll-behavior", style.group(1))


def test_words_about_several_cases_wrap_in_a_narrow_window(page: Page, tmp_path: Path) -> None:
    hidden = [
        case(f"2.{n}", "f()", verdict, visibility=Visibility.HIDDEN)
        for n, verdict in enumerate((Verdict.EXCEPTION, Verdict.PARTIAL, Verdict.TIME_LIMIT), 1)
    ]
    one = replace(near_and_wrong(), questions=(question("2", 0, *hidden),))
    render_all(replace(results(), submissions=[one]), tmp_path)
    page.show(tmp_path / "students" / "student-07.html", width=320)
    assert page.value("document.documentElement.scrollWidth") == 320

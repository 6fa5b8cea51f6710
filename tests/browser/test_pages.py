"""The pages as a browser shows them, at the width of a desk and of a phone.

`GRADER_SCREENSHOTS=<folder>` keeps the pictures.  Nothing here needs a network.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.results_sample import RUN, TASK, case, question, results, submissions

from grader.model.results import Difference, Frame, Raised, RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.render import render_all

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

WIDTHS = (1280, 400)
LONG = "x" * 3000


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report")
    render_all(results(), directory)
    return directory


@pytest.fixture(scope="module")
def wide_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the report of a student whose every text is one very long word."""
    directory = tmp_path_factory.mktemp("wide")
    worst = case(
        "1." + "y" * 80, LONG, Verdict.WRONG_ANSWER, message=LONG, expected=LONG, actual=LONG + "y",
        difference=Difference(LONG, LONG, LONG + "y"), stdout=LONG, stderr=LONG, hint=LONG, group=LONG,
        raised=Raised(LONG, LONG, (Frame(LONG, 1, LONG, LONG),)),
    )  # fmt: skip
    student = SubmissionResult(
        id="w" * 150, name="W" * 300, mark=TASK.max_mark, max_mark=TASK.max_mark, status=Status.MARKED,
        problems=(LONG,), notes=(LONG,), questions=(question("1", 0, worst),),
    )  # fmt: skip
    render_all(RunResults(RUN, TASK, [student, *submissions()]), directory)
    return directory


def files(report: Path) -> list[Path]:
    return [report / "index.html", *sorted(report.glob("st*/*.html"))]


def complaints(page: Page) -> list[object]:
    """Return what the browser had to say about the page: errors, refused styles or scripts."""
    kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    return [event for event in page.events if event["method"] in kinds]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["report", "wide_report"])
def test_no_page_scrolls_sideways(page: Page, request: pytest.FixtureRequest, which: str, width: int) -> None:
    for path in files(request.getfixturevalue(which)):
        page.show(path, width=width)
        assert page.value("document.documentElement.scrollWidth") == width, path.name
        assert page.value("getComputedStyle(document.documentElement).overflowX") == "visible"


def test_no_page_asks_for_anything_or_is_refused_anything(page: Page, report: Path) -> None:
    for path in files(report):
        page.show(path, width=1280)
        asked = [
            event["params"]["request"]["url"]
            for event in page.events
            if event["method"] == "Network.requestWillBeSent"
        ]
        assert asked == [path.resolve().as_uri()]
        assert complaints(page) == []


def test_the_policy_forbids_other_scripts_and_styles(page: Page, report: Path) -> None:
    page.show(report / "index.html", width=1280)
    page.value(
        "(() => { const script = document.createElement('script'); script.textContent = 'window.ran = 1';"
        " document.body.append(script); document.body.setAttribute('style', 'color: red'); })()"
    )
    assert page.value("window.ran === undefined") is True
    assert page.value("getComputedStyle(document.body).color") != "rgb(255, 0, 0)"


def test_the_style_is_applied_in_both_schemes(page: Page, report: Path) -> None:
    backgrounds = []
    for dark in (False, True):
        page.show(report / "index.html", width=1280, dark=dark)
        backgrounds.append(page.value("getComputedStyle(document.documentElement).backgroundColor"))
    assert backgrounds == ["rgb(252, 251, 249)", "rgb(21, 23, 26)"]


def test_tables_sort_by_a_press_of_the_heading(page: Page, report: Path) -> None:
    page.show(report / "index.html", width=1280)
    names = "Array.from(document.querySelectorAll('.students .name a'), one => one.innerText)"
    before = page.value(names)
    click = "document.querySelectorAll('.students th button')[{}].click()"
    page.value(click.format(1))
    assert page.value(names)[0] == "Anna Schmidt"
    page.value(click.format(1))
    assert page.value(names)[-1] == "Anna Schmidt"
    assert page.value("document.querySelectorAll('.students th')[1].getAttribute('aria-sort')") == "ascending"
    page.value(click.format(0))
    assert page.value(names)[:2] == [
        "Anna Schmidt",
        "Émile de la Tour-du-Pin-Chambly et de Montmorency-Laval",
    ]
    assert sorted(page.value(names)) == sorted(before)


def test_the_keyboard_reaches_the_contents_first(page: Page, report: Path) -> None:
    page.show(report / "students" / "student-02.html", width=1280)
    page.press("Tab")
    assert page.value("document.activeElement.className") == "skip"
    assert page.value("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert page.value("document.activeElement.getBoundingClientRect().left >= 0") is True


def test_a_press_selects_the_whole_call(page: Page, report: Path) -> None:
    page.show(report / "students" / "student-02.html", width=1280)
    selected = page.value(
        "(() => { const call = document.querySelector('details[open] .paste');"
        " const range = document.createRange(); range.selectNodeContents(call);"
        " getSelection().removeAllRanges(); getSelection().addRange(range);"
        " return [getSelection().toString(), getComputedStyle(call).userSelect]; })()"
    )
    assert selected == ["legal_moves(8, [], (2, 2))", "all"]


def test_first_screen_of_the_index_has_warnings_and_figures(page: Page, report: Path) -> None:
    page.show(report / "index.html", width=1280, height=800)
    for selector in (".notice", ".figures dl", ".chart"):
        bottom = page.value(f"document.querySelector({selector!r}).getBoundingClientRect().bottom")
        assert bottom < 800


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
def test_pictures(page: Page, report: Path, tmp_path: Path, width: int, dark: bool) -> None:
    kept = os.environ.get("GRADER_SCREENSHOTS")
    for name in ("index.html", "staff/student-03.html", "students/student-02.html"):
        page.show(report / name, width=width, dark=dark)
        picture = tmp_path / f"{Path(name).stem}-{width}{'-dark' if dark else ''}.png"
        page.screenshot(picture)
        assert picture.stat().st_size > 20_000
        if kept:
            Path(kept).mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, kept)

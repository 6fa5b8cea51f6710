"""The page of similar works as a browser shows it, with hostile names and sources."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.every_page import similar_page

from grader.reports.views.cohort.similar_works import PAGE

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("similar") / PAGE
    made.write_text(similar_page())
    return made


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_runs_nothing(browser: Page, path: Path, width: int, dark: bool) -> None:
    browser.show(path, width=width, dark=dark)
    assert browser.value("document.documentElement.scrollWidth") == width
    assert "taken" not in browser.value("document.title")
    assert browser.value("document.querySelectorAll('script, img').length") == 0
    assert browser.value("getComputedStyle(document.querySelector('.source pre')).whiteSpace") == "pre"
    assert not [event for event in browser.events if event["method"] == "Log.entryAdded"]
    columns = "getComputedStyle(document.querySelector('.twin')).gridTemplateColumns.split(' ').length"
    assert browser.value(columns) == (2 if width == 1280 else 1)
    folder = os.environ.get("GRADER_SCREENSHOTS")
    if folder:
        browser.screenshot(Path(folder) / f"similar-{width}{'-dark' if dark else ''}.png")

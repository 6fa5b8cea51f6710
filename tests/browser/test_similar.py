"""The page of similar works as a browser shows it, with hostile names and sources."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.many_programs import STARTER, program, renamed, reordered
from support.results_sample import RUN, TASK
from support.works import Here, work

from grader.reports.views.similar_works import PAGE
from grader.similarity.alignment import likeness
from grader.similarity.comparison import compare
from grader.similarity.page import page
from grader.similarity.works import Given

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

MARKUP = "</pre><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = Given(Here(), [STARTER])
    texts = {f"student-{seed:02}": program(seed) for seed in range(12)}
    texts["W" * 300] = reordered(program(1)).replace("print('value'", f"print({MARKUP!r} '{'y' * 900}'")
    texts[MARKUP] = renamed(program(2))
    texts["short"] = "x = 1"
    found = compare([work(name, text, given) for name, text in texts.items()], likeness)
    assert found.pairs
    assert found.equal
    made: Path = tmp_path_factory.mktemp("similar") / PAGE
    made.write_text(page(RUN, TASK, found, ("unread " + MARKUP,)))
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

"""The index of a run that goes on, as a browser gets it: it follows the run, and says when it is over."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.axe import audit_shown
from support.chromium import PROGRAM, Page, browser_page
from support.processes import comes_true
from support.results_sample import submissions
from support.watched_run import Watched, watched_run

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

SAYS = "document.querySelector('#watched h2').innerText"
ROWS = "document.querySelectorAll('.students tbody tr').length"
MORE = [replace(submissions()[0], id=f"late-{number}", name=f"Late {number}") for number in range(3)]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture
def run(page: Page, tmp_path: Path) -> Iterator[Watched]:
    with watched_run(tmp_path, submissions(), total=9) as found:
        page.resize(1280)
        page.emulate()
        page.open(found.url)
        yield found
        # Else the page asks the server that ends next, and the next test reads that this failed.
        page.open("about:blank")


def test_it_shows_new_results_by_itself(page: Page, run: Watched) -> None:
    assert page.value(SAYS) == "Still running: 6 of 9 marked"
    assert page.value(ROWS) == 6
    run.add(*MORE)
    assert comes_true(lambda: page.value(ROWS) == 9)
    assert page.value(SAYS) == "Still running: 9 of 9 marked"


def test_it_stays_as_it_is_for_a_person_who_uses_it(page: Page, run: Watched) -> None:
    page.press("Tab")
    run.add(*MORE)
    assert comes_true(lambda: page.value(SAYS) == "Still running: 9 of 9 marked")
    assert page.value(ROWS) == 6
    assert page.value("document.querySelector('#watched button').innerText") == "load it by itself"


def test_it_can_be_stopped_and_started(page: Page, run: Watched) -> None:
    for _ in range(2):
        page.value("document.querySelector('#watched button').click()")
    run.add(*MORE)
    assert comes_true(lambda: page.value(ROWS) == 9)


def test_it_says_that_the_run_is_over(page: Page, run: Watched, tmp_path: Path) -> None:
    run.watch.__exit__(None, None, None)
    assert comes_true(lambda: page.value(SAYS) == "No longer running")
    told = page.value("document.querySelector('#watched').innerText")
    assert f"The report: {tmp_path / 'index.html'}" in told
    assert page.value(ROWS) == 6


def test_links_lead_to_students_and_back(page: Page, run: Watched) -> None:
    page.open(page.value("document.querySelector('.students tbody a').href"))
    assert page.value("document.querySelector('h1').innerText") == "Anna Schmidt"
    page.open(page.value("document.querySelector('nav a').href"))
    assert page.value(ROWS) == 6


def test_the_policies_refuse_nothing_of_our_own_and_axe_finds_nothing(page: Page, run: Watched) -> None:
    found = audit_shown(page)
    telling = {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}
    assert [event for event in page.events if event["method"] in telling] == []
    assert found == []


def test_with_scripts_off_a_link_loads_it_again(page: Page, run: Watched) -> None:
    page.scripts(allowed=False)
    try:
        run.add(*MORE)

        def shows_more() -> bool:
            page.open(run.url)
            return bool(page.value(ROWS) == 9)

        # The server is a process of its own, and reads what is new in its own time.
        assert comes_true(shows_more)
        assert page.value("document.querySelector('#watched a').href") == run.url
        assert page.value("document.querySelectorAll('#watched button').length") == 0
    finally:
        page.scripts(allowed=True)

"""The server of our own pages, asked by a browser: its pages may write, those of other origins may not."""

from collections.abc import Iterator

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.local_server import Talk, served

from grader.serving.handler import LocalHandler

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

WRITE = """\
fetch({url!r}, {{method: {method!r}, headers: {{"Content-Type": {kind!r}}}, body: "{{}}", mode: {mode!r}}})
    .then(answer => answer.status, () => "refused by the browser")
"""


class _Notes(LocalHandler):
    def initialize(self, taken: list[object]) -> None:
        self._taken = taken

    def get(self, path: str) -> None:
        self.send(b"<!doctype html><title>Notes</title>")

    def put(self, path: str) -> None:
        self._taken.append(self.sent())
        self.send_json({})

    post = put


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture
def taken() -> list[object]:
    return []


@pytest.fixture
def talk(page: Page, taken: list[object]) -> Iterator[Talk]:
    with served(("(.*)", _Notes, {"taken": taken})) as found:
        yield found
        page.open("about:blank")


def _written(
    page: Page, talk: Talk, method: str, kind: str = "application/json", mode: str = "cors"
) -> object:
    return page.value(WRITE.format(url=f"{talk.url}note", method=method, kind=kind, mode=mode))


def test_a_script_of_our_own_page_may_write(page: Page, talk: Talk, taken: list[object]) -> None:
    page.open(talk.url)
    assert page.value("document.title") == "Notes"
    assert _written(page, talk, "PUT") == 200
    assert _written(page, talk, "POST") == 200
    assert taken == [{}, {}]


def test_pages_of_other_origins_may_neither_write_nor_read(
    page: Page, talk: Talk, taken: list[object]
) -> None:
    with served(("(.*)", _Notes, {"taken": taken})) as other:
        page.open(other.url)
        for method in ("PUT", "POST"):
            assert _written(page, talk, method) == "refused by the browser"
        # The browser sends this one, and our policy keeps the answer from the page.
        assert _written(page, talk, "POST", "text/plain", "no-cors") == "refused by the browser"
        for mode in ("cors", "no-cors"):
            asks = f"fetch({talk.url!r}, {{mode: {mode!r}}}).then(() => 'read', () => 'refused')"
            assert page.value(asks) == "refused"
        page.open("about:blank")
    assert taken == []

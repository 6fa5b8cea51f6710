"""A page of every kind, with every kind of content, for people who see, read, type and print in many ways.

`test_sample_pages.py` has what axe finds on them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.every_page import FURTHER_KINDS, KINDS, write_every_page

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

PAGES = KINDS | FURTHER_KINDS
each_kind = pytest.mark.parametrize("kind", PAGES)
COMPLAINTS = {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("every")
    write_every_page(made)
    return made


# -- the policy ------------------------------------------------------------------------------------

INLINE = """
Array.from(document.querySelectorAll('*')).flatMap(one => Array.from(one.attributes)
  .filter(each => each.name.startsWith('on') || each.name === 'style' || /^javascript:/i.test(each.value))
  .map(each => `${one.tagName} ${each.name}=${each.value}`))
"""
TRIED = """
(async () => {
  const refused = [];
  addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
  const add = (tag, fields) => document.body.append(Object.assign(document.createElement(tag), fields));
  add('script', {textContent: 'window.ran = 1'});
  add('script', {src: 'https://example.invalid/x.js'});
  add('style', {textContent: 'body { color: red }'});
  add('link', {rel: 'stylesheet', href: 'https://example.invalid/x.css'});
  add('img', {src: 'https://example.invalid/x.png'});
  add('iframe', {src: 'https://example.invalid/'});
  add('object', {data: 'https://example.invalid/'});
  add('audio', {src: 'https://example.invalid/x.ogg'});
  document.body.setAttribute('onclick', 'window.ran = 1');
  document.body.click();
  await fetch('https://example.invalid/').catch(() => 0);
  for (let tries = 0; tries < 500 && new Set(refused).size < 8; tries++)
    await new Promise(next => setTimeout(next, 10));
  return [window.ran === undefined, Array.from(new Set(refused)).sort()];
})()
"""  # fmt: skip


@each_kind
def test_the_policy_lets_nothing_else_in(page: Page, folder: Path, kind: str) -> None:
    path = folder / PAGES[kind]
    page.show(path, width=1280)
    asked = [event for event in page.events if event["method"] == "Network.requestWillBeSent"]
    urls = [event["params"]["request"]["url"] for event in asked]
    assert [url for url in urls if not url.startswith("data:")] == [path.resolve().as_uri()]
    assert not COMPLAINTS & {event["method"] for event in page.events}
    assert page.value(INLINE) == []
    page.events.clear()
    assert page.value(TRIED) == [
        True,
        ["connect-src", "frame-src", "img-src", "media-src", "object-src",
         "script-src-attr", "script-src-elem", "style-src-elem"],
    ]  # fmt: skip


# -- the keyboard ----------------------------------------------------------------------------------

STOPS = """
(() => {
  const stops = Array.from(document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]'))
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0);
  stops.forEach((one, place) => { one.dataset.stop = place; });
  return stops.length;
})()
"""
FOCUSED = """
(() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const style = getComputedStyle(one), box = one.getBoundingClientRect();
  const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
    && box.width > 0 && box.right > 0 && box.bottom > 0 && box.top < innerHeight;
  return [Number(one.dataset.stop), seen, one.outerHTML.slice(0, 200)];
})()
"""


@each_kind
def test_the_tab_key_goes_through_everything_in_order_and_out_again(
    page: Page, folder: Path, kind: str
) -> None:
    page.show(folder / PAGES[kind], width=1280)
    page.value(
        "document.querySelectorAll('.students tbody tr:nth-child(n + 5)').forEach(one => one.remove())"
    )
    count = page.value(STOPS)
    visited = []
    for _ in range(count):
        page.press("Tab")
        visited.append(page.value(FOCUSED))
    # One without a number is no stop by itself: the browser lets the keyboard scroll it.
    wrong = [(place, stop) for place, stop in enumerate(visited) if stop is None or stop[:2] != [place, True]]
    assert wrong[:1] == []
    # No trap at the end: after the last stop comes the browser's own, then the first again.
    page.press("Tab")
    assert page.value(FOCUSED) in (None, visited[0] if visited else None)


IS_AFTER = "(document.getElementById(%r).compareDocumentPosition(document.activeElement) & 4) > 0"
AFTER = """
(() => {
  const target = document.getElementById(%r);
  return Array.from(document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex]'))
    .some(one => target.compareDocumentPosition(one) & 4);
})()
"""


@pytest.mark.parametrize("kind", [kind for kind in PAGES if kind != "similar"])
def test_the_first_stop_skips_to_the_contents(page: Page, folder: Path, kind: str) -> None:
    page.show(folder / PAGES[kind], width=1280)
    page.press("Tab")
    assert page.value("document.activeElement.className") == "skip"
    page.press("Enter")
    target = page.value("document.querySelector('.skip').hash.slice(1)")
    assert page.value("location.hash.slice(1)") == target
    assert page.value(f"document.getElementById({target!r}) !== null") is True
    if page.value(AFTER % target):
        page.press("Tab")
        assert page.value(IS_AFTER % target) is True


@pytest.mark.parametrize("kind", ["staff", "student", "verdicts", "similar", "validation"])
def test_all_details_open_by_keyboard(page: Page, folder: Path, kind: str) -> None:
    page.show(folder / PAGES[kind], width=1280)
    page.value("document.querySelectorAll('details').forEach(one => { one.open = false; })")
    for _ in range(500):
        page.press("Tab")
        if page.value("document.activeElement === document.body"):
            break
        if page.value("document.activeElement.matches('details:not([open]) > summary')"):
            page.press("Enter")
    assert page.value("document.querySelectorAll('details').length") > 0
    assert page.value("document.querySelectorAll('details:not([open])').length") == 0


# -- other ways to look ------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("percent", [200, 400])
def test_pages_fit_a_window_that_is_zoomed(page: Page, folder: Path, kind: str, percent: int) -> None:
    width = 128_000 // percent
    page.show(folder / PAGES[kind], width=width)
    page.value("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.value("document.documentElement.scrollWidth") == width


@each_kind
def test_a_page_says_the_same_with_scripts_off(page: Page, folder: Path, kind: str) -> None:
    text = "document.querySelector('main').innerText"
    page.show(folder / PAGES[kind], width=1280)
    with_scripts = page.value(text)
    page.scripts(allowed=False)
    try:
        page.show(folder / PAGES[kind], width=1280)
        without = page.value(text)
    finally:
        page.scripts(allowed=True)
    assert [line for line in without.split() if line not in with_scripts.split()] == []
    assert len(without) > 20


@each_kind
def test_nothing_moves_for_those_who_ask_for_that(page: Page, folder: Path, kind: str) -> None:
    page.show(folder / PAGES[kind], width=1280)
    page.emulate(prefers_reduced_motion="reduce")
    assert page.value(
        "Array.from(document.querySelectorAll('*')).filter(one => { const s = getComputedStyle(one);"
        " return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0.01"
        " || s.scrollBehavior === 'smooth'; }).map(one => one.outerHTML.slice(0, 80))"
    ) == []  # fmt: skip


LOST = """
Array.from(document.querySelectorAll('.verdict, .tone, .notice, mark, .tag'))
  .filter(one => one.checkVisibility() && !one.innerText.trim() && !one.querySelector('svg'))
  .map(one => one.outerHTML.slice(0, 100))
"""


@each_kind
def test_forced_colours_lose_no_meaning(page: Page, folder: Path, kind: str) -> None:
    """Backgrounds are gone there, so a text has to say what a colour says; a bar stands below its number."""
    page.show(folder / PAGES[kind], width=1280)
    page.emulate(forced_colors="active")
    assert page.value("matchMedia('(forced-colors: active)').matches") is True
    assert page.value(LOST) == []


# -- paper -------------------------------------------------------------------------------------------


def sheets(printed: bytes) -> int:
    """Return how many pages a PDF of Chromium has."""
    return printed.count(b"/Type /Page\n") or printed.count(b"/Type /Page ")


@each_kind
def test_it_prints_on_as_many_sheets_as_its_text_fills(page: Page, folder: Path, kind: str) -> None:
    page.show(folder / PAGES[kind], width=1280)
    page.emulate(media="print")
    height = page.value("document.documentElement.scrollHeight")
    printed = page.pdf()
    assert 1 <= sheets(printed) <= 2 + height / 700


def test_what_fits_on_a_sheet_is_not_torn(page: Page, folder: Path) -> None:
    page.show(folder / PAGES["verdicts"], width=1280)
    page.emulate(media="print")
    style = "Array.from(document.querySelectorAll({!r})).map(one => getComputedStyle(one).{})"
    cases = set(page.value(style.format(".case", "breakInside")))
    parts = set(page.value(style.format(".case > summary, .facts > div", "breakInside")))
    assert {"avoid"} in (cases, parts)
    assert set(page.value(style.format(".notice, tr", "breakInside"))) == {"avoid"}
    assert set(page.value(style.format("nav, .skip", "display"))) == {"none"}


# Words of a table or a summary that are broken within, though no word is wider than a tenth of the paper.
BROKEN = """
(() => {
  const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, range = document.createRange();
    if (!node.parentElement.closest('table, summary, dl.account, .figures')) continue;
    const clipped = node.parentElement.closest('thead, .unseen');
    if (clipped && getComputedStyle(clipped).clipPath !== 'none') continue;
    for (const found of node.data.matchAll(/(?<!\\S)[A-Za-z_]{4,12}(?!\\S)/g)) {
      range.setStart(node, found.index); range.setEnd(node, found.index + found[0].length);
      if (new Set(Array.from(range.getClientRects(), (one) => Math.round(one.top))).size > 1)
        broken.push(found[0]);
    }
  }
  return broken;
})()
"""
OVERLAPPING = """
(() => {
  const boxes = Array.from(document.querySelectorAll('.figures dd, .loss > summary > span'), (one) => {
    const range = document.createRange(); range.selectNodeContents(one);
    return range.getBoundingClientRect();
  }).filter((box) => box.width);
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((two) =>
    Math.max(one.left, two.left) < Math.min(one.right, two.right) - 1 &&
    Math.max(one.top, two.top) < Math.min(one.bottom, two.bottom) - 1
  )).length;
})()
"""


@each_kind
@pytest.mark.parametrize(("width", "media"), [(794, "print"), (720, ""), (400, "")], ids=["A4", "720", "400"])
def test_no_word_is_broken_and_no_figures_overlap(
    page: Page, folder: Path, kind: str, width: int, media: str
) -> None:
    page.show(folder / PAGES[kind], width=width)
    page.emulate(media=media)
    if media == "print":  # rules ask for the width of the sheet, text has that between the margins
        page.value("document.body.style.width = '178mm'")
    assert page.value(BROKEN) == []
    assert page.value(OVERLAPPING) == 0


def test_a_long_output_takes_no_more_than_a_sheet(page: Page, folder: Path) -> None:
    page.show(folder / PAGES["student"], width=794)
    page.emulate(media="print")
    heights = page.value("Array.from(document.querySelectorAll('.output.long'), one => one.offsetHeight)")
    assert heights
    assert max(heights) < 500
    assert page.value("getComputedStyle(document.querySelector('.on-paper')).display") == "block"

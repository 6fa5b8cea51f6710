"""axe-core on pages in a headless Chromium: the rules of A, AA, AAA, best practice and the experimental ones.

`make test` installs axe-core.  On any pages: `PYTHONPATH=tests .venv/bin/python -m support.axe FILE...`
"""

import argparse
import functools
import json
import sys
from pathlib import Path
from typing import Any

from support.chromium import Page, browser_page

WIDTHS = (1280, 400)
# Left out: of level AAA, a contrast of 7, and no refresh at all; of the experimental ones, one that refuses
# a labelled group which the keyboard can scroll, and one that asks to see what is closed (it is opened here).
# What axe cannot say of a contrast (a tick, a digit, text that is scrolled away) is computed below.
_RUN = """
(async () => {
  const out = [
    'color-contrast-enhanced', 'meta-refresh-no-exceptions', 'focus-order-semantics', 'hidden-content'];
  const values = %s.map(rule => rule.ruleId).filter(id => !out.includes(id));
  const found = await axe.run(%s, {
    runOnly: {type: 'rule', values}, resultTypes: ['violations', 'incomplete']});
  const unsure = found.incomplete.filter(rule => rule.id !== 'color-contrast');
  return [...found.violations, ...unsure].flatMap(rule => rule.nodes.map(node => [
    rule.id, node.target.join(' '), (node.failureSummary || rule.help).replace(/\\s+/g, ' '),
    node.html.slice(0, 200)].join(': ')));
})()
"""
_RULES = _RUN % ("axe.getRules()", "document")
_COLOURS = _RUN % ("axe.getRules(['cat.color'])", "document")
_COLOURS_OF_NEW = _RUN % ("axe.getRules(['cat.color'])", "newOnes")
_BUT_COLOURS = _RUN % ("axe.getRules().filter(rule => !rule.tags.includes('cat.color'))", "document")
_CONTRAST = """
(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const parts = (color) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data);
  };
  const light = ([r, g, b]) => [r, g, b]
    .map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parts(getComputedStyle(one).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('script, style, .board')) continue;
    const ink = getComputedStyle(element)[element.closest('svg text') ? 'fill' : 'color'];
    const [a, b] = [light(parts(ink)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`contrast of ${ratio}: ${walker.currentNode.data.trim().slice(0, 30)}`);
  }
  return poor;
})()
"""
# Each element by the tags, classes and roles of itself and its parent.
_SHAPES = """
(() => {
  const name = (one) => [one.localName, ...Array.from(one.classList).sort(), one.getAttribute('role')].join();
  window.shape = (one) => `${name(one.parentElement)} ${name(one)}`;
  return Array.from(new Set(Array.from(document.querySelectorAll('body *'), shape)));
})()
"""
# The elements of the shapes that are given, but for those inside others of them.
_FIND_NEW = """
(() => {
  const shapes = new Set(%s), found = new Set();
  for (const one of document.querySelectorAll('body *')) if (shapes.has(shape(one))) found.add(one);
  const isInside = (one) => {
    for (one = one.parentElement; one; one = one.parentElement) if (found.has(one)) return true;
    return false;
  };
  window.newOnes = Array.from(found).filter((one) => !isInside(one));
})()
"""
_OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


@functools.cache
def _source() -> str:
    found = sorted(Path(sys.prefix).glob("axe-*/axe_playwright_python/axe.min.js"))
    assert found, f"no axe-core in {sys.prefix}; expected it from `make test` or `make acceptance`"
    return found[-1].read_text()


def audit(page: Page, path: Path) -> list[str]:
    """Return all that axe finds on a page in any of its forms, each finding once.

    The forms: in a wide and a narrow window, as it opens and with all details open, in light and in dark
    colours; the latter only for the rules about colours, since nothing else depends on them.
    """
    page.show(path, width=WIDTHS[0])
    return audit_shown(page)


def audit_alike(page: Page, path: Path, known: set[str]) -> list[str]:
    """Return what `audit` does, in a fraction of the time, for one of many pages that are alike.

    Contrast is computed in all forms.  The rules run where a shape of an element is new, in the narrow window
    with all details open; those about colours, which take four fifths of the time, on the elements of such
    shapes alone, once in light and once in dark.
    known: the shapes of earlier pages; those of this page are added.
    """
    page.show(path, width=WIDTHS[0])
    shapes = set(page.value(_SHAPES))
    is_new = not shapes <= known
    if is_new:
        page.value(_source() + "; axe.version")
        page.value(_FIND_NEW % json.dumps(sorted(shapes - known)))
    found: dict[str, None] = {}
    page.value(_OPEN_ALL)
    for width, last in zip(WIDTHS, (False, True), strict=True):
        page.resize(width)
        for dark in (not last, last):
            page.emulate(dark=dark)
            found |= dict.fromkeys(page.value(_CONTRAST))
        if is_new:  # light in the wide window, dark in the narrow one
            found |= dict.fromkeys(page.value(_COLOURS_OF_NEW))
    found |= dict.fromkeys(page.value(_BUT_COLOURS) if is_new else [])
    known |= shapes
    return list(found)


def audit_shown(page: Page) -> list[str]:
    """Return what `audit` does of the page that is open."""
    page.value(_source() + "; axe.version")
    found: dict[str, str] = {}

    def note(form: str, told: list[str]) -> None:
        for one in told:
            found.setdefault(one, form)

    for state in ("as it opens", "all open"):
        if state == "all open":
            page.value(_OPEN_ALL)
        for width in WIDTHS:
            page.resize(width)
            note(f"{width}, {state}", page.value(_RULES))
    for width in WIDTHS:
        for dark in (False, True):
            page.resize(width)
            page.emulate(dark=dark)
            form = f"{width}, {'dark' if dark else 'light'}"
            note(form, page.value(_CONTRAST))
            if dark:
                note(form, page.value(_COLOURS))
    return [f"{form}: {one}" for one, form in found.items()]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="support.axe", description="Check HTML files with axe-core.")
    parser.add_argument("file", nargs="+", type=Path, help="an HTML file, or a folder of them")
    parser.add_argument("--brief", action="store_true", help="each rule once a page")
    options: Any = parser.parse_args(arguments)
    files = [
        path
        for given in options.file
        for path in (sorted(given.rglob("*.html")) if given.is_dir() else [given])
    ]
    bad = 0
    with browser_page() as page:
        for path in files:
            found = audit(page, path)
            if options.brief:
                found = list({one.split(": ")[1]: one for one in found}.values())
            bad += bool(found)
            for one in found:
                print(f"{path}: {one}", flush=True)
    print(f"{len(files)} pages, {bad} with findings", file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())

"""How long are the pages of a student, and how far is it to the first fault?  In Chromium; no speed.

    python benchmarks/pages.py REPORT [STUDENT ...]

REPORT is a folder that `grader mark` wrote.  For each student (all, unless some are named) and both of their
pages it prints: the height at 1280 and at 400 pixels, the sheets of A4 in print, the cases that fail, those
of them that stand open, the rows of right cases in view, and the way to the first fault: a click where the
page begins with a link to it, else the screens of 900 pixels to scroll.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.chromium import Page, browser_page  # noqa: E402

from grader.reports.written_pages import page_path  # noqa: E402

_SCREEN = 900
_FAULT = ":is(details.case.bad, details.case.part, details.case.idle)[open], .load"
"""The first of these tells what is wrong with a case: an open failed one, or a module that does not load."""
_ROWS = "Array.from(document.querySelectorAll('{}')).filter(one => one.checkVisibility()).length"
_TOP = (
    "(() => { const found = document.querySelector(" + json.dumps(_FAULT) + ");"
    " return found ? Math.round(found.getBoundingClientRect().top) : null; })()"
)
_COLUMNS = (
    "page",
    "1280 px",
    "400 px",
    "sheets",
    "failed",
    "open",
    "right rows",
    "first fault at",
    "way to it",
)


def main() -> int:
    """Measure the pages and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("students", nargs="*", metavar="STUDENT")
    options = parser.parse_args()
    results = json.loads((options.report / "results.json").read_text("utf-8"))
    print("".join(f"{name:>16}" for name in _COLUMNS))
    with browser_page() as page:
        for submission in results["submissions"]:
            if options.students and submission["id"] not in options.students:
                continue
            cases = [case for question in submission["questions"] for case in question["cases"]]
            failed = sum(case["verdict"] != "accepted" for case in cases)
            for folder in ("students", "staff"):
                row = measured(page, options.report / page_path(folder, submission["id"]))
                row.insert(3, failed)
                print("".join(f"{cell:>16}" for cell in (f"{folder[:5]} {submission['id'][-9:]}", *row)))
    return 0


def measured(page: Page, path: Path) -> list[object]:
    """Return the figures of one page."""
    heights = []
    for width in (400, 1280):
        page.show(path, width=width)
        heights.append(page.value("document.documentElement.scrollHeight"))
    top = page.value(_TOP)
    link = page.value("Boolean(document.querySelector('.start a[href]'))")
    if top is None:
        way = "no fault"
    elif link:
        way = "1 click"
    else:
        way = f"{max(0, top - _SCREEN) / _SCREEN:.1f} screens"
    return [
        heights[1],
        heights[0],
        sheets(page),
        page.value(_ROWS.format("details.case:is(.bad, .part, .idle)[open]")),
        page.value(_ROWS.format(":is(details.case, .withheld).good")),
        "" if top is None else f"{top} px",
        way,
    ]


def sheets(page: Page) -> int:
    """Return the number of sheets of A4 that the page prints on."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf()))


if __name__ == "__main__":
    sys.exit(main())

"""The index page of large classes: bytes, time and memory to write it, and time in a headless Chromium.

For classes of each size: CPU seconds to gather the figures and to write the page, by how much memory grew,
the page's bytes, and the milliseconds in the browser until it is laid out, and of a search, a sort, a filter
and a step on the map.  Then tasks of an instructor, in clicks and in pixels to scroll at 1280 x 900;
`--also FOLDER` measures them in another report of the same class, for example of an earlier version.

    python benchmarks/index_page.py --sizes 200,2000,10000
"""

import argparse
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.chromium import Page, browser_page  # noqa: E402
from support.made_class import HARDEST, KNOWN_ANSWER, SLOW, TASK, made_class  # noqa: E402
from support.results_sample import RUN  # noqa: E402

from grader.model.results import RunResults  # noqa: E402
from grader.reports.html.pages import Pages  # noqa: E402
from grader.reports.views.cohort.cohort import Cohort  # noqa: E402
from grader.store.results_json import write_results  # noqa: E402

WIDTH, HEIGHT = 1280, 900
ROUNDS = 5
LAID_OUT = "(document.body.offsetHeight, performance.now())"
TIMED = (
    "(() => {{ const t = performance.now(); {}; document.body.offsetHeight;"
    " return performance.now() - t; }})()"
)
SEARCH = (
    "const f = document.querySelector('.filters input'); f.value = 'ada';"
    " f.dispatchEvent(new Event('input', {bubbles: true}))"
)
SORT = "document.querySelectorAll('.students th button')[1].click()"
FILTER = (
    "const s = document.querySelectorAll('.filters select')[1];"
    " s.value = Array.from(s.options).find(one => one.text === 'time limit').value;"
    " s.dispatchEvent(new Event('input', {bubbles: true}))"
)
STEP = (
    "document.querySelector('.to-case').dispatchEvent("
    "new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}))"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="200,2000,10000", help="students in each class")
    parser.add_argument("--write", type=Path, help="write the results of a class of 200 here, and end")
    parser.add_argument("--also", type=Path, help="a report of that class, to measure the tasks in")
    given = parser.parse_args()
    if given.write:
        given.write.mkdir(parents=True, exist_ok=True)
        write_results(given.write / "results.json", RunResults(RUN, TASK, list(made_class(200))))
        return
    with tempfile.TemporaryDirectory() as folder, browser_page() as page:
        print(
            "| students | gather s | write s | memory MiB | bytes "
            "| laid out ms | search ms | sort ms | filter ms | step ms |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|")
        for size in map(int, given.sizes.split(",")):
            print(measured(Path(folder), size, page), flush=True)
        write(Path(folder), 200)
        print("\ntasks, in clicks and pixels to scroll:")
        for name, index in (("this", Path(folder) / "index.html"), ("other", given.also)):
            if index is not None:
                path = index if index.suffix else index / "index.html"
                for task, effort in tasks(page, path).items():
                    print(f"| {name} | {task} | {effort} |")


def write(folder: Path, size: int) -> tuple[float, float, int]:
    """Write the index of a class; return CPU seconds to gather and to write, and MiB that memory grew by."""
    before = memory_b()
    students = made_class(size)
    cohort = Cohort(TASK.max_mark)
    gather_s = 0.0
    for student in students:
        start = time.process_time()
        cohort.add(student)
        gather_s += time.process_time() - start
    start = time.process_time()
    with (folder / "index.html").open("w", encoding="utf-8") as file:
        file.writelines(Pages(RUN, TASK).index(cohort))
    return gather_s, time.process_time() - start, (memory_b() - before) >> 20


def memory_b() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def measured(folder: Path, size: int, page: Page) -> str:
    gather_s, write_s, grown = write(folder, size)
    index = folder / "index.html"
    figures: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        page.show(index, width=WIDTH, height=HEIGHT)
        figures.setdefault("laid out", []).append(page.value(LAID_OUT))
        for name, action in (("search", SEARCH), ("sort", SORT), ("filter", FILTER), ("step", STEP)):
            figures.setdefault(name, []).append(page.value(TIMED.format(action)))
    shown = " | ".join(f"{statistics.median(times):.0f}" for times in figures.values())
    size_b = index.stat().st_size
    return f"| {size:,} | {gather_s:.2f} | {write_s:.2f} | {grown} | {size_b:,} | {shown} |"


# -- tasks of an instructor ---------------------------------------------------------------------------

SEEN_AT = """
(text => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode;
    if (one.data.includes(text) && one.parentElement.getClientRects().length)
      return Math.round(one.parentElement.getBoundingClientRect().bottom + scrollY);
  }
  return -1;
})(%r)
"""


def tasks(page: Page, index: Path) -> dict[str, str]:
    """Return the effort of each task: clicks, and pixels below the first screen."""
    page.show(index, width=WIDTH, height=HEIGHT)
    is_new = page.value("document.querySelector('details.loss') !== null")
    found = {
        "the hardest case": seen(page, f"{HARDEST}: ") if is_new else "not on the index; 200 pages to open",
        "its commonest wrong answer": seen(page, KNOWN_ANSWER)
        if is_new
        else "not on the index; 200 pages to open",
    }
    someone = "student-00150"
    if page.value("document.querySelector('.filters') !== null"):
        found["one student's page"] = "1 click to the students, a name, 1 click"
        page.value(FILTER + "; true")
        rows = page.value("document.querySelectorAll('.students tbody tr').length")
        found[f"all who time out (in {SLOW})"] = f"1 choice: {rows} students listed"
        found["the case on a student's page"] = "1 click on the map"
    else:
        found["one student's page"] = f"1 click, {seen(page, someone)}"
        found[f"all who time out (in {SLOW})"] = "not on the index; 200 pages to open"
        found["the case on a student's page"] = "1 click, then scroll on that page"
    height = page.value("document.documentElement.scrollHeight")
    return found | {"the whole page": f"{height:,} px"}


def seen(page: Page, text: str) -> str:
    at = page.value(SEEN_AT % text)
    return f"0 clicks, {beyond(at)} px" if at >= 0 else "not there"


def beyond(at: int) -> int:
    return max(0, at - HEIGHT)


if __name__ == "__main__":
    main()

"""Marks by hand, with a stopwatch: the keys for a class, and how long the page makes a marker wait.

A task of three criteria is marked for a class, and then reviewed in a headless Chromium by keys alone.  The
first table counts the keys for 12 works: on the page, and in the file of reviews as `grader mark` writes it.
For the file that is what the cursor needs from one blank to the next, and the digits; the marker's name is
typed once for each work.  The second says how long it takes from a key to the disk, and to the next work.

    python benchmarks/review.py --students 1000
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.chromium import Page, browser_page  # noqa: E402
from support.reviewing import reviewing  # noqa: E402

GRADER = Path(sys.executable).with_name("grader")
MARKER = "A. Marker"
KEY_S = 0.2
"""Seconds for a key, for an average typist: the keystroke-level model (Card, Moran, Newell, 1980)."""
ROUNDS = 20
SPEC = """task: essay
title: Three criteria
marks: 4
modules: {work: work.py}
questions:
  - id: program
    title: The program
    marks: 1
    cases: [{call: double(4), returns: 8}]
  - id: report
    title: The report
    marks: 3
    criteria:
"""
CRITERION = """      - id: {id}
        title: Criterion {id}
        marks: 1
        levels:
          - {{marks: 1, description: all}}
          - {{marks: 0.5, description: some}}
          - {{marks: 0, description: none}}
"""
SHOWN = "document.querySelectorAll('.criterion').length > 0"
SAVED = "document.getElementById('saved').textContent === 'saved'"


def write_class(folder: Path, students: int) -> Path:
    """Write the task and the works, and mark them; return the spec."""
    spec = folder / "essay.yaml"
    spec.write_text(SPEC + "".join(CRITERION.format(id=name) for name in "abc"))
    for number in range(students):
        work = folder / "in" / f"student-{number:04}"
        work.mkdir(parents=True)
        (work / "work.py").write_text(f"def double(number):\n    return 2 * number\n# {number}\n" * 30)
    out = folder / "out"
    subprocess.run([GRADER, "mark", spec, folder / "in", "-o", out, "-q"], check=True, capture_output=True)
    return spec


def keys_in_file(path: Path, works: int) -> int:
    """Return the keys that fill in the first works of a file of reviews."""
    keys = 0
    blocks = path.read_text().split("\n- student:")[1 : works + 1]
    for block in blocks:
        for line in block.splitlines():
            keys += 1  # down to the next line
            if line.strip() == "by:":
                keys += 1 + len(f" {MARKER}")
            elif line.strip().startswith("marks:"):
                keys += len("marks:") + len(" 1")  # along the line, before the comment
    return keys


def shows(number: int) -> str:
    """Return the expression that a work is shown."""
    return f"document.getElementById('who').textContent.includes('{number:04}')"


def mark_all(page: Page, works: int) -> int:
    """Mark so many works by keys; return how many keys that were."""
    keys = 0
    for number in range(works):
        page.until(shows(number))
        for key in ("1", "ArrowDown", "2", "ArrowDown", "1", "ArrowUp", "ArrowUp", "ArrowRight"):
            page.press(key)
            keys += 1
        page.until(SAVED)
    return keys


def took_s(page: Page, key: str, until: str) -> float:
    """Return how long it takes from a key until an expression is true."""
    began_s = time.perf_counter()
    page.press(key)
    page.until(until)
    return time.perf_counter() - began_s


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grader-review-") as made, browser_page() as page:
        spec = write_class(Path(made), given.students)
        works = min(12, given.students)
        in_file = keys_in_file(spec.parent / "reviews" / "essay.yaml", works)
        began_s = time.perf_counter()
        with reviewing(spec) as found:
            print(
                f"{given.students} students; the page is served after {time.perf_counter() - began_s:.2f} s"
            )
            page.resize(1280)
            page.open(found.url)
            page.until(SHOWN)
            on_page = mark_all(page, works)
            print(f"{works} works, three criteria    keys   at {KEY_S} s a key")
            for where, keys in (("on the page", on_page), ("in the file", in_file)):
                print(f"  {where:<25}{keys:6}   {keys * KEY_S:6.0f} s")
            saved, turned = [], []
            for number in range(works, min(works + ROUNDS, given.students - 1)):
                page.until(shows(number))
                saved.append(took_s(page, "1", SAVED))
                turned.append(took_s(page, "ArrowRight", shows(number + 1)))
            for what, times in (("from a key to the disk", saved), ("to the next work", turned)):
                middle, most = statistics.median(times) * 1000, max(times) * 1000
                print(f"{what:<25}{middle:6.0f} ms, at most {most:.0f} ms")
            page.open("about:blank")


if __name__ == "__main__":
    main()

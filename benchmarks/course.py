"""A term of many tasks and students: the time to mark it, to mark it again, to make its page and to open it.

A term is written, its tasks are marked once and then again with nothing changed, and the pages of the course
are written, first that of the course and then two for each student.  The time of a command is that of the
whole process by the clock; the page is opened in a headless Chromium, until it is laid out.

    python benchmarks/course.py --tasks 12 --students 1000
    python benchmarks/course.py --folder /tmp/term     # marked once, measured as often as one likes
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.chromium import browser_page  # noqa: E402

GRADER = Path(sys.executable).with_name("grader")
ROUNDS = 5
LAID_OUT = "(document.body.offsetHeight, performance.now())"
SPEC = """task: @
title: Sheet @
marks: 4
reference: ../reference
modules: {work: work.py}
questions:
"""
QUESTION = """  - id: "@"
    title: Part @
    marks: 1
    award: each
    cases:
"""
WORK = "def double(number):\n    return 2 * number\n"


def write_term(folder: Path, tasks: int, students: int) -> None:
    """Write a course with so many tasks of twenty cases, and a submission of everybody to each."""
    (folder / "specs").mkdir()
    (folder / "reference").mkdir()
    (folder / "reference" / "work.py").write_text(WORK)
    ids = [f"student-{number:04}" for number in range(students)]
    roster = "".join(f"{each},Person {each[-4:]},{each}@example.org\n" for each in ids)
    (folder / "roster.csv").write_text("student,name,mail\n" + roster)
    lines = []
    for number in range(1, tasks + 1):
        name = f"sheet-{number:02}"
        lines.append(f"  {name}: {{spec: specs/{name}.yaml, submissions: in/{name}, category: sheet}}\n")
        text = SPEC.replace("@", name)
        for question in range(1, 5):
            text += QUESTION.replace("@", str(question))
            text += "".join(
                f"      - {{call: double({question * 10 + case}), returns: same as reference}}\n"
                for case in range(5)
            )
        (folder / "specs" / f"{name}.yaml").write_text(text)
        for place, each in enumerate(ids):
            work = folder / "in" / name / each
            work.mkdir(parents=True)
            (work / "work.py").write_text(WORK if place % 3 else WORK.replace("2 *", f"{place % 5} *"))
    head = "course: term\ntitle: A term\nzone: Europe/Zurich\nroster: roster.csv\ntasks:\n"
    column = f"{{of: sheet, by: share, drop: {min(2, tasks - 1)}}}"
    book = f"gradebook:\n  sheets: {column}\npass:\n  - {{column: sheets, at least: 50%}}\n"
    (folder / "course.yaml").write_text(head + "".join(lines) + book)


@contextmanager
def temporary() -> Iterator[Path]:
    """Yield a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="grader-course-") as made:
        yield Path(made)


def seconds(folder: Path, *arguments: str) -> float:
    """Return how long a command takes by the clock."""
    began_s = time.perf_counter()
    subprocess.run([GRADER, *arguments], cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began_s


def page_s(folder: Path, page: Path) -> float:
    """Return how long it takes until the page of the course is there; those of students come after it."""
    began_s = time.time()
    seconds(folder, "course", "report")
    return page.stat().st_mtime - began_s


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument(
        "--folder", type=Path, help="keep the term here; one that is marked is not marked again"
    )
    given = parser.parse_args()
    with nullcontext(given.folder) if given.folder else temporary() as folder:
        print(f"{given.tasks} tasks, {given.students} students")
        if not (folder / "course.yaml").exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_term(folder, given.tasks, given.students)
        if not (folder / "reports").exists():
            print(f"first mark   {seconds(folder, 'course', 'mark', '-q'):8.2f} s")
        for name, words in (("second mark", ("mark", "-q")), ("report", ("report",))):
            took_s = statistics.median(seconds(folder, "course", *words) for _ in range(3))
            print(f"{name:<13}{took_s:8.2f} s")
        page_path = folder / "reports" / "course" / "index.html"
        print(f"its page     {statistics.median(page_s(folder, page_path) for _ in range(3)):8.2f} s")
        print(f"page         {page_path.stat().st_size / 1e6:8.2f} MB")
        with browser_page() as page:
            opened = []
            for _ in range(ROUNDS):
                page.show(page_path, width=1280)
                opened.append(float(str(page.value(LAID_OUT))))
        print(f"opened in    {statistics.median(opened):8.0f} ms")


if __name__ == "__main__":
    main()

"""A cohort that is too large for one page, with names that would harm a page if it let them."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from grader.model.results import RunResults
from grader.reports.html.pages import Pages
from grader.reports.html.parts import ROWS, parts
from grader.reports.views.cohort.cohort import Cohort
from support.results_sample import RUN, TASK, submissions

COUNT = 2 * ROWS + 7
HOSTILE = (
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<!--<script>",
    "]]>\u2028\u2029'\"\\",
    "\u202egnp.exe",
    "\ud800",
)


def large_cohort() -> Cohort:
    """Return `COUNT` students: those of the sample again and again, the hostile names last."""
    cohort = Cohort(TASK.max_mark)
    known = list(submissions())
    for number in range(COUNT - len(HOSTILE)):
        one = known[number % len(known)]
        cohort.add(replace(one, id=f"student-{number:05}", name=f"Student {number} of {one.name}"))
    for number, name in enumerate(HOSTILE):
        cohort.add(replace(known[0], id=f"zz-{number}{name}", name=name))
    assert cohort.max_mark > Fraction(0)
    return cohort


def write_pages(folder: Path) -> Path:
    """Write all pages of the cohort, and return the first."""
    head = RunResults(RUN, TASK, [])
    pages, cohort = Pages(head.run, head.task), large_cohort()
    for part in parts(COUNT):
        found = pages.index(cohort) if part.number == 1 else pages.further_index(cohort, part.number)
        (folder / part.file).write_text("".join(found), "utf-8")
    return folder / parts(COUNT)[0].file

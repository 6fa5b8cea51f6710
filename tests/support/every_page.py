"""A page of every kind, with every kind of content, in one folder."""

from dataclasses import replace
from pathlib import Path

from grader.course.pages.write import write_pages as write_course_pages
from grader.model.results import RunResults
from grader.model.task import PageLanguage
from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.comparison import compare
from grader.plugins.similar.page import page
from grader.plugins.similar.works import GivenCode
from grader.reports.html.pages import Pages
from grader.reports.html.validation import validation_page
from grader.reports.render import render_all
from grader.reports.views.cohort.cohort import cohort_of
from grader.reports.views.cohort.watched import LiveProgress
from grader.reports.words import speaking
from support import every_detail
from support.course_sample import standing
from support.large_cohort import write_pages
from support.many_programs import STARTER, program, renamed, reordered
from support.results_sample import RUN, TASK, results
from support.validation_sample import faulty, well
from support.works import Here, work

KINDS = {
    "index": "sample/index.html",
    "staff": "detailed/staff/student-01.html",
    "student": "detailed/students/student-01.html",
    "similar": "similar.html",
    "validation": "validation.html",
    "watched": "watched.html",
    "course": "course/index.html",
    "term": "course/staff/student-01.html",
}
"""A page of each kind, with all that it can show."""
FURTHER_KINDS = {
    "no submissions": "empty/index.html",
    "page 3": "large/index-3.html",
    "verdicts": "sample/students/student-03.html",
    "nothing": "sample/students/student-06.html",
    "all well": "validation-well.html",
    "own term": "course/students/student-01.html",
    "course in German": "kurs/index.html",
    "course, page 2": "kurs/index-2.html",
    "term in German": "kurs/students/student-01.html",
}

MARKUP = "</pre><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"


def write_every_page(folder: Path) -> list[Path]:
    """Write the pages; return their paths."""
    detailed = RunResults(every_detail.RUN, every_detail.TASK, every_detail.submissions())
    render_all(results(), folder / "sample")
    render_all(detailed, folder / "detailed")
    render_all(RunResults(RUN, TASK, []), folder / "empty")
    (folder / "large").mkdir()
    write_pages(folder / "large")
    served = Pages(RUN, TASK, LiveProgress(6, 40, "reports/knights-tour/index.html"))
    (folder / "watched.html").write_text("".join(served.index(cohort_of(results()))), "utf-8")
    (folder / "similar.html").write_text(similar_page(), "utf-8")
    (folder / "validation.html").write_text(validation_page(faulty()), "utf-8")
    (folder / "validation-well.html").write_text(validation_page(well()), "utf-8")
    write_course_pages(standing(), folder / "course", stale=("words",))
    with speaking("de"):
        german = standing()
    german = replace(german, course=replace(german.course, language=PageLanguage.GERMAN))
    write_course_pages(german, folder / "kurs", stale=("words",), rows=5)
    return sorted(folder.rglob("*.html"))


def similar_page() -> str:
    """Return the page of a class with copies, and with hostile names and sources."""
    given = GivenCode(Here(), [STARTER], [program(90, functions=3)])
    texts = {f"student-{seed:02}": program(seed) for seed in range(12)}
    texts["W" * 300] = reordered(program(1)).replace("print('value'", f"print({MARKUP!r} '{'y' * 900}'")
    texts[MARKUP] = renamed(program(2))
    texts["short"] = "x = 1"
    texts["taken " + MARKUP] = renamed(program(90, functions=3))
    works = [work(name, text, given) for name, text in texts.items()]
    found = compare(works, likeness, with_reference=True)
    assert found.copies
    assert found.pairs
    assert found.equal
    return page(RUN, TASK, found, ("unread " + MARKUP,))

"""A cohort too large for one page: its pages, and the data by which a script finds any student.

Each part is a page of its own, so a browser shows it at once and every student can be reached without a
script.  The first page also holds the rows of all students as data, with equal cells stored once.  The script
makes table rows only of those that it must show.
"""

from collections.abc import Callable, Iterable, Iterator

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from grader.reports.escape import visible
from grader.reports.html.chart import map_columns, map_edges, map_row_px
from grader.reports.html.parts import ROWS
from grader.reports.views.anchor import case_anchor
from grader.reports.views.cohort.case_figures import VERDICT_OF
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.index import LOSING, CellView, RowView, TotalView
from grader.reports.views.wording import verdict_wording
from grader.reports.written_pages import STAFF_FOLDER

MAPPED = 2_000
"""The most students on the map at once."""


def all_students(
    cohort: Cohort,
    rows: Iterable[RowView],
    total_cell: Callable[[TotalView], Markup],
    question_cell: Callable[[CellView], Markup],
) -> Iterator[Markup]:
    """Yield the JSON of all students, piece by piece, fit for a `script` element.

    total_cell, question_cell: return the HTML of a cell, with all foreign text escaped.
    """
    totals: dict[TotalView, int] = {}
    cells: dict[CellView, int] = {}
    verdicts: dict[str, int] = {}
    flags: dict[str, int] = {}
    separator = Markup('{"students": [')
    for row in rows:
        student = (
            visible(row.name),
            visible(row.id),
            "" if row.link == f"{STAFF_FOLDER}/{visible(row.id)}.html" else row.link,
            row.tags,
            totals.setdefault(row.total, len(totals)),
            [cells.setdefault(cell, len(cells)) for cell in row.cells],
            verdicts.setdefault(row.verdicts, len(verdicts)),
            [flags.setdefault(flag, len(flags)) for flag in row.flags],
        )
        yield separator + _json(student)
        separator = Markup(",\n")
    yield Markup('],\n"totals": ') + _json([(_number(one.value), str(total_cell(one))) for one in totals])
    yield Markup(',\n"cells": ') + _json(
        [(_number(one.value), str(question_cell(one)), one.tone in LOSING) for one in cells]
    )
    rest = {"verdicts": list(verdicts), "flags": list(flags), "size": ROWS, "mapped": MAPPED}
    for key, value in (rest | _about_cases(cohort, verdicts)).items():
        yield Markup(f',\n"{key}": ') + _json(value)
    yield Markup("}")


def _about_cases(cohort: Cohort, verdicts: Iterable[str]) -> dict[str, object]:
    """Return the questions, the columns of the map, and the words of the verdicts that occur."""
    questions, cases = list(cohort.questions), cohort.case_at
    columns = map_columns(cohort)
    used = sorted(set().union(*verdicts) - {" "})
    words = {letter: verdict_wording(VERDICT_OF[letter]) for letter in used}
    return {
        "questions": list(map(visible, questions)),
        "cases": [
            (visible(cases[at].id), case_anchor(cases[at].id), questions.index(cases[at].question), at)
            for at in columns
        ],
        "edges": map_edges(cohort, columns),
        "row": map_row_px(cohort),
        "words": {letter: (wording.word, wording.tone) for letter, wording in words.items()},
    }


def _number(value: str) -> float | None:
    """Return the number by which a cell is sorted, None for last."""
    return float(value) if value else None


def _json(value: object) -> Markup:
    return htmlsafe_json_dumps(value, separators=(",", ":"))

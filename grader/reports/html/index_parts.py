"""A cohort too large for one page: its pages, and the data by which a script finds any student.

Each part is a page of its own, so a browser shows it at once and every student can be reached without a
script.  The first page also holds the rows of all students as data, with equal cells stored once.  The script
makes table rows only of those that it must show.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from grader.reports.escape import visible
from grader.reports.views.index import CellView, RowView, TotalView
from grader.reports.written_pages import index_file

ROWS = 500
"""Students on one page."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of the cohort.  first, last: its students, from 1; of: the number of students; as texts."""

    number: int
    file: str
    first: str
    last: str
    of: str


def parts(count: int) -> list[Part]:
    """Return the pages of a cohort of `count` students; at least one."""
    return [
        Part(number, index_file(number), f"{start + 1:,}", f"{min(start + ROWS, count):,}", f"{count:,}")
        for number, start in enumerate(range(0, max(count, 1), ROWS), 1)
    ]


def rows_of(part: Part) -> slice:
    return slice((part.number - 1) * ROWS, part.number * ROWS)


def all_students(
    rows: Iterable[RowView],
    total_cell: Callable[[TotalView], Markup],
    question_cell: Callable[[CellView], Markup],
) -> Iterator[Markup]:
    """Yield the JSON of all rows, piece by piece, fit for a `script` element.

    total_cell, question_cell: return the HTML of a cell, with all foreign text escaped.
    """
    totals: dict[TotalView, int] = {}
    cells: dict[CellView, int] = {}
    separator = Markup('{"students": [')
    for row in rows:
        known = [cells.setdefault(cell, len(cells)) for cell in row.cells]
        student = {
            "name": visible(row.name),
            "id": visible(row.id),
            "link": row.link,
            "tags": row.tags,
            "total": totals.setdefault(row.total, len(totals)),
            "cells": known,
        }
        yield separator + htmlsafe_json_dumps(student)
        separator = Markup(",\n")
    yield Markup('],\n"totals": ') + _kinds((one.value, total_cell(one)) for one in totals)
    yield Markup(',\n"cells": ') + _kinds((one.value, question_cell(one)) for one in cells)
    yield Markup("}")


def _kinds(cells: Iterable[tuple[str, Markup]]) -> Markup:
    """Return the JSON of cells: for each the number by which it is sorted, `null` for last, and its HTML."""
    return htmlsafe_json_dumps([(float(value) if value else None, str(html)) for value, html in cells])

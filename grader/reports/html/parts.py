"""The pages of a cohort that is too large for one."""

from dataclasses import dataclass

from grader.reports.written_pages import index_file

ROWS = 200
"""Students on one page."""


@dataclass(frozen=True, slots=True)
class IndexPart:
    """One page of the cohort.  first, last: its students, from 1; of: the number of students; as texts."""

    number: int
    file: str
    first: str
    last: str
    of: str


def parts(count: int, each: int = ROWS) -> list[IndexPart]:
    """Return the pages of a cohort of `count` students; at least one.  each: students on one page."""
    return [
        IndexPart(number, index_file(number), f"{start + 1:,}", f"{min(start + each, count):,}", f"{count:,}")
        for number, start in enumerate(range(0, max(count, 1), each), 1)
    ]


def rows_of(part: IndexPart, each: int = ROWS) -> slice:
    return slice((part.number - 1) * each, part.number * each)

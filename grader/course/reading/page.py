"""Generates the tables of `docs/course.md` from the tables of keys.

`python -m grader.course.reading.page` writes them into the folder `docs` of a checkout.
"""

from pathlib import Path

from grader.course.reading.keys import (
    ADDED_DAYS,
    ANSWER,
    COLUMN,
    COURSE,
    EXCUSED,
    EXTENSION,
    PASS,
    REQUEST,
    REQUESTS,
    SCALE,
    SLIP_DAYS,
    TASK,
)
from grader.spec.schema import with_tables

PAGE = "course.md"
_PEOPLE = (EXTENSION, EXCUSED, SLIP_DAYS, ADDED_DAYS, REQUESTS, REQUEST, ANSWER)
TABLES = (COURSE, TASK, *_PEOPLE, COLUMN, SCALE, PASS)


def generated(page: str) -> str:
    """Return the page with every table between its marks generated again."""
    return with_tables(page, TABLES)


if __name__ == "__main__":
    path = Path("docs", PAGE)
    path.write_text(generated(path.read_text(encoding="utf-8")), encoding="utf-8")

"""Markdown: a table of the marks, for the staff; no text of a student is markup in it."""

from collections.abc import Iterable
from pathlib import Path

from grader.exports.format import Format
from grader.exports.job import Job, Row, rows
from grader.reports.escape import markdown_text
from grader.reports.views.wording import short_number


def write(job: Job) -> list[Path]:
    """Write the table."""
    return [job.write(job.target, table(job, rows(job)))]


def table(job: Job, found: Iterable[Row]) -> bytes:
    """Return the table of marks."""
    task = job.results.task
    lines = [f"# {markdown_text(task.title or task.id)}", ""]
    lines += [f"| Student | Name | Mark of {short_number(task.max_mark)} | Status |", "|---|---|---:|---|"]
    for row in found:
        cells = (
            markdown_text(row.id),
            markdown_text(row.name),
            row.cell(job.zeros),
            markdown_text(row.status),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return ("\n".join(lines) + "\n").encode()


FORMAT = Format("a table of marks", "marks.md", write)

"""Markdown: a table of the marks, for the staff; no text of a student is markup in it."""

from pathlib import Path

from grader.exports.job import Job, rows
from grader.reports.escape import markdown_text
from grader.reports.views.wording import short_number


def write(job: Job) -> list[Path]:
    """Write the table."""
    task = job.results.task
    lines = [f"# {markdown_text(task.title or task.id)}", ""]
    lines += [f"| Student | Name | Mark of {short_number(task.max_mark)} | Status |", "|---|---|---:|---|"]
    for row in rows(job):
        cells = (
            markdown_text(row.id),
            markdown_text(row.name),
            row.cell(job.zeros),
            markdown_text(row.status),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return [job.write(job.target, ("\n".join(lines) + "\n").encode())]

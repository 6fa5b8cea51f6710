"""GitHub Classroom: two notices that it reads the points from, and feedback as Markdown, for each student.

classroom-resources/autograding-grading-reporter, `src/notify-classroom.js` (1549b907200d): `Autograding
complete` with `Points x/y`, and `Autograding report` with the points as JSON.  A workflow prints
`notices.txt` and appends `feedback.md` to its summary.  No line of a student's text is a workflow command.
"""

import json
from fractions import Fraction
from pathlib import Path

from grader.exports.format import Format
from grader.exports.job import Job, Row, json_number, rows
from grader.exports.tree import replacing_tree
from grader.intake.names import listed
from grader.marking.rounding import csv_number
from grader.model.results import Status, SubmissionResult
from grader.reports.escape import markdown_block, markdown_text, workflow_message
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines

NOTICES, FEEDBACK = "notices.txt", "feedback.md"
_MOST_B = 1000 * 1024
"""A job's summary has at most 1 MiB a step; above it GitHub drops it whole."""


def write(job: Job) -> list[Path]:
    """Write a folder with a folder for each student."""
    found = {row.id: row for row in rows(job)}
    bonus = [row.name for row in found.values() if row.mark > job.results.task.max_mark]
    if bonus:
        job.tell(
            f"{len(bonus)} above the maximum, which Classroom may show as more than all: {listed(bonus)}"
        )
    job.tell_of_release()

    def make(folder: Path) -> None:
        for submission in job.results.submissions:
            place = folder / submission.id
            place.mkdir()
            (place / FEEDBACK).write_bytes(feedback_of(job, submission))
            (place / NOTICES).write_text(notices_of(job, found[submission.id]), encoding="utf-8")

    return [replacing_tree(job.target, make)]


def notices_of(job: Job, row: Row) -> str:
    """Return the notices; none where there is no mark."""
    points = row.cell(job.zeros)
    if not points:
        what = "pending" if row.status == Status.PENDING else "nothing was handed in"
        return f"::warning title=No mark::{workflow_message(what)}\n"
    most = csv_number(job.results.task.max_mark)
    report = json.dumps(
        {"totalPoints": json_number(Fraction(points)), "maxPoints": json_number(Fraction(most))},
        separators=(",", ":"),
    )
    return (
        f"::notice title=Autograding complete::{workflow_message(f'Points {points}/{most}')}\n"
        f"::notice title=Autograding report::{workflow_message(report)}\n"
    )


def feedback_of(job: Job, submission: SubmissionResult) -> bytes:
    """Return the Markdown of what `grader check` would print, with what the student may see."""
    title = markdown_text(job.results.task.title or job.results.task.id)
    text = to_text(check_lines(job.results.task, submission, released=job.released))
    whole = f"## {title}\n\n{markdown_block(text)}".encode()
    if len(whole) <= _MOST_B:
        return whole
    cut = text.encode()[: _MOST_B // 2].decode("utf-8", "ignore")
    return f"## {title}\n\n{markdown_block(cut)}\nThe rest is left out: it is too long for GitHub.\n".encode()


FORMAT = Format("points and feedback for each student", "github", write)

"""GitHub Actions: annotations at the students' lines, a summary of the job, and outputs of a step.

A workflow prints `annotations.txt`, appends `summary.md` to `$GITHUB_STEP_SUMMARY` and `outputs.txt` to
`$GITHUB_OUTPUT`.  GitHub shows ten annotations of a kind for a step, and drops a summary above 1 MiB.
docs.github.com, "Workflow commands for GitHub Actions" (read 2026-11).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.exports import markdown
from grader.exports.forge import github_classroom
from grader.exports.forge.faults import FaultAtLine, Folders, faults_at_lines
from grader.exports.format import Format
from grader.exports.job import Job, Row, rows
from grader.exports.tree import replacing_tree
from grader.marking.rounding import csv_number
from grader.model.results import Status, SubmissionResult
from grader.reports.escape import workflow_message, workflow_property
from grader.reports.views.wording import counted

ANNOTATIONS, SUMMARY, OUTPUTS = "annotations.txt", "summary.md", "outputs.txt"
_MOST_SHOWN = 10
_MOST_CASES = 5


def write(job: Job) -> list[Path]:
    """Write the folder."""
    found = rows(job)
    submissions = list(job.results.submissions)
    job.tell_of_release()

    def make(folder: Path) -> None:
        (folder / ANNOTATIONS).write_text("".join(_annotations(job, found, submissions)), encoding="utf-8")
        if len(submissions) == 1:
            (folder / SUMMARY).write_bytes(github_classroom.feedback_of(job, submissions[0]))
        else:
            (folder / SUMMARY).write_bytes(markdown.table(job, found))
        (folder / OUTPUTS).write_text(_outputs(job, found), encoding="utf-8")

    return [replacing_tree(job.target, make)]


def _annotations(job: Job, found: Sequence[Row], submissions: Sequence[SubmissionResult]) -> Iterator[str]:
    folders = Folders(job)
    names = {row.id: row.name for row in found}
    faults = [
        (names[submission.id] if len(submissions) > 1 else "", fault)
        for submission in submissions
        for fault in faults_at_lines(job, submission, folders)
    ]
    # GitHub shows those without a place in the summary alone, which has them anyway.
    shown = ([each for each in faults if each[1].file] or faults)[:_MOST_SHOWN]
    for name, fault in shown:
        yield _annotation(name, fault)
    if len(faults) > len(shown):
        place = "the summary of the job" if len(submissions) == 1 else "the report"
        yield f"::notice title=More::{counted(len(faults), 'fault')} in all; see {place}\n"
    if len(found) == 1:
        yield github_classroom.notices_of(job, found[0])


def _annotation(name: str, fault: FaultAtLine) -> str:
    title = f"{name}: {fault.title}" if name else fault.title
    place = f"file={workflow_property(fault.file)},line={fault.line}," if fault.file else ""
    others = fault.cases[1:]
    also = f"\nalso in {', '.join(others[:_MOST_CASES])}" if others else ""
    more = f" and {counted(len(others) - _MOST_CASES, 'more case')}" if len(others) > _MOST_CASES else ""
    message = workflow_message(fault.message + also + more)
    return f"::error {place}title={workflow_property(title)}::{message}\n"


def _outputs(job: Job, found: Sequence[Row]) -> str:
    """Return the mark of the one submission; an empty one where it is pending, or there are several."""
    mark = found[0].cell(job.zeros) if len(found) == 1 and found[0].status == Status.MARKED else ""
    return f"mark={mark}\nmax-mark={csv_number(job.results.task.max_mark)}\n"


FORMAT = Format("annotations, a summary and outputs", "github-actions", write)

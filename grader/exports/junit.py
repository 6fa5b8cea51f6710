"""JUnit XML: a suite for each student, for the staff, with the time of the run."""

from pathlib import Path

from grader.exports.format import Format
from grader.exports.job import Job
from grader.reports.junit import JUnitFile


def write(job: Job) -> list[Path]:
    """Write the file."""
    run = job.results.run
    with JUnitFile(job.target, job.results.task.id, timestamp=run.started) as file:
        for submission in job.results.submissions:
            file.add(submission)
    return [job.target]


FORMAT = Format("JUnit XML", "junit.xml", write)

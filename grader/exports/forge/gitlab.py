"""GitLab: JUnit for the tests of a merge request, and a code quality report with the lines at fault.

docs.gitlab.com, "Code Quality", "Import code quality results from a CI/CD job" (read 2026-11): a list of
objects with `description`, `check_name`, `fingerprint`, `severity` and `location`; paths are relative.
"""

import json
from hashlib import sha256
from pathlib import Path

from grader.exports.forge.faults import FaultAtLine, Folders, faults_at_lines
from grader.exports.format import Format
from grader.exports.job import Job
from grader.exports.tree import replacing_tree
from grader.reports.escape import visible
from grader.reports.junit import JUnitFile

JUNIT, QUALITY = "junit.xml", "code-quality.json"


def write(job: Job) -> list[Path]:
    """Write the folder."""
    job.tell_of_release()
    run, folders = job.results.run, Folders(job)

    def make(folder: Path) -> None:
        findings = []
        options = {"for_students": True, "released": job.released}
        with JUnitFile(folder / JUNIT, job.results.task.id, timestamp=run.started, **options) as file:
            for submission in job.results.submissions:
                file.add(submission)
                faults = faults_at_lines(job, submission, folders)
                findings += [_finding(fault) for fault in faults if fault.file]
        (folder / QUALITY).write_text(json.dumps(findings, indent=1), encoding="utf-8")

    return [replacing_tree(job.target, make)]


def _finding(fault: FaultAtLine) -> dict[str, object]:
    return {
        "description": visible(f"{fault.title}: {fault.message}", multiline=False),
        "check_name": "grader",
        "fingerprint": sha256(fault.key.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": "major",
        "location": {"path": visible(fault.file, multiline=False), "lines": {"begin": fault.line}},
    }


FORMAT = Format("JUnit and code quality for a merge request", "gitlab", write)

"""The formats that results can be exported to."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.exports import csv_file, junit, markdown, sources
from grader.exports.forge import github_actions, github_classroom, gitlab
from grader.exports.job import Job
from grader.exports.lms import blackboard, brightspace, canvas, gradescope, gradescope_autograder, moodle


@dataclass(frozen=True, slots=True)
class Format:
    """One format.  title: for the help.  file: its name in the folder of exports.  write: see the module."""

    title: str
    file: str
    write: Callable[[Job], list[Path]]
    takes_sheet: bool = False


FORMATS = {
    "moodle": Format("the grading worksheet, and a zip of feedback files", "moodle.csv", moodle.write, True),
    "canvas": Format("the gradebook's column", "canvas.csv", canvas.write, True),
    "brightspace": Format("the points of a grade item", "brightspace.csv", brightspace.write, True),
    "blackboard": Format("a column of Work Offline", "blackboard.csv", blackboard.write, True),
    "gradescope": Format("results.json for each student", "gradescope", gradescope.write),
    "gradescope-autograder": Format(
        "a zip that marks on Gradescope", "autograder.zip", gradescope_autograder.write
    ),
    "github-classroom": Format("points and feedback for each student", "github", github_classroom.write),
    "github-actions": Format("annotations, a summary and outputs", "github-actions", github_actions.write),
    "gitlab": Format("JUnit and code quality for a merge request", "gitlab", gitlab.write),
    "junit": Format("JUnit XML", "junit.xml", junit.write),
    "markdown": Format("a table of marks", "marks.md", markdown.write),
    "csv": Format("marks with names and ids", "marks.csv", csv_file.write),
    "jplag": Format("sources for JPlag, Dolos and compare50", "sources", sources.write),
}

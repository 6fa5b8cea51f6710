"""How marks came about, as the terminal tells it: the whole text as the file beside this test has it.

`GRADER_UPDATE_GOLDEN=1` writes the file anew; look at what `git diff` says then.
"""

import os
from pathlib import Path

import pytest
from support.people_sample import people
from support.results_sample import results

from grader.model.limits import Limits
from grader.model.results import RunResults
from grader.model.submission import SourceFile, Submission
from grader.model.task import Rounding
from grader.reports.terminal.explain import ExplainedPart, explain_lines
from grader.reports.terminal.lines import to_text
from grader.reports.views.provenance import Provenance

GOLDEN = Path(__file__).parent / "files"
KNOWN = Provenance(
    spec=("/home/ann/course/specs/tour.yaml", "/home/ann/course/reference/tour/tour.py"),
    work=Submission(
        id="student-02",
        name="student-02",
        files={"tour": SourceFile("sub\u202e/tour.py", "x = 1\n", ("read as latin-1",))},
        origin=Path("/home/ann/course/submissions/\x1b[31mstudent-02"),
    ),
    marked=("2026-03-03T0900-aaaa", "2026-03-03T09:00:00+00:00"),
    limits={"1.1": Limits(), "2.1": Limits(time_s=0.5)},
    rounding=Rounding(),
)


def explained(sample: RunResults, student: str, known: Provenance) -> str:
    (submission,) = (each for each in sample.submissions if each.id == student)
    return to_text(explain_lines(sample, submission, known, ExplainedPart()))


@pytest.mark.parametrize("name", ["explain.txt"])
def test_marks_are_explained_as_before(name: str) -> None:
    found = explained(results(), "student-02", KNOWN) + "\n" + "=" * 80 + "\n\n"
    found += "\n".join(
        explained(people(), each.id, Provenance(gap="From the results alone: it is gone."))
        for each in people().submissions
    )
    path = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")

"""The places of faults for tools that show them beside the code: a student's own lines, also in notebooks."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.results_sample import RUN, case, question

from grader.exports.forge.faults import Folders, faults_at_lines
from grader.exports.job import Job
from grader.model.results import Frame, Raised, RunResults, SourceText, Status, SubmissionResult, TaskHead
from grader.model.verdict import Verdict
from grader.wire.notebook import MARK, joined

PROGRAM = SourceText("leap", "sub/leap.py", "def leap(year):\n    return yaer\n", 0)
NOTEBOOK = SourceText(
    "leap", "leap.ipynb", joined([(1, "import math"), (3, "\nx = yaer")]).removeprefix(MARK), 0
)


def places(source: SourceText, *frames: Frame) -> list[tuple[str, int]]:
    raised = Raised("NameError", "name 'yaer' is not defined", frames)
    failed = replace(case("1.1", "f()", Verdict.EXCEPTION), raised=raised)
    result = SubmissionResult(
        id="s1",
        name="S",
        mark=Fraction(0),
        max_mark=Fraction(1),
        status=Status.MARKED,
        questions=(question("1", 0, failed),),
        sources=(source,),
    )
    folder = Path("nowhere")
    job = Job(RunResults(RUN, TaskHead("t", "T", Fraction(1)), [result]), folder, folder, lambda _: None)
    return [(fault.file, fault.line) for fault in faults_at_lines(job, result, Folders(job))]


LINE = "    return yaer"


@pytest.mark.parametrize(
    ("source", "frames", "place"),
    [
        (PROGRAM, [Frame("leap.py", 2, "leap", LINE)], ("sub/leap.py", 2)),
        (PROGRAM, [Frame("leap.py", 2, "leap", LINE), Frame("other.py", 1, "f", "x")], ("sub/leap.py", 2)),
        (PROGRAM, [Frame("leap.py", 3, "leap", LINE)], ("", 0)),
        (PROGRAM, [Frame("leap.py", 1, "leap", "a line that is not there")], ("", 0)),
        (NOTEBOOK, [Frame("cell 3 of leap.ipynb", 2, "", "x = yaer")], ("cell 3 of leap.ipynb", 2)),
    ],
)
def test_the_place_of_an_exception(source: SourceText, frames: list[Frame], place: tuple[str, int]) -> None:
    assert places(source, *frames) == [place]

"""Texts of students in exports: no workflow commands, no markup, no formulas, no closing of a block."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.class_of_40.sheets import classroom
from support.class_of_40.sheets import gradescope as reader
from support.class_of_40.sheets.refused import Refused
from support.results_sample import RUN

from grader.exports.forge import github_classroom
from grader.exports.job import Job
from grader.model.results import CaseResult, QuestionResult, RunResults, Status, SubmissionResult, TaskHead
from grader.model.verdict import Verdict
from grader.plugins.lms.exports import gradescope
from grader.reports.escape import markdown_block

EVIL = "::error title=x::hacked\n::set-output name=a::b\n  ::add-mask::c\n```\n# H\n\x1b[31m\u202e##[error]x"
TASK = TaskHead("leap", "Leap years", Fraction(2))
RESULT = SubmissionResult(
    id="s1",
    name=EVIL,
    mark=Fraction(1),
    max_mark=Fraction(2),
    status=Status.MARKED,
    problems=(EVIL,),
    questions=(
        QuestionResult(
            id="1",
            title="t",
            mark=Fraction(1),
            max_mark=Fraction(2),
            verdict=Verdict.WRONG_ANSWER,
            award="all",
            cases=(
                CaseResult(
                    id="1.1",
                    call="f()",
                    verdict=Verdict.WRONG_ANSWER,
                    actual=EVIL,
                    expected="1",
                    stdout=EVIL,
                    message=EVIL,
                ),
            ),
        ),
    ),
)


def job(folder: Path) -> Job:
    return Job(RunResults(RUN, TASK, (RESULT,)), folder, folder / "made", lambda text: None)


def test_no_text_is_a_command_of_the_workflow(tmp_path: Path) -> None:
    github_classroom.write(job(tmp_path))
    place = tmp_path / "made" / "s1"
    log = (place / "notices.txt").read_text("utf-8") + (place / "feedback.md").read_text("utf-8")
    assert [command.name for command in classroom.commands(log)] == ["notice", "notice"]
    assert classroom.read(log) == (1, 2)
    assert "##[" not in log
    assert "\x1b" not in log
    assert "\u202e" not in log


def test_no_text_ends_its_block() -> None:
    block = markdown_block("a\n```\n# heading\n`````\nb")
    fence, *inside, end = block.rstrip("\n").split("\n")
    assert fence == "``````text"
    assert end == "``````"
    assert not any(line.startswith("``````") for line in inside)


def test_gradescope_gets_plain_text(tmp_path: Path) -> None:
    gradescope.write(job(tmp_path))
    total, found = reader.read((tmp_path / "made" / "s1" / "results.json").read_bytes())
    assert total == 1
    assert {found[key] for key in ("output_format", "test_output_format", "test_name_format")} == {"text"}
    assert "\\u001b" not in json.dumps(found)


def test_a_failure_of_ours_has_no_score(tmp_path: Path) -> None:
    failed = replace(RESULT, status=Status.PENDING)
    # Gradescope adds the scores of the tests up where the file has none.
    with pytest.raises(Refused, match="neither the file nor a test has a score"):
        reader.read(gradescope.results_text(failed).encode())
    waiting = replace(failed, awaiting=("2.style",))
    assert json.loads(gradescope.results_text(waiting))["score"] == 1

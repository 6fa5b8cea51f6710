"""`grader validate`: its progress, its end, and what it calls enough."""

import importlib
from dataclasses import replace
from fractions import Fraction

import click
import pytest
from support.validating import written

from grader.cli.progress.stages import StageDisplay
from grader.model.validation import Check, Gravity, QuestionScore, Remark, Validation

COMMAND = importlib.import_module("grader.plugins.validate.command")

NINE_OF_TEN = Validation(
    task="small",
    title="Small",
    spec="small.yaml",
    spec_sha256="0",
    checks={},
    remarks=(),
    questions=(QuestionScore(id="1", title="", caught=9),),
    mutants=10,
)


def test_progress_tells_the_stage_and_the_count() -> None:
    display = StageDisplay(quiet=True)
    display.tell("trying mutants", 3, 12)
    assert display.words().startswith("trying mutants: 3 of 12 done")


def test_before_a_job_is_done_no_time_is_told() -> None:
    display = StageDisplay(quiet=True)
    display.tell("trying mutants", 0, 12)
    assert display.words() == "trying mutants: 0 of 12 done"


def test_an_interrupted_run_says_how_to_go_on(tmp_path, monkeypatch, capsys) -> None:
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMAND, "validate_task", interrupted)
    with pytest.raises(click.Abort):
        COMMAND.validate.main([str(written(tmp_path)), "-q", "-o", str(tmp_path)], standalone_mode=False)
    assert "the same command goes on from here" in capsys.readouterr().err


def scored(caught: int, total: int, *, fault: bool = False) -> Validation:
    """Return a validation in which so many mutants are caught."""
    missed = tuple(range(total - caught))
    score = QuestionScore(id="1", title="", caught=caught, survivors=missed)  # type: ignore[arg-type]
    remark = Remark(check=Check.REFERENCE, gravity=Gravity.FAULT, text="wrong")
    return replace(NINE_OF_TEN, questions=(score,), remarks=(remark,) if fault else ())


@pytest.mark.parametrize(
    ("found", "least", "met"),
    [
        (scored(10, 10), None, True),
        (scored(9, 10), None, False),
        (scored(9, 10), Fraction(90), True),
        (scored(9, 10), Fraction(91), False),
        (scored(0, 0), Fraction(100), True),
        (scored(10, 10, fault=True), None, False),
        (scored(10, 10, fault=True), Fraction(50), False),
    ],
)
def test_what_is_enough(found, least, met) -> None:
    assert COMMAND._is_met(found, least) is met

"""Trials of programs against single cases."""

import pytest
from support.validating import REFERENCE, task_of

from grader.engine.run_config import prepare_run
from grader.model.case import Visibility
from grader.plugins.validate.trial import ProgramTrials, TaskPart, part_of
from grader.sandbox.driver import LADDER


@pytest.fixture(scope="module")
def trials(tmp_path_factory):
    task = task_of(tmp_path_factory.mktemp("trials"))
    with ProgramTrials(prepare_run(task, LADDER[0], "")) as trials:
        yield trials


def verdicts(results):
    return {name: str(case.verdict) for name, case in results.items()}


def test_chosen_cases_run_alone(trials) -> None:
    results = trials.run({"work": REFERENCE}, ["divisors.2", "largest.4"])
    assert verdicts(results) == {"divisors.2": "accepted", "largest.4": "accepted"}


def test_no_case_costs_nothing(trials) -> None:
    assert trials.run({"work": REFERENCE}, []) == {}


def test_a_question_can_stop_at_its_first_failing_case(trials) -> None:
    program = {"work": "def largest(xs):\n    return xs[0]\n\n\ndef divisors(n):\n    return [1]\n"}
    cases = ["largest.6", "largest.2", "largest.1", "divisors.2"]
    assert verdicts(trials.run(program, cases, stops=True)) == {
        "largest.6": "accepted",
        "largest.2": "exception",
        "largest.1": "skipped",
        "divisors.2": "accepted",
    }
    assert verdicts(trials.run(program, cases))["largest.1"] == "wrong-answer"


def test_a_program_that_hangs_costs_one_limit_a_question(trials) -> None:
    program = {"work": REFERENCE.replace("    found = None\n", "    while True:\n        pass\n")}
    cases = ["largest.1", "largest.2", "largest.3", "divisors.1"]
    found = trials.run(program, cases, dict.fromkeys(cases, 0.1))
    assert verdicts(found) == {
        "largest.1": "time-limit",
        "largest.2": "skipped",
        "largest.3": "skipped",
        "divisors.1": "accepted",
    }
    assert found["largest.1"].time_limit_s == 0.1


def test_a_limit_is_never_above_the_specs(trials, tmp_path) -> None:
    task = task_of(tmp_path)
    part = part_of(task, TaskPart(("largest.1",), (("largest.1", 60.0),)))
    assert part.cases[0].limits.time_s == 5.0


def test_cases_of_a_trial_are_public_and_stand_alone(tmp_path) -> None:
    part = part_of(task_of(tmp_path), TaskPart(("largest.4", "largest.3")))
    assert [case.id for case in part.cases] == ["largest.4", "largest.3"]
    assert {case.visibility for case in part.cases} == {Visibility.PUBLIC}
    assert [case.needs for case in part.cases] == [(), ()]
    stopping = part_of(task_of(tmp_path), TaskPart(("largest.4", "largest.3"), stops=True))
    assert [case.needs for case in stopping.cases] == [(), ("largest.4",)]

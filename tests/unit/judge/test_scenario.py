"""Judging scenarios: which step failed and how, and what the others are worth."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import StubCheckers, judged, raising, with_what

from grader.judge.judge import CheckResult, Expected, judge
from grader.model.case import Bound, Call, Calls, Case, Check, Raises, Returns, SameAsReference, Step, Text
from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import CaseResult, Raised
from grader.model.verdict import Verdict

NEW = Call("Tour", (1, 3), text="tour = Tour(1, 3)", bind="tour")
MOVE = Call("tour.move", (9, 9), text="tour.move(9, 9)")
SHOW = Call("tour.print", (), text="tour.print()")
DRAW = Call("draw", (Bound("tour"),), text="draw(tour)")
READ = Call("tour.N", (), text="tour.N", reads=True)

STEPS = (
    Step(NEW),
    Step(MOVE, Returns(False)),
    Step(SHOW, prints=Text("K\n")),
    Step(DRAW, Returns(None)),
    Step(READ, Returns(6)),
)
RIGHT: tuple[Answer, ...] = (
    Returned(None, printed=""),
    Returned(False, printed=""),
    Returned(None, printed="K\n"),
    Returned(None, printed=""),
    Returned(6, printed=""),
)
NO_LOOK_UP = Raised("AttributeError", "'Tour' object has no attribute 'move'")


def scenario(*steps: Step, goes_on: bool = False) -> Case:
    return Case(
        id="1.1",
        text="tour = Tour(1, 3); …",
        what=Calls(steps=steps or STEPS, apart=True, goes_on=goes_on),
    )


def answers(*changes: tuple[int, Answer]) -> Outcome:
    changed = [dict(changes).get(number, answer) for number, answer in enumerate(RIGHT, 1)]
    return Outcome(ending=Ending.ANSWERED, answers=tuple(changed))


def verdicts(result: CaseResult) -> list[str]:
    return [str(step.verdict) for step in result.steps]


def test_a_right_scenario_is_accepted_with_all_its_steps() -> None:
    result = judged(scenario(), answers())
    assert (result.verdict, result.score, result.message) == (Verdict.ACCEPTED, 1, "")
    assert [step.text for step in result.steps] == [step.call.text for step in STEPS]
    assert verdicts(result) == ["accepted"] * 5
    assert result.steps[2].printed == "K\n"


def test_the_failing_step_is_named_and_ends_the_scenario() -> None:
    result = judged(scenario(), answers((2, Returned(True, printed=""))))
    assert (result.verdict, result.score) == (Verdict.WRONG_ANSWER, 0)
    assert result.message == "step 2, tour.move(9, 9): expected False, got True"
    assert (result.expected, result.actual) == ("False", "True")
    assert verdicts(result) == ["accepted", "wrong-answer", "skipped", "skipped", "skipped"]
    assert result.steps[1].message == "expected False, got True"
    assert {step.message for step in result.steps[2:]} == {"not judged: step 2 failed"}


def test_a_step_that_prints_the_wrong_text() -> None:
    result = judged(scenario(), answers((3, Returned(None, printed="K \n"))))
    assert result.message.startswith("step 3, tour.print(): printed text, line 1, column 2: expected K↵")
    assert (result.steps[2].printed, result.steps[2].expected_print) == ("K \n", "K\n")
    assert (result.printed, result.expected_print) == ("K \n", "K\n")


def test_going_on_earns_the_share_of_the_steps_that_state_something() -> None:
    result = judged(scenario(goes_on=True), answers((2, Returned(True, printed=""))))
    assert (result.verdict, result.score) == (Verdict.PARTIAL, Fraction(3, 4))
    assert verdicts(result) == ["accepted", "wrong-answer", "accepted", "accepted", "accepted"]
    assert result.message == "step 2, tour.move(9, 9): expected False, got True"
    two = judged(
        scenario(goes_on=True), answers((2, Returned(True, printed="")), (5, Returned(7, printed="")))
    )
    assert two.score == Fraction(1, 2)
    assert two.message.endswith("; 1 more of the 5 steps is not right")


def test_a_step_that_states_nothing_counts_where_it_fails() -> None:
    failing = replace(raising("ValueError"), printed="")
    steps = (Step(NEW), Step(MOVE), Step(READ, Returns(6)))
    outcome = Outcome(ending=Ending.ANSWERED, answers=(RIGHT[0], failing, RIGHT[4]))
    assert judged(scenario(*steps, goes_on=True), outcome).score == Fraction(1, 2)
    assert judged(scenario(*steps), outcome).message.startswith("step 2, tour.move(9, 9): raised ValueError")


def test_steps_of_an_object_that_was_never_made_are_told_so() -> None:
    failing = replace(raising("ValueError", "no"), printed="")
    lost = RaisedAnswer(Raised("NameError", "tour was never made"), ("NameError",), printed="")
    outcome = Outcome(ending=Ending.ANSWERED, answers=(failing, lost, lost, lost, lost))
    result = judged(scenario(goes_on=True), outcome)
    assert (result.verdict, result.score) == (Verdict.EXCEPTION, 0)
    assert result.message.startswith(
        "step 1, tour = Tour(1, 3): raised ValueError: no (line 7 of knight1.py)"
    )
    assert verdicts(result) == ["exception", *["skipped"] * 4]
    assert {step.message for step in result.steps[1:]} == {
        "not judged: tour was never made, as step 1 failed"
    }


def test_an_object_that_was_never_made_is_not_there_whatever_the_box_says() -> None:
    failing = replace(raising("ValueError"), printed="")
    result = judged(scenario(goes_on=True), answers((1, failing)))
    assert (result.score, verdicts(result)[1:]) == (0, ["skipped"] * 4)


def test_a_missing_method_is_missing() -> None:
    gone = RaisedAnswer(NO_LOOK_UP, ("AttributeError", "Exception", "BaseException"), printed="")
    result = judged(scenario(), answers((2, gone)))
    assert (result.verdict, result.message) == (
        Verdict.MISSING,
        "step 2, tour.move(9, 9): tour has no move",
    )
    inside = replace(gone, raised=replace(raising("AttributeError").raised, message=NO_LOOK_UP.message))
    assert judged(scenario(), answers((2, inside))).verdict is Verdict.EXCEPTION


def test_expected_exceptions_do_not_fail() -> None:
    steps = (Step(Call("Tour", (9, 9), text="Tour(9, 9)", bind="_"), Raises("ValueError")),)
    outcome = Outcome(ending=Ending.ANSWERED, answers=(raising("ValueError"),))
    assert judged(scenario(*steps), outcome).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (Ending.TIME, Verdict.TIME_LIMIT),
        (Ending.EXITED, Verdict.CRASHED),
        (Ending.MEMORY, Verdict.MEMORY_LIMIT),
        (Ending.OUTPUT, Verdict.OUTPUT_LIMIT),
        (Ending.ANSWER_SIZE, Verdict.OUTPUT_LIMIT),
    ],
)
def test_a_scenario_that_ends_badly_keeps_the_steps_before(ending: Ending, verdict: Verdict) -> None:
    outcome = Outcome(ending=ending, answers=RIGHT[:2])
    result = judged(scenario(), outcome)
    assert (result.verdict, result.score) == (verdict, 0)
    assert result.message.startswith("step 3, tour.print(): ")
    assert verdicts(result) == ["accepted", "accepted", str(verdict), "skipped", "skipped"]
    assert result.steps[4].message == "not judged: step 3 ended the program"
    share = judged(scenario(goes_on=True), outcome)
    assert (share.verdict, share.score) == (Verdict.PARTIAL, Fraction(1, 4))


@pytest.mark.parametrize("ending", [Ending.LOAD_FAILED, Ending.MISSING, Ending.BUDGET, Ending.INTERNAL])
def test_a_scenario_that_did_not_run_judges_no_step(ending: Ending) -> None:
    result = judged(scenario(goes_on=True), Outcome(ending=ending, detail="Tour"))
    assert (result.score, verdicts(result)) == (0, ["skipped"] * 5)
    assert str(result.verdict) in {"load-error", "missing", "skipped", "internal-error"}


def test_a_failed_import_is_no_failing_step() -> None:
    outcome = Outcome(ending=Ending.LOAD_FAILED, answers=(raising("ImportError"),))
    assert judged(scenario(), outcome).verdict is Verdict.LOAD_ERROR


def test_too_few_answers_are_never_a_pass() -> None:
    outcome = Outcome(ending=Ending.ANSWERED, answers=RIGHT[:3])
    result = judged(scenario(goes_on=True), outcome)
    assert (result.verdict, result.score) == (Verdict.PARTIAL, Fraction(1, 2))
    assert verdicts(result)[3:] == ["crashed", "crashed"]


def test_what_was_refused_is_told_of_the_step_that_met_it() -> None:
    refused = RaisedAnswer(Raised("PermissionError", "no"), ("PermissionError", "OSError"), printed="")
    outcome = replace(answers((2, refused)), ending=Ending.FORBIDDEN, detail="start a process")
    result = judged(scenario(), outcome)
    assert (result.verdict, verdicts(result)[1]) == (Verdict.FORBIDDEN, "forbidden")


def test_the_reference_goes_through_the_same_steps() -> None:
    steps = (Step(NEW), Step(MOVE, SameAsReference()), Step(SHOW, prints=Text(None)))
    case, model = scenario(*steps), Expected(RIGHT[:3])
    assert judged(case, replace(answers(), answers=RIGHT[:3]), model).verdict is Verdict.ACCEPTED
    wrong = (RIGHT[0], RIGHT[1], Returned(None, printed="x"))
    assert judged(case, replace(answers(), answers=wrong), model).steps[2].expected_print == "K\n"
    short = judged(case, replace(answers(), answers=RIGHT[:3]), Expected(RIGHT[:2]))
    assert short.verdict is Verdict.INTERNAL_ERROR
    assert "the reference answered 2 of 3 steps" in short.message


def test_a_checker_can_give_a_step_a_part() -> None:
    steps = (Step(NEW), Step(MOVE, Check("c", (), "c()")), Step(READ, Returns(6)))
    outcome = Outcome(ending=Ending.ANSWERED, answers=(RIGHT[0], Returned(1), RIGHT[4]))
    half = StubCheckers(CheckResult(Fraction(1, 2), "half right"))
    ended = judge(scenario(*steps), outcome, None, half)
    assert (ended.verdict, ended.score) == (Verdict.WRONG_ANSWER, 0)
    gone_on = judge(scenario(*steps, goes_on=True), outcome, None, half)
    assert (gone_on.verdict, gone_on.score) == (Verdict.PARTIAL, Fraction(3, 4))


def test_arguments_must_stay_unchanged_in_every_step() -> None:
    call = Call("tour.add", ([1], Bound("tour")), text="tour.add([1], tour)")
    case = with_what(scenario(Step(NEW), Step(call)), unchanged=True)
    made = Returned(None, (1, 3))
    fine = Outcome(ending=Ending.ANSWERED, answers=(made, Returned(None, ([1],))))
    assert judged(case, fine).verdict is Verdict.ACCEPTED
    changed = replace(fine, answers=(made, Returned(None, ([1, 2],))))
    assert judged(case, changed).message.startswith("step 2, tour.add([1], tour): argument 1 was changed")

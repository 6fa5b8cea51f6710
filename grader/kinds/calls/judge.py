"""Judges a case that makes calls: its answers, and the files that they left."""

from dataclasses import replace

from grader.judge.endings import ENDINGS, judge_ending
from grader.judge.files import unlike_files
from grader.judge.finding import Checkers, Expected, Finding, OwnFault
from grader.judge.messages import for_call
from grader.kinds.calls.answered import judge_answered
from grader.kinds.calls.generated import judge_generated
from grader.kinds.calls.scenario import judge_scenario, not_judged
from grader.model.case import Case
from grader.model.kinds import calls_of
from grader.model.outcome import Ending, Outcome
from grader.model.verdict import Verdict


def judge_calls(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    """Return the finding on a case that makes calls.  Raises `OwnFault` and `CheckFailed`."""
    what = calls_of(case)
    judge_answers = _judge_steps if what.apart else _judge_one
    finding = judge_answers(case, outcome, expected, oracle)
    if what.folder is None or not finding.score:
        return finding
    folder, who = what.folder, "the steps" if what.apart else "the call"
    if expected is not None and expected.failure and any(text.asks_reference for _, text in folder.texts):
        raise OwnFault(expected.failure)
    of_reference = expected.files if expected is not None else None
    unlike = unlike_files(folder.keeps, folder.texts, outcome.files, of_reference, who, oracle.find_in_text)
    if unlike is None:
        return finding
    answer = unlike if unlike.expected else finding
    return replace(unlike, expected=answer.expected, actual=answer.actual, steps=finding.steps)


def _judge_one(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    """Judge calls whose answers are one answer together."""
    what = calls_of(case)
    if outcome.ending is Ending.ANSWERED:
        return judge_answered(what, outcome, expected, oracle)
    finding = judge_ending(case, outcome)
    # After a failed import the answer is the import's own, not a call's.
    if 0 < len(outcome.answers) < len(what.steps) and outcome.ending is not Ending.LOAD_FAILED:
        message = for_call(what.calls, what.steps[len(outcome.answers)].call, finding.message)
        finding = replace(finding, message=message)
    return finding


def _judge_steps(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    """Judge calls each of which has an expectation of its own."""
    what = calls_of(case)
    steps = not_judged(what, "not judged") if what.generated is None else ()
    if len(outcome.answers) > len(what.steps):
        message = f"there is no valid answer ({len(what.steps)} steps, and {len(outcome.answers)} answers)"
        return Finding(verdict=Verdict.CRASHED, message=message, steps=steps)
    if outcome.ending is Ending.ANSWERED or (outcome.answers and outcome.ending is not Ending.LOAD_FAILED):
        ending = ENDINGS.get(outcome.ending)
        judge_steps = judge_scenario if what.generated is None else judge_generated
        return judge_steps(case, outcome, expected, oracle, ending)
    finding = judge_ending(case, outcome)
    message = finding.message
    if what.generated is not None and outcome.ending not in (Ending.LOAD_FAILED, Ending.MISSING):
        message = for_call(what.calls, what.steps[0].call, message)
    return replace(finding, message=message, steps=steps)

"""Judges a student's own tests by the programs that they accept.  Pure."""

from fractions import Fraction

from grader.judge.finding import Finding
from grader.model.outcome import Outcome, TestEnd
from grader.model.results import StepResult
from grader.model.verdict import Verdict
from grader.values.show import safe_line

_MESSAGE = 600


def judge_student_tests(outcome: Outcome) -> Finding:
    """Return the finding on a student's own tests: all right programs accepted, wrong ones caught."""
    steps = tuple(
        StepResult(
            text=test.name,
            verdict=Verdict.ACCEPTED if test.end is TestEnd.PASSED else Verdict.WRONG_ANSWER,
            message=safe_line(test.message, _MESSAGE),
        )
        for test in outcome.tests
    )
    right = [step for step in steps if step.text.startswith("right")]
    refused = next((step for step in right if step.verdict is not Verdict.ACCEPTED), None)
    if refused is not None:
        is_tried = all(test.end is not TestEnd.SKIPPED for test in outcome.tests if test.name == refused.text)
        message = f"{'the tests refuse' if is_tried else 'for'} {refused.text}: {refused.message}"
        return Finding(verdict=Verdict.WRONG_ANSWER, message=message, steps=steps)
    wrong = [step for step in steps if step.text.startswith("wrong")]
    caught = sum(step.verdict is Verdict.ACCEPTED for step in wrong)
    score = Fraction(caught, len(wrong)) if wrong else Fraction(1)
    if score == 1:
        return Finding(verdict=Verdict.ACCEPTED, score=score, steps=steps)
    left_out = next((step.message for step in right if step.message), "")
    counted = f"the tests catch {caught} of {len(wrong)} wrong programs"
    message = "; ".join(filter(None, [counted, left_out]))
    verdict = Verdict.PARTIAL if caught else Verdict.WRONG_ANSWER
    return Finding(verdict=verdict, score=score, message=message, steps=steps)

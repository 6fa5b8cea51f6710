"""Judge a case whose calls were answered, by the kind of its expectation."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.judge.answers import (
    NotCombinable,
    Sides,
    combined,
    judge_equal,
    returned_calls,
)
from grader.judge.checks import judge_check
from grader.judge.conditions import broken_condition
from grader.judge.finding import PATTERN_S, Checkers, Expected, Finding, OwnFault, answers_of
from grader.judge.messages import for_call, raised_message, raised_text
from grader.judge.plots import judge_plot, plot_text
from grader.judge.prints import with_print
from grader.model.case import Calls, Check, Raises, Returns, SameAsReference
from grader.model.outcome import Answer, Outcome, RaisedAnswer, Returned
from grader.model.results import Difference
from grader.model.verdict import Verdict
from grader.values.compare import PART_LIMIT
from grader.values.show import DEFAULT_LIMIT, safe_line, show

_SEARCHED = 10_000
"""The spec's regular expression is searched in this many characters of an exception's text."""


def judge_answered(what: Calls, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    """Return the finding on a case that was answered.  Raises `OwnFault` and `CheckFailed`."""
    finding = _judge_answers(what, outcome, expected, oracle)
    if finding.score > 0:
        broken = broken_condition(what, outcome)
        if broken is not None:
            return replace(broken, expected=finding.expected, actual=finding.actual)
    if what.combine is not None or not outcome.answers:
        return finding
    return with_print(what.steps[0].prints, outcome.answers[0], expected, finding, oracle)


def _judge_answers(what: Calls, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    if not what.calls:
        raise OwnFault("the case makes no call")
    expect = what.decides
    if isinstance(expect, Raises):
        return _judge_raises(what, expect, outcome.answers, oracle)
    reference: Sequence[Answer] = ()
    if isinstance(expect, SameAsReference):
        reference = _reference_answers(what, expected)
    failed = _unlike_in_kind(what, outcome.answers, reference)
    if failed is not None:
        return failed
    if what.plot is not None:
        asked = answers_of(expected) if what.plot.asks_reference else ()
        return judge_plot(what.plot, outcome.answers[0], asked)
    if expect is None:
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1))
    returned = returned_calls(what.calls, outcome.answers)
    if not returned.values:
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1), actual=_actual_text(outcome.answers[0]))
    try:
        value = combined(what.combine, returned)
    except NotCombinable as error:
        return Finding(verdict=Verdict.WRONG_ANSWER, message=str(error))
    match expect:
        case Check():
            return judge_check(expect, value, oracle)
        case Returns(value=wanted, comparison=comparison):
            return judge_equal(Sides(what.combine, comparison, returned, value, wanted))
        case SameAsReference(comparison=comparison):
            model = returned_calls(what.calls, reference)
            try:
                wanted = combined(what.combine, model)
            except NotCombinable as error:
                raise OwnFault(f"reference: {error}") from None
            return judge_equal(Sides(what.combine, comparison, returned, value, wanted, model.values))
    raise OwnFault("the case makes calls and expects nothing of them")


def expected_text(what: Calls, expected: Expected | None) -> str:
    """Return the expectation of a case as text for people; empty if it is not known."""
    if what.plot is not None:
        return plot_text(what.plot, expected)
    match what.decides:
        case Returns(value=value):
            return show(value)
        case Check(text=text):
            return safe_line(text, DEFAULT_LIMIT)
        case Raises(exception=exception, message=pattern):
            return f"raises {exception}" + (
                f" with a message that matches {show(pattern)}" if pattern else ""
            )
        case SameAsReference():
            return _reference_text(what, expected)
    return ""


def _reference_text(what: Calls, expected: Expected | None) -> str:
    try:
        answers = _reference_answers(what, expected)
        if isinstance(answers[-1], RaisedAnswer):
            return f"raises {raised_text(answers[-1].raised)}"
        returned = returned_calls(what.calls, answers)
        return show(combined(what.combine, returned))
    except (OwnFault, NotCombinable):
        return ""


# -- answers and exceptions ------------------------------------------------------------------------


def _reference_answers(what: Calls, expected: Expected | None) -> tuple[Answer, ...]:
    answers = answers_of(expected)
    if len(answers) != len(what.steps):
        last = answers[-1]
        why = f": it {raised_message(last)}" if isinstance(last, RaisedAnswer) else ""
        raise OwnFault(f"the reference answered {len(answers)} of {len(what.steps)} calls{why}")
    return answers


def _unlike_in_kind(what: Calls, answers: Sequence[Answer], reference: Sequence[Answer]) -> Finding | None:
    """Return a finding if a call raised unexpectedly, or did not raise as expected, or was not answered."""
    for number, (call, answer) in enumerate(zip(what.calls, answers, strict=False)):
        model = reference[number] if reference else None
        if isinstance(model, RaisedAnswer):
            wanted = model.raised.type_name
            is_own = wanted in model.namesakes
            failed = _unlike_raised(Raises(wanted, by_name=is_own), answer)
        elif isinstance(answer, RaisedAnswer):
            failed = _raised_finding(answer, raised_message(answer))
        else:
            failed = None
        if failed is not None:
            return replace(failed, message=for_call(what.calls, call, failed.message))
    if len(answers) == len(what.steps):
        return None
    message = f"there is no valid answer ({len(what.steps)} calls were made, and {len(answers)} answered)"
    return Finding(verdict=Verdict.CRASHED, message=message)


def _raised_finding(answer: RaisedAnswer, message: str) -> Finding:
    verdict = Verdict.MEMORY_LIMIT if "MemoryError" in answer.bases else Verdict.EXCEPTION
    return Finding(verdict=verdict, message=message, actual=_actual_text(answer), raised=answer.raised)


def _unlike_raised(wanted: Raises, answer: Answer) -> Finding | None:
    """Return a finding unless `answer` is an exception of the class `wanted` or a subclass."""
    name = wanted.exception
    if isinstance(answer, Returned):
        text = _actual_text(answer)
        message = f"expected {name} to be raised, got {show(answer.value, PART_LIMIT)}"
        return Finding(verdict=Verdict.WRONG_ANSWER, message=message, actual=text)
    if name in answer.bases or (wanted.by_name and name in answer.namesakes):
        return None
    if name in answer.namesakes:
        name = f"Python's own {name}, and this is another class of that name"
    return _raised_finding(answer, f"{raised_message(answer)}; expected {name}")


def _judge_raises(what: Calls, wanted: Raises, answers: Sequence[Answer], oracle: Checkers) -> Finding:
    if len(what.steps) != 1:
        raise OwnFault("a case that expects an exception can make one call only")
    if len(answers) != 1:
        return Finding(verdict=Verdict.CRASHED, message="there is no valid answer")
    answer = answers[0]
    failed = _unlike_raised(wanted, answer)
    if failed is not None:
        return failed
    assert isinstance(answer, RaisedAnswer)
    actual = _actual_text(answer)
    said = answer.raised.message
    is_found = wanted.message is None or oracle.matches(wanted.message, said[:_SEARCHED])
    if wanted.message is None or is_found:
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1), actual=actual)
    pattern, text = show(wanted.message, PART_LIMIT), show(said, PART_LIMIT)
    message = f"expected the message of {wanted.exception} to match {pattern}, got {text}"
    if is_found is None:
        message = (
            f"the message of {wanted.exception} could not be matched with {pattern}"
            f" within {PATTERN_S:g} s, which counts as no match; got {text}"
        )
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=message,
        actual=actual,
        difference=Difference("message", f"a match of {pattern}", text),
        raised=answer.raised,
    )


def _actual_text(answer: Answer) -> str:
    return f"raises {raised_text(answer.raised)}" if isinstance(answer, RaisedAnswer) else show(answer.value)

"""Judging what a call printed, beside what it returned."""

from dataclasses import replace

from grader.judge.finding import Expected, Finding, OwnFault
from grader.judge.printed import compare_text, unlike_text_message
from grader.model.case import Case, Text
from grader.model.outcome import Answer, Returned
from grader.model.results import Difference
from grader.model.verdict import Verdict

_SHOWN = 64 * 1024
"""Characters of a text that are kept for the results."""


def with_print(case: Case, answer: Answer, expected: Expected | None, finding: Finding) -> Finding:
    """Return the finding on a call with what it printed; where that is what is wrong, one that says so.

    Raises `OwnFault`.
    """
    if case.prints is None:
        return finding
    if answer.printed is None:
        # The worker always tells; what does not was written by somebody else.
        return Finding(verdict=Verdict.CRASHED, message="there is no valid answer")
    wanted = _wanted(case.prints, expected)
    found = compare_text(wanted, answer.printed, case.prints.whitespace)
    told = replace(finding, printed=_shortened(answer.printed))
    if found is None:
        return told
    told = replace(told, expected_print=_shortened(wanted))
    if finding.score == 0:
        return told
    return replace(
        told,
        verdict=Verdict.WRONG_ANSWER,
        score=finding.score * 0,
        message=_message(wanted, answer, case.prints, found),
        difference=Difference(f"printed text, {found.where}", found.expected, found.actual),
    )


def _wanted(prints: Text, expected: Expected | None) -> str:
    if prints.value is not None:
        return prints.value
    if expected is None or expected.failure or not expected.answers:
        raise OwnFault((expected and expected.failure) or "there is no answer of the reference")
    text = expected.answers[0].printed
    if text is None:
        raise OwnFault("it is not known what the reference printed")
    return text


def _message(wanted: str, answer: Answer, prints: Text, found: Difference) -> str:
    printed = answer.printed or ""
    if printed.strip() or not wanted.strip():
        return f"printed text, {unlike_text_message(wanted, printed, found)}"
    returned = answer.value if isinstance(answer, Returned) else None
    if isinstance(returned, str) and returned.split() == wanted.split():
        return "nothing was printed; the text was returned instead (print it)"
    return (
        f"nothing was printed; expected {found.expected} and so on"
        if "\n" in wanted[:-1]
        else (f"nothing was printed; expected {found.expected}")
    )


def _shortened(text: str) -> str:
    left = len(text) - _SHOWN
    return text if left <= 0 else f"{text[:_SHOWN]}\n… {left} more characters\n"

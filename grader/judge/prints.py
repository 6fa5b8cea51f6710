"""Judges the text that a call prints."""

from dataclasses import replace
from fractions import Fraction

from grader.judge.expected_text import Unlike, find_difference, shown_text
from grader.judge.finding import Checkers, Expected, Finding, OwnFault, answers_of
from grader.model.case import Text
from grader.model.outcome import Answer, Returned
from grader.model.verdict import Verdict

_SHOWN = 64 * 1024
"""The most characters of a text that are kept for the results."""


def with_print(
    prints: Text | None, answer: Answer, expected: Expected | None, finding: Finding, oracle: Checkers
) -> Finding:
    """Return the finding on a call with its printed text; wrong text turns a score into a wrong answer.

    Raises `OwnFault` and `CheckFailed`.
    """
    if prints is None:
        return finding
    if answer.printed is None:
        # The worker always sends this, so an answer without it was forged.
        return Finding(verdict=Verdict.CRASHED, message="there is no valid answer")
    of_reference = _of_reference(prints, expected)
    found = find_difference(prints, of_reference, answer.printed, oracle.find_in_text)
    told = replace(finding, printed=_shortened(answer.printed))
    if found is None:
        return told
    wanted = shown_text(prints, of_reference)
    told = replace(told, expected_print=_shortened(wanted))
    if finding.score == 0:
        return told
    message, difference = found.at("printed text")
    return replace(
        told,
        verdict=Verdict.WRONG_ANSWER,
        score=Fraction(0),
        message=_nothing_printed(wanted, answer, found) or message,
        difference=difference,
    )


def _of_reference(prints: Text, expected: Expected | None) -> str | None:
    if not prints.asks_reference:
        return None
    text = answers_of(expected)[0].printed
    if text is None:
        raise OwnFault("it is not known what the reference printed")
    return text


def _nothing_printed(wanted: str, answer: Answer, found: Unlike) -> str:
    """Return a sentence about a call that printed nothing where it should; "" about any other."""
    if (answer.printed or "").strip() or not wanted.strip():
        return ""
    returned = answer.value if isinstance(answer, Returned) else None
    if isinstance(returned, str) and returned.split() == wanted.split():
        return "nothing was printed; the text was returned instead (print it)"
    more = " and so on" if "\n" in wanted[:-1] else ""
    return f"nothing was printed; expected {found.expected}{more}"


def _shortened(text: str) -> str:
    left = len(text) - _SHOWN
    return text if left <= 0 else f"{text[:_SHOWN]}\n… {left} more characters\n"

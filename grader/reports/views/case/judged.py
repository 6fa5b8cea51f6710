"""A judge's sentence in the language of the page.

The judge speaks English.  In another language a sentence is built again from the facts that a result holds
beside it: the difference, the exception, the limit.  Where there are none, the sentence stays as it is.
"""

import re

from grader.judge.finding import UNJUDGED
from grader.model.results import CaseResult
from grader.model.verdict import Verdict
from grader.reports.views.audience import REASON_WITHHELD
from grader.reports.views.handed_in import of_files
from grader.reports.views.wording import verdict_wording
from grader.reports.words import English, is_english, say, word

_REMARKS = (word(" (is a return missing?)"), word("; the right items are there, in another order"))

_LIMITS = frozenset({Verdict.TIME_LIMIT, Verdict.WALL_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT})
_BY_PLACE = re.compile(r"length|line \d+, column \d+|character \d+|byte \d+")
_NEEDS = re.compile(r"(?:skipped: )?it needs case ([^,]+), which was not accepted")
_LINE = re.compile(r"line (\d+), column (\d+)")
_NAME_LIMIT = 80


def raised_in(case: CaseResult) -> str:
    """Return the type of a raised exception and its line: `NameError in line 5 of leap.py`."""
    assert case.raised is not None
    kind, frames = case.raised.type_name[:_NAME_LIMIT], case.raised.frames
    if not frames:
        return kind
    file, line = frames[-1].file[:_NAME_LIMIT], frames[-1].line
    return say("{exception} in line {line} of {file}", exception=kind, line=line, file=file)


def place_of(where: str) -> str:
    """Return the place of a difference in words, in the language that is spoken where it is a simple one."""
    found = _LINE.fullmatch(where)
    if found is None or is_english():
        return English(where)
    return say("line {line}, column {column}", line=found[1], column=found[2])


def judged(case: CaseResult, text: str) -> str:
    """Return a sentence of the judge's about a case in the language that is spoken.

    text: the message of the case, with or without the call before it.
    """
    if is_english() or not text or text == say(REASON_WITHHELD):
        return text
    if case.raised is not None:
        return raised_in(case)
    if case.verdict in _LIMITS:
        return verdict_wording(case.verdict).explanation
    needs = _NEEDS.fullmatch(text) if case.verdict == Verdict.SKIPPED else None
    if needs is not None:
        return say("it needs case {id}, which was not accepted", id=needs[1])
    if text.startswith(UNJUDGED):
        what = text.removeprefix(UNJUDGED).removeprefix(" (").removesuffix(")")
        return say(
            "the checker could not judge this answer; marking will decide about it ({what})", what=what
        )
    return _difference(case, text) or of_files(text)


def _difference(case: CaseResult, text: str) -> str:
    """Return the sentence about a difference whose place has a name in Python; empty for any other."""
    found = case.difference
    if found is not None and found.where == "length" and text == f"length: {found.sides}":
        items = found.expected.partition(" ")[0]
        return say("length: expected {expected}, got {actual}", expected=items, actual=found.actual)
    if found is None or _BY_PLACE.search(found.where.rpartition(", ")[2]):
        return ""
    place = f"{found.where}: " if found.where else ""
    said = f"{place}{found.sides}"
    if bool(place) != bool(found.code) or not text.startswith(said):
        return ""
    remark = text.removeprefix(said)
    if remark and remark not in _REMARKS:
        return ""
    sides = {"expected": found.expected, "actual": found.actual}
    if place:
        told = say("{place}: expected {expected}, got {actual}", place=found.code, **sides)
    else:
        told = say("expected {expected}, got {actual}", **sides)
    return told + (say(remark) if remark else "")

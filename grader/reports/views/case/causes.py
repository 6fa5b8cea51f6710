"""Failed cases that have one cause: what they share, in words, and what stands for all of them on a page.

It only decides what is shown together.  A student's text can lead to a wrong group of the student's own
cases; each of them still has a row with its own verdict.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grader.model.results import CaseResult, Frame
from grader.model.verdict import WITH_AN_ANSWER, Verdict
from grader.reports.views.case.judged import judged, raised_in
from grader.reports.views.wording import counted
from grader.reports.words import English, say

Key = tuple[str, ...]

_TEXT_LIMIT = 160
_CALL = re.compile(r"[A-Za-z_][\w.]*\(.*?\): ")
_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\b(?:True|False|None)\b|-?\d[\d.,]*|needs case [^,]+")
"""The parts in which messages of one kind differ: numbers, texts, truth values, the name of a case."""

_BY_VALUE = WITH_AN_ANSWER | {Verdict.RULE_BROKEN}


class Cause(NamedTuple):
    """Why a case failed.

    key: equal for cases of one cause.
    words: what the cases share; empty if that is the kind of their messages alone.
    everywhere: the same cause in another question needs no second explanation.
    """

    key: Key
    words: str
    everywhere: bool


def cause_of(case: CaseResult) -> Cause:
    """Return the cause of a failed case, as far as its result tells."""
    verdict = str(case.verdict)
    if case.raised is not None:
        words = raised_in(case)
        return Cause((verdict, words), words, everywhere=True)
    if case.verdict in _BY_VALUE:
        if case.actual == "None" or case.actual.startswith("<"):
            answer = case.actual[:_TEXT_LIMIT]
            return Cause(
                (verdict, "answer", answer),
                say("the answer is {answer}", answer=answer),
                everywhere=answer != "None",
            )
        return Cause((verdict, _shape(case)), "", everywhere=False)
    return Cause((verdict, _shape(case)), "", everywhere=case.verdict != Verdict.SKIPPED)


def marked_stretch(frame: Frame, source: str) -> tuple[int, int]:
    """Return the start and end of the code at fault in its line; both 0 where it is not known.

    source: the line as it is shown, without the blanks around it.
    """
    if not 0 < frame.column <= len(source) + 1:
        return 0, 0
    end = min(max(frame.end_column, frame.column + 1), len(source) + 2)
    return frame.column - 1, end - 1


def last_frame(case: CaseResult) -> Frame | None:
    """Return the line that an exception comes from, if it is known."""
    return case.raised.frames[-1] if case.raised is not None and case.raised.frames else None


def sentence(case: CaseResult) -> str:
    """Return the message of a case without the call that it names first."""
    text = case.message[: 4 * _TEXT_LIMIT]
    call = _CALL.match(text)
    return text[call.end() :] if call else text


def short_reason(case: CaseResult) -> str:
    """Return in a few words why a case failed; empty if nothing more than its verdict is known."""
    if case.raised is not None:
        return raised_in(case)
    text = sentence(case)
    if case.verdict == Verdict.SKIPPED:
        text = text.removeprefix("skipped: ")  # the verdict stands before it
    text = judged(case, text)
    return text if len(text) <= _TEXT_LIMIT else English(f"{text[:_TEXT_LIMIT]}…")


def grouped(cases: Iterable[tuple[int, CaseResult]]) -> list[tuple[Cause, list[int]]]:
    """Return the causes in the order of their first cases, skipped ones last, and the cases' numbers."""
    found: dict[Key, tuple[Cause, list[int]]] = {}
    for number, case in cases:
        cause = cause_of(case)
        found.setdefault(cause.key, (cause, []))[1].append(number)
    return sorted(found.values(), key=lambda group: group[0].key[0] == Verdict.SKIPPED)


def shared_words(cause: Cause, cases: Sequence[CaseResult]) -> str:
    """Return what several cases of a cause have in common: `11 cases: NameError in line 5 of leap.py`.

    Empty if that is the kind of their messages alone.
    """
    words = cause.words
    if not words and len({sentence(case) for case in cases}) == 1:
        words = short_reason(cases[0])
    if not words:
        return ""
    count = counted(len(cases), "case")
    if cases[0].verdict == Verdict.SKIPPED:
        return say("{cases} skipped: {words}", cases=count, words=words)
    return say("{cases}: {words}", cases=count, words=words)


def _shape(case: CaseResult) -> str:
    return _VARIES.sub("#", sentence(case))

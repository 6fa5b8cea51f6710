"""One case as pages and terminal show it: words chosen, texts cut, differences found.

It reads a case of the results file or of a student's view of it; it does not decide what a
student may see, and it escapes nothing.  A page shows many cases, so a case is a heading and
a list of the facts that there are, not one field for each fact that there could be.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from grader.marking.rounding import parse_mark
from grader.reports.views.dialogue import DialogueView, dialogue_view
from grader.reports.views.excerpt import Excerpt, Pair, differing, excerpt
from grader.reports.views.rules import FindingsView, findings_view
from grader.reports.views.steps import StepsView, concerns_print, steps_view
from grader.reports.views.timing import timing_sentence
from grader.reports.views.wording import duration, short_number, size, verdict_wording
from grader.store.document_types import CaseDocument, FrameDocument, PictureDocument, RaisedDocument

HEADING_LIMIT = 160
VALUE_LIMIT = 2000
MESSAGE_LIMIT = 1000
OUTPUT_LIMIT = 4000
FRAME_LIMIT = 12
"""Longest texts shown, in characters, and most lines of a traceback."""

_MARKED_LIMIT = 400


class DifferenceView(NamedTuple):
    """Where in a larger value two parts first differ, in words, and the parts."""

    where: str
    pair: Pair


class FrameView(NamedTuple):
    """One line of a student's own traceback; `times` counts how often it follows itself."""

    place: str
    source: str
    times: int


class RaisedView(NamedTuple):
    """An exception of the student's code; `left_out` counts frames missing amid `frames`."""

    title: str | Excerpt
    frames: tuple[FrameView, ...]
    left_out: int


Content: TypeAlias = (
    str | Excerpt | Pair | DifferenceView | RaisedView | StepsView | FindingsView | DialogueView
)


class Fact(NamedTuple):
    """One thing to tell about a case.

    kind: how it is set: "text", "call", "value", "marked" (two values with the stretch in
        which they differ), "difference", "time", "raised", "hint", "output", "steps",
        "dialogue", "findings" or "aside".
    label: what it is, in a word or two.
    """

    kind: str
    label: str
    content: Content


class CaseView(NamedTuple):
    """What is shown of one case.

    heading: the call, cut short without notice.
    call: the whole call, or both ends of a very long one; also the first of the facts.
    folded: its facts start out hidden.
    meta: time used and what it counts, on one line; empty for nothing to say.
    measured: all measurements, for the staff; else empty.
    pictures: as the results file has them; only a page draws them.
    picture_note: why there are none, for the staff; else empty.
    """

    id: str
    heading: str
    call: str | Excerpt
    word: str
    symbol: str
    tone: str
    withheld: bool
    folded: bool
    visibility: str
    meta: str
    measured: str
    facts: tuple[Fact, ...]
    pictures: Sequence[PictureDocument]
    picture_note: str


def case_view(case: CaseDocument, *, folded: bool = False, staff: bool = False) -> CaseView:
    """Return what is shown of a case; `staff` adds all measurements."""
    wording = verdict_wording(case["verdict"])
    withheld = case.get("withheld", False)
    call = excerpt(case["call"], VALUE_LIMIT)
    tried = Fact("call", "Rule" if "findings" in case else "Call", call)
    time, credit = near_limit(case) if staff else "", _credit(case)
    time = time or _time(case)
    return CaseView(
        id=case["id"],
        heading=case["call"][:HEADING_LIMIT],
        call=call,
        word=wording.word,
        symbol=wording.symbol,
        tone=wording.tone.value,
        withheld=withheld,
        folded=folded,
        visibility=case["visibility"],
        meta=f"{time}, {credit}" if time and credit else time or credit,
        measured=_measured(case) if staff and case["wall_s"] else "",
        facts=() if withheld else (tried, *_facts(case, wording.explanation)),
        pictures=case.get("pictures", ()),
        picture_note=case.get("picture_note", "") if staff else "",
    )


def _facts(case: CaseDocument, explanation: str) -> list[Fact]:
    facts = []
    message = case["message"] or explanation
    if message and not case.get("findings"):  # which say the same, and more
        facts.append(Fact("text", "What happened", excerpt(message, MESSAGE_LIMIT)))
    if case.get("findings"):
        facts.append(Fact("findings", "Where", findings_view(case["findings"])))
    facts += _values(case)
    facts += [
        Fact("output", "Input" if one["name"] == "stdin" else f"File {one['name']}", one["text"])
        for one in case.get("given", [])
    ]
    if "expected_print" in case:
        facts.append(Fact("output", "To be printed", excerpt(case["expected_print"], OUTPUT_LIMIT)))
    if case.get("printed"):
        facts.append(Fact("output", "Printed", excerpt(case["printed"], OUTPUT_LIMIT)))
    if "timing" in case:
        facts.append(Fact("time", "Time", timing_sentence(case["timing"], case["verdict"], case["score"])))
    if case["raised"]:
        facts.append(Fact("raised", "Exception", _raised(case["raised"])))
    if case["hint"] and case["verdict"] != "accepted":
        facts.append(Fact("hint", "Hint", case["hint"]))
    if "dialogue" in case:
        facts.append(Fact("dialogue", "Dialogue", dialogue_view(case)))
    elif case["stdout"]:
        label = "Printed besides" if "printed" in case or "steps" in case else "Printed"
        facts.append(Fact("output", label, excerpt(case["stdout"], OUTPUT_LIMIT)))
    if case["stderr"]:
        facts.append(Fact("output", "Error output", excerpt(case["stderr"], OUTPUT_LIMIT)))
    if "steps" in case:
        facts.append(Fact("steps", "Steps", steps_view(case)))
    if case["group"]:
        facts.append(Fact("aside", "Group", case["group"]))
    return facts


def _values(case: CaseDocument) -> list[Fact]:
    expected, actual, found = case["expected"], case["actual"], case["difference"]
    if not found or concerns_print(case):
        facts = []
        if found:
            pair = differing(found["expected"], found["actual"])
            return [Fact("difference", "First difference", DifferenceView(found["where"], pair))]
        # A right answer that was slow is told once.
        alike = expected == actual and (case["verdict"] == "accepted" or "timing" in case)
        if expected and not alike:
            facts.append(Fact("value", "Expected", excerpt(expected, VALUE_LIMIT)))
        if actual:
            facts.append(Fact("value", "Answer", excerpt(actual, VALUE_LIMIT)))
        return facts
    # The judge found a difference, so the two are values of one kind and can be compared.
    if max(len(expected), len(actual)) <= _MARKED_LIMIT:
        facts = [Fact("marked", "", differing(expected, actual, context=_MARKED_LIMIT))]
    else:
        facts = [
            Fact("value", "Expected", excerpt(expected, VALUE_LIMIT)),
            Fact("value", "Answer", excerpt(actual, VALUE_LIMIT)),
        ]
    if found["expected"] != expected or found["actual"] != actual:
        pair = differing(found["expected"], found["actual"])
        facts.append(
            Fact("difference", "First difference", DifferenceView(found["where"] or "the answer", pair))
        )
    return facts


def _credit(case: CaseDocument) -> str:
    score, weight = case["score"], case["weight"]
    if weight == "1" and score in ("0", "1"):
        return ""
    earned = f"earned {short_number(score)}" if 0 < parse_mark(score) < 1 else ""
    counts = f"weight {short_number(weight)}" if weight != "1" else ""
    return ", ".join(filter(None, (earned, counts)))


def _time(case: CaseDocument) -> str:
    if not case["wall_s"]:
        return ""
    if case["verdict"] == "wall-limit":
        return f"{duration(case['wall_s'])} by the clock"
    used = duration(case["cpu_s"])
    return f"{used} of {duration(case['time_limit_s'])}" if case["time_limit_s"] else used


def near_limit(case: CaseDocument) -> str:
    """Return how near a case came to its time limit, for the staff; empty where it stayed well below."""
    return f"near its limit: {_time(case)}" if case.get("near_limit") and case["time_limit_s"] else ""


def _measured(case: CaseDocument) -> str:
    times = f"{duration(case['cpu_s'])} processor time, {duration(case['wall_s'])} by the clock"
    return f"{times}, {size(case['peak_rss_b'])} of memory" if case["peak_rss_b"] else times


def _raised(raised: RaisedDocument) -> RaisedView:
    title = f"{raised['type']}: {raised['message']}" if raised["message"] else raised["type"]
    frames = [
        FrameView(place, source, len(list(alike)))
        for (place, source), alike in groupby(_frame(found) for found in raised["frames"])
    ]
    left_out = 0
    if len(frames) > FRAME_LIMIT:
        left_out = len(frames) - FRAME_LIMIT
        frames[FRAME_LIMIT // 2 : FRAME_LIMIT // 2 + left_out] = []
    return RaisedView(excerpt(title, MESSAGE_LIMIT), tuple(frames), left_out)


def _frame(found: FrameDocument) -> tuple[str, str]:
    place = f"{found['file'][:200]}, line {found['line']}, in {found['function'][:200]}"
    return place, found["source"].strip()[:200]

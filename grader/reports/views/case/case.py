"""One case as pages and terminal show it: words chosen, texts cut, differences found.

It reads a case of the results or of a student's view; it does not decide what a student may see, and
it escapes nothing.  A page shows many cases, so a case is a heading and a list of its facts, rather than a
field for each fact that a case could have.
"""

import re
from typing import NamedTuple, TypeAlias

from grader.judge.messages import article
from grader.judge.traces import without_traceback
from grader.model.drawing import Picture
from grader.model.results import CaseResult, Difference, GivenText
from grader.model.verdict import Verdict
from grader.reports.views.case.causes import short_reason
from grader.reports.views.case.differing import Pair, differing
from grader.reports.views.case.judged import judged, place_of
from grader.reports.views.case.rules import FindingsView, findings_view
from grader.reports.views.case.source import NO_LINES, Lines
from grader.reports.views.case.steps import (
    DialogueView,
    FrameView,
    RaisedView,
    StepsView,
    dialogue_view,
    frame_view,
    raised_view,
    steps_view,
)
from grader.reports.views.case.times import growth_sentence, measured, near_limit, timing_sentence, used_time
from grader.reports.views.excerpt import MESSAGE_LIMIT, VALUE_LIMIT, Excerpt, excerpt
from grader.reports.views.wording import case_wording, short_number
from grader.reports.words import say, word

_HEADING_LIMIT = 160
_OUTPUT_LIMIT = 4000
_MARKED_LIMIT = 400
_SHORT_PARTS = 60
"""Both parts of a difference, in a sentence up to here; else they stand below one another."""

_PRINTED = "printed text"
"""The place of a difference in printed text begins with this, as `grader.judge` writes it."""


class DifferenceView(NamedTuple):
    """The place where two values first differ, in words and as code, each empty for none; the parts there."""

    where: str
    code: str
    pair: Pair


Content: TypeAlias = (
    str | Excerpt | Pair | DifferenceView | RaisedView | FrameView | StepsView | FindingsView | DialogueView
)


class Fact(NamedTuple):
    """One fact about a case.

    kind: how it is displayed: "text", "call", "value", "marked" (two values with the stretches in
        which they differ), "difference", "place", "time", "raised", "frame", "hint", "output", "steps",
        "dialogue", "findings" or "aside".
    label: a word or two for it.
    """

    kind: str
    label: str
    content: Content


class CaseView(NamedTuple):
    """One case.

    title: words of the spec's for it; empty where the call stands for it.
    heading: the call, cut short without a sign of the cut.
    call: the whole call, or both ends of a very long one; also the first of the facts.
    reason: in a few words why it failed; empty for an accepted one.
    near: it came near its time limit; told to the staff.
    folded: the terminal has explained the same already.
    meta: time used and weight, on one line; empty where there is nothing to say.
    measured: all measurements, for the staff; else empty.
    pictures: only a page draws them.
    picture_note: the reason for missing pictures, for the staff; else empty.
    checker_note: what a checker raised on the answer, for the staff; else empty.
    """

    id: str
    title: str
    heading: str
    call: str | Excerpt
    word: str
    symbol: str
    tone: str
    withheld: bool
    folded: bool
    reason: str
    near: bool
    visibility: str
    meta: str
    measured: str
    facts: tuple[Fact, ...]
    pictures: tuple[Picture, ...]
    picture_note: str
    checker_note: str


def case_view(
    case: CaseResult, *, folded: bool = False, staff: bool = False, lines: Lines = NO_LINES
) -> CaseView:
    """Return the view of a case; `staff` adds all measurements.  lines: that the page shows."""
    wording = case_wording(case)
    call = excerpt(case.call, VALUE_LIMIT)
    tried = Fact("call", word("Call") if case.findings is None else word("Rule"), call)
    near = near_limit(case) if staff else ""
    time, credit = near or used_time(case), _credit(case)
    return CaseView(
        id=case.id,
        title=case.title,
        heading=case.call[:_HEADING_LIMIT],
        call=call,
        word=wording.word,
        symbol=wording.symbol,
        tone=wording.tone.value,
        withheld=case.withheld,
        folded=folded,
        reason="" if case.verdict == Verdict.ACCEPTED else short_reason(case),
        near=bool(near),
        visibility=case.visibility,
        meta=f"{time}, {credit}" if time and credit else time or credit,
        measured=measured(case) if staff and case.wall_s else "",
        facts=() if case.withheld else (tried, *_facts(case, wording.explanation, lines)),
        pictures=case.pictures,
        picture_note=case.picture_note if staff else "",
        checker_note=case.checker_note if staff else "",
    )


def _facts(case: CaseResult, explanation: str, lines: Lines) -> list[Fact]:
    facts = []
    if case.findings:  # they say the same as the message, and more
        facts.append(Fact("findings", word("Where"), findings_view(case.findings, lines)))
    else:
        facts += _happened(case, explanation)
    if case.stopped_at is not None and case.stopped_at.source:
        facts.append(Fact("frame", word("Stopped at"), frame_view(case.stopped_at, lines)))
    facts += _values(case)
    for one in case.given:
        facts.append(Fact("output", _name_of(one), one.text))
    if case.expected_print:  # it differs, perhaps by blanks alone
        facts += _output(word("To be printed"), _with_visible_ends(case.expected_print))
        facts += _output(word("Printed"), _with_visible_ends(case.printed))
    else:
        facts += _output(word("Printed"), case.printed)
    if case.timing is not None:
        facts.append(Fact("time", word("Time"), timing_sentence(case.timing, case)))
    if case.growth is not None:
        facts.append(Fact("time", word("Growth"), growth_sentence(case.growth)))
    if case.raised:
        facts.append(
            Fact("raised", word("Exception"), raised_view(case.raised, judged(case, case.message), lines))
        )
    if case.hint and case.verdict != Verdict.ACCEPTED:
        facts.append(Fact("hint", word("Hint"), case.hint))
    if case.dialogue:
        facts.append(Fact("dialogue", word("Dialogue"), dialogue_view(case.dialogue)))
    else:
        facts += _output(
            word("Printed besides") if case.printed or case.steps else word("Printed"), case.stdout
        )
    errors = without_traceback(case.stderr, case.raised.type_name) if case.raised else case.stderr
    facts += _output(word("Error output"), errors)
    if case.steps:
        facts.append(Fact("steps", word("Steps"), steps_view(case.steps, case.message)))
    if case.group:
        facts.append(Fact("aside", word("Group"), case.group))
    return facts


def _name_of(given: GivenText) -> str:
    return word("Input") if given.name == "stdin" else say("File {name}", name=given.name)


def _output(label: str, text: str) -> list[Fact]:
    return [Fact("output", label, excerpt(text, _OUTPUT_LIMIT))] if text else []


def _with_visible_ends(text: str) -> str:
    """Return the text with each blank at the end of a line as `·`."""
    lines = [(line, line.rstrip(" ")) for line in text.split("\n")]
    return "\n".join(bare + "·" * (len(line) - len(bare)) for line, bare in lines)


# -- values ------------------------------------------------------------------------------------------


def _happened(case: CaseResult, explanation: str) -> list[Fact]:
    """Return what happened: a sentence, or where two long parts differ and these; none that values tell."""
    found, message = case.difference, case.message
    if found is not None:
        said = found.sides
        if message == said and (found.expected, found.actual) == (case.expected, case.actual):
            return []
        before, says, after = message.partition(said)
        if says and not (found.where or before or after) and case.expected and case.actual:
            kinds = [_KIND.search(side) for side in (found.expected, found.actual)]
            if all(kinds) and len(found.expected) + len(found.actual) > _SHORT_PARTS:
                wanted, got = (article(kind[1]) for kind in kinds if kind)
                told = say("expected {expected}, got {actual}", expected=wanted, actual=got)
                return [Fact("text", word("What happened"), told)]
        if says and len(found.expected) + len(found.actual) > _SHORT_PARTS:
            where = f"{before.removesuffix(': ')}{after}"
            return [Fact("difference", word("What happened"), _difference(found, where))]
    told = judged(case, message) or explanation
    return [Fact("text", word("What happened"), excerpt(told, MESSAGE_LIMIT))] if told else []


_KIND = re.compile(r" \((\w{1,40})\)$")
"""The name of a class behind a shown value, where the classes differ."""


def _difference(found: Difference, where: str) -> DifferenceView:
    place = place_of(where[:MESSAGE_LIMIT])
    return DifferenceView(place, found.code, differing(found.expected, found.actual))


def _values(case: CaseResult) -> list[Fact]:
    expected, actual, found = case.expected, case.actual, case.difference
    if not found:
        # A right answer that was slow is shown once.
        alike = expected == actual and (case.verdict == Verdict.ACCEPTED or case.timing is not None)
        return [
            Fact("value", label, excerpt(text, VALUE_LIMIT))
            # The exception has a fact of its own.
            for label, text in (
                (word("Expected"), "" if alike else expected),
                (word("Answer"), "" if case.raised else actual),
            )
            if text
        ]
    facts = []
    # A program has no answer at all.
    if not found.where.startswith(_PRINTED):
        # The judge found a difference, so both are values of one kind and can be compared.
        if expected != actual and max(len(expected), len(actual)) <= _MARKED_LIMIT:
            is_whole = not found.where and (found.expected, found.actual) != (expected, actual)
            marked = differing(expected, actual, context=_MARKED_LIMIT, is_whole=is_whole)
            facts.append(Fact("marked", "", marked))
        else:
            pairs = ((word("Expected"), expected), (word("Answer"), actual))
            facts += [Fact("value", label, excerpt(text, VALUE_LIMIT)) for label, text in pairs if text]
    said = found.sides in case.message or (found.where and f"{found.where}: " in case.message)
    fits = len(found.expected) + len(found.actual) <= _SHORT_PARTS
    if not said and (found.where or (found.expected, found.actual) != (expected, actual)):
        where = found.where or say("the answer")
        facts.append(Fact("difference", word("First difference"), _difference(found, where)))
    elif found.code and fits and found.code not in judged(case, case.message):
        facts.append(Fact("place", word("Where"), found.code))
    return facts


def _credit(case: CaseResult) -> str:
    """Return the score of the case if it is neither 0 nor 1, and its weight if not 1."""
    is_part = case.score.denominator != 1  # scores are from 0 to 1
    earned = say("earned {share}", share=short_number(case.score)) if is_part else ""
    counts = say("weight {n}", n=short_number(case.weight)) if case.weight != 1 else ""
    return ", ".join(filter(None, (earned, counts)))

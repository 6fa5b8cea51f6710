"""One case as pages and terminal show it: words chosen, texts cut, differences found.

It reads a case of the results or of a student's view; it does not decide what a student may see, and
it escapes nothing.  A page shows many cases, so a case is a heading and a list of its facts, rather than a
field for each fact that a case could have.
"""

from itertools import groupby
from typing import NamedTuple, TypeAlias

from grader.judge.transcript import without_traceback
from grader.marking.rounding import format_mark
from grader.model.drawing import Picture
from grader.model.results import (
    CaseResult,
    Difference,
    Frame,
    Given,
    GrowthResult,
    Raised,
    StepResult,
    Timing,
    TurnResult,
)
from grader.model.verdict import Verdict
from grader.reports.views.causes import marked_stretch, short_reason
from grader.reports.views.differing import Pair, differing
from grader.reports.views.excerpt import Excerpt, excerpt
from grader.reports.views.judged import judged, place_of
from grader.reports.views.rules import FindingsView, findings_view
from grader.reports.views.source import NO_LINES, Lines
from grader.reports.views.wording import counted, duration, short_number, size, verdict_wording
from grader.reports.words import English, say, word

HEADING_LIMIT = 160
VALUE_LIMIT = 2000
MESSAGE_LIMIT = 1000
OUTPUT_LIMIT = 4000
FRAME_LIMIT = 12
"""The longest texts shown, in characters, and the most lines of a traceback."""

PRINTED = "printed text"
"""The place of a difference in printed text begins with this, as `grader.judge` writes it."""
END_OF_INPUT = word("(the input ends)")
END_OF_PROGRAM = word("(the program ends)")
END_OF_CASE = word("(the case ends here)")

_MARKED_LIMIT = 400
_SHORT_PARTS = 60
"""Both parts of a difference, in a sentence up to here; else they stand below one another."""
_STEP_LIMIT = 300
_ANSWER_LIMIT = 300
_PLACE_LIMIT = 200


class DifferenceView(NamedTuple):
    """The place where two values first differ, in words and as code, each empty for none; the parts there."""

    where: str
    code: str
    pair: Pair


class FrameView(NamedTuple):
    """One line of a student's own; `times` counts consecutive equal lines of a traceback.

    anchor: of the line on the page; empty where it is not shown.
    start, end: of a syntax error, the stretch of `source` that is marked; both 0 for none.
    """

    place: str
    source: str
    times: int
    anchor: str
    start: int = 0
    end: int = 0


class RaisedView(NamedTuple):
    """An exception of the student's code; `left_out` counts frames left out in the middle of `frames`.

    is_told: the sentence on what happened has the title already.
    """

    title: str | Excerpt
    frames: tuple[FrameView, ...]
    left_out: int
    is_told: bool


class StepView(NamedTuple):
    """One step of a scenario: its number, from 1, its text, its verdict, and a note on a fault."""

    number: int
    text: str
    word: str
    symbol: str
    tone: str
    note: str


class StepsView(NamedTuple):
    steps: tuple[StepView, ...]


class TurnView(NamedTuple):
    """One turn of a dialogue: the program's text, and the answer, or our words for the dialogue's end.

    is_line: `answer` is a line that was typed.  skipped: turns left out before this one.
    """

    number: int
    said: str | Excerpt
    answer: str
    is_line: bool
    wrong: bool
    skipped: int


class DialogueView(NamedTuple):
    turns: tuple[TurnView, ...]


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


def case_view(
    case: CaseResult, *, folded: bool = False, staff: bool = False, lines: Lines = NO_LINES
) -> CaseView:
    """Return the view of a case; `staff` adds all measurements.  lines: that the page shows."""
    wording = verdict_wording(case.verdict)
    call = excerpt(case.call, VALUE_LIMIT)
    tried = Fact("call", word("Call") if case.findings is None else word("Rule"), call)
    near = near_limit(case) if staff else ""
    time, credit = near or _time(case), _credit(case)
    return CaseView(
        id=case.id,
        title=case.title,
        heading=case.call[:HEADING_LIMIT],
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
        measured=_measured(case) if staff and case.wall_s else "",
        facts=() if case.withheld else (tried, *_facts(case, wording.explanation, lines)),
        pictures=case.pictures,
        picture_note=case.picture_note if staff else "",
    )


def _facts(case: CaseResult, explanation: str, lines: Lines) -> list[Fact]:
    facts = []
    if case.findings:  # they say the same as the message, and more
        facts.append(Fact("findings", word("Where"), findings_view(case.findings, lines)))
    else:
        facts += _happened(case, explanation)
    if case.stopped_at is not None and case.stopped_at.source:
        facts.append(Fact("frame", word("Stopped at"), _frame_view(case.stopped_at, lines)))
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
            Fact("raised", word("Exception"), _raised(case.raised, judged(case, case.message), lines))
        )
    if case.hint and case.verdict != Verdict.ACCEPTED:
        facts.append(Fact("hint", word("Hint"), case.hint))
    if case.dialogue:
        facts.append(Fact("dialogue", word("Dialogue"), _dialogue(case.dialogue)))
    else:
        facts += _output(
            word("Printed besides") if case.printed or case.steps else word("Printed"), case.stdout
        )
    errors = without_traceback(case.stderr, case.raised.type_name) if case.raised else case.stderr
    facts += _output(word("Error output"), errors)
    if case.steps:
        facts.append(Fact("steps", word("Steps"), _steps(case.steps, case.message)))
    if case.group:
        facts.append(Fact("aside", word("Group"), case.group))
    return facts


def _name_of(given: Given) -> str:
    return word("Input") if given.name == "stdin" else say("File {name}", name=given.name)


def _output(label: str, text: str) -> list[Fact]:
    return [Fact("output", label, excerpt(text, OUTPUT_LIMIT))] if text else []


def _with_visible_ends(text: str) -> str:
    """Return the text with each blank at the end of a line as `·`."""
    lines = [(line, line.rstrip(" ")) for line in text.split("\n")]
    return "\n".join(bare + "·" * (len(line) - len(bare)) for line, bare in lines)


# -- values ------------------------------------------------------------------------------------------


def _happened(case: CaseResult, explanation: str) -> list[Fact]:
    """Return what happened: a sentence, or where two long parts differ and these; none that values tell."""
    found, message = case.difference, case.message
    if found is not None:
        said = _sentence(found)
        if message == said and (found.expected, found.actual) == (case.expected, case.actual):
            return []
        before, says, after = message.partition(said)
        if says and len(found.expected) + len(found.actual) > _SHORT_PARTS:
            where = f"{before.removesuffix(': ')}{after}"
            return [Fact("difference", word("What happened"), _difference(found, where))]
    told = judged(case, message) or explanation
    return [Fact("text", word("What happened"), excerpt(told, MESSAGE_LIMIT))] if told else []


def _sentence(found: Difference) -> str:
    return f"expected {found.expected}, got {found.actual}"


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
    if not found.where.startswith(PRINTED):
        # The judge found a difference, so both are values of one kind and can be compared.
        if expected != actual and max(len(expected), len(actual)) <= _MARKED_LIMIT:
            is_whole = not found.where and (found.expected, found.actual) != (expected, actual)
            marked = differing(expected, actual, context=_MARKED_LIMIT, is_whole=is_whole)
            facts.append(Fact("marked", "", marked))
        else:
            pairs = ((word("Expected"), expected), (word("Answer"), actual))
            facts += [Fact("value", label, excerpt(text, VALUE_LIMIT)) for label, text in pairs if text]
    said = _sentence(found) in case.message or (found.where and f"{found.where}: " in case.message)
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


# -- times -------------------------------------------------------------------------------------------


def _time(case: CaseResult) -> str:
    if not case.wall_s:
        return ""
    if case.verdict == Verdict.WALL_LIMIT:
        return say("{time} by the clock", time=duration(case.wall_s))
    if case.verdict == Verdict.TIME_LIMIT and case.time_limit_s and not case.near_limit:
        return say("more than {time}", time=duration(case.time_limit_s))
    used = duration(case.cpu_s)
    return say("{used} of {most}", used=used, most=duration(case.time_limit_s)) if case.time_limit_s else used


def near_limit(case: CaseResult) -> str:
    """Return how near a case came to its time limit, for the staff; empty if it stayed well below."""
    return f"near its limit: {_time(case)}" if case.near_limit and case.time_limit_s else ""


def _measured(case: CaseResult) -> str:
    times = f"{duration(case.cpu_s)} processor time, {duration(case.wall_s)} by the clock"
    return f"{times}, {size(case.peak_rss_b)} of memory" if case.peak_rss_b else times


def timing_sentence(timing: Timing, case: CaseResult) -> str:
    """Return one sentence on the timing of a case: both times, their ratio, how sure it is, its worth."""
    if case.verdict == Verdict.ACCEPTED:
        worth = say("all of the case")
    else:
        is_part = case.verdict == Verdict.PARTIAL
        worth = say("{share} of the case", share=format_mark(case.score)) if is_part else say("nothing")
    return say(
        "{time}, {ratio} times the reference's {reference} ({certainty}): worth {worth}; "
        "all up to {full} times, nothing from {none} times on",
        time=duration(timing.submission_s),
        ratio=f"{timing.ratio:.2f}",
        reference=duration(timing.reference_s),
        certainty=_certainty(timing),
        worth=worth,
        full=short_number(timing.full),
        none=short_number(timing.none),
    )


def growth_sentence(growth: GrowthResult) -> str:
    """Return the growth of a case's time, and the times of its sizes."""
    points = "; ".join(f"{point.size:,}: {_short_time(point.cpu_s)}" for point in growth.points)
    if growth.too_quick:
        name = say("too quick to tell, which counts as the best growth")
    elif growth.others:
        name = say(
            "between {name} and {other}, which counts as {name} (as the size to the power of {power})",
            name=growth.name,
            other=growth.others[-1],
            power=f"{growth.power:.2f}",
        )
    else:
        name = say(
            "{name} (as the size to the power of {power})", name=growth.name, power=f"{growth.power:.2f}"
        )
    return say(
        "{growth}; all up to {most}.  Time of a call by size: {points}",
        growth=name,
        most=growth.at_most,
        points=points,
    )


def _short_time(time_s: float) -> str:
    """Return a time to three digits, in the unit that fits: times of a table differ by factors."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if time_s >= factor:
            return f"{time_s / factor:.3g} {unit}"
    return "0 s" if time_s <= 0 else "<1 µs"


def _certainty(timing: Timing) -> str:
    rounds = counted(timing.rounds, "round")
    if timing.rounds == 1:
        return rounds
    return say(
        "the middle of {rounds}, give or take {share} %", rounds=rounds, share=f"{100 * timing.spread:.1f}"
    )


# -- exceptions, steps, dialogues --------------------------------------------------------------------


def _raised(raised: Raised, told: str, lines: Lines) -> RaisedView:
    title = f"{raised.type_name}: {raised.message}" if raised.message else raised.type_name
    frames = [_frame_view(frame, lines, len(list(alike))) for frame, alike in groupby(raised.frames)]
    left_out = max(0, len(frames) - FRAME_LIMIT)
    if left_out:
        frames[FRAME_LIMIT // 2 : FRAME_LIMIT // 2 + left_out] = []
    return RaisedView(excerpt(title, MESSAGE_LIMIT), tuple(frames), left_out, title in told[:MESSAGE_LIMIT])


def _frame_view(found: Frame, lines: Lines, times: int = 1) -> FrameView:
    file, function = found.file[:_PLACE_LIMIT], found.function[:_PLACE_LIMIT]
    place = say("{file}, line {line}", file=file, line=found.line)
    place += say(", in {function}", function=function) if function and not found.column else ""
    source = found.source.strip()[:_PLACE_LIMIT]
    start, end = marked_stretch(found, source)
    return FrameView(place, source, times, lines.of_frame(found), start, end)


def _steps(steps: tuple[StepResult, ...], message: str) -> StepsView:
    views = []
    for number, step in enumerate(steps, 1):
        wording = verdict_wording(step.verdict)
        # The case's own message may say the same already.
        note = "" if message.startswith(f"step {number}, ") else English(step.message[:MESSAGE_LIMIT])
        text = step.text[:_STEP_LIMIT]
        views.append(StepView(number, text, wording.word, wording.symbol, wording.tone.value, note))
    return StepsView(tuple(views))


def runs_of_steps(steps: tuple[StepView, ...]) -> list[tuple[StepView, int]]:
    """Return the steps in runs of like ones: the first step of each run, and how many more follow it.

    A right step joins a run of right ones; a step that was not judged joins a run with the same reason.
    """
    runs: list[tuple[StepView, int]] = []
    for step in steps:
        if runs and step.tone != "bad" and (step.tone, step.note) == (runs[-1][0].tone, runs[-1][0].note):
            first, more = runs[-1]
            runs[-1] = (first, more + 1)
        else:
            runs.append((step, 0))
    return runs


def _dialogue(turns: tuple[TurnResult, ...]) -> DialogueView:
    views, before = [], 0
    for turn in turns:
        words = END_OF_CASE if turn.stopped else END_OF_PROGRAM if turn.ended else END_OF_INPUT
        views.append(
            TurnView(
                number=turn.number,
                said=excerpt(turn.said, VALUE_LIMIT),
                answer=say(words) if turn.answered is None else turn.answered[:_ANSWER_LIMIT],
                is_line=turn.answered is not None,
                wrong=turn.wrong,
                skipped=turn.number - before - 1,
            )
        )
        before = turn.number
    return DialogueView(tuple(views))

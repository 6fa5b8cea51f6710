"""One case as pages and terminal show it: words chosen, texts cut, differences found.

It reads a case of the results or of a student's view; it does not decide what a student may see, and
it escapes nothing.  A page shows many cases, so a case is a heading and a list of its facts, rather than a
field for each fact that a case could have.
"""

from itertools import groupby
from typing import NamedTuple, TypeAlias

from grader.marking.rounding import format_mark
from grader.model.drawing import Picture
from grader.model.results import CaseResult, Frame, GrowthResult, Raised, StepResult, Timing, TurnResult
from grader.model.verdict import Verdict
from grader.reports.views.excerpt import Excerpt, Pair, differing, excerpt
from grader.reports.views.rules import FindingsView, findings_view
from grader.reports.views.wording import counted, duration, short_number, size, verdict_wording

HEADING_LIMIT = 160
VALUE_LIMIT = 2000
MESSAGE_LIMIT = 1000
OUTPUT_LIMIT = 4000
FRAME_LIMIT = 12
"""The longest texts shown, in characters, and the most lines of a traceback."""

PRINTED = "printed text"
"""The place of a difference in printed text begins with this, as `grader.judge` writes it."""
END_OF_INPUT = "(the input ends)"
END_OF_PROGRAM = "(the program ends)"

_MARKED_LIMIT = 400
_STEP_LIMIT = 300
_ANSWER_LIMIT = 300
_PLACE_LIMIT = 200


class DifferenceView(NamedTuple):
    """The place in a larger value where two parts first differ, in words, and the parts."""

    where: str
    pair: Pair


class FrameView(NamedTuple):
    """One line of a student's own traceback; `times` counts consecutive equal lines."""

    place: str
    source: str
    times: int


class RaisedView(NamedTuple):
    """An exception of the student's code; `left_out` counts frames left out in the middle of `frames`."""

    title: str | Excerpt
    frames: tuple[FrameView, ...]
    left_out: int


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
    str | Excerpt | Pair | DifferenceView | RaisedView | StepsView | FindingsView | DialogueView
)


class Fact(NamedTuple):
    """One fact about a case.

    kind: how it is displayed: "text", "call", "value", "marked" (two values with the stretch in
        which they differ), "difference", "time", "raised", "hint", "output", "steps",
        "dialogue", "findings" or "aside".
    label: a word or two for it.
    """

    kind: str
    label: str
    content: Content


class CaseView(NamedTuple):
    """One case.

    heading: the call, cut short without a sign of the cut.
    call: the whole call, or both ends of a very long one; also the first of the facts.
    folded: its facts are hidden at first.
    meta: time used and weight, on one line; empty where there is nothing to say.
    measured: all measurements, for the staff; else empty.
    pictures: only a page draws them.
    picture_note: the reason for missing pictures, for the staff; else empty.
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
    pictures: tuple[Picture, ...]
    picture_note: str


def case_view(case: CaseResult, *, folded: bool = False, staff: bool = False) -> CaseView:
    """Return the view of a case; `staff` adds all measurements."""
    wording = verdict_wording(case.verdict)
    call = excerpt(case.call, VALUE_LIMIT)
    tried = Fact("call", "Call" if case.findings is None else "Rule", call)
    time, credit = (near_limit(case) if staff else "") or _time(case), _credit(case)
    return CaseView(
        id=case.id,
        heading=case.call[:HEADING_LIMIT],
        call=call,
        word=wording.word,
        symbol=wording.symbol,
        tone=wording.tone.value,
        withheld=case.withheld,
        folded=folded,
        visibility=case.visibility,
        meta=f"{time}, {credit}" if time and credit else time or credit,
        measured=_measured(case) if staff and case.wall_s else "",
        facts=() if case.withheld else (tried, *_facts(case, wording.explanation)),
        pictures=case.pictures,
        picture_note=case.picture_note if staff else "",
    )


def _facts(case: CaseResult, explanation: str) -> list[Fact]:
    facts = []
    message = case.message or explanation
    if case.findings:  # they say the same as the message, and more
        facts.append(Fact("findings", "Where", findings_view(case.findings)))
    elif message:
        facts.append(Fact("text", "What happened", excerpt(message, MESSAGE_LIMIT)))
    facts += _values(case)
    for one in case.given:
        facts.append(Fact("output", "Input" if one.name == "stdin" else f"File {one.name}", one.text))
    facts += _output("To be printed", case.expected_print)
    facts += _output("Printed", case.printed)
    if case.timing is not None:
        facts.append(Fact("time", "Time", timing_sentence(case.timing, case)))
    if case.growth is not None:
        facts.append(Fact("time", "Growth", growth_sentence(case.growth)))
    if case.raised:
        facts.append(Fact("raised", "Exception", _raised(case.raised)))
    if case.hint and case.verdict != Verdict.ACCEPTED:
        facts.append(Fact("hint", "Hint", case.hint))
    if case.dialogue:
        facts.append(Fact("dialogue", "Dialogue", _dialogue(case.dialogue)))
    else:
        facts += _output("Printed besides" if case.printed or case.steps else "Printed", case.stdout)
    facts += _output("Error output", case.stderr)
    if case.steps:
        facts.append(Fact("steps", "Steps", _steps(case.steps, case.message)))
    if case.group:
        facts.append(Fact("aside", "Group", case.group))
    return facts


def _output(label: str, text: str) -> list[Fact]:
    return [Fact("output", label, excerpt(text, OUTPUT_LIMIT))] if text else []


# -- values ------------------------------------------------------------------------------------------


def _values(case: CaseResult) -> list[Fact]:
    expected, actual, found = case.expected, case.actual, case.difference
    if not found:
        # A right answer that was slow is shown once.
        alike = expected == actual and (case.verdict == Verdict.ACCEPTED or case.timing is not None)
        return [
            Fact("value", label, excerpt(text, VALUE_LIMIT))
            for label, text in (("Expected", "" if alike else expected), ("Answer", actual))
            if text
        ]
    part = Fact(
        "difference",
        "First difference",
        DifferenceView(found.where, differing(found.expected, found.actual)),
    )
    # A program has no answer at all.
    if found.where.startswith(PRINTED) or not (expected or actual):
        return [part]
    # The judge found a difference, so both are values of one kind and can be compared.
    if max(len(expected), len(actual)) <= _MARKED_LIMIT:
        facts = [Fact("marked", "", differing(expected, actual, context=_MARKED_LIMIT))]
    else:
        facts = [
            Fact("value", "Expected", excerpt(expected, VALUE_LIMIT)),
            Fact("value", "Answer", excerpt(actual, VALUE_LIMIT)),
        ]
    if (found.expected, found.actual) != (expected, actual):
        where = found.where or "the answer"
        facts.append(part._replace(content=DifferenceView(where, differing(found.expected, found.actual))))
    return facts


def _credit(case: CaseResult) -> str:
    """Return the score of the case if it is neither 0 nor 1, and its weight if not 1."""
    is_part = case.score.denominator != 1  # scores are from 0 to 1
    earned = f"earned {short_number(case.score)}" if is_part else ""
    counts = f"weight {short_number(case.weight)}" if case.weight != 1 else ""
    return ", ".join(filter(None, (earned, counts)))


# -- times -------------------------------------------------------------------------------------------


def _time(case: CaseResult) -> str:
    if not case.wall_s:
        return ""
    if case.verdict == Verdict.WALL_LIMIT:
        return f"{duration(case.wall_s)} by the clock"
    used = duration(case.cpu_s)
    return f"{used} of {duration(case.time_limit_s)}" if case.time_limit_s else used


def near_limit(case: CaseResult) -> str:
    """Return how near a case came to its time limit, for the staff; empty if it stayed well below."""
    return f"near its limit: {_time(case)}" if case.near_limit and case.time_limit_s else ""


def _measured(case: CaseResult) -> str:
    times = f"{duration(case.cpu_s)} processor time, {duration(case.wall_s)} by the clock"
    return f"{times}, {size(case.peak_rss_b)} of memory" if case.peak_rss_b else times


def timing_sentence(timing: Timing, case: CaseResult) -> str:
    """Return one sentence on the timing of a case: both times, their ratio, how sure it is, its worth."""
    if case.verdict == Verdict.ACCEPTED:
        worth = "all of the case"
    else:
        worth = f"{format_mark(case.score)} of the case" if case.verdict == Verdict.PARTIAL else "nothing"
    full, none = short_number(timing.full), short_number(timing.none)
    return (
        f"{duration(timing.submission_s)}, {timing.ratio:.2f} times the reference's "
        f"{duration(timing.reference_s)} ({_certainty(timing)}): worth {worth}; "
        f"all up to {full} times, nothing from {none} times on"
    )


def growth_sentence(growth: GrowthResult) -> str:
    """Return the growth of a case's time, and the times of its sizes."""
    points = "; ".join(f"{point.size:,}: {_short_time(point.cpu_s)}" for point in growth.points)
    if growth.too_quick:
        name = "too quick to tell, which counts as the best growth"
    else:
        name = growth.name
        if growth.others:
            name = f"between {name} and {growth.others[-1]}, which counts as {name}"
        name = f"{name} (as the size to the power of {growth.power:.2f})"
    return f"{name}; all up to {growth.at_most}.  Time of a call by size: {points}"


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
    return f"the middle of {rounds}, give or take {100 * timing.spread:.1f} %"


# -- exceptions, steps, dialogues --------------------------------------------------------------------


def _raised(raised: Raised) -> RaisedView:
    title = f"{raised.type_name}: {raised.message}" if raised.message else raised.type_name
    frames = [
        FrameView(place, source, len(list(alike)))
        for (place, source), alike in groupby(map(_frame, raised.frames))
    ]
    left_out = max(0, len(frames) - FRAME_LIMIT)
    if left_out:
        frames[FRAME_LIMIT // 2 : FRAME_LIMIT // 2 + left_out] = []
    return RaisedView(excerpt(title, MESSAGE_LIMIT), tuple(frames), left_out)


def _frame(found: Frame) -> tuple[str, str]:
    place = f"{found.file[:_PLACE_LIMIT]}, line {found.line}, in {found.function[:_PLACE_LIMIT]}"
    return place, found.source.strip()[:_PLACE_LIMIT]


def _steps(steps: tuple[StepResult, ...], message: str) -> StepsView:
    views = []
    for number, step in enumerate(steps, 1):
        wording = verdict_wording(step.verdict)
        # The case's own message may say the same already.
        note = "" if message.startswith(f"step {number}, ") else step.message[:MESSAGE_LIMIT]
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
        words = END_OF_PROGRAM if turn.ended else END_OF_INPUT
        views.append(
            TurnView(
                number=turn.number,
                said=excerpt(turn.said, VALUE_LIMIT),
                answer=words if turn.answered is None else turn.answered[:_ANSWER_LIMIT],
                is_line=turn.answered is not None,
                wrong=turn.wrong,
                skipped=turn.number - before - 1,
            )
        )
        before = turn.number
    return DialogueView(tuple(views))

"""Sequences on a page: lines of an exception, steps of a scenario, turns of a dialogue."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from grader.model.results import Frame, Raised, StepResult, TurnResult
from grader.reports.views.case.causes import marked_stretch
from grader.reports.views.case.source import Lines
from grader.reports.views.excerpt import MESSAGE_LIMIT, VALUE_LIMIT, Excerpt, excerpt
from grader.reports.views.wording import verdict_wording
from grader.reports.words import English, say, word

AGAIN = 0
"""Stands for how often a line of a recursion was called: a traceback is cut, so nobody knows."""
_LONGEST_CIRCLE = 6
_OFTEN = 5
_FRAME_LIMIT = 12
"""The most lines of a traceback."""
_STEP_LIMIT = 300
_ANSWER_LIMIT = 300
_PLACE_LIMIT = 200

_END_OF_INPUT = word("(the input ends)")
_END_OF_PROGRAM = word("(the program ends)")
_END_OF_CASE = word("(the case ends here)")


class FrameView(NamedTuple):
    """One line of a student's own.

    times: how many consecutive lines of a traceback are equal; `AGAIN` in a recursion that was too deep.

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


def raised_view(raised: Raised, told: str, lines: Lines) -> RaisedView:
    title = raised.title
    own, is_recursion = raised.frames, raised.type_name == "RecursionError"
    circle = _circle(own) if is_recursion else 0
    if circle:
        start = len(own) - circle
        while start >= circle and own[start - circle : start] == own[start : start + circle]:
            start -= circle
        frames = [frame_view(frame, lines) for frame in own[:start]]
        frames += [frame_view(frame, lines, AGAIN) for frame in own[start : start + circle]]
    else:
        counted = [(frame, len(list(alike))) for frame, alike in groupby(own)]
        frames = [
            frame_view(frame, lines, AGAIN if is_recursion and times > _OFTEN else times)
            for frame, times in counted
        ]
    left_out = max(0, len(frames) - _FRAME_LIMIT)
    if left_out:
        frames[_FRAME_LIMIT // 2 : _FRAME_LIMIT // 2 + left_out] = []
    return RaisedView(excerpt(title, MESSAGE_LIMIT), tuple(frames), left_out, title in told[:MESSAGE_LIMIT])


def _circle(frames: Sequence[Frame]) -> int:
    """Return how many calls a recursion goes through until it begins again; 0 where that can't be seen."""
    most = min(_LONGEST_CIRCLE, len(frames) // 2)
    return next((n for n in range(1, most + 1) if frames[-n:] == frames[-2 * n : -n]), 0)


def frame_view(found: Frame, lines: Lines, times: int = 1) -> FrameView:
    file, function = found.file[:_PLACE_LIMIT], found.function[:_PLACE_LIMIT]
    place = say("{file}, line {line}", file=file, line=found.line)
    place += say(", in {function}", function=function) if function and not found.column else ""
    source = found.source.strip()[:_PLACE_LIMIT]
    start, end = marked_stretch(found, source)
    return FrameView(place, source, times, lines.anchor(found), start, end)


def steps_view(steps: tuple[StepResult, ...], message: str) -> StepsView:
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


def dialogue_view(turns: tuple[TurnResult, ...]) -> DialogueView:
    views, before = [], 0
    for turn in turns:
        words = _END_OF_CASE if turn.stopped else _END_OF_PROGRAM if turn.ended else _END_OF_INPUT
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

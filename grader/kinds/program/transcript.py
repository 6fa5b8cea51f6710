"""The input and the words of a program, cut to a readable size."""

from collections.abc import Sequence
from dataclasses import replace

from grader.judge.given import GIVEN_LIMIT, given_files, shortened
from grader.judge.traces import without_traceback
from grader.model.case import ProgramRun
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, GivenText, TurnResult
from grader.wire.byte_text import bytes_of, text_of

_SAID_LIMIT = 2000
_ANSWER_LIMIT = 300
_HALF = 100
"""The number of turns that are kept from the beginning of a long dialogue, and from its end."""


def last_words(outcome: Outcome) -> str:
    """Return the text that a program printed after its last input; all of it if it asked for none."""
    if not outcome.dialogue:
        return outcome.stdout
    # A turn can end in the middle of a character, so bytes are counted.
    return text_of(bytes_of(outcome.stdout)[sum(len(bytes_of(turn.said)) for turn in outcome.dialogue) :])


def with_transcript(result: CaseResult, run: ProgramRun, outcome: Outcome, wrong: int | None) -> CaseResult:
    """Return a result with its program's input and dialogue.

    wrong: index of the turn that differs from the expected one.
    """
    result = replace(result, given=_given(run), dialogue=_turns(run, outcome, wrong))
    if wrong is not None and wrong < len(outcome.dialogue) and outcome.dialogue[wrong].answered is None:
        # The end of the input is ours, and so is the exception that follows from it.
        return replace(result, stderr=without_traceback(result.stderr, "EOFError"), raised=None)
    return result


def _given(run: ProgramRun) -> tuple[GivenText, ...]:
    stdin = (GivenText("stdin", shortened(run.stdin, GIVEN_LIMIT)),) if run.stdin else ()
    return (*stdin, *given_files(run.files))


def _turns(run: ProgramRun, outcome: Outcome, wrong: int | None) -> tuple[TurnResult, ...]:
    """Return the turns of a dialogue, the last words as the last."""
    if not (run.talks or run.passes > 1):
        return ()
    turns = [
        TurnResult(
            number=number,
            said=shortened(turn.said, _SAID_LIMIT),
            answered=None if turn.answered is None else shortened(turn.answered, _ANSWER_LIMIT),
        )
        for number, turn in enumerate(outcome.dialogue, 1)
    ]
    rest = last_words(outcome)
    if rest or (wrong is not None and wrong >= len(turns)):
        turns.append(TurnResult(number=len(turns) + 1, said=shortened(rest, _SAID_LIMIT), ended=True))
    if wrong is not None and wrong < len(turns):
        turns[wrong] = replace(turns[wrong], wrong=True)
    if outcome.ending is Ending.STOPPED and turns:
        turns[-1] = replace(turns[-1], stopped=True)
    if len(turns) > 2 * _HALF:
        turns[_HALF:-_HALF] = []
    return tuple(turns)


def typed_lines(run: ProgramRun, turns: Sequence[TurnResult]) -> list[str]:
    """Return the lines that a program is given: those of the spec, or those that its partner gave."""
    if run.dialogue:
        return [one.answer for one in run.dialogue if one.answer is not None]
    return [turn.answered for turn in turns if turn.answered is not None]

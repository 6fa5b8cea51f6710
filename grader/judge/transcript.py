"""The input and the words of a program, cut to a readable size."""

from collections.abc import Sequence
from dataclasses import replace

from grader.model.case import ProgramRun
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Given, TurnResult
from grader.wire.byte_text import bytes_of, text_of

_GIVEN_LIMIT = 4000
_SAID_LIMIT = 2000
_ANSWER_LIMIT = 300
_TRACEBACK = "Traceback (most recent call last):\n"
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


def without_traceback(stderr: str, exception: str) -> str:
    """Return what stands before the traceback of an exception at the end of a program's error output."""
    before, found, trace = stderr.rpartition(_TRACEBACK)
    last = trace.rstrip("\n").rpartition("\n")[2]
    # A program that cannot be read has no traceback but its place.
    is_whole = bool(found) or trace.startswith('  File "')
    return before if is_whole and last.partition(":")[0] == exception else stderr


def _given(run: ProgramRun) -> tuple[Given, ...]:
    stdin = (Given("stdin", _cut(run.stdin, _GIVEN_LIMIT)),) if run.stdin else ()
    return (*stdin, *given_files(run.files))


def given_files(files: Sequence[tuple[str, bytes]]) -> tuple[Given, ...]:
    """Return the files that a case finds, cut to a readable size."""
    return tuple(Given(name, _cut(text_of(content), _GIVEN_LIMIT)) for name, content in files)


def _turns(run: ProgramRun, outcome: Outcome, wrong: int | None) -> tuple[TurnResult, ...]:
    """Return the turns of a dialogue, the last words as the last."""
    if not run.dialogue and run.player is None:
        return ()
    turns = [
        TurnResult(
            number=number,
            said=_cut(turn.said, _SAID_LIMIT),
            answered=None if turn.answered is None else _cut(turn.answered, _ANSWER_LIMIT),
        )
        for number, turn in enumerate(outcome.dialogue, 1)
    ]
    rest = last_words(outcome)
    if rest or (wrong is not None and wrong >= len(turns)):
        turns.append(TurnResult(number=len(turns) + 1, said=_cut(rest, _SAID_LIMIT), ended=True))
    if wrong is not None and wrong < len(turns):
        turns[wrong] = replace(turns[wrong], wrong=True)
    if outcome.ending is Ending.STOPPED and turns:
        turns[-1] = replace(turns[-1], stopped=True)
    if len(turns) > 2 * _HALF:
        turns[_HALF:-_HALF] = []
    return tuple(turns)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return (
        f"{text[: limit // 2]}\n… {len(text) - limit} characters left out …\n{text[len(text) - limit // 2 :]}"
    )

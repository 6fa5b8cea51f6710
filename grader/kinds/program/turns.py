"""Judges the turns of a dialogue: what a program said, and whether it asked when it should."""

from dataclasses import replace

from grader.judge.expected_text import Matches, find_difference
from grader.judge.files import unlike_text
from grader.judge.finding import Finding
from grader.kinds.program.transcript import last_words
from grader.model.case import Exchange, ProgramRun
from grader.model.outcome import Outcome
from grader.model.results import Difference
from grader.model.verdict import Verdict


def turn_is_right(exchange: Exchange, said: str, said_by_reference: str | None, find: Matches) -> bool:
    """Tell whether a program said the expected text.  Raises `OwnFault` if that is not known."""
    return exchange.says is None or find_difference(exchange.says, said_by_reference, said, find) is None


def said_in(outcome: Outcome | None, index: int) -> str | None:
    """Return the words of a turn; after the last one, the last words."""
    if outcome is None:
        return None
    if index < len(outcome.dialogue):
        return outcome.dialogue[index].said
    return last_words(outcome) if index == len(outcome.dialogue) else None


def unlike_turn(
    run: ProgramRun, outcome: Outcome, reference: Outcome | None, find: Matches
) -> Finding | None:
    """Return a finding on the first turn with other words, or the first turn that was not expected."""
    if not run.dialogue:
        return None
    for index, (exchange, turn) in enumerate(zip(run.dialogue, outcome.dialogue, strict=False)):
        if exchange.says is None:
            continue
        found = unlike_text(f"turn {index + 1}", exchange.says, said_in(reference, index), turn.said, find)
        if found is not None:
            return replace(found, wrong_turn=index)
    due = len(run.dialogue)
    if len(outcome.dialogue) <= due:
        return None
    message = f"turn {due + 1}: asked for input once more, where it should have ended"
    difference = Difference(f"turn {due + 1}", "the end of the program", "a question for input")
    return Finding(verdict=Verdict.WRONG_ANSWER, message=message, difference=difference, wrong_turn=due)


def missing_turn(
    run: ProgramRun, outcome: Outcome, reference: Outcome | None, find: Matches
) -> Finding | None:
    """Return a finding if the program ended although it should have asked for more input."""
    missing = len(outcome.dialogue)
    if missing >= len(run.dialogue):
        return None
    says = run.dialogue[missing].says
    if says is not None:
        found = unlike_text(
            f"turn {missing + 1}", says, said_in(reference, missing), last_words(outcome), find
        )
        if found is not None:
            return replace(found, wrong_turn=missing)
    message = f"turn {missing + 1}: the program ended where it should have asked for input"
    difference = Difference(f"turn {missing + 1}", "a question for input", "the end of the program")
    return Finding(verdict=Verdict.WRONG_ANSWER, message=message, difference=difference, wrong_turn=missing)

"""A program's dialogue as pages and terminal show it: turn by turn, the wrong one marked."""

from typing import NamedTuple

from grader.reports.views.excerpt import Excerpt, excerpt
from grader.store.document_types import CaseDocument

END_OF_INPUT = "(the input ends)"
END_OF_PROGRAM = "(the program ends)"
_SAID_LIMIT = 2000
_ANSWER_LIMIT = 300


class TurnView(NamedTuple):
    """One turn: what the program said, and what it was answered, or in our words how it ended.

    is_line: `answer` is a line that was typed.  skipped: turns left out before this one.
    """

    number: int
    said: str | Excerpt
    answer: str
    is_line: bool
    wrong: bool
    skipped: int


class DialogueView(NamedTuple):
    """The turns in order."""

    turns: tuple[TurnView, ...]


def dialogue_view(case: CaseDocument) -> DialogueView:
    """Return the turns of a case's dialogue; none for other cases."""
    turns, before = [], 0
    for turn in case.get("dialogue", []):
        answered = turn["answered"]
        words = END_OF_PROGRAM if turn["ended"] else END_OF_INPUT
        turns.append(
            TurnView(
                number=turn["number"],
                said=excerpt(turn["said"], _SAID_LIMIT),
                answer=words if answered is None else answered[:_ANSWER_LIMIT],
                is_line=answered is not None,
                wrong=turn["wrong"],
                skipped=turn["number"] - before - 1,
            )
        )
        before = turn["number"]
    return DialogueView(tuple(turns))

"""The other side of a program's dialogue: what it is answered, and the record of it.

It stands on the trusted side.  A program asks for a line, and what it printed since the last one
comes along from the keeper, which reads it from the pipe; the next line is told only then.
"""

from collections.abc import Callable
from typing import Protocol

from grader.judge.finding import CheckFailed, OwnFault
from grader.judge.program import turn_is_right
from grader.model.case import Exchange, Player
from grader.model.outcome import Outcome, Turn, WatchedCall
from grader.model.values import Value

MOST_TURNS = 1000
"""Turns after which the input ends; a dialogue of a spec has fewer."""
MOST_SAID = 256 * 1024
"""Characters that may be said to a player, which is told all of it each time."""

Play = Callable[[Player, tuple[Turn, ...], str], str | None]
"""Asks a player for its next line: given what went before, and what was said last.

Raises `CheckFailed`.
"""


class _Side(Protocol):
    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the next line, or None for the end of the input."""


class Conversation:
    """One dialogue with one program.  Call it with what was said; `turns` is the record.

    failure: why no right line could be told; our own fault.
    """

    def __init__(self, side: _Side) -> None:
        self._side = side
        self._turns: list[Turn] = []
        self._is_over = False
        self.failure = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was said and answered, up to the end of the input."""
        return tuple(self._turns)

    def __call__(self, call: WatchedCall) -> Value:
        """Return the next line to what the keeper read, or None for the end of the input."""
        if self._is_over:
            return None
        said = "".join(part.decode("utf-8", "replace") for part in call.args if isinstance(part, bytes))
        answered = None
        try:
            if len(self._turns) < MOST_TURNS:
                answered = self._side.answer(self.turns, said)
        except (CheckFailed, OwnFault) as failure:
            self.failure = str(failure)
        self._turns.append(Turn(said, answered))
        self._is_over = answered is None
        return answered


class Script:
    """The lines of the spec, as long as the program says what it should.

    reference: what the reference did, where the spec expects the same.
    """

    def __init__(self, exchanges: tuple[Exchange, ...], reference: Outcome | None, *, lenient: bool) -> None:
        self._exchanges = exchanges
        self._reference = reference
        self._lenient = lenient

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the line of this turn.  Raises `OwnFault` where the reference has none to compare with."""
        number = len(turns)
        if number >= len(self._exchanges):
            return None
        exchange = self._exchanges[number]
        if not self._lenient:
            known = self._reference.dialogue if self._reference is not None else ()
            if not turn_is_right(exchange, said, known[number].said if number < len(known) else None):
                return None
        return exchange.answer


class Played:
    """The lines that a player of the checkers file gives."""

    def __init__(self, player: Player, play: Play) -> None:
        self._player = player
        self._play = play
        self._room = MOST_SAID

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Ask the player.  Raises `CheckFailed`."""
        self._room -= len(said)
        if self._room < 0:
            return None
        return self._play(self._player, turns, said)

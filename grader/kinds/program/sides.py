"""The other sides of a program's dialogue: the lines of the spec, a player, or an interactor."""

from fractions import Fraction
from typing import Protocol

from grader.judge.expected_text import Matches
from grader.judge.finding import CheckFailed
from grader.kinds.program.turns import turn_is_right
from grader.lab.talk import Talk
from grader.lab.validators import Said, ended_by_end_of_input
from grader.model.case import Exchange, Player
from grader.model.outcome import Outcome, PartnerVerdict, Turn
from grader.model.own_code import Interactor, Validator
from grader.sandbox.box import StopHere
from grader.wire.byte_text import bytes_of

MOST_TURNS = 1000
"""The input ends after this many turns; a dialogue of a spec has fewer."""
MOST_SAID = 256 * 1024
"""The most characters that a program may say to a player, which gets all of them each time."""
MOST_LINES = 9_000
"""The most lines that an interactor and a program say to one another: keepers count 10,000."""
MOST_LINE_B = 60_000
"""The most bytes of a line that a program of another language is given: a pipe holds them."""


class Partners(Protocol):
    """The methods of the oracle that dialogues need.  Raises `CheckFailed`."""

    def play(self, player: Player, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return a player's next line, given the turns so far and the program's last words."""

    def interact(self, interactor: Interactor) -> Talk:
        """Start a talk with an interactor."""

    def verdict(self, program: Validator, outcome: Outcome) -> Said:
        """Return what an interactor said by its end."""

    def find_in_text(self, pattern: str, text: str) -> bool | None:
        """Tell whether a pattern is found in the program's words; None if that takes too long."""


class Side:
    """One side of a dialogue.  most_turns: after them, the input ends."""

    most_turns = MOST_TURNS

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the next line, or None for the end of the input.  Raises `StopHere`."""
        raise NotImplementedError

    def is_done(self, turns: tuple[Turn, ...]) -> bool:
        """Tell whether a program may end after these turns."""
        raise NotImplementedError

    def finish(self, said: str) -> PartnerVerdict | None:
        """Hear the last words of a program that has ended; return the verdict about it, if this side has one.

        Raises `CheckFailed`.
        """
        return None

    def close(self) -> None:
        """End what runs for this side."""


class Script(Side):
    """Gives the lines of the spec, as long as the program says the expected words.

    reference: the reference's outcome, if the spec expects the same words.  lenient: ignore the program's
    words.  find: see `Partners.find_in_text`.
    """

    def __init__(
        self, exchanges: tuple[Exchange, ...], reference: Outcome | None, find: Matches, *, lenient: bool
    ) -> None:
        self._exchanges = exchanges
        self._find = find
        self._reference = reference
        self._lenient = lenient

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the line of this turn.  Raises `StopHere` if the case ends here.

        Raises `OwnFault` if the reference has no words to compare with, and `CheckFailed`.
        """
        number = len(turns)
        if number >= len(self._exchanges):
            return None
        exchange = self._exchanges[number]
        if not self._lenient:
            known = self._reference.dialogue if self._reference is not None else ()
            of_reference = known[number].said if number < len(known) else None
            if not turn_is_right(exchange, said, of_reference, self._find):
                return None
        if exchange.stops:
            raise StopHere
        return exchange.answer

    def is_done(self, turns: tuple[Turn, ...]) -> bool:
        """Tell whether all lines were given."""
        return len(turns) >= len(self._exchanges)


class Played(Side):
    """Gives the lines of a player of the checkers file."""

    def __init__(self, player: Player, partners: Partners) -> None:
        self._player = player
        self._partners = partners
        self._room = MOST_SAID

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the player's line.  Raises `CheckFailed`."""
        self._room -= len(said)
        if self._room < 0:
            return None
        return self._partners.play(self._player, turns, said)

    def is_done(self, turns: tuple[Turn, ...]) -> bool:
        """Tell whether there was a turn; when its dialogue is over, a player alone knows."""
        return bool(turns)


class Interacted(Side):
    """Gives the lines of an interactor, which starts with the dialogue."""

    most_turns = MOST_LINES + 1

    def __init__(self, interactor: Interactor, partners: Partners) -> None:
        self._interactor = interactor
        self._partners = partners
        self._talk: Talk | None = None
        self._lines = 0
        self._is_stuck = False

    def _open(self) -> Talk:
        if self._talk is None:
            self._talk = self._partners.interact(self._interactor)
        return self._talk

    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the next line that the interactor said.  Raises `CheckFailed`."""
        talk = self._open()
        self._hear(talk, said)
        line = talk.line()
        if line is not None and (len(turns) >= MOST_LINES or len(bytes_of(line)) > MOST_LINE_B):
            file = self._interactor.program.file
            raise CheckFailed(
                f"{file} says more than {MOST_LINES:,} lines, or a line of {MOST_LINE_B:,} bytes"
            )
        self._is_stuck = line is None and talk.outcome is None
        return line

    def _hear(self, talk: Talk, said: str) -> None:
        if talk.outcome is not None or self._is_stuck:
            # Its verdict stands, whatever a program says that goes on without an input.
            return
        self._lines += said.count("\n")
        if self._lines > MOST_LINES:
            raise CheckFailed(f"the program says more than {MOST_LINES:,} lines to its partner")
        talk.hear(said)

    def is_done(self, turns: tuple[Turn, ...]) -> bool:
        return self._talk is not None and self._talk.outcome is not None

    def finish(self, said: str) -> PartnerVerdict:
        """Return what the interactor says by its end.  Raises `CheckFailed` if that is no verdict."""
        talk = self._open()
        is_first = talk.outcome is not None
        self._hear(talk, said)
        waits = talk.outcome is None
        talk.end()
        assert talk.outcome is not None, "nothing more is said to it"
        program = self._interactor.program
        if waits and ended_by_end_of_input(talk.outcome):
            found = Said(Fraction(0), f"the program ended while {program.file} waited for a line")
        else:
            found = self._partners.verdict(program, talk.outcome)
        return PartnerVerdict(
            found.score,
            found.message,
            is_first=is_first,
            is_stuck=self._is_stuck,
            next_input=found.next_input,
            left=found.left,
        )

    def close(self) -> None:
        if self._talk is not None:
            self._talk.close()

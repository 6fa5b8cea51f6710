"""Runs programs of a submission and of the reference, and holds dialogues with them.

The trusted side answers in a dialogue.  When a program asks for a line, the keeper reads from the pipe the
text that the program printed since the last one.  Only then does the program get its next line.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from grader.judge.expected_text import Matches
from grader.judge.finding import CheckFailed, OwnFault
from grader.kinds.program.judge import turn_is_right
from grader.lab.folders import no_folder
from grader.languages.artefact import Artefact
from grader.model.case import Case, Exchange, Player, ProgramRun
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, Turn, WatchedCall
from grader.model.values import Value
from grader.sandbox.box import Box, Job, Program, StopHere, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence
from grader.sandbox.request import encode_program
from grader.sandbox.zygote import Zygote
from grader.wire.byte_text import text_of

_START_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""Time for preparing a box; the student's code does not run in it."""
MOST_TURNS = 1000
"""The input ends after this many turns; a dialogue of a spec has fewer."""
MOST_SAID = 256 * 1024
"""The most characters that a program may say to a player, which gets all of them each time."""


class Partners(Protocol):
    """The methods of the oracle that dialogues need.  Raises `CheckFailed`."""

    def play(self, player: Player, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return a player's next line, given the turns so far and the program's last words."""

    def find_in_text(self, pattern: str, text: str) -> bool | None:
        """Tell whether a pattern is found in the program's words; None if that takes too long."""


class _Partner(Protocol):
    def answer(self, turns: tuple[Turn, ...], said: str) -> str | None:
        """Return the next line, or None for the end of the input.  Raises `StopHere`."""

    def is_done(self, turns: tuple[Turn, ...]) -> bool:
        """Tell whether a program may end after these turns."""


class Conversation:
    """One dialogue with one program.  Call it with the program's words; `turns` is the record.

    reads_ahead: the program reads before it asks.  A read at the end, after whole lines, is then no question.
    failure: the reason why no line could be given; our own fault.
    """

    def __init__(self, side: _Partner, *, reads_ahead: bool = False) -> None:
        self._side = side
        self._reads_ahead = reads_ahead
        self._turns: list[Turn] = []
        self._is_over = False
        self.failure = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return the turns so far, up to the end of the input."""
        return tuple(self._turns)

    def __call__(self, call: WatchedCall) -> Value:
        """Return the next line, given the text that the keeper read; None for the end of the input."""
        if self._is_over:
            return None
        said = text_of(b"".join(part for part in call.args if isinstance(part, bytes)))
        answered = None
        try:
            if len(self._turns) < MOST_TURNS:
                answered = self._side.answer(self.turns, said)
        except StopHere:
            self._turns.append(Turn(said, None))
            self._is_over = True
            raise
        except (CheckFailed, OwnFault) as failure:
            self.failure = str(failure)
        self._is_over = answered is None
        if not (self._is_over and self._is_no_question(said)):
            self._turns.append(Turn(said, answered))
        return answered

    def _is_no_question(self, said: str) -> bool:
        return self._reads_ahead and said[-1:] in ("", "\n") and self._side.is_done(self.turns)


class Script:
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


class Played:
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


class Programs:
    """Runs cases of programs with the same modules, each case from the start.  Call `close` in the end.

    sources: texts of all modules, by name.  artefact: the program built of the module; None for Python.
    longest_s: the largest CPU limit of the cases.
    partners: hold its dialogues.  purse: pays for it.  on_wait: called when a program has begun to wait.
    """

    def __init__(
        self,
        zygote: Zygote,
        sources: dict[str, str],
        partners: Partners,
        longest_s: float,
        seed: int = 0,
        *,
        purse: Budget,
        on_wait: Callable[[], None] | None = None,
        artefact: Artefact | None = None,
    ) -> None:
        self._artefact = artefact
        self._zygote = zygote
        self._sources = sources
        self._partners = partners
        self._longest_s = longest_s
        self._seed = seed
        self._purse = purse
        self._on_wait = on_wait
        self._boxes: dict[tuple[str, int, int], Box] = {}

    def run(self, case: Case, run: ProgramRun) -> Outcome:
        """Run the reference's program; its words do not end its dialogue.  Raises `SandboxFailure`."""
        conversation = self.conversation(run, lenient=True)
        found = self.gather(case, run, allowed(case.limits), conversation)
        return found if isinstance(found, Outcome) else to_outcome(found, conversation)

    def conversation(
        self, run: ProgramRun, reference: Outcome | None = None, *, lenient: bool = False
    ) -> Conversation | None:
        """Return the other side of a program's dialogue, None if it has none.

        reference: the reference's outcome, if it was asked.  lenient: see `Script`.
        """
        ahead = self._artefact is not None and self._artefact.reads_ahead
        if run.player is not None:
            return Conversation(Played(run.player, self._partners), reads_ahead=ahead)
        if not run.dialogue:
            return None
        script = Script(run.dialogue, reference, self._partners.find_in_text, lenient=lenient)
        return Conversation(script, reads_ahead=ahead)

    def gather(
        self, case: Case, run: ProgramRun, limits: Limits, conversation: Conversation | None
    ) -> Evidence | Outcome:
        """Run a case's program; return evidence, or the outcome of one that did not run.

        Raises `SandboxFailure`.
        """
        if (run.files or run.keeps) and (refused := no_folder(self._zygote, "a program")) is not None:
            return refused
        key = run.module, limits.memory_b, self._seed if case.seed is None else case.seed
        if key not in self._boxes:
            box = self._open(*key)
            if isinstance(box, Outcome):
                return box
            self._boxes[key] = box
        job = Job(encode_program(run, limits), limits, conversation, conversation is not None)
        try:
            (found,) = self._boxes[key].gather([job])
        except BaseException:
            self._boxes.pop(key).close()
            raise
        return found

    def _open(self, module: str, memory_b: int, seed: int) -> Box | Outcome:
        program = Program(module, self._sources, runs=True, artefact=self._artefact)
        limits = replace(_START_LIMITS, memory_b=memory_b)
        purse, on_wait = self._purse, self._on_wait
        box = Box(
            self._zygote, program, memory_b, limits, self._longest_s, seed, purse=purse, on_wait=on_wait
        )
        try:
            outcome, _ = box.load()
        except BaseException:
            box.close()
            raise
        if loaded(outcome):
            return box
        box.close()
        if outcome.ending is Ending.BUDGET:
            return outcome
        return replace(
            outcome, ending=Ending.INTERNAL, detail=f"the box could not be prepared: {outcome.detail}"
        )

    def close(self) -> None:
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()


def to_outcome(found: Evidence, conversation: Conversation | None) -> Outcome:
    """Return the decoded outcome of a program, with its dialogue."""
    outcome = found.outcome()
    if conversation is None:
        return outcome
    if conversation.failure:
        return replace(outcome, ending=Ending.INTERNAL, detail=conversation.failure, watched=())
    return replace(outcome, dialogue=conversation.turns, watched=())

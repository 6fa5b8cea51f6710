"""Runs programs of a submission and of the reference, and holds dialogues with them.

The trusted side answers in a dialogue.  When a program asks for a line, the keeper reads from the pipe the
text that the program printed since the last one.  Only then does the program get its next line.
"""

from collections.abc import Callable
from dataclasses import replace

from grader.judge.finding import CheckFailed, OwnFault
from grader.kinds.program.sides import Interacted, Partners, Played, Script, Side
from grader.kinds.program.transcript import last_words
from grader.lab.folders import no_folder
from grader.languages.artefact import Artefact
from grader.model.case import Case, ProgramRun
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, PartnerVerdict, Turn, WatchedCall
from grader.model.values import Value
from grader.sandbox.box import Box, Job, Program, StopHere, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence
from grader.sandbox.request import encode_program
from grader.sandbox.zygote import Zygote
from grader.wire.byte_text import text_of

_START_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""Time for preparing a box; the student's code does not run in it."""


class Conversation:
    """One dialogue with one program.  Call it with the program's words; `turns` is the record.

    reads_ahead: the program reads before it asks.  A read at the end, after whole lines, is then no question.
    failure: the reason why no line could be given, or no verdict; our own fault.
    partner: the verdict of the other side, once the program has ended.
    """

    def __init__(self, side: Side, *, reads_ahead: bool = False) -> None:
        self._side = side
        self._reads_ahead = reads_ahead
        self._turns: list[Turn] = []
        self._is_over = False
        self.failure = ""
        self.partner: PartnerVerdict | None = None

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
            if len(self._turns) < self._side.most_turns:
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

    def finish(self, said: str) -> None:
        """Hear the last words of the program, and note the verdict of the other side."""
        try:
            self.partner = self._side.finish(said)
        except (CheckFailed, OwnFault) as failure:
            self.failure = self.failure or str(failure)

    def close(self) -> None:
        """End what runs for the other side."""
        self._side.close()

    def _is_no_question(self, said: str) -> bool:
        return self._reads_ahead and said[-1:] in ("", "\n") and self._side.is_done(self.turns)


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
        return self.outcome(case, run, allowed(case.limits), self.conversation(run, lenient=True))

    def outcome(
        self, case: Case, run: ProgramRun, limits: Limits, conversation: Conversation | None
    ) -> Outcome:
        """Run a program and end its conversation; return the outcome.  Raises `SandboxFailure`."""
        try:
            found = self.gather(case, run, limits, conversation)
            return found if isinstance(found, Outcome) else to_outcome(found, conversation)
        finally:
            if conversation is not None:
                conversation.close()

    def conversation(
        self, run: ProgramRun, reference: Outcome | None = None, *, lenient: bool = False
    ) -> Conversation | None:
        """Return the other side of a program's dialogue, None if it has none.

        reference: the reference's outcome, if it was asked.  lenient: see `Script`.
        """
        ahead = self._artefact is not None and self._artefact.reads_ahead
        if run.interactor is not None:
            return Conversation(Interacted(run.interactor, self._partners), reads_ahead=ahead)
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
        key = run.main, limits.memory_b, self._seed if case.seed is None else case.seed
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
    outcome = replace(outcome, dialogue=conversation.turns, watched=())
    conversation.finish(last_words(outcome))
    if conversation.failure:
        return replace(outcome, ending=Ending.INTERNAL, detail=conversation.failure, dialogue=())
    return replace(outcome, partner=conversation.partner)

"""Running programs for what they do: those of a submission, and the reference's."""

from collections.abc import Callable
from dataclasses import replace

from grader.engine.submission.dialogue import Conversation, Play, Played, Script
from grader.model.case import Case
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.driver import WALLS
from grader.sandbox.evidence import Evidence
from grader.sandbox.request import encode_program
from grader.sandbox.zygote import Zygote

_START_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""For getting a box ready, in which nothing of the student's runs yet."""


class Programs:
    """Runs cases of programs with the same modules, each case from the start.

    sources: texts of all modules, by name.  longest_s: the largest CPU limit of the cases.
    play: asks a player for a line.
    on_wait: is called when a program has begun to wait.  Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        zygote: Zygote,
        sources: dict[str, str],
        play: Play,
        longest_s: float,
        seed: int = 0,
        on_wait: Callable[[], None] | None = None,
    ) -> None:
        self._zygote = zygote
        self._sources = sources
        self._play = play
        self._longest_s = longest_s
        self._seed = seed
        self._on_wait = on_wait
        self._boxes: dict[tuple[str, int], Box] = {}

    def run(self, case: Case) -> Outcome:
        """Run the reference's program: whatever it says in a dialogue, that goes on.

        Raises `SandboxFailure`.
        """
        conversation = self.conversation(case, lenient=True)
        found = self.gather(case, allowed(case.limits), conversation)
        return found if isinstance(found, Outcome) else told(found, conversation)

    def conversation(
        self, case: Case, reference: Outcome | None = None, *, lenient: bool = False
    ) -> Conversation | None:
        """Return the other side of a case's dialogue; None where it has none.

        reference: what the reference did, where it was asked.  lenient: go on whatever is said.
        """
        run = case.program
        assert run is not None
        if run.player is not None:
            return Conversation(Played(run.player, self._play))
        return Conversation(Script(run.dialogue, reference, lenient=lenient)) if run.dialogue else None

    def gather(self, case: Case, limits: Limits, conversation: Conversation | None) -> Evidence | Outcome:
        """Run a case that has a program; an outcome is why it did not run.  Raises `SandboxFailure`."""
        run = case.program
        assert run is not None
        if (run.files or run.keeps) and not WALLS[self._zygote.driver].scratch_b:
            detail = (
                f"a program with files needs a folder of its own, which the sandbox driver "
                f"{self._zygote.driver} cannot bound"
            )
            return Outcome(ending=Ending.INTERNAL, detail=detail)
        key = run.module, limits.memory_b
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

    def _open(self, module: str, memory_b: int) -> Box | Outcome:
        program = Program(module, self._sources, runs=True)
        limits = replace(_START_LIMITS, memory_b=memory_b)
        box = Box(self._zygote, program, memory_b, limits, self._longest_s, self._seed, on_wait=self._on_wait)
        try:
            outcome, _ = box.load()
        except BaseException:
            box.close()
            raise
        if loaded(outcome):
            return box
        box.close()
        return replace(
            outcome, ending=Ending.INTERNAL, detail=f"the box could not be prepared: {outcome.detail}"
        )

    def close(self) -> None:
        """End all boxes."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()


def told(found: Evidence, conversation: Conversation | None) -> Outcome:
    """Decode what a program did, with its dialogue."""
    outcome = found.outcome()
    if conversation is None:
        return outcome
    if conversation.failure:
        return replace(outcome, ending=Ending.INTERNAL, detail=conversation.failure, watched=())
    return replace(outcome, dialogue=conversation.turns, watched=())

"""A program of the spec's that talks with another one, line by line, in a box of its own."""

from grader.model.closing import Closing
from grader.model.outcome import Outcome, WatchedCall
from grader.sandbox.box import Box, Job, reply_to
from grader.sandbox.evidence import Evidence, watched_call_of
from grader.sandbox.zygote import SandboxFailure
from grader.wire.byte_text import bytes_of, text_of


class Talk(Closing):
    """One talk.  The program runs until it needs a line that was not said yet.  Call `close` in the end.

    outcome: of the program, once it has ended; else None.
    """

    def __init__(self, box: Box, job: Job) -> None:
        """box: with the program loaded.  job: its run.  Raises `SandboxFailure`."""
        self._box = box
        self._job = Job(job.request, job.limits, self._next_line, asks=True)
        self._talk = box.converse([self._job])
        self._heard = ""
        """What was said to it, and it did not read yet."""
        self._hears_no_more = False
        self._said = ""
        """What it said, and nobody took yet."""
        self._taken_b = 0
        self._asks = b""
        """The call by which it asks for a line."""
        self.outcome: Outcome | None = None
        self._go_on(None)

    def hear(self, text: str) -> None:
        """Say something to the program, and let it run.  Raises `SandboxFailure`."""
        self._heard += text
        self._run()

    def end(self) -> None:
        """Tell the program that nothing more will be said, and let it run.  Raises `SandboxFailure`."""
        self._hears_no_more = True
        self._run()

    def line(self) -> str | None:
        """Take the next line that the program said, None if it said none.

        Its last words are one, too, where no line end follows.
        """
        line, end, rest = self._said.partition("\n")
        if not end and (self.outcome is None or not line):
            return None
        self._said = rest
        return line

    def _run(self) -> None:
        while self.outcome is None and ("\n" in self._heard or self._hears_no_more):
            self._go_on(reply_to(self._asks, self._job, []))

    def _next_line(self, _: WatchedCall) -> str | None:
        """Return the next line that the program reads; None for the end of its input."""
        line, end, self._heard = self._heard.partition("\n")
        return line if line or end else None

    def _go_on(self, reply: bytes | None) -> None:
        """Let the program run until it asks for a line, or ends."""
        try:
            _, call = next(self._talk) if reply is None else self._talk.send(reply)
        except StopIteration as ended:
            self.outcome = Evidence(ended.value[0], ()).outcome()
            self._said += text_of(bytes_of(self.outcome.stdout)[self._taken_b :])
            return
        if call is None:
            raise SandboxFailure("a program of the spec's was started again in the middle of a talk")
        self._asks = call
        said = b"".join(part for part in watched_call_of(call).args if isinstance(part, bytes))
        self._taken_b += len(said)
        self._said += text_of(said)

    def close(self) -> None:
        """End the program, if it still runs.  Raises `SandboxFailure`."""
        self._box.close()

"""What both measurements of a right answer's time share: boxes, judgements, and who pays."""

from dataclasses import dataclass, replace

from grader.judge.finding import Expected
from grader.judge.judge import judge
from grader.lab.boxes import import_limits
from grader.lab.lab import Lab
from grader.model.case import Case
from grader.model.limits import Limits, allowed
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.sandbox.box import Box, Program
from grader.sandbox.budget import UNBILLED, Budget


@dataclass(frozen=True, slots=True)
class Track:
    """The means to run an accepted case again.

    program: the submission's.  budget: pays for its runs.
    """

    lab: Lab
    case: Case
    program: Program
    budget: Budget

    @property
    def limits(self) -> Limits:
        return allowed(self.case.limits)

    def opened(self, program: Program) -> Box:
        """Return a new box of a program.  Raises `SandboxFailure`."""
        inputs, memory_b, is_own = self.lab.inputs, self.limits.memory_b, program is self.program
        return Box(
            self.lab.tools.zygote,
            program,
            memory_b,
            import_limits(memory_b),
            inputs.longest_s,
            inputs.task.seed_of(self.case),
            purse=self.budget if is_own else UNBILLED,
            on_wait=self.lab.boxes.wait if is_own else None,
        )

    def judged(self, case: Case, outcome: Outcome, expected: Expected | None) -> CaseResult:
        return judge(case, outcome, expected, self.lab.tools.oracle)


def when_run_again(result: CaseResult) -> CaseResult:
    """Return the result of an answer that was right the first time."""
    return replace(result, message=f"when it was run again for its time: {result.message}")

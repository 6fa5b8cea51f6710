"""What only some results have: steps, dialogues, times, findings in the source.

Apart from `grader.model.results`, so that whoever has none of these need not wait for the classes to be
made.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """What became of one step of a scenario.

    text: the step as one would type it.
    message: what is wrong, or why it was not judged; empty for a step that is right.
    printed, expected_print: where the step says what is printed: what was, and, where that is
        wrong, what should have been.
    """

    text: str
    verdict: Verdict
    message: str = ""
    expected: str = ""
    actual: str = ""
    printed: str = ""
    expected_print: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The time of a right answer beside the reference's, both measured under the same conditions.

    reference_s, submission_s: CPU seconds in the round whose ratio is in the middle of all.
    ratio: the submission's time as a multiple of the reference's.
    spread: by what share the ratio may be wrong, as far as the rounds can tell; 0 after a single one.
    rounds: how often both were run.
    full, none: the multiples up to which a time is worth all, and from which on nothing.
    """

    reference_s: float
    submission_s: float
    ratio: float
    spread: float
    rounds: int
    full: Fraction
    none: Fraction


@dataclass(frozen=True, slots=True)
class Given:
    """Something that a program was given: its input, or a file; a long text is cut."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """One turn of a program's dialogue.

    number: from 1; of a long dialogue some turns are left out.
    said: what it printed; a long text is cut.
    answered: the line it was then given; None: the end of its input.
    ended: it ended instead of asking for input.
    wrong: here it differs from what it should have said.
    """

    number: int
    said: str
    answered: str | None = None
    ended: bool = False
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """One place where a rule is broken.

    line: 0 for the file as a whole.  excerpt: the line, as the student wrote it.
    """

    file: str
    line: int
    message: str
    excerpt: str = ""


class RuleEffect(StrEnum):
    """What breaking a rule of the task comes to."""

    TOLD = "told"
    PENALTY = "penalty"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """What became of one rule of the task.

    rule: the rule for people.  effect: what breaking it comes to, broken or not.
    findings: none where it is kept.
    note: why it was not checked on some file; empty where it was.
    """

    rule: str
    effect: RuleEffect
    findings: tuple[RuleFinding, ...] = ()
    hint: str = ""
    note: str = ""

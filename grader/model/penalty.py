"""What is taken off a mark: how much of what."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Of(StrEnum):
    """What a percentage is a share of."""

    MARK = "mark"
    """What is left of the mark when the penalty is taken."""
    MAXIMUM = "maximum"
    """The task's marks."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """How much a penalty takes.

    amount: not negative; a share such as 3/20 for 15 %, or marks.
    of: what it is a share of; None: the amount counts marks.
    """

    amount: Fraction
    of: Of | None = None

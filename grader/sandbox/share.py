"""A part of a submission's budget, for one kind of work."""

from grader.model.limits import Limits
from grader.sandbox.budget import Budget


class Share(Budget):
    """A bounded part of a budget: what is spent of it is spent of the whole.

    cpu_s, wall_s: what the work may cost at most, as in `Budget`.
    """

    def __init__(self, whole: Budget, cpu_s: float, wall_s: float) -> None:
        super().__init__(cpu_s, wall_s)
        self._whole = whole

    @property
    def cpu_left_s(self) -> float:
        """CPU seconds that are left, of the part and of the whole."""
        return min(super().cpu_left_s, self._whole.cpu_left_s)

    @property
    def is_used_up(self) -> bool:
        """Whether the part or the whole is used up."""
        return super().is_used_up or self._whole.is_used_up

    def spend(self, cpu_s: float, wall_s: float = 0.0) -> None:
        """Take what some work cost, from both."""
        super().spend(cpu_s, wall_s)
        self._whole.spend(cpu_s, wall_s)

    def within(self, limits: Limits) -> Limits:
        """Return the limits, lowered to what is left of both."""
        return self._whole.within(super().within(limits))

"""The distribution of marks as the numbers of a small drawing, which the template draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.reports.views.cohort import Bin
from grader.reports.views.wording import counted, short_number

_WIDTH, _HEIGHT, _BASE = 360, 128, 108
_MARGIN, _TOP, _GAP = 10, 16, 2


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in units of the drawing; `middle` is the place of its count."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    count: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A histogram; `description` is the same in words."""

    width: int
    height: int
    base: int
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    description: str


def histogram(bins: Sequence[Bin]) -> Chart | None:
    """Return the drawing of a distribution, None where there is nothing to draw."""
    highest = max((item.count for item in bins), default=0)
    if not highest:
        return None
    step = (_WIDTH - 2 * _MARGIN) / len(bins)
    bars = []
    for index, item in enumerate(bins):
        left = _MARGIN + index * step
        height = (_BASE - _TOP) * item.count / highest
        bars.append(
            Bar(
                x=round(left + _GAP / 2, 1),
                y=round(_BASE - height, 1),
                width=round(step - _GAP, 1),
                height=round(height, 1),
                middle=round(left + step / 2, 1),
                count=item.count,
            )
        )
    edges = [item.low for item in bins] + [bins[-1].high]
    ticks = tuple(
        Tick(round(_MARGIN + index * step, 1), short_number(edge)) for index, edge in enumerate(edges)
    )
    return Chart(_WIDTH, _HEIGHT, _BASE, tuple(bars), ticks, _description(bins))


def _description(bins: Sequence[Bin]) -> str:
    parts = [
        f"{counted(item.count, 'student')} from {short_number(item.low)} to {short_number(item.high)}"
        for item in bins
        if item.count
    ]
    return "Distribution of marks: " + "; ".join(parts) + "."

"""Names the growth of times over growing inputs.

Arithmetic on measured times, see `engine.submission.growing`.  Between two sizes a time grows as some
power of the size.  Powers are taken within a round, whose runs meet the same load, and the median of all
counts, so that a disturbed run changes nothing; or the power from the least to the greatest size if that is
smaller: doubt counts in the student's favour.  So does the tolerance: growths whose powers lie within it
cannot be told apart, and the slowest of them counts.

Work that is done at import belongs to no size.  Where it takes longer than the longest call, the calls tell
nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log
from statistics import linear_regression, median

TOLERANCE = 0.3
"""The most by which a measured power may differ from that of a growth of this name."""
FLOOR_S = 0.002
"""A shorter time tells nothing about growth: the noise of a process is of that size."""
IMPORT_FLOOR_S = 0.02
"""An import that takes less than this beyond the reference's does no work for the calls."""
_IMPORT_SHARE = 0.5
"""The most that the import may take of the time of the longest call."""
_LEAST_S = 1e-4
"""A shorter time counts as this one."""

_Power = Callable[[float, float], float]
"""Returns the power of the size by which a growth goes from one size to another."""


def _logarithm(before: float, after: float) -> float:
    return log(log(max(after, 3)) / log(max(before, 2))) / log(after / before)


_POWERS: dict[str, _Power] = {
    "constant": lambda before, after: 0.0,
    "log n": _logarithm,
    "linear": lambda before, after: 1.0,
    "n log n": lambda before, after: 1.0 + _logarithm(before, after),
    "quadratic": lambda before, after: 2.0,
    "cubic": lambda before, after: 3.0,
}
GROWTHS = (*_POWERS, "exponential")
"""The growths that a spec can name, the slowest first."""
MORE_THAN_CUBIC = "more than cubic"
_ALL = (*_POWERS, MORE_THAN_CUBIC, "exponential")


@dataclass(frozen=True, slots=True)
class NamedGrowth:
    """The name of a growth.

    name: empty where the times tell nothing.
    power: the measured power of the size; 0 where the times are too short.
    others: growths that fit as well, and grow faster.
    is_told: False if the times are too short to tell.
    at_import: the work is done at import.
    near_edge: a little more noise could change the name.
    """

    name: str
    power: float = 0.0
    others: tuple[str, ...] = ()
    is_told: bool = True
    at_import: bool = False
    near_edge: bool = False


def named(
    sizes: Sequence[int],
    rounds: Sequence[Sequence[float]],
    floors: Sequence[float] = (),
    import_s: float = 0.0,
) -> NamedGrowth:
    """Return the name of the growth of the times, in seconds, of each round; sizes ascend.

    floors: for each size, the time below which it tells nothing; without, `FLOOR_S`.
    import_s: seconds of the import beyond the reference's.
    """
    middle = middle_times(rounds)
    if import_s > max(IMPORT_FLOOR_S, _IMPORT_SHARE * max(middle)):
        return NamedGrowth("", at_import=True)
    floors = floors or [FLOOR_S] * len(sizes)
    told = [number for number, time in enumerate(middle) if time >= floors[number]]
    if len(told) < 2:
        return NamedGrowth("", is_told=False)

    def powers(pairs: Sequence[tuple[int, int]]) -> list[float]:
        return [
            log(max(times[after], _LEAST_S) / max(times[before], _LEAST_S))
            / log(sizes[after] / sizes[before])
            for times in rounds
            for before, after in pairs
        ]

    power = min(median(powers(list(pairwise(told)))), median(powers([(told[0], told[-1])])))
    points = [(sizes[number], middle[number]) for number in told]
    steps = list(pairwise(points))
    wanted = {name: median([of(n1, n2) for (n1, _), (n2, _) in steps]) for name, of in _POWERS.items()}
    fitting = [name for name, each in wanted.items() if power <= each + TOLERANCE]
    margin = min(abs(power - each - TOLERANCE) for each in wanted.values())
    if fitting:
        # Growths with the same power at these sizes are one.
        others = tuple(
            name
            for name in fitting[1:]
            if wanted[name] - power <= TOLERANCE and wanted[name] > wanted[fitting[0]]
        )
        return NamedGrowth(fitting[0], power, others, near_edge=margin < TOLERANCE / 2)
    name = "exponential" if _is_exponential(points) else MORE_THAN_CUBIC
    return NamedGrowth(name, power, near_edge=margin < TOLERANCE / 2)


def middle_times(rounds: Sequence[Sequence[float]]) -> list[float]:
    """Return the median time of each size."""
    return [median(times) for times in zip(*rounds, strict=True)]


def _is_exponential(points: Sequence[tuple[int, float]]) -> bool:
    """Tell whether an exponential growth fits times better than a power of the size; two points fit both."""
    times = [log(time) for _, time in points]
    by_size = _misfit([float(size) for size, _ in points], times)
    return len(points) > 2 and by_size < _misfit([log(size) for size, _ in points], times)


def _misfit(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the sum of squares that the best line leaves."""
    slope, start = linear_regression(xs, ys)
    return sum((y - start - slope * x) ** 2 for x, y in zip(xs, ys, strict=True))


def is_fit(found: NamedGrowth, at_most: str) -> bool:
    """Tell whether nothing speaks against a growth: times that are too short do not."""
    return not found.is_told or (not found.at_import and is_within(found.name, at_most))


def is_within(name: str, at_most: str) -> bool:
    """Tell whether a growth is at most as fast as another."""
    return (inf if name not in _ALL else _ALL.index(name)) <= _ALL.index(at_most)

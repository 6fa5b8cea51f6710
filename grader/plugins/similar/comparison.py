"""Finds the works of a class that are unusually alike.

Comparing all pairs of a large class would take too long.  Works that share rare runs of code are compared,
and each work with some others, so that the class's own distribution is known.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from statistics import median

from grader.plugins.similar.alignment import Likeness
from grader.plugins.similar.works import Work

LEAST_OWN = 60
"""Codes: some eight lines.  Shorter works are equal by chance."""
LEAST_CLASS = 10
"""Works from which on a class has a distribution."""
_SMALL_CLASS_SCORE = 0.8
_LEAST_SCORE = 0.5
_SPREADS = 4.0
_LEAST_SPREAD = 0.02
_NORMAL = 1.4826
"""The median deviation times this is the standard deviation of a normal distribution."""

_MOST_TYPICAL = 0.7
_NEARLY_ALL = 0.95
"""A work that is so much the reference is told where half of the class has at most the share above."""

_ALL_PAIRS = 60
_RARE = 30
_NEIGHBOURS = 6
_MOST_PRINTS = 2_000


@dataclass(frozen=True, slots=True)
class Threshold:
    """The score from which on pairs are told.

    More than 1 where the works are so alike by nature, or so uneven, that no pair stands out.
    typical: median of each work's highest score; None in a class too small for a distribution.
    """

    score: float
    typical: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The lines that a class's works have in common.

    compared: number of works.  short: works with too little code of their own.
    equal: groups of works that differ in names, comments and layout alone.
    pairs: those at or above the threshold, the most alike first; of equal works one takes part.
    copies: works of which far more is the reference than is usual in this class; the largest share first.
    shares: the works of which a share was taken, the largest first; of several attempts of one student one.
    share_threshold: None where there is no reference.
    """

    compared: int
    short: tuple[Work, ...]
    equal: tuple[tuple[Work, ...], ...]
    pairs: tuple[Likeness, ...]
    threshold: Threshold | None
    copies: tuple[Work, ...] = ()
    shares: tuple[Work, ...] = ()
    share_threshold: Threshold | None = None


def compare(
    works: Sequence[Work], likeness: Callable[[Work, Work], Likeness] | None, *, with_reference: bool = False
) -> Comparison:
    """Compare the works of a class.

    likeness: None: only equal works are found.  with_reference: tell too how much of each is the reference.
    """
    found = _compared(works, likeness)
    return _with_copies(found, works) if with_reference else found


def _with_copies(found: Comparison, works: Sequence[Work]) -> Comparison:
    """Add how much of each work is the reference."""
    highest: dict[str, Work] = {}
    for work in sorted(works, key=lambda work: -work.published_share):
        # Less than some lines can be nearly nothing but the reference by chance.
        if work.written >= LEAST_OWN:
            highest.setdefault(work.owner, work)
    shares = tuple(highest.values())
    threshold = _threshold([work.published_share for work in shares])
    if threshold.typical is not None and threshold.typical <= _MOST_TYPICAL:
        threshold = Threshold(min(threshold.score, _NEARLY_ALL), threshold.typical)
    copies = tuple(work for work in shares if work.published_share >= threshold.score)
    return replace(found, copies=copies, shares=shares, share_threshold=threshold)


def _compared(works: Sequence[Work], likeness: Callable[[Work, Work], Likeness] | None) -> Comparison:
    long = [work for work in works if work.own >= LEAST_OWN]
    short = tuple(work for work in works if work.own < LEAST_OWN)
    groups: dict[str, list[Work]] = defaultdict(list)
    for number, work in enumerate(long):
        groups[work.digest or f"too long {number}"].append(work)
    equal = tuple(tuple(group) for group in groups.values() if _owners(group) > 1)
    if likeness is None:
        return Comparison(len(long), short, equal, (), None)
    distinct = list(groups.values())
    firsts = [group[0] for group in distinct]
    found: list[Likeness] = []
    highest: dict[int, float] = {at: 1.0 for at, group in enumerate(distinct) if _owners(group) > 1}
    for one, other in _worth_comparing(firsts):
        if _owners([*distinct[one], *distinct[other]]) > 1:
            alike = likeness(firsts[one], firsts[other])
            found.append(alike)
            for at in (one, other):
                highest[at] = max(highest.get(at, 0.0), alike.score)
    nearest = [highest.get(at, 0.0) for at, group in enumerate(distinct) for _ in group]
    threshold = _threshold(nearest)
    pairs = [alike for alike in found if alike.score >= threshold.score]
    pairs.sort(key=lambda alike: (-alike.score, alike.left.owner, alike.right.owner))
    return Comparison(len(long), short, equal, tuple(_one_each(pairs)), threshold)


def _owners(works: Sequence[Work]) -> int:
    return len({work.owner for work in works})


def _one_each(pairs: Sequence[Likeness]) -> Iterator[Likeness]:
    """Yield of several attempts of two students the pair that is most alike."""
    seen = set()
    for pair in pairs:
        owners = frozenset((pair.left.owner, pair.right.owner))
        if len(owners) == 1 or owners not in seen:
            seen.add(owners)
            yield pair


def _threshold(nearest: Sequence[float]) -> Threshold:
    """Return the threshold: far above what is typical in this class."""
    if len(nearest) < LEAST_CLASS:
        return Threshold(_SMALL_CLASS_SCORE, None)
    typical = median(nearest)
    # Copies lie above the median, so the spread of honest works is that below it.
    below = median(typical - score for score in nearest if score <= typical)
    spread = max(_LEAST_SPREAD, _NORMAL * below)
    return Threshold(max(_LEAST_SCORE, typical + _SPREADS * spread), typical)


def _worth_comparing(works: Sequence[Work]) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions: those with rare runs in common, and some for each work."""
    if len(works) <= _ALL_PAIRS:
        yield from combinations(range(len(works)), 2)
        return
    holders: dict[int, list[int]] = defaultdict(list)
    for at, work in enumerate(works):
        for print_ in sorted(work.prints)[:_MOST_PRINTS]:
            holders[print_].append(at)
    common: list[Counter[int]] = [Counter() for _ in works]
    for sharing in holders.values():
        if len(sharing) <= _RARE:
            for one, other in combinations(sharing, 2):
                common[one][other] += 1
                common[other][one] += 1
        else:
            # Too many share it to say much, so each is compared with the next alone.
            for one, other in pairwise(sharing):
                common[one][other] += 0
    chosen = {
        (min(at, other), max(at, other))
        for at, shared in enumerate(common)
        for other, _ in shared.most_common(_NEIGHBOURS)
    }
    yield from sorted(chosen)

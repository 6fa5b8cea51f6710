"""The passages that two works share, by the edit distance of their parts (rapidfuzz).

Parts are paired first, each with the part that it is most like, so the order of functions does not matter.
Then the codes of two paired parts are aligned.  Only long equal runs count: short ones occur by chance.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.plugins.similar.works import Work, WorkPart

_LEAST_RUN = 9
_LEAST_ALIKE = 0.35
_LARGEST_GAP = 5
"""Codes that may differ inside a passage."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file, from `first` to `last`.  file: its number in `Work.files`."""

    file: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that two works share.  size: codes that are equal."""

    left: LineRange
    right: LineRange
    size: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two works that share passages.  left_share, right_share: of each work's own code."""

    left: Work
    right: Work
    left_share: float
    right_share: float
    passages: tuple[Passage, ...]

    @property
    def score(self) -> float:
        return (self.left_share + self.right_share) / 2


def likeness(left: Work, right: Work) -> Likeness:
    """Compare two works that have codes of their own."""
    from rapidfuzz.distance import Indel  # an extra

    alike: list[tuple[float, int, int]] = []
    for at, one in enumerate(left.parts):
        for to, other in enumerate(right.parts):
            ratio = Indel.normalized_similarity(one.codes, other.codes, score_cutoff=_LEAST_ALIKE)
            if ratio:
                alike.append((-ratio * (len(one.codes) + len(other.codes)), at, to))
    passages: list[Passage] = []
    lefts, rights = set(range(len(left.parts))), set(range(len(right.parts)))
    for _, at, to in sorted(alike):
        if at in lefts and to in rights:
            lefts.remove(at)
            rights.remove(to)
            one, other = left.parts[at], right.parts[to]
            equal_runs = (
                (run.src_start, run.dest_start, run.src_end - run.src_start)
                for run in Indel.opcodes(one.codes, other.codes)
                if run.tag == "equal"
            )
            passages += _passages(one, other, equal_runs)
    equal = sum(passage.size for passage in passages)
    passages.sort(key=lambda passage: (-passage.size, passage.left.file, passage.left.first))
    return Likeness(left, right, equal / left.own, equal / right.own, tuple(passages))


def _passages(one: WorkPart, other: WorkPart, runs: Iterable[tuple[int, int, int]]) -> Iterator[Passage]:
    """Yield long equal runs as passages, those that lie close together as one.

    runs: where each begins in both parts, and its length.
    """
    start: tuple[int, int] | None = None
    end, size = (0, 0), 0
    for at, to, length in runs:
        if length < _LEAST_RUN:
            continue
        if start is not None and max(at - end[0], to - end[1]) > _LARGEST_GAP:
            yield _passage(one, other, start, end, size)
            start = None
        if start is None:
            start, size = (at, to), 0
        end, size = (at + length, to + length), size + length
    if start is not None:
        yield _passage(one, other, start, end, size)


def _passage(
    one: WorkPart, other: WorkPart, start: tuple[int, int], end: tuple[int, int], size: int
) -> Passage:
    return Passage(_span(one, start[0], end[0]), _span(other, start[1], end[1]), size)


def _span(part: WorkPart, start: int, end: int) -> LineRange:
    file, first = part.places[start]
    within = [line for number, line in part.places[start:end] if number == file]
    return LineRange(file, first, max(within))

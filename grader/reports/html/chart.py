"""Charts as the numbers of small drawings, which `charts.html.j2` draws as SVG.

Each has a description that says the same in words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

from grader.reports.tone import Tone
from grader.reports.views.cohort.case_figures import BINS_PER_OCTAVE, SHORTEST_S, VERDICT_OF, Times
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.distribution import Bin, distribution
from grader.reports.views.wording import counted, duration, short_mean, short_number, verdict_wording

_WIDTH, _HEIGHT, _BASE = 460, 142, 120
_MARGIN, _TOP, _GAP = 10, 30, 2
_LABELS = 13
_ROOM_FOR_PENDING = 3

STRIP_WIDTH, STRIP_HEIGHT, _STRIP_BASE = 200, 26, 22
_WORTH_A_STRIP_S = 0.02

_MAP_WIDTH_PX, _WIDEST_CELL_PX = 1160, 16
_CHARACTER_PX = 7.5
_MAP_ROWS_PX = ((40, 14), (100, 8), (10**9, 4))
"""Up to so many students, a row of the map is so high."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in units of the drawing; `middle` is the place of its count."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    count: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """A text at the axis, or at a line; anchor: `start`, `middle` or `end`."""

    x: float
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Chart:
    """A histogram, or a strip of times.

    bars: empty where all times are short.  lines: the mean and the median.
    dots: the outliers of a strip.  limit: the place of the time limit in a strip; None where there is none.
    """

    width: int
    height: int
    base: int
    description: str
    bars: tuple[Bar, ...] = ()
    ticks: tuple[Tick, ...] = ()
    lines: tuple[Tick, ...] = ()
    dots: tuple[float, ...] = ()
    limit: float | None = None


def _bar(base: int, left: float, width: float, height: float, count: int, kind: str = "") -> Bar:
    """Return a bar that stands on the base."""
    x, y, middle = round(left, 1), round(base - height, 1), round(left + width / 2, 1)
    return Bar(x, y, round(width, 1), round(height, 1), middle, count, kind)


def histogram(cohort: Cohort) -> Chart | None:
    """Return the distribution of the marks, the pending ones beside it; None for nothing."""
    bins = distribution(cohort)
    pending = len(cohort.rows) - len(cohort.marks) - cohort.absent
    highest = max([pending, *(item.count for item in bins)], default=0)
    if not bins or not highest:
        return None
    step = (_WIDTH - 2 * _MARGIN) / (len(bins) + (_ROOM_FOR_PENDING if pending else 0))

    def bar(index: float, count: int, kind: str = "") -> Bar:
        left, height = _MARGIN + index * step + _GAP / 2, (_BASE - _TOP) * count / highest
        return _bar(_BASE, left, step - _GAP, height, count, kind)

    bars = [bar(index, item.count) for index, item in enumerate(bins)]
    every = ceil(len(bins) / _LABELS)
    ticks = [
        Tick(each.middle, short_number(item.low))
        for index, (each, item) in enumerate(zip(bars, bins, strict=True))
        if (len(bins) - 1 - index) % every == 0
    ]
    if pending:
        beside = bar(len(bins) + _ROOM_FOR_PENDING - 2, pending, "pending")
        bars.append(beside)
        ticks.append(Tick(beside.middle, "pending"))
    lines = _lines(cohort, lambda mark: round(_MARGIN + step * _place(bins, mark), 1))
    words = _description(bins, pending)
    return Chart(_WIDTH, _HEIGHT, _BASE, words, tuple(bars), tuple(ticks), lines)


def _place(bins: Sequence[Bin], mark: Fraction) -> float:
    """Return the place of a mark, in bars from the left."""
    index = max(number for number, item in enumerate(bins) if item.low <= mark or not number)
    item = bins[index]
    if index == len(bins) - 1:
        return index + 0.5
    within = (mark - item.low) / (bins[index + 1].low - item.low)
    return index + (0.5 + float(within) if item.low == item.high else float(within))


def _lines(cohort: Cohort, x_of: Callable[[Fraction], float]) -> tuple[Tick, ...]:
    mean, median = cohort.mean, cohort.median
    if mean is None or median is None:
        return ()
    first, second = sorted([(mean, "mean"), (median, "median")])
    return tuple(
        Tick(x_of(mark), f"{name} {short_mean(mark)}", anchor)
        for (mark, name), anchor in ((first, "end"), (second, "start"))
    )


def _description(bins: Sequence[Bin], pending: int) -> str:
    parts = [f"{counted(item.count, 'student')} with {_range(item)}" for item in bins if item.count]
    if pending:
        parts.append(f"{counted(pending, 'mark')} pending")
    return "Distribution of marks: " + "; ".join(parts) + "."


def _range(item: Bin) -> str:
    low, high = short_number(item.low), short_number(item.high)
    return low if item.low == item.high else f"{low} to {high}"


# -- times ------------------------------------------------------------------------------------------


def strip(times: Times) -> Chart | None:
    """Return the drawing of the times, None without any."""
    if not times.bins:
        return None
    slowest = times.slowest.named()[0][0]
    median = times.quantile(0.5)
    text = f"median {duration(median)}, slowest {duration(slowest)}"
    text += f" of {duration(times.limit_s)}" if times.limit_s else ""
    if slowest < _WORTH_A_STRIP_S:
        return Chart(STRIP_WIDTH, STRIP_HEIGHT, _STRIP_BASE, f"at most {duration(slowest)}")
    octaves = log(max(times.limit_s, slowest) / SHORTEST_S, 2) + 0.5
    unit = STRIP_WIDTH / octaves

    def x_of(time_s: float) -> float:
        return round(log(max(time_s, SHORTEST_S) / SHORTEST_S, 2) * unit, 1)

    fence = times.fence_s
    highest = max(times.bins.values())
    width = unit / BINS_PER_OCTAVE
    bars = tuple(
        _bar(
            _STRIP_BASE,
            at * width,
            max(width - 0.5, 1.5),
            max(2.0, (_STRIP_BASE - 4) * count / highest),
            count,
        )
        for at, count in sorted(times.bins.items())
    )
    dots = tuple(x_of(time_s) for time_s, _ in times.slowest.named(fence))
    limit = x_of(times.limit_s) if times.limit_s else None
    return Chart(STRIP_WIDTH, STRIP_HEIGHT, _STRIP_BASE, text, bars, dots=dots, limit=limit)


# -- the map ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Map:
    """A map of students and cases, one unit for each cell; accepted cases are the ground.

    paths: for each tone the lines of its cells.  edges: the lines between questions.
    labels: the questions, by their places in hundredths of the width.  row_px: the height of a row.
    """

    columns: int
    rows: int
    width_px: int
    row_px: int
    paths: tuple[tuple[str, str], ...]
    edges: str
    labels: tuple[Tick, ...]
    description: str


ABSENT = "absent"
MAP_KEY = (
    (Tone.PART.value, "partly right"),
    (Tone.BAD.value, "not accepted"),
    (Tone.IDLE.value, "skipped"),
    (Tone.OURS.value, "internal error"),
    (ABSENT, "no result"),
)
_TONE_OF = {letter: verdict_wording(verdict).tone.value for letter, verdict in VERDICT_OF.items()} | {
    " ": ABSENT
}


def student_map(cohort: Cohort, verdicts: Sequence[str]) -> Map | None:
    """Return the map of some students, one text of verdicts for each; None where there is nothing to see.

    Those of whom nothing is drawn come last: in a large class they would be a blank screen at the top.
    """
    columns, cases = map_columns(cohort), cohort.case_at
    if not columns or not verdicts:
        return None
    tones = {letters: set(_tones(letters, columns)) for letters in verdicts}
    verdicts = sorted(verdicts, key=lambda letters: tones[letters] == {Tone.GOOD.value})
    width_px = min(_MAP_WIDTH_PX, len(columns) * _WIDEST_CELL_PX)
    starts = [0, *map_edges(cohort, columns)]
    ends = [*starts[1:], len(columns)]
    labels = []
    for start, end in zip(starts, ends, strict=True):
        label = cases[columns[start]].question
        if len(label) * _CHARACTER_PX < width_px * (end - start) / len(columns):
            labels.append(Tick(round(100 * start / len(columns), 2), label, "start"))
    return Map(
        columns=len(columns),
        rows=len(verdicts),
        width_px=width_px,
        row_px=map_row_px(cohort),
        paths=tuple(_paths(verdicts, columns)),
        edges="".join(f"M{start} 0v{len(verdicts)}" for start in starts[1:]),
        labels=tuple(labels),
        description=f"Map of {counted(len(verdicts), 'student')}, highest mark first, those without a fault "
        f"last, and {counted(len(columns), 'case')}. The tables of questions and of students say the same.",
    )


def map_row_px(cohort: Cohort) -> int:
    return next(height for most, height in _MAP_ROWS_PX if len(cohort.rows) <= most)


def map_edges(cohort: Cohort, columns: Sequence[int]) -> list[int]:
    """Return the columns, beyond the first, with which a question begins."""
    cases = cohort.case_at
    questions = [cases[at].question for at in columns]
    return [at for at in range(1, len(questions)) if questions[at] != questions[at - 1]]


def map_columns(cohort: Cohort) -> list[int]:
    """Return the positions of the cases in a student's verdicts, ordered by question."""
    cases = cohort.case_at
    order = {question: number for number, question in enumerate(cohort.questions)}
    return sorted(range(len(cases)), key=lambda at: (order[cases[at].question], at))


def _tones(letters: str, columns: Sequence[int]) -> list[str]:
    letters = letters.ljust(len(columns))
    return [_TONE_OF.get(letters[column], ABSENT) for column in columns]


def _paths(verdicts: Iterable[str], columns: Sequence[int]) -> Iterable[tuple[str, str]]:
    pieces: dict[str, list[str]] = {tone: [] for tone, _ in MAP_KEY}
    for row, letters in enumerate(verdicts):
        tones = _tones(letters, columns)
        start = 0
        for at in range(1, len(tones) + 1):
            if at == len(tones) or tones[at] != tones[start]:
                if tones[start] in pieces:
                    pieces[tones[start]].append(f"M{start} {row}.5h{at - start}")
                start = at
    return ((tone, "".join(found)) for tone, found in pieces.items() if found)

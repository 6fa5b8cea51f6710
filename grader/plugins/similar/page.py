"""`similar.html` and `similar.json`: works that are alike, for the staff alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.model.results import RunInfo, TaskHead
from grader.plugins.similar.alignment import Likeness, LineRange, Passage
from grader.plugins.similar.comparison import Comparison, Threshold
from grader.plugins.similar.works import Work
from grader.reports.html.templating import templates
from grader.reports.views.wording import point_in_time

SCHEMA = "grader-similar/1"

_MOST_SHOWN = 50
_MOST_LISTED = 1_000
_MOST_PASSAGES = 12
_MOST_LINES = 60
_SMALL_GAP = 3
_LONGEST_LINE = 160
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class _Text:
    """One side of a passage.  cut: number of lines that are left out."""

    place: str
    lines: tuple[tuple[int, str], ...]
    cut: int


@dataclass(frozen=True, slots=True)
class _Pair:
    number: int
    left: str
    right: str
    score: str
    left_share: str
    right_share: str
    passages: tuple[tuple[_Text, _Text], ...]
    further: int


def page(run: RunInfo, task: TaskHead, found: Comparison, unread: tuple[str, ...]) -> str:
    """Return the page.  unread: labels of works that could not be scanned."""
    environment = templates("similar.css")
    environment.globals.update(task=task, run=run, finished=point_in_time(run.finished))
    return environment.get_template("similar.html.j2").render(
        pairs=[
            _pair(number, pair, shown=number <= _MOST_SHOWN)
            for number, pair in enumerate(found.pairs[:_MOST_LISTED], 1)
        ],
        left_out=max(0, len(found.pairs) - _MOST_LISTED),
        shown=_MOST_SHOWN,
        equal=[
            ([_cut(work.label, _LONGEST_NAME) for work in group], _whole(group[0]))
            for group in found.equal[:_MOST_SHOWN]
        ],
        copies=[_copy(work) for work in found.copies[:_MOST_SHOWN]],
        copies_left_out=max(0, len(found.copies) - _MOST_SHOWN),
        shares=[
            (_cut(work.label, _LONGEST_NAME), percent(work.published_share))
            for work in found.shares[:_MOST_LISTED]
        ],
        usual_share=_usual(found.share_threshold),
        share_threshold=percent(found.share_threshold.score) if found.share_threshold else "",
        share_stands_out=found.share_threshold is not None and found.share_threshold.score <= 1,
        compared=found.compared,
        short=[work.label for work in found.short],
        unread=unread,
        threshold=percent(found.threshold.score) if found.threshold else "",
        stands_out=found.threshold is not None and found.threshold.score <= 1,
        typical=percent(found.threshold.typical)
        if found.threshold and found.threshold.typical is not None
        else "",
    )


def percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _usual(threshold: Threshold | None) -> str:
    return percent(threshold.typical) if threshold is not None and threshold.typical is not None else ""


def _copy(work: Work) -> tuple[str, str, list[_Text], int]:
    """Return name, share and passages of a work that is the reference, and the number of those left out."""
    spans = published_spans(work)
    texts = [_text(work, span) for span in spans[:_MOST_PASSAGES]]
    return _cut(work.label, _LONGEST_NAME), percent(work.published_share), texts, len(spans) - len(texts)


def published_spans(work: Work) -> list[LineRange]:
    """Return the lines of a work that are the reference's, the longest passages first."""
    found: list[LineRange] = []
    for file, line in sorted(set(work.published)):
        last = found[-1] if found else None
        # A blank line or a comment in a passage has no codes.
        if last is not None and last.file == file and line - last.last <= _SMALL_GAP:
            found[-1] = LineRange(file, last.first, line)
        else:
            found.append(LineRange(file, line, line))
    return sorted(found, key=lambda span: span.first - span.last)


def _pair(number: int, pair: Likeness, *, shown: bool) -> _Pair:
    passages = pair.passages[:_MOST_PASSAGES] if shown else ()
    return _Pair(
        number=number,
        left=_cut(pair.left.label, _LONGEST_NAME),
        right=_cut(pair.right.label, _LONGEST_NAME),
        score=percent(pair.score),
        left_share=percent(pair.left_share),
        right_share=percent(pair.right_share),
        passages=tuple(
            (_text(pair.left, passage.left), _text(pair.right, passage.right)) for passage in passages
        ),
        further=len(pair.passages) - len(passages) if shown else 0,
    )


def _whole(work: Work) -> list[_Text]:
    return [
        _text(work, LineRange(number, 1, max(1, file.line_count)))
        for number, file in enumerate(work.files[:_MOST_PASSAGES])
    ]


def _text(work: Work, span: LineRange) -> _Text:
    file = work.files[span.file]
    last = min(span.last, span.first + _MOST_LINES - 1)
    lines = tuple((number, _cut(file.line(number), _LONGEST_LINE)) for number in range(span.first, last + 1))
    where = f"line {span.first}" if span.first == span.last else f"lines {span.first} to {span.last}"
    return _Text(f"{file.name}, {where}", lines, span.last - last)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"


def document(run: RunInfo, task: TaskHead, found: Comparison, unread: tuple[str, ...]) -> dict[str, Any]:
    """Return all findings as plain data, for tools."""
    threshold = found.threshold
    return {
        "schema": SCHEMA,
        "run": run.id,
        "task": task.id,
        "compared": found.compared,
        "threshold": round(threshold.score, 4) if threshold else None,
        "typical": round(threshold.typical, 4) if threshold and threshold.typical is not None else None,
        "equal": [[_who(work) for work in group] for group in found.equal],
        "pairs": [
            {
                "score": round(pair.score, 4),
                "left": _who(pair.left) | {"share": round(pair.left_share, 4)},
                "right": _who(pair.right) | {"share": round(pair.right_share, 4)},
                "passages": [_passage(pair, passage) for passage in pair.passages[:_MOST_PASSAGES]],
            }
            for pair in found.pairs[:_MOST_LISTED]
        ],
        "reference": _reference(found),
        "too_short": [_who(work) for work in found.short],
        "unread": list(unread),
    }


def _reference(found: Comparison) -> dict[str, Any] | None:
    """Return how much of each work is the reference; None where there is no reference."""
    threshold = found.share_threshold
    if threshold is None:
        return None
    told = {work.owner for work in found.copies}
    return {
        "threshold": round(threshold.score, 4),
        "typical": round(threshold.typical, 4) if threshold.typical is not None else None,
        "works": [
            {
                **_who(work),
                "share": round(work.published_share, 4),
                "told": work.owner in told,
                "passages": [
                    {"file": work.files[span.file].name, "first": span.first, "last": span.last}
                    for span in published_spans(work)[:_MOST_PASSAGES]
                ],
            }
            for work in found.shares[:_MOST_LISTED]
        ],
    }


def _who(work: Work) -> dict[str, Any]:
    return {"id": work.owner, "name": work.name, "attempt": work.attempt}


def _passage(pair: Likeness, passage: Passage) -> dict[str, Any]:
    def place(work: Work, span: LineRange) -> dict[str, Any]:
        return {"file": work.files[span.file].name, "first": span.first, "last": span.last}

    return {
        "left": place(pair.left, passage.left),
        "right": place(pair.right, passage.right),
        "size": passage.size,
    }


def listed(found: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield score and names of all copies of the reference, groups and pairs, for a terminal."""
    for work in found.copies:
        yield percent(work.published_share), work.label, "the reference"
    for group in found.equal:
        for work in group[1:]:
            yield "equal", group[0].label, work.label
    for pair in found.pairs:
        yield percent(pair.score), pair.left.label, pair.right.label

"""How marks by hand are distributed: by criterion, marker and level, and from day to day."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from grader.marking.rounding import format_mark
from grader.model.submission import CriterionMark
from grader.model.task import Criterion
from grader.records.reviews.content import Reviews

_MOST_DAYS = 7


def figures(criteria: Sequence[Criterion], reviews: Iterable[Reviews]) -> dict[str, object]:
    """Return the distribution as plain data: a row for each criterion and marker.

    levels: how often each mark was given, from the highest.  days: the mean of each of the last days on which
    this marker gave marks, by which a drift shows.  Means are rounded to two decimals.
    """
    known = list(reviews)
    return {"rows": [row for criterion in criteria for row in _rows(criterion, known)]}


def _rows(criterion: Criterion, reviews: Sequence[Reviews]) -> Iterator[dict[str, object]]:
    by_marker: dict[str, list[CriterionMark]] = {}
    for each in reviews:
        for review in each.by_student.values():
            for mark in review.marks:
                if mark.criterion == criterion.id:
                    by_marker.setdefault(mark.by, []).append(mark)
    for marker, marks in sorted(by_marker.items()):
        counts = Counter(mark.marks for mark in marks)
        days: dict[str, list[Fraction]] = {}
        for mark in marks:
            days.setdefault(mark.date or "no date", []).append(mark.marks)
        yield {
            "criterion": criterion.id,
            "by": marker,
            "count": len(marks),
            "mean": _mean([mark.marks for mark in marks]),
            "levels": [[format_mark(value), counts[value]] for value in sorted(counts, reverse=True)],
            "days": [[day, len(days[day]), _mean(days[day])] for day in sorted(days)[-_MOST_DAYS:]],
        }


def _mean(marks: Sequence[Fraction]) -> str:
    return f"{float(sum(marks, Fraction(0)) / len(marks)):.2f}"

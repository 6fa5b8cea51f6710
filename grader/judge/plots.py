"""Compares what a call has plotted with the parts that the spec names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.judge.finding import Expected, Finding, OwnFault, answers_of
from grader.judge.messages import difference_message
from grader.model.case import USUAL_PARTS, Comparison, Plot
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.results import Difference
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.values.compare import first_difference
from grader.values.show import show

Axes = dict[Value, Value]
_SERIES = {"lines": ("line", "point"), "points": ("scatter", "point"), "bars": ("group", "bar")}
"""Parts that are lists of lists, with the words for their items and the items of these."""
_TICKS = ("xticks", "yticks")


def judge_plot(plot: Plot, answer: Answer, reference: Sequence[Answer]) -> Finding:
    """Return the finding on what a call has plotted.  Raises `OwnFault`."""
    drawn = _axes_of(answer)
    if drawn is None:
        return Finding(verdict=Verdict.CRASHED, message="there is no valid answer")
    wanted = wanted_axes(plot, reference)
    shown = [{part: axes.get(part) for part in parts} for axes, parts in _pairs(drawn, wanted)]
    texts = _shown([*wanted]), _shown([*shown, *drawn[len(shown) :]])
    found = _difference(wanted, drawn, plot.comparison)
    if found is None:
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1), expected=texts[0], actual=texts[1])
    if _difference(wanted, wanted, plot.comparison) is not None:
        raise OwnFault("the reference draws something that cannot be read")
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=difference_message(found),
        expected=texts[0],
        actual=texts[1],
        difference=found,
    )


def wanted_axes(plot: Plot, reference: Sequence[Answer]) -> list[Axes]:
    """Return the parts of each axes that must be drawn.  Raises `OwnFault`."""
    if not plot.asks_reference:
        return [dict(axes) for axes in plot.axes or ()]
    drawn = _axes_of(reference[0]) if reference else None
    if drawn is None:
        why = (
            "raises"
            if reference and isinstance(reference[0], RaisedAnswer)
            else "draws nothing that is known"
        )
        raise OwnFault(f"the reference {why}")
    if not drawn:
        raise OwnFault("the reference draws nothing")
    stated = plot.axes
    if stated is None:
        stated = tuple(tuple((part, None) for part in USUAL_PARTS) for _ in drawn)
    if len(stated) != len(drawn):
        raise OwnFault(f"the spec has {_count(len(stated))}, and the reference draws {len(drawn)}")
    return [
        {part: own.get(part) if value is None else value for part, value in axes}
        for axes, own in zip(stated, drawn, strict=True)
    ]


def plot_text(plot: Plot, expected: Expected | None) -> str:
    """Return the parts that must be drawn as text for people; empty if they are not known."""
    try:
        return _shown(wanted_axes(plot, answers_of(expected) if plot.asks_reference else ()))
    except OwnFault:
        return ""


def _axes_of(answer: Answer) -> list[Axes] | None:
    """Return the axes that an answer tells of; None if it is no such answer, so that it was forged."""
    if not isinstance(answer, Returned) or type(answer.value) is not list:
        return None
    axes = [one for one in answer.value if type(one) is dict]
    return axes if len(axes) == len(answer.value) else None


def _pairs(drawn: list[Axes], wanted: list[Axes]) -> Iterator[tuple[Axes, Axes]]:
    return zip(drawn, wanted, strict=False)


def _shown(axes: list[Axes]) -> str:
    return show(axes[0] if len(axes) == 1 else axes)


def _count(number: int) -> str:
    return "1 plot" if number == 1 else f"{number} plots"


def _difference(wanted: list[Axes], drawn: list[Axes], comparison: Comparison) -> Difference | None:
    if len(wanted) != len(drawn):
        said = "" if drawn else f"nothing was drawn; expected {_count(len(wanted))}"
        return Difference("" if said else "number of plots", _count(len(wanted)), str(len(drawn)), said)
    for number, (parts, own) in enumerate(zip(wanted, drawn, strict=True), 1):
        for part, value in parts.items():
            found = _of_part(str(part), value, own.get(part), comparison)
            if found is not None:
                lead = f"plot {number}, " if len(wanted) > 1 else ""
                return replace(found, where=f"{lead}{found.where}", code="")
    return None


def _of_part(part: str, wanted: Value, own: Value, comparison: Comparison) -> Difference | None:
    if part in _TICKS:
        wanted, own = _with_hyphens(wanted), _with_hyphens(own)
    if part not in _SERIES or type(wanted) is not list or type(own) is not list:
        found = first_difference(wanted, own, comparison)
        return replace(found, where=f"{part}, {found.where}" if found.where else part) if found else None
    series, item = _SERIES[part]
    if len(wanted) != len(own):
        return Difference(
            f"number of {part if part == 'lines' else f'{series}s'}", str(len(wanted)), str(len(own))
        )
    for number, (one, other) in enumerate(zip(wanted, own, strict=True), 1):
        found = first_difference(one, other, comparison)
        if found is not None:
            place = found.where.replace("item", item, 1).replace(", item 1", ", x").replace(", item 2", ", y")
            place = f"number of {item}s" if place == "length" else place
            where = f"{series} {number}"
            return replace(found, where=f"{where}, {place}" if place else where)
    return None


def _with_hyphens(texts: Value) -> Value:
    """Return texts at an axis with the minus that people type instead of matplotlib's."""
    if type(texts) is not list:
        return texts
    return [text.replace("\N{MINUS SIGN}", "-") if type(text) is str else text for text in texts]

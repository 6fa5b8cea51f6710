"""Answers made to harm whoever draws them: they are drawn as data, within bounds, or not at all."""

import re
import time
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.marking import cases, mark, question
from support.renderers import BUILT_IN
from support.results_sample import RUN, TASK

from grader.model.results import RunResults, SubmissionResult
from grader.model.values import Cycle, Opaque, Value
from grader.reports.html.pages import Pages

CHECKERS = """
    def never(answer):
        return "never right"
    def trusting(actual, expected):
        return {
            "title": actual, "text": actual, "columns": 2, "rows": 1,
            "cells": [{"at": (0, 0), "text": actual}],
            "across": [actual, "x"], "legend": {"wrong": actual},
        }
    def parroting(actual, expected):
        return actual
"""
EVIL = '</title></svg><script>alert(1)</script>\x1b[2J\u202e" onload="alert(1)" \'{{ 7654 * 7654 }}'

_MADE: tuple[Callable[[], Value], ...] = (
    lambda: [(0, 0)] * 1_000_000,
    lambda: [[0] * 1000] * 1000,
    lambda: [[[]] * 1000] * 2000,
    lambda: [(10**100_000, -(10**100_000))],
    lambda: [(float("nan"), float("inf"))],
    lambda: [[float("nan")] * 100] * 100,
    lambda: "1 2 3\n" * 1_000_000,
    lambda: "9" * 5_000_000,
    lambda: " ".join(["7"] * 2_000_000),
    lambda: "\n".join(" " * row + "x" for row in range(3000)),
    lambda: {"stdout": "x" * 5_000_000},
    lambda: frozenset((x, y) for x in range(1000) for y in range(1000)),
    lambda: [Opaque("Liar", EVIL), Cycle(1)] * 100_000,
)
HUGE = [cache(make) for make in _MADE]
"""Each is made when a test first needs it: together they take a hundred megabytes and a second."""


class Tags(HTMLParser):
    """The elements of a page, and the attributes that could run something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.found |= {name for name, _ in attrs if name.startswith("on")}


def page_of(result: SubmissionResult) -> str:
    empty = RunResults(RUN, TASK, [])
    return Pages(empty.run, empty.task).staff(result)


@pytest.mark.parametrize("make", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize(
    ("renderer", "arguments"),
    [
        ("tour_board", {"dim": 100}),
        ("numbered_board", {"closed": True}),
        ("squares", {"dim": 100}),
        ("cells", {}),
        ("image", {}),
    ],
)
def test_a_huge_value_is_drawn_in_part_or_not_at_all(
    renderer: str, arguments: dict[str, object], make: Callable[[], Value]
) -> None:
    value = make()
    begun = time.process_time()
    BUILT_IN[renderer](value, value, **arguments)
    assert time.process_time() - begun < 30


def test_markup_in_answers_stays_text(tmp_path: Path) -> None:
    spec = question(
        "{call: evil(), check: never(), picture: trusting()}",
        "{call: rows(), check: never(), picture: cells()}",
        "{call: path(), check: never(), picture: 'tour_board(dim=3)'}",
    )
    work = f"""
    EVIL = {EVIL!r}
    def evil():
        return EVIL
    def rows():
        return [[EVIL, EVIL], [EVIL]]
    def path():
        return [EVIL, (1, 2), (0, 0)]
    """
    result = mark(tmp_path, spec, work, checkers=CHECKERS)
    assert [len(case.pictures) for case in cases(result).values()] == [1, 1, 1]
    whole = page_of(result)
    page = re.sub(r"(?s)<(style|script)>.*?</\1>|sha256-[\w+/=]+", "", whole)
    assert whole.count("<script>") == 1, "the page's own"
    assert {"script", "onload"}.isdisjoint(Tags(page).found)
    assert "58583716" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    "drawing",
    [
        "'<svg onload=alert(1)>'",
        "{'title': 'x', 'columns': 10**9, 'rows': 10**9}",
        "{'title': 'x', 'columns': float('nan'), 'rows': 1}",
        "{'title': 'x', 'columns': 100, 'rows': 100, 'cells': [{'at': (0, 0)}] * 10_001}",
        "{'title': 'x', 'columns': 1, 'rows': 1, 'lines': [{'through': [(0, 0)] * 20_000}]}",
        "{'title': 'x', 'columns': 1, 'rows': 1, 'cells': [{'at': (0, 0), 'fill': 'url(http://evil)'}]}",
        "{'title': 'x', 'image': [[0] * 1000] * 501, 'palette': ['#000000']}",
        "{'title': 'x', 'image': [[0]], 'palette': ['red;background:url(http://evil)']}",
    ],
)
def test_a_drawing_of_the_students_own_is_refused(tmp_path: Path, drawing: str) -> None:
    spec = question("{call: draw(), check: never(), picture: parroting(), limits: {answer: 64MiB}}")
    result = mark(tmp_path, spec, f"def draw():\n    return {drawing}\n", checkers=CHECKERS)
    (case,) = cases(result).values()
    assert case.pictures == ()
    assert "could not draw this (its drawing is not valid: " in case.picture_note
    assert str(case.verdict) == "wrong-answer"

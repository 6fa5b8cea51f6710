"""Whatever a renderer gets or returns: pictures within the vocabulary and its bounds, or a refusal."""

import json
from html.parser import HTMLParser
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from support.renderers import BUILT_IN
from support.results_sample import RUN, TASK

from grader.judge.pictures.vocabulary import NotAPicture, read_pictures
from grader.model.drawing import MAX_PICTURES, Picture
from grader.model.results import RunResults
from grader.model.values import Cycle, EnumMember, Opaque, Record, Value
from grader.reports.html.pages import Pages
from grader.store.results_json import json_text, picture_as_json, picture_of

CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("tour_board", {"dim": 5}),
    ("tour_board", {"columns": 3, "rows": 4, "closed": True, "blocked": [(1, 1)], "by_row": True}),
    ("tour_board", {"dim": 5, "path": [(1, 2), (0, 0)]}),
    ("squares", {"dim": 5, "at": (1, 1)}),
    ("squares", {"columns": 3, "rows": 4, "taken": [(0, 0)]}),
    ("numbered_board", {}),
    ("numbered_board", {"closed": True}),
    ("cells", {}),
    ("image", {}),
    ("image", {"palette": [(1, 2, 3)], "limit": 3, "tolerance": 0.5}),
)
SHAPES = {"rect", "path", "circle", "polyline", "polygon", "text"}
TAGS = {"figure", "figcaption", "svg", "title", "desc", "ul", "li", "p", "img"} | SHAPES
PLACES = {"viewbox", "width", "height", "x", "y", "rx", "d", "cx", "cy", "r", "points"}
ATTRIBUTES = {"class", "role", "aria-hidden", "src", "alt"} | PLACES

atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 9),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.sampled_from([10**400, -(10**30), "1 2\n3 4", "<b>&", "\ud800"]),
    st.sampled_from([Opaque("X", "<x>"), Cycle(1), EnumMember("Colour", "Red")]),
)
positions = st.tuples(st.integers(-2, 6), st.integers(-2, 6))
hashable = st.one_of(st.integers(-3, 9), st.text(max_size=3), positions)
values: st.SearchStrategy[Value] = st.one_of(
    st.lists(positions, max_size=30),
    st.frozensets(positions, max_size=9),
    st.lists(st.lists(st.integers(-1, 9), max_size=6), max_size=6),
    st.fixed_dictionaries({"stdout": st.text("0123456789 \n|-.KO")}),
    st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.lists(inner, max_size=6),
            st.lists(inner, max_size=4).map(tuple),
            st.dictionaries(hashable, inner, max_size=3),
            st.sets(hashable),
            st.lists(inner, max_size=2).map(lambda items: Record("R", tuple(("f", item) for item in items))),
        ),
        max_leaves=20,
    ),
)

keys = "title text columns rows cells lines chequered across down legend image palette at fill piece mark"
words = st.sampled_from(["wrong", "none", "blocked", "red", "plain", "#102030", "<svg>", "url(#a)"])
parts = st.recursive(
    st.one_of(atoms, words, st.integers(0, 3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, min_size=2, max_size=2).map(tuple),
        st.dictionaries(st.sampled_from([*keys.split(), "through", "arrow", "number"]), inner, max_size=6),
    ),
    max_leaves=20,
)
squares = st.tuples(st.integers(-1, 3), st.integers(-1, 3))
marks = st.sampled_from(["none", "noted", "right", "missing", "wrong"])
cells = st.fixed_dictionaries(
    {"at": squares},
    optional={
        "text": st.text(),
        "fill": st.sampled_from(["plain", "blocked", "first", "third"]),
        "piece": st.sampled_from(["none", "light", "dark", "red"]),
        "mark": marks,
    },
)
lines = st.fixed_dictionaries(
    {"through": st.lists(squares, max_size=4)},
    optional={"mark": marks, "arrow": st.booleans(), "number": st.integers(-1, 2_000_000)},
)
boards = st.fixed_dictionaries(
    {"title": st.text(min_size=1), "columns": st.integers(1, 3), "rows": st.integers(1, 3)},
    optional={
        "text": st.text(),
        "cells": st.lists(cells, max_size=3),
        "lines": st.lists(lines, max_size=3),
        "chequered": st.booleans(),
        "across": st.lists(st.text(), max_size=3),
        "legend": st.dictionaries(marks, st.text(), max_size=3),
    },
)
almost_boards = st.builds(
    lambda board, change: {**board, **change}, boards, st.dictionaries(words, parts, max_size=1)
)
drawn = st.one_of(boards, almost_boards, st.lists(boards, max_size=5), parts)


EMPTY = RunResults(RUN, TASK, [])
PAGES = Pages(EMPTY.run, EMPTY.task)


class Seen(HTMLParser):
    """The elements and attributes that a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        assert all(not (value or "").startswith("javascript") for _, value in attrs)


def assert_is_a_drawing(pictures: tuple[Picture, ...]) -> None:
    assert len(pictures) <= MAX_PICTURES
    documents = [json.loads(json_text(picture_as_json(picture))) for picture in pictures]
    assert all(picture_of(document) is not None for document in documents)
    seen = Seen(PAGES.drawings(pictures))
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES


@given(st.sampled_from(CALLS), values, values)
@settings(max_examples=150)
def test_a_built_in_renderer_draws_any_value_or_nothing(
    call: tuple[str, dict[str, object]], actual: Value, expected: Value
) -> None:
    name, arguments = call
    pictures = tuple(BUILT_IN[name](actual, expected, **arguments))
    event(f"{name}: {'drawn' if pictures else 'nothing'}")
    assert_is_a_drawing(pictures)


@given(drawn)
@settings(max_examples=150)
def test_what_a_renderer_returns_is_read_within_the_vocabulary_or_refused(value: Any) -> None:
    try:
        pictures = read_pictures(value)
    except NotAPicture as refusal:
        event("refused")
        assert str(refusal)
        return
    event("read")
    assert_is_a_drawing(pictures)

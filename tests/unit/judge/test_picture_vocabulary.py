"""What a renderer of a spec may return, and what is said of the rest."""

import pytest

from grader.judge.pictures.vocabulary import NotAPicture, read_picture, read_pictures
from grader.model.drawing import (
    MAX_CELL_TEXT,
    MAX_TITLE,
    Cell,
    Fill,
    Grid,
    Line,
    Mark,
    Picture,
    Piece,
    Raster,
)

BOARD: dict[str, object] = {"title": "A board", "columns": 3, "rows": 2}
IMAGE: dict[str, object] = {
    "title": "An image",
    "image": [[0, 1], [1, 0]],
    "palette": ["#000000", (255, 170, 0)],
}


def test_a_board_with_everything() -> None:
    picture = read_picture(
        BOARD
        | {
            "text": "what is on it",
            "chequered": True,
            "across": ["a", "b", "c"],
            "down": ("2", "1"),
            "legend": {"wrong": "a fault", "red": "Red"},
            "cells": [
                {"at": (0, 0), "text": "K2", "fill": "blocked", "piece": "red", "mark": "wrong"},
                {"at": [2, 1]},
            ],
            "lines": [{"through": [(0, 0), (-1, 2)], "mark": "missing", "arrow": True, "number": 7}],
        }
    )
    assert picture == Picture(
        "A board",
        "what is on it",
        Grid(
            3,
            2,
            (Cell((0, 0), "K2", Fill.BLOCKED, Piece.RED, Mark.WRONG), Cell((2, 1))),
            (Line(((0, 0), (-1, 2)), Mark.MISSING, True, 7),),
            True,
            ("a", "b", "c"),
            ("2", "1"),
            (("wrong", "a fault"), ("red", "Red")),
        ),
    )


def test_an_image() -> None:
    picture = read_picture(IMAGE)
    assert picture.content == Raster(2, 2, ((0, 0, 0), (255, 170, 0)), bytes([0, 1, 1, 0]))


def test_none_one_or_several() -> None:
    assert read_pictures(None) == ()
    assert [picture.title for picture in read_pictures(BOARD)] == ["A board"]
    assert [picture.title for picture in read_pictures([BOARD, IMAGE])] == ["A board", "An image"]


def test_long_texts_are_cut() -> None:
    picture = read_picture(BOARD | {"title": "x" * 1000, "cells": [{"at": (0, 0), "text": "y" * 1000}]})
    assert picture.title == "x" * (MAX_TITLE - 1) + "…"
    assert isinstance(picture.content, Grid)
    assert picture.content.cells[0].text == "y" * (MAX_CELL_TEXT - 1) + "…"


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("<svg/>", "the drawing: expected a list, got a value of type str"),
        ([BOARD] * 5, "the drawing: 5 entries are more than 4"),
        ([BOARD, {}], "picture 2: it has no title"),
        (BOARD | {"html": "<b>"}, "a picture has a key that is none of"),
        (BOARD | {"title": 3}, "title: expected a text, got a value of type int"),
        (BOARD | {"columns": 101}, "columns: expected a whole number from 1 to 100"),
        (BOARD | {"rows": True}, "rows: expected a whole number"),
        (BOARD | {"chequered": 1}, "chequered: expected true or false"),
        (BOARD | {"cells": {}}, "cells: expected a list"),
        (BOARD | {"cells": [{}] * 7}, "cells: 7 entries are more than 6"),
        (BOARD | {"cells": [{"at": (3, 0)}]}, "cell 1: column: expected a whole number from 0 to 2"),
        (BOARD | {"cells": [{"at": (0, 0)}, {"at": (0, 0)}]}, "two cells are on the same square"),
        (BOARD | {"cells": [{"at": 3}]}, "cell 1: a square: expected a list"),
        (BOARD | {"cells": [{"at": (0,)}]}, r"cell 1: a square is \(column, row\)"),
        (
            BOARD | {"cells": [{"at": (0, 0), "fill": "url(#x)"}]},
            "cell 1: fill must be one of plain, blocked",
        ),
        (BOARD | {"cells": [{"at": (0, 0), "mark": []}]}, "cell 1: mark must be one of"),
        (
            BOARD | {"lines": [{"through": [(0, 0), (4, 0)]}]},
            "line 1: column: expected a whole number from -1",
        ),
        (BOARD | {"lines": [{"through": [(0, float("nan"))]}]}, "line 1: row: expected a whole number"),
        (BOARD | {"lines": [{"through": [(0, 0)] * 9_999}, {"through": [(0, 0)] * 2}]}, "more than 1"),
        (BOARD | {"across": ["a"]}, "across: there are 1 labels for 3"),
        (BOARD | {"legend": {"<script>": "x"}}, "legend has a key that is none of"),
        (IMAGE | {"palette": []}, "palette: there is no colour"),
        (IMAGE | {"palette": ["red"]}, "colour 0: a colour is"),
        (IMAGE | {"palette": [(0, 0, 256)]}, "colour 0: expected a whole number from 0 to 255"),
        (IMAGE | {"image": [[0, 1], [0]]}, "row 1 has 1 pixels, not 2"),
        (IMAGE | {"image": [[0, 2]]}, "row 0: a pixel is a place in the palette, from 0 to 1"),
        (IMAGE | {"image": []}, "image: 0 x 0 pixels"),
        (IMAGE | {"image": [[0] * 1000] * 501}, "image: 1000 x 501 pixels"),
        (IMAGE | {"columns": 3}, "a picture has a key that is none of"),
    ],
)
def test_anything_else_is_refused_with_its_place(value: object, complaint: str) -> None:
    with pytest.raises(NotAPicture, match=complaint):
        read_pictures(value)

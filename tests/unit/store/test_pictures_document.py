"""Pictures in results.json: written small, read back whole, and refused where they are not what they say."""

import base64
import json
import zlib
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from support.every_detail import BOARD, IMAGE

from grader.model.drawing import Cell, Grid, Mark, Picture, Sheet
from grader.store.results_json import json_text, picture_as_json, picture_of

SHEET = Picture("Answer", "", Sheet(("a", "b"), ("1", "2"), (("x", "2.5"), ("y", "NaN")), ((1, 1),)))
SCHEMA = json.loads(files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8"))


def through_json(picture: Picture) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(picture_as_json(picture)))
    return found


@pytest.mark.parametrize("picture", [BOARD, IMAGE, SHEET], ids=["grid", "image", "table"])
def test_a_picture_comes_back_as_it_was(picture: Picture) -> None:
    assert picture_of(through_json(picture)) == picture


@pytest.mark.parametrize("picture", [BOARD, IMAGE, SHEET], ids=["grid", "image", "table"])
def test_a_picture_meets_the_schema(picture: Picture) -> None:
    schema = {**SCHEMA, "$ref": "#/$defs/picture"}
    for key in ("type", "properties", "required", "$id"):
        schema.pop(key, None)
    jsonschema.Draft202012Validator(schema).validate(through_json(picture))


def test_empty_squares_cost_little() -> None:
    cells = tuple(Cell((column, row), mark=Mark.NOTED) for row in range(100) for column in range(100))
    board = Picture("Board", "", Grid(100, 100, cells))
    assert len(json.dumps(picture_as_json(board))) < 40 * len(cells)


def test_half_a_surrogate_pair_is_shown_as_its_escape() -> None:
    picture = Picture("\ud800", "", Grid(1, 1, (Cell((0, 0), "\udfff"),)))
    document = json.loads(json_text(picture_as_json(picture)))
    assert document["title"] == "\\ud800"
    assert picture_of(document) is not None


def packed(pixels: bytes) -> str:
    return base64.b64encode(zlib.compress(pixels)).decode()


@pytest.mark.parametrize(
    "change",
    [
        {"width": 3},
        {"width": 0},
        {"width": -2, "height": -2},
        {"width": 10**9},
        {"width": "2"},
        {"width": 2.0},
        {"palette": []},
        {"palette": ["red", "#000000"]},
        {"palette": "#00000"},
        {"pixels": "!"},
        {"pixels": base64.b64encode(b"no zlib").decode()},
        {"pixels": packed(bytes([0, 1, 1, 2]))},
        {"pixels": packed(bytes(3))},
        {"pixels": packed(bytes(50_000_000))},
        {"pixels": None},
    ],
)
def test_an_image_that_is_none_is_refused(change: dict[str, Any]) -> None:
    document: Any = through_json(IMAGE)
    document["image"] |= change
    assert picture_of(document) is None


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 1000},
        {"columns": "3"},
        {"cells": [{"at": [0, 0], "fill": "<script>"}]},
        {"cells": [{"at": [0, 0], "onclick": "x"}]},
        {"legend": {"<b>": "x"}},
        {"lines": 3},
        {"svg": "<svg/>"},
    ],
)
def test_a_grid_that_is_none_is_refused(change: dict[str, Any]) -> None:
    document: Any = through_json(BOARD)
    document["grid"] |= change
    assert picture_of(document) is None


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [["x", "2.5"]]},
        {"rows": [["x"], ["y"]]},
        {"rows": [["x", 2.5], ["y", "NaN"]]},
        {"rows": [["x", "y"]] * 13, "down": ["1"] * 13},
        {"across": ["a"] * 9},
        {"down": None},
        {"wrong": [[2, 0]]},
        {"wrong": [[0, 0]] * 1000},
        {"onclick": "x"},
    ],
)
def test_a_table_that_is_none_is_refused(change: dict[str, Any]) -> None:
    document: Any = through_json(SHEET)
    document["table"] |= change
    assert picture_of(document) is None


@pytest.mark.parametrize("table", [[], "x", {}, 3])
def test_what_is_no_table_at_all_is_refused(table: object) -> None:
    assert picture_of({"title": "x", "text": "", "grid": None, "image": None, "table": table}) is None


@pytest.mark.parametrize(
    "document", [{}, {"title": "x"}, {"title": "x", "text": "", "grid": None, "image": None}]
)
def test_a_picture_without_content_is_none(document: Any) -> None:
    assert picture_of(document) is None

"""Pictures in the document `results.json`, and back.

A grid is written in the words of a spec's own renderers; an image as its palette and its pixels,
packed.  A results file can come from anywhere, so a picture is read back as strictly as a
renderer's: what does not hold the bounds is no picture.
"""

import base64
import zlib
from typing import Any

from grader.judge.pictures import NotAPicture, read_picture
from grader.model.drawing import (
    MAX_IMAGE_SIDE,
    MAX_PIXELS,
    Cell,
    Fill,
    Grid,
    Line,
    Mark,
    Picture,
    Piece,
    Raster,
)
from grader.store.document_types import PictureDocument, RasterDocument

_LEVEL = 9


def picture_document(picture: Picture) -> PictureDocument:
    """Return a picture as plain data."""
    content = picture.content
    return {
        "title": _text(picture.title),
        "text": _text(picture.text),
        "grid": _grid(content) if isinstance(content, Grid) else None,
        "image": _raster(content) if isinstance(content, Raster) else None,
    }


def picture_of(document: PictureDocument) -> Picture | None:
    """Return the picture that a results file holds; None where it is none."""
    try:
        title, text = document["title"], document["text"]
        if document["grid"] is not None:
            return read_picture({"title": title, "text": text, **document["grid"]})
        if document["image"] is not None:
            return _image(title, text, document["image"])
    except (NotAPicture, KeyError, TypeError, ValueError, zlib.error):
        pass
    return None


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "chequered": grid.chequered,
        "across": [_text(label) for label in grid.across],
        "down": [_text(label) for label in grid.down],
        "legend": {name: _text(words) for name, words in grid.legend},
        "cells": [_cell(cell) for cell in grid.cells],
        "lines": [_line(line) for line in grid.lines],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    """Return a square; what is as usual is left out, since there can be many."""
    found: dict[str, Any] = {"at": list(cell.at)}
    if cell.text:
        found["text"] = _text(cell.text)
    if cell.fill is not Fill.PLAIN:
        found["fill"] = cell.fill.value
    if cell.piece is not Piece.NONE:
        found["piece"] = cell.piece.value
    if cell.mark is not Mark.NONE:
        found["mark"] = cell.mark.value
    return found


def _line(line: Line) -> dict[str, Any]:
    found: dict[str, Any] = {"through": [list(point) for point in line.through]}
    if line.mark is not Mark.NONE:
        found["mark"] = line.mark.value
    if line.arrow:
        found["arrow"] = True
    if line.number is not None:
        found["number"] = line.number
    return found


def _raster(raster: Raster) -> RasterDocument:
    return {
        "width": raster.width,
        "height": raster.height,
        "palette": [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in raster.palette],
        "pixels": base64.b64encode(zlib.compress(raster.pixels, _LEVEL)).decode("ascii"),
    }


def _image(title: str, text: str, found: RasterDocument) -> Picture:
    """Rebuild an image.  Raises `NotAPicture`, and whatever wrong types lead to."""
    width, height = found["width"], found["height"]
    if not (0 < width <= MAX_IMAGE_SIDE and 0 < height <= MAX_IMAGE_SIDE and width * height <= MAX_PIXELS):
        raise NotAPicture("the image is too large")
    # The palette, title and text are checked on an image of one pixel.
    whole = read_picture({"title": title, "text": text, "palette": found["palette"], "image": [[0]]})
    assert isinstance(whole.content, Raster)
    unpacking = zlib.decompressobj()
    pixels = unpacking.decompress(base64.b64decode(found["pixels"], validate=True), width * height + 1)
    if len(pixels) != width * height or max(pixels) >= len(whole.content.palette):
        raise NotAPicture("the pixels do not fit the image")
    return Picture(whole.title, whole.text, Raster(width, height, whole.content.palette, pixels))


def _text(text: str) -> str:
    # As everywhere in the document: half a surrogate pair is shown as its escape.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()

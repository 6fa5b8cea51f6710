"""Renderers: turn an answer and the expected one into pictures as plain data.

The built-in renderers are here, by their names in a spec.  They get values that students made, so each reads
a bounded part of them, and by exact type.  A spec's own renderers run in the oracle's sandbox, and
`vocabulary` reads their results.
"""

from collections.abc import Callable

from grader.judge.pictures.images import image
from grader.judge.pictures.squares import cells, squares
from grader.judge.pictures.tables import table
from grader.judge.pictures.tours import numbered_board, tour_board
from grader.judge.pictures.vocabulary import NotAPicture, read_picture, read_pictures
from grader.model.drawing import Picture

__all__ = ["BUILT_IN", "NotAPicture", "read_picture", "read_pictures", "table"]

BUILT_IN: dict[str, Callable[..., list[Picture]]] = {
    "tour_board": tour_board,
    "numbered_board": numbered_board,
    "squares": squares,
    "cells": cells,
    "image": image,
}
"""Each takes the answer, the expected one (None if it is not known), and the spec's arguments."""

"""For a picture of an answer."""

from grader.judge.pictures.renderer import FITS, Problem, Renderer
from grader.judge.pictures.vocabulary import NotAPicture
from grader.model.drawing import (
    MAX_CELL_TEXT,
    MAX_COLOURS,
    MAX_POINTS,
    MAX_SIDE,
    Cell,
    Fill,
    Grid,
    Line,
    Mark,
    Picture,
    Piece,
    Point,
    Raster,
)
from grader.model.values import Value
from grader.values.show import show
from grader.values.sort import sort_of

__all__ = [
    "FITS",
    "MAX_CELL_TEXT",
    "MAX_COLOURS",
    "MAX_POINTS",
    "MAX_SIDE",
    "Cell",
    "Fill",
    "Grid",
    "Line",
    "Mark",
    "NotAPicture",
    "Picture",
    "Piece",
    "Point",
    "Problem",
    "Raster",
    "Renderer",
    "Value",
    "show",
    "sort_of",
]

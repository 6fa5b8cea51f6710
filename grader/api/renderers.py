"""For a picture of an answer."""

from grader.judge.pictures.renderer import FITS, Problem, Renderer
from grader.judge.pictures.vocabulary import NotAPicture
from grader.model.drawing import Cell, Fill, Grid, Line, Mark, Picture, Piece, Point, Raster
from grader.model.values import Value

__all__ = [
    "FITS",
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
]

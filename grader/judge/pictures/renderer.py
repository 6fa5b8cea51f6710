"""What a renderer is: it turns an answer and the expected one into pictures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.model.drawing import Picture
from grader.model.values import Value

Problem = tuple[str, str]
"""The name of an unsuitable argument, and why it is; no name for a mistake that concerns several."""
FITS: Problem = ("", "")
"""No argument is unsuitable."""


def _fit(_: Mapping[str, Value]) -> Problem:
    return FITS


@dataclass(frozen=True, slots=True)
class Renderer:
    """A renderer that specs name; its name is that of its entry point.

    draw: takes the answer, the expected one (None if it is not known), and the spec's arguments by name.
        Students make the answer: read a bounded part of it, by exact type.  Raises `NotAPicture`.
    parameters: those of `draw` after the first two, as Python writes them.
    problem: returns the first unsuitable argument of a spec and why, or two empty texts.
    """

    draw: Callable[..., list[Picture]]
    parameters: str = ""
    problem: Callable[[Mapping[str, Value]], Problem] = _fit

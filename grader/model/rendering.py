"""How a spec wants an answer to be drawn; what comes of it is in `grader.model.drawing`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rendering:
    """How a spec wants an answer to be drawn.

    renderer: name of a built-in renderer, or of a function of the checkers file.
    arguments: keyword arguments for it.
    own: it is a function of the checkers file.
    always: draw accepted answers too.
    """

    renderer: str
    arguments: tuple[tuple[str, object], ...] = ()
    own: bool = False
    always: bool = False

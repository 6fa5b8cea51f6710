"""For the layout of an LMS's download: who handed in which file, by the names that the LMS gives."""

from grader.intake.layouts.piece import (
    LINKED,
    TYPED,
    Complete,
    Download,
    Layout,
    Piece,
    as_named,
    shared_start,
)
from grader.intake.layouts.plain import Expected
from grader.model.person import Person

__all__ = [
    "LINKED",
    "TYPED",
    "Complete",
    "Download",
    "Expected",
    "Layout",
    "Person",
    "Piece",
    "as_named",
    "shared_start",
]

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
from grader.intake.names import folded
from grader.intake.trees.tree import Refused
from grader.model.errors import Fault, UsageError
from grader.model.limits import MIB
from grader.model.person import Person
from grader.yamlfile.quantities import moment
from grader.yamlfile.source import shown

__all__ = [
    "LINKED",
    "MIB",
    "TYPED",
    "Complete",
    "Download",
    "Expected",
    "Fault",
    "Layout",
    "Person",
    "Piece",
    "Refused",
    "UsageError",
    "as_named",
    "folded",
    "moment",
    "shared_start",
    "shown",
]

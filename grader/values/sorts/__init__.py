"""The sorts of values, and the one of each value."""

from typing import Any

from grader.model.values import Value
from grader.values.sort import Sort
from grader.values.sorts.dicts import Dict
from grader.values.sorts.library import Library, Other
from grader.values.sorts.plain import Complex, Float, Int, Itself, Str
from grader.values.sorts.records import Member, RecordSort
from grader.values.sorts.sequences import List, Tuple
from grader.values.sorts.sets import Odd, Set
from grader.values.sorts.stand_ins import CycleSort, OpaqueSort
from grader.values.sorts.tables import TableSort

ALL: tuple[Sort[Any], ...] = (
    Itself(),
    Int(),
    Str(),
    Float(),
    Complex(),
    List(),
    Tuple(),
    Set(),
    Dict(),
    Library(),
    RecordSort(),
    Member(),
    TableSort(),
    Odd(),
    OpaqueSort(),
    CycleSort(),
)
SORTS: dict[type, Sort[Any]] = {kind: sort for sort in ALL for kind in sort.classes}
"""The sort of each class, which is looked up by identity: a subclass that lies is another class."""
OTHER: Sort[Any] = Other()


def sort_of(value: Value) -> Sort[Any]:
    """Return the sort of a value; what is no value has one too, without parts."""
    return SORTS.get(type(value), OTHER)

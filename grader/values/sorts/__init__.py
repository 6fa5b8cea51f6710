"""All sorts of values, a line for each of ours, and those of plugins."""

from typing import Any

from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.values.sort import SORTS, Sort, register
from grader.values.sorts.dicts import Dict
from grader.values.sorts.library import Library, Other
from grader.values.sorts.plain import Bool, Bytes, Complex, Float, Int, Nothing, Str
from grader.values.sorts.records import Member, RecordSort
from grader.values.sorts.sequences import List, Tuple
from grader.values.sorts.sets import Odd, Set
from grader.values.sorts.stand_ins import CycleSort, OpaqueSort
from grader.values.sorts.tables import TableSort

ALL: tuple[Sort[Any], ...] = (
    Nothing(),
    Bool(),
    Bytes(),
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
    Other(),
)
for _sort in ALL:
    register(_sort)

for _name, _sort in registry().all_of(Group.VALUES).items():
    _taken = [kind.__name__ for kind in _sort.classes if kind in SORTS]
    if _taken or not _sort.classes:
        _reason = f"values of {_taken[0]} have a sort already" if _taken else "it names no classes"
        registry().refuse(registry().entries(Group.VALUES)[_name], _reason)
    else:
        register(_sort)

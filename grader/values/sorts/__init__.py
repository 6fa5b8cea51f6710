"""All sorts of values of ours, a line for each."""

from typing import Any

from grader.values.sort import Sort, register
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

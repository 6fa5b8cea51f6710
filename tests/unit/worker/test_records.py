"""Which of a module's objects count as records, and how they are made."""

from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from grader.model.values import EnumMember, EnumType, Record, RecordType
from grader.sandbox.request import node_of, packed_types
from grader.worker.box.records import Absent, Records

PAWN = RecordType("Pawn", ("pos", "energy"))
COLOUR = EnumType("Colour", ("Red", "White"))
A_PAWN = Record("Pawn", (("pos", (1, 2)), ("energy", 3)))


@dataclass
class DataPawn:
    pos: tuple[int, int]
    energy: int
    seen: list[int] = field(default_factory=list)


class NamedPawn(NamedTuple):
    pos: tuple[int, int]
    energy: int


class PlainPawn:
    def __init__(self, pos: tuple[int, int], energy: int) -> None:
        self.pos, self._energy = pos, energy

    @property
    def energy(self) -> int:
        return self._energy


class SlottedPawn:
    __slots__ = ("energy", "pos")

    def __init__(self, pos: tuple[int, int], energy: int) -> None:
        self.pos, self.energy = pos, energy


class IntPawn(int):
    """Derives from a plain type and is a record all the same."""

    def __new__(cls, pos: tuple[int, int], energy: int) -> "IntPawn":
        made = int.__new__(cls, 7)
        made.pos, made.energy = pos, energy  # type: ignore[attr-defined]
        return made


def records(pawn: Any = DataPawn, colour: Any = None, *, invent: bool = False) -> Records:
    module = ModuleType("work")
    module.__dict__.update({name: kind for name, kind in (("Pawn", pawn), ("Colour", colour)) if kind})
    return Records(module, packed_types([PAWN, COLOUR]), invent=invent)


@pytest.mark.parametrize("kind", [DataPawn, NamedPawn, PlainPawn, SlottedPawn, IntPawn])
def test_any_class_with_the_fields_will_do(kind: Any) -> None:
    own = records(kind)
    built = own.build(node_of(A_PAWN))
    assert type(built) is kind
    assert id(kind) in own.described
    assert own.describe(built) == ("r", "Pawn", [("pos", (1, 2)), ("energy", 3)])


def test_instances_of_other_classes_are_no_records() -> None:
    class SubPawn(DataPawn):
        pass

    class Pawn(NamedTuple):
        pos: tuple[int, int]
        energy: int

    own = records(DataPawn)
    assert own.describe(SubPawn((1, 2), 3)) is None
    assert own.describe(Pawn((1, 2), 3)) is None
    assert own.describe(DataPawn) is None


@pytest.mark.parametrize("base", [Enum, IntEnum, Flag])
def test_members_are_told_by_identity(base: Any) -> None:
    colour = base("Colour", {"Red": 1, "White": 2})
    own = records(colour=colour)
    assert own.describe(colour.White) == ("e", "Colour", "White")
    assert own.build(node_of(EnumMember("Colour", "White"))) is colour.White


def test_a_member_that_is_not_declared_is_no_member() -> None:
    class Colour(Enum):
        Red, White, Blue = 1, 2, 3

    assert records(colour=Colour).describe(Colour.Blue) is None


def test_a_class_with_instances_for_attributes_will_do_for_an_enum() -> None:
    class Colour:
        Red: "Colour"
        White: "Colour"

    Colour.Red, Colour.White = Colour(), Colour()
    own = records(colour=Colour)
    assert own.describe(own.build(node_of(EnumMember("Colour", "Red")))) == ("e", "Colour", "Red")
    assert own.describe(Colour()) is None


def test_numbers_in_the_place_of_members_stay_numbers() -> None:
    class Colour:
        Red, White = 1, 2

    own = records(colour=Colour)
    assert own.build(node_of(EnumMember("Colour", "Red"))) == 1
    assert own.describe(1) is None


def test_what_is_missing_is_named() -> None:
    with pytest.raises(Absent, match=r"^Pawn$"):
        records(None).build(node_of([A_PAWN]))
    with pytest.raises(Absent, match=r"^Colour$"):
        records().build(node_of(EnumMember("Colour", "Red")))
    with pytest.raises(Absent, match=r"^Colour\.White$"):
        records(colour=Enum("Colour", "Red")).build(node_of(EnumMember("Colour", "White")))


def test_a_field_that_cannot_be_read_makes_it_no_record() -> None:
    own = records(PlainPawn)
    pawn = PlainPawn((1, 2), 3)
    del pawn._energy
    assert own.describe(pawn) == ("o", "Pawn", "its field energy cannot be read")


def test_what_a_constructor_raises_goes_through() -> None:
    with pytest.raises(TypeError):
        records(lambda: None).build(node_of(A_PAWN))


def test_each_use_of_a_value_is_built_anew() -> None:
    built: Any = records().build(node_of([A_PAWN, A_PAWN]))
    first, second = built
    assert first == second
    assert first is not second


def test_the_specs_own_code_gets_simple_classes() -> None:
    module = ModuleType("checkers")
    own = Records(module, packed_types([PAWN, COLOUR]), invent=True)
    pawn = own.build(node_of(A_PAWN))
    assert (pawn.pos, pawn.energy) == ((1, 2), 3)  # type: ignore[attr-defined]
    assert pawn == module.Pawn((1, 2), 3)
    assert {pawn: 1}[module.Pawn((1, 2), 3)] == 1
    assert repr(pawn) == "Pawn((1, 2), 3)"
    assert f"{module.Colour.Red} {module.Colour.White!r}" == "Colour.Red Colour.White"
    assert own.build(node_of(EnumMember("Colour", "Red"))) is module.Colour.Red
    with pytest.raises(AttributeError):
        pawn.energy = 4  # type: ignore[attr-defined]


def test_classes_of_the_specs_own_code_are_left_alone() -> None:
    module = ModuleType("checkers")
    module.__dict__["Pawn"] = NamedPawn
    Records(module, packed_types([PAWN]), invent=True)
    assert module.Pawn is NamedPawn


def test_students_modules_are_not_added_to() -> None:
    module = ModuleType("work")
    Records(module, packed_types([PAWN, COLOUR]))
    assert not hasattr(module, "Pawn")

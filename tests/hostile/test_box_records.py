"""Classes that lie: whatever they say about themselves, a record is told by its class and its fields.

What a student's class answers when its fields are read is the student's claim, like any answer.  It
must not pass for another class's instance, bring the decoder down, or outlive its case.
"""

import pytest
from support.sieges import DRIVERS, LIMITS, Arena, Zygotes, indented, raised, value

from grader.model.case import Call
from grader.model.outcome import Ending, Outcome
from grader.model.values import (
    Cycle,
    DeclaredType,
    EnumMember,
    EnumType,
    OddSet,
    Opaque,
    Record,
    RecordType,
    Value,
)
from grader.sandbox.box import Job
from grader.sandbox.request import encode_request

TYPES: tuple[DeclaredType, ...] = (
    RecordType("Pawn", ("pos", "energy")),
    RecordType("King", ("pos", "energy")),
    EnumType("Colour", ("Red", "White")),
)


@pytest.fixture
def box_arena(zygotes: Zygotes) -> Arena:
    """One driver and one mode: none of this has to do with walls."""
    return zygotes.arena(DRIVERS[0], "snapshot")


def pawn(pos: Value = (1, 2), energy: Value = 3, name: str = "Pawn") -> Record:
    return Record(name, (("pos", pos), ("energy", energy)))


HEAD = """
import enum
import gc
import sys
import types


class Colour(enum.Enum):
    Red = 1
    White = 2


class Piece:
    def __init__(self, pos, energy):
        self.pos, self.energy = pos, energy


class Pawn(Piece):
    pass


class King(Piece):
    pass
"""


def ask(arena: Arena, body: str, *args: Value, head: str = HEAD) -> Outcome:
    """Return the outcome of a case whose function has this body; its arguments are `args`."""
    request = encode_request([Call("attack", args)], LIMITS, types=TYPES)
    source = f"{head}\n\ndef attack(*args):\n{indented(body)}"
    return arena.besiege(source, Job(request, LIMITS)).outcome


LIES = {
    "equality": (
        "Pawn.__eq__ = lambda self, other: True\nPawn.__ne__ = lambda self, other: False\n"
        "Pawn.__hash__ = lambda self: 0\nreturn {Pawn((9, 9), 1), King((9, 9), 1)}",
        {pawn((9, 9), 1), pawn((9, 9), 1, "King")},
    ),
    "hash": (
        "Pawn.__hash__ = lambda self: id(self)\nreturn frozenset({Pawn((1, 2), 3), Pawn((1, 2), 3)})",
        OddSet("frozenset", (pawn(), pawn())),
    ),
    "class": (
        "class Spy(King):\n    __class__ = property(lambda self: Pawn)\n    __repr__ = lambda self: 'Pawn'\n"
        "\nreturn [isinstance(Spy((1, 2), 3), Pawn), Spy((1, 2), 3)]",
        [True, Opaque("Spy", "Pawn")],
    ),
    "a real change of class": ("one = King((1, 2), 3)\none.__class__ = Pawn\nreturn one", pawn()),
    "name": ("King.__name__ = King.__qualname__ = 'Pawn'\nreturn King((1, 2), 3)", pawn(name="King")),
    "subclass": (
        "class Heir(Pawn):\n    __repr__ = lambda self: 'me'\n\n"
        "Heir.__name__ = 'Pawn'\nreturn Heir((1, 2), 3)",
        Opaque("Pawn", "me"),
    ),
    "attributes": (
        "Pawn.__getattribute__ = lambda self, name: {'pos': (1, 2)}.get(name, 3)\nreturn Pawn(0, 0)",
        pawn(),
    ),
    "fields of another type": (
        "class Nine(int):\n    __eq__ = lambda self, other: True\n    __hash__ = lambda self: 3\n\n"
        "return Pawn((Nine(8), Nine(9)), Nine(7))",
        pawn((8, 9), 7),
    ),
    "a record for a field": (
        "return Pawn(King(Colour.Red, []), {})",
        pawn(pawn(EnumMember("Colour", "Red"), [], "King"), {}),
    ),
    "exchanged classes": (
        "globals()['Pawn'], globals()['King'] = King, Pawn\nreturn Pawn((1, 2), 3)",
        pawn(name="King"),
    ),
    "a class made later": (
        "globals()['Pawn'] = Later = type('Pawn', (), {'pos': (1, 2), 'energy': 3})\n"
        "return type(Later()).__name__",
        "Pawn",
    ),
    "no fields at all": (
        "bare = Pawn.__new__(Pawn)\nreturn bare",
        Opaque("Pawn", "its field pos cannot be read"),
    ),
    "fields that raise": (
        "class Tired(Exception):\n    pass\n\ndef read(self):\n    raise Tired\n\n"
        "Pawn.energy = property(read, lambda self, value: None)\nreturn Pawn((1, 2), 3)",
        Opaque("Pawn", "its field energy cannot be read"),
    ),
    "fields that exit": (
        "def read(self):\n    raise SystemExit(3)\n\n"
        "Pawn.pos = property(read, lambda self, value: None)\nreturn [Pawn((1, 2), 3)]",
        [Opaque("Pawn", "its field pos cannot be read")],
    ),
    "a piece inside itself": (
        "one = Pawn(None, 3)\none.pos = [one]\nreturn one",
        pawn([Cycle(2)]),
    ),
    "a member of another enum": (
        "Other = enum.Enum('Colour', 'Red White')\nreturn [Colour.Red, type(Other.Red).__name__]",
        [EnumMember("Colour", "Red"), "Colour"],
    ),
    "a member that is told by nobody": (
        "fake = object.__new__(Colour)\nfake._name_, fake._value_ = 'Red', 1\nreturn fake",
        Opaque("Colour", "<Colour.Red: 1>"),
    ),
    "keys that look alike": (
        "Pawn.__hash__ = lambda self: id(self)\nreturn {Pawn((1, 2), 3): 1, Pawn((1, 2), 3): 2}",
        Opaque("dict", "some of its keys are equal or have no hash"),
    ),
    "sets of what has no hash": ("return {Pawn([1, 2], 3)}", OddSet("set", (pawn([1, 2]),))),
    "a hundred that look alike": (
        "return {Pawn((1, 2), 3) for _ in range(100)}",
        OddSet("set", (pawn(),) * 100),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_class_that_lies_is_told_by_what_it_is(box_arena: Arena, lie: str) -> None:
    body, told = LIES[lie]
    assert value(ask(box_arena, body)) == told


def test_an_instance_of_a_class_made_later_is_no_record(box_arena: Arena) -> None:
    body = "globals()['Pawn'] = type('Pawn', (), {'pos': (1, 2), 'energy': 3})\nreturn Pawn()"
    found = value(ask(box_arena, body))
    assert isinstance(found, Opaque)
    assert found.type_name == "Pawn"


METACLASS = (
    HEAD
    + """

class Liar(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return 0

    def __instancecheck__(cls, other):
        return True

    def __getattribute__(cls, name):
        if name in ("__name__", "__mro__", "__dict__", "__flags__"):
            raise RuntimeError(name)
        return type.__getattribute__(cls, name)


class Pawn(Piece, metaclass=Liar):
    pass


class Other(Piece, metaclass=Liar):
    pass
"""
)


def test_a_metaclass_that_lies_gains_nothing(box_arena: Arena) -> None:
    found = value(ask(box_arena, "return [Pawn((1, 2), 3), Other((1, 2), 3), *args]", pawn(), head=METACLASS))
    assert isinstance(found, list)
    assert [found[0], found[2]] == [pawn(), pawn()]
    assert isinstance(found[1], Opaque)


@pytest.mark.parametrize(
    "body",
    [
        "Pawn.pos = property(lambda self: Pawn((1, 2), 3), lambda self, value: None)\nreturn Pawn(0, 0)",
        "Pawn.__getattribute__ = lambda self, name: [Pawn.__new__(Pawn)]\nreturn Pawn(0, 0)",
        "one = 1\nfor _ in range(200):\n    one = Pawn(one, 1)\nreturn one",
        "return [Pawn((1, 2), 3)] * 1_000_000",
        "return Pawn(['x' * 1000] * 1000, 3)",
    ],
)
def test_records_without_end_are_too_large(box_arena: Arena, body: str) -> None:
    outcome = ask(box_arena, body)
    assert outcome.ending in (Ending.ANSWER_SIZE, Ending.TIME), outcome


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("def read(self):\n    while True:\n        pass\n\n", Ending.TIME),
        ("import os\n\ndef read(self):\n    os._exit(0)\n\n", Ending.EXITED),
        ("def read(self):\n    return ['x'] * 10**9\n\n", None),
    ],
)
def test_a_field_that_runs_wild_costs_its_own_case(
    box_arena: Arena, body: str, ending: Ending | None
) -> None:
    lines = "Pawn.pos = property(read, lambda self, value: None)\nreturn Pawn((1, 2), 3)"
    outcome = ask(box_arena, body + lines)
    if ending is None:
        assert value(outcome) == Opaque("Pawn", "its field pos cannot be read")
    else:
        assert outcome.ending is ending


# -- records that go in ----------------------------------------------------------------------------

CONSTRUCTORS = {
    "raises": ("def __init__(self, pos, energy):\n    raise ValueError", "ValueError"),
    "exits": ("def __init__(self, pos, energy):\n    raise SystemExit(0)", "SystemExit"),
    "takes one argument": ("def __init__(self, pos):\n    pass", "TypeError"),
    "calls itself": ("def __init__(self, pos, energy):\n    Pawn(pos, energy)", "RecursionError"),
    "has no hash": ("__hash__ = None\n\ndef __init__(self, pos, energy):\n    pass", "TypeError"),
    "has a hash that raises": (
        "def __init__(self, pos, energy):\n    pass\n\ndef __hash__(self):\n    raise OSError",
        "OSError",
    ),
}


@pytest.mark.parametrize("how", CONSTRUCTORS)
def test_a_constructor_that_fails_is_an_exception_of_the_call(box_arena: Arena, how: str) -> None:
    body, exception = CONSTRUCTORS[how]
    head = f"{HEAD}\n\nclass Pawn:\n{indented(body)}"
    assert raised(ask(box_arena, "return 1", {pawn()}, head=head)) == exception


def test_a_constructor_may_make_what_it_likes(box_arena: Arena) -> None:
    head = f"{HEAD}\n\nclass Pawn:\n    def __new__(cls, pos, energy):\n        return {{'answer': 42}}\n"
    assert value(ask(box_arena, "return args", pawn(), head=head)) == ({"answer": 42},)


def test_a_module_that_makes_up_its_classes(box_arena: Arena) -> None:
    head = HEAD.replace("class Pawn(Piece):\n    pass", "def __getattr__(name):\n    raise SystemExit(name)")
    outcome = ask(box_arena, "return 1", pawn(), head=head)
    assert (outcome.ending, outcome.detail) == (Ending.MISSING, "Pawn")


def test_the_boxs_own_tables_lead_to_claims_alone(box_arena: Arena) -> None:
    """Who finds the table of classes can have anything told as a record; that is what a claim is."""
    body = """
for table in [thing for thing in gc.get_objects() if type(thing).__name__ == "Records"]:
    table.described.add(id(King))
    table._fields[id(King)] = "Pawn", ["pos", "energy", "secret"]
return King((1, 2), 3)
"""
    assert value(ask(box_arena, body, pawn())) == Opaque("Pawn", "its field secret cannot be read")


def test_addresses_are_not_told(box_arena: Arena) -> None:
    found = value(ask(box_arena, "return [object(), King]", None))
    assert found == [Opaque("object", "<object object>"), Opaque("type", "<class 'work.King'>")]

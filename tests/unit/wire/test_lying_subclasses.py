"""What an instance of a lying subclass is encoded as: the plain value that it really holds."""

import enum
from collections import Counter, OrderedDict, defaultdict, namedtuple
from typing import Any

import pytest
from support import liars

from grader.model.values import Cycle, Opaque, Record
from grader.wire import codec
from grader.wire.decoder import Decoder
from grader.wire.encoder import Encoder


def describe(value: object) -> tuple[str, str, object]:
    return "o", type.__dict__["__name__"].__get__(type(value)), ""


def sent(value: object) -> Any:
    data = Encoder(1 << 20, 10_000, describe).encode(value)
    return Decoder(10_000, Record, Opaque, Cycle).decode(data)


@pytest.mark.parametrize(
    ("lie", "truth"),
    # Not by what they show: a set of texts shows itself in another order in each process of the suite.
    [
        pytest.param(*pair, id=f"{type(pair[1]).__name__}-{number}")
        for number, pair in enumerate(liars.all_liars())
    ],
)
def test_a_lying_subclass_is_reduced_to_what_it_holds(lie: object, truth: object) -> None:
    received = sent(lie)
    assert (type(received), repr(received)) == (type(truth), repr(truth))
    assert sent([lie, (lie,), {1: lie}]) == [truth, (truth,), {1: truth}]


def test_lies_inside_lies() -> None:
    lie = liars.true_lie(
        list, [liars.true_lie(tuple, (liars.true_lie(int, 5),)), liars.true_lie(dict, {"a": 1})]
    )
    assert sent(lie) == [(5,), {"a": 1}]


def test_a_lying_list_that_holds_itself() -> None:
    lie = liars.true_lie(list, [])
    list.append(lie, lie)
    assert sent(lie) == [Cycle(1)]


def test_a_class_that_equals_int_is_no_int() -> None:
    class Meta(type):
        def __eq__(cls, other: object) -> bool:
            return True

        def __hash__(cls) -> int:
            return hash(int)

        def mro(cls) -> list[type]:
            return [cls, object]

    class Pretender(metaclass=Meta):
        __class__ = int  # type: ignore[assignment]

        def __index__(self) -> int:
            return 304

        __int__ = __index__

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    assert sent([Pretender()]) == [Opaque("Pretender", "")]


def test_a_class_that_hides_its_bases_is_opaque() -> None:
    class Meta(type):
        bases: tuple[type, ...] = (int, object)

        def mro(cls) -> list[type]:
            return [cls, *Meta.bases]

    class Hidden(int, metaclass=Meta):
        pass

    value = Hidden(5)
    assert sent(value) == 5
    Meta.bases = (object,)
    Hidden.__bases__ = (int,)  # has the order of bases worked out again
    assert sent(value) == Opaque("Hidden", "")


def test_a_class_cannot_claim_a_layout_that_it_has_not() -> None:
    class Meta(type):
        def mro(cls) -> list[type]:
            return [cls, int, object]

    with pytest.raises(TypeError, match="layout"):
        Meta("Claim", (), {})


class Colour(enum.IntEnum):
    RED = 304


class Name(enum.StrEnum):
    ANN = "ann"


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Colour.RED, 304),
        (Name.ANN, "ann"),
        (Point(1, 2), (1, 2)),
        (defaultdict(list, {1: [2]}), {1: [2]}),
        (OrderedDict([(2, 1), (1, 2)]), {2: 1, 1: 2}),
        (Counter("aab"), {"a": 2, "b": 1}),
        (True, True),
    ],
)
def test_honest_subclasses_are_reduced_alike(value: object, plain: object) -> None:
    received = sent(value)
    assert (type(received), received) == (type(plain), plain)


def test_equal_members_of_a_set_that_hid_it_are_refused() -> None:
    class Loner(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return self is other

        def __hash__(self) -> int:
            return id(self)

    with pytest.raises(codec.Malformed, match="twice"):
        sent({Loner("a"), Loner("a")})


@pytest.mark.parametrize(
    "value", [object(), bytearray(b"a"), range(3), iter([]), int, len, memoryview(b""), ...]
)
def test_all_else_is_described(value: object) -> None:
    assert sent((value,)) == (Opaque(type(value).__name__, ""),)


def test_a_description_that_raises_is_passed_on() -> None:
    def fail(value: object) -> tuple[str, str, object]:
        raise liars.Noise

    with pytest.raises(liars.Noise):
        Encoder(100, 100, fail).encode(object())

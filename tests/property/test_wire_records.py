"""Records, from the values of a spec through a module's classes and back."""

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from grader.sandbox.request import node_of, packed_types
from grader.wire import codec
from grader.wire.decoder import Decoder
from grader.wire.encoder import Encoder
from grader.worker.box.records import Records

TYPES: tuple[DeclaredType, ...] = (
    RecordType("Pawn", ("pos", "energy")),
    RecordType("Empty", ()),
    EnumType("Colour", ("Red", "White")),
)

atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5),
    st.sampled_from([EnumMember("Colour", "Red"), EnumMember("Colour", "White"), Record("Empty", ())]),
)  # fmt: skip


def pawns(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Record]:
    return st.builds(lambda pos, energy: Record("Pawn", (("pos", pos), ("energy", energy))), inner, inner)


keys = st.recursive(
    atoms,
    lambda inner: st.one_of(pawns(inner), st.tuples(inner, inner), st.frozensets(inner, max_size=3)),
    max_leaves=6,
)
values = st.recursive(
    keys,
    lambda inner: st.one_of(
        pawns(inner),
        st.lists(inner, max_size=4),
        st.sets(keys, max_size=4),
        st.dictionaries(keys, inner, max_size=3),
    ),
    max_leaves=15,
)


OWN, OTHER = [Records(ModuleType(name), packed_types(TYPES), invent=True) for name in ("work", "other")]
"""The classes of two modules, simple ones that are made up."""


def encode(value: object, records: Records) -> bytes:
    def describe(part: object) -> tuple[str, str, object]:
        return records.describe(part) or ("o", type(part).__name__, "")

    return Encoder(1 << 20, 100_000, describe, records.described).encode(value)


def decode(data: bytes) -> Value:
    return Decoder(100_000, Record, Opaque, Cycle, EnumMember, OddSet).decode(data)


@given(values)
def test_a_value_is_built_and_comes_back(value: Value) -> None:
    assert decode(encode(OWN.build(node_of(value)), OWN)) == value


@given(values)
def test_values_without_records_travel_as_they_are(value: Value) -> None:
    node = node_of(value)
    text = repr(value)
    assert (node == ["v", value]) == ("Record(" not in text and "EnumMember(" not in text)


@given(values)
def test_no_made_up_instance_is_taken_for_another_modules(value: Value) -> None:
    """The classes of two modules differ, though they have the same names and fields."""
    text = repr(decode(encode(OWN.build(node_of(value)), OTHER)))
    assert "Record(" not in text
    assert "EnumMember(" not in text


@given(values, st.data())
def test_damaged_records_are_refused_or_are_values(value: Value, data: st.DataObject) -> None:
    damaged = bytearray(encode(OWN.build(node_of(value)), OWN))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged)))
        cut = data.draw(st.integers(0, 3))
        damaged[at : at + cut] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"r", b"e", b"S", b"Z", b"m"])
        )
    try:
        found = decode(bytes(damaged))
    except (codec.Malformed, codec.TooLarge):
        return
    repr(found)


@given(st.lists(keys, max_size=6))
def test_a_set_never_has_fewer_items_than_were_sent(items: list[Value]) -> None:
    """Equal ones among them are kept, so that they can't pass for a set that has them once."""
    parts = [encode(OWN.build(node_of(item)), OWN) for item in items]
    try:
        found: Any = decode(b"S" + bytes([len(parts)]) + b"".join(parts))
    except codec.Malformed:
        return  # the same plain value twice, which no set can have sent
    assert len(found.items if isinstance(found, OddSet) else found) == len(items)


@given(st.integers(0, 60))
def test_items_and_fields_count_towards_the_limit(limit: int) -> None:
    value = OWN.build(node_of([Record("Pawn", (("pos", n), ("energy", n))) for n in range(10)]))

    def describe(part: object) -> tuple[str, str, object]:
        found = OWN.describe(part)
        assert found is not None
        return found

    encoder = Encoder(1 << 20, limit, describe, OWN.described)
    if limit >= 31:
        assert len(decode(encoder.encode(value))) == 10  # type: ignore[arg-type]
    else:
        with pytest.raises(codec.TooLarge, match="too many items"):
            encoder.encode(value)

"""Values as bytes: what goes in comes out, and nothing comes out that did not go in."""

import math
import struct
from datetime import timedelta, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record
from grader.wire import codec, library_values
from grader.wire.decoder import Decoder, decode_plain
from grader.wire.encoder import Encoder, encode_plain

any_text = st.text(st.characters(codec=None), max_size=20)
atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(2**200), 2**200), st.floats(),
    st.complex_numbers(), any_text, st.binary(max_size=20),
)  # fmt: skip
keys = st.recursive(
    atoms, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4
)
zones = st.none() | st.timedeltas(timedelta(hours=-23), timedelta(hours=23)).map(timezone)
library = st.one_of(
    st.dates(),
    st.builds(lambda moment, zone: moment.replace(tzinfo=zone), st.datetimes(), zones),
    st.builds(lambda moment, zone: moment.replace(tzinfo=zone), st.times(), zones),
    st.timedeltas(),
    st.fractions(),
    st.decimals().filter(lambda value: not value.is_snan()),
    st.builds(range, st.integers(), st.integers(), st.integers().filter(bool)),
    st.text(max_size=9).map(PurePosixPath),
)
plain = st.recursive(
    atoms | library,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(keys, max_size=4),
        st.frozensets(keys, max_size=4),
        st.dictionaries(keys, inner, max_size=4),
    ),
    max_leaves=20,
)


plain_alone = st.recursive(atoms, lambda inner: st.lists(inner, max_size=4), max_leaves=20)


def opaque(value: object) -> tuple[str, str, object]:
    found = library_values.data_of(value)
    return ("x", *found) if found is not None else ("o", type(value).__name__, "?")


def encode(value: object, max_bytes: int = 1 << 20, max_items: int = 100_000) -> bytes:
    return Encoder(max_bytes, max_items, opaque).encode(value)


def decode(data: bytes, max_items: int = 100_000) -> Any:
    make = library_values.made_of_bytes
    return Decoder(max_items, Record, Opaque, Cycle, EnumMember, OddSet, make).decode(data)


def bits(value: object) -> object:
    """Give a value a form in which exact types, NaN and the sign of zero count."""
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, bits(value.real), bits(value.imag)
    if isinstance(value, (list, tuple)):
        return type(value), [bits(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted((bits(item) for item in value), key=repr)
    if isinstance(value, dict):
        return dict, [(bits(key), bits(item)) for key, item in value.items()]
    return type(value), str(value) if isinstance(value, Decimal) else value


@given(plain)
def test_plain_values_come_back_exactly(value: object) -> None:
    assert bits(decode(encode(value))) == bits(value)


@given(plain_alone)
def test_trusted_values_come_back_exactly(value: object) -> None:
    assert bits(decode_plain(encode_plain(value))) == bits(value)


@pytest.mark.parametrize(
    "value",
    [
        math.nan, -math.nan, math.inf, -0.0, complex(-0.0, math.nan), 2**63, -(2**63), 1 << 100_000,
        -(1 << 100_000), 127, 128, -128, "\ud800\udfff", "\0", "😀", True, 1, 1.0, [True, 1, 1.0],
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_values_at_the_edge_come_back_exactly(value: object) -> None:
    assert bits(decode(encode(value))) == bits(value)


@given(plain, st.integers(0, 200))
def test_what_the_encoder_lets_through_the_decoder_takes(value: object, items: int) -> None:
    try:
        data = encode(value, max_items=items)
    except codec.TooLarge:
        with pytest.raises(codec.TooLarge):
            decode(encode(value), max_items=items)
    else:
        decode(data, max_items=items)


@given(st.binary(max_size=60))
def test_garbage_is_refused_or_is_a_value(data: bytes) -> None:
    try:
        value = decode(data)
    except (codec.Malformed, codec.TooLarge):
        return
    decode(encode(value, 1 << 20))


@given(plain, st.data())
def test_damaged_bytes_are_refused_or_are_a_value(value: object, data: st.DataObject) -> None:
    damaged = bytearray(encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged)))
        cut = data.draw(st.integers(0, 3))
        damaged[at : at + cut] = data.draw(
            st.binary(max_size=3)
            | st.sampled_from([b"l\xff", b"y", b"r", b"e", b"S", b"x", b"x\x0ebuiltins.range\x03"])
        )
    test_garbage_is_refused_or_is_a_value.hypothesis.inner_test(bytes(damaged))  # type: ignore[attr-defined]


@given(plain, st.integers(0, 10_000))
def test_a_cut_encoding_is_malformed(value: object, cut: int) -> None:
    data = encode(value)
    with pytest.raises((codec.Malformed, codec.TooLarge)):
        decode(data[: cut % len(data)])


@given(plain, st.binary(min_size=1, max_size=5))
def test_anything_after_the_value_is_malformed(value: object, more: bytes) -> None:
    with pytest.raises(codec.Malformed):
        decode(encode(value) + more)


@given(plain)
def test_no_encoding_is_larger_than_allowed(value: object) -> None:
    size = len(encode(value))
    assert len(encode(value, max_bytes=size)) == size
    with pytest.raises(codec.TooLarge):
        encode(value, max_bytes=size - 1)


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_stand_ins_travel_as_what_they_are(name: str) -> None:
    class Thing:
        pass

    encoder = Encoder(1000, 100, lambda _: ("r", name, [("field", [1]), (name, None)]))
    assert decode(encoder.encode(Thing())) == Record(name, (("field", [1]), (name, None)))
    assert decode(Encoder(1000, 100, lambda _: ("o", name, name)).encode(Thing())) == Opaque(name, name)


@given(plain)
def test_trusted_readers_take_no_stand_ins(value: object) -> None:
    with pytest.raises(codec.Malformed):
        decode_plain(encode([value, object()]))
    with pytest.raises(TypeError):
        encode_plain([value, object()])


KINDS = sorted(
    [*library_values._NUMBERS, *library_values._TEXTS, "builtins.eval", "collections.deque", "os.system"]
)
parts = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.lists(st.integers())
)


@given(st.sampled_from(KINDS), st.lists(parts, max_size=8))
def test_parts_of_anything_are_refused_or_are_a_value(name: str, content: list[object]) -> None:
    data = Encoder(1 << 20, 1000, lambda _: ("x", name, content)).encode(object())
    try:
        value = decode(data)
    except codec.Malformed:
        return
    assert library_values.data_of(value) is not None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("decimal.Decimal", ["9" * 1_000_000]),
        ("decimal.Decimal", ["sNaN"]),
        ("fractions.Fraction", [1 << 1_000_000, 3]),
        ("fractions.Fraction", [1, 0]),
        ("builtins.range", [1, 2, 0]),
        ("builtins.range", [True, 2, 1]),
        ("datetime.datetime", [2024, 1, 1, 0, 0, 0, 0, 86_400_000_000]),
        ("datetime.datetime", [1, 1, 1]),
        ("datetime.date", ["\x07\xe8\x01\x01"]),
        ("datetime.timedelta", [10**12, 0, 0]),
        ("collections.deque", [[1], None]),
        ("os.system", ["true"]),
    ],
)
def test_values_that_no_box_sends_are_malformed(name: str, content: list[object]) -> None:
    data = Encoder(1 << 24, 1000, lambda _: ("x", name, content)).encode(object())
    with pytest.raises(codec.Malformed):
        decode(data)


def test_the_largest_values_come_back() -> None:
    for value in (
        timedelta.max,
        timedelta.min,
        range(10**18),
        range(-(10**1000), 10**1000),
        Decimal("1E+999999999"),
    ):
        assert decode(encode(value)) == value

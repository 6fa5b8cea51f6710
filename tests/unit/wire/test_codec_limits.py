"""The limits of the codec, one by one: depth, items, bytes, keys, cycles."""

import tracemalloc
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record
from grader.wire import codec, decoder
from grader.wire.codec import MAX_DEPTH
from grader.wire.decoder import Decoder, decode_plain
from grader.wire.encoder import Encoder, _number


def encode(value: object) -> bytes:
    return Encoder(1 << 24, 2_000_000, lambda value: ("o", "thing", "")).encode(value)


def decode(data: bytes, max_items: int = 1_000_000) -> Any:
    return Decoder(max_items, Record, Opaque, Cycle, EnumMember, OddSet).decode(data)


class Listing(list[object]):
    """A subclass, to be treated as the list that it is."""


class Pair(tuple[object, ...]):
    __slots__ = ()


def nested(kind: Callable[[list[object]], object], levels: int) -> object:
    value = kind([])
    for _ in range(levels - 1):
        value = kind([value])
    return value


def mapping(items: list[object]) -> object:
    return dict.fromkeys([1], items[0]) if items else {}


@pytest.mark.parametrize("kind", [list, tuple, frozenset, mapping, Listing, Pair])
def test_depth_ends_where_it_should_on_both_sides(kind: Callable[[list[object]], object]) -> None:
    assert decode(encode(nested(kind, MAX_DEPTH))) == nested(kind, MAX_DEPTH)
    with pytest.raises(codec.TooLarge, match="levels deep"):
        encode(nested(kind, MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "opening", [b"l\x01", b"t\x01", b"S\x01", b"Z\x01", b"m\x01", b"m\x01N", b"r\x00\x01\x00"]
)
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 100_000])
def test_the_decoder_refuses_depth_by_itself(opening: bytes, levels: int) -> None:
    with pytest.raises(codec.TooLarge, match="levels deep"):
        decode(opening * levels + b"N")


def test_an_atom_of_a_subclass_adds_no_level() -> None:
    class Number(int):
        pass

    value: object = Number(5)
    for _ in range(MAX_DEPTH):
        value = [value]
    assert decode(encode(value)) == value


LENGTHS = (
    b"l\xff\xff\xff\xff\x0f", b"s\xff\xff\xff\xff\x7f", b"i\xff\xff\xff\xff\xff\x01", b"m\x7f",
    b"r\x00\xff\x7f", b"s" + b"\xff" * 20, b"l" + b"\x80" * 7 + b"\x01",
)  # fmt: skip


@pytest.mark.parametrize("data", LENGTHS)
def test_a_length_that_is_not_there_costs_nothing(data: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(codec.Malformed):
        decode(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000


def test_items_are_counted_while_decoding() -> None:
    data = encode([None] * 999)
    assert decode(data, max_items=1000) == [None] * 999
    with pytest.raises(codec.TooLarge, match="too many items"):
        decode(data, max_items=999)


def test_many_tiny_containers_stay_bounded_in_memory() -> None:
    count = 200_000
    tracemalloc.start()
    with pytest.raises(codec.TooLarge):
        decode(b"l" + encode_number(count) + b"S\x00" * count, max_items=count // 10)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30 << 20


def encode_number(number: int) -> bytes:
    out = bytearray()
    _number(out, number)
    return bytes(out)


FLOAT_ONE = b"d\0\0\0\0\0\0\xf0\x3f"
KEYS = (
    b"m\x02\x81N\x81N", b"S\x02TT", b"Z\x02s\x01as\x01a", b"S\x02\x81T", b"S\x02\x81" + FLOAT_ONE,
)  # fmt: skip


@pytest.mark.parametrize("data", KEYS)
def test_keys_that_no_dict_has_are_malformed(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        decode(data)


MODULUS = (1 << 61) - 1
"""Ints that differ by this much have the same hash."""


def test_colliding_hashes_are_refused() -> None:
    colliding = [1 + MODULUS * factor for factor in range(40)]
    assert len({hash(key) for key in colliding}) == 1
    for tag in (b"S", b"Z"):
        with pytest.raises(codec.Malformed, match="collide"):
            decode(tag + bytes([len(colliding)]) + b"".join(map(encode, colliding)))
    with pytest.raises(codec.Malformed, match="collide"):
        decode(encode(dict.fromkeys(colliding)))


def test_a_few_equal_hashes_are_honest() -> None:
    few = {1 + MODULUS * factor for factor in range(20)}
    assert decode(encode(few)) == few


def test_keys_that_get_in_each_others_way_end_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys with different hashes can be chosen to probe the same slots; 90,000 such keys took minutes."""
    honest = encode(set(range(1, 300_000, 3)))
    started = process_time()
    assert len(decode(honest)) == 100_000
    assert process_time() - started < 10
    monkeypatch.setattr(decoder, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(decoder, "_PATIENCE_FOR_ITEM_S", 0.0)
    with pytest.raises(codec.TooLarge, match="too long"):
        decode(honest)


def test_a_cycle_is_told_by_how_far_up_it_goes() -> None:
    ring: list[object] = [1]
    ring.append([ring])
    assert decode(encode(ring)) == [1, [Cycle(2)]]
    book: dict[str, object] = {}
    book["self"] = book
    assert decode(encode(book)) == {"self": Cycle(1)}


def test_a_cycle_through_a_subclass_goes_as_far_up() -> None:
    ring = Listing()
    ring.append((ring,))
    assert decode(encode(ring)) == [(Cycle(2),)]


@pytest.mark.parametrize("data", [b"y\x00", b"y\x01", b"l\x01y\x00", b"l\x01y\x02", b"l\x01y\xff\xff\x7f"])
def test_a_cycle_through_nothing_is_malformed(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        decode(data)


def test_the_same_object_twice_is_no_cycle() -> None:
    shared = [1]
    assert decode(encode([shared, shared])) == [[1], [1]]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"S\x01S\x00", OddSet("set", (set(),))),
        (b"Z\x01m\x00", OddSet("frozenset", ({},))),
        (b"Z\x01Z\x01l\x00", OddSet("frozenset", (OddSet("frozenset", ([],)),))),
        (b"m\x01l\x00N", Opaque("dict", "some of its keys are equal or have no hash")),
    ],
)
def test_what_has_no_hash_makes_no_set(data: bytes, value: object) -> None:
    assert decode(data) == value


def test_two_looks_alike_are_not_taken_for_one() -> None:
    thing = Opaque("thing", "")
    assert decode(encode({object(), object()})) == OddSet("set", (thing, thing))
    assert decode(encode(frozenset({object(), object()}))) == OddSet("frozenset", (thing, thing))


def test_many_looks_alike_are_no_attack() -> None:
    thing = Opaque("thing", "")
    assert decode(encode({object() for _ in range(100)})) == OddSet("set", (thing,) * 100)


@pytest.mark.parametrize("data", [b"S\x02r\x01A\x00r\x01A\x00", b"S\x01l\x00", b"e\x01A\x01B", b"r\x01A\x00"])
def test_a_reader_of_plain_data_takes_no_records(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        decode_plain(data)


@pytest.mark.parametrize(
    "data", [b"e", b"e\x01", b"e\x01A", b"e\x01A\x05B", b"e\x01\xff\x01A", b"r\x01A\x01\x01b"]
)
def test_a_cut_record_or_member_is_malformed(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        decode(data)


@pytest.mark.parametrize("limit", [0, 1, 100])
def test_the_encoder_stops_at_a_huge_text_before_it_copies_it(limit: int) -> None:
    encoder = Encoder(limit, 10, lambda value: ("o", "", ""))
    with pytest.raises(codec.TooLarge, match=f"more than {limit} bytes"):
        encoder.encode("x" * 1000)

"""Values as bytes: the one format in which data crosses the sandbox, in both directions.

It knows plain values of exact types, and stand-ins for what is not plain (record, enum member,
opaque, cycle, value of the standard library); it never runs code that a value brings along, and it is
neither pickle nor marshal.
Here is what its two halves have in common: `grader.wire.encoder` writes it, `grader.wire.decoder`
reads it.  Both sides load them, so they use nothing but the interpreter.

A value is a tag byte and what the tag calls for.  `n` is an unsigned LEB128 number.

    0x80..0xFF      the ints 0..127
    N T F           None, True, False
    i n bytes       int, little-endian two's complement in n bytes
    d 8 bytes       float        c 16 bytes   complex, as two little-endian doubles
    s n bytes       str, UTF-8 with lone surrogates kept        b n bytes   bytes
    l t S Z n ...   list, tuple, set, frozenset: n values
    m n ...         dict: n keys, each followed by its value
    r name n ...    record: its class's name and n pairs of field name and value
    e name name     enum member: its class's name and its own
    o name text     opaque: the type's name and a text
    y n             cycle: the container n levels up
    x name n ...    value of the standard library: its type's name and n values that it is made from
"""

from struct import Struct

DOUBLE = Struct("<d")
PAIR = Struct("<dd")

MAX_DEPTH = 100
"""Containers within containers; deeper values are refused by both sides."""

MOST_TAKEN = 100_000
"""The most items that a formula takes of an iterator, as many as a value of a spec can have."""
GOES_ON = f"an iterator goes on after {MOST_TAKEN:,} items"


class TooLarge(Exception):
    """A value exceeds the limit on bytes, items or depth; the text says which."""


class Malformed(Exception):
    """Bytes that are no encoded value; the text says where and why."""

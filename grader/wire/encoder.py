"""Values to bytes, in the format of `grader.wire.codec`.

The values may be a student's: what they are is told by the identity of their types, and nothing
that they or their classes define is called.  The caller decides how an object that is not plain data is
represented.
"""

from collections.abc import Callable, Container
from typing import Any

from grader.wire.codec import DOUBLE, MAX_DEPTH, PAIR, TooLarge


def _number(out: bytearray, number: int) -> None:
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _sized(out: bytearray, tag: int, content: bytes) -> None:
    out.append(tag)
    _number(out, len(content))
    out += content


# `type.__mro__` by its own getter: a metaclass could answer `t.__mro__` as it likes.
mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__


def _plain_base(kind: type) -> type | None:
    """Return the plain type that `kind` derives from, or None.  Compares by identity alone."""
    for base in mro(kind):
        for plain in _PLAIN_TYPES:
            if base is plain:
                return plain
    return None


# How the value of a subclass is taken without calling anything that the subclass defines.
_ATOMS: dict[type, Callable[[object], object]] = {
    int: lambda value: int.__add__(value, 0),  # type: ignore[operator]
    float: lambda value: float.__float__(value),  # type: ignore[arg-type]
    complex: lambda value: complex.__complex__(value),  # type: ignore[arg-type]
    str: lambda value: str.__str__(value),
    bytes: lambda value: bytes.__getitem__(value, slice(None)),  # type: ignore[call-overload]
}
_CONTAINERS: dict[type, tuple[int, Callable[[object], "list[object] | tuple[object, ...]"]]] = {
    list: (0x6C, lambda value: list.__getitem__(value, slice(None))),  # type: ignore[call-overload]
    tuple: (0x74, lambda value: tuple.__getitem__(value, slice(None))),  # type: ignore[call-overload]
    set: (0x53, lambda value: [*set.__iter__(value)]),  # type: ignore[arg-type]
    frozenset: (0x5A, lambda value: [*frozenset.__iter__(value)]),  # type: ignore[arg-type]
}
_PLAIN_TYPES = (*_ATOMS, *_CONTAINERS, dict)


class Encoder:
    """Turns values into bytes under limits.

    max_bytes: size of the encoding; max_items: values in it, containers included.
    describe: for a value that is not plain, return ("r", name, [(field, value), ...]),
        ("e", class, member), ("o", type name, text), ("v", "", plain value) or, for a value of
        `grader.wire.library_values`, ("x", name, parts).
    described: ids of classes whose instances are described whatever they derive from.
    Subclasses of plain types are reduced to their base's value by the base's own methods.
    """

    __slots__ = ("_describe", "_described", "_items_left", "_max_bytes", "_open", "_out")

    def __init__(
        self,
        max_bytes: int,
        max_items: int,
        describe: Callable[[object], tuple[str, str, object]],
        described: Container[int] = (),
    ) -> None:
        self._max_bytes = max_bytes
        self._items_left = max_items
        self._describe = describe
        self._described = described
        self._open: list[object] = []
        self._out = bytearray()

    def encode(self, value: object) -> bytes:
        """Return `value` as bytes.  Raises `TooLarge`."""
        self._put(value)
        if len(self._out) > self._max_bytes:
            raise TooLarge(f"more than {self._max_bytes} bytes")
        return bytes(self._out)

    def _put(self, value: Any) -> None:
        self._items_left -= 1
        if self._items_left < 0:
            raise TooLarge("too many items")
        kind = type(value)
        if kind is int and 0 <= value < 128:
            self._out.append(value | 0x80)
        elif kind is tuple:
            self._put_items(0x74, value, value)
        elif kind is list:
            self._put_items(0x6C, value, value[:])
        elif kind is str:
            self._put_text(value)
        elif value is None:
            self._out.append(0x4E)
        elif value is True:
            self._out.append(0x54)
        elif value is False:
            self._out.append(0x46)
        else:
            self._put_rarer(value, kind)

    def _put_rarer(self, value: Any, kind: type) -> None:
        out = self._out
        if kind is int:
            self._put_int(value)
        elif kind is float:
            out.append(0x64)
            out += DOUBLE.pack(value)
        elif kind is dict:
            self._put_dict(value, [*value.items()])
        elif kind is set:
            self._put_items(0x53, value, [*value])
        elif kind is frozenset:
            self._put_items(0x5A, value, [*value])
        elif kind is bytes:
            self._check_room(len(value))
            _sized(out, 0x62, value)
        elif kind is complex:
            out.append(0x63)
            out += PAIR.pack(value.real, value.imag)
        else:
            self._put_other(value, kind)

    def _put_int(self, value: int) -> None:
        length = (value.bit_length() + 8) // 8
        self._check_room(length)
        _sized(self._out, 0x69, value.to_bytes(length, "little", signed=True))

    def _put_text(self, value: str) -> None:
        out = self._out
        if len(out) + len(value) > self._max_bytes:
            raise TooLarge(f"more than {self._max_bytes} bytes")
        content = value.encode("utf-8", "surrogatepass")
        out.append(0x73)
        if len(content) < 128:
            out.append(len(content))
        else:
            _number(out, len(content))
        out += content

    def _check_room(self, length: int) -> None:
        if len(self._out) + length > self._max_bytes:
            raise TooLarge(f"more than {self._max_bytes} bytes")

    def _enter(self, container: object) -> bool:
        """Note that `container` is being encoded; False (and a cycle written) if it already is."""
        level = 0
        for outer in self._open:
            if outer is container:
                self._out.append(0x79)
                _number(self._out, len(self._open) - level)
                return False
            level += 1
        if level >= MAX_DEPTH:
            raise TooLarge(f"more than {MAX_DEPTH} levels deep")
        self._open.append(container)
        return True

    def _put_items(self, tag: int, container: object, items: "list[object] | tuple[object, ...]") -> None:
        if not self._enter(container):
            return
        out, count = self._out, len(items)
        if len(out) + count > self._max_bytes:
            raise TooLarge(f"more than {self._max_bytes} bytes")
        out.append(tag)
        if count < 128:
            out.append(count)
        else:
            _number(out, count)
        for item in items:
            self._put(item)
        self._open.pop()

    def _put_dict(self, value: object, items: list[tuple[object, object]]) -> None:
        if not self._enter(value):
            return
        self._check_room(len(items))
        self._out.append(0x6D)
        _number(self._out, len(items))
        for key, item in items:
            self._put(key)
            self._put(item)
        self._open.pop()

    def _put_other(self, value: object, kind: type) -> None:
        base = None if id(kind) in self._described else _plain_base(kind)
        if base is None:
            self._put_described(value)
        elif base in _ATOMS:
            self._items_left += 1
            self._put(_ATOMS[base](value))
        elif base is dict:
            self._put_dict(value, [*dict.items(value)])  # type: ignore[arg-type]
        else:
            # Entered as itself, not as the copy of its items: else a cycle would not be seen.
            tag, items = _CONTAINERS[base]
            self._put_items(tag, value, items(value))

    def _put_described(self, value: object) -> None:
        shape, name, content = self._describe(value)
        if shape == "v":
            self._items_left += 1
            self._put(content)
            return
        if shape == "x":
            self._put_library(value, name, content)  # type: ignore[arg-type]
            return
        if shape != "r":
            self._out.append(0x65 if shape == "e" else 0x6F)
            self._put_name(name)
            self._put_name(content if type(content) is str else "")
            return
        if not self._enter(value):
            return
        pairs: list[tuple[str, object]] = content  # type: ignore[assignment]
        self._out.append(0x72)
        self._put_name(name)
        _number(self._out, len(pairs))
        for field, item in pairs:
            self._put_name(field)
            self._put(item)
        self._open.pop()

    def _put_library(self, value: object, name: str, parts: "tuple[object, ...]") -> None:
        if not self._enter(value):
            return
        self._out.append(0x78)
        self._put_name(name)
        _number(self._out, len(parts))
        for part in parts:
            self._put(part)
        self._open.pop()

    def _put_name(self, name: str) -> None:
        encoded = name.encode("utf-8", "surrogatepass")
        self._check_room(len(encoded))
        _number(self._out, len(encoded))
        self._out += encoded


def _refuse(value: object) -> tuple[str, str, object]:
    raise TypeError(f"{type(value).__name__} is not plain data")


def encode_plain(value: object) -> bytes:
    """Encode trusted plain data, such as a request.  Raises `TypeError` for anything else."""
    return Encoder(1 << 30, 1 << 30, _refuse).encode(value)


def list_of(encoded: list[bytes]) -> bytes:
    """Return the encoding of a list whose items are encoded already."""
    if len(encoded) == 1:
        return b"l\x01" + encoded[0]
    out = bytearray(b"l")
    _number(out, len(encoded))
    return bytes(out) + b"".join(encoded)

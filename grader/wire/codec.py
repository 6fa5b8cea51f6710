"""Values as bytes: the one format in which data crosses the sandbox, in both directions.

Both sides load this module, so it uses nothing but the interpreter.  It knows plain
values of exact types, and stand-ins for what is not plain (record, enum member, opaque, cycle);
it never runs code that a value brings along, and it is neither pickle nor marshal.

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
"""

from collections.abc import Callable, Container
from struct import Struct
from time import thread_time

_DOUBLE = Struct("<d")
_PAIR = Struct("<dd")

MAX_DEPTH = 100
"""Containers within containers; deeper values are refused by both sides."""

_EQUAL_HASHES = 32
"""So many keys with one hash are an attack on dict and set, not data."""
_PATIENCE_S, _PATIENCE_FOR_ITEM_S = 2.0, 1e-5
"""CPU seconds, and more for each item, after which keys that get in each other's way are one, too."""


class TooLarge(Exception):
    """A value exceeds the limit on bytes, items or depth; the text says which."""


class Malformed(Exception):
    """Bytes that are no encoded value; the text says where and why."""


# -- encoding --------------------------------------------------------------------------------------


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
_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__


def _plain_base(kind: type) -> type | None:
    """Return the plain type that `kind` derives from, or None.  Compares by identity alone."""
    for base in _mro(kind):
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
        ("e", class, member), ("o", type name, text) or ("v", "", plain value).
    described: ids of classes whose instances are described whatever they derive from.
    Subclasses of plain types are reduced to their base's value by the base's own methods.
    """

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

    def _put(self, value: object) -> None:
        out = self._out
        self._items_left -= 1
        if self._items_left < 0:
            raise TooLarge("too many items")
        kind = type(value)
        if kind is int:
            self._put_int(value)  # type: ignore[arg-type]
        elif kind is tuple:
            self._put_items(0x74, value, value)  # type: ignore[arg-type]
        elif kind is list:
            self._put_items(0x6C, value, value[:])  # type: ignore[index]
        elif kind is str:
            self._put_text(0x73, value)  # type: ignore[arg-type]
        elif value is None:
            out.append(0x4E)
        elif value is True:
            out.append(0x54)
        elif value is False:
            out.append(0x46)
        elif kind is float:
            out.append(0x64)
            out += _DOUBLE.pack(value)
        elif kind is dict:
            self._put_dict(value, [*value.items()])  # type: ignore[attr-defined]
        elif kind is set:
            self._put_items(0x53, value, [*value])  # type: ignore[misc]
        elif kind is frozenset:
            self._put_items(0x5A, value, [*value])  # type: ignore[misc]
        elif kind is bytes:
            self._check_room(len(value))  # type: ignore[arg-type]
            _sized(out, 0x62, value)  # type: ignore[arg-type]
        elif kind is complex:
            out.append(0x63)
            out += _PAIR.pack(value.real, value.imag)  # type: ignore[attr-defined]
        else:
            self._put_other(value, kind)

    def _put_int(self, value: int) -> None:
        if 0 <= value < 128:
            self._out.append(value | 0x80)
            return
        length = (value.bit_length() + 8) // 8
        self._check_room(length)
        _sized(self._out, 0x69, value.to_bytes(length, "little", signed=True))

    def _put_text(self, tag: int, value: str) -> None:
        self._check_room(len(value))
        _sized(self._out, tag, value.encode("utf-8", "surrogatepass"))

    def _check_room(self, length: int) -> None:
        if len(self._out) + length > self._max_bytes:
            raise TooLarge(f"more than {self._max_bytes} bytes")

    def _enter(self, container: object) -> bool:
        """Note that `container` is being encoded; False (and a cycle written) if it already is."""
        for levels, outer in enumerate(reversed(self._open), 1):
            if outer is container:
                self._out.append(0x79)
                _number(self._out, levels)
                return False
        if len(self._open) >= MAX_DEPTH:
            raise TooLarge(f"more than {MAX_DEPTH} levels deep")
        self._open.append(container)
        return True

    def _put_items(self, tag: int, container: object, items: "list[object] | tuple[object, ...]") -> None:
        if not self._enter(container):
            return
        self._check_room(len(items))
        self._out.append(tag)
        _number(self._out, len(items))
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
    out = bytearray(b"l")
    _number(out, len(encoded))
    return bytes(out) + b"".join(encoded)


# -- decoding --------------------------------------------------------------------------------------

_SEQUENCES: dict[int, Callable[[list[object]], object]] = {0x6C: lambda items: items, 0x74: tuple}


class Decoder:
    """Rebuilds a value from bytes that anybody may have written.

    Checks every length against what is there, counts items, bounds the depth, refuses duplicates
    among plain keys, and keys chosen to collide.  The factories make what stands for a record,
    an opaque value, a cycle, an enum member, and a set that is none here (its type's name and its
    items), as objects that a student's class tells apart may look alike, or have no hash.
    """

    def __init__(
        self,
        max_items: int,
        record: Callable[[str, tuple[tuple[str, object], ...]], object],
        opaque: Callable[[str, str], object],
        cycle: Callable[[int], object],
        member: Callable[[str, str], object] | None = None,
        odd_set: Callable[[str, tuple[object, ...]], object] | None = None,
    ) -> None:
        self._max_items = max_items
        self._record = record
        self._opaque = opaque
        self._cycle = cycle
        self._member = member or _no_stand_in
        self._odd_set = odd_set or _no_stand_in
        self._data = b""
        self._at = 0
        self._items_left = 0
        self._keys = 0
        self._started_s = 0.0

    def decode(self, data: bytes) -> object:
        """Return the one value that `data` holds.  Raises `Malformed` or `TooLarge`."""
        self._data, self._at, self._items_left = data, 0, self._max_items
        self._keys, self._started_s = 0, thread_time()
        value = self._get(MAX_DEPTH)
        if self._at != len(data):
            raise Malformed(f"{len(data) - self._at} bytes after the value")
        return value

    def _get(self, depth: int) -> object:
        self._items_left -= 1
        if self._items_left < 0:
            raise TooLarge("too many items")
        if self._at >= len(self._data):
            raise Malformed("cut short")
        tag = self._data[self._at]
        self._at += 1
        if tag >= 0x80:
            return tag & 0x7F
        if tag in _SEQUENCES:
            return _SEQUENCES[tag](self._items(depth))
        match tag:
            case 0x73:
                return self._text()
            case 0x69:
                return int.from_bytes(self._take(self._number()), "little", signed=True)
            case 0x4E:
                return None
            case 0x54:
                return True
            case 0x46:
                return False
            case 0x64:
                value: float = _DOUBLE.unpack(self._take(8))[0]
                return value
            case 0x6D:
                return self._dict(depth)
            case 0x53:
                return self._members(depth, set)
            case 0x5A:
                return self._members(depth, frozenset)
            case 0x62:
                return self._take(self._number())
            case 0x63:
                return complex(*_PAIR.unpack(self._take(16)))
        return self._stand_in(tag, depth)

    def _stand_in(self, tag: int, depth: int) -> object:
        if tag == 0x72:
            if depth <= 0:
                raise TooLarge(f"more than {MAX_DEPTH} levels deep")
            name = self._text()
            return self._record(
                name, tuple((self._text(), self._get(depth - 1)) for _ in range(self._count()))
            )
        if tag == 0x6F:
            return self._opaque(self._text(), self._text())
        if tag == 0x65:
            return self._member(self._text(), self._text())
        if tag == 0x79:
            levels = self._number()
            if not 1 <= levels <= MAX_DEPTH - depth:
                raise Malformed("a cycle through a container that is not there")
            return self._cycle(levels)
        raise Malformed(f"unknown tag {tag:#04x}")

    def _take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._data):
            raise Malformed("cut short")
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def _number(self) -> int:
        number = shift = 0
        while True:
            if self._at >= len(self._data) or shift > 35:
                raise Malformed("bad length")
            byte = self._data[self._at]
            self._at += 1
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7

    def _count(self) -> int:
        """A number of values: each takes a byte or more, so what is left bounds it."""
        count = self._number()
        if count > len(self._data) - self._at:
            raise Malformed("cut short")
        return count

    def _text(self) -> str:
        try:
            return self._take(self._number()).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise Malformed(f"not UTF-8: {error.reason}") from None

    def _items(self, depth: int) -> list[object]:
        if depth <= 0:
            raise TooLarge(f"more than {MAX_DEPTH} levels deep")
        get, below = self._get, depth - 1
        return [get(below) for _ in range(self._count())]

    def _members(self, depth: int, kind: type[set[object]] | type[frozenset[object]]) -> object:
        items = self._items(depth)
        seen = _Keys()
        for item in items:
            self._note_key()
            seen.add(item)
        if seen.odd:
            return self._odd_set(kind.__name__, tuple(items))
        return seen.keys if kind is set else frozenset(seen.keys)

    def _note_key(self) -> None:
        """Keys need not have equal hashes to walk into each other: notice by the time that it takes."""
        self._keys += 1
        if self._keys % 256 == 0:
            used_s = thread_time() - self._started_s
            items = self._max_items - self._items_left
            if used_s > _PATIENCE_S + items * _PATIENCE_FOR_ITEM_S:
                raise TooLarge("keys that take too long to tell apart")

    def _dict(self, depth: int) -> object:
        if depth <= 0:
            raise TooLarge(f"more than {MAX_DEPTH} levels deep")
        seen = _Keys()
        result: dict[object, object] = {}
        for _ in range(self._count()):
            key = self._get(depth - 1)
            self._note_key()
            seen.add(key)
            value = self._get(depth - 1)
            if not seen.odd:
                result[key] = value
        return self._opaque("dict", "some of its keys are equal or have no hash") if seen.odd else result


_PLAIN_KEYS = (type(None), bool, int, float, complex, str, bytes)


class _Keys:
    """Takes the keys of one dict or set and refuses those that honest data never has.

    odd: two of them are equal, or one has no hash, so that they are no keys here.
    """

    def __init__(self) -> None:
        self._hashes: dict[int, int] = {}
        self.keys: set[object] = set()
        self.odd = False

    def add(self, key: object) -> None:
        try:
            digest = hash(key)
        except TypeError:
            self.odd = True
            return
        if key in self.keys:
            # Two different objects of a student's can look alike here; two plain keys cannot.
            if type(key) in _PLAIN_KEYS:
                raise Malformed("the same key twice")
            self.odd = True
            return
        count = self._hashes.get(digest, 0) + 1
        if count > _EQUAL_HASHES:
            raise Malformed("keys made to collide")
        self._hashes[digest] = count
        self.keys.add(key)


def _no_stand_in(*_: object) -> object:
    raise Malformed("a stand-in where plain data is due")


def decode_plain(data: bytes) -> object:
    """Decode data from a trusted process: plain values only.  Raises `Malformed`."""
    return Decoder(1 << 30, _no_stand_in, _no_stand_in, _no_stand_in).decode(data)

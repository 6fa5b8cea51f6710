"""Bytes to values, from the format of `grader.wire.codec`.

The bytes may be a student's: anything may be wrong with them, and nothing in them is believed
before it is checked.  The caller builds the stand-in for an object that is not plain data.
"""

from collections.abc import Callable
from time import thread_time

from grader.wire.codec import DOUBLE, MAX_DEPTH, PAIR, Malformed, TooLarge

_EQUAL_HASHES = 32
"""So many keys with one hash are an attack on dict and set, not data."""
_PATIENCE_S, _PATIENCE_FOR_ITEM_S = 2.0, 1e-5
"""CPU seconds, and more for each item, after which keys that get in each other's way are one, too."""

_SEQUENCES: dict[int, Callable[[list[object]], object]] = {0x6C: lambda items: items, 0x74: tuple}


class Decoder:
    """Rebuilds a value from bytes that anybody may have written.

    Checks every length against what is there, counts items, bounds the depth, refuses duplicates
    among plain keys, and keys chosen to collide.

    record, opaque, cycle, member: build the stand-ins.
    odd_set: builds one for a set that Python cannot rebuild here, because two items compare equal or one has
        no hash.
    library: builds a value of the standard library, from a name and parts that may be anything; it raises
        `ValueError` where they do not fit.
    """

    def __init__(
        self,
        max_items: int,
        record: Callable[[str, tuple[tuple[str, object], ...]], object],
        opaque: Callable[[str, str], object],
        cycle: Callable[[int], object],
        member: Callable[[str, str], object] | None = None,
        odd_set: Callable[[str, tuple[object, ...]], object] | None = None,
        library: Callable[[str, list[object]], object] | None = None,
    ) -> None:
        self._max_items = max_items
        self._record = record
        self._opaque = opaque
        self._cycle = cycle
        self._member = member or _no_stand_in
        self._odd_set = odd_set or _no_stand_in
        self._library = library or _no_stand_in
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
                value: float = DOUBLE.unpack(self._take(8))[0]
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
                return complex(*PAIR.unpack(self._take(16)))
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
        if tag == 0x78:
            name, items = self._text(), self._items(depth)
            try:
                return self._library(name, items)
            except ValueError as error:
                raise Malformed(str(error)) from None
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
    raise Malformed("a stand-in where plain data is expected")


def decode_plain(data: bytes) -> object:
    """Decode data from a trusted process: plain values only.  Raises `Malformed`."""
    return Decoder(1 << 30, _no_stand_in, _no_stand_in, _no_stand_in).decode(data)

"""Converts frozen dataclasses to plain JSON data and back, driven by their declared types.

A dataclass is an object with a key for each field; a tuple is a list, an enum and a path their text, a
fraction an exact decimal or `n/d`, a point in time ISO 8601, bytes are base64.  A `Shape` states how the
object of a class differs from its fields.
Reading is strict: plain data that does not fit the declared types raises `Misfit`, and nothing is converted.
The functions for a type are built once, since a large cohort has a million cases.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from grader.marking.rounding import format_mark, parse_mark

Convert: TypeAlias = Callable[[Any], Any]
_T = TypeVar("_T")

_MARK = re.compile(r"-?[0-9]{1,2000}(?:\.[0-9]{1,2000}|/[0-9]{0,1000}[1-9][0-9]{0,1000})?", re.ASCII)
_KNOWN = 4096
_BEYOND = 10**300
"""Numbers of this size and above are refused: the float that shows them could not hold them."""


class Misfit(ValueError):
    """Plain data does not fit the declared type; the text says how."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The differences between the JSON object of a class and the fields of the class.

    name: the class in messages and in the JSON Schema, such as "case".
    order: attributes in the order of their keys, properties among them; empty: the fields in order.
    renamed: keys that differ from the name of their field, by field.
    optional: fields that are left out if they have their default.
    goes_with: optional fields that are written if another field does not have its default, by field.
    never: fields that are not written; they have their default when read.
    write, read: functions that convert a field's value; without one, the declared type decides.
    """

    name: str
    order: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    goes_with: Mapping[str, str] = field(default_factory=dict)
    never: frozenset[str] = frozenset()
    write: Mapping[str, Convert] = field(default_factory=dict)
    read: Mapping[str, Convert] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of an object.

    attribute: the attribute of the class with the key's value.  declared: the attribute's type.
    is_field: False for a property, which is written and not read.
    is_required: True if the key must be present when the object is read.
    """

    name: str
    attribute: str
    declared: Any
    is_field: bool
    is_required: bool


class Codec:
    """Writes and reads the values of all classes.

    shapes: shapes of the classes whose objects differ from their fields.
    is_exact: refuse undeclared keys and words of enums.  Else such a key is skipped and such a word stays a
        plain text, since a later version may have added them.
    """

    def __init__(self, shapes: Mapping[Any, Shape], *, is_exact: bool = False) -> None:
        self._shapes = shapes
        self._is_exact = is_exact
        self._writers: dict[Any, Convert | None] = {}
        self._readers: dict[Any, Convert] = {}

    def write(self, value: Any) -> Any:
        """Return an instance of a dataclass as plain data."""
        convert = self._writer(type(value))
        assert convert is not None
        return convert(value)

    def read(self, wanted: type[_T], plain: Any) -> _T:
        """Return the instance of the wanted class from its plain data.  Raises `Misfit`."""
        found: _T = self._reader(wanted)(plain)
        return found

    def shape(self, kind: Any) -> Shape:
        return self._shapes.get(kind) or Shape(kind.__name__)

    def keys(self, kind: Any) -> Iterator[Key]:
        shape, hints = self.shape(kind), get_type_hints(kind)
        own = [one.name for one in fields(kind)]
        for name in shape.order or own:
            if name in shape.never:
                continue
            # The declared type of a property is its return type.
            declared = hints[name] if name in own else get_type_hints(getattr(kind, name).fget)["return"]
            yield Key(shape.renamed.get(name, name), name, declared, name in own, name not in shape.optional)

    def faults(self, kind: Any, plain: Any, named: Callable[[str], str]) -> Iterator[str]:
        """Yield the faults of plain data that should be of a class: missing keys and lists, outermost first.

        named: returns words for an object of a class, given the name of its shape.
        """
        name = named(self.shape(kind).name)
        if not isinstance(plain, dict):
            yield f"{name} is not an object"
            return
        keys = list(self.keys(kind))
        missing = sorted(key.name for key in keys if key.is_required and key.name not in plain)
        if missing:
            yield f"{name} lacks {', '.join(missing)}"
        for key in keys:
            inner = _class_in(key.declared)
            if inner is None or key.name not in plain or key.attribute in self.shape(kind).read:
                continue
            value = plain[key.name]
            if not _is_repeated(key.declared):
                if isinstance(value, dict) or NoneType not in get_args(key.declared):
                    yield from self.faults(inner, value, named)
            elif isinstance(value, list):
                for item in value:
                    yield from self.faults(inner, item, named)
            else:
                yield f"{name} has something else than a list as {key.name}"

    # -- writing ---------------------------------------------------------------------------------------

    def _writer(self, declared: Any) -> Convert | None:
        """Return the function that converts a value to plain data, None if it is plain data already."""
        if declared not in self._writers:
            self._writers[declared] = self._new_writer(declared)
        return self._writers[declared]

    def _new_writer(self, declared: Any) -> Convert | None:
        if is_dataclass(declared):
            return self._object_writer(declared)
        if declared in _WRITERS:
            return _WRITERS[declared]
        if get_origin(declared) in (Union, UnionType):
            return self._union_writer(get_args(declared))
        if get_origin(declared) in (dict, Mapping):
            each = self._writer(get_args(declared)[1])
            return each and (lambda value: {key: each(one) for key, one in value.items()})
        if _is_repeated(declared):
            item = self._writer(get_args(declared)[0])
            return item and (lambda value: [item(each) for each in value])
        return None  # texts, numbers, enums of texts; tuples and dictionaries of these

    def _union_writer(self, members: tuple[Any, ...]) -> Convert | None:
        others = [member for member in members if member is not NoneType]
        if len(others) == 1:
            one = self._writer(others[0])
            return one and (lambda value: None if value is None else one(value))
        return lambda value: {type(value).__name__: self.write(value)}

    def _object_writer(self, kind: Any) -> Convert:
        shape = self.shape(kind)
        keys = list(self.keys(kind))
        writers = {key.name: shape.write.get(key.attribute) or self._writer(key.declared) for key in keys}
        required = [key for key in keys if key.is_required]
        names = [key.name for key in required]
        values_of = _values_of([key.attribute for key in required])
        converted = [(name, writer) for name in names if (writer := writers[name])]
        defaults = {one.name: _default(one) for one in fields(kind)}
        optional = [key for key in keys if not key.is_required]
        # A field that goes with another one is left out if that one has its default.
        deciding = [shape.goes_with.get(key.attribute, key.attribute) for key in optional]
        deciding_of, optional_of = _values_of(deciding), _values_of([key.attribute for key in optional])
        absent = tuple(defaults[name] for name in deciding)
        optional_names = [key.name for key in optional]

        def write(value: Any) -> dict[str, Any]:
            plain = dict(zip(names, values_of(value), strict=True))
            for name, writer in converted:
                plain[name] = writer(plain[name])
            if optional and (found := deciding_of(value)) != absent:
                rows = zip(optional_names, found, absent, optional_of(value), strict=True)
                for name, decides, default, each in rows:
                    if decides != default:
                        convert = writers[name]
                        plain[name] = convert(each) if convert else each
            return plain

        return write

    # -- reading ---------------------------------------------------------------------------------------

    def _reader(self, declared: Any) -> Convert:
        if declared not in self._readers:
            self._readers[declared] = self._new_reader(declared)
        return self._readers[declared]

    def _new_reader(self, declared: Any) -> Convert:
        if is_dataclass(declared):
            return self._object_reader(declared)
        if get_origin(declared) in (Union, UnionType):
            return self._union_reader(get_args(declared))
        if get_origin(declared) in (dict, Mapping):
            each = self._reader(get_args(declared)[1])
            return lambda plain: {key: each(value) for key, value in _exactly(dict, plain).items()}
        if _is_repeated(declared):
            each = self._reader(get_args(declared)[0])
            return lambda plain: tuple(map(each, _exactly(list, plain)))
        if get_origin(declared) is tuple:
            return self._tuple_reader(get_args(declared))
        if isinstance(declared, type) and issubclass(declared, StrEnum):
            return self._word_reader(declared)
        return _READERS.get(declared) or (lambda plain: _exactly(declared, plain))

    def _union_reader(self, members: tuple[Any, ...]) -> Convert:
        others = [member for member in members if member is not NoneType]
        if len(others) == 1:
            one = self._reader(others[0])
            return lambda plain: None if plain is None else one(plain)
        readers = {member.__name__: self._reader(member) for member in others}

        def read(plain: Any) -> Any:
            for name, value in _exactly(dict, plain).items():
                if name in readers and len(plain) == 1:
                    return readers[name](value)
            raise Misfit("a value has none of the types that it could have")

        return read

    def _tuple_reader(self, items: tuple[Any, ...]) -> Convert:
        readers = [self._reader(item) for item in items]

        def read(plain: Any) -> Any:
            if len(_exactly(list, plain)) != len(readers):
                raise Misfit("a list has another length than it should have")
            return tuple(each(item) for each, item in zip(readers, plain, strict=True))

        return read

    def _word_reader(self, enum: type[StrEnum]) -> Convert:
        words = _Words(enum, self._is_exact)
        return lambda plain: words[_exactly(str, plain)]

    def _object_reader(self, kind: Any) -> Convert:
        shape, keys = self.shape(kind), list(self.keys(kind))
        required = {key.name for key in keys if key.is_required}
        readers = [
            (
                key.name,
                key.attribute,
                key.is_field,
                shape.read.get(key.attribute) or self._reader(key.declared),
            )
            for key in keys
        ]

        def read(plain: Any) -> Any:
            if type(plain) is not dict or (self._is_exact and len(plain) != len(keys)):
                raise Misfit(f"this is not a {shape.name}")
            values = {}
            for name, attribute, is_field, convert in readers:
                if name in plain:
                    value = convert(plain[name])
                    if is_field:
                        values[attribute] = value
                elif name in required:
                    raise Misfit(f"a {shape.name} lacks '{name}'")
            return kind(**values)

        return read


class _Words(dict[str, Any]):
    """The members of an enum by their texts; any other text is kept as it is, or refused."""

    def __init__(self, enum: type[StrEnum], is_exact: bool) -> None:
        super().__init__({word.value: word for word in enum})
        self._refused = f"something stands where a word for {enum.__name__} should" if is_exact else ""

    def __missing__(self, text: str) -> str:
        if self._refused:
            raise Misfit(self._refused)
        return text


def _is_repeated(declared: Any) -> bool:
    """Tell whether a type is a tuple of any length, or an iterable."""
    return get_origin(declared) is Iterable or get_args(declared)[1:] == (Ellipsis,)


def _class_in(declared: Any) -> Any:
    """Return the dataclass that a type is, may be, or repeats; None if there is none."""
    found = (member for member in (declared, *get_args(declared)) if is_dataclass(member))
    return next(found, None)


def _values_of(attributes: list[str]) -> Convert:
    if len(attributes) < 2:
        return lambda value: tuple(getattr(value, name) for name in attributes)
    return attrgetter(*attributes)


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


def _exactly(wanted: Any, plain: Any) -> Any:
    if type(plain) is not wanted:
        raise Misfit(f"a {type(plain).__name__} stands where a {wanted.__name__} should")
    return plain


def _integer(plain: Any) -> int:
    if type(plain) is not int or not -_BEYOND < plain < _BEYOND:
        raise Misfit("something stands where a whole number should")
    return plain


def _number(plain: Any) -> float:
    # NaN is not less than any number either.
    if type(plain) is float or type(plain) is int:
        number: float = plain
        if -_BEYOND < number < _BEYOND:
            return number
    raise Misfit("something stands where a finite number should")


def _mark_text(mark: Fraction) -> str:
    return str(mark.numerator) if mark.denominator == 1 else format_mark(mark)


def _fraction(plain: Any) -> Fraction:
    if type(plain) is not str:
        raise Misfit("something stands where an exact number should")
    return _mark(plain)


@lru_cache(_KNOWN)
def _mark(text: str) -> Fraction:
    if not _MARK.fullmatch(text) or abs(mark := parse_mark(text)) >= _BEYOND:
        raise Misfit("a text is not an exact number")
    return mark


def _bytes(plain: Any) -> bytes:
    try:
        return b64decode(_exactly(str, plain), validate=True)
    except ValueError as error:
        raise Misfit("something stands where bytes should") from error


def _moment(plain: Any) -> datetime:
    try:
        return datetime.fromisoformat(_exactly(str, plain))
    except ValueError as error:
        raise Misfit("something stands where a point in time should") from error


_WRITERS: Mapping[Any, Convert] = {
    Fraction: _mark_text,
    bytes: lambda value: b64encode(value).decode("ascii"),
    datetime: datetime.isoformat,
    Path: str,
}
_READERS: Mapping[Any, Convert] = {
    int: _integer,
    float: _number,
    Fraction: _fraction,
    bytes: _bytes,
    datetime: _moment,
    Path: lambda plain: Path(_exactly(str, plain)),
}

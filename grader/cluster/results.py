"""Results as plain data, for the way back from a worker of a cluster.

A worker is trusted to mark, but it may be broken: what it sends is rebuilt by the declared types of
`SubmissionResult` and its parts, field by field, and anything that does not fit them is refused
whole.  Nothing of it is unpickled, while what Dask sends around it is (docs/cluster.md).  Both ends run
the same code, so the form needs no versions of its own.
"""

import json
import math
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from grader.engine.worker import MarkedSubmission
from grader.model.drawing import Picture
from grader.model.results import (
    Given,
    RuleFinding,
    RuleResult,
    StepResult,
    SubmissionResult,
    Timing,
    TurnResult,
)

_MAX_DIGITS = 1000
"""Of a whole number; without a bound, reading one could take for ever."""
_Decode: TypeAlias = Callable[[Any], Any]

_NAMED_ONLY = {
    kind.__name__: kind for kind in (Given, Picture, RuleFinding, RuleResult, StepResult, Timing, TurnResult)
}
"""The classes that `grader.model.results` names and does not import."""


class Malformed(Exception):
    """These bytes are no result."""


def encode_marked(marked: MarkedSubmission) -> bytes:
    """Return what became of a submission as bytes; `decode_marked` gives an equal one back."""
    # Halves of surrogate pairs, which students' texts can hold, would be joined by JSON's own escapes.
    text = json.dumps(_plain(marked.result), ensure_ascii=False)
    # JSON holds no line ends but as escapes.
    return text.encode("utf-8", "surrogatepass") + b"\n" + marked.evidence


def decode_marked(data: bytes) -> MarkedSubmission:
    """Return what bytes hold.  Raises `Malformed`."""
    text, _, evidence = data.partition(b"\n")
    try:
        plain = json.loads(text.decode("utf-8", "surrogatepass"))
        return MarkedSubmission(_decoder(SubmissionResult)(plain), evidence)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Malformed(str(error)) from error


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case tuple():
            return [_plain(item) for item in value]
        case bytes():
            return b64encode(value).decode("ascii")
        case _ if is_dataclass(value):
            return [type(value).__name__, *(_plain(getattr(value, field.name)) for field in fields(value))]
    return value


@cache
def _decoder(wanted: Any) -> _Decode:
    """Return what rebuilds a value of the wanted type, or raises `Malformed`."""
    if is_dataclass(wanted):
        return _dataclass_decoder(wanted)
    if get_origin(wanted) in (Union, UnionType):
        return _union_decoder(get_args(wanted))
    if get_origin(wanted) is tuple:
        return _tuple_decoder(get_args(wanted))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return lambda plain: wanted(_exactly(str, plain))
    return {Fraction: _fraction, bytes: _bytes, int: _int, float: _float}.get(
        wanted, lambda plain: _exactly(wanted, plain)
    )


def _dataclass_decoder(wanted: Any) -> _Decode:
    hints = get_type_hints(wanted, localns=_NAMED_ONLY)
    names = [field.name for field in fields(wanted)]
    decoders: list[_Decode] = []

    def decode(plain: Any) -> Any:
        if type(plain) is not list or len(plain) != len(names) + 1 or plain[0] != wanted.__name__:
            raise Malformed(f"this is no {wanted.__name__}")
        if not decoders:  # not before: a class may hold itself
            decoders.extend(_decoder(hints[name]) for name in names)
        values = zip(names, decoders, plain[1:], strict=True)
        return wanted(**{name: decode_field(value) for name, decode_field, value in values})

    return decode


def _union_decoder(members: tuple[Any, ...]) -> _Decode:
    """Values of a union tell their type by being None, or by the class's name that they begin with."""
    classes: list[Any] = [member for member in members if is_dataclass(member)]
    named = {member.__name__: _decoder(member) for member in classes}
    others = [_decoder(member) for member in members if not is_dataclass(member) and member is not NoneType]

    def decode(plain: Any) -> Any:
        if plain is None and NoneType in members:
            return None
        if type(plain) is list and plain and type(plain[0]) is str and plain[0] in named:
            return named[plain[0]](plain)
        if len(others) != 1:
            raise Malformed("a value has none of the types that it could have")
        return others[0](plain)

    return decode


def _tuple_decoder(items: tuple[Any, ...]) -> _Decode:
    decoders = [_decoder(item) for item in items if item is not Ellipsis]
    repeated = Ellipsis in items

    def decode(plain: Any) -> Any:
        _exactly(list, plain)
        if repeated:
            return tuple(map(decoders[0], plain))
        if len(plain) != len(decoders):
            raise Malformed("a list has another length than it should have")
        return tuple(decode_item(item) for decode_item, item in zip(decoders, plain, strict=True))

    return decode


def _exactly(wanted: Any, plain: Any) -> Any:
    if type(plain) is not wanted:
        raise Malformed(f"a {type(plain).__name__} stands where a {wanted.__name__} should")
    return plain


def _int(plain: Any) -> int:
    number: int = _exactly(int, plain)
    return number


def _float(plain: Any) -> float:
    # Where a type says float, whole numbers are given too, and are kept as they are.
    if type(plain) not in (int, float) or not math.isfinite(plain):
        raise Malformed("something stands where a finite number should")
    number: float = plain
    return number


def _fraction(plain: Any) -> Fraction:
    above, slash, below = _exactly(str, plain).partition("/")
    if not slash or len(plain) > _MAX_DIGITS or not below.isdecimal() or not int(below):
        raise Malformed("something stands where a fraction should")
    return Fraction(int(above), int(below))


def _bytes(plain: Any) -> bytes:
    try:
        return b64decode(_exactly(str, plain), validate=True)
    except NotBase64 as error:
        raise Malformed("something stands where bytes should") from error

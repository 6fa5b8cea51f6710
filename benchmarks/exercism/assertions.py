"""The assertions of unittest as the expectations of steps."""

import re
from typing import TYPE_CHECKING, Any

from benchmarks.exercism.expressions import MIRRORED
from benchmarks.exercism.things import (
    Applied,
    Assertion,
    Caught,
    Compared,
    Data,
    Every,
    Expecting,
    Kind,
    Library,
    Mixed,
    Remote,
    Thing,
    Unsaid,
)
from grader.values.python_text import literal

if TYPE_CHECKING:
    from benchmarks.exercism.reading import Reader

_EQUAL = [
    "assertEqual",
    "assertEquals",
    "assertMultiLineEqual",
    "assertSetEqual",
    "assertDictEqual",
    "assertListEqual",
    "assertTupleEqual",
    "assertSequenceEqual",
]
_WAYS = {
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assertLess": "<",
    "assertLessEqual": "<=",
    "assertNotEqual": "!=",
}


def call(reader: "Reader", name: str, args: list[Thing], kwargs: dict[str, Thing]) -> Thing:
    """Add what an assertion asks; return its context manager, if it is one."""
    kwargs.pop("msg", None)
    match name, args:
        case "subTest", _:
            return Assertion(name)
        case (("assertRaises" | "assertRaisesRegex"), [error, *rest]):
            return _raising(reader, name, error, rest)
        case _ if name in _EQUAL and len(args) >= 2:
            _equal(reader, args[0], args[1])
        case "assertIs", [left, right, *_]:
            _is(reader, left, right)
        case (("assertIsNone" | "assertIsNotNone"), [thing, *_]):
            keys = {"returns": None} if name == "assertIsNone" else {"check": "is_something()"}
            _expect(reader, thing, keys, lambda value: (value is None) is (name == "assertIsNone"))
        case (("assertTrue" | "assertFalse"), [thing, *_]):
            truth = name == "assertTrue"
            _expect(reader, thing, {"check": f"truthy(value={truth})"}, lambda value: bool(value) is truth)
        case "assertCountEqual", [left, right, *_]:
            _count_equal(reader, left, right)
        case "assertAlmostEqual", [left, right, *rest]:
            places = rest[0] if rest else kwargs.get("places", Data(7))
            _almost(reader, left, right, places, kwargs.get("delta"))
        case (("assertIn" | "assertNotIn"), [item, whole, *_]):
            _in(reader, item, whole, name == "assertIn")
        case _ if name in _WAYS and len(args) >= 2:
            _compare(reader, args[0], _WAYS[name], args[1])
        case "assertRegex", [thing, Data(value=pattern), *_]:
            pattern = getattr(pattern, "pattern", pattern)
            _expect(
                reader,
                thing,
                {"check": f"matches(pattern={pattern!r})"},
                lambda value: re.search(pattern, value),
            )
        case "assertIsInstance", [thing, Library(value=type() as kind), *_] if isinstance(thing, Remote):
            made = Remote(f"isinstance({reader.said(thing)}, {kind.__name__})", Kind.CALL)
            reader.ask(made, returns=True)
        case _:
            raise Unsaid(f"the assertion {name}")
    return Data(None)


def _raising(reader: "Reader", name: str, error: Thing, rest: list[Thing]) -> Expecting:
    match error:
        case Library(value=type() as kind):
            text = kind.__name__
        case Remote(text=text, kind=Kind.MODULE):
            pass
        case _:
            raise Unsaid("an exception that is neither built in nor the program's")
    if name == "assertRaises":
        if rest:
            raise Unsaid("assertRaises with a function")
        return Expecting(text)
    if len(rest) != 1 or not isinstance(rest[0], Data):
        raise Unsaid("assertRaisesRegex with a function")
    return Expecting(text, getattr(rest[0].value, "pattern", rest[0].value))


def _expect(reader: "Reader", thing: Thing, keys: dict[str, Any], holds: Any) -> None:
    """Expect something of an answer; of data, it must hold."""
    match thing:
        case Every(parts=parts) if keys == {"check": "truthy(value=True)"}:
            for part in parts:
                _expect(reader, part, keys, holds)
        case Compared(answer=answer, way=way, other=other) if keys == {"check": "truthy(value=True)"}:
            reader.ask(answer, check=f"compares(way={way!r}, other={literal(other)})")
        case Compared(text=text):
            _expect(reader, Remote(text, Kind.OPERATION), keys, holds)
        case Remote(kind=Kind.OPERATION) if keys == {"check": "truthy(value=True)"}:
            _ask_truth(reader, thing)
        case Remote():
            reader.ask(thing, **keys)
        case Data(value=value):
            if not holds(value):
                raise Unsaid("an assertion about the test's own data, which does not hold")
        case Mixed():
            made = Remote(reader.said(thing), Kind.CALL)
            reader.ask(made, **keys)
        case Applied() if keys.keys() == {"returns"}:
            _applied(reader, thing, "==", keys["returns"])
        case Applied() if keys.get("check") == "is_something()":
            _applied(reader, thing, "!=", None)
        case _:
            raise Unsaid("an assertion about what is no answer")


def _ask_truth(reader: "Reader", remote: Remote) -> None:
    """Expect an operation to be true as unittest understands it: any true value of the class's operator."""
    reader.ask(Remote(f"bool({remote.text})", Kind.CALL), returns=True)


def _text(reader: "Reader", value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if any(each is value for each in reader.given):
        # The test compares with what it gave, as it is after the call.
        reader.unchanged = True
    try:
        return literal(value)
    except Exception:
        raise Unsaid(f"a value of the type {type(value).__name__}") from None


def _equal(reader: "Reader", left: Thing, right: Thing) -> None:
    if isinstance(left, Data) and not isinstance(right, Data):
        left, right = right, left
    match left, right:
        case Caught(), _:
            _of_exception(left, right)
        case _, Caught():
            _of_exception(right, left)
        case Data(value=value), Data(value=other):
            if value != other:
                raise Unsaid("an assertion about the test's own data, which does not hold")
            reader.unchanged = True
        case Remote(), Data(value=value):
            reader.ask(left, returns=_text(reader, value), equality="python")
        case Applied(), Data(value=value):
            _applied(reader, left, "==", value)
        case Mixed(items=items, keys=()), Data(value=list() | tuple() as values) if len(items) == len(values):
            for item, value in zip(items, values, strict=True):
                _equal(reader, item, Data(value))
        case Mixed(items=items, keys=()), Mixed(items=others, keys=()) if len(items) == len(others):
            for item, other in zip(items, others, strict=True):
                _equal(reader, item, other)
        case Remote() | Mixed(), Remote() | Mixed():
            _ask_truth(reader, reader.operation("==", left, right))
        case Mixed(), Data():
            reader.ask(
                Remote(reader.said(left), Kind.CALL), returns=_text(reader, right.value), equality="python"
            )
        case _:
            raise Unsaid("an equality of what is no answer")


def _applied(reader: "Reader", applied: Applied, way: str, value: Any) -> None:
    """Expect something of what a function of the standard library makes of one answer."""
    places = [number for number, each in enumerate(applied.args) if isinstance(each, Remote)]
    others = [each.value for each in applied.args if isinstance(each, Data)]
    if len(places) != 1 or len(others) != len(applied.args) - 1:
        raise Unsaid(f"a call of {applied.function} with several answers")
    answer = applied.args[places[0]]
    assert isinstance(answer, Remote)
    given = f"function={applied.function!r}, others={literal(others)}, place={places[0]}"
    reader.ask(answer, check=f"applied({given}, way={way!r}, other={literal(value)})")


def _of_exception(caught: Caught, other: Thing) -> None:
    """Put what a test says of an exception into the step that raised it."""
    raises = caught.step.keys["raises"]
    match caught.part, other:
        case "type", (Library(value=type(__name__=name)) | Remote(text=name)) if name == raises["type"]:
            return
        case "type", Remote(text=name, kind=Kind.MODULE):
            raises["type"] = name
            return
        case "message", Data(value=str() as text):
            raises["message"] = r"\A" + re.sub(r"[.^$*+?{}\[\]\\|()]", r"\\\g<0>", text) + r"\Z"
            return
    raise Unsaid("what a test says of an exception")


def _is(reader: "Reader", left: Thing, right: Thing) -> None:
    match left, right:
        case Every(parts=parts), Data(value=True):
            for part in parts:
                _is(reader, part, right)
        case Compared(), Data(value=True):
            _expect(reader, left, {"check": "truthy(value=True)"}, bool)
        case Remote(), Data(value=None | bool() as value):
            reader.ask(left, returns=value)
        case Remote(), Remote():
            reader.ask(reader.operation("is", left, right), returns=True)
        case _:
            raise Unsaid("the identity of what the test gives")


def _count_equal(reader: "Reader", left: Thing, right: Thing) -> None:
    if isinstance(left, Data):
        left, right = right, left
    if not isinstance(left, Remote) or not isinstance(right, Data):
        raise Unsaid("assertCountEqual of two answers")
    made = Remote(f"list({reader.said(left)})", Kind.CALL)
    reader.ask(made, returns=literal([*right.value]), unordered=True, equality="python")


def _almost(reader: "Reader", left: Thing, right: Thing, places: Thing, delta: Thing | None) -> None:
    if isinstance(left, Data):
        left, right = right, left
    if isinstance(left, Remote) and isinstance(right, Remote):
        difference = reader.operation("-", left, right)
        left, right = Remote(f"abs({difference.text})", Kind.CALL), Data(0)
    if not isinstance(left, Remote) or not isinstance(right, Data) or not isinstance(places, Data):
        raise Unsaid("assertAlmostEqual of what is no answer")
    tolerance = delta.value if isinstance(delta, Data) else 0.5 * 10 ** -(places.value or 0)
    reader.ask(left, returns=literal(right.value), abs=tolerance, equality="python")


def _in(reader: "Reader", item: Thing, whole: Thing, value: bool) -> None:
    match item, whole:
        case Remote(), Data(value=choices):
            reader.ask(item, check=f"one_of(choices={literal(choices)}, value={value})")
        case Data(value=part), Remote(kind=Kind.CALL | Kind.READ):
            reader.ask(whole, check=f"has(item={literal(part)}, value={value})")
        case ((Data() | Remote()), (Remote() | Mixed())):
            reader.ask(reader.operation("in" if value else "not in", item, whole), returns=True)
        case _:
            raise Unsaid("assertIn of what is no answer")


def _compare(reader: "Reader", left: Thing, way: str, right: Thing) -> None:
    match left, right:
        case Remote(), Data(value=value):
            reader.ask(left, check=f"compares(way={way!r}, other={literal(value)})")
        case Data(value=value), Remote():
            reader.ask(
                right, check=f"compares(way={({'!=': '!='} | MIRRORED)[way]!r}, other={literal(value)})"
            )
        case ((Remote() | Mixed()), (Remote() | Mixed())):
            _ask_truth(reader, reader.operation(way, left, right))
        case _:
            raise Unsaid("a comparison of what is no answer")

"""Dataclasses whose methods are made late are what the standard library would have made."""

import ast
import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, field, fields, replace
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Late:
    """Some fields."""

    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list, compare=False)
    d: int = field(default=4, kw_only=True)
    e: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "e", self.a + self.d)


@dataclasses.dataclass(frozen=True, slots=True)
class Usual:
    """The same, as the standard library makes it."""

    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list, compare=False)
    d: int = field(default=4, kw_only=True)
    e: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "e", self.a + self.d)


@dataclass(frozen=True, slots=True, kw_only=True)
class Below(Late):
    """One field more."""

    f: bytes = b""


@dataclass(frozen=True, slots=True)
class Own:
    """Some methods of its own."""

    a: int

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


BOTH = pytest.mark.parametrize("kind", [Late, Usual])
ARGUMENTS: list[Callable[[Any], Any]] = [
    lambda kind: kind(1),
    lambda kind: kind(1, "x", [2], d=5),
    lambda kind: kind(a=1, c=[]),
    lambda kind: kind(),
    lambda kind: kind(1, "b", [], 4),
    lambda kind: kind(1, e=3),
    lambda kind: kind(1, a=2),
]


def made(kind: Any, build: Callable[[Any], Any]) -> str:
    """Return what comes of that, in words that do not name the class."""
    try:
        shown = repr(build(kind))
    except TypeError as error:
        shown = str(error)
    return shown.replace(kind.__name__, "")


@pytest.mark.parametrize("build", ARGUMENTS)
def test_it_is_made_as_usual(build: Callable[[Any], Any]) -> None:
    assert made(Late, build) == made(Usual, build)


def test_every_instance_has_a_default_of_its_own() -> None:
    first, second = Late(1), Late(1)
    first.c.append(1)
    assert (first.c, second.c) == ([1], [])


@BOTH
def test_it_compares(kind: Any) -> None:
    assert kind(1) == kind(1, "b", [9])
    assert kind(1) != kind(2)
    assert kind(1) != (1, "b", 4, 5)
    assert hash(kind(1)) == hash(kind(1, c=[9])) == hash((1, "b", 4, 5))
    assert len({kind(1), kind(1), kind(2)}) == 2


def test_another_class_is_another_thing() -> None:
    assert Late(1) != Usual(1)
    assert Below(1) != Late(1)


@BOTH
def test_it_cannot_be_changed(kind: Any) -> None:
    one = kind(1)
    with pytest.raises(FrozenInstanceError, match=r"^cannot assign to field 'a'$"):
        one.a = 2
    with pytest.raises(FrozenInstanceError, match=r"^cannot delete field 'a'$"):
        del one.a
    assert not hasattr(one, "__dict__")
    assert one == kind(1)


@BOTH
def test_it_is_a_dataclass_to_others(kind: Any) -> None:
    one: Any = kind(1, d=5)
    assert [each.name for each in fields(one)] == ["a", "b", "c", "d", "e"]
    assert dataclasses.asdict(one) == {"a": 1, "b": "b", "c": [], "d": 5, "e": 6}
    assert replace(one, b="x") == kind(1, "x", d=5)
    assert kind.__match_args__ == ("a", "b", "c")


@BOTH
def test_it_travels(kind: Any) -> None:
    one = kind(1, "x", [2], d=5)
    for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert (other, other.c, other.e) == (one, [2], 6)


def test_one_can_have_more_than_another() -> None:
    one = Below(1, f=b"f")
    assert repr(one) == "Below(a=1, b='b', c=[], d=4, f=b'f')"
    assert (one.e, one) == (5, replace(Below(1), f=b"f"))
    assert repr(Late(1)) == "Late(a=1, b='b', c=[], d=4)"


def test_methods_of_its_own_stay() -> None:
    one: object = Own(1)
    assert (repr(one), one == 3, hash(one)) == ("own", True, 7)


def test_equality_of_its_own_takes_no_hash_away() -> None:
    def same(self: object, other: object) -> bool:
        return True

    members = {"__annotations__": {"a": int}, "__eq__": same}
    made_by: list[Any] = [dataclass, dataclasses.dataclass]
    late, usual = (make(frozen=True, slots=True)(type("A", (), dict(members))) for make in made_by)
    assert hash(late(1)) == hash(usual(1)) == hash((1,))
    assert late(1) == 3


@pytest.mark.parametrize(("frozen", "slots"), [(True, False), (False, True)])
def test_it_makes_no_others(frozen: bool, slots: bool) -> None:
    with pytest.raises(TypeError, match="frozen dataclasses with slots, and no others"):
        dataclass(frozen=frozen, slots=slots)  # type: ignore[call-overload]


def test_methods_are_made_when_they_are_used() -> None:
    @dataclass(frozen=True, slots=True)
    class New:
        """Not used so far."""

        a: int

    initializer, equality = vars(New)["__init__"], vars(New)["__eq__"]
    one = New(1)
    assert vars(New)["__init__"] is not initializer
    assert vars(New)["__eq__"] is equality
    assert one == New(1)
    assert vars(New)["__eq__"] is not equality


def test_all_that_can_be_made_so_are() -> None:
    """But for what runs beside students' code, which imports nothing of the model."""
    package = Path(grader.__file__).parent
    own = {package / "model" / "frozen.py"}
    own.update(path for name in ("worker", "wire") for path in (package / name).rglob("*.py"))
    sources = {path: path.read_text("utf-8") for path in package.rglob("*.py") if path not in own}
    assert [
        path
        for path, text in sources.items()
        if "from dataclasses import dataclass" in text and all(can_be_late(kind) for kind in kinds(text))
    ] == []


def kinds(source: str) -> Iterator[str]:
    """Yield the decorators of the dataclasses in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            written = [ast.unparse(decorator) for decorator in node.decorator_list]
            yield from (decorator for decorator in written if decorator.startswith("dataclass"))


def can_be_late(decorator: str) -> bool:
    """Whether `grader.model.frozen` makes such a dataclass."""
    return "frozen=True, slots=True" in decorator and "order" not in decorator

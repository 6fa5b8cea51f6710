"""Lists and tuples."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values import compare
from grader.values.canonical import LIST, TUPLE, Key, Keys
from grader.values.show import joined, unlabelled
from grader.values.sort import Inner, Node, Place, Sort, are_plain

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

S = TypeVar("S", list[Value], tuple[Value, ...])


class SequenceSort(Sort[S]):
    """rank: of its keys.  letter: of its nodes."""

    rank: ClassVar[int]
    letter: ClassVar[str]
    is_container = True
    is_open = True
    forgives = frozenset({"unordered", "differing"})

    def parts(self, value: S) -> Iterable[Value]:
        return value

    def count(self, value: S) -> int:
        return len(value)

    def key(self, value: S, keys: Keys, level: int) -> Key:
        rank = LIST if keys.any_sequence else self.rank
        return (rank, tuple([keys.key(item, level) for item in value]))

    def meets(self, expected: S, actual: Value, rules: Comparison) -> bool:
        kind = type(actual)
        return kind is type(expected) or (rules.any_sequence and (kind is list or kind is tuple))

    def difference(
        self, expected: S, actual: Sequence[Value], rules: Comparison, level: int
    ) -> Difference | None:
        if len(expected) != len(actual):
            return compare.length_difference(expected, actual)
        for number, (one, other) in enumerate(zip(expected, actual, strict=True), 1):
            if type(one) is type(other) and type(one) in compare.SCALARS and one == other:
                continue
            found = compare.difference(one, other, rules, level)
            if found is not None:
                return compare.within(f"item {number}", found, f"[{number - 1}]")
        return None

    def in_any_order(self, expected: S, actual: Sequence[Value], rules: Comparison) -> Difference | None:
        return compare.in_any_order(expected, actual, rules, "items")

    def node(self, value: S, inner: Inner) -> Node:
        nodes = [*map(inner, value)]
        return ["v", value] if are_plain(nodes) else [self.letter, nodes]

    def shape(self, value: S) -> Hashable:
        return None


class List(SequenceSort[list[Value]]):
    classes = (list,)
    is_alike = True
    letter = "l"
    rank = LIST

    def made(self, value: list[Value], parts: Sequence[Value]) -> list[Value]:
        return list(parts)

    def text(self, value: list[Value], python: "PythonText") -> str:
        return f"[{python.items(value)}]"

    def shown(self, value: list[Value], room: int, level: int, whole: bool) -> str:
        return joined(("[", "]"), unlabelled(value), len(value), room, level, whole=whole)

    def places(self, value: list[Value]) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, at, "*"), item) for at, item in enumerate(value))


class Tuple(SequenceSort[tuple[Value, ...]]):
    """A tuple, each item of which may mean something else."""

    classes = (tuple,)
    letter = "t"
    rank = TUPLE

    def made(self, value: tuple[Value, ...], parts: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(parts)

    def text(self, value: tuple[Value, ...], python: "PythonText") -> str:
        return f"({python.items(value)}{',' if len(value) == 1 else ''})"

    def shown(self, value: tuple[Value, ...], room: int, level: int, whole: bool) -> str:
        brackets = ("(", ",)" if len(value) == 1 else ")")
        return joined(brackets, unlabelled(value), len(value), room, level, whole=whole)

    def places(self, value: tuple[Value, ...]) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, at, at), item) for at, item in enumerate(value))

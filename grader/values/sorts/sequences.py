"""Lists and tuples."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from grader.model.values import Value
from grader.values.show import joined, unlabelled
from grader.values.sort import Inner, Node, Place, Sort, are_plain

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

S = TypeVar("S", list[Value], tuple[Value, ...])


class SequenceSort(Sort[S]):
    """letter: of its nodes."""

    letter: ClassVar[str]
    is_container = True
    is_open = True
    forgives = frozenset({"unordered", "differing"})

    def parts(self, value: S) -> Iterable[Value]:
        return value

    def node(self, value: S, inner: Inner) -> Node:
        nodes = [*map(inner, value)]
        return ["v", value] if are_plain(nodes) else [self.letter, nodes]

    def shape(self, value: S) -> Hashable:
        return None


class List(SequenceSort[list[Value]]):
    classes = (list,)
    is_alike = True
    letter = "l"

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

    def made(self, value: tuple[Value, ...], parts: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(parts)

    def text(self, value: tuple[Value, ...], python: "PythonText") -> str:
        return f"({python.items(value)}{',' if len(value) == 1 else ''})"

    def shown(self, value: tuple[Value, ...], room: int, level: int, whole: bool) -> str:
        brackets = ("(", ",)" if len(value) == 1 else ")")
        return joined(brackets, unlabelled(value), len(value), room, level, whole=whole)

    def places(self, value: tuple[Value, ...]) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, at, at), item) for at, item in enumerate(value))

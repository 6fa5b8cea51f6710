"""Sets, frozensets, and what is called a set and is none."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from grader.model.values import DeclaredType, OddSet, Value
from grader.values import show
from grader.values.sort import Inner, Node, Place, Sort, are_plain

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

AnySet: TypeAlias = set[Value] | frozenset[Value]


class Set(Sort[AnySet]):
    """A set or a frozenset.  The order of its parts differs from process to process."""

    classes = (set, frozenset)
    is_container = True
    is_alike = True
    is_open = True
    is_unordered = True

    def parts(self, value: AnySet) -> Iterable[Value]:
        return value

    def made(self, value: AnySet, parts: Sequence[Value]) -> AnySet:
        return type(value)(parts)

    def shape(self, value: AnySet) -> Hashable:
        return None

    def text(self, value: AnySet, python: "PythonText") -> str:
        if not value:
            return f"{type(value).__name__}()"
        members = f"{{{python.members(value)}}}"
        return members if type(value) is set else f"frozenset({members})"

    def shown(self, value: AnySet, room: int, level: int, whole: bool) -> str:
        return show.members(type(value).__name__, value, room, level, whole)

    def node(self, value: AnySet, inner: Inner) -> Node:
        nodes = [*map(inner, value)]
        return ["v", value] if are_plain(nodes) else ["s" if type(value) is set else "z", nodes]

    def places(self, value: AnySet) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, item, "*"), item) for at, item in enumerate(value))

    def replaced(self, value: AnySet, place: Place, part: Value) -> AnySet:
        """Return the set with another member; the number of a place holds for one set alone."""
        return type(value)([*(item for item in value if item is not place.key), part])


class Odd(Sort[OddSet]):
    classes = (OddSet,)
    is_container = True
    is_unordered = True

    def parts(self, value: OddSet) -> Iterable[Value]:
        return value.items

    def made(self, value: OddSet, parts: Sequence[Value]) -> OddSet:
        return OddSet(value.type_name, tuple(parts))

    def shape(self, value: OddSet) -> Hashable:
        return value.type_name

    def type_name(self, value: OddSet) -> str:
        return show.safe_line(value.type_name, show.MAX_NAME)

    def shown(self, value: OddSet, room: int, level: int, whole: bool) -> str:
        return show.members(self.type_name(value), value.items, room, level, whole)

    def non_data(self, value: OddSet, known: Mapping[str, DeclaredType]) -> str:
        return f"a {value.type_name} with items that are equal by their fields, or that have no hash"

"""Sets, frozensets, and what is called a set and is none."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import DeclaredType, OddSet, Value
from grader.values import compare, show
from grader.values.canonical import FROZENSET, SET, Key, Keys
from grader.values.sort import Inner, Node, Place, Sort, are_plain, sort_of

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

AnySet: TypeAlias = set[Value] | frozenset[Value]
S = TypeVar("S")


class SetSort(Sort[S]):
    """What holds items in no order; that of the parts differs from process to process."""

    is_container = True
    is_unordered = True

    def parts(self, value: S) -> Collection[Value]:
        raise NotImplementedError

    def count(self, value: S) -> int:
        return len(self.parts(value))

    def shown(self, value: S, room: int, level: int, whole: bool) -> str:
        return show.members(self.type_name(value), self.parts(value), room, level, whole)

    def key(self, value: S, keys: Keys, level: int) -> Key:
        is_set = self.type_name(value) == "set" and not (keys.any_sequence or keys.python)
        inner = sorted([keys.key(item, level) for item in self.parts(value)])
        return (SET if is_set else FROZENSET, tuple(inner))

    def meets(self, expected: S, actual: Value, rules: Comparison) -> bool:
        if not isinstance(sort_of(actual), SetSort):
            return False
        return rules.any_sequence or rules.python or self.type_name(expected) == show.type_name(actual)

    def difference(self, expected: S, actual: Value, rules: Comparison, level: int) -> Difference | None:
        one, other = [*self.parts(expected)], [*sort_of(actual).parts(actual)]
        return compare.in_any_order(one, other, rules, "elements")


class Set(SetSort[AnySet]):
    """A set or a frozenset."""

    classes = (set, frozenset)
    is_alike = True
    is_open = True

    def parts(self, value: AnySet) -> Collection[Value]:
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

    def node(self, value: AnySet, inner: Inner) -> Node:
        nodes = [*map(inner, value)]
        return ["v", value] if are_plain(nodes) else ["s" if type(value) is set else "z", nodes]

    def places(self, value: AnySet) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, item, "*"), item) for at, item in enumerate(value))

    def replaced(self, value: AnySet, place: Place, part: Value) -> AnySet:
        """Return the set with another member; the number of a place holds for one set alone."""
        return type(value)([*(item for item in value if item is not place.key), part])


class Odd(SetSort[OddSet]):
    """Items that a set cannot hold here: two are equal, or one has no hash."""

    classes = (OddSet,)

    def parts(self, value: OddSet) -> Collection[Value]:
        return value.items

    def made(self, value: OddSet, parts: Sequence[Value]) -> OddSet:
        return OddSet(value.type_name, tuple(parts))

    def shape(self, value: OddSet) -> Hashable:
        return value.type_name

    def type_name(self, value: OddSet) -> str:
        return show.safe_line(value.type_name, show.MAX_NAME)

    def non_data(self, value: OddSet, known: Mapping[str, DeclaredType]) -> str:
        return f"a {value.type_name} with items that are equal by their fields, or that have no hash"

"""Dicts, whose parts are their keys, then their values."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from grader.model.values import Value
from grader.values.show import joined, label
from grader.values.sort import Inner, Node, Place, Sort, are_plain

if TYPE_CHECKING:
    from grader.values.python_text import PythonText

AnyDict: TypeAlias = dict[Value, Value]


class Dict(Sort[AnyDict]):
    classes = (dict,)
    is_container = True
    is_open = True

    def parts(self, value: AnyDict) -> Iterable[Value]:
        return [*value.keys(), *value.values()]

    def made(self, value: AnyDict, parts: Sequence[Value]) -> AnyDict:
        count = len(value)
        return dict(zip(parts[:count], parts[count:], strict=True))

    def shape(self, value: AnyDict) -> Hashable:
        return None

    def text(self, value: AnyDict, python: "PythonText") -> str:
        pairs = (f"{python.of(key)}: {python.of(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"

    def shown(self, value: AnyDict, room: int, level: int, whole: bool) -> str:
        entries = ((label(key, room, level, whole), item) for key, item in value.items())
        return joined(("{", "}"), entries, len(value), room, level, whole=whole)

    def node(self, value: AnyDict, inner: Inner) -> Node:
        pairs = [[inner(key), inner(item)] for key, item in value.items()]
        return ["v", value] if are_plain(node for pair in pairs for node in pair) else ["m", pairs]

    def places(self, value: AnyDict) -> Iterable[tuple[Place, Value]]:
        """Return the values alone; a key that is replaced could be there already."""
        return ((Place(at, key, "of"), item) for at, (key, item) in enumerate(value.items(), len(value)))

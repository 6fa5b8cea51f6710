"""Dicts, whose parts are their keys, then their values."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values import compare
from grader.values.canonical import DICT, Key, Keys
from grader.values.show import joined, label, show
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

    def count(self, value: AnyDict) -> int:
        return len(value)

    def key(self, value: AnyDict, keys: Keys, level: int) -> Key:
        pairs = [(keys.key(name, level), keys.key(item, level)) for name, item in value.items()]
        return (DICT, tuple(sorted(pairs)))

    def difference(
        self, expected: AnyDict, actual: AnyDict, rules: Comparison, level: int
    ) -> Difference | None:
        """Return the first difference of two dicts; keys are compared without a tolerance."""
        of_keys = Comparison(python=rules.python)
        if len(expected) != len(actual):
            return compare.in_any_order([*expected], [*actual], of_keys, "keys")
        pairs = list(zip(compare.ordered(expected, of_keys), compare.ordered(actual, of_keys), strict=True))
        if any(one[0] != other[0] for one, other in pairs):
            return compare.in_any_order([*expected], [*actual], of_keys, "keys")
        partners = {key: actual_key for (_, key), (_, actual_key) in pairs}
        for key, value in expected.items():
            found = compare.difference(value, actual[partners[key]], rules, level)
            if found is not None:
                shown = show(key, compare.KEY_LIMIT)
                code = shown if type(key) in compare.TYPED_KEYS else compare.CUT
                return compare.within(f"key {shown}", found, f"[{code}]")
        return None

    def node(self, value: AnyDict, inner: Inner) -> Node:
        pairs = [[inner(key), inner(item)] for key, item in value.items()]
        return ["v", value] if are_plain(node for pair in pairs for node in pair) else ["m", pairs]

    def places(self, value: AnyDict) -> Iterable[tuple[Place, Value]]:
        """Return the values alone; a key that is replaced could be there already."""
        return ((Place(at, key, "of"), item) for at, (key, item) in enumerate(value.items(), len(value)))

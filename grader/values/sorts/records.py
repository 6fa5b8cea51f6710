"""Instances of classes that the spec names, and members of its enums."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import DeclaredType, EnumMember, Record, RecordType, Value
from grader.values import compare
from grader.values.canonical import MEMBER, RECORD, Key, Keys
from grader.values.show import MAX_NAME, joined, safe_line, unlabelled
from grader.values.sort import Inner, Node, Place, Role, Sort

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class RecordSort(Sort[Record]):
    """A record, whose parts are its fields in order."""

    classes = (Record,)
    tells_type = True
    is_container = True
    is_open = True

    def parts(self, value: Record) -> Iterable[Value]:
        return [item for _, item in value.fields]

    def made(self, value: Record, parts: Sequence[Value]) -> Record:
        names = (name for name, _ in value.fields)
        return Record(value.type_name, tuple(zip(names, parts, strict=True)))

    def shape(self, value: Record) -> Hashable:
        return value.type_name, tuple(name for name, _ in value.fields)

    def text(self, value: Record, python: "PythonText") -> str:
        return f"{python.class_name(value.type_name)}({python.items(self.parts(value))})"

    def type_name(self, value: Record) -> str:
        return safe_line(value.type_name, MAX_NAME)

    def shown(self, value: Record, room: int, level: int, whole: bool) -> str:
        brackets = (f"{self.type_name(value)}(", ")")
        return joined(brackets, unlabelled(self.parts(value)), len(value.fields), room, level, whole=whole)

    def count(self, value: Record) -> int:
        return len(value.fields)

    def key(self, value: Record, keys: Keys, level: int) -> Key:
        pairs = [(name, keys.key(item, level)) for name, item in value.fields]
        return (RECORD, value.type_name, tuple(sorted(pairs)))

    def difference(
        self, expected: Record, actual: Record, rules: Comparison, level: int
    ) -> Difference | None:
        names, actual_names = [[name for name, _ in record.fields] for record in (expected, actual)]
        if expected.type_name != actual.type_name:
            return compare.unlike(expected, actual)
        if sorted(names) != sorted(actual_names):
            texts = [safe_line(", ".join(each), compare.PART_LIMIT) for each in (names, actual_names)]
            return Difference("fields", *texts)
        fields = dict(actual.fields)
        for name, value in expected.fields:
            found = compare.difference(value, fields[name], rules, level)
            if found is not None:
                shown = safe_line(name, compare.KEY_LIMIT)
                return compare.within(f"field {shown}", found, f".{shown}")
        return None

    def node(self, value: Record, inner: Inner) -> Node:
        return ["r", value.type_name, [inner(part) for part in self.parts(value)]]

    def places(self, value: Record) -> Iterable[tuple[Place, Value]]:
        return ((Place(at, at, name), item) for at, (name, item) in enumerate(value.fields))

    def role(self, value: Record, role: Role) -> Role:
        return ("record", value.type_name)

    def names(self, value: Record) -> tuple[str, ...]:
        return (value.type_name,)

    def non_data(self, value: Record, known: Mapping[str, DeclaredType]) -> str:
        declared = known.get(value.type_name)
        fields = tuple(name for name, _ in value.fields)
        if not isinstance(declared, RecordType) or declared.fields != fields:
            return f"an object of type {value.type_name}, which is not plain data"
        return ""


class Member(Sort[EnumMember]):
    classes = (EnumMember,)
    tells_type = True

    def shape(self, value: EnumMember) -> Hashable:
        return value.type_name, value.name

    def text(self, value: EnumMember, python: "PythonText") -> str:
        return python.enum_member(value)

    def type_name(self, value: EnumMember) -> str:
        return safe_line(value.type_name, MAX_NAME)

    def shown(self, value: EnumMember, room: int, level: int, whole: bool) -> str:
        return f"{self.type_name(value)}.{safe_line(value.name, MAX_NAME)}"

    def key(self, value: EnumMember, keys: Keys, level: int) -> Key:
        return (MEMBER, value.type_name, value.name)

    def difference(
        self, expected: EnumMember, actual: EnumMember, rules: Comparison, level: int
    ) -> Difference | None:
        return None if expected == actual else compare.unlike(expected, actual)

    def node(self, value: EnumMember, inner: Inner) -> Node:
        return ["e", value.type_name, value.name]

    def names(self, value: EnumMember) -> tuple[str, ...]:
        return value.type_name, f"{value.type_name}.{value.name}"

    def non_data(self, value: EnumMember, known: Mapping[str, DeclaredType]) -> str:
        declared = known.get(value.type_name)
        if declared is None or isinstance(declared, RecordType) or value.name not in declared.members:
            return f"{value.type_name}.{value.name}, which is not plain data"
        return ""

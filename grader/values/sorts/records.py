"""Instances of classes that the spec names, and members of its enums."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from grader.model.values import DeclaredType, EnumMember, Record, RecordType, Value
from grader.values.show import MAX_NAME, joined, safe_line, unlabelled
from grader.values.sort import Inner, Node, Place, Role, Sort

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class RecordSort(Sort[Record]):
    """A record, whose parts are its fields in order."""

    classes = (Record,)
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

    def shape(self, value: EnumMember) -> Hashable:
        return value.type_name, value.name

    def text(self, value: EnumMember, python: "PythonText") -> str:
        return python.enum_member(value)

    def type_name(self, value: EnumMember) -> str:
        return safe_line(value.type_name, MAX_NAME)

    def shown(self, value: EnumMember, room: int, level: int, whole: bool) -> str:
        return f"{self.type_name(value)}.{safe_line(value.name, MAX_NAME)}"

    def node(self, value: EnumMember, inner: Inner) -> Node:
        return ["e", value.type_name, value.name]

    def names(self, value: EnumMember) -> tuple[str, ...]:
        return value.type_name, f"{value.type_name}.{value.name}"

    def non_data(self, value: EnumMember, known: Mapping[str, DeclaredType]) -> str:
        declared = known.get(value.type_name)
        if declared is None or isinstance(declared, RecordType) or value.name not in declared.members:
            return f"{value.type_name}.{value.name}, which is not plain data"
        return ""

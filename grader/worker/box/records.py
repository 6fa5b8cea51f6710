"""Records inside the box: builds instances of the module's own classes from plain data, and the reverse.

The spec names classes whose instances are data.  An argument that holds some arrives as a tree of nodes,
and is built here by calling the class.  An instance in an answer is described by its fields if its class
is, by identity, the one that the module has under that name.  The code relies on nothing that a class says
about itself: not on `isinstance`, equality or its metaclass.

The nodes are those of `grader.wire.nodes`.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from grader.wire import library_values, tables
from grader.wire.nodes import CONTAINERS

Type = tuple[str, str, Sequence[str]]
"""Name, "r" for a record or "e" for an enum, and the names of its fields or members."""


class Absent(Exception):
    """The module lacks a class or a member; the argument is its name."""


class Records:
    """The declared classes as a module has them.

    described: ids of the classes that exist.  classes: these classes by name.
    """

    def __init__(self, module: ModuleType, types: Sequence[Type], *, invent: bool = False) -> None:
        """Look the classes up.

        invent: make simple classes for missing ones and put them into the module; for the spec's own code,
        which need not define them.
        """
        self.described: set[int] = set()
        self.classes: dict[str, Any] = {}
        self._fields: dict[int, tuple[str, Sequence[str]]] = {}
        self._members: dict[int, tuple[str, dict[int, str]]] = {}
        self._kept: list[object] = []
        for name, shape, names in types:
            kind = _attribute(module, name)
            if kind is _NOTHING and invent:
                kind = _invented(name, shape, names)
                setattr(module, name, kind)
            if kind is not _NOTHING:
                self._add(name, kind, shape, names)

    def _add(self, name: str, kind: object, shape: str, names: Sequence[str]) -> None:
        self.classes[name] = kind
        self.described.add(id(kind))
        if shape == "r":
            self._fields[id(kind)] = name, names
            return
        members = {}
        for member in names:
            value = _attribute(kind, member)
            if value is not _NOTHING:
                # The object is kept alive, so that no other object gets its id.
                self._kept.append(value)
                members[id(value)] = member
        self._members[id(kind)] = name, members

    def build(self, node: list[Any]) -> object:
        """Return the value of a tree of nodes.  Raises `Absent`, and what the module's classes raise."""
        shape, *content = node
        if shape == "v":
            return content[0]
        if shape == "m":
            return {self.build(key): self.build(value) for key, value in content[0]}
        if shape in CONTAINERS:
            return CONTAINERS[shape]([self.build(item) for item in content[0]])
        name, rest = content
        if shape == "x":
            return library_values.made(name, rest)
        if shape == "p":
            return tables.made(name, [self.build(part) for part in rest])
        kind = self.classes.get(name, _NOTHING)
        if kind is _NOTHING:
            raise Absent(name)
        if shape == "r":
            return kind(*[self.build(field) for field in rest])
        member = _attribute(kind, rest)
        if member is _NOTHING:
            raise Absent(f"{name}.{rest}")
        return member

    def describe(self, value: object) -> tuple[str, str, object] | None:
        """Return the encoder's description of a declared class's instance, None for any other value."""
        kind = id(type(value))
        if kind in self._fields:
            name, fields = self._fields[kind]
            pairs = []
            for field in fields:
                try:
                    pairs.append((field, getattr(value, field)))
                except BaseException:
                    # A value with an unreadable field is no record, so it is no right answer.
                    return "o", name, f"its field {field} cannot be read"
            return "r", name, pairs
        if kind in self._members:
            name, members = self._members[kind]
            member = members.get(id(value))
            return ("e", name, member) if member is not None else None
        return None


NONE = Records(ModuleType("none"), ())
"""Used for modules without declared classes."""


class _Nothing:
    """Stands for a missing attribute, since None could be one."""


_NOTHING = _Nothing()


def _attribute(holder: object, name: str) -> object:
    try:
        value: object = getattr(holder, name)
    except BaseException:
        return _NOTHING
    return value


def _invented(name: str, shape: str, names: Sequence[str]) -> type:
    """Make a frozen dataclass or an enum whose `repr` is its Python notation."""
    import dataclasses
    import enum

    if shape == "e":
        make: Any = enum.Enum
        made: Any = make(name, [(member, member) for member in names])
        made.__repr__ = made.__str__ = lambda member: f"{name}.{member.name}"
        return made  # type: ignore[no-any-return]

    def written(self: object) -> str:
        return f"{name}({', '.join(repr(getattr(self, field)) for field in names)})"

    return dataclasses.make_dataclass(name, names, frozen=True, repr=False, namespace={"__repr__": written})

"""What an expression of a submission may stand for, as far as the rules need to know."""

import ast
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.rules.findings import Module
from grader.rules.scopes import Binding, FunctionNode, Scope, all_parameters


@dataclass(slots=True, eq=False)
class Function:
    """A function, method or lambda.  scope: of its body."""

    module: Module
    node: FunctionNode
    scope: Scope
    owner: "Class | None"

    @property
    def name(self) -> str:
        """Its qualified name; for a lambda where it stands."""
        return f"lambda on line {self.line}" if isinstance(self.node, ast.Lambda) else self.scope.name

    @property
    def line(self) -> int:
        """Where it is defined."""
        return self.node.lineno

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters in their order; without the object itself for a method."""
        names = [parameter.arg for parameter in all_parameters(self.node.args)]
        return names[1:] if self.has_self else names

    @property
    def has_self(self) -> bool:
        """Its first parameter is the object or the class."""
        return self.owner is not None and not self.is_decorated("staticmethod")

    @property
    def is_property(self) -> bool:
        """It is called where an attribute is read."""
        return self.is_decorated("property", "cached_property")

    def is_decorated(self, *names: str) -> bool:
        """It has one of the decorators."""
        decorators = getattr(self.node, "decorator_list", [])
        return any(getattr(d, "id", getattr(d, "attr", "")) in names for d in decorators)


@dataclass(slots=True, eq=False)
class Class:
    """A class of the submission.

    members: what is bound in its body, and assigned to its attributes anywhere, by attribute.
    """

    module: Module
    node: ast.ClassDef
    scope: Scope
    members: dict[str, list[Binding]] = field(default_factory=dict)
    bases: "list[Class]" = field(default_factory=list)
    subclasses: "list[Class]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class."""

    of: Class


@dataclass(frozen=True, slots=True)
class Parent:
    """`super()` in a method of a class."""

    of: Class


@dataclass(frozen=True, slots=True)
class Sibling:
    """A module of the submission."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """Whatever a function is called with."""

    function: Function
    name: str


Value: TypeAlias = Function | Class | Instance | Parent | Sibling | Parameter


def inherited(made: Class, attr: str) -> list[Binding]:
    """Return the bindings of an attribute in a class, or in the nearest of its bases that has it."""
    waiting, seen = [made], set[int]()
    while waiting:
        each = waiting.pop(0)
        if attr in each.members:
            return each.members[attr]
        if id(each) not in seen:
            seen.add(id(each))
            waiting += each.bases
    return []


def overriding(made: Class, attr: str) -> list[Binding]:
    """Return the bindings of an attribute in the classes that are derived from one."""
    found: list[Binding] = []
    waiting, seen = list(made.subclasses), {id(made)}
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        found += each.members.get(attr, [])
        waiting += each.subclasses
    return found

"""Functions, classes and objects of a submission, as far as their names show them."""

import ast
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.rules.source.modules import Module
from grader.rules.source.scopes import Binding, FunctionNode, Scope


@dataclass(slots=True, eq=False)
class Function:
    """A function, method or lambda.

    scope: the scope of its body.  owner: its class.
    """

    module: Module
    node: FunctionNode
    scope: Scope
    owner: "Class | None"

    @property
    def name(self) -> str:
        """Return its qualified name; for a lambda its line."""
        return f"lambda on line {self.line}" if isinstance(self.node, ast.Lambda) else self.scope.name

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def is_property(self) -> bool:
        """Tell whether reading an attribute calls it."""
        return self.is_decorated("property", "cached_property")

    @property
    def is_setter(self) -> bool:
        """Tell whether setting or deleting an attribute calls it."""
        return self.is_decorated("setter", "deleter")

    @property
    def may_not_answer(self) -> bool:
        """Tell whether it may leave an operator to the other operand."""
        return any(isinstance(n, ast.Name) and n.id == "NotImplemented" for n in ast.walk(self.node))

    @property
    def decorators(self) -> list[ast.expr]:
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list

    def is_decorated(self, *names: str) -> bool:
        return any(getattr(d, "id", getattr(d, "attr", "")) in names for d in self.decorators)


@dataclass(slots=True, eq=False)
class Class:
    """A class of the submission.

    members: by attribute, the bindings in its body and the assignments to `self`.
    """

    scope: Scope
    members: dict[str, list[Binding]]
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
class Unknown:
    """A value that names do not show; attr: the attribute of it that is meant, empty for itself."""

    attr: str = ""


Symbol: TypeAlias = Function | Class | Instance | Parent | Sibling | Unknown


def members_of(owner: Instance | Class | Parent, attr: str) -> list[Binding]:
    """Return the bindings that an attribute may have."""
    if isinstance(owner, Class):
        # A call by the class's name means that class's method, even if derived classes override it.
        return _inherited(owner, attr)
    if isinstance(owner, Parent):
        return [binding for base in owner.of.bases for binding in _inherited(base, attr)]
    below = [owner.of]
    for made in below:
        below += [each for each in made.subclasses if each not in below]
    overriding = [binding for made in below[1:] for binding in made.members.get(attr, ())]
    return [*_inherited(owner.of, attr), *overriding]


def _inherited(made: Class, attr: str) -> list[Binding]:
    """Return the bindings of an attribute in a class, or in the nearest of its bases that has it."""
    waiting = [made]
    for made in waiting:
        if attr in made.members:
            return made.members[attr]
        waiting += [each for each in made.bases if each not in waiting]
    return []

"""The names that a module binds, with places and values: the base of all rules on names.

A scope knows the names bound in it and the nodes of the tree that belong to it.  Nothing is evaluated: a name
that is bound twice has two bindings, and every caller must allow for both.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Parameters = ast.arguments

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
RUNNERS = ("eval", "exec", "compile")
"""Built-in functions that run a text as code."""


class Bound(Enum):
    FUNCTION = "a function of the module"
    CLASS = "a class of the module"
    IMPORT = "something imported"
    VALUE = "the value of an expression"
    ITEM = "a part of the value of an expression"
    PARAMETER = "an argument of a call"
    OTHER = "something else"


@dataclass(frozen=True, slots=True)
class Binding:
    """One place where a name is bound.

    node: the definition, the expression or the parameter.
    origin: for an import, its dotted name; with two dots in front of a relative one.
    annotation: the type of a value in the source.
    """

    kind: Bound
    scope: "Scope"
    line: int
    node: ast.AST | None = None
    origin: str = ""
    annotation: ast.expr | None = None


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or comprehension.

    name: qualified within the module; empty for the module itself.
    nodes: those that belong to the scope and to no scope within it.
    annotated: the nodes of annotations that only name types, see `annotations`.
    quoted: those of the texts in annotations.
    star_imports: the last line of each `from … import *`, by its module.
    embedded: how often each name is bound by a text that is run as code.
    """

    node: ast.AST
    parent: "Scope | None"
    name: str = ""
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    nodes: list[ast.AST] = field(default_factory=list)
    annotated: list[ast.AST] = field(default_factory=list)
    quoted: list[ast.AST] = field(default_factory=list)
    children: "list[Scope]" = field(default_factory=list)
    outer_names: dict[str, "Scope"] = field(default_factory=dict)
    star_imports: dict[str, int] = field(default_factory=dict)
    embedded: dict[str, int] = field(default_factory=dict)

    @property
    def is_class(self) -> bool:
        """Tell whether it is the body of a class, whose names are not visible in its functions."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def is_comprehension(self) -> bool:
        """Tell whether it runs as a part of the scope around it."""
        return isinstance(self.node, _COMPREHENSIONS)

    @property
    def module(self) -> "Scope":
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def find(self, name: str) -> list[Binding]:
        """Return the bindings that a use of `name` in this scope may mean; none for a built-in."""
        owner = self.owner(name)
        return owner.bindings[name] if owner is not None else []

    def owner(self, name: str) -> "Scope | None":
        """Return the scope that binds a name which is used in this one; None for a built-in."""
        scope: Scope | None = self.outer_names.get(name, self)
        first = scope
        while scope is not None:
            if name in scope.bindings and (scope is first or not scope.is_class):
                return scope
            scope = scope.parent
        return None

    def walk(self) -> "Iterator[Scope]":
        """Yield this scope and all within it."""
        waiting = [self]
        while waiting:
            scope = waiting.pop()
            yield scope
            waiting.extend(reversed(scope.children))

    def body(self) -> Iterator[tuple[ast.AST, "Scope"]]:
        """Yield the nodes that run when this scope runs, each with its own scope."""
        for scope in self.parts():
            for node in scope.nodes:
                yield node, scope

    def parts(self) -> "Iterator[Scope]":
        """Yield this scope and those in it that run when it runs: comprehensions and bodies of classes."""
        waiting = [self]
        while waiting:
            scope = waiting.pop()
            yield scope
            waiting.extend(child for child in scope.children if child.is_comprehension or child.is_class)


def folded(node: ast.AST | None) -> str | None:
    """Return the text of an expression of constant strings, None for any other expression."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            texts = [folded(part) for part in parts]
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return folded(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            texts = [folded(left), folded(right)]
        case ast.Call(
            func=ast.Attribute(value=between, attr="join"), args=[ast.List() | ast.Tuple() as many]
        ):
            joint, pieces = folded(between), [folded(part) for part in many.elts]
            whole = [piece for piece in pieces if piece is not None]
            return joint.join(whole) if joint is not None and len(whole) == len(pieces) else None
        case _:
            return None
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


def all_parameters(arguments: Parameters) -> list[ast.arg]:
    """Return the parameters of a function, positional ones first."""
    extra = [arguments.vararg, arguments.kwarg]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *filter(None, extra)]

"""Finds the full names of outside functions and modules: `o.system` is `os.system` after `import os as o`.

It follows imports, assignments and the usual detours: `getattr`, `vars`, `__dict__`, `__builtins__`,
`sys.modules`, `__import__` and `importlib`.  A name that the module does not bind is a built-in.
"""

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator

from grader.rules.source.library import is_module, is_starred, real_name
from grader.rules.source.modules import Module
from grader.rules.source.scopes import Binding, Bound, Scope, folded
from grader.rules.source.unbound import open_uses

BUILTINS = "builtins."
IMPORTERS = frozenset({"builtins.__import__", "importlib.import_module", "importlib.__import__"})
ATTRIBUTE_GETTERS = frozenset({"builtins.getattr", "operator.attrgetter", "operator.methodcaller"})
COMPUTED = "?"
"""A part of an origin that is known only when the program runs."""

_GLOBALS = "globals()"
_MAX_DEPTH = 40
_MAX_ORIGINS = 16


class Origins:
    """Finds origins in some modules, and remembers the answers.

    modules: the submission's modules, whose names are followed if others import them.
    doubts: a name that the module may not have bound where it is used is a built-in as well.
    """

    def __init__(self, modules: Iterable[Module] = (), *, doubts: bool = False) -> None:
        self._doubts = doubts
        self._open: dict[tuple[int, str], frozenset[int]] = {}
        self._modules = {module.name: module.scope for module in modules}
        self._known: dict[int, frozenset[str]] = {}
        self._known_names: dict[int, set[str]] = {}
        self._depth = 0

    def of(self, node: ast.AST | None, scope: Scope) -> frozenset[str]:
        """Return the dotted names that the expression may stand for; none if they are not known."""
        if node is None or self._depth > _MAX_DEPTH:
            return frozenset()
        key = id(node)
        if key not in self._known:
            # This is also the answer while the question is open: a name can be bound to itself.
            self._known[key] = frozenset()
            self._depth += 1
            found = self._of(node, scope)
            self._depth -= 1
            self._known[key] = frozenset(sorted(found)[:_MAX_ORIGINS])
        return self._known[key]

    def real(self, node: ast.AST | None, scope: Scope) -> frozenset[str]:
        """Return the same names, and those under which these objects are at home in the library."""
        found = self.of(node, scope)
        return found | {real_name(origin) for origin in found}

    def attributes(self, call: ast.Call, scope: Scope) -> Iterator[str | None]:
        """Yield the names of attributes that a call may look up by texts, None for a computed one.

        `attrgetter` takes several names in a text, with dots.  What is given `getattr` itself, as `partial`
        is, may look up each text that it is given.
        """
        texts: list[ast.AST] = [*call.args]
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        is_getter = self._is_getter(call.func, scope)
        is_unpacked = is_getter and any(isinstance(each, ast.Starred) for each in given)
        if is_unpacked or any(self._is_getter(each, scope) for each in given):
            texts = [part for each in given for part in ast.walk(each)]
        elif not is_getter:
            return
        elif isinstance(call.func, ast.Name) and call.func.id == "getattr":
            texts = texts[1:2]
        for each in texts:
            text = folded(each)
            yield from [None] if text is None else text.split(".")

    def _is_getter(self, node: ast.expr, scope: Scope) -> bool:
        return not ATTRIBUTE_GETTERS.isdisjoint(self.real(node, scope))

    def _of(self, node: ast.AST, scope: Scope) -> set[str]:
        match node:
            case ast.Name(id=name):
                found = self._of_name(name, scope)
                return found | {BUILTINS + name} if self._doubts and self._may_be_open(node, scope) else found
            case ast.Attribute(value=value, attr=attr):
                return self._members(value, attr, scope)
            case ast.Subscript(value=value, slice=key):
                return self._items(value, key, scope)
            case ast.Call():
                return self._results(node, scope)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return {*self.of(value, scope)}
            case ast.IfExp(body=body, orelse=orelse):
                return {*self.of(body, scope), *self.of(orelse, scope)}
            case ast.BoolOp(values=values):
                return {origin for value in values for origin in self.of(value, scope)}
        return set()

    def _of_name(self, name: str, scope: Scope) -> set[str]:
        if name == "__builtins__":
            return {"builtins"}
        bindings = scope.find(name) or self._starred(name, scope.module, set())
        starred = _of_library(name, scope.module, bindings)
        if not bindings:
            return starred | {BUILTINS + name} if hasattr(builtins, name) or not starred else starred
        if id(bindings) in self._known_names:
            return self._known_names[id(bindings)]
        found = starred.union(*map(self._of_binding, bindings))
        if not self._doubts and any(_uses(binding.node, name) for binding in bindings):
            # In `sum = sum` the right side is still the built-in.
            found.add(BUILTINS + name)
        if self._depth == 1:
            # No other question is open, so the answer is complete.
            self._known_names[id(bindings)] = found
        return found

    def _may_be_open(self, node: ast.Name, scope: Scope) -> bool:
        """Tell whether a name that is bound may be Python's own where it is used."""
        name = node.id
        owner = scope.owner(name) if hasattr(builtins, name) else None
        if owner is None:
            return False
        if not isinstance(owner.node, ast.Module | ast.ClassDef):
            # A text that is run as code binds no local name.
            return owner.embedded.get(name, 0) == len(owner.bindings[name])
        key = id(owner), name
        if key not in self._open:
            self._open[key] = open_uses(owner, name)
        return id(node) in self._open[key]

    def _of_binding(self, binding: Binding) -> frozenset[str]:
        match binding.kind, binding.node:
            case Bound.IMPORT, _:
                return frozenset(self._followed(binding.origin))
            case Bound.VALUE, node:
                return self.of(node, binding.scope)
            case Bound.ITEM, ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return frozenset(o for item in items for o in self.of(item, binding.scope))
        return frozenset()

    def _starred(self, name: str, module: Scope, seen: set[int]) -> list[Binding]:
        """Return the bindings of a name that a module has from `from … import *` of the submission's own."""
        seen.add(id(module))
        for base in module.star_imports:
            starred = self._modules.get(base.lstrip("."))
            if starred is not None and id(starred) not in seen:
                found = starred.bindings.get(name) or self._starred(name, starred, seen)
                if found:
                    return found
        return []

    def _followed(self, origin: str) -> Iterator[str]:
        """Yield the origins of a dotted name, followed into the modules of the submission."""
        base, _, rest = origin.lstrip(".").partition(".")
        name, _, further = rest.partition(".")
        module = self._modules.get(base)
        bindings = []
        if module is not None and name:
            bindings = module.bindings.get(name) or self._starred(name, module, set())
        if not bindings or self._depth > _MAX_DEPTH:
            yield origin
            return
        self._depth += 1
        for binding in bindings:
            for found in self._of_binding(binding):
                yield from self._followed(f"{found}.{further}") if further else (found,)
        self._depth -= 1

    def _members(self, value: ast.expr, attr: str, scope: Scope) -> set[str]:
        if attr == "__builtins__":
            # Functions and modules have it.
            return {"builtins"}
        # `random._os.getcwd` is `os.getcwd`.
        owners = (real_name(origin) if is_module(origin) else origin for origin in self.of(value, scope))
        members = (f"{owner}.{attr}" for owner in owners)
        return {found for member in members for found in self._followed(member)}

    def _items(self, value: ast.expr, key: ast.expr, scope: Scope) -> set[str]:
        text = folded(key)
        return {_item(origin, text, scope) for origin in self.of(value, scope)} - {""}

    def _results(self, call: ast.Call, scope: Scope) -> set[str]:
        found: set[str] = set()
        for function in self.of(call.func, scope):
            found |= self._result(function, call, scope)
        return found

    def _result(self, function: str, call: ast.Call, scope: Scope) -> set[str]:
        args = call.args
        match function.removeprefix(BUILTINS), args:
            case "getattr", [value, name, *_]:
                return self._members(value, folded(name) or COMPUTED, scope)
            case "vars", [value]:
                return self._members(value, "__dict__", scope)
            case (("globals" | "locals" | "vars"), []):
                return {_GLOBALS}
            case (("__import__" | "importlib.__import__"), [name, *_]):
                module = folded(name) or COMPUTED
                return {module, module.partition(".")[0]}
            case "importlib.import_module", [name, *_]:
                return {folded(name) or COMPUTED}
            case (("functools.partial" | "functools.partialmethod"), [given, *_]):
                return {*self.of(given, scope)} & ATTRIBUTE_GETTERS
        if function in ("sys.modules.get", "globals().get") and args:
            return {_item(function.removesuffix(".get"), folded(args[0]), scope)} - {""}
        if function.endswith(("__dict__.get", "__dict__.__getitem__", ".__getattribute__")) and args:
            base = function.rpartition(".")[0]
            return {_item(base, folded(args[-1] if "attribute" in function else args[0]), scope)} - {""}
        return set()


def _of_library(name: str, module: Scope, bindings: Iterable[Binding]) -> set[str]:
    """Return the dotted names that a name may have by `from … import *` of the library.

    bindings: those of the name; what binds it in the module after such an import takes its place.
    """
    last = max((each.line if each.scope is module else sys.maxsize for each in bindings), default=0)
    stars = (base for base, line in module.star_imports.items() if line > last)
    return {f"{base}.{name}" for base in stars if is_starred(base, name)}


def _item(origin: str, key: str | None, scope: Scope) -> str:
    """Return the origin of an item of a mapping of names; empty if there is none."""
    if origin == "sys.modules":
        return key or COMPUTED
    if origin == _GLOBALS:
        if key is None:
            return ""
        bindings = scope.module.bindings.get(key, [])
        imported = [binding.origin for binding in bindings if binding.kind is Bound.IMPORT]
        return imported[0] if imported else "builtins" if key == "__builtins__" else ""
    if origin == "builtins":
        return BUILTINS + (key or COMPUTED)
    if origin.endswith(".__dict__"):
        return f"{origin.removesuffix('.__dict__')}.{key or COMPUTED}"
    return ""


def _uses(node: ast.AST | None, name: str) -> bool:
    if not isinstance(node, ast.expr):
        return False
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))

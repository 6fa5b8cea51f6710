"""Finds the functions, classes and objects of the submission that an expression stands for.

It follows names, imports between the modules of the submission, aliases, `self`, and objects that are made by
the name of their class.  It does not follow values: a function's result, a container's content and a call's
arguments are `Unknown`.
"""

import ast
from collections.abc import Iterator

from grader.rules.calls.symbols import (
    MAX_SYMBOLS,
    Class,
    Function,
    Instance,
    Parent,
    Sibling,
    Symbol,
    Unknown,
    members_of,
)
from grader.rules.source.modules import Module
from grader.rules.source.origins import COMPUTED, Origins
from grader.rules.source.scopes import Binding, Bound, FunctionNode, Scope, all_parameters, folded

_MAX_DEPTH = 40
_WRAPPERS = ("functools.", "builtins.staticmethod", "builtins.classmethod", "builtins.property")
_MAKERS = frozenset({
    "builtins.list", "builtins.dict", "builtins.set", "builtins.frozenset", "builtins.tuple", "builtins.str",
    "builtins.int", "builtins.float", "builtins.bytes", "builtins.bytearray", "builtins.range",
    "builtins.sorted", "builtins.len", "builtins.open", "builtins.input", "builtins.print", "builtins.super",
    "collections.deque", "collections.defaultdict", "collections.Counter", "collections.OrderedDict",
})  # fmt: skip
"""Functions that return objects of classes outside the submission."""
_PASS_THROUGH = frozenset({"__call__", "__func__", "__wrapped__", "func"})
_PLAIN = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.Compare,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


class Resolver:
    """Resolves expressions in all modules of a submission, and remembers the answers.

    functions, classes: by the id of their node.
    assigned: by attribute, the values that are assigned to that attribute of any object.
    """

    def __init__(self, modules: list[Module]) -> None:
        self._modules = {module.name: module for module in modules}
        self._origins = Origins(modules)
        self._known: dict[tuple[int, int], tuple[Symbol, ...]] = {}
        self._known_members: dict[tuple[Symbol, str], list[Binding]] = {}
        self._depth = 0
        self.functions: dict[int, Function] = {}
        self.classes: dict[int, Class] = {}
        self.assigned: dict[str, list[Binding]] = {}
        for module in modules:
            self._collect(module)
        for made in self.classes.values():
            self._find_bases(made)
        self._forget()
        for module in modules:
            self._note_assigned_attributes(module)
        self._forget()

    def _forget(self) -> None:
        """Forget the answers that were given before all bases and members were known."""
        self._known.clear()
        self._known_members.clear()

    def _collect(self, module: Module) -> None:
        waiting: list[tuple[Scope, Class | None]] = [(module.scope, None)]
        while waiting:
            scope, within = waiting.pop()
            made = None
            if isinstance(scope.node, ast.ClassDef):
                members = {name: list(bound) for name, bound in scope.bindings.items()}
                made = self.classes[id(scope.node)] = Class(scope, members)
            elif isinstance(scope.node, FunctionNode):
                self.functions[id(scope.node)] = Function(module, scope.node, scope, within)
            waiting.extend((child, made) for child in scope.children)

    def _find_bases(self, made: Class) -> None:
        assert isinstance(made.scope.node, ast.ClassDef)
        for base in made.scope.node.bases:
            for value in self.of(base, made.scope.parent or made.scope):
                if isinstance(value, Class) and value is not made:
                    made.bases.append(value)
                    value.subclasses.append(made)

    def _note_assigned_attributes(self, module: Module) -> None:
        """Note `self.step = walk`, `Solver.step = walk` and `anything.step = walk`."""
        for scope in module.scope.walk():
            for node in scope.nodes:
                if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                    continue
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Attribute):
                        self._assign(target, Binding(Bound.VALUE, scope, target.lineno, node.value))

    def _assign(self, target: ast.Attribute, binding: Binding) -> None:
        self.assigned.setdefault(target.attr, []).append(binding)
        for owner in self.of(target.value, binding.scope):
            made = owner.of if isinstance(owner, Instance) else owner
            if isinstance(made, Class):
                made.members.setdefault(target.attr, []).append(binding)

    # -- expressions -------------------------------------------------------------------------------

    def origins(self, node: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the dotted names that an expression may stand for outside the submission."""
        return self._origins.of(node, scope)

    def of(self, node: ast.AST | None, scope: Scope) -> tuple[Symbol, ...]:
        """Return the symbols that an expression may stand for; none if it is not of the submission."""
        if node is None:
            return ()
        if self._depth > _MAX_DEPTH:
            return (Unknown(),)
        key = (id(node), id(scope))
        if key not in self._known:
            # This is also the answer while the question is open: a name can be bound to itself.
            self._known[key] = ()
            self._depth += 1
            found = tuple(dict.fromkeys(self._of(node, scope)))
            self._depth -= 1
            is_long = len(found) > MAX_SYMBOLS
            self._known[key] = (*found[:MAX_SYMBOLS], Unknown()) if is_long else found
        return self._known[key]

    def of_binding(self, binding: Binding) -> tuple[Symbol, ...]:
        """Return the symbols that one binding of a name gives it."""
        return tuple(self._of_binding(binding))

    def _of(self, node: ast.AST, scope: Scope) -> Iterator[Symbol]:
        match node:
            case ast.Lambda():
                yield self.functions[id(node)]
            case ast.Name(id=name):
                yield from self._of_bindings(self._starred(name, scope), node, scope)
            case ast.Attribute(value=value, attr=attr):
                for owner in self.of(value, scope):
                    yield from self.member(owner, attr)
            case ast.Call():
                yield from self._of_call(node, scope)
            case ast.Subscript(value=ast.Call(func=func), slice=key) if "builtins.globals" in self.origins(
                func, scope
            ):
                named = scope.module.bindings.get(folded(key) or "")
                yield from self._of_bindings(named, node, scope) if named else [Unknown()]
            case ast.IfExp(body=body, orelse=orelse):
                yield from (*self.of(body, scope), *self.of(orelse, scope))
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self.of(value, scope)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                yield from self.of(value, scope)
            case _ if not isinstance(node, _PLAIN):
                yield Unknown()

    def _starred(self, name: str, scope: Scope) -> list[Binding]:
        found = scope.find(name)
        if found or not scope.module.star_imports:
            return found
        modules = [self._modules[m] for m in scope.module.star_imports if m in self._modules]
        return [binding for module in modules for binding in module.scope.bindings.get(name, [])]

    def _of_bindings(self, bindings: list[Binding], node: ast.AST, scope: Scope) -> Iterator[Symbol]:
        """Yield the symbols of a name.  A binding below its use is Unknown: in a loop it may hold already."""
        line = getattr(node, "lineno", 0)
        above = [b for b in bindings[:MAX_SYMBOLS] if b.scope is not scope or b.line <= line]
        if len(above) < len(bindings):
            yield Unknown()
        for binding in above:
            yield from self._of_binding(binding)

    def _of_binding(self, binding: Binding) -> Iterator[Symbol]:
        node = binding.node
        match binding.kind:
            case Bound.FUNCTION:
                yield self.functions[id(node)]
            case Bound.CLASS:
                yield self.classes[id(node)]
            case Bound.IMPORT:
                yield from self._imported(binding.origin.lstrip("."))
            case Bound.VALUE:
                yield from self.of(node, binding.scope)
            case Bound.PARAMETER if isinstance(node, ast.arg):
                yield from _of_parameter(node, self.functions[id(binding.scope.node)])
            case _:
                yield Unknown()

    def _imported(self, origin: str) -> Iterator[Symbol]:
        module, _, name = origin.partition(".")
        if module in self._modules and not name:
            yield Sibling(module)
        elif module in self._modules:
            bindings = self._modules[module].scope.bindings.get(name, [])
            if len(bindings) > MAX_SYMBOLS:
                yield Unknown()
            for binding in bindings[:MAX_SYMBOLS]:
                yield from self._of_binding(binding)

    def _of_call(self, call: ast.Call, scope: Scope) -> Iterator[Symbol]:
        callees = self.of(call.func, scope)
        yield from (Instance(callee) for callee in callees if isinstance(callee, Class))
        origins = self.origins(call.func, scope)
        followed = [self._of_outside_call(origin, call, scope) for origin in origins]
        for symbols in followed:
            yield from symbols or ()
        if None in followed or (not origins and not all(isinstance(callee, Class) for callee in callees)):
            yield Unknown()

    def _of_outside_call(self, origin: str, call: ast.Call, scope: Scope) -> list[Symbol] | None:
        """Return the result of a call of a function from outside; None if it is not known."""
        match origin, call.args:
            case "builtins.getattr", [owner, name, *_] if (attr := folded(name)) is not None:
                return [found for symbol in self.of(owner, scope) for found in self.member(symbol, attr)]
            case "builtins.getattr", _:
                return [Unknown(COMPUTED)]
            case "builtins.type", [owner]:
                return [s.of if isinstance(s, Instance) else Unknown() for s in self.of(owner, scope)]
            case "builtins.super", _ if (made := self._class_around(scope)) is not None:
                return [Parent(made)]
        if origin.startswith(_WRAPPERS):
            handed = [symbol for argument in call.args for symbol in self.of(argument, scope)]
            return handed or None
        return [] if origin in _MAKERS else None

    def _class_around(self, scope: Scope) -> Class | None:
        outer: Scope | None = scope
        while outer is not None and id(outer.node) not in self.classes:
            outer = outer.parent
        return self.classes[id(outer.node)] if outer is not None else None

    # -- members -----------------------------------------------------------------------------------

    def member(self, owner: Symbol, attr: str) -> Iterator[Symbol]:
        """Yield the symbols that an attribute may stand for."""
        match owner:
            case Sibling(name=name):
                yield from self._imported(f"{name}.{attr}")
            case Function() if attr in _PASS_THROUGH:
                yield owner
            case Function() | Unknown():
                yield Unknown(attr)
            case Instance(of=made) if attr == "__class__":
                yield made
            case Instance() | Class() | Parent():
                bindings = self._members(owner, attr)
                if len(bindings) >= MAX_SYMBOLS:
                    yield Unknown(attr)
                for binding in bindings:
                    for symbol in self._of_binding(binding):
                        is_read = isinstance(symbol, Function) and symbol.is_property
                        yield Unknown() if is_read and not isinstance(owner, Class) else symbol

    def named(self, attr: str) -> list[Symbol]:
        """Return all values of an attribute of this name in the submission; for `COMPUTED`, of any."""
        if attr == COMPUTED:
            return [*self.functions.values()]
        bindings = [b for made in self.classes.values() for b in made.members.get(attr, ())]
        bindings += self.assigned.get(attr, ())
        return [symbol for binding in bindings for symbol in self._of_binding(binding)]

    def methods(self, owner: Instance | Parent, name: str) -> list[Function]:
        """Return the methods of that name that an object may have."""
        found = self._members(owner, name)
        return [self.functions[id(b.node)] for b in found if b.kind is Bound.FUNCTION]

    def _members(self, owner: Instance | Class | Parent, attr: str) -> list[Binding]:
        key = (owner, attr)
        if key not in self._known_members:
            self._known_members[key] = members_of(owner, attr)
        return self._known_members[key]


def _of_parameter(node: ast.arg, function: Function) -> Iterator[Symbol]:
    """Yield the object or the class that is the first parameter of a method."""
    is_first = all_parameters(function.node.args)[0] is node
    if function.owner is None or not is_first or function.is_decorated("staticmethod"):
        yield Unknown()
        return
    yield Instance(function.owner)
    if function.is_decorated("classmethod"):
        yield function.owner

"""Which functions and classes of the submission an expression may stand for.

Follows names, imports between the modules of the submission, attributes of `self`, of classes and of
objects that are made or annotated in plain sight, aliases, containers that are written out, and
functions that return functions.  What it does not know it leaves out: better a missed call than one
that is not there.
"""

import ast
from collections.abc import Iterator

from grader.rules.findings import Module
from grader.rules.origins import Origins
from grader.rules.scopes import Binding, Bound, FunctionNode, Scope, all_parameters, folded
from grader.rules.symbols import (
    Class,
    Function,
    Instance,
    Parameter,
    Parent,
    Sibling,
    Value,
    inherited,
    overriding,
)

_MAX_DEPTH = 40
_MAX_VALUES = 32
_WRAPPERS = ("functools.", "builtins.staticmethod", "builtins.classmethod", "builtins.property")
_PASS_THROUGH = frozenset({"__call__", "__func__", "__wrapped__", "func"})


class Values:
    """Answers for all modules of a submission; remembers what it was asked."""

    def __init__(self, modules: list[Module]) -> None:
        self._modules = {module.name: module for module in modules}
        self._origins = Origins(modules)
        self._known: dict[tuple[int, int], tuple[Value, ...]] = {}
        self._asked: list[ast.AST] = []
        self._depth = 0
        self._module_of: dict[int, Module] = {}
        self.functions: dict[int, Function] = {}
        self.classes: dict[int, Class] = {}
        self._attributes: dict[int, dict[str, list[Binding]]] = {}
        """Attributes that are assigned to functions, by function and attribute."""
        for module in modules:
            self._collect(module, module.scope, None)
        for made in self.classes.values():
            self._find_bases(made)
        self._known.clear()
        for module in modules:
            self._note_assigned_attributes(module)
        self._known.clear()

    # -- what there is -----------------------------------------------------------------------------

    def _collect(self, module: Module, top: Scope, owner: Class | None) -> None:
        waiting: list[tuple[Scope, Class | None]] = [(top, owner)]
        while waiting:
            scope, within = waiting.pop()
            self._module_of[id(scope)] = module
            made = None
            if isinstance(scope.node, ast.ClassDef):
                members = {name: list(bound) for name, bound in scope.bindings.items()}
                made = self.classes[id(scope.node)] = Class(module, scope.node, scope, members)
            elif isinstance(scope.node, FunctionNode):
                self.functions[id(scope.node)] = Function(module, scope.node, scope, within)
            waiting.extend((child, made) for child in scope.children)

    def _find_bases(self, made: Class) -> None:
        outer = made.scope.parent or made.module.scope
        for base in made.node.bases:
            for value in self.of(base, outer):
                if isinstance(value, Class) and value is not made:
                    made.bases.append(value)
                    value.subclasses.append(made)

    def _note_assigned_attributes(self, module: Module) -> None:
        """Note `self.step = walk`, `Solver.step = walk` and `walk.again = walk`."""
        for scope in module.scope.walk():
            for node in scope.nodes:
                if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                    continue
                annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Attribute):
                        line = target.lineno
                        binding = Binding(Bound.VALUE, scope, line, node.value, annotation=annotation)
                        self._assign(target, binding, scope)

    def _assign(self, target: ast.Attribute, binding: Binding, scope: Scope) -> None:
        for owner in self.of(target.value, scope):
            match owner:
                case Instance(of=made):
                    made.members.setdefault(target.attr, []).append(binding)
                case Class():
                    owner.members.setdefault(target.attr, []).append(binding)
                case Function():
                    mine = self._attributes.setdefault(id(owner.node), {})
                    mine.setdefault(target.attr, []).append(binding)

    # -- expressions -------------------------------------------------------------------------------

    def origins(self, node: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the dotted names that an expression may stand for outside the submission."""
        return self._origins.of(node, scope)

    def of(self, node: ast.AST | None, scope: Scope) -> tuple[Value, ...]:
        """Return what an expression may stand for."""
        if node is None or self._depth > _MAX_DEPTH:
            return ()
        key = (id(node), id(scope))
        if key not in self._known:
            # Also the answer while the question is open: a name can be bound to itself.
            self._known[key] = ()
            self._asked.append(node)
            self._depth += 1
            found = list(dict.fromkeys(self._of(node, scope)))[:_MAX_VALUES]
            self._depth -= 1
            self._known[key] = tuple(found)
        return self._known[key]

    def _of(self, node: ast.AST, scope: Scope) -> Iterator[Value]:
        match node:
            case ast.Lambda():
                yield self.functions[id(node)]
            case ast.Name(id=name):
                for binding in self._bindings(name, node, scope):
                    yield from self._of_binding(binding)
            case ast.Attribute(value=value, attr=attr):
                for owner in self.of(value, scope):
                    yield from self.member(owner, attr)
            case ast.Call():
                yield from self._results(node, scope)
            case ast.Subscript(value=value, slice=key):
                for item, where in self._items(value, scope, key):
                    yield from self.of(item, where)
            case ast.IfExp(body=body, orelse=orelse):
                yield from (*self.of(body, scope), *self.of(orelse, scope))
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self.of(value, scope)
            case ast.NamedExpr(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                yield from self.of(value, scope)

    def _bindings(self, name: str, node: ast.AST, scope: Scope) -> list[Binding]:
        """Return what a name may be bound to where it is used.

        What stands below the use, in the scope that is used and not in one loop with it, is not yet bound.
        """
        found = scope.find(name) or self._starred(name, scope)
        line = getattr(node, "lineno", 0)
        if not line or all(b.scope is not scope or b.line <= line for b in found):
            return found
        loops = [n for n in scope.nodes if isinstance(n, ast.For | ast.AsyncFor | ast.While)]
        spans = [(n.lineno, n.end_lineno or n.lineno) for n in loops]
        return [
            b
            for b in found
            if b.scope is not scope
            or b.line <= line
            or any(start <= line and b.line <= end for start, end in spans)
        ] or found

    def _starred(self, name: str, scope: Scope) -> list[Binding]:
        modules = [self._modules[m] for m in scope.module.star_imports if m in self._modules]
        return [binding for module in modules for binding in module.scope.bindings.get(name, [])]

    def _of_binding(self, binding: Binding) -> Iterator[Value]:
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
                yield from self._annotated(binding.annotation, binding.scope)
            case Bound.ITEM if node is not None:
                for item, where in self._items(node, binding.scope):
                    yield from self.of(item, where)
            case Bound.PARAMETER if isinstance(node, ast.arg):
                yield from self._parameter(node, binding)

    def _imported(self, origin: str) -> Iterator[Value]:
        module, _, name = origin.partition(".")
        if module not in self._modules:
            return
        if not name:
            yield Sibling(module)
            return
        for binding in self._modules[module].scope.bindings.get(name, []):
            yield from self._of_binding(binding)

    def _parameter(self, node: ast.arg, binding: Binding) -> Iterator[Value]:
        function = self.functions[id(binding.scope.node)]
        parameters = all_parameters(function.node.args)
        if function.has_self and function.owner is not None and parameters[0] is node:
            yield Instance(function.owner)
            if function.is_decorated("classmethod"):
                yield function.owner
            return
        yield Parameter(function, node.arg)
        yield from self._annotated(node.annotation, binding.scope)
        default = _default(function.node.args, node)
        yield from self.of(default, binding.scope.parent or binding.scope)

    def _annotated(self, annotation: ast.expr | None, scope: Scope) -> Iterator[Value]:
        """Yield objects of the class that an annotation names; not the items of a container."""
        match annotation:
            case ast.Constant(value=str(text)) if text.isidentifier():
                for binding in scope.find(text):
                    yield from (Instance(v) for v in self._of_binding(binding) if isinstance(v, Class))
            case ast.Name() | ast.Attribute():
                yield from (Instance(v) for v in self.of(annotation, scope) if isinstance(v, Class))
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                yield from (*self._annotated(left, scope), *self._annotated(right, scope))
            case ast.Subscript(value=value, slice=inner) if "typing.Optional" in self.origins(value, scope):
                yield from self._annotated(inner, scope)

    # -- members, items, results -------------------------------------------------------------------

    def member(self, owner: Value, attr: str) -> Iterator[Value]:
        """Yield what an attribute of a value may stand for."""
        match owner:
            case Sibling(name=name):
                yield from self._imported(f"{name}.{attr}")
            case Function():
                for binding in self._attributes.get(id(owner.node), {}).get(attr, []):
                    yield from self._of_binding(binding)
                if attr in _PASS_THROUGH:
                    yield owner
            case Instance(of=made):
                if attr == "__class__":
                    yield from (made, owner)
                for member in self.methods(owner, attr):
                    yield from self._returned(member) if member.is_property else (member,)
                for binding in (*inherited(made, attr), *overriding(made, attr)):
                    if binding.kind is not Bound.FUNCTION:
                        yield from self._of_binding(binding)
            case Class():
                # Called by its class's name a method is that one, whatever derived classes have.
                for binding in inherited(owner, attr):
                    yield from self._of_binding(binding)
            case Parent():
                for member in self.methods(owner, attr):
                    yield from self._returned(member) if member.is_property else (member,)

    def methods(self, owner: Instance | Parent, name: str) -> list[Function]:
        """Return the methods of that name which an object may have; of `super()`, the inherited ones."""
        if isinstance(owner, Parent):
            found = [binding for base in owner.of.bases for binding in inherited(base, name)]
        else:
            found = [*inherited(owner.of, name), *overriding(owner.of, name)]
        return [self.functions[id(b.node)] for b in found if b.kind is Bound.FUNCTION]

    def _items(
        self, node: ast.AST, scope: Scope, key: ast.expr | None = None, depth: int = 0
    ) -> Iterator[tuple[ast.expr, Scope]]:
        """Yield the items of a container that is written out, or those under one key of it."""
        if depth > _MAX_DEPTH:
            return
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                number = key.value if isinstance(key, ast.Constant) else None
                exact = isinstance(number, int) and -len(items) <= number < len(items)
                yield from ((item, scope) for item in ([items[number]] if exact else items))  # type: ignore[index]
            case ast.Dict(keys=keys, values=values):
                wanted = folded(key)
                for each, value in zip(keys, values, strict=True):
                    if wanted is None or folded(each) in (wanted, None):
                        yield value, scope
            case ast.Name(id=name):
                for binding in scope.find(name):
                    if binding.kind is Bound.VALUE and binding.node is not None:
                        yield from self._items(binding.node, binding.scope, key, depth + 1)
            case ast.Attribute(value=value, attr=attr):
                for owner in self.of(value, scope):
                    if isinstance(owner, Instance | Class):
                        made = owner.of if isinstance(owner, Instance) else owner
                        for binding in inherited(made, attr):
                            if binding.kind is Bound.VALUE and binding.node is not None:
                                yield from self._items(binding.node, binding.scope, key, depth + 1)
            case ast.Call(func=func) if "builtins.globals" in self.origins(func, scope):
                yield ast.Name(id=folded(key) or "", ctx=ast.Load()), scope.module
            case ast.Call(func=ast.Attribute(value=value, attr="values" | "items" | "copy")):
                yield from self._items(value, scope, key, depth + 1)

    def _results(self, call: ast.Call, scope: Scope) -> Iterator[Value]:
        handed = [value for part in arguments_of(call) for value in self.of(part, scope)]
        for value in self.of(call.func, scope):
            match value:
                case Class():
                    yield Instance(value)
                case Function():
                    yield from self._returned(value)
                    yield from (each for each in handed if isinstance(each, Function))
        for origin in self.origins(call.func, scope):
            match origin, call.args:
                case "builtins.getattr", [owner, name, *_] if (attr := folded(name)) is not None:
                    for value in self.of(owner, scope):
                        yield from self.member(value, attr)
                case "builtins.type", [owner]:
                    for value in self.of(owner, scope):
                        yield from (value, value.of) if isinstance(value, Instance) else ()
                case "builtins.super", _:
                    made = _class_around(scope, self.classes)
                    if made is not None:
                        yield Parent(made)
                case _ if origin.startswith(_WRAPPERS):
                    yield from (each for each in handed if isinstance(each, Function))
        match call.func:
            case ast.Attribute(value=table, attr="get" | "pop" | "__getitem__") if call.args:
                for item, where in self._items(table, scope, call.args[0]):
                    yield from self.of(item, where)
            case ast.Call(func=maker) if any(o.startswith(_WRAPPERS) for o in self.origins(maker, scope)):
                # A decorator that takes arguments, such as `lru_cache(None)(walk)`.
                yield from (each for each in handed if isinstance(each, Function))

    def _returned(self, function: Function) -> Iterator[Value]:
        """Yield what a function may return, as far as that does not depend on its arguments."""
        if isinstance(function.node, ast.Lambda):
            found = self.of(function.node.body, function.scope)
        else:
            found = tuple(
                value
                for node, scope in function.scope.body()
                if isinstance(node, ast.Return)
                for value in self.of(node.value, scope)
            )
            annotation, outer = function.node.returns, function.scope.parent or function.scope
            yield from self._annotated(annotation, outer)
        yield from (value for value in found if not isinstance(value, Parameter))


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """Return the expressions that a call hands over."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _default(arguments: ast.arguments, node: ast.arg) -> ast.expr | None:
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    if node in positional:
        index = positional.index(node) - first
        return arguments.defaults[index] if index >= 0 else None
    if node in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(node)]
    return None


def _class_around(scope: Scope, classes: dict[int, Class]) -> Class | None:
    outer: Scope | None = scope
    while outer is not None:
        if id(outer.node) in classes:
            return classes[id(outer.node)]
        outer = outer.parent
    return None

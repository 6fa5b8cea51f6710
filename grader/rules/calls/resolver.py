"""Finds the functions, classes and objects of the submission that an expression stands for.

It goes by names, imports between the modules of the submission, `self`, objects that are made by the name of
their class, and one alias.  What else a value may be is `Unknown`.
"""

import ast
import builtins
from collections.abc import Iterator

from grader.rules.calls.symbols import (
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
from grader.rules.source.origins import Origins
from grader.rules.source.scopes import Binding, Bound, FunctionNode, Scope, all_parameters

_STEPS = 3
"""The most assignments and imports that are followed: an alias, of an attribute, of an imported class."""
_MOST = 32
"""The most values of one name that are followed."""
_MAKERS = frozenset({
    "builtins.list", "builtins.dict", "builtins.set", "builtins.frozenset", "builtins.tuple", "builtins.str",
    "builtins.int", "builtins.float", "builtins.bytes", "builtins.bytearray", "builtins.range",
    "builtins.sorted", "builtins.len", "builtins.open", "builtins.input", "builtins.print",
    "collections.deque", "collections.defaultdict", "collections.Counter", "collections.OrderedDict",
    "operator.attrgetter", "operator.itemgetter",
})  # fmt: skip
"""Functions that return objects of classes outside the submission."""
_ITSELF = frozenset({"__call__", "__func__", "__wrapped__", "func"})
"""Attributes of a function, or of what stands for one, that are that function."""
_WITH_TEXT = frozenset({"builtins.str"}) | {
    f"builtins.{name}"
    for name, made in vars(builtins).items()
    if isinstance(made, type) and issubclass(made, BaseException)
}
"""Classes whose `__str__` asks no `__repr__`."""
_PLAIN = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.Compare,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


class Resolver:
    """Resolves expressions in all modules of a submission.

    functions, classes: by the id of their node.
    """

    def __init__(self, modules: list[Module]) -> None:
        self._modules = {module.name: module for module in modules}
        self._origins = Origins(modules)
        self._known: dict[tuple[int, int, int], tuple[Symbol, ...]] = {}
        self.functions: dict[int, Function] = {}
        self.classes: dict[int, Class] = {}
        for module in modules:
            self._collect(module)
        for made in self.classes.values():
            self._find_bases(made)
        for module in modules:
            self._note_assigned_attributes(module)
        # Answers from before all bases and members were known.
        self._known.clear()

    def _collect(self, module: Module) -> None:
        for scope in module.scope.walk():
            within = self.classes.get(id(scope.parent.node)) if scope.parent else None
            if isinstance(scope.node, ast.ClassDef):
                members = {name: list(bound) for name, bound in scope.bindings.items()}
                self.classes[id(scope.node)] = Class(scope, members)
            elif isinstance(scope.node, FunctionNode):
                self.functions[id(scope.node)] = Function(module, scope.node, scope, within)

    def _find_bases(self, made: Class) -> None:
        assert isinstance(made.scope.node, ast.ClassDef)
        for base in made.scope.node.bases:
            for value in self.of(base, made.scope.parent or made.scope):
                if isinstance(value, Class) and value is not made:
                    made.bases.append(value)
                    value.subclasses.append(made)

    def _note_assigned_attributes(self, module: Module) -> None:
        """Note `self.step = walk` and `Solver.step = walk`."""
        for scope in module.scope.walk():
            for node in scope.nodes:
                if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                    continue
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Attribute):
                        binding = Binding(Bound.VALUE, scope, target.lineno, node.value)
                        for owner in self.of(target.value, scope):
                            made = owner.of if isinstance(owner, Instance) else owner
                            if isinstance(made, Class):
                                made.members.setdefault(target.attr, []).append(binding)

    def origins(self, node: ast.AST, scope: Scope) -> frozenset[str]:
        """Return the dotted names that an expression may stand for outside the submission."""
        return self._origins.of(node, scope)

    def of(self, node: ast.AST, scope: Scope, steps: int = _STEPS) -> tuple[Symbol, ...]:
        """Return the symbols that an expression may stand for; none if it is not of the submission."""
        key = (id(node), id(scope), steps)
        if key not in self._known:
            self._known[key] = tuple(dict.fromkeys(self._of(node, scope, steps)))
        return self._known[key]

    def _of(self, node: ast.AST, scope: Scope, steps: int) -> Iterator[Symbol]:
        match node:
            case ast.Lambda():
                yield self.functions[id(node)]
            case ast.Name(id=name):
                bindings = scope.find(name) or self._starred(name, scope)
                if not bindings and not scope.module.star_imports and not hasattr(builtins, name):
                    # `globals()` or another module may set it.
                    yield Unknown()
                # A binding below its use is Unknown: in a loop it may hold already.
                above = [b for b in bindings[:_MOST] if b.scope is not scope or b.line <= node.lineno]
                if len(above) < len(bindings):
                    yield Unknown()
                for binding in above:
                    yield from self.of_binding(binding, steps)
            case ast.Attribute(value=value, attr=attr):
                for owner in self.of(value, scope, steps):
                    yield from self._member(owner, attr, steps)
            case _ if siblings := self.origins(node, scope) & self._modules.keys():
                # `import_module("one")`, `sys.modules["one"]`
                yield from map(Sibling, sorted(siblings))
            case ast.Call(func=func):
                callees, origins = self.of(func, scope, steps), self.origins(func, scope)
                made = [Instance(callee) for callee in callees if isinstance(callee, Class)]
                yield from made
                if "builtins.super" in origins:
                    yield from self._parent(scope)
                elif "builtins.type" in origins and len(node.args) == 1:
                    objects = self.of(node.args[0], scope, steps)
                    yield from (each.of if isinstance(each, Instance) else Unknown() for each in objects)
                elif len(made) < len(callees) or not (made or (origins and origins <= _MAKERS)):
                    yield Unknown()
            case ast.IfExp(body=body, orelse=orelse):
                yield from (*self.of(body, scope, steps), *self.of(orelse, scope, steps))
            case ast.BoolOp(values=values):
                for value in values:
                    yield from self.of(value, scope, steps)
            case _ if not isinstance(node, _PLAIN):
                yield Unknown()

    def _starred(self, name: str, scope: Scope) -> list[Binding]:
        modules = [self._modules[m] for m in scope.module.star_imports if m in self._modules]
        return [binding for module in modules for binding in module.scope.bindings.get(name, [])]

    def of_binding(self, binding: Binding, steps: int = _STEPS) -> Iterator[Symbol]:
        """Yield the symbols that one binding of a name gives it."""
        match binding.kind, binding.node:
            case Bound.FUNCTION, node:
                yield self.functions[id(node)]
            case Bound.CLASS, node:
                yield self.classes[id(node)]
            case Bound.IMPORT, _:
                yield from self._imported(binding.origin.lstrip("."), steps)
            case Bound.VALUE, ast.AST() as node if steps:
                yield from self.of(node, binding.scope, steps - 1)
            case Bound.PARAMETER, ast.arg() as node:
                yield from _of_parameter(node, self.functions[id(binding.scope.node)])
            case _:
                yield Unknown()

    def _imported(self, origin: str, steps: int) -> Iterator[Symbol]:
        module, _, name = origin.partition(".")
        if module in self._modules and not name:
            yield Sibling(module)
        elif module in self._modules and steps:
            scope = self._modules[module].scope
            bindings = scope.bindings.get(name) or self._starred(name, scope)
            if not bindings:
                yield Unknown(name)
            for binding in bindings[:_MOST]:
                yield from self.of_binding(binding, steps - 1)
        elif module in self._modules:
            yield Unknown()

    def _parent(self, scope: Scope | None) -> Iterator[Symbol]:
        while scope is not None and id(scope.node) not in self.classes:
            scope = scope.parent
        if scope is not None:
            yield Parent(self.classes[id(scope.node)])

    def _member(self, owner: Symbol, attr: str, steps: int) -> Iterator[Symbol]:
        """Yield the symbols that an attribute may stand for."""
        match owner:
            case Sibling(name=name):
                yield from self._imported(f"{name}.{attr}", steps)
            case Function():
                yield Unknown()
            case Unknown():
                yield Unknown("" if attr in _ITSELF else attr)
            case Instance(of=made) if attr == "__class__":
                yield made
            case _:
                bindings = members_of(owner, attr)
                # Another class's attribute, or one that is set from outside; `object` has the special ones.
                is_open = not bindings and not isinstance(owner, Parent) and not attr.startswith("__")
                # None has no methods: what is asked of it is asked of what takes its place.
                is_open = is_open or (bool(bindings) and all(map(_is_none, bindings)))
                if is_open or len(bindings) > _MOST:
                    yield Unknown(attr)
                for binding in bindings[:_MOST]:
                    for symbol in self.of_binding(binding, steps):
                        is_read = isinstance(symbol, Function) and symbol.is_property
                        yield Unknown() if is_read and not isinstance(owner, Class) else symbol

    def methods(self, owner: Symbol, names: str) -> list[Function]:
        """Return the methods that an object has under the first of some names that it has."""
        if isinstance(owner, Instance | Parent):
            for name in names.split():
                bindings = members_of(owner, name)
                if bindings:
                    return [self.functions[id(b.node)] for b in bindings if b.kind is Bound.FUNCTION]
                if name == "__str__" and self._has_text(owner.of):
                    return []
        return []

    def _has_text(self, made: Class) -> bool:
        """Tell whether a class has the `__str__` of texts or of exceptions, which asks no `__repr__`."""
        lineage = [made]
        for each in lineage:
            lineage += [base for base in each.bases if base not in lineage]
        bases = [(each, base) for each in lineage for base in getattr(each.scope.node, "bases", ())]
        origins = (self.origins(base, each.scope.parent or each.scope) for each, base in bases)
        return any(origin in _WITH_TEXT for found in origins for origin in found)


def _is_none(binding: Binding) -> bool:
    return isinstance(binding.node, ast.Constant) and binding.node.value is None


def _of_parameter(node: ast.arg, function: Function) -> Iterator[Symbol]:
    """Yield the object or the class that is the first parameter of a method."""
    is_first = all_parameters(function.node.args)[0] is node
    if function.owner is None or not is_first or function.is_decorated("staticmethod"):
        yield Unknown()
        return
    yield Instance(function.owner)
    if function.is_decorated("classmethod"):
        yield function.owner

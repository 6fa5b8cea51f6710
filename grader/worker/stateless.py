"""Does a module have a place to keep state between two calls?

If it provably has none, cases may share a process: nothing can pass from one to the next,
as if each had been forked from the state after import.  If there is any doubt the answer is
no, and each case gets a fork of its own; a wrong "no" costs time, a wrong "yes" would cost
isolation, so this is a list of what is known to be harmless, not of what is known to be bad.

State needs somewhere to live.  What is refused: `global`, classes, decorators, attributes that
are set, attributes that are not methods of built-in types, mutable defaults, module values
other than literals and functions, mutable module values used for anything but looking into
them, all imports but a few, and every built-in that reaches further than its arguments.
State can also hide in the interpreter.  `typing` caches what is made of its names, so those stay
in annotations; the garbage collector may run a generator's clean-up during a later case, so
there is no `try` beside a `yield`; a format string can read what no expression here may, caches
of the interpreter among it, so its fields name arguments and nothing inside them.

One thing passes all the same: where the allocator puts an object, which `repr` of a function or
an iterator prints.  It hints at what ran before, and says nothing about what is expected.

Works on the syntax tree alone, in a box of the spec's own, never beside the student's code: what
is parsed here is hostile, and parsing can be slow or bring an interpreter down.  Here is what a
module says itself; `grader.worker.stateless_functions` looks into its functions, and the lists
of names are in `grader.worker.harmless`.
"""

import ast
from importlib.util import find_spec

from grader.worker.harmless import (
    BUILTINS,
    EXPORTS,
    IN_ANNOTATIONS,
    TYPES_ONLY,
    Doubt,
    check_annotation,
    exported,
    immutable,
    literal_container,
)
from grader.worker.stateless_functions import GlobalNames


def is_stateless(texts: dict[str, str], entry: str) -> bool:
    """Whether module `entry`, and all modules of `texts` that it imports, provably keep no state.

    texts: source by module name.  A module that does not parse is not stateless.
    """
    siblings = frozenset(texts)
    waiting, trees = [entry], dict[str, ast.Module]()
    try:
        while waiting:
            name = waiting.pop()
            if not name.isidentifier() or find_spec(name) is not None:
                # The interpreter's own module of that name would be imported, not this text.
                return False
            trees[name] = ast.parse(texts[name])
            fresh = _sibling_imports(trees[name], siblings) - trees.keys() - {*waiting}
            waiting += sorted(fresh)
        for tree in trees.values():
            _Examination(tree, trees).run()
    except (Doubt, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _sibling_imports(tree: ast.Module, siblings: frozenset[str]) -> frozenset[str]:
    """The submission's own modules that a module imports; `run` sees to where imports stand."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return frozenset(found & siblings)


class _Examination:
    """One pass over the module's own statements, then one over each function."""

    def __init__(self, tree: ast.Module, siblings: dict[str, ast.Module]) -> None:
        self._tree = tree
        self._siblings = siblings
        self._names = GlobalNames(siblings)
        self._functions: list[ast.FunctionDef | ast.Lambda] = []

    def run(self) -> None:
        for statement in self._tree.body:
            self._module_statement(statement)
        for function in self._functions:
            self._names.check(function)

    def _module_statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Import():
                for alias in node.names:
                    self._import(alias)
            case ast.ImportFrom(module=str(module), level=0):
                for alias in node.names:
                    self._import_from(module, alias)
            case ast.FunctionDef(decorator_list=[]):
                self._bind(node.name, self._names.free)
                self._functions.append(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._value(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                check_annotation(node.annotation)
                self._value(name, value)
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id="__name__"),
                    ops=[ast.Eq()],
                    comparators=[ast.Constant(value="__main__")],
                ),
                orelse=[],
            ):
                return
            case _:
                raise Doubt

    def _bind(self, name: str, kind: set[str]) -> None:
        names = self._names
        if name in names.free or name in names.guarded() or name in BUILTINS or name.startswith("__"):
            raise Doubt
        kind.add(name)

    def _import(self, alias: ast.alias) -> None:
        if alias.name not in self._siblings and alias.name not in EXPORTS:
            raise Doubt
        name = alias.asname or alias.name
        if "." in name:
            raise Doubt
        self._bind(name, set())
        self._names.modules[name] = alias.name

    def _import_from(self, module: str, alias: ast.alias) -> None:
        name = alias.asname or alias.name
        if module in self._siblings and module not in EXPORTS:
            if alias.name == "*" or alias.name.startswith("_"):
                raise Doubt
            match _definition(self._siblings[module], alias.name):
                case ast.FunctionDef() | ast.Lambda():
                    self._bind(name, self._names.free)
                case ast.expr() as value if immutable(value):
                    self._bind(name, self._names.free)
                case ast.expr() as value if literal_container(value):
                    self._bind(name, self._names.look_only)
                case _:
                    self._bind(name, self._names.types_only)
            return
        if not exported(module, alias.name):
            raise Doubt
        self._bind(name, self._names.types_only if module in TYPES_ONLY else self._names.free)

    def _value(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Lambda):
            self._bind(name, self._names.free)
            self._functions.append(value)
        elif immutable(value):
            self._bind(name, self._names.free)
        elif literal_container(value):
            self._bind(name, self._names.look_only)
        elif all(isinstance(node, IN_ANNOTATIONS) for node in ast.walk(value)) and isinstance(
            value, (ast.Subscript, ast.BinOp)
        ):
            self._type_alias(name, value)
        else:
            raise Doubt

    def _type_alias(self, name: str, value: ast.expr) -> None:
        """`Position = tuple[int, int]`: an alias holds no state as long as nothing but types is in it."""
        types = {"int", "str", "float", "bool", "list", "tuple", "dict", "set", "frozenset", "None"}
        if any(isinstance(node, ast.Attribute) for node in ast.walk(value)):
            raise Doubt
        used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - types
        if not used <= self._names.free | self._names.types_only:
            raise Doubt
        self._bind(name, self._names.types_only if used & self._names.types_only else self._names.free)


def _definition(tree: ast.Module, name: str) -> ast.FunctionDef | ast.expr | None:
    """What a module binds `name` to, as a function or a value; None where it took it from elsewhere."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=defined) if defined == name:
                return node
            case (
                ast.Assign(targets=[ast.Name(id=defined)], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name(id=defined), value=ast.expr() as value)
            ) if defined == name:
                return value
    return None

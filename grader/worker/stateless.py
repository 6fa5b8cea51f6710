"""Does a module have a place to keep state between two calls?

If it provably has none, cases may share a process: nothing can pass from one to the next,
as if each had been forked from the state after import.  If there is any doubt the answer is
no, and each case gets a fork of its own; a wrong "no" costs time, a wrong "yes" would cost
isolation, so this is a list of what is known to be harmless, not of what is known to be bad.

State needs somewhere to live.  What is refused: `global`, classes, decorators, attributes that
are set, attributes that are not methods of built-in types, mutable defaults, module values
other than literals and functions, mutable module values used for anything but looking into
them, all imports but a few, and every built-in that reaches further than its arguments.

Works on the syntax tree alone, in a box of the spec's own, never beside the student's code: what
is parsed here is hostile, and parsing can be slow or bring an interpreter down.
"""

import ast
import builtins
from collections import Counter, deque


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EXPORTS: dict[str, frozenset[str] | None] = {
    "__future__": None,
    "bisect": None,
    "heapq": None,
    "itertools": None,
    "math": None,
    "collections": _words("deque Counter defaultdict OrderedDict namedtuple"),
    "copy": _words("copy deepcopy"),
    "fractions": _words("Fraction"),
    "functools": _words("reduce partial cmp_to_key"),
    "operator": _words("itemgetter add sub mul mod floordiv truediv neg lt le eq ne gt ge"),
    "collections.abc": _words("Callable Iterable Iterator Generator Sequence Mapping"),
    "typing": _words(
        "Any Callable Dict FrozenSet Generator Iterable Iterator List Literal Mapping Optional "
        "Sequence Set Tuple TypeAlias Union"
    ),
}
"""Modules that keep no state, and what may be taken from them; None: every public name."""

_BUILTINS = _words(
    "abs all any bin bool bytes chr complex dict divmod enumerate filter float frozenset hex int "
    "isinstance issubclass iter len list map max min next oct ord pow print range repr reversed "
    "round set slice sorted str sum tuple zip True False None NotImplemented "
    "ArithmeticError AssertionError AttributeError Exception IndexError KeyError LookupError "
    "NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError "
    "ValueError ZeroDivisionError"
)
_READERS = _words("len enumerate zip sorted min max sum any all list tuple set frozenset reversed map filter")
"""Built-ins that look into an argument and hand out only its items."""

_METHODS = frozenset(
    name
    for kind in (list, dict, set, frozenset, tuple, str, bytes, int, float, complex, deque, Counter)
    for name in dir(kind)
    if not name.startswith("_")
)
_REFUSED = (
    ast.Import, ast.ImportFrom, ast.Global, ast.ClassDef, ast.AsyncFunctionDef, ast.Await,
    ast.AsyncFor, ast.AsyncWith, ast.With, ast.MatchClass,
)  # fmt: skip
_IN_ANNOTATIONS = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp,
    ast.BitOr, ast.Load,
)  # fmt: skip


class _Doubt(Exception):
    """Something that is not known to be harmless."""


def is_stateless(texts: dict[str, str], entry: str) -> bool:
    """Whether module `entry`, and all modules of `texts` that it imports, provably keep no state.

    texts: source by module name.  A module that does not parse is not stateless.
    """
    siblings = frozenset(texts)
    waiting, seen = [entry], {entry}
    while waiting:
        try:
            tree = ast.parse(texts[waiting.pop()])
            _Examination(tree, siblings).run()
        except (_Doubt, SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        fresh = _sibling_imports(tree, siblings) - seen
        seen |= fresh
        waiting += sorted(fresh)
    return True


def _sibling_imports(tree: ast.Module, siblings: frozenset[str]) -> frozenset[str]:
    """The submission's own modules that a module imports; `run` has seen to where imports stand."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return frozenset(found & siblings)


class _Examination:
    """One pass over the module's own statements, then one over each function."""

    def __init__(self, tree: ast.Module, siblings: frozenset[str]) -> None:
        self._tree = tree
        self._siblings = siblings
        self._free: set[str] = set()
        """Global names that may be used in any way: functions, immutable values."""
        self._look_only: set[str] = set()
        """Global names of mutable values: only to be looked into."""
        self._call_only: set[str] = set()
        """Names from sibling modules: only to be called, or looked into."""
        self._modules: dict[str, str] = {}
        self._functions: list[ast.FunctionDef | ast.Lambda] = []

    def run(self) -> None:
        for statement in self._tree.body:
            self._module_statement(statement)
        for function in self._functions:
            self._function(function)

    # -- the module's own statements -----------------------------------------------------------

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
                self._bind(node.name, self._free)
                self._functions.append(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._value(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                _check_annotation(node.annotation)
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
                raise _Doubt

    def _bind(self, name: str, kind: set[str]) -> None:
        known = self._free | self._look_only | self._call_only | self._modules.keys()
        if name in known or name in _READERS or name.startswith("__"):
            raise _Doubt
        kind.add(name)

    def _import(self, alias: ast.alias) -> None:
        if alias.name not in self._siblings and alias.name not in _EXPORTS:
            raise _Doubt
        name = alias.asname or alias.name
        if "." in name:
            raise _Doubt
        self._bind(name, set())
        self._modules[name] = alias.name

    def _import_from(self, module: str, alias: ast.alias) -> None:
        name = alias.asname or alias.name
        if module in self._siblings and module not in _EXPORTS:
            if alias.name == "*" or alias.name.startswith("_"):
                raise _Doubt
            self._bind(name, self._call_only)
            return
        if not _exported(module, alias.name):
            raise _Doubt
        self._bind(name, self._free)

    def _value(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Lambda):
            self._bind(name, self._free)
            self._functions.append(value)
        elif _immutable(value):
            self._bind(name, self._free)
        elif _literal_container(value):
            self._bind(name, self._look_only)
        elif all(isinstance(node, _IN_ANNOTATIONS) for node in ast.walk(value)) and isinstance(
            value, (ast.Subscript, ast.BinOp)
        ):
            self._type_alias(name, value)
        else:
            raise _Doubt

    def _type_alias(self, name: str, value: ast.expr) -> None:
        """`Position = tuple[int, int]`: an alias holds no state as long as nothing but types is in it."""
        types = {"int", "str", "float", "bool", "list", "tuple", "dict", "set", "frozenset", "None"}
        for node in ast.walk(value):
            if isinstance(node, ast.Name) and node.id not in types | self._free:
                raise _Doubt
            if isinstance(node, ast.Attribute):
                raise _Doubt
        self._bind(name, self._free)

    # -- functions -----------------------------------------------------------------------------

    def _function(self, function: ast.FunctionDef | ast.Lambda) -> None:
        parents: dict[ast.AST, ast.AST] = {}
        bound = _bound_names(function)
        stack: list[ast.AST] = [function]
        while stack:
            node = stack.pop()
            self._check(node, parents, bound)
            for child in _evaluated_children(node):
                parents[child] = node
                stack.append(child)

    def _check(self, node: ast.AST, parents: dict[ast.AST, ast.AST], bound: frozenset[str]) -> None:
        if isinstance(node, _REFUSED):
            raise _Doubt
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            if getattr(node, "decorator_list", []):
                raise _Doubt
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            if not all(map(_immutable, defaults)):
                raise _Doubt
        elif isinstance(node, ast.Attribute):
            self._check_attribute(node)
        elif isinstance(node, ast.Name):
            self._check_name(node, parents, bound)

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_"):
            raise _Doubt
        module = self._modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if module is None:
            if node.attr not in _METHODS:
                raise _Doubt
        elif module in self._siblings or not _exported(module, node.attr):
            raise _Doubt

    def _check_name(self, node: ast.Name, parents: dict[ast.AST, ast.AST], bound: frozenset[str]) -> None:
        name = node.id
        if name in _READERS and name in bound:
            raise _Doubt
        if not isinstance(node.ctx, ast.Load):
            return
        if hasattr(builtins, name) and name not in _BUILTINS:
            raise _Doubt
        if name.startswith("__"):
            raise _Doubt
        if name in bound and name not in self._look_only | self._call_only | self._modules.keys():
            return
        if name in self._free or name in _BUILTINS:
            return
        parent = parents[node]
        if name in self._modules and isinstance(parent, ast.Attribute):
            return
        if name in self._call_only and isinstance(parent, ast.Call) and parent.func is node:
            return
        if name in self._look_only | self._call_only and _only_looks(node, parent):
            return
        raise _Doubt


def _only_looks(node: ast.Name, parent: ast.AST) -> bool:
    """Whether `parent` does no more with the value of `node` than look into it."""
    match parent:
        case ast.For(iter=place) | ast.comprehension(iter=place):
            return place is node
        case ast.Subscript(value=place, ctx=ast.Load()):
            return place is node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[place]):
            return place is node
        case ast.Call(func=ast.Name(id=function), keywords=[]):
            return function in _READERS and parent.func is not node
    return False


def _evaluated_children(node: ast.AST) -> list[ast.AST]:
    """The children of `node`, without annotations, which the import has evaluated already.

    Annotations of local names and of nested functions are evaluated late or never; they are checked.
    """
    if isinstance(node, ast.FunctionDef):
        arguments = node.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
                         arguments.vararg, arguments.kwarg]:  # fmt: skip
            if argument is not None and argument.annotation is not None:
                _check_annotation(argument.annotation)
        if node.returns is not None:
            _check_annotation(node.returns)
        return [*arguments.defaults, *filter(None, arguments.kw_defaults), *node.body]
    if isinstance(node, ast.AnnAssign):
        _check_annotation(node.annotation)
        return [node.target, *([node.value] if node.value else [])]
    return list(ast.iter_child_nodes(node))


def _check_annotation(annotation: ast.expr) -> None:
    if not all(isinstance(node, _IN_ANNOTATIONS) for node in ast.walk(annotation)):
        raise _Doubt


def _bound_names(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """Every name that is bound anywhere inside `function`, nested functions included."""
    names: set[str | None] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) if node is not function:
                names.add(name)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
                names.add(node.name)
            case ast.MatchMapping():
                names.add(node.rest)
    return frozenset(name for name in names if name)


def _immutable(node: ast.expr) -> bool:
    """Whether `node` is a literal of immutable values all through."""
    match node:
        case ast.Constant():
            return True
        case ast.Tuple():
            return all(map(_immutable, node.elts))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
            return _immutable(node.operand)
        case ast.BinOp():
            return _immutable(node.left) and _immutable(node.right)
    return False


def _literal_container(node: ast.expr) -> bool:
    """Whether `node` is a list, set or dict display of immutable literals."""
    if isinstance(node, ast.Dict):
        return all(key is not None and _immutable(key) for key in node.keys) and all(
            map(_immutable, node.values)
        )
    return isinstance(node, (ast.List, ast.Set)) and all(map(_immutable, node.elts))


def _exported(module: str, name: str) -> bool:
    """Whether `name` may be taken from `module`."""
    if module not in _EXPORTS or name.startswith("_") or name == "*":
        return False
    names = _EXPORTS[module]
    return names is None or name in names

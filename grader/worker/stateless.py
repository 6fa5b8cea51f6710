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
is parsed here is hostile, and parsing can be slow or bring an interpreter down.
"""

import ast
import builtins
from collections import Counter, deque
from importlib.util import find_spec
from string import Formatter


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
_READERS = _words("len enumerate zip sorted any all list tuple set frozenset reversed map filter")
"""Built-ins that look into an argument and hand out only its items."""
_CHOOSERS = _words("min max sum")
"""Built-ins that do the same with a single argument; of several they may hand out one itself."""
_TYPES_ONLY = _words("typing")
"""Modules whose names belong into annotations: they cache what is made of them."""

_METHODS = frozenset(
    name
    for kind in (list, dict, set, frozenset, tuple, str, bytes, int, float, complex, deque, Counter)
    for name in dir(kind)
    if not name.startswith("_")
) - {"format_map"}
"""What may be asked of a value.  `format` is looked at more closely."""
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.FunctionDef: ("args", "body"),
    ast.Lambda: ("args", "body"),
    ast.arguments: ("defaults", "kw_defaults"),
    ast.Return: ("value",),
    ast.Delete: ("targets",),
    ast.Assign: ("targets", "value"),
    ast.AugAssign: ("target", "value"),
    ast.AnnAssign: ("target", "value"),
    ast.For: ("target", "iter", "body", "orelse"),
    ast.While: ("test", "body", "orelse"),
    ast.If: ("test", "body", "orelse"),
    ast.Raise: ("exc", "cause"),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("type", "body"),
    ast.Assert: ("test", "msg"),
    ast.Expr: ("value",),
    ast.Nonlocal: (),
    ast.Pass: (),
    ast.Break: (),
    ast.Continue: (),
    ast.Match: ("subject", "cases"),
    ast.match_case: ("pattern", "guard", "body"),
    ast.MatchValue: ("value",),
    ast.MatchSingleton: (),
    ast.MatchSequence: ("patterns",),
    ast.MatchMapping: ("keys", "patterns"),
    ast.MatchStar: (),
    ast.MatchAs: ("pattern",),
    ast.MatchOr: ("patterns",),
    ast.BoolOp: ("values",),
    ast.NamedExpr: ("target", "value"),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.IfExp: ("test", "body", "orelse"),
    ast.Compare: ("left", "comparators"),
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.FormattedValue: ("value", "format_spec"),
    ast.JoinedStr: ("values",),
    ast.Constant: (),
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.Name: (),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
    ast.Set: ("elts",),
    ast.Dict: ("keys", "values"),
    ast.ListComp: ("elt", "generators"),
    ast.SetComp: ("elt", "generators"),
    ast.DictComp: ("key", "value", "generators"),
    ast.GeneratorExp: ("elt", "generators"),
    ast.comprehension: ("target", "iter", "ifs"),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
}
"""What may stand in a function, and which of its parts are evaluated when it runs."""

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
    except (_Doubt, SyntaxError, ValueError, RecursionError, MemoryError):
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
        self._free: set[str] = set()
        """Global names that may be used in any way: functions, immutable values."""
        self._look_only: set[str] = set()
        """Global names of mutable values: only to be looked into."""
        self._types_only: set[str] = set()
        """Global names that may stand in annotations and aliases, not in the body of a function."""
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
        if name in self._free or name in self._guarded() or name in _BUILTINS or name.startswith("__"):
            raise _Doubt
        kind.add(name)

    def _guarded(self) -> set[str]:
        """Global names that may be used in some ways only."""
        return self._look_only | self._types_only | self._modules.keys()

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
            match _definition(self._siblings[module], alias.name):
                case ast.FunctionDef() | ast.Lambda():
                    self._bind(name, self._free)
                case ast.expr() as value if _immutable(value):
                    self._bind(name, self._free)
                case ast.expr() as value if _literal_container(value):
                    self._bind(name, self._look_only)
                case _:
                    self._bind(name, self._types_only)
            return
        if not _exported(module, alias.name):
            raise _Doubt
        self._bind(name, self._types_only if module in _TYPES_ONLY else self._free)

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
        if any(isinstance(node, ast.Attribute) for node in ast.walk(value)):
            raise _Doubt
        used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - types
        if not used <= self._free | self._types_only:
            raise _Doubt
        self._bind(name, self._types_only if used & self._types_only else self._free)

    # -- functions -----------------------------------------------------------------------------

    def _function(self, function: ast.FunctionDef | ast.Lambda) -> None:
        found = _Body(function)
        for attribute in found.attributes:
            self._check_attribute(attribute)
        for name, parent in found.loads:
            self._check_name(name, parent, found.bound)
        # A module's or a reader's name that means something else here would be taken for it.
        if found.bound & (_READERS | _CHOOSERS | self._modules.keys()):
            raise _Doubt
        if found.can_clean_up and found.is_generator:
            raise _Doubt

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_"):
            raise _Doubt
        module = self._modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if module is None:
            if node.attr not in _METHODS or (node.attr == "format" and not _plain_format(node.value)):
                raise _Doubt
        elif module in self._siblings or module in _TYPES_ONLY or not _exported(module, node.attr):
            raise _Doubt

    def _check_name(self, node: ast.Name, parent: ast.AST, bound: set[str]) -> None:
        name = node.id
        if name in _BUILTINS or name in self._free:
            return
        if hasattr(builtins, name) or name.startswith("__"):
            raise _Doubt
        if name in bound and name not in self._guarded():
            return
        if name in self._modules and isinstance(parent, ast.Attribute):
            return
        if name in self._look_only and _only_looks(node, parent):
            return
        raise _Doubt


class _Body:
    """What a function consists of, nested functions included.

    bound: names that are bound anywhere in it.  loads: names that are read, with what they are
    a part of.  attributes: every attribute.  is_generator: something yields.  can_clean_up: there
    is a `try`.  Raises `_Doubt` at what is not in `_PARTS`.
    """

    def __init__(self, function: ast.FunctionDef | ast.Lambda) -> None:
        self.bound: set[str] = set()
        self.loads: list[tuple[ast.Name, ast.AST]] = []
        self.attributes: list[ast.Attribute] = []
        self.is_generator = self.can_clean_up = False
        waiting: list[tuple[ast.AST, ast.AST]] = [(function, function)]
        while waiting:
            node, parent = waiting.pop()
            kind = type(node)
            if kind is ast.Name:
                self._name(node, parent)  # type: ignore[arg-type]
                continue
            parts = _PARTS.get(kind)
            if parts is None:
                raise _Doubt
            if kind in _CLOSER_LOOK:
                self._look_closer(node, is_outermost=node is function)
            for part in parts:
                value = getattr(node, part)
                if type(value) is list:
                    waiting += [(item, node) for item in value if item is not None]
                elif value is not None:
                    waiting.append((value, node))

    def _name(self, node: ast.Name, parent: ast.AST) -> None:
        if type(node.ctx) is ast.Load:
            self.loads.append((node, parent))
        else:
            self.bound.add(node.id)

    def _look_closer(self, node: ast.AST, *, is_outermost: bool) -> None:
        match node:
            case ast.Attribute():
                self.attributes.append(node)
            case ast.Yield() | ast.YieldFrom():
                self.is_generator = True
            case ast.Try():
                self.can_clean_up = True
            case ast.FunctionDef(name=name):
                if node.decorator_list or getattr(node, "type_params", []):
                    raise _Doubt
                if not is_outermost:
                    self.bound.add(name)
                if node.returns is not None:
                    _check_annotation(node.returns)
            case ast.arguments():
                self._arguments(node)
            case ast.AnnAssign():
                _check_annotation(node.annotation)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                self.bound.add(name)
            case ast.MatchMapping(rest=str(rest)):
                self.bound.add(rest)

    def _arguments(self, node: ast.arguments) -> None:
        if not all(_immutable(default) for default in (*node.defaults, *node.kw_defaults) if default):
            raise _Doubt
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
            if argument is not None:
                self.bound.add(argument.arg)
                if argument.annotation is not None:
                    _check_annotation(argument.annotation)


_CLOSER_LOOK = frozenset({
    ast.Attribute, ast.FunctionDef, ast.arguments, ast.AnnAssign, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.MatchMapping, ast.Try, ast.Yield, ast.YieldFrom,
})  # fmt: skip


def _only_looks(node: ast.Name, parent: ast.AST) -> bool:
    """Whether `parent` does no more with the value of `node` than look into it."""
    match parent:
        case ast.For(iter=place) | ast.comprehension(iter=place):
            return place is node
        case ast.Subscript(value=place, ctx=ast.Load()):
            return place is node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[place]):
            return place is node
        case ast.Call(func=ast.Name(id=function), args=[first, *others], keywords=[]):
            if function in _CHOOSERS:
                return first is node and (function == "sum" or not others)
            return function in _READERS and parent.func is not node
    return False


def _plain_format(node: ast.expr) -> bool:
    """Whether `node` is a text to format whose fields name arguments and nothing inside them."""
    match node:
        case ast.Constant(value=str(text)):
            fields = [
                (field, spec or "") for _, field, spec, _ in Formatter().parse(text) if field is not None
            ]
            return not any("." in part or "[" in part or "{" in spec for part, spec in fields)
    return False


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


def _check_annotation(annotation: ast.expr) -> None:
    if not all(isinstance(node, _IN_ANNOTATIONS) for node in ast.walk(annotation)):
        raise _Doubt


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

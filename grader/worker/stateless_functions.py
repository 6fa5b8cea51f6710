"""Does a function have a place to keep state between two calls?

One pass over its syntax, nested functions included, and one over the names and attributes in it.
What is refused, and why, is told in `grader.worker.stateless`, which also finds out what the global
names of the module stand for.
"""

import ast
import builtins
from collections.abc import Container
from string import Formatter

from grader.worker.harmless import (
    BUILTINS,
    CHOOSERS,
    METHODS,
    READERS,
    TYPES_ONLY,
    Doubt,
    check_annotation,
    exported,
    immutable,
)

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


class GlobalNames:
    """The global names of a module, by what its functions may do with them; checks that they do no more.

    siblings: names of the submission's own modules.
    """

    def __init__(self, siblings: Container[str]) -> None:
        self._siblings = siblings
        self.free: set[str] = set()
        """Global names that may be used in any way: functions, immutable values."""
        self.look_only: set[str] = set()
        """Global names of mutable values: only to be looked into."""
        self.types_only: set[str] = set()
        """Global names that may stand in annotations and aliases, not in the body of a function."""
        self.modules: dict[str, str] = {}
        """Modules by the global name that they have here."""

    def guarded(self) -> set[str]:
        """Global names that may be used in some ways only."""
        return self.look_only | self.types_only | self.modules.keys()

    def check(self, function: ast.FunctionDef | ast.Lambda) -> None:
        """Raise `Doubt` unless the function is known to be harmless."""
        found = _Body(function)
        for attribute in found.attributes:
            self._check_attribute(attribute)
        for name, parent in found.loads:
            self._check_name(name, parent, found.bound)
        # A module's or a reader's name that means something else here would be taken for it.
        if found.bound & (READERS | CHOOSERS | self.modules.keys()):
            raise Doubt
        if found.can_clean_up and found.is_generator:
            raise Doubt

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_"):
            raise Doubt
        module = self.modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if module is None:
            if node.attr not in METHODS or (node.attr == "format" and not _plain_format(node.value)):
                raise Doubt
        elif module in self._siblings or module in TYPES_ONLY or not exported(module, node.attr):
            raise Doubt

    def _check_name(self, node: ast.Name, parent: ast.AST, bound: set[str]) -> None:
        name = node.id
        if name in BUILTINS or name in self.free:
            return
        if hasattr(builtins, name) or name.startswith("__"):
            raise Doubt
        if name in bound and name not in self.guarded():
            return
        if name in self.modules and isinstance(parent, ast.Attribute):
            return
        if name in self.look_only and _only_looks(node, parent):
            return
        raise Doubt


class _Body:
    """What a function consists of, nested functions included.

    bound: names that are bound anywhere in it.  loads: names that are read, with what they are
    a part of.  attributes: every attribute.  is_generator: something yields.  can_clean_up: there
    is a `try`.  Raises `Doubt` at what is not in `_PARTS`.
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
                raise Doubt
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
                    raise Doubt
                if not is_outermost:
                    self.bound.add(name)
                if node.returns is not None:
                    check_annotation(node.returns)
            case ast.arguments():
                self._arguments(node)
            case ast.AnnAssign():
                check_annotation(node.annotation)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                self.bound.add(name)
            case ast.MatchMapping(rest=str(rest)):
                self.bound.add(rest)

    def _arguments(self, node: ast.arguments) -> None:
        if not all(immutable(default) for default in (*node.defaults, *node.kw_defaults) if default):
            raise Doubt
        for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
            if argument is not None:
                self.bound.add(argument.arg)
                if argument.annotation is not None:
                    check_annotation(argument.annotation)


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
            if function in CHOOSERS:
                return first is node and (function == "sum" or not others)
            return function in READERS and parent.func is not node
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

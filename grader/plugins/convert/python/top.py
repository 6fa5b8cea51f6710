"""What the top of a file, or the body of a class, may do before all tests, besides giving names to values.

It counts if it may reach the student's module, or Python itself.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator

from grader.plugins.convert.python.imports import Imported, imported_by, imports_in
from grader.plugins.convert.python.names import bound_at_any_depth, bound_by, root_of
from grader.plugins.convert.python.reaching import (
    CHANGING,
    is_reached_by_method,
    is_reached_by_name,
    is_reached_by_package,
    is_shared,
    only_reads,
)
from grader.plugins.convert.python.top_scope import scope_of

_KEEPING = {"staticmethod", "classmethod", "property"}
_KEEPING_PARTS = ("pytest.mark.", "pytest.param", "unittest.mock.")
_LOOKING = {"hasattr", "callable", "isinstance", "issubclass"}
_ENDING = {"pytest.skip", "pytest.fail"}
_SETTINGS = {"maxDiff", "longMessage"}
_OWN_TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
_Own = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def effects(tree: ast.Module, program: str = "") -> Iterator[int]:
    """Yield the lines at the top of a file that may do something beside giving names to values.

    program: the student's module, if no other module may be imported; what its import does is the student's
    own.
    """
    return _Top(tree, program).effects(tree.body)


class _Top:
    """Reads the statements at the top of a file, or of a class."""

    def __init__(self, tree: ast.Module, program: str) -> None:
        self._program = program
        self._scope = scope_of(tree)
        self._students = {each.name for each in imports_in(tree) if not each.is_foreign}
        self._own: dict[str, list[_Own]] = {}
        self._shared: set[str] = set()
        """Names for what is Python's, and no value of the file's own."""
        self._containers: set[str] = set()
        self._looked_at: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._learn(node)

    def _learn(self, statement: ast.stmt) -> None:
        # A name for something of the student's is the student's too.
        if self._is_students(statement):
            self._students |= {*bound_by([statement])}
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self._own.setdefault(name, []).append(statement)
            case ast.Assign(targets=targets, value=ast.Lambda() as function):
                for name in bound_by(targets):
                    self._own.setdefault(name, []).append(function)
            case ast.Assign(targets=targets, value=ast.Name() | ast.Attribute() as value):
                root = root_of(value)
                if is_shared(self._scope.stands_for(value)) or root in self._shared:
                    self._shared |= {*bound_by(targets)}
            case ast.Assign(targets=targets, value=value) if isinstance(value, _DISPLAYS):
                self._containers |= {*bound_by(targets)}

    def effects(self, body: Iterable[ast.stmt], *, may_end: bool = False) -> Iterator[int]:
        """Yield the lines of statements.  may_end: they may leave out the tests for an odd environment."""
        for each in body:
            inner: list[ast.stmt] = []
            match each:
                case ast.Import() | ast.ImportFrom():
                    calm = all(map(self._is_known, imported_by(each)))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    given = [*each.args.defaults, *filter(None, each.args.kw_defaults)]
                    calm = all(map(self._is_calm, given)) and all(map(self._decorates, each.decorator_list))
                case ast.ClassDef():
                    calm = not any(self._is_students(one.value) for one in each.keywords)
                    calm = calm and all(map(self._is_calm, each.bases))
                    calm = calm and all(map(self._decorates, each.decorator_list))
                    inner = each.body
                case ast.If(
                    test=ast.Compare(
                        left=ast.Name(id="__name__"),
                        ops=[ast.Eq()],
                        comparators=[ast.Constant(value="__main__")],
                    )
                ):
                    calm, inner = True, each.orelse
                case ast.If(test=test):
                    calm = self._is_calm(test)
                    yield from self.effects(
                        each.body, may_end=may_end or "sys.version_info" in ast.unparse(test)
                    )
                    inner = each.orelse
                case ast.While(test=test):
                    calm, inner = self._is_calm(test), [*each.body, *each.orelse]
                case ast.For(target=target, iter=items):
                    calm = self._is_own(target) and self._is_calm(items)
                    inner = [*each.body, *each.orelse]
                case ast.With(items=managers):
                    calm, inner = all(map(self._is_calm_manager, managers)), each.body
                case ast.Try():
                    calm, inner = True, [*each.body, *each.orelse, *each.finalbody]
                    for handler in each.handlers:
                        yield from self.effects(handler.body, may_end=True)
                case ast.Assign(targets=targets, value=value):
                    calm = all(map(self._is_own, targets)) and self._is_calm(value)
                case ast.AnnAssign(target=target, value=value_or_none):
                    calm = self._is_own(target) and (value_or_none is None or self._is_calm(value_or_none))
                case ast.AugAssign(target=target, value=value):
                    calm = self._is_own(target) and self._is_calm(value)
                    calm = calm and root_of(target) not in self._students | self._shared
                case ast.Delete(targets=targets):
                    calm = all(isinstance(target, ast.Name) for target in targets)
                case ast.Expr(value=ast.Call(func=function)) if (
                    may_end and self._scope.stands_for(function) in _ENDING
                ):
                    calm = True
                case ast.Expr(value=value) | ast.Assert(test=value):
                    calm = self._is_calm(value)
                case ast.Raise():
                    calm = may_end
                case _:
                    calm = isinstance(each, ast.Pass | ast.Break | ast.Continue)
            yield from self.effects(inner, may_end=may_end)
            if not calm:
                yield each.lineno

    def _is_known(self, imported: Imported) -> bool:
        return imported.is_foreign or self._program in ("", imported.module)

    def _is_students(self, node: ast.AST) -> bool:
        """Tell whether a part of the code names something of the student's."""
        return any(isinstance(part, ast.Name) and self._is_their_name(part.id) for part in _run_at_once(node))

    def _is_their_name(self, name: str) -> bool:
        unknown = name not in self._scope.bound and not hasattr(builtins, name)
        return name in self._students or ("*" in self._students and unknown)

    def _is_calm(self, node: ast.expr) -> bool:
        """Tell whether an expression only makes a value, and runs nothing of the student's."""
        if self._is_students(node) and not self._only_looks(node):
            return False
        parts = [*_run_at_once(node)]
        calls = [part for part in parts if isinstance(part, ast.Call)]
        if all(self._keeps(each.func) for each in calls):
            return True
        # A function that is handed to a call may be called by it.
        local = {*bound_at_any_depth([node])}
        return not any(self._reaches(part) for part in parts if isinstance(part, ast.Lambda)) and all(
            self._is_harmless(each, local) for each in parts
        )

    def _only_looks(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _LOOKING:
                return self._scope.is_pythons(name) and all(map(_only_names, args))
        return _only_names(node)

    def _keeps(self, function: ast.expr) -> bool:
        """Tell whether a call keeps what it is given, and calls none of it."""
        if isinstance(function, ast.Name) and function.id in _KEEPING:
            return self._scope.is_pythons(function.id)
        return self._scope.stands_for(function).startswith(_KEEPING_PARTS)

    def _reaches(self, node: ast.AST) -> bool:
        """Tell whether a function, or another part, may reach what is not the file's when all of it runs."""
        local = {*bound_at_any_depth([node])}
        for part in ast.walk(node):
            match part:
                case ast.Name(id=name) if self._is_their_name(name) and name not in local:
                    return True
                case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                    root = root_of(part)
                    if root in self._shared or root not in local | self._containers:
                        return True
                case ast.Import() | ast.ImportFrom() if not all(one.is_foreign for one in imported_by(part)):
                    return True
                case _ if not self._is_harmless(part, local):
                    return True
        return False

    def _is_harmless(self, node: ast.AST, local: Iterable[str] = ()) -> bool:
        """Tell whether a call reaches nothing, or a name stands for a function that reaches nothing."""
        match node:
            case ast.Name(id=name) if name in self._own and name not in self._looked_at:
                self._looked_at.add(name)
                calm = not any(map(self._reaches, self._own[name]))
                self._looked_at -= set() if calm else {name}
                return calm
            case ast.Call(func=ast.Name(id="open")):
                return self._scope.is_pythons("open") and only_reads(node)
            case ast.Call(func=ast.Name(id=name) as function):
                if name in self._own or name in {*local}:
                    return True
                if whole := self._scope.stands_for(function):
                    return not is_reached_by_package(whole)
                if name in self._scope.bound:
                    return name not in self._shared | self._students
                return self._scope.is_pythons(name) and not is_reached_by_name(name)
            case ast.Call(func=ast.Attribute(value=value, attr=attr) as function):
                if whole := self._scope.stands_for(function):
                    return not is_reached_by_package(whole)
                if not self._is_known_name(root_of(value), local):
                    return False
                if attr == "open":
                    return only_reads(ast.Call(function, [function, *node.args], node.keywords))
                changes = attr in CHANGING and isinstance(value, ast.Attribute | ast.Subscript)
                return not (changes or is_reached_by_method(attr) or root_of(value) in self._shared)
        return True

    def _is_known_name(self, name: str, local: Iterable[str] = ()) -> bool:
        known = name in self._scope.bound or name in {*local} or self._scope.is_pythons(name)
        return known or name in ("", "__file__")

    def _is_calm_manager(self, item: ast.withitem) -> bool:
        manager = item.context_expr
        name = self._scope.stands_for(manager.func if isinstance(manager, ast.Call) else manager)
        odd = name.startswith("unittest.mock.") or name.endswith("redirect_stdin")
        own = item.optional_vars is None or self._is_own(item.optional_vars)
        return own and not odd and self._is_calm(manager)

    def _decorates(self, node: ast.expr) -> bool:
        """Tell whether a decorator concerns no other test than its own."""
        function, given = node, []
        if isinstance(node, ast.Call):
            function, given = node.func, [*node.args, *(each.value for each in node.keywords)]
        if self._is_students(function) and not (
            isinstance(function, ast.Attribute) and function.attr in ("setter", "getter", "deleter")
        ):
            return False
        known = self._is_known_name(root_of(function)) and self._is_harmless(function)
        return known and all(map(self._is_calm, given))

    def _is_own(self, target: ast.expr) -> bool:
        """Tell whether a target is the file's own, or a setting of `unittest` for its messages."""
        match target:
            case ast.Attribute(attr=attr) if attr in _SETTINGS:
                return self._scope.stands_for(target.value).startswith("unittest.")
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                own = name in self._containers - self._students - self._shared
                return own and self._is_calm(index)
        return all(isinstance(part, _OWN_TARGETS) for part in ast.walk(target))


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of code that run with it: none of a function's body, and no annotation."""
    yield node
    if isinstance(node, ast.Lambda):
        yield from _run_at_once(node.args)
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        left_out = node.annotation if isinstance(node, ast.AnnAssign | ast.arg) else None
        for child in ast.iter_child_nodes(node):
            if child is not left_out:
                yield from _run_at_once(child)


def _only_names(node: ast.expr) -> bool:
    """Tell whether an expression is a name, a part of a module, or a display of such: it calls nothing."""
    match node:
        case ast.Attribute(value=value):
            return _only_names(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(map(_only_names, parts))
        case ast.Dict(keys=keys, values=values):
            return all(isinstance(key, ast.Constant) for key in keys) and all(map(_only_names, values))
    return isinstance(node, ast.Name | ast.Constant | ast.Lambda)

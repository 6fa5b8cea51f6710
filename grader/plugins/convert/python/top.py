"""What the top of a file, or the body of a class, may do before all tests, besides giving names to values."""

import ast
import builtins
from collections.abc import Iterable, Iterator

from grader.plugins.convert.python.imports import Imported, imported_by
from grader.plugins.convert.python.names import bound_by
from grader.plugins.convert.python.top_scope import scope_of

_BUILDING = {"abs", "bool", "bytes", "chr", "complex", "dict", "enumerate", "float", "frozenset", "int"}
_BUILDING |= {"len", "list", "max", "min", "ord", "range", "repr", "round", "set", "sorted", "str", "sum"}
_BUILDING |= {"tuple", "type", "zip", "staticmethod", "classmethod", "property"}
_HARMLESS = {"pathlib.Path", "os.path.dirname", "os.path.abspath", "os.path.join", "os.path.realpath"}
_HARMLESS |= {"os.getcwd", "sys.path.insert", "sys.path.append", "unittest.main", "pytest.param"}
_HARMLESS |= {"pytest.approx", "decimal.Decimal", "fractions.Fraction", "re.compile", "textwrap.dedent"}
_HARMLESS |= {"collections.namedtuple", "collections.OrderedDict", "collections.Counter", "datetime.date"}
_HARMLESS |= {"datetime.datetime", "datetime.timedelta", "typing.TypeVar", "logging.getLogger"}
_OF_TESTS = ("pytest.mark.", "hypothesis.", "unittest.mock.")
_OF_PATHS = {"resolve", "absolute", "joinpath", "with_name", "as_posix"}
_DECORATING = {"pytest", "unittest", "gradescope_utils", "parameterized", "otter", "hypothesis"}
_DECORATING |= {"functools", "dataclasses", "contextlib", "abc", "enum", "typing"}
_PLAIN_DECORATORS = {"staticmethod", "classmethod", "property"}
_SETTINGS = {"maxDiff", "longMessage"}
_OWN_TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)


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
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        imports = [each for statement in statements for each in imported_by(statement)]
        self._students = {each.name for each in imports if not each.is_foreign}
        for each in statements:
            # A name for something of the student's is the student's too.
            if self._is_students(each):
                self._students |= {*bound_by([each])}

    def effects(self, body: Iterable[ast.stmt]) -> Iterator[int]:
        for each in body:
            match each:
                case ast.Import() | ast.ImportFrom():
                    calm = all(map(self._is_known, imported_by(each)))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    given = [*each.args.defaults, *filter(None, each.args.kw_defaults), *_annotations(each)]
                    calm = all(map(self._is_calm, given)) and all(map(self._decorates, each.decorator_list))
                case ast.ClassDef():
                    calm = not each.keywords and all(map(self._is_calm, each.bases))
                    calm = calm and all(map(self._decorates, each.decorator_list))
                    yield from self.effects(each.body)
                case ast.If(
                    test=ast.Compare(
                        left=ast.Name(id="__name__"),
                        ops=[ast.Eq()],
                        comparators=[ast.Constant(value="__main__")],
                    )
                ):
                    calm = True
                    yield from self.effects(each.orelse)
                case ast.If():
                    calm = self._is_calm(each.test)
                    yield from self.effects([*each.body, *each.orelse])
                case ast.Try():
                    calm = True
                    caught = [one for handler in each.handlers for one in handler.body]
                    yield from self.effects([*each.body, *caught, *each.orelse, *each.finalbody])
                case ast.Assign(targets=targets, value=value):
                    calm = all(map(self._is_own, targets)) and self._is_calm(value)
                case ast.AnnAssign(target=target, annotation=annotation, value=value_or_none):
                    parts = [annotation, *([value_or_none] if value_or_none else [])]
                    calm = self._is_own(target) and all(map(self._is_calm, parts))
                case ast.Delete(targets=targets):
                    calm = all(isinstance(target, ast.Name) for target in targets)
                case ast.Expr(value=value):
                    calm = self._is_calm(value)
                case _:
                    calm = isinstance(each, ast.Pass)
            if not calm:
                yield each.lineno

    def _is_known(self, imported: Imported) -> bool:
        return imported.is_foreign or self._program in ("", imported.module)

    def _is_students(self, node: ast.AST) -> bool:
        """Tell whether a part of the code names something of the student's."""
        named = {part.id for part in _run_at_once(node) if isinstance(part, ast.Name)}
        unknown = {name for name in named - self._scope.bound if not hasattr(builtins, name)}
        return bool(named & self._students or ("*" in self._students and unknown))

    def _is_calm(self, node: ast.expr) -> bool:
        """Tell whether an expression only makes a value, and runs nothing of the student's."""
        if self._is_students(node) and not _only_names(node):
            return False
        calls = [part.func for part in _run_at_once(node) if isinstance(part, ast.Call)]
        return all(map(self._is_harmless, calls))

    def _is_harmless(self, function: ast.expr) -> bool:
        match function:
            case ast.Name(id=name) if name in _BUILDING:
                return self._scope.is_pythons(name)
            case ast.Attribute(value=ast.Constant(value=str())):
                return True
            case ast.Attribute(value=value, attr=attr) if attr in _OF_PATHS:
                while isinstance(value, ast.Attribute):
                    value = value.value
                return isinstance(value, ast.Call) and self._is_path(value)
        whole = self._scope.stands_for(function)
        return whole in _HARMLESS or whole.startswith(_OF_TESTS)

    def _is_path(self, call: ast.Call) -> bool:
        return self._scope.stands_for(call.func) == "pathlib.Path" or (
            isinstance(call.func, ast.Attribute) and self._is_harmless(call.func)
        )

    def _decorates(self, node: ast.expr) -> bool:
        """Tell whether a decorator does nothing but to tell something of its test."""
        function, given = node, []
        if isinstance(node, ast.Call):
            function, given = node.func, [*node.args, *(each.value for each in node.keywords)]
        if isinstance(function, ast.Name) and function.id in _PLAIN_DECORATORS:
            known = self._scope.is_pythons(function.id)
        elif isinstance(function, ast.Attribute) and function.attr in ("setter", "getter", "deleter"):
            known = isinstance(function.value, ast.Name)
        else:
            known = self._scope.stands_for(function).partition(".")[0] in _DECORATING
        return known and all(map(self._is_calm, given))

    def _is_own(self, target: ast.expr) -> bool:
        """Tell whether a target is a name of the file's own, or a setting of `unittest` for its messages."""
        if isinstance(target, ast.Attribute) and target.attr in _SETTINGS:
            return self._scope.stands_for(target.value).startswith("unittest.")
        return all(isinstance(part, _OWN_TARGETS) for part in ast.walk(target))


def _run_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of code that run with it: none of a function's body."""
    yield node
    if isinstance(node, ast.Lambda):
        yield from _run_at_once(node.args)
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
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


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    arguments = function.args
    each = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    yield from filter(None, (one.annotation for one in each if one is not None))
    if function.returns is not None:
        yield function.returns

"""What the top of a test file may do before its tests, besides giving names to values."""

import ast
from collections.abc import Iterable, Iterator

from grader.plugins.convert.assertions import is_foreign

_TESTING = {"pytest", "unittest", "gradescope_utils", "parameterized"}
_HARMLESS = {"Path", "pathlib.Path", "os.path.dirname", "os.path.abspath", "os.path.join", "unittest.main"}
_PLAIN_DECORATORS = {"staticmethod", "classmethod", "property"}
_TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)


def effects(body: Iterable[ast.stmt], program: str) -> Iterator[int]:
    """Yield the lines at the top of a file that may do something beside giving names to values.

    program: the student's module; what its import does is the student's own.
    """
    body = [*body]
    return _Top(program, {*_testing(body)}).effects(body)


class _Top:
    """Reads the statements at the top of a file, or of a class.  testing: names of packages for tests."""

    def __init__(self, program: str, testing: set[str]) -> None:
        self._program, self._testing = program, testing

    def effects(self, body: Iterable[ast.stmt]) -> Iterator[int]:
        for each in body:
            match each:
                case ast.Import(names=names) if all(map(self._is_known, (one.name for one in names))):
                    continue
                case ast.ImportFrom(module=str() as module, level=0) if self._is_known(module):
                    continue
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    given = [*each.args.defaults, *filter(None, each.args.kw_defaults)]
                    calm = all(map(self._is_calm, given)) and all(map(self._decorates, each.decorator_list))
                case ast.ClassDef():
                    calm = all(map(self._is_calm, each.bases)) and all(
                        map(self._decorates, each.decorator_list)
                    )
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
                case ast.AnnAssign(target=target, value=given_to):
                    calm = self._is_own(target) and (given_to is None or self._is_calm(given_to))
                case ast.Expr(value=value):
                    calm = self._is_calm(value)
                case _:
                    calm = isinstance(each, ast.Pass)
            if not calm:
                yield each.lineno

    def _is_known(self, module: str) -> bool:
        return is_foreign(module) or module == self._program

    def _is_calm(self, node: ast.expr) -> bool:
        """Tell whether an expression only makes a value."""
        calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
        return all(ast.unparse(each) in _HARMLESS for each in calls)

    def _decorates(self, node: ast.expr) -> bool:
        """Tell whether a decorator does nothing but to tell something of its test."""
        called = [node, *(part.func for part in ast.walk(node) if isinstance(part, ast.Call))]
        return all(_root(each) in self._testing | _PLAIN_DECORATORS for each in called)

    def _is_own(self, target: ast.expr) -> bool:
        """Tell whether a target is a name of the file's own, or a setting of a package for tests."""
        return _root(target) in self._testing or all(isinstance(part, _TARGETS) for part in ast.walk(target))


def _testing(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that imports give to packages for tests, and to their parts."""
    for each in body:
        match each:
            case ast.Import(names=names):
                packages = [(one.name, one) for one in names]
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                packages = [(module, one) for one in names]
            case _:
                continue
        for package, one in packages:
            if package.partition(".")[0] in _TESTING:
                yield one.asname or one.name.partition(".")[0]


def _root(node: ast.expr) -> str:
    """Return the name with which an expression such as `pytest.mark.skip(…)` begins; empty for another."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""

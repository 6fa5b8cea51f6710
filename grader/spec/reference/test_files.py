"""The test functions of a test file, read from its text and never run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Visibility
from grader.spec.reference.gradescope import Decorators, Refusal

_SKIPS = ("skip",)


@dataclass(frozen=True, slots=True)
class FoundTest:
    """A test function.

    name: with its classes.  line: where it stands.  points: of its marker; None for none.
    visibility: of a marker; None for none.  title: for people; empty for none.
    """

    name: str
    line: int
    points: Fraction | None = None
    visibility: Visibility | None = None
    title: str = ""


def find_tests(text: str, file: str) -> list[FoundTest]:
    """Return the tests that pytest finds in a file, but those that never fail.  Raises `SyntaxError`."""
    tree = ast.parse(text, file)
    of_gradescope = Decorators(tree)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found: list[FoundTest] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            found += _test(node, node.name, (), of_gradescope)
        elif isinstance(node, ast.ClassDef) and has_tests(node, classes):
            for method in methods(node, classes).values():
                name = f"{node.name}.{method.name}"
                found += _test(method, name, tuple(node.decorator_list), of_gradescope)
    return found


def refusals(text: str, file: str) -> list[Refusal]:
    """Return the decorators of gradescope-utils in a file that cannot be followed."""
    return [*Decorators(ast.parse(text, file)).refusals()]


def all_names(text: str, file: str) -> list[str]:
    """Return the names of all tests that pytest finds in a file, with those that it skips."""
    tree = ast.parse(text, file)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.decorator_list = []
    return [each.name for each in find_tests(ast.unparse(tree), file)]


def imported_names(text: str, file: str) -> list[str]:
    """Return the modules that a file imports, by the first parts of their names."""
    names: list[str] = []
    for node in ast.walk(ast.parse(text, file)):
        if isinstance(node, ast.Import):
            names += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module.partition(".")[0])
    return list(dict.fromkeys(names))


def _test(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    name: str,
    outer: tuple[ast.expr, ...],
    of_gradescope: Decorators,
) -> Iterator[FoundTest]:
    decorators = [*node.decorator_list, *outer]
    words = [words_of(each) for each in decorators]
    if any(each and each[-1] in _SKIPS for each in words) or any(map(_decides_nothing, decorators)):
        return
    points = next((_number(each) for each in decorators if words_of(each)[-2:] == ["mark", "points"]), None)
    said = of_gradescope.of(node)
    hidden = any(each[-2:] == ["mark", "hidden"] for each in words)
    visibility = Visibility.HIDDEN if hidden else said.visibility
    points = said.weight if points is None else points
    yield FoundTest(name, node.lineno, points, visibility, said.title)


def _decides_nothing(decorator: ast.expr) -> bool:
    """Return whether a test is `xfail`: neither its end nor its failure is a fault."""
    if words_of(decorator)[-2:] != ["mark", "xfail"]:
        return False
    return not isinstance(decorator, ast.Call) or (
        not decorator.args and {each.arg for each in decorator.keywords} <= {"reason", "run"}
    )


def has_tests(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
    """Tell whether a class is one of tests.  classes: those of its file."""
    if is_unittest(node, classes, 0):
        return True
    functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    return node.name.startswith("Test") and all(each.name != "__init__" for each in functions)


def is_unittest(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int = 0) -> bool:
    """Tell whether a class derives from `TestCase`, as far as its file shows.  classes: those of its file."""
    for base in node.bases:
        words = words_of(base)
        if words and words[-1].endswith("TestCase"):
            return True
        local = classes.get(words[-1]) if words else None
        if local is not None and depth < len(classes) and is_unittest(local, classes, depth + 1):
            return True
    return False


def methods(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], depth: int = 0
) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the test methods of a class, with those that it inherits from classes of the file."""
    found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for base in reversed(node.bases):
        words = words_of(base)
        local = classes.get(words[-1]) if words else None
        if local is not None and depth < len(classes):
            found |= methods(local, classes, depth + 1)
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test"):
            found[each.name] = each
    return found


def words_of(node: ast.expr) -> list[str]:
    """Return the words of a dotted name, also of one that is called."""
    if isinstance(node, ast.Call):
        return words_of(node.func)
    if isinstance(node, ast.Attribute):
        return [*words_of(node.value), node.attr]
    return [node.id] if isinstance(node, ast.Name) else []


def _number(node: ast.expr) -> Fraction | None:
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        value = node.args[0].value
        if isinstance(value, int | float) and 0 < value < 1_000_000:
            return Fraction(str(value))
    return None

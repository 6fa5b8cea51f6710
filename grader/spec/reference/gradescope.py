"""The decorators of gradescope-utils on tests, read from the text of a test file and never run."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Visibility

_PACKAGE = "gradescope_utils"
_VISIBILITY = {
    "visible": Visibility.PUBLIC,
    "hidden": Visibility.HIDDEN,
    "after_due_date": Visibility.AFTER_DUE,
    "after_published": Visibility.AFTER_DUE,
}
_MOST = 1_000_000
_REFUSED = {
    "tags": "nothing here reads tags: take the line out",
    "hide_errors": "`visibility: hidden` of the case hides its messages: take the line out",
    "leaderboard": "there is no leaderboard, and nothing would set its value: take the test out",
    "partial_credit": "a parametrised test earns the share of its rows: write one, or several tests",
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Decorated:
    """What the decorators of a test say; None and empty where they say nothing."""

    weight: Fraction | None = None
    visibility: Visibility | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A decorator that cannot be followed.  line: where it stands."""

    line: int
    message: str
    hint: str


class Decorators:
    """The decorators of one file.  tree: the file."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._names: dict[str, str] = {}
        """Under which names the file has decorators of the package, and modules of it as an empty text."""
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == _PACKAGE:
                for alias in node.names:
                    if alias.name == "*":
                        known = ("weight", "number", "visibility", *_REFUSED)
                        self._names |= {name: name for name in known}
                    else:
                        self._names[alias.asname or alias.name] = alias.name
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name.partition(".")[0] == _PACKAGE:
                        self._names[alias.asname or _PACKAGE] = ""

    def of(self, function: _Function) -> Decorated:
        """Return what is said of a test; what is refused counts as not said."""
        weight: Fraction | None = None
        visibility: Visibility | None = None
        number = ""
        for name, node in self._on(function):
            value = _value(node)
            if name == "weight":
                weight = _weight(value)
            elif name == "visibility":
                visibility = _VISIBILITY.get(value) if isinstance(value, str) else None
            elif name == "number":
                number = str(value)
        words = (ast.get_docstring(function) or "").strip().splitlines()[:1]
        title = " ".join([number, *words]).strip() if number else ""
        return Decorated(weight, visibility, title)

    def refusals(self) -> Iterator[Refusal]:
        """Yield the decorators of the file that cannot be followed."""
        if not self._names:
            return
        functions = [node for node in ast.walk(self._tree) if isinstance(node, _Function)]
        tests = [node for node in functions if node.name.startswith("test")]
        for node in ast.walk(self._tree):
            if isinstance(node, ast.ClassDef):
                for name, decorator in self._on(node):
                    message = f"`@{name}` of gradescope-utils stands on a class, where it does nothing"
                    yield Refusal(decorator.lineno, message, "put it on each test")
        weighted = [node for node in tests if any(name == "weight" for name, _ in self._on(node))]
        for function in functions:
            yield from self._refused_on(function)
        for function in tests:
            if weighted and function not in weighted and any(self._on(function)):
                message = f"{function.name} has no `@weight`, and other tests have: it would be worth nothing"
                yield Refusal(function.lineno, message, "say `@weight(0)` if that is meant")

    def _refused_on(self, function: _Function) -> Iterator[Refusal]:
        for name, node in self._on(function):
            value = _value(node)
            if name in _REFUSED:
                message = f"`@{name}` of gradescope-utils has no counterpart here"
                yield Refusal(node.lineno, message, _REFUSED[name])
            elif name == "weight" and _weight(value) is None:
                yield Refusal(node.lineno, "`@weight` takes a number from 0", "such as @weight(2)")
            elif name == "visibility" and (not isinstance(value, str) or value not in _VISIBILITY):
                hint = "it is one of " + ", ".join(f'"{each}"' for each in _VISIBILITY)
                yield Refusal(node.lineno, "this `@visibility` is not known", hint)
            elif name == "number" and not isinstance(value, str | int | float):
                yield Refusal(node.lineno, "`@number` takes a literal", 'such as @number("1.1")')
            elif name not in ("weight", "visibility", "number", *_REFUSED):
                message = f"`@{name}` of gradescope-utils is not known here"
                yield Refusal(node.lineno, message, "take the line out")

    def _on(self, node: _Function | ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
        """Yield the decorators of the package, by their names there."""
        for decorator in node.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(function, ast.Name) and self._names.get(function.id):
                yield self._names[function.id], decorator
            elif isinstance(function, ast.Attribute) and _root(function) in self._names:
                yield function.attr, decorator


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _value(node: ast.expr) -> object:
    """Return the only argument of a decorator, if it is a literal; else None."""
    if not isinstance(node, ast.Call):
        return None
    given = [*node.args, *(word.value for word in node.keywords)]
    return given[0].value if len(given) == 1 and isinstance(given[0], ast.Constant) else None


def _weight(value: object) -> Fraction | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MOST:
        return Fraction(str(value))
    return None

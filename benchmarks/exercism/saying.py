"""How the spec says what a test means: a lambda, a list with an object in it, a name that a step keeps."""

import ast
import builtins
import keyword
import re
from typing import Any

from benchmarks.exercism.things import (
    Callback,
    Compared,
    Data,
    Function,
    GivenTwice,
    Kind,
    Library,
    Mixed,
    Remote,
    Scope,
    Step,
    Thing,
    Unsaid,
)
from grader.values.python_text import literal

BUILT_IN: dict[Any, str] = {
    each: each.__name__
    for each in (
        *(abs, all, any, bin, bool, bytearray, bytes, chr, complex, dict, divmod, enumerate, filter, float),
        *(frozenset, hex, int, isinstance, iter, len, list, map, max, min, next, oct, ord, pow, range, repr),
        *(reversed, round, set, slice, sorted, str, sum, tuple, type, zip),
    )
}
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "eq": "=="}
_DOTTED = re.compile(r"\w+(\.\w+)*")


def free(node: ast.AST) -> set[str]:
    """Return the names that an expression takes from around it."""
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    bound = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    bound |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    return {each.id for each in names} - bound


class Sayer:
    """The steps of one test, and the texts in them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.module_names: set[str] = set()
        self.scopes: list[Scope] = []
        self.given: list[object] = []
        """The lists, dicts and sets that the program was given."""
        self._names: set[str] = set()

    # -- steps -------------------------------------------------------------------------------------

    def keep(self, remote: Remote, name: str) -> Remote:
        """Add a step that keeps its answer under a name; return the name."""
        wanted = name if name.isidentifier() and not keyword.iskeyword(name) else "thing"
        number, name = 1, wanted
        while name in self._names or name in self.module_names or hasattr(builtins, name) or name == "_":
            number += 1
            name = f"{wanted}{number}"
        self._names.add(name)
        self.steps.append(Step({self._action(remote): remote.text, "as": name}))
        return Remote(name, Kind.NAME)

    def ask(self, remote: Remote, **expected: Any) -> None:
        """Add a step that asks for something, and what is expected."""
        last = self.steps[-1] if self.steps else None
        kept = last is not None and last.keys.get("as") == remote.text and "new" not in last.keys
        if kept and last is not None and not last.expects:
            last.keys |= expected
            return
        if remote.kind is Kind.NEW and expected and "raises" not in expected:
            remote = self.keep(remote, "made")
        self.steps.append(Step({self._action(remote): remote.text} | expected))

    def _action(self, remote: Remote) -> str:
        if remote.kind is Kind.NEW:
            return "new"
        return "read" if _DOTTED.fullmatch(remote.text) else "call"

    # -- texts -------------------------------------------------------------------------------------

    def said(self, thing: Thing) -> str:
        """Return something as a part of an expression of the spec."""
        match thing:
            case Data(value=value):
                if isinstance(value, list | dict | set):
                    self._give(value)
                try:
                    return literal(value)
                except Exception:
                    raise Unsaid(f"a value of the type {type(value).__name__}") from None
            case Remote(kind=kind, text=text):
                return f"({text})" if kind is Kind.OPERATION else text
            case Compared(text=text):
                return f"({text})"
            case Callback(source=source):
                return source
            case Mixed(opens=brackets, items=items, keys=()):
                texts = [self.said(each) for each in items]
                end = "," if brackets == "()" and len(texts) == 1 else ""
                return f"{brackets[0]}{', '.join(texts)}{end}{brackets[1]}"
            case Mixed(items=items, keys=keys):
                pairs = [f"{self.said(k)}: {self.said(v)}" for k, v in zip(keys, items, strict=True)]
                return "{" + ", ".join(pairs) + "}"
            case Library(value=value) if value in BUILT_IN:
                return BUILT_IN[value]
            case Library(value=value) if getattr(value, "__objclass__", None) in BUILT_IN:
                return f"lambda *args: {value.__objclass__.__name__}.{value.__name__}(*args)"
            case Library(value=value) if getattr(value, "__module__", "") == "_operator" and (
                value.__name__ in _SIGNS
            ):
                return f"lambda a, b: a {_SIGNS[value.__name__]} b"
            case Function():
                return self.callback(thing)
        raise Unsaid(f"an argument: {type(thing).__name__.lower()}")

    def _give(self, value: list[Any] | dict[Any, Any] | set[Any]) -> None:
        """Note what the program is given.  Raises `GivenTwice`: in the test both are the same object."""
        if value and any(each is value for each in self.given):
            known = (pair for scope in self.scopes for pair in scope.names.items())
            names = [name for name, thing in known if isinstance(thing, Data) and thing.value is value]
            if names:
                raise GivenTwice(frozenset(names))
        self.given.append(value)

    def callback(self, function: Function, *given: Thing) -> str:
        """Return a function of the test file as a lambda.  given: its first arguments, if they are fixed."""
        match function.node:
            case ast.FunctionDef(body=[ast.Return(value=ast.expr() as body)], args=parameters):
                pass
            case ast.FunctionDef(body=[ast.Expr(value=body)], args=parameters):
                pass
            case _:
                raise Unsaid("a function of the test file as an argument")
        fixed = {each.arg: thing for each, thing in zip(parameters.args, given, strict=False)}
        others = ast.arguments([], parameters.args[len(fixed) :], None, [], [], None, parameters.defaults)
        return self.lambda_text(ast.Lambda(others, body), Scope(fixed, function.scope))

    def lambda_text(self, node: ast.Lambda, scope: Scope) -> str:
        """Return the text of a lambda, with literals for the test's own data.

        A list of the test's that the lambda changes or later steps look at is made by a step of its own.
        """
        copy = ast.parse(ast.unparse(ast.fix_missing_locations(node)), mode="eval").body
        values: dict[str, ast.expr] = {}
        for name in sorted(free(copy)):
            thing = scope.find(name)
            if isinstance(thing, Data) and isinstance(thing.value, list) and not thing.value:
                thing = self._shared(thing, name)
            if isinstance(thing, Data | Remote):
                values[name] = ast.parse(self.said(thing), mode="eval").body
            elif isinstance(thing, Library) and thing.value not in BUILT_IN:
                raise Unsaid("a lambda with the standard library")
            elif isinstance(thing, Function | Mixed):
                raise Unsaid("a lambda with a function of the test file")
        return ast.unparse(_Substituted(values).visit(copy))

    def _shared(self, data: Data, name: str) -> Remote:
        """Return a list that the program's process holds, from now on under all names that it has here."""
        made = self.keep(Remote("[]", Kind.CALL), name)
        for scope in self.scopes:
            for known, thing in scope.names.items():
                if isinstance(thing, Data) and thing.value is data.value:
                    scope.names[known] = made
        return made


class _Substituted(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)

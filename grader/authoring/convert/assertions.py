"""Turns the statements of one Python test into cases.

A statement that is neither an assertion nor a name for a literal or a call may change something that later
statements rely on.  So all that follows it in the same test is left out.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from grader.authoring.convert.comparisons import equal_to, exactly, places, within
from grader.authoring.convert.draft import CaseDraft, Draft, Keys, Meaning, Raw, Unconvertible
from grader.authoring.convert.values import Call, Scope, is_mutable, names_in, read_call, read_value
from grader.model.values import Value

_SNAKE = {"assert_equal": "assertEqual", "assert_almost_equal": "assertAlmostEqual"}
_SNAKE |= {"assert_true": "assertTrue", "assert_false": "assertFalse", "assert_raises": "assertRaises"}
_SAME_TYPE = {"assertListEqual": list, "assertTupleEqual": tuple, "assertDictEqual": dict}
_EQUAL = {"assertEqual", "assertEquals", "assertMultiLineEqual", *_SAME_TYPE}
_PACKAGES = {"pytest", "gradescope_utils", "otter", "nose", "hypothesis", "parameterized", "check50", "numpy"}
_PACKAGES |= {"pandas", "scipy", "matplotlib", "sklearn", "seaborn", "sympy", "requests", "IPython", "bs4"}
_RAISES = {"assertRaises", "assertRaisesRegex", "raises"}
_NOT_AN_ANSWER = {"SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration", "BaseException"}


def assertion_name(node: ast.expr) -> str:
    """Return the name of an assertion that is called, such as `assertEqual`; else an empty text."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name)):
            return name if name.startswith("assert") else ""
        case ast.Call(func=ast.Name(id=name)) if name in _SNAKE:
            return _SNAKE[name]
        case (
            ast.Call(func=ast.Name(id="raises"))
            | ast.Call(func=ast.Attribute(value=ast.Name(id="pytest"), attr="raises"))
        ):
            return "raises"
    return ""


def count_assertions(nodes: list[ast.stmt]) -> int:
    """Return how many assertions stand in some statements, at any depth."""
    return sum(
        isinstance(part, ast.Assert)
        or (isinstance(part, ast.Expr) and assertion_name(part.value) != "")
        or (isinstance(part, ast.With) and any(assertion_name(item.context_expr) for item in part.items))
        for node in nodes
        for part in ast.walk(node)
    )


@dataclass(slots=True)
class BodyReader:
    """Reads the statements of a test, one after the other."""

    draft: Draft
    file: str
    scope: Scope
    cases: list[CaseDraft] = field(default_factory=list)
    first_line: int = 1
    broken_at: int = 0

    def read(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            line = self.first_line + statement.lineno - 1
            try:
                if self.broken_at:
                    if count_assertions([statement]):
                        raise Unconvertible(f"it relies on line {self.broken_at}, which was left out")
                    continue
                self._statement(statement, line)
            except Unconvertible as error:
                self.draft.remark(self.file, line, Meaning.LEFT_OUT, str(error))
                if not _is_assertion(statement):
                    self.broken_at = self.broken_at or line

    def _statement(self, statement: ast.stmt, line: int) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                return
            case ast.Import() | ast.ImportFrom():
                learn_import(statement, self.scope)
            case ast.Assert(test=test, msg=message):
                self._case(line, lambda stricter: truth(test, self.scope, stricter), message)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._name(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._name(name, value)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as manager)]) if (
                assertion_name(manager) in _RAISES
            ):
                self._case(line, lambda _: _raises_in(manager, statement.body, self.scope), None)
            case ast.Expr(value=ast.Call() as call) if assertion_name(call):
                self._case(line, lambda stricter: _method(call, self.scope, stricter), _message(call))
            case ast.Expr(value=ast.Call()):
                raise Unconvertible("a call without an assertion; later ones may rely on it")
            case _:
                raise Unconvertible(f"{_kind(statement)} stands in the test")

    def _name(self, name: str, value: ast.expr) -> None:
        """Give a name to a literal or to a call."""
        for names in (self.scope.calls, self.scope.values, self.scope.functions):
            names.pop(name, None)
        try:
            literal = read_value(value, self.scope)
        except Unconvertible as error:
            if not isinstance(value, ast.Call):
                raise
            try:
                self.scope.calls[name] = read_call(value, self.scope)
            except Unconvertible as other:
                raise other from error
            return
        if any(is_mutable(self.scope.values.get(other)) for other in names_in(value)):
            raise Unconvertible("two names may stand for one list, which a call may change")
        self.scope.spent.discard(name)
        self.scope.values[name] = literal

    def _case(
        self, line: int, read: Callable[[Callable[[str], None]], "Found"], message: ast.expr | None
    ) -> None:
        remarks: list[str] = []
        found = read(remarks.append)
        keys: dict[str, str | Raw] = {"call": Raw(found.call.text), **found.keys}
        if isinstance(message, ast.Constant) and isinstance(message.value, str) and message.value.strip():
            keys["hint"] = message.value
        self.cases.append(CaseDraft(keys, line, found.call.module, found.checkers, self.file))
        for reason in remarks:
            self.draft.remark(self.file, line, Meaning.STRICTER, reason)


@dataclass(frozen=True, slots=True)
class Found:
    """A call with what is expected of it."""

    call: Call
    keys: Keys
    checkers: frozenset[str] = frozenset()


def learn_import(statement: ast.stmt, scope: Scope) -> None:
    """Add the names that an import binds."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            if _is_foreign(alias.name):
                scope.foreign.add(alias.asname or alias.name.partition(".")[0])
            elif "." not in alias.name or alias.asname:
                scope.modules[alias.asname or alias.name] = alias.name.rpartition(".")[2]
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            if statement.module and not statement.level and _is_foreign(statement.module):
                scope.foreign.add(alias.asname or alias.name)
            elif statement.module:
                module = statement.module.rpartition(".")[2]
                scope.functions[alias.asname or alias.name] = (module, alias.name)
            else:
                scope.modules[alias.asname or alias.name] = alias.name


def _is_foreign(module: str) -> bool:
    """Tell whether a module is Python's own or a well-known package, and so no student's."""
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in _PACKAGES


def _is_assertion(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assert | ast.Expr) and count_assertions([statement]) > 0


def _kind(statement: ast.stmt) -> str:
    words = {ast.For: "a loop", ast.While: "a loop", ast.If: "a condition", ast.With: "a `with` block"}
    return words.get(type(statement), f"`{ast.unparse(statement).splitlines()[0][:50]}`")


def truth(test: ast.expr, scope: Scope, stricter: Callable[[str], None]) -> Found:
    """Return the case for an expression that must be true.  Raises `Unconvertible`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _equality(left, right, scope, stricter)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]):
            value = read_value(right, scope)
            if value is None or type(value) is bool:
                return Found(read_call(left, scope), exactly(value))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Found(read_call(operand, scope), {"check": Raw("falsy()")}, frozenset({"falsy"}))
        case ast.Call() if _is_close(test):
            return _close(test, scope)
        case ast.Call() | ast.Name():
            return Found(read_call(test, scope), {"check": Raw("truthy()")}, frozenset({"truthy"}))
    raise Unconvertible(f"`{ast.unparse(test)[:60]}` is no comparison by `==` of a call with a literal")


def _equality(left: ast.expr, right: ast.expr, scope: Scope, stricter: Callable[[str], None]) -> Found:
    """Return the case for two sides of `==`, of which one is a call and the other a literal or `approx`."""
    if _is_approx(left) or not _may_be_call(left, scope):
        left, right = right, left
    call = read_call(left, scope)
    if _is_approx(right):
        return Found(call, _approx(right, scope))
    return Found(call, equal_to(read_value(right, scope), stricter))


def _may_be_call(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Name):
        return node.id in scope.calls
    return isinstance(node, ast.Call) and not (
        isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset", "float", "list", "dict")
    )


def _is_approx(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="approx") | ast.Attribute(value=ast.Name(id="pytest"), attr="approx")):
            return True
    return False


def _approx(node: ast.expr, scope: Scope) -> Keys:
    """Return the keys for `approx`: its tolerance is a share of the expected number, or `abs`."""
    assert isinstance(node, ast.Call)
    options = {keyword.arg: _number(keyword.value, scope) for keyword in node.keywords}
    if len(node.args) != 1 or not set(options) <= {"rel", "abs"}:
        raise Unconvertible("`approx` has options other than `rel` and `abs`")
    value = read_value(node.args[0], scope)
    if type(value) not in (int, float):
        raise Unconvertible("`approx` of several numbers has a tolerance of its own for each")
    share = options.get("rel", 0 if "abs" in options else 1e-6)
    return within(value, max(share * abs(value), options.get("abs", 1e-12)))  # type: ignore[arg-type]


def _number(node: ast.expr, scope: Scope) -> float:
    value = read_value(node, scope)
    if type(value) not in (int, float):
        raise Unconvertible("the tolerance is no number")
    return float(value)  # type: ignore[arg-type]


def _is_close(node: ast.Call) -> bool:
    match node.func:
        case ast.Attribute(value=ast.Name(id="math" | "np" | "numpy"), attr="isclose"):
            return True
    return False


def _close(node: ast.Call, scope: Scope) -> Found:
    """Return the case for `math.isclose` or `numpy.isclose` of a call and a number."""
    if len(node.args) != 2:
        raise Unconvertible("`isclose` with other than two numbers")
    call, value = read_call(node.args[0], scope), read_value(node.args[1], scope)
    options = {keyword.arg: _number(keyword.value, scope) for keyword in node.keywords}
    assert isinstance(node.func, ast.Attribute)
    if isinstance(node.func.value, ast.Name) and node.func.value.id == "math":
        if not set(options) <= {"rel_tol", "abs_tol"}:
            raise Unconvertible("`isclose` has options that are not known")
        keys = {**within(value, options.get("abs_tol", 0.0)), "rel": Raw(repr(options.get("rel_tol", 1e-9)))}
        return Found(call, keys)
    if not set(options) <= {"rtol", "atol"} or type(value) not in (int, float):
        raise Unconvertible("`isclose` has options or values that are not known")
    share = options.get("rtol", 1e-5) * abs(value)  # type: ignore[arg-type]
    return Found(call, within(value, options.get("atol", 1e-8) + share))


def _method(node: ast.Call, scope: Scope, stricter: Callable[[str], None]) -> Found:
    """Return the case for a method of `unittest.TestCase`."""
    name, arguments = assertion_name(node), node.args
    options = {
        keyword.arg: keyword.value for keyword in node.keywords if keyword.arg not in ("msg", "message")
    }
    match name, arguments:
        case "assertAlmostEqual", [first, second, *rest]:
            return _almost(first, second, rest, options, scope)
        case ("assertTrue" | "assertFalse" as name, [test, *_]) if not options:
            wanted = name == "assertTrue"
            return truth(test if wanted else ast.UnaryOp(ast.Not(), test), scope, stricter)
        case "assertIsNone", [test, *_] if not options:
            return Found(read_call(test, scope), exactly(None))
        case "assertIs", [first, ast.Constant(value=None | bool() as value), *_] if not options:
            return Found(read_call(first, scope), exactly(value))
        case "assertRaises" | "assertRaisesRegex" | "raises", [_, *_]:
            return _raises_call(name, node, scope)
    if name in _EQUAL and len(arguments) >= 2 and not options:
        found = _equality(arguments[0], arguments[1], scope, stricter)
        return found
    raise Unconvertible(f"`{name}` has no counterpart that is certain")


def _almost(
    first: ast.expr, second: ast.expr, rest: list[ast.expr], options: dict[str | None, ast.expr], scope: Scope
) -> Found:
    if not _may_be_call(first, scope):
        first, second = second, first
    if not set(options) <= {"places", "delta"}:
        raise Unconvertible("`assertAlmostEqual` has options that are not known")
    call, value = read_call(first, scope), read_value(second, scope)
    if "delta" in options:
        return Found(call, within(value, _number(options["delta"], scope)))
    digits: Value = read_value(rest[0], scope) if rest else 7
    if "places" in options:
        digits = read_value(options["places"], scope)
    if type(digits) is not int or not 0 <= digits <= 300:
        raise Unconvertible("`places` is no number from 0 to 300")
    return Found(call, within(value, places(digits)))


def _message(node: ast.Call) -> ast.expr | None:
    """Return the message of an assertion, which becomes a hint."""
    for keyword in node.keywords:
        if keyword.arg == "msg":
            return keyword.value
    place = {"assertTrue": 1, "assertFalse": 1, "assertIsNone": 1, "assertAlmostEqual": 3}
    place |= dict.fromkeys((*_EQUAL, "assertIs"), 2)
    index = place.get(assertion_name(node), len(node.args))
    return node.args[index] if index < len(node.args) else None


def _raises_in(manager: ast.Call, body: list[ast.stmt], scope: Scope) -> Found:
    """Return the case for `with pytest.raises(E): f(1)`."""
    match body:
        case [ast.Expr(value=ast.Call() as inner)] | [ast.Assign(value=ast.Call() as inner)]:
            return Found(read_call(inner, scope), _raised(manager, scope))
    raise Unconvertible("the block has more than one call")


def _raises_call(name: str, node: ast.Call, scope: Scope) -> Found:
    """Return the case for `self.assertRaises(E, f, 1)`."""
    start = 2 if name == "assertRaisesRegex" else 1
    if len(node.args) <= start:
        raise Unconvertible(f"`{name}` without a call")
    inner = ast.Call(node.args[start], node.args[start + 1 :], node.keywords)
    return Found(read_call(inner, scope), _raised(ast.Call(node.func, node.args[:start], []), scope))


def _raised(manager: ast.Call, scope: Scope) -> Keys:
    kinds = [*_exceptions(manager, scope)]
    if len(kinds) != 1:
        raise Unconvertible("several classes of exceptions are allowed")
    pattern = manager.args[1] if len(manager.args) > 1 else None
    for keyword in manager.keywords:
        if keyword.arg != "match":
            raise Unconvertible(f"`{keyword.arg}` has no counterpart")
        pattern = keyword.value
    if pattern is None:
        return {"raises": Raw(kinds[0])}
    text = read_value(pattern, scope)
    if not isinstance(text, str):
        raise Unconvertible("the pattern is no text")
    return {"raises": Raw(f"{{type: {kinds[0]}, message: {_quoted(text)}}}")}


def _quoted(text: str) -> str:
    if not text.isprintable():
        raise Unconvertible("the pattern has characters that cannot be shown")
    return "'" + text.replace("'", "''") + "'"


def _exceptions(manager: ast.Call, scope: Scope) -> Iterator[str]:
    kinds = manager.args[:1]
    for kind in kinds[0].elts if kinds and isinstance(kinds[0], ast.Tuple) else kinds:
        match kind:
            case ast.Name(id=name) if name not in _NOT_AN_ANSWER:
                yield scope.functions.get(name, ("", name))[1]
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in scope.modules:
                yield name
            case _:
                raise Unconvertible(f"`{ast.unparse(kind)}` can't be expected of a call")

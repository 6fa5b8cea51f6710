"""Turns the expressions that tests assert into a call and what is expected of it."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from grader.authoring.written import Keys, Raw
from grader.model.values import Value
from grader.plugins.convert.comparisons import equal_to, exactly, places, within
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.scope import Call, ConvertedScope
from grader.plugins.convert.values import is_around, read_call, read_value
from grader.yamlfile.quoting import in_quotes

_SNAKE = {"assert_equal": "assertEqual", "assert_almost_equal": "assertAlmostEqual"}
_SNAKE |= {"assert_true": "assertTrue", "assert_false": "assertFalse", "assert_raises": "assertRaises"}
_SAME_TYPE = {"assertListEqual": list, "assertTupleEqual": tuple, "assertDictEqual": dict}
_EQUAL = {"assertEqual", "assertEquals", "assertMultiLineEqual", *_SAME_TYPE}
RAISES = {"assertRaises", "assertRaisesRegex", "raises"}
_SMALL_SHARE = 1e-3
"""Up to which share of the larger number is as good as that share of the expected one."""
_NOT_AN_ANSWER = {"SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration", "BaseException"}


@dataclass(frozen=True, slots=True)
class ConvertedCall:
    """A call with what is expected of it."""

    call: Call
    keys: Keys


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


def check_known(call: ast.Call, scope: ConvertedScope) -> None:
    """Refuse a function of the file's own that has the name of an assertion.  Raises `Unconvertible`."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name)) if name in ("self", "cls") and name not in scope.odd:
            return
    if not scope.stands_for(call.func).startswith(("nose.", "pytest.")):
        raise Unconvertible(f"`{ast.unparse(call.func)}` is none of the assertions that are known here")


def truth(test: ast.expr, scope: ConvertedScope) -> ConvertedCall:
    """Return the case for an expression that must be true.  Raises `Unconvertible`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _equality(left, right, scope)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]):
            value = read_value(right, scope)
            if value is None or type(value) is bool:
                return ConvertedCall(read_call(left, scope), exactly(value))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ConvertedCall(read_call(operand, scope), {"check": Raw("falsy()")})
        case ast.Call() if package := _is_close_of(test, scope):
            return _close(test, package, scope)
        case ast.Call() | ast.Name():
            return ConvertedCall(read_call(test, scope), {"check": Raw("truthy()")})
    raise Unconvertible(f"`{ast.unparse(test)[:60]}` is no comparison by `==` of a call with a literal")


def _equality(left: ast.expr, right: ast.expr, scope: ConvertedScope) -> ConvertedCall:
    """Return the case for two sides of `==`, of which one is a call and the other a literal or `approx`."""
    if _is_approx(left, scope) or not _may_be_call(left, scope):
        left, right = right, left
    call = read_call(left, scope)
    if _is_approx(right, scope):
        return ConvertedCall(call, _approx(right, scope))
    return ConvertedCall(call, equal_to(read_value(right, scope)))


def _may_be_call(node: ast.expr, scope: ConvertedScope) -> bool:
    if isinstance(node, ast.Name):
        return node.id in scope.calls
    if not isinstance(node, ast.Call):
        return False
    try:
        read_value(node, scope)
    except Unconvertible:
        return True
    # Such as `set()` and `float("inf")`.
    return False


def _is_approx(node: ast.expr, scope: ConvertedScope) -> bool:
    return isinstance(node, ast.Call) and scope.stands_for(node.func) == "pytest.approx"


def _approx(node: ast.expr, scope: ConvertedScope) -> Keys:
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


def _number(node: ast.expr, scope: ConvertedScope) -> float:
    value = read_value(node, scope)
    if type(value) not in (int, float):
        raise Unconvertible("the tolerance is no number")
    return float(value)  # type: ignore[arg-type]


def _is_close_of(node: ast.Call, scope: ConvertedScope) -> str:
    """Return the package whose `isclose` a call is; empty for another call."""
    package, _, name = scope.stands_for(node.func).rpartition(".")
    return package if name == "isclose" and package in ("math", "numpy") else ""


def _close(node: ast.Call, package: str, scope: ConvertedScope) -> ConvertedCall:
    """Return the case for `math.isclose` or `numpy.isclose` of a call and a number."""
    if len(node.args) != 2:
        raise Unconvertible("`isclose` with other than two numbers")
    call, value = read_call(node.args[0], scope), read_value(node.args[1], scope)
    options = {keyword.arg: _number(keyword.value, scope) for keyword in node.keywords}
    if package == "math":
        if not set(options) <= {"rel_tol", "abs_tol"}:
            raise Unconvertible("`isclose` has options that are not known")
        share = options.get("rel_tol", 1e-9)
        if not 0 <= share <= _SMALL_SHARE:
            raise Unconvertible(
                "`isclose` takes its share of the larger number, `rel` that of the expected one"
            )
        keys = {**within(value, options.get("abs_tol", 0.0)), "rel": Raw(repr(share))}
        return ConvertedCall(call, keys)
    if not set(options) <= {"rtol", "atol"} or type(value) not in (int, float):
        raise Unconvertible("`isclose` has options or values that are not known")
    share = options.get("rtol", 1e-5) * abs(value)  # type: ignore[arg-type]
    return ConvertedCall(call, within(value, options.get("atol", 1e-8) + share))


def method(node: ast.Call, scope: ConvertedScope) -> ConvertedCall:
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
            return truth(test if wanted else ast.UnaryOp(ast.Not(), test), scope)
        case "assertIsNone", [test, *_] if not options:
            return ConvertedCall(read_call(test, scope), exactly(None))
        case "assertIs", [first, ast.Constant(value=None | bool() as value), *_] if not options:
            return ConvertedCall(read_call(first, scope), exactly(value))
        case "assertRaises" | "assertRaisesRegex" | "raises", [_, *_]:
            return _raises_call(name, node, scope)
    if name in _EQUAL and len(arguments) >= 2 and not options:
        found = _equality(arguments[0], arguments[1], scope)
        return found
    raise Unconvertible(f"`{name}` has no counterpart that is certain")


def _almost(
    first: ast.expr,
    second: ast.expr,
    rest: list[ast.expr],
    options: dict[str | None, ast.expr],
    scope: ConvertedScope,
) -> ConvertedCall:
    if not _may_be_call(first, scope):
        first, second = second, first
    if not set(options) <= {"places", "delta"}:
        raise Unconvertible("`assertAlmostEqual` has options that are not known")
    call, value = read_call(first, scope), read_value(second, scope)
    if "delta" in options:
        return ConvertedCall(call, within(value, _number(options["delta"], scope)))
    digits: Value = read_value(rest[0], scope) if rest else 7
    if "places" in options:
        digits = read_value(options["places"], scope)
    if type(digits) is not int or not 0 <= digits <= 300:
        raise Unconvertible("`places` is no number from 0 to 300")
    return ConvertedCall(call, within(value, places(digits)))


def message_of(node: ast.Call) -> ast.expr | None:
    """Return the message of an assertion, which becomes a hint."""
    for keyword in node.keywords:
        if keyword.arg == "msg":
            return keyword.value
    place = {"assertTrue": 1, "assertFalse": 1, "assertIsNone": 1, "assertAlmostEqual": 3}
    place |= dict.fromkeys((*_EQUAL, "assertIs"), 2)
    index = place.get(assertion_name(node), len(node.args))
    return node.args[index] if index < len(node.args) else None


def expected_in(statement: ast.stmt) -> ast.expr | None:
    """Return the exception that `try: f(1)`, `except E: pass`, `else: raise AssertionError` expects."""
    match statement:
        case ast.Try(
            body=[ast.Expr(value=ast.Call())],
            handlers=[ast.ExceptHandler(type=ast.expr() as kind, body=[ast.Pass()])],
            orelse=[fails],
            finalbody=[],
        ) if _always_fails(fails):
            return kind
    return None


def _always_fails(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert(test=ast.Constant(value=False | 0)):
            return True
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name in ("AssertionError", "Exception")
    return False


def raises_in(manager: ast.Call, body: list[ast.stmt], scope: ConvertedScope) -> ConvertedCall:
    """Return the case for `with pytest.raises(E): f(1)`."""
    match body:
        case [ast.Expr(value=ast.Call() as inner)] | [ast.Assign(value=ast.Call() as inner)]:
            return ConvertedCall(read_call(inner, scope), _raised(manager, scope))
    raise Unconvertible("the block has more than one call")


def _raises_call(name: str, node: ast.Call, scope: ConvertedScope) -> ConvertedCall:
    """Return the case for `self.assertRaises(E, f, 1)`."""
    start = 2 if name == "assertRaisesRegex" else 1
    if len(node.args) <= start:
        raise Unconvertible(f"`{name}` without a call")
    if is_around(node.args[start], scope):
        raise Unconvertible("the inner call is made outside of the assertion")
    inner = ast.Call(node.args[start], node.args[start + 1 :], node.keywords)
    return ConvertedCall(read_call(inner, scope), _raised(ast.Call(node.func, node.args[:start], []), scope))


def _raised(manager: ast.Call, scope: ConvertedScope) -> Keys:
    kinds = [*_exceptions(manager, scope)]
    if len(kinds) != 1:
        number = "several classes of exceptions are allowed" if kinds else "it names no class of exceptions"
        raise Unconvertible(number)
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
    return {"raises": Raw(f"{{type: {kinds[0]}, message: {in_quotes(text)}}}")}


def _exceptions(manager: ast.Call, scope: ConvertedScope) -> Iterator[str]:
    kinds = manager.args[:1]
    for kind in kinds[0].elts if kinds and isinstance(kinds[0], ast.Tuple) else kinds:
        yield exception_of(kind, scope)


def exception_of(kind: ast.expr, scope: ConvertedScope) -> str:
    """Return the name of a class of exceptions: the student's, or Python's.  Raises `Unconvertible`."""
    match kind:
        case ast.Name(id=name) if theirs := scope.theirs(name):
            return theirs[1]
        case ast.Name(id=name) if scope.is_pythons(name) and name not in _NOT_AN_ANSWER:
            if isinstance(found := getattr(builtins, name), type) and issubclass(found, BaseException):
                return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in scope.modules:
            return name
    raise Unconvertible(f"`{ast.unparse(kind)[:60]}` is no exception of the student's module or of Python's")

"""One example of a call: `f(1, 2) -> 3`, `assert f(1, 2) == 3`, or a comparison."""

import ast
import warnings

from grader.authoring.new.drafts import AnswerForm, NewStep, StatedAnswer

_ARROWS = ("->", "→", "=>")
_APPROX = "rel: 1e-6"
"""pytest's `approx` without a tolerance of its own."""


class NoCase(Exception):
    """An example is no case; the text says why."""


def parsed(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoCase(f"not valid Python: {getattr(error, 'msg', None) or error}") from None


def compared(node: ast.Compare) -> NewStep:
    """Return the step of `f(1) == 2`, `2 == f(1)` or `f(1) is None`.  Raises `NoCase`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.Is):
        raise NoCase("only a comparison with == becomes a case")
    call, value = node.left, node.comparators[0]
    if not isinstance(call, ast.Call) or _approx(call) is not None:
        call, value = value, call
    if not isinstance(call, ast.Call):
        raise NoCase("neither side is a call")
    return stated(call, value)


def stated(call: ast.expr, value: ast.expr, tolerance: str = "") -> NewStep:
    close = _approx(value)
    if close is not None:
        value, tolerance = close, _APPROX
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
        raise NoCase("only calls become cases")
    if isinstance(call.func, ast.Attribute):
        # `leap.is_leap(4)`, where a test file says `import leap`
        call = ast.Call(ast.Name(call.func.attr), call.args, call.keywords)
    return NewStep("call", ast.unparse(call), StatedAnswer(AnswerForm.VALUE, ast.unparse(value), tolerance))


def _approx(node: ast.expr) -> ast.expr | None:
    """Return the number in `pytest.approx(2.5)`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "approx" and node.args:
        return node.args[0]
    return None


def example(text: str) -> NewStep:
    """Return the step of `f(1, 2) -> 3` or `assert f(1, 2) == 3`.  Raises `NoCase`."""
    for arrow in _ARROWS:
        left, found, right = text.partition(arrow)
        if found and not _is_assert(text):
            word, _, name = right.strip().partition(" ")
            if word in ("raises", "raise"):
                return NewStep("call", _call_text(left), StatedAnswer(AnswerForm.RAISES, name.strip()))
            return NewStep("call", _call_text(left), StatedAnswer(AnswerForm.VALUE, right.strip()))
    body = parsed(text.strip()).body
    if len(body) == 1 and isinstance(body[0], ast.Assert):
        return asserted(body[0].test)
    raise NoCase("write `f(1, 2) -> 3` or `assert f(1, 2) == 3`")


def _is_assert(text: str) -> bool:
    return text.lstrip().startswith("assert ")


def _call_text(text: str) -> str:
    body = parsed(text.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        raise NoCase("before the arrow stands no call")
    return ast.unparse(body[0])


def asserted(test: ast.expr) -> NewStep:
    if isinstance(test, ast.Compare):
        return compared(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return stated(test.operand, ast.Constant(False))
    return stated(test, ast.Constant(True))

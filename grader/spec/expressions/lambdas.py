"""Lambdas of a spec as source text, with values for its names, and compiled once as a check."""

import ast
import builtins
import warnings
from collections.abc import Collection
from copy import deepcopy
from typing import cast

from grader.spec.expressions.evaluate import REPORTED, Names
from grader.spec.expressions.parse import Expression
from grader.values.python_text import literal
from grader.wire.library_values import NAMES
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.unusable import Unusable

MAX_SOURCE = 20_000
"""The most characters of a lambda's source with the values of its names."""


def lambda_source(
    expression: Expression,
    node: ast.Lambda,
    names: Names,
    reporter: Reporter,
    types: Collection[str] = (),
    beyond: Collection[str] = (),
) -> str:
    """Return the source of a lambda without names of the spec.  Raises Unusable if it would not work.

    types: names of classes that exist where the lambda runs.  beyond: other names that exist there.
    """
    bound = bound_names(node)
    free = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id not in bound]
    known = {*names, *types, *NAMES, *beyond}
    unknown = [n for n in free if n.id not in known and not hasattr(builtins, n.id)]
    for name in unknown:
        hint = reporter.nearest(name.id, [*names, *types, *bound])
        message = f"`{shown(name.id)}` is not a known name in this lambda"
        reporter.report(expression.span(name), message, hint)
    if unknown or any(names.get(n.id) is REPORTED for n in free):
        raise Unusable
    literals = {n.id: literal(names[n.id][0]) for n in free if n.id in names and n.id not in beyond}
    try:
        return _compiled(_with_values(node, literals))
    except _Unfit as unfit:
        reporter.report(expression.span(node), f"this lambda does not work: {unfit}")
        raise Unusable from None


class _Unfit(Exception):
    """Why a lambda can't be used."""


def bound_names(node: ast.Lambda) -> set[str]:
    """Return every name that is bound somewhere in the lambda: parameters, loops, `:=`."""
    bound = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return bound | {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }


def _with_values(node: ast.Lambda, literals: dict[str, str]) -> ast.Lambda:
    """Return the lambda with Python text instead of names."""
    if not literals:
        return node
    if sum(map(len, literals.values())) > MAX_SOURCE:
        raise _Unfit("the values of its names are too long to put in")
    values = {name: ast.parse(text, mode="eval").body for name, text in literals.items()}
    return cast(ast.Lambda, _Substitution(values).visit(deepcopy(node)))


class _Substitution(ast.NodeTransformer):
    """Replaces names by values, in the tree that it visits."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)


def _compiled(node: ast.Lambda) -> str:
    """Return the source of a lambda; raise _Unfit if Python does not compile it."""
    try:
        source = ast.unparse(node)
        if len(source) > MAX_SOURCE:
            raise _Unfit(f"its source has {len(source):,} characters; at most {MAX_SOURCE:,} are allowed")
        with warnings.catch_warnings(action="ignore"):
            compile(source, "<lambda>", "eval")
    except SyntaxError as error:
        raise _Unfit(shown(error.msg)) from None
    except (ValueError, OverflowError, RecursionError, MemoryError):
        raise _Unfit("Python gives up on it") from None
    return source

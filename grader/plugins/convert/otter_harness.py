"""Cases of Otter's that are no calls and no steps: functions of a harness run them as a doctest does."""

import ast
import doctest
import sys
from collections.abc import Iterator, Sequence
from textwrap import indent

from grader.plugins.convert.assertions import count_assertions
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.imports import imported_by
from grader.plugins.convert.python.names import bound_by
from grader.values.python_text import literal

_HEAD = '''\
"""Cases of Otter's, run beside the notebook: each function returns what its examples show."""

import contextlib
import io

from {module} import *


def _shown(*examples):
    names, texts = dict(globals()), []
    for example in examples:
        with contextlib.redirect_stdout(io.StringIO()) as text:
            exec(compile(example, "an example", "single"), names)
        texts.append(text.getvalue())
    return texts
'''


def head(module: str) -> str:
    return _HEAD.format(module=module)


def function(name: str, examples: Sequence[doctest.Example]) -> tuple[str, str]:
    """Return the function of a case, and what it must return.  Raises `Unconvertible`."""
    for each in examples:
        if each.options or each.exc_msg is not None or "<BLANKLINE>" in each.want:
            raise Unconvertible("an example has options, must raise, or shows an empty line")
        if _never(each):
            raise Unconvertible(f"no notebook passes it: `{each.source.strip()[:50]}`")
    body = ",\n        ".join(literal(each.source) for each in examples)
    return f"\n\ndef {name}():\n    return _shown(\n        {body},\n    )\n", literal(
        [each.want for each in examples]
    )


def as_example(test: ast.FunctionDef, top: Sequence[ast.stmt]) -> doctest.Example:
    """Return the example that calls a function with `@test_case`, and shows nothing if its assertions hold.

    top: the other statements of its file.  Raises `Unconvertible`.
    """
    given = test.args
    names = [each.arg for each in given.args]
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        raise Unconvertible("its parameters are no plain names of the notebook")
    if clash := sorted({*names} & {*bound_by(top)}):
        raise Unconvertible(f"`{clash[0]}` is a name of the notebook and of the file")
    before = [each for each in top if not _is_of_otter(each)]
    plain = ast.FunctionDef(test.name, _arguments(names), test.body, [], lineno=1)
    call = ast.Expr(ast.Call(ast.Name(test.name), [ast.Name(name) for name in names], []))
    body = indent(ast.unparse(ast.Module([*before, plain, call], [])), "    ")
    return doctest.Example(f"with contextlib.redirect_stdout(io.StringIO()):\n{body}\n", "")


def _arguments(names: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _is_of_otter(statement: ast.stmt) -> bool:
    """Tell whether a statement is an import of Otter's, or one that only a file can begin with."""
    return any(each.module.partition(".")[0] in ("otter", "__future__") for each in imported_by(statement))


def asked(examples: Sequence[doctest.Example]) -> int:
    """Return how many assertions examples have."""
    return sum(1 if each.want.strip() else count_assertions(ast.parse(each.source).body) for each in examples)


def packages(examples: Sequence[doctest.Example]) -> list[str]:
    """Return the modules that examples import and that are not Python's own."""
    found = {name.partition(".")[0] for each in examples for name in _imported(each)}
    return sorted(found - sys.stdlib_module_names)


def _imported(example: doctest.Example) -> Iterator[str]:
    for node in ast.walk(ast.parse(example.source)):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str() as module):
                yield module


def _never(example: doctest.Example) -> bool:
    """Tell whether an example compares two constants, and wants what is not so."""
    match ast.parse(example.source).body:
        case [
            ast.Expr(
                value=ast.Compare(
                    left=ast.Constant(value=left), ops=[ast.Eq()], comparators=[ast.Constant(value=right)]
                )
            )
        ]:
            return example.want.strip() != str(left == right)
    return False

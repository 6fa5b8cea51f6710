"""The examples in a file: lines, rows, pairs, doctests, or the simple asserts of a test file."""

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.authoring.new.calls import NoCase, asserted, compared, example, parsed, stated
from grader.authoring.new.doctests import docstring_cases
from grader.authoring.new.drafts import AnswerForm, LeftOut, NewCase, NewStep, Note, StatedAnswer
from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_text
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source

_CALLED = re.compile(r"(?!assert\b)\b([A-Za-z_]\w*)\(")
_ABOUT = "abs: 1e-7"
"""unittest's `assertAlmostEqual` rounds to seven places."""
_EQUAL = ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual")
_TRUTHS = {"assertTrue": "True", "assertFalse": "False", "assertIsNone": "None"}


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a file.  modules: the module of each function that the file imports.

    left_out: how many examples of each function are no cases.
    """

    cases: tuple[NewCase, ...]
    modules: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)


def read_examples(path: Path, note: Note) -> Examples:
    """Return the examples of a text, CSV, YAML or test file.  Raises `UsageError` where it has none."""
    text = read_text(path, "the examples")
    match path.suffix.lower():
        case ".py":
            found = tested_cases(path, text, note)
        case ".csv":
            found = _of_lines(path, _csv_lines(path, text), note)
        case ".yaml" | ".yml":
            found = _of_lines(path, _yaml_lines(path, text), note)
        case _ if ">>>" in text:
            found = Examples(tuple(docstring_cases(text, 1, str(path), frozenset(), LeftOut(note))))
        case _:
            found = _of_lines(path, enumerate(text.splitlines(), 1), note)
    if not found.cases:
        hint = "a line each, such as `f(1, 2) -> 3` or `assert f(1, 2) == 3`"
        raise UsageError(Fault("no example was found", str(path), hint=hint))
    return found


def _of_lines(path: Path, lines: Iterator[tuple[int, str]], note: Note) -> Examples:
    cases, left_out = [], Counter[str]()
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cases.append(NewCase((example(line),), str(path), number))
        except NoCase as reason:
            note(f"{path}:{number}: this example is left out: {reason}")
            left_out[_first_called(line)] += 1
    return Examples(tuple(cases), left_out=left_out)


def _first_called(text: str) -> str:
    """Return the function of an example that cannot be read; empty if none is seen."""
    called = _CALLED.search(text)
    return called[1] if called else ""


def _csv_lines(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield `call -> answer` for each row of two columns; a header is a row whose call is none."""
    rows = csv.reader(text.splitlines())
    try:
        for row in rows:
            if len(row) >= 2 and "(" in row[0]:
                yield rows.line_num, f"{row[0]} -> {row[1]}"
            elif row and rows.line_num > 1:
                yield rows.line_num, ",".join(row)
    except csv.Error as error:
        raise UsageError(Fault(f"this is no CSV: {error}", f"{path}:{rows.line_num}")) from error


def _yaml_lines(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield an example for each item of a list, and for each pair `f(1, 2): 3` of a mapping."""
    reporter = Reporter(Source(str(path), text))
    root = compose(reporter)
    reporter.raise_if_any(UsageError)
    items = root.items if isinstance(root, nodes.Sequence) else (root,) if root is not None else ()
    for item in items:
        pairs = item.pairs if isinstance(item, nodes.Mapping) else ()
        if isinstance(item, Scalar):
            yield reporter.source.position(item.span.start)[0], item.text
        for key, value in pairs:
            shown = value.text if isinstance(value, Scalar) else text[value.span.start : value.span.end]
            yield reporter.source.position(key.span.start)[0], f"{key.text} -> {shown}"


def tested_cases(path: Path, text: str, note: Note) -> Examples:
    """Return the simple asserts of a pytest or unittest file."""
    try:
        tree = parsed(text)
    except NoCase as reason:
        raise UsageError(Fault(str(reason), str(path))) from None
    modules = {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
    }
    cases, left_out = [], Counter[str]()
    for node in sorted(_statements(tree), key=lambda each: each.lineno):
        try:
            step = _tested(node)
        except NoCase as reason:
            note(f"{path}:{node.lineno}: this example is left out: {reason}")
            names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
            left_out[next((name for name in names if name in modules), "")] += 1
            continue
        if step is not None:
            cases.append(NewCase((step,), str(path), node.lineno))
    return Examples(tuple(cases), modules, left_out)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.With) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield node


def _tested(node: ast.stmt) -> NewStep | None:
    """Return the step of an assert; None for another statement.  Raises `NoCase`."""
    if isinstance(node, ast.Assert):
        return asserted(node.test)
    if isinstance(node, ast.With):
        return _raising(node)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return None
    call, name = node.value, ast.unparse(node.value.func).rpartition(".")[2]
    if name in _EQUAL and len(call.args) >= 2:
        return compared(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]]))
    if name in _TRUTHS and call.args:
        return stated(call.args[0], ast.parse(_TRUTHS[name], mode="eval").body)
    if name == "assertAlmostEqual" and len(call.args) >= 2:
        return stated(call.args[0], call.args[1], _ABOUT)
    if name == "assertRaises" and len(call.args) >= 2:
        made = ast.Call(call.args[1], call.args[2:], call.keywords)
        return replace(stated(made, call.args[0]), said=_raised(call.args[0]))
    return None


def _raising(node: ast.With) -> NewStep | None:
    """Return the step of `with pytest.raises(ValueError): f(-1)`."""
    manager = node.items[0].context_expr
    if not isinstance(manager, ast.Call) or not manager.args:
        return None
    if ast.unparse(manager.func).rpartition(".")[2] not in ("raises", "assertRaises"):
        return None
    (first, *more) = node.body
    if more or not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Call):
        raise NoCase("only a single call becomes a case")
    return replace(stated(first.value, first.value), said=_raised(manager.args[0]))


def _raised(node: ast.expr) -> StatedAnswer:
    return StatedAnswer(AnswerForm.RAISES, ast.unparse(node).rpartition(".")[2])

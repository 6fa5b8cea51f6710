"""Examples of calls: doctests, `f(1, 2) -> 3`, `assert f(1, 2) == 3`, simple asserts of a test file."""

import ast
import csv
import doctest
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeGuard

from grader.authoring.new.drafts import CaseDraft, Said, SaidAs, StepDraft
from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_text
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source

_Note = Callable[[str], None]

_ARROWS = ("->", "→", "=>")
_ABOUT = "abs: 1e-7"
"""unittest's `assertAlmostEqual` rounds to seven places."""
_APPROX = "rel: 1e-6"
"""pytest's `approx` without a tolerance of its own."""
_EQUAL = ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual")
_TRUTHS = {"assertTrue": "True", "assertFalse": "False", "assertIsNone": "None"}


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a file.  modules: the module of each function that the file imports."""

    cases: tuple[CaseDraft, ...]
    modules: dict[str, str] = field(default_factory=dict)


# -- doctests ------------------------------------------------------------------------------------------


def docstring_cases(text: str, line: int, name: str, classes: frozenset[str], note: _Note) -> list[CaseDraft]:
    """Return the cases of a docstring's examples: one each, or a scenario where they share objects.

    line: of the docstring in the file `name`.  note: is told of examples that are no cases.
    """
    try:
        examples = doctest.DocTestParser().get_examples(text, name)
    except ValueError as error:
        note(f"{name}:{line}: its examples can't be read: {error}")
        return []
    reader = _Steps(classes)
    steps: list[tuple[int, StepDraft]] = []
    for example in examples:
        if example.options.get(doctest.SKIP):
            continue
        at = line + example.lineno
        try:
            found = reader.read(example)
        except _NoCase as reason:
            note(f"{name}:{at}: this example is left out: {reason}")
            continue
        if found is not None:
            steps.append((at, found))
    if any(step.key != "call" or step.bound for _, step in steps):
        return [CaseDraft(tuple(step for _, step in steps), f"{name}:{line}")]
    return [CaseDraft((step,), f"{name}:{at}") for at, step in steps]


class _NoCase(Exception):
    """An example is no case; the text says why."""


class _Steps:
    """Reads the examples of one docstring, one after another, with the names that they bind."""

    def __init__(self, classes: frozenset[str]) -> None:
        self._classes = classes
        self._objects: set[str] = set()
        self._values: dict[str, ast.expr] = {}

    def read(self, example: doctest.Example) -> StepDraft | None:
        """Return the step of an example; None where it needs none.  Raises `_NoCase`."""
        body = _parsed(example.source).body
        if len(body) != 1:
            raise _NoCase("only single calls become cases")
        statement = body[0]
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._assigned(statement.targets[0], statement.value)
        if not isinstance(statement, ast.Expr):
            raise _NoCase("only calls become cases")
        step = self._step(statement.value)
        if step.said is None:
            step = replace(step, said=_said_by(example))
        return step

    def _assigned(self, target: ast.expr, value: ast.expr) -> StepDraft | None:
        if not isinstance(target, ast.Name):
            raise _NoCase("only a plain name can keep an answer")
        if isinstance(value, ast.Call):
            step = self._step(value)
            self._objects.add(target.id)
            self._values.pop(target.id, None)
            made = isinstance(value.func, ast.Name) and value.func.id in self._classes
            return replace(step, key="new" if made else "call", bound=target.id)
        if not _is_literal(value):
            raise _NoCase("only calls and plain values become cases")
        self._values[target.id] = value
        return None

    def _step(self, node: ast.expr) -> StepDraft:
        node = _with_values(node, self._values)
        if (
            _is_called(node, "print")
            and len(node.args) == 1
            and isinstance(node.args[0], ast.Call | ast.Attribute)
        ):
            # The text that it prints need not be the answer's literal, so nothing is compared.
            return replace(self._step(node.args[0]), said=Said(SaidAs.VALUE, ""))
        if isinstance(node, ast.Compare):
            return _compared(node)
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in self._objects
        ):
            return StepDraft("read", ast.unparse(node))
        if isinstance(node, ast.Call) and _is_called_plainly(node.func, self._objects):
            return StepDraft("call", ast.unparse(node))
        raise _NoCase("only calls become cases")


def _parsed(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _NoCase(f"not valid Python: {getattr(error, 'msg', None) or error}") from None


def _said_by(example: doctest.Example) -> Said | None:
    if example.exc_msg is not None:
        return Said(SaidAs.RAISES, example.exc_msg.partition(":")[0].strip().rpartition(".")[2])
    return Said(SaidAs.SHOWN, example.want)


def _is_called_plainly(func: ast.expr, objects: set[str]) -> bool:
    """Tell whether a function is called by its name, or a method of an object that was made before."""
    if isinstance(func, ast.Attribute):
        return isinstance(func.value, ast.Name) and func.value.id in objects
    return isinstance(func, ast.Name)


def _is_called(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _with_values(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr:
    """Return an expression with the values of names that examples bound before."""

    class _Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return values.get(name.id, name)

    found: ast.expr = _Put().visit(node)
    return found


# -- single examples -----------------------------------------------------------------------------------


def _compared(node: ast.Compare) -> StepDraft:
    """Return the step of `f(1) == 2`, `2 == f(1)` or `f(1) is None`.  Raises `_NoCase`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.Is):
        raise _NoCase("only a comparison with == becomes a case")
    call, value = node.left, node.comparators[0]
    if not isinstance(call, ast.Call) or _approx(call) is not None:
        call, value = value, call
    if not isinstance(call, ast.Call):
        raise _NoCase("neither side is a call")
    return _stated(call, value)


def _stated(call: ast.expr, value: ast.expr, tolerance: str = "") -> StepDraft:
    close = _approx(value)
    if close is not None:
        value, tolerance = close, _APPROX
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
        raise _NoCase("only calls become cases")
    if isinstance(call.func, ast.Attribute):
        # `leap.is_leap(4)`, where a test file says `import leap`
        call = ast.Call(ast.Name(call.func.attr), call.args, call.keywords)
    return StepDraft("call", ast.unparse(call), Said(SaidAs.VALUE, ast.unparse(value), tolerance))


def _approx(node: ast.expr) -> ast.expr | None:
    """Return the number in `pytest.approx(2.5)`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "approx" and node.args:
        return node.args[0]
    return None


def _example(text: str) -> StepDraft:
    """Return the step of `f(1, 2) -> 3` or `assert f(1, 2) == 3`.  Raises `_NoCase`."""
    for arrow in _ARROWS:
        left, found, right = text.partition(arrow)
        if found and not _is_assert(text):
            word, _, name = right.strip().partition(" ")
            if word in ("raises", "raise"):
                return StepDraft("call", _call_text(left), Said(SaidAs.RAISES, name.strip()))
            return StepDraft("call", _call_text(left), Said(SaidAs.VALUE, right.strip()))
    body = _parsed(text.strip()).body
    if len(body) == 1 and isinstance(body[0], ast.Assert):
        return _asserted(body[0].test)
    raise _NoCase("write `f(1, 2) -> 3` or `assert f(1, 2) == 3`")


def _is_assert(text: str) -> bool:
    return text.lstrip().startswith("assert ")


def _call_text(text: str) -> str:
    body = _parsed(text.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        raise _NoCase("before the arrow stands no call")
    return ast.unparse(body[0])


def _asserted(test: ast.expr) -> StepDraft:
    if isinstance(test, ast.Compare):
        return _compared(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _stated(test.operand, ast.Constant(False))
    return _stated(test, ast.Constant(True))


# -- files ---------------------------------------------------------------------------------------------


def read_examples(path: Path, note: _Note) -> Examples:
    """Return the examples of a text, CSV, YAML or test file.  Raises `UsageError` where it has none."""
    text = read_text(path, "the examples")
    match path.suffix.lower():
        case ".py":
            found = _of_tests(path, text, note)
        case ".csv":
            found = Examples(_of_lines(path, _csv_lines(path, text), note))
        case ".yaml" | ".yml":
            found = Examples(_of_lines(path, _yaml_lines(path, text), note))
        case _ if ">>>" in text:
            found = Examples(tuple(docstring_cases(text, 1, str(path), frozenset(), note)))
        case _:
            found = Examples(_of_lines(path, enumerate(text.splitlines(), 1), note))
    if not found.cases:
        hint = "a line each, such as `f(1, 2) -> 3` or `assert f(1, 2) == 3`"
        raise UsageError(Fault("no example was found", str(path), hint=hint))
    return found


def _of_lines(path: Path, lines: Iterator[tuple[int, str]], note: _Note) -> tuple[CaseDraft, ...]:
    cases = []
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cases.append(CaseDraft((_example(line),), f"{path}:{number}"))
        except _NoCase as reason:
            note(f"{path}:{number}: this example is left out: {reason}")
    return tuple(cases)


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


def _of_tests(path: Path, text: str, note: _Note) -> Examples:
    """Return the simple asserts of a pytest or unittest file."""
    try:
        tree = _parsed(text)
    except _NoCase as reason:
        raise UsageError(Fault(str(reason), str(path))) from None
    modules = {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
    }
    cases = []
    for node in sorted(_statements(tree), key=lambda each: each.lineno):
        try:
            step = _tested(node)
        except _NoCase as reason:
            note(f"{path}:{node.lineno}: this example is left out: {reason}")
            continue
        if step is not None:
            cases.append(CaseDraft((step,), f"{path}:{node.lineno}"))
    return Examples(tuple(cases), modules)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.With) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield node


def _tested(node: ast.stmt) -> StepDraft | None:
    """Return the step of an assert; None for another statement.  Raises `_NoCase`."""
    if isinstance(node, ast.Assert):
        return _asserted(node.test)
    if isinstance(node, ast.With):
        return _raising(node)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return None
    call, name = node.value, ast.unparse(node.value.func).rpartition(".")[2]
    if name in _EQUAL and len(call.args) >= 2:
        return _compared(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]]))
    if name in _TRUTHS and call.args:
        return _stated(call.args[0], ast.parse(_TRUTHS[name], mode="eval").body)
    if name == "assertAlmostEqual" and len(call.args) >= 2:
        return _stated(call.args[0], call.args[1], _ABOUT)
    if name == "assertRaises" and len(call.args) >= 2:
        made = ast.Call(call.args[1], call.args[2:], call.keywords)
        return replace(_stated(made, call.args[0]), said=_raised(call.args[0]))
    return None


def _raising(node: ast.With) -> StepDraft | None:
    """Return the step of `with pytest.raises(ValueError): f(-1)`."""
    manager = node.items[0].context_expr
    if not isinstance(manager, ast.Call) or not manager.args:
        return None
    if ast.unparse(manager.func).rpartition(".")[2] not in ("raises", "assertRaises"):
        return None
    (first, *more) = node.body
    if more or not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Call):
        raise _NoCase("only a single call becomes a case")
    return replace(_stated(first.value, first.value), said=_raised(manager.args[0]))


def _raised(node: ast.expr) -> Said:
    return Said(SaidAs.RAISES, ast.unparse(node).rpartition(".")[2])

"""Makes the code around a student's module, and the reference, from a question's `tests`."""

import ast
import builtins
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from grader.plugins.convert.changes import changed
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.prairielearn.drawing import Array, Drawing
from grader.plugins.convert.prairielearn.folder import QuestionFolder
from grader.plugins.convert.python.lines import lines_of, share_a_line
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value
from grader.values.python_text import literal

_FEEDBACK = '''\
class Feedback:
    """What the setup uses of PrairieLearn's class of this name."""

    @staticmethod
    def not_allowed(*_arguments, **_options):
        raise RuntimeError("The use of this function is not allowed.")
'''


@dataclass(frozen=True, slots=True)
class Around:
    """The code around: before with the names it gives, after with those it takes, and the reference.

    draws: what comes before may draw values.  later: names that what comes after needs only when called.
    """

    before: str = ""
    gives: tuple[str, ...] = ()
    after: str = ""
    takes: tuple[str, ...] = ()
    reference: str = ""
    kinder: tuple[str, ...] = ()
    draws: bool = False
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What can be read of a reference without running it.

    values: names of literals and arrays.  calls: names of what one of its functions answers to those.
    """

    values: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)


def code_around(question: QuestionFolder) -> Around:
    """Return the code around.  Raises `Unconvertible` where the pieces are no code by themselves."""
    setup, leading = _parsed(question.setup, "setup_code.py"), _parsed(question.leading, "leading_code.py")
    trailing = _parsed(question.trailing, "trailing_code.py")
    reference = _parsed(question.reference, "ans.py")
    kinder = []
    before = _without_feedback(question.setup, setup)
    bound = bound_names(setup)
    if "repeated_setup" in bound:
        before += "\n\nrepeated_setup()\n"
    hidden = read_names(reference) & bound - bound_names(reference) - set(question.for_user)
    modules = {name for name in hidden if name in _imported(setup)}
    if hidden - modules:
        name = min(hidden - modules)
        raise Unconvertible(f"ans.py uses `{name}` of the setup, which students do not get")
    gives = [name for name in question.for_user if name in bound and name not in _imported(setup)]
    heads = [*_heads(question, read_names(setup) | read_names(leading))]
    if question.leading.strip():
        before = f"{before.rstrip()}\n\n\n{question.leading}" if before.strip() else question.leading
        gives += [name for name in sorted(bound_names(leading)) if not name.startswith("_")]
        kinder.append("the reference runs after leading_code.py too, and both with the names of the setup")
    if not gives and all(isinstance(node, ast.Import) or _is_text(node) for node in setup.body):
        before = ""
    takes: list[str] = []
    if question.trailing.strip():
        takes = sorted(
            read_names(trailing) - bound_names(trailing) - set(dir(builtins)) - _imported(trailing)
        )
        lost = sorted(set(takes) - bound_names(reference) - set(gives))
        if lost:
            raise Unconvertible(f"trailing_code.py uses `{lost[0]}`, which ans.py does not define")
    return Around(
        before="".join(heads) + before if before else "",
        gives=tuple(dict.fromkeys(gives)),
        after=question.trailing,
        takes=tuple(takes),
        reference="".join(_heads(question, read_names(reference))) + question.reference,
        kinder=tuple(kinder),
        later=tuple(sorted(set(takes) - _read_at_once(trailing))),
        draws=bool(re.search(r"\brandom\b", before)),
    )


def known_of(reference: str) -> Known:
    """Return the values of a reference that are plain from its text: names that it binds once."""
    try:
        tree = _parsed(reference, "ans.py")
    except Unconvertible:
        return Known()
    known = Known()
    bound = [*_bound(tree.body)]
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound.count(name) == 1:
                try:
                    known.values[name] = _constant(value)
                except Unconvertible:
                    if text := _call_text(value, known, functions):
                        known.calls[name] = text
    items = {name: each.items if isinstance(each, Array) else each for name, each in known.values.items()}
    # Calls of a reference are taken to leave alone what they get.
    for name in changed([tree], items, lambda _call: True):
        del known.values[name]
    return known


def _constant(value: ast.expr) -> Any:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="array"), args=[inner]):
            items = read_value(inner, ConvertedScope())
            return Drawing("").call("numpy.array", [items], {}) if not value.keywords else None
    return read_value(value, ConvertedScope())


def _call_text(value: ast.expr, known: Known, functions: set[str]) -> str:
    match value:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in functions:
            try:
                found = [
                    known.values[each.id] if isinstance(each, ast.Name) else _constant(each)
                    for each in arguments
                ]
            except (Unconvertible, KeyError):
                return ""
            texts = [each.text if isinstance(each, Array) else literal(each) for each in found]
            return f"{name}({', '.join(texts)})"
    return ""


def bound_names(tree: ast.Module) -> set[str]:
    """Return the names that a module binds at its top level."""
    return set(_bound(tree.body))


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
        else:
            inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            yield from _bound(inner)
            for part in ast.walk(node) if not inner else _expressions(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    yield part.id
            for handler in getattr(node, "handlers", ()):
                yield from _bound(handler.body)


def _expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that stand in none of its inner statements."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.stmt | ast.ExceptHandler):
            yield from ast.walk(each)


def read_names(tree: ast.AST) -> set[str]:
    """Return the names that stand for something anywhere in some code."""
    return {
        part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def _read_at_once(tree: ast.Module) -> set[str]:
    """Return the names that a module reads while it runs, outside of its functions."""
    found: set[str] = set()
    for node in tree.body:
        parts = (
            [*node.decorator_list, node.args]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            else [node]
        )
        for part in parts:
            found |= read_names(part)
    return found


def packages_in(*texts: str) -> Iterator[str]:
    """Yield those of the packages that the spec knows, which some code imports."""
    for name in ("matplotlib", "numpy", "pandas"):
        if any(re.search(rf"^\s*(import|from)\s+{name}\b", text, flags=re.MULTILINE) for text in texts):
            yield name


def _imported(tree: ast.Module) -> set[str]:
    return set(_bound([node for node in tree.body if isinstance(node, ast.Import)]))


def _heads(question: QuestionFolder, names: set[str]) -> Iterator[str]:
    """Yield lines for what PrairieLearn gives a piece of code beside the setup."""
    if "test_iter_num" in names:
        yield "test_iter_num = 0\n"
    if "data" in names:
        if question.params is None:
            raise Unconvertible(
                "its code reads `data`, which is drawn anew for each student; see `data.json`"
            )
        yield f"data = {{'params': {question.params!r}}}\n"


def _without_feedback(text: str, tree: ast.Module) -> str:
    """Return the setup without the import of PrairieLearn's own module."""
    lines = lines_of(text)
    for node in tree.body:
        match node:
            case ast.ImportFrom(module="code_feedback", names=[ast.alias(name="Feedback", asname=None)]):
                if re.sub(r"Feedback\.not_allowed\b", "", text).count("Feedback") > 1:
                    raise Unconvertible("its setup uses `Feedback` for more than `not_allowed`")
                if any(share_a_line(each, node) for each in tree.body if each is not node):
                    raise Unconvertible("its setup imports `Feedback` on a line with something else")
                lines[node.lineno - 1 : node.end_lineno] = [*_FEEDBACK.rstrip().splitlines()]
                return "\n".join(lines).rstrip("\n") + "\n"
    return text


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _parsed(text: str, name: str) -> ast.Module:
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        reason = "is no code by itself; the student's text goes on where it ends"
        raise Unconvertible(f"{name} {reason}") from None

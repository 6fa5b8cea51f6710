"""Programs made from a module's signatures: the handout, and a wrong program that returns nothing."""

import ast
from collections.abc import Iterable, Iterator
from copy import copy

from grader.authoring.new.source import Module

_DATA_BASES = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "NamedTuple", "TypedDict"})
_PROGRAM = "# Write your program here.\n"


def stub_of(module: Module, body: str) -> str:
    """Return a module's public definitions with their docstrings, each with the statement `body` for its own.

    Private names, other statements and comments are left out, since they can give a solution away.
    """
    kept = [_stub(node, body) for node in module.tree.body if _is_public(node)]
    if module.is_program or not kept:
        text = module.docstring
        return (f'"""{text}"""\n\n' if text and '"""' not in text else "") + _PROGRAM
    used = {node.id for each in kept for node in ast.walk(each) if isinstance(node, ast.Name)}
    head = [node for node in module.tree.body if _is_needed(node, used)]
    docstring = [node for node in module.tree.body[:1] if module.docstring]
    tree = ast.Module([*docstring, *head, *kept], [])
    return _spaced(ast.unparse(ast.fix_missing_locations(tree)))


def _is_public(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return not node.name.startswith("_") or (node.name.startswith("__") and node.name.endswith("__"))


def _is_needed(node: ast.stmt, used: set[str]) -> bool:
    """Tell whether an import or a constant gives a name that signatures use."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    if isinstance(node, ast.Import | ast.ImportFrom):
        return any((alias.asname or alias.name.partition(".")[0]) in used for alias in node.names)
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id in used for target in node.targets)
    return False


def _stub(node: ast.stmt, body: str) -> ast.stmt:
    """Return a copy of a definition, its functions with the statement `body` alone."""
    made = copy(node)
    if isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef):
        made.body = [*_docstring(made.body), *ast.parse(body).body]
    elif isinstance(made, ast.ClassDef):
        made.body = [*_docstring(made.body), *_members(made, body)] or [ast.Pass()]
    return made


def _docstring(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    first = body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        yield first


def _members(node: ast.ClassDef, body: str) -> Iterator[ast.stmt]:
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
    is_data = bool(bases & _DATA_BASES) or "dataclass" in decorators
    for each in node.body:
        if _is_public(each) or (is_data and isinstance(each, ast.Assign | ast.AnnAssign)):
            yield _stub(each, body)


def _spaced(text: str) -> str:
    """Return code with two empty lines before each definition at the top level."""
    lines: list[str] = []
    for line in text.split("\n"):
        starts = line.startswith(("def ", "async def ", "class ", "@"))
        if starts and lines and not lines[-1].startswith("@"):
            lines = [*_without_ends(lines), "", ""]
        lines.append(line)
    return "\n".join(_without_ends(lines)) + "\n"


def _without_ends(lines: Iterable[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def stub_of_calls(functions: dict[str, int], body: str) -> str:
    """Return stubs of functions of which only calls are known.  functions: numbers of arguments, by name."""
    parts = []
    for name, count in functions.items():
        names = ", ".join("abcdefgh"[place] if count <= 8 else f"a{place + 1}" for place in range(count))
        parts.append(f"def {name}({names}):\n    {body}\n")
    return "\n\n".join(parts)

"""Takes some functions out of the checkers file, with what they use, and without a comment or docstring."""

import ast
from collections.abc import Collection, Iterator
from symtable import SymbolTable, symtable

_HAS_DOCSTRING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)


def with_only(source: str, wanted: Collection[str]) -> str:
    """Return the source of the wanted functions and of all that they use."""
    tree = ast.parse(source)
    needed, grown = set(wanted), True
    while grown:
        before = len(needed)
        for statement in tree.body:
            if needed.intersection(_bound(statement)):
                needed.update(_used(symtable(ast.unparse(statement), "checkers", "exec")))
        grown = len(needed) > before
    kept = (_narrowed(statement, needed) for statement in tree.body)
    module = ast.Module([statement for statement in kept if needed.intersection(_bound(statement))], [])
    for node in ast.walk(module):
        if isinstance(node, _HAS_DOCSTRING):
            node.body = [part for part in node.body if not _is_text(part)] or [ast.Pass()]
    return ast.unparse(module) + "\n"


def _used(table: SymbolTable) -> Iterator[str]:
    """Yield the names of the module that a scope uses, and the scopes inside it."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _used(inner)


def _narrowed(statement: ast.stmt, needed: Collection[str]) -> ast.stmt:
    """Return a statement at the top, an import with the names alone that are needed."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        statement.names = [alias for alias in statement.names if _name_of(alias) in needed]
    return statement


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement at the top gives a meaning to."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from map(_name_of, names)
        case _:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )

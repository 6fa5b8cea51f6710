"""Calls of declared classes as an expression writes them: which part is written for which field."""

import ast
from collections.abc import Callable

from grader.model.values import DeclaredType, EnumType, RecordType
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown

Refuse = Callable[[ast.AST, str, str], Exception]
"""Reports a mistake at a node, with a hint, and returns what to raise."""


def parts_of_call(
    node: ast.Call, declared: RecordType, refuse: Refuse, reporter: Reporter
) -> dict[str, ast.expr]:
    """Return what is written for each field, in the order in which it is written.

    Raises what `refuse` returns where the parts do not fit the fields.
    """
    count, hint = len(declared.fields), written(declared)
    if len(node.args) > count:
        fields = "1 field" if count == 1 else f"{count} fields"
        raise refuse(node.args[count], f"{declared.name} has {fields}, not {len(node.args)}", hint)
    given = dict(zip(declared.fields, node.args, strict=False))
    for keyword in node.keywords:
        name = keyword.arg
        if name is None:
            raise refuse(keyword, "`**` can't unpack here", "write the fields out")
        if name in given:
            raise refuse(keyword, f"`{name}` is given twice", hint)
        if name not in declared.fields:
            near = reporter.nearest(name, declared.fields) or hint
            raise refuse(keyword, f"{declared.name} has no field `{shown(name)}`", near)
        given[name] = keyword.value
    missing = [name for name in declared.fields if name not in given]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        raise refuse(node, f"{declared.name} needs {names} too", hint)
    return given


def written(declared: DeclaredType) -> str:
    """Return how an instance of a declared class is written."""
    if isinstance(declared, EnumType):
        return f"{declared.name}.{declared.members[0]}"
    return f"{declared.name}({', '.join(declared.fields)})"

"""Exceptions: not raised, of another class, swallowed."""

import ast
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Edit, Unit

_OTHER = {"ValueError": "TypeError", "TypeError": "ValueError", "IndexError": "KeyError"}


def raises(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that go on, or return None, instead of raising, or raise another one."""
    for node in unit.nodes:
        if not isinstance(node, ast.Raise):
            continue
        yield CodeFault("not-raised", (unit.put_statement(node, "pass"),))
        if unit.function is not None and node is not unit.work[-1]:
            yield CodeFault("not-raised", (unit.put_statement(node, "return None"),))
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(raised, ast.Name):
            other = _OTHER.get(raised.id, "ValueError")
            yield CodeFault("other-exception", (unit.put(raised, other),))


def handlers(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that catch everything and say nothing, or that catch nothing."""
    for node in unit.nodes:
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                start, end = unit.module.span(handler)
                indent = " " * (handler.col_offset + 4)
                yield CodeFault("swallowed", (Edit(start, end, f"except Exception:\n{indent}pass"),))
            if not node.finalbody:
                edit = unit.put_statement(node, *node.body, *node.orelse)
                yield CodeFault("not-caught", (edit,), "without the try statement")

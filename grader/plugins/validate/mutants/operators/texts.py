"""Text that is nearly right: another case, another blank, another line end; and input taken as it comes."""

import ast
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Unit

_CARE = {"lower", "upper", "casefold", "title", "capitalize", "strip", "lstrip", "rstrip"}


def printed_text(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults in texts that are printed, joined or returned, where some case compares text."""
    for node in unit.nodes if unit.compares_text else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_output(unit, node):
            for other in _nearly(node.value):
                yield CodeFault("text", (unit.put(node, ast.Constant(other)),))


def _nearly(text: str) -> Iterator[str]:
    """Yield texts that a reader hardly tells apart."""
    letter = next((place for place, each in enumerate(text) if each.isalpha()), -1)
    if letter >= 0:
        yield text[:letter] + text[letter].swapcase() + text[letter + 1 :]
    if text and not text.isspace():
        yield text[:-1] if text[-1] in " .!:?" else text + " "
    elif text:
        yield text[:-1]


def _is_output(unit: Unit, node: ast.AST) -> bool:
    above = unit.parents.get(node)
    while isinstance(above, ast.IfExp | ast.BinOp | ast.List | ast.Starred):
        above = unit.parents.get(above)
    match above:
        case ast.Return():
            return True
        case ast.Attribute(attr="join"):
            return True
        case ast.keyword(arg="sep" | "end"):
            return True
        case ast.Call(func=ast.Name(id="print") | ast.Attribute(attr="join")):
            return True
    return False


def print_options(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out `end` or `sep` of a print, where some case compares text."""
    for node in unit.nodes if unit.compares_text else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            for option in node.keywords:
                if option.arg in ("end", "sep"):
                    kept = [other for other in node.keywords if other is not option]
                    yield CodeFault("text", (unit.put(node, ast.Call(node.func, node.args, kept)),))


def careless(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that take a text as it is typed: with its blanks, in its case."""
    for node in unit.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CARE:
                yield CodeFault("careless-text", (unit.put(node, value),))

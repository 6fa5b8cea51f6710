"""Off by one: in constants, comparisons, ranges and indices; and divisions of the other kind."""

import ast
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Unit

_NEIGHBOUR: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


def off_by_one(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults in whole numbers: one more or less in a constant, and in the ends of ranges."""
    for node in unit.nodes:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                for other in (1 - number, -number - 1):
                    yield CodeFault("off-by-one", (unit.put(node, str(other)),))
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                for other in (number + 1, number - 1):
                    if not _is_said_elsewhere(unit, node, other):
                        yield CodeFault("off-by-one", (unit.put(node, ast.Constant(other)),))
            case ast.Call(func=ast.Name(id="range"), args=[*bounds], keywords=[]):
                for place, bound in enumerate(bounds[:2]):
                    if not isinstance(bound, ast.Constant):
                        for sign in (ast.Add(), ast.Sub()):
                            new = ast.BinOp(bound, sign, ast.Constant(1))
                            yield CodeFault("off-by-one", (unit.put(bound, new),))
                    if place == 0 and len(bounds) == 1:
                        yield CodeFault("off-by-one", (unit.put(bound, f"1, {unit.text(bound)}"),))
                        yield CodeFault("off-by-one", (unit.put(bound, f"1, {unit.text(bound)} + 1"),))
            case ast.Call(func=ast.Name(id="enumerate"), args=[only], keywords=[]):
                yield CodeFault("off-by-one", (unit.put(only, f"{unit.text(only)}, 1"),))
            case ast.Call(func=ast.Name(id="enumerate"), args=[first, _], keywords=[]):
                yield CodeFault("off-by-one", (unit.put(node, f"enumerate({unit.text(first)})"),))


def _is_said_elsewhere(unit: Unit, node: ast.AST, number: int) -> bool:
    """Tell whether other code here does the same: to `-1` as a whole, or to `n + 0` and `n * 1`."""
    match unit.parents.get(node):
        case ast.UnaryOp(op=ast.USub()):
            return True
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=right) if right is node:
            return number == 0
        case ast.BinOp(op=ast.Mult() | ast.Div(), right=right) if right is node:
            return number == 1
    return False


def boundary(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults in comparisons: the bound itself on the other side."""
    for node in unit.nodes:
        if isinstance(node, ast.Compare):
            for place, operator in enumerate(node.ops):
                if type(operator) in _NEIGHBOUR:
                    operators = [*node.ops]
                    operators[place] = _NEIGHBOUR[type(operator)]()
                    new = ast.Compare(node.left, operators, node.comparators)
                    yield CodeFault("boundary", (unit.put(node, new),))


def other_end(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that take the other extreme: the greatest, any, the first."""
    for node in unit.nodes:
        match node:
            case ast.Call(func=ast.Name(id="min" | "max" as name) as function):
                yield CodeFault("other-end", (unit.put(function, "max" if name == "min" else "min"),))
            case ast.Call(func=ast.Name(id="any" | "all" as name) as function):
                yield CodeFault("other-end", (unit.put(function, "all" if name == "any" else "any"),))
            case ast.Call(func=ast.Attribute(attr="pop"), args=[]) if isinstance(node, ast.Call):
                yield CodeFault("other-end", (unit.put(node, f"{unit.text(node.func)}(0)"),))


def division(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that divide whole for exact, or exact for whole."""
    other: dict[type[ast.operator], ast.operator] = {ast.Div: ast.FloorDiv(), ast.FloorDiv: ast.Div()}
    for node in unit.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in other:
            new = ast.BinOp(node.left, other[type(node.op)], node.right)
            yield CodeFault("division", (unit.put(node, new),))
        elif isinstance(node, ast.Call) and unit.text(node.func) == "divmod" and len(node.args) == 2:
            yield CodeFault("division", (unit.put(node, f"{unit.text(node)}[::-1]"),))


def identity(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that ask for the same object where an equal one is meant."""
    other: dict[type[ast.cmpop], ast.cmpop] = {ast.Eq: ast.Is(), ast.NotEq: ast.IsNot()}
    for node in unit.nodes:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in other:
                if not any(_is_only_one(unit, side) for side in (left, right)):
                    new = ast.Compare(left, [other[type(op)]], [right])
                    yield CodeFault("identity", (unit.put(node, new),))


def _is_only_one(unit: Unit, node: ast.expr) -> bool:
    """Tell whether equal values are the same object: constants, small numbers, members of enums."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in unit.enums or (
                isinstance(node, ast.Attribute) and unit.text(node.value) in unit.enums
            )
        case ast.Call(func=ast.Name(id="len" | "sum" | "abs" | "ord" | "type")) | ast.Constant():
            return True
        case ast.BinOp() | ast.UnaryOp():
            return True
    return False

"""Forgotten: an item of a table, a term of a formula, a branch, a guard, a step."""

import ast
import copy
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Unit

_PLAIN_ITEMS = (ast.Constant, ast.Name, ast.Attribute, ast.UnaryOp, ast.Tuple, ast.List, ast.Starred)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def item(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out an item of a literal list, tuple, set or dict: a direction, a corner."""
    for node in unit.nodes:
        match node:
            case ast.List(elts=keep) | ast.Set(elts=keep) if len(keep) > 1 and _is_table(keep):
                pass
            case ast.Tuple(elts=keep) if len(keep) > 2 and _is_table(keep):
                pass
            case ast.Dict(keys=keys, values=values) if len(keys) > 1:
                for place in range(len(keys)):
                    new = ast.Dict(keys[:place] + keys[place + 1 :], values[:place] + values[place + 1 :])
                    yield CodeFault("forgotten-item", (unit.put(node, new),))
                continue
            case _:
                continue
        for place in range(len(keep)):
            shorter = copy.copy(node)
            shorter.elts = keep[:place] + keep[place + 1 :]
            yield CodeFault("forgotten-item", (unit.put(node, shorter),))


def _is_table(items: list[ast.expr]) -> bool:
    return all(isinstance(each, _PLAIN_ITEMS) for each in items)


def term(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out a term: of `and` and `or`, of a sum or union, of a chain of comparisons."""
    for node in unit.nodes:
        match node:
            case ast.BoolOp(op=op, values=values):
                for place in range(len(values)):
                    rest = values[:place] + values[place + 1 :]
                    new = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                    yield CodeFault("forgotten-term", (unit.put(node, new),))
            case ast.BinOp(left=left, op=ast.Add() | ast.BitOr() | ast.BitAnd() | ast.BitXor(), right=right):
                yield CodeFault("forgotten-term", (unit.put(node, left),))
                yield CodeFault("forgotten-term", (unit.put(node, right),))
            case ast.BinOp(left=left, op=ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod()):
                yield CodeFault("forgotten-term", (unit.put(node, left),))
            case ast.Compare(left=left, ops=[_, _, *_] as ops, comparators=rest):
                yield CodeFault("forgotten-term", (unit.put(node, ast.Compare(left, ops[:-1], rest[:-1])),))
                yield CodeFault("forgotten-term", (unit.put(node, ast.Compare(rest[0], ops[1:], rest[1:])),))
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                if isinstance(operand, ast.Constant):
                    continue
                yield CodeFault("forgotten-term", (unit.put(node, operand),))


def condition(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults in conditions: forgotten in a comprehension, the other way round, or one side for both."""
    for node in unit.nodes:
        match node:
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for number, loop in enumerate(node.generators):
                    for place in range(len(loop.ifs)):
                        new = copy.deepcopy(node)
                        del new.generators[number].ifs[place]
                        yield CodeFault("forgotten-condition", (unit.put(node, new),))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yield CodeFault("one-side", (unit.put(node, body),))
                yield CodeFault("one-side", (unit.put(node, orelse),))
            case (
                ast.If(test=ast.UnaryOp(ast.Not(), plain) as test)
                | ast.While(test=ast.UnaryOp(ast.Not(), plain) as test)
            ):
                yield CodeFault("negated", (unit.put(test, plain),))
            case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Constant):
                yield CodeFault("negated", (unit.put(test, _negation(test)),))


_TAKES_AWAY = {"pop", "popleft", "popitem", "remove", "discard", "clear"}
_OPPOSITE: dict[type[ast.cmpop], ast.cmpop] = {
    **{ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(), ast.Is: ast.IsNot()},
    **{ast.IsNot: ast.Is(), ast.In: ast.NotIn(), ast.NotIn: ast.In()},
}


def _negation(test: ast.expr) -> ast.expr:
    match test:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in _OPPOSITE:
            return ast.Compare(left, [_OPPOSITE[type(op)]], right)
    return ast.UnaryOp(ast.Not(), test)


def branch(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out an `if`, an `elif`, an `else` or a `case`."""
    for node in unit.nodes:
        match node:
            case ast.If() if not _is_elif(unit, node):
                if not node.orelse and len(node.body) == 1 and isinstance(node.body[0], ast.Raise):
                    continue  # the same as an exception that is not raised
                if not node.orelse:
                    name = "no-guard" if isinstance(node.body[-1], _LEAVES) else "forgotten-branch"
                    yield CodeFault(name, (unit.put_statement(node, "pass"),))
                else:
                    yield CodeFault("forgotten-branch", (unit.put_statement(node, *node.orelse),))
                    for shorter in _shorter_chains(node):
                        yield CodeFault("forgotten-branch", (unit.put_statement(node, shorter),))
            case ast.Match(cases=[_, _, *_]):
                for place in range(len(node.cases)):
                    new = copy.deepcopy(node)
                    del new.cases[place]
                    yield CodeFault("forgotten-branch", (unit.put_statement(node, new),))


def _is_elif(unit: Unit, node: ast.If) -> bool:
    above = unit.parents.get(node)
    return isinstance(above, ast.If) and above.orelse == [node] and above.col_offset == node.col_offset


def _shorter_chains(node: ast.If) -> Iterator[ast.If]:
    """Yield the chain without one of its later branches."""
    depth = 0
    while True:
        new = copy.deepcopy(node)
        last = new
        for _ in range(depth):
            assert isinstance(last.orelse[0], ast.If)
            last = last.orelse[0]
        if not last.orelse:
            return
        only = last.orelse[0]
        is_chain = len(last.orelse) == 1 and isinstance(only, ast.If)
        last.orelse = only.orelse if is_chain and isinstance(only, ast.If) else []
        yield new
        if not is_chain:
            return
        depth += 1


def step(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out a statement: a call, a change of a number or an item."""
    for node in unit.nodes:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))) if not unit.compares_text:
                continue
            case ast.Expr(value=ast.Call()) | ast.AugAssign() if _ends_a_loop(unit, node):
                continue
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue():
                yield CodeFault("forgotten-step", (unit.put_statement(node, "pass"),))
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) if not unit.name.endswith(
                "__init__"
            ):
                yield CodeFault("forgotten-step", (unit.put_statement(node, "pass"),))


def _ends_a_loop(unit: Unit, node: ast.Expr | ast.AugAssign) -> bool:
    """Tell whether the condition of a loop around a statement looks at what it changes.

    Without the statement the loop would never end: any case catches that, and it takes a whole time limit.
    """
    match node:
        case ast.AugAssign(target=changed):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=changed, attr=name))) if name in _TAKES_AWAY:
            pass
        case _:
            return False
    names = {each.id for each in ast.walk(changed) if isinstance(each, ast.Name)}
    above = unit.parents.get(node)
    while above is not None:
        if isinstance(above, ast.While) and names & {
            each.id for each in ast.walk(above.test) if isinstance(each, ast.Name)
        }:
            return True
        above = unit.parents.get(above)
    return False


def call(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that leave out a call around a value: sorting, reversing, `abs`, `set`."""
    for node in unit.nodes:
        match node:
            case ast.Call(func=ast.Name(id="sorted"), args=[only]):
                yield CodeFault("forgotten-call", (unit.put(node, f"list({unit.text(only)})"),))
                if node.keywords:
                    yield CodeFault("forgotten-call", (unit.put(node, f"sorted({unit.text(only)})"),))
            case ast.Call(func=ast.Name(id="reversed" | "abs" | "round" | "set"), args=[only, *_]):
                yield CodeFault("forgotten-call", (unit.put(node, only),))
            case ast.Call(func=ast.Name(id="min" | "max"), args=[only], keywords=[_, *_]):
                kept = [k for k in node.keywords if k.arg != "key"]
                if len(kept) < len(node.keywords):
                    yield CodeFault("forgotten-call", (unit.put(node, ast.Call(node.func, [only], kept)),))
            case ast.SetComp(elt=elt, generators=generators) if not _is_only_searched(unit, node):
                yield CodeFault("duplicates", (unit.put(node, ast.ListComp(elt, generators)),))
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="sort"), keywords=[_, *_]) as inner):
                yield CodeFault("forgotten-call", (unit.put(inner, ast.Call(inner.func, [], [])),))


def _is_only_searched(unit: Unit, node: ast.AST) -> bool:
    """Tell whether a value gets a name after which only `in` asks."""
    match unit.parents.get(node):
        case ast.Assign(targets=[ast.Name(id=name)]):
            uses = [
                unit.parents[each]
                for each in unit.nodes
                if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
            ]
            return all(
                isinstance(use, ast.Compare) and isinstance(use.ops[0], ast.In | ast.NotIn) for use in uses
            )
    return False

"""How a test uses the program that it starts: it must wait for its end, and look at it only then."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from grader.plugins.convert.draft import Unconvertible

_OF_RUN = {"stdout", "stderr", "returncode"}
_STREAMS = {"stdout", "stderr"}
_ENDS = {"communicate", "wait"}
_STOPS = {"terminate", "kill"}
_KNOWN = _OF_RUN | _ENDS | _STOPS
_SIMPLE = (ast.Assign, ast.Expr, ast.Assert)
_NOT_ALWAYS = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNKNOWN = "it uses its program in a way that is not known here"
_RUNS_ON = "it looks at its program while that may still run"


_READS = {"read", "readline", "readlines"}
_READERS = {"enumerate", "iter", "list", "next", "sorted", "tuple", "zip"}


class _Reading(Enum):
    """What a test does with a stream of its program."""

    WHOLE = "it reads it to its end, and does so always"
    PART = "it may read a part of it"
    OTHER = "something else: it may close it"


@dataclass(frozen=True, slots=True)
class _Use:
    """An attribute of the program.

    call: the one in which it is called, None where it is read.  reading: of a stream.
    """

    attr: str
    call: ast.Call | None
    reading: _Reading


def check_run(body: Sequence[ast.stmt], call: ast.Call) -> None:
    """Refuse other uses of what `run` returns than to read its parts.  Raises `Unconvertible`."""
    check_always(body, call)
    if any(each.attr not in _OF_RUN or each.call for each in _uses(body, call)):
        raise Unconvertible(_UNKNOWN)


def communication(body: Sequence[ast.stmt], call: ast.Call, *, piped: bool) -> ast.Call | None:
    """Return the call of `communicate` of a `Popen`, None where its streams are read.

    piped: its input is a pipe, which nothing but `communicate` closes.  Raises `Unconvertible`.
    """
    check_always(body, call)
    uses = [*_uses(body, call)]
    if any((each.call is None) == (each.attr in _ENDS | _STOPS) for each in uses):
        raise Unconvertible(_UNKNOWN)
    talks = [each.call for each in uses if each.attr == "communicate"]
    reads = [each for each in uses if each.attr in _STREAMS]
    end = next((number for number, each in enumerate(uses) if each.attr in _ENDS), len(uses))
    is_awaited = end < len(uses)
    if is_awaited:
        check_always(body, uses[end].call)
    before = {each.attr for each in uses[:end]}
    streams = [*takewhile(lambda one: one is not _Reading.WHOLE, (each.reading for each in reads))]
    is_read = len(streams) < len(reads)
    if _Reading.OTHER in streams:
        raise Unconvertible(_RUNS_ON)
    if not is_awaited:
        # Its output has an end where it has one; then it may be stopped, and nothing asks how it ended.
        while uses and uses[-1].attr in _STOPS:
            uses.pop()
        before = {each.attr for each in uses}
    if not before <= _STREAMS or not (is_awaited or is_read):
        raise Unconvertible(_RUNS_ON)
    if len(talks) > 1 or (talks and reads) or (piped and not talks) or not {e.attr for e in uses} <= _KNOWN:
        raise Unconvertible(_UNKNOWN)
    return talks[0] if talks else None


def check_always(body: Sequence[ast.stmt], node: ast.AST | None) -> None:
    """Refuse a call that a test makes at times, or often.  Raises `Unconvertible`."""
    for each in body:
        parts = [*ast.walk(each)]
        if node in parts and (
            not isinstance(each, _SIMPLE) or any(isinstance(p, _NOT_ALWAYS) for p in parts)
        ):
            raise Unconvertible("its program runs in a loop, in a condition or the like")


def _uses(body: Sequence[ast.stmt], call: ast.Call) -> Iterator[_Use]:
    """Yield each use of a program, in the order of the text.  Raises `Unconvertible` for an unknown one."""
    nodes = [node for each in body for node in _in_order(each)]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    owners: list[ast.AST] = [call]
    match parents.get(call):
        case ast.Expr():
            return
        case ast.Assign(targets=[ast.Name(id=name)]):
            named = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
            owners = [node for node in named if isinstance(node.ctx, ast.Load)]
            if len(owners) != len(named) - 1:
                raise Unconvertible(f"`{name}` stands for several things")
    for owner in owners:
        node = parents[owner]
        if not isinstance(node, ast.Attribute):
            raise Unconvertible(_UNKNOWN)
        above = parents[node]
        called = above if isinstance(above, ast.Call) and above.func is node else None
        yield _Use(node.attr, called, _reading(node, parents))


def _reading(stream: ast.Attribute, parents: Mapping[ast.AST, ast.AST]) -> _Reading:
    """Return what is done with a stream of a program."""
    above = parents[stream]
    is_whole = False
    match above:
        case ast.Attribute(attr=attr) if attr in _READS:
            match parents[above]:
                case ast.Call(func=func, args=args, keywords=words) if func is above:
                    is_whole = attr != "readline" and not args and not words
                case _:
                    return _Reading.OTHER
        case ast.Call(func=ast.Name(id=name)) if name in _READERS:
            is_whole = name in ("list", "sorted", "tuple")
        case ast.Call(func=ast.Attribute(attr="join")):
            is_whole = True
        case ast.For(body=body):
            is_whole = not _may_end_early(body, ast.unparse(stream.value))
        case ast.comprehension():
            is_whole = not isinstance(parents[above], ast.GeneratorExp)
        case _:
            return _Reading.OTHER
    return _Reading.WHOLE if is_whole and _is_always(stream, parents) else _Reading.PART


def _may_end_early(body: Sequence[ast.stmt], program: str) -> bool:
    """Tell whether a loop over a stream may end before the stream does, as where it stops the program."""
    return any(
        isinstance(node, ast.Break | ast.Return | ast.Raise)
        or (isinstance(node, ast.Name) and node.id == program)
        for each in body
        for node in ast.walk(each)
    )


def _is_always(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Tell whether a test comes to an expression each time, and goes on only when it has its value."""
    while (above := parents.get(node)) is not None:
        match above:
            case ast.For(iter=first) | ast.comprehension(iter=first) | ast.IfExp(test=first):
                is_first = first is node
            case ast.BoolOp(values=[first, *_]):
                is_first = first is node
            case ast.ListComp(generators=[first, *_]) | ast.SetComp(generators=[first, *_]):
                is_first = first is node
            case ast.Try(body=inner, handlers=[]):
                is_first = node in inner
            case ast.stmt() | ast.Lambda() | ast.DictComp() | ast.GeneratorExp():
                is_first = isinstance(above, _SIMPLE)
            case _:
                is_first = True
        if not is_first:
            return False
        node = above
    return True


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)

"""Encodes what a box is asked to do: calls with their arguments, or the run of a program.

A request is marshalled.  It is read on the far side only; nothing that comes back is read like this.
"""

import marshal
from collections.abc import Iterable, Sequence

from grader.model.case import Argument, Bound, Call, Folder, ProgramRun, Shipped, Watched
from grader.model.limits import Limits
from grader.model.values import DeclaredType, RecordType, Value
from grader.values.sort import Node, sort_of
from grader.wire import messages
from grader.wire.byte_text import bytes_of
from grader.worker.box.records import Type


def encode_request(
    calls: Sequence[Call],
    limits: Limits,
    *,
    unchanged: bool = False,
    types: Sequence[DeclaredType] = (),
    invent: bool = False,
    prints: bool = False,
    stepwise: bool = False,
    again: int = 1,
    drawn: Sequence[str] = (),
    folder: Folder | None = None,
) -> bytes:
    """Encode calls for the box.

    unchanged: the answer holds the arguments as they are after each call.
    types: classes of the module whose instances are data.
    invent: the box makes those that the module lacks.
    prints: the answer holds what each call prints; the program must be one that `captures`.
    stepwise: the calls are the steps of a scenario.
    drawn: the answer holds these parts of what the calls plot, instead of what they return; the call of a
        function without a name is none, and what was plotted before is the answer.
    again: how often the calls are made; only the last answers come back.
    folder: the files that the calls find, and leave.
    Raises `TypeError` if an argument is not data.
    """
    extras: dict[str, object] = {}
    if unchanged:
        extras["unchanged"] = True
    if types:
        extras |= {"types": packed_types(types), "invent": invent}
    if prints:
        extras["prints"] = limits.output_b
    if stepwise:
        extras["stepwise"] = [(call.bind, call.reads, call.brings) for call in calls]
    if drawn:
        extras["drawn"] = list(drawn)
    if again > 1:
        extras["again"] = again
    if folder is not None:
        extras |= {"files": list(folder.files), "keeps": list(folder.keeps)}
    if not types:
        try:
            return _marshalled(calls, limits, extras, as_nodes=False)
        except ValueError:
            # An argument can be a value of the standard library, which crosses as a node.
            pass
    try:
        return _marshalled(calls, limits, extras, as_nodes=True)
    except ValueError as error:
        raise TypeError(f"an argument is not plain data: {error}") from error


def _marshalled(calls: Sequence[Call], limits: Limits, extras: dict[str, object], *, as_nodes: bool) -> bytes:
    wanted = [_plain_call(call, as_nodes=as_nodes) for call in calls]
    return marshal.dumps((limits.answer_b, wanted, extras or None), messages.MARSHAL_FORMAT)


def _plain_call(call: Call, *, as_nodes: bool) -> tuple[object, ...]:
    """Return function, arguments, keyword arguments, and whether these are nodes instead of plain values."""
    function = call.function if call.formula is None else call.formula.packed()
    args = [_plain_argument(argument, as_nodes) for argument in call.args]
    kwargs = {name: _plain_argument(argument, as_nodes) for name, argument in call.kwargs}
    if all(shape == "value" for shape, _ in (*args, *kwargs.values())):
        plain = [content for _, content in args]
        return function, plain, {name: content for name, (_, content) in kwargs.items()}, False
    return function, args, kwargs, True


def _plain_argument(argument: Argument, as_nodes: bool) -> tuple[str, object]:
    if isinstance(argument, Shipped):
        return "shipped", (argument.source, argument.uses)
    if isinstance(argument, Watched):
        return "watched", argument.name
    if isinstance(argument, Bound):
        return "bound", argument.name
    if as_nodes and (node := node_of(argument))[0] != "v":
        return "made", node
    return "value", argument


def encode_program(run: ProgramRun, limits: Limits, *, talks: bool = False) -> bytes:
    """Encode a program's run for the box: its input, and the names of the files that it leaves.

    The lines of a dialogue are not part of it; the box gets each one when the program asks for it.
    talks: the program is the spec's own, and its input depends on what it says.
    """
    order = {
        "module": run.main,
        "arguments": list(run.arguments),
        "stdin": bytes_of(run.stdin),
        "asks": talks or run.talks,
        "silent": run.silent,
        "files": [(path, content) for path, content in run.files],
        "keeps": list(run.keeps),
    }
    return marshal.dumps({"answer_b": limits.answer_b, "program": order}, messages.MARSHAL_FORMAT)


def packed_types(types: Iterable[DeclaredType]) -> list[Type]:
    """Return declared types as a box reads them."""
    return [(t.name, "r", t.fields) if isinstance(t, RecordType) else (t.name, "e", t.members) for t in types]


def node_of(value: Value) -> Node:
    """Return the node for a value; `["v", value]` if marshal can take it as it is.

    Raises `TypeError` if a set with records holds something else than plain data.  Other values are not
    checked here.
    """
    sort = sort_of(value)
    node = sort.node(value, node_of)
    if sort.is_unordered and node[0] != "v":
        node[1].sort(key=_in_bytes)  # type: ignore[attr-defined]  # the nodes of a set
    return node


def _in_bytes(node: Node) -> bytes:
    """Return bytes that sort the nodes of a set in the same order in every process.

    The order of a set depends on hashes, which differ from run to run, and students' code sees it.
    """
    try:
        # A format without references, whose bytes depend on the value alone.
        return marshal.dumps(node, 2)
    except ValueError as error:
        raise TypeError(f"an argument is not plain data: {error}") from error

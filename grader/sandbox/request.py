"""Encodes what a box is asked to do: calls with their arguments, or the run of a program.

A request is marshalled.  It is read on the far side only; nothing that comes back is read like this.
"""

import marshal
from collections.abc import Iterable, Sequence

from grader.model.case import Argument, Bound, Call, Folder, ProgramRun, Shipped, Watched
from grader.model.limits import Limits
from grader.model.values import DeclaredType, EnumMember, Record, RecordType, Table, Value
from grader.wire import library_values, messages, tables
from grader.worker.box.records import Type

_LETTERS: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "z"}


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


def encode_program(run: ProgramRun, limits: Limits) -> bytes:
    """Encode a program's run for the box: its input, and the names of the files that it leaves.

    The lines of a dialogue are not part of it; the box gets each one when the program asks for it.
    """
    order = {
        "module": run.module,
        "arguments": list(run.arguments),
        "stdin": run.stdin.encode(),
        "asks": is_dialogue(run),
        "files": [(path, content) for path, content in run.files],
        "keeps": list(run.keeps),
    }
    return marshal.dumps({"answer_b": limits.answer_b, "program": order}, messages.MARSHAL_FORMAT)


def is_dialogue(run: ProgramRun) -> bool:
    """Tell whether the program's input depends on what it says."""
    return bool(run.dialogue) or run.player is not None


def packed_types(types: Iterable[DeclaredType]) -> list[Type]:
    """Return declared types as a box reads them."""
    return [(t.name, "r", t.fields) if isinstance(t, RecordType) else (t.name, "e", t.members) for t in types]


def node_of(value: Value) -> list[object]:
    """Return the node for a value; `["v", value]` if marshal can take it as it is.

    Raises `TypeError` if a set with records holds something else than plain data.  Other values are not
    checked here.
    """
    if type(value) is Record:
        return ["r", value.type_name, [node_of(field) for _, field in value.fields]]
    if type(value) is EnumMember:
        return ["e", value.type_name, value.name]
    if type(value) is Table:
        lists = ([*value.columns], [*value.index], [*value.dtypes], [[*column] for column in value.cells])
        return ["p", tables.PREFIX + value.type_name, [*map(node_of, lists)]]
    if type(value) is dict:
        pairs = [[node_of(key), node_of(item)] for key, item in value.items()]
        return ["v", value] if _plain([node for pair in pairs for node in pair]) else ["m", pairs]
    if type(value) in _LETTERS:
        nodes = [node_of(item) for item in value]  # type: ignore[attr-defined]  # a container, by its type
        if _plain(nodes):
            return ["v", value]
        if type(value) in (set, frozenset):
            nodes.sort(key=_in_bytes)
        return [_LETTERS[type(value)], nodes]
    if (found := library_values.data_of(value)) is not None:
        return ["x", *found]
    return ["v", value]


def _in_bytes(node: list[object]) -> bytes:
    """Return bytes that sort the nodes of a set in the same order in every process.

    The order of a set depends on hashes, which differ from run to run, and students' code sees it.
    """
    try:
        # A format without references, whose bytes depend on the value alone.
        return marshal.dumps(node, 2)
    except ValueError as error:
        raise TypeError(f"an argument is not plain data: {error}") from error


def _plain(nodes: Sequence[list[object]]) -> bool:
    return all(node[0] == "v" for node in nodes)

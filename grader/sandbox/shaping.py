"""Values with records as the nodes that `grader.worker.box.records` builds them from."""

import marshal
from collections.abc import Iterable, Sequence

from grader.model.values import DeclaredType, EnumMember, Record, RecordType, Value
from grader.worker.box.records import Type

_LETTERS: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "z"}


def packed_types(types: Iterable[DeclaredType]) -> list[Type]:
    """Return declared types as a box reads them."""
    return [(t.name, "r", t.fields) if isinstance(t, RecordType) else (t.name, "e", t.members) for t in types]


def node_of(value: Value) -> list[object]:
    """Return the node for a value; `["v", value]` where it holds no record and no enum member.

    Raises `TypeError` where a set with records holds what is no plain data; else that is not looked at.
    """
    if type(value) is Record:
        return ["r", value.type_name, [node_of(field) for _, field in value.fields]]
    if type(value) is EnumMember:
        return ["e", value.type_name, value.name]
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
    return ["v", value]


def _in_bytes(node: list[object]) -> bytes:
    """Return bytes by which nodes of a set come in the same order whatever process sends them.

    The order of a set depends on our hashes, which differ from run to run, and students' code sees it.
    """
    try:
        # A format without references, whose bytes depend on the value alone.
        return marshal.dumps(node, 2)
    except ValueError as error:
        raise TypeError(f"an argument is not plain data: {error}") from error


def _plain(nodes: Sequence[list[object]]) -> bool:
    return all(node[0] == "v" for node in nodes)

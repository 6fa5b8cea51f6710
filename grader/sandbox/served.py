"""The objects of a student's module, from the grader's side: one case process that serves them.

`grader.worker.box.live.objects` is the other end.  What comes back is hostile: it is decoded under limits,
and only messages of the shapes that an honest box sends are passed on, as nodes of plain data for the tests.
"""

import marshal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.model.limits import Limits
from grader.model.results import Raised
from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Value
from grader.sandbox import evidence
from grader.sandbox.box import Box, Job
from grader.sandbox.zygote import SandboxFailure
from grader.wire import codec, library_values, messages
from grader.wire.containers import Path, Ways
from grader.wire.encoder import encode_plain
from grader.wire.messages import Report
from grader.wire.nodes import LETTERS

MOST_OPERATIONS = 9_000
"""Operations of the tests on the objects of one case; the keeper's own limit is above this."""
_MOST_COMPARED = 1 << 24
"""Letters, of the containers in one message that lie at several places."""
_NAME_LIMIT = 200
_TEXT_LIMIT = 2_000
_SHAPES = ("class", "function", "module", "object")
_BASES = frozenset(
    {"int", "float", "complex", "str", "bytes", "tuple", "frozenset", "list", "set", "dict"},
)
"""Types of data that a class of the program's can derive from."""

Node: TypeAlias = list[object]


class ProcessEnded(Exception):
    """The process has ended, or must end, before the tests were done with it.

    report: the keeper's.  detail: why it was ended by us; empty where it ended by itself.
    """

    def __init__(self, report: Report | None, detail: str = "") -> None:
        super().__init__(detail)
        self.report = report
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Message:
    """What the process answered to an operation.

    kind: "returned", "raised" or "calls".  content: nodes for the tests.  printed, errors: the texts since
    the last message, on both streams.  raised: for "raised", with the frames.
    """

    kind: str
    content: list[object]
    printed: str
    errors: str
    raised: Raised | None = None


class RemoteModule:
    """A case process that serves a module's objects.  Call `end`."""

    def __init__(self, box: Box, limits: Limits, modules: Sequence[str], *, guarded: bool = False) -> None:
        """Start the process.

        modules: those that tests can import.  guarded: hide what shows the module's source.
        """
        order = {"guarded": guarded, "modules": list(modules), "prints": limits.output_b}
        request = marshal.dumps((limits.answer_b, [], {"serves": order}), messages.MARSHAL_FORMAT)
        self._talk = box.converse([Job(request, limits, answer=_no_answer)])
        self._left = MOST_OPERATIONS
        self._report: Report | None = None
        self._failure: SandboxFailure | None = None
        self._received(None)

    def ask(self, operation: Value) -> Message:
        """Return the answer to an operation.

        Raises `ProcessEnded`, `SandboxFailure`, and `TypeError` for what is no data.
        """
        # What the cell asks beside the test's own operations is no more than these call for.
        self._left -= operation[:1] != ["aside"] if isinstance(operation, list) else 1
        if self._left < 0:
            raise ProcessEnded(self.end(), f"more than {MOST_OPERATIONS} operations")
        return self._received(operation)

    def end(self) -> Report:
        """End the process if it is still there; return the report on it.  Raises `SandboxFailure`."""
        while self._report is None:
            self._said(["end"])
        return self._report

    def _received(self, operation: Value) -> Message:
        if self._report is not None:
            raise ProcessEnded(self._report)
        call = self._said(operation)
        if self._report is not None:
            raise ProcessEnded(self._report)
        if call is None:
            raise SandboxFailure("a case with live objects was run twice")
        try:
            return _message(call)
        except codec.TooLarge as error:
            raise ProcessEnded(self.end()._replace(ending="answer-size", detail=str(error))) from None
        except codec.Malformed as error:
            report = self.end()
            raise ProcessEnded(
                report._replace(ending="protocol", detail=f"unreadable answer: {error}")
            ) from None

    def _said(self, operation: Value) -> bytes | None:
        """Return what the process says to an operation; None at its end, of which the report is noted then.

        Raises `SandboxFailure`, again each time: a box that has failed says no more.
        """
        if self._failure is not None:
            raise self._failure
        try:
            if operation is None:
                return next(self._talk)[1]
            return self._talk.send(encode_plain(("returned", operation)))[1]
        except StopIteration as end:
            (self._report,) = end.value
            return None
        except SandboxFailure as error:
            self._failure = error
            raise


def _no_answer(_: object) -> Value:
    raise SandboxFailure("not asked in this way")


# -- decoding ------------------------------------------------------------------------------------------


def _message(data: bytes) -> Message:
    """Return a message.  Raises `codec.Malformed` and `codec.TooLarge`."""
    call = evidence.watched_call_of(data)
    match (call.name, *call.args):
        case ("ready", str(printed), str(errors)):
            return Message("ready", [], printed, errors)
        case ("returned", value, told, str(printed), str(errors)):
            answer: list[object] = [node_of(value), *_told(told, value)]
            return Message("returned", answer, printed, errors)
        case ("calls", int(number), tuple(args), dict(named), told, str(printed), str(errors)):
            if not all(isinstance(name, str) for name in named):
                raise codec.Malformed("no names of arguments")
            nodes = {name: node_of(value) for name, value in named.items()}
            handed = [*args, *named.values()]
            called: list[object] = [number, [*map(node_of, args)], nodes, *_told(told, handed)]
            return Message("calls", called, printed, errors)
        case (
            "raised",
            kind,
            str(text),
            tuple(args),
            list(frames),
            error,
            told,
            str(printed),
            str(errors),
        ):
            node = node_of(kind)
            if node[0] not in ("exception", "b"):
                raise codec.Malformed("no class of an exception")
            name = str(node[2] if node[0] == "exception" else node[1])
            raised = Raised(name, text[:_TEXT_LIMIT], evidence.frames_of(frames))
            about = [node, text[:_TEXT_LIMIT], [*map(node_of, args)], node_of(error)]
            return Message("raised", [*about, *_told(told, None)], printed, errors, raised)
    raise codec.Malformed("no message")


def _told(told: Value, answer: Value) -> list[Value]:
    """Return what is told of containers: those in common, what was given as nodes, the moves, and the twins.

    None for what has not changed.
    """
    match told:
        case (common, None, moved, twins):
            return [_in_common(common), None, _moves(moved), _twins(twins, [answer])]
        case (common, list(changed), moved, twins):
            nodes = [*map(node_of, changed)]
            return [_in_common(common), nodes, _moves(moved), _twins(twins, [answer, *changed])]
    raise codec.Malformed("no containers")


def _in_common(told: Value) -> Value:
    """Return what is told of containers in common, see `grader.worker.box.live.kept`."""
    match told:
        case None:
            return None
        case [list() as latest, bool() as has_changed] if all(map(_is_of_latest, latest)):
            return [latest, has_changed]
    raise codec.Malformed("no containers in common")


def _is_of_latest(told: Value) -> bool:
    match told:
        case [int(), list() as parts]:
            return all(map(_is_part, parts))
    return False


def _is_part(told: Value) -> bool:
    match told:
        case (list() as path, int()):
            return all(type(place) is int for place in path)
    return False


def _twins(twins: Value, values: Sequence[Value]) -> list[Value]:
    """Return the places of values at which a container lies once more: those that hold the same.

    So they are no larger with their containers joined.  They are compared by their texts, since one NaN is
    not equal to another.  Each place counts once, and the text of each value is made once, until these have
    more letters than an honest box asks for.
    """
    ways, left, found = Ways(), _MOST_COMPARED, []
    texts: dict[int, str] = {}
    for move in {(move[0], *move[1]): move for move in _moves(twins)}.values():
        number, path, other, way = move
        try:
            pair = _at(ways, values[number], path), _at(ways, values[other], way)
            for one in pair:
                if id(one) not in texts:
                    texts[id(one)] = repr(one)
                    left -= len(texts[id(one)])
        except LookupError:
            continue
        except (RecursionError, ValueError):
            # Such as an int of 5,000 digits: nobody knows how much was made into a text before it.
            break
        if texts[id(pair[0])] == texts[id(pair[1])]:
            found.append(move)
        if left <= 0:
            break
    return found


def _at(ways: Ways, value: Value, path: Path) -> Value:
    """Return what a path leads to, also through containers of the library.  Raises `LookupError`."""
    for place in path:
        match value:
            case Record("library", (_, (_, list() as parts))):
                # The length of a deque comes behind what it holds.
                value = next((part for part in parts[:-3:-1] if isinstance(part, list | dict)), ())
        value = ways.at(value, [place])
    return value


def _moves(value: Value) -> list[Any]:
    if not isinstance(value, list) or not all(map(_is_move, value)):
        raise codec.Malformed("no places")
    return value


def _is_move(move: Value) -> bool:
    match move:
        case [int(), list() as path, int(), list() as way]:
            return all(type(place) is int for place in (*path, *way))
    return False


def node_of(value: Value) -> Node:
    """Return the node for a decoded value.  Raises `codec.Malformed`."""
    if isinstance(value, Record):
        return _of_record(value)
    if isinstance(value, Opaque | Cycle | EnumMember):
        text = value.text if isinstance(value, Opaque) else ""
        return ["opaque", value.type_name if isinstance(value, Opaque) else "object", text]
    if isinstance(value, OddSet):
        return ["s" if value.type_name == "set" else "z", [*map(node_of, value.items)]]
    if isinstance(value, dict):
        pairs = [[node_of(key), node_of(item)] for key, item in value.items()]
        return ["v", value] if _plain([node for pair in pairs for node in pair]) else ["m", pairs]
    found = library_values.data_of(value)
    if found is not None:
        return ["x", found[0], [["v", part] for part in found[1]]]
    if isinstance(value, list | tuple | set | frozenset):
        nodes = [*map(node_of, value)]
        return ["v", value] if _plain(nodes) else [LETTERS[type(value)], nodes]
    return ["v", value]


def _plain(nodes: Sequence[Node]) -> bool:
    return all(node[0] == "v" for node in nodes)


def _of_record(record: Record) -> Node:
    match (record.type_name, *(value for _, value in record.fields)):
        case ("given", int(number)):
            return ["given", number]
        case ("callback", int(number), list(has)) if all(map(_is_attribute, has)):
            return ["c", number, [[name, node_of(value)] for name, value in has]]
        case ("builtin", str(name)) if name in library_values.BUILT_IN:
            return ["b", name]
        case ("library", str(name), list(parts)) if library_values.is_known(name):
            return ["x", name, [*map(node_of, parts)]]
        case ("exception", int(number), str(name), tuple(bases), (str(module), str(qualified))):
            nodes = [*map(node_of, bases)]
            if all(node[0] in ("exception", "b") for node in nodes):
                return ["exception", number, _name(name), nodes, [_dotted(module), _dotted(qualified)]]
        case ("dual", int(number), str(name), value, tuple(described)):
            return ["dual", number, _name(name), node_of(value), _class(described)]
        case ("object", int(number), str(name), str(shape), tuple(described)) if shape in _SHAPES:
            return ["object", number, _name(name), shape, _class(described)]
    raise codec.Malformed("no object")


def _is_attribute(told: Value) -> bool:
    match told:
        case (str(name), _):
            return name.isidentifier() and not name.startswith("_")
    return False


def _class(described: Value) -> Node:
    """Return what the tests get to know of a class: see `grader.worker.box.live.objects`."""
    match described:
        case (int(number), str(module), str(qualified), str(place), str(name), str(base)):
            path = [place[:_NAME_LIMIT], name[:_NAME_LIMIT]] if place and name else []
            return [number, _dotted(module), _dotted(qualified), path, base if base in _BASES else ""]
    raise codec.Malformed("no class")


def _dotted(text: str) -> str:
    """Return the name of a module or a nested class as a text that can be one."""
    short = text[:_NAME_LIMIT]
    is_name = all(part.isidentifier() or part == "<locals>" for part in short.split("."))
    return short if is_name else "object"


def _name(text: str) -> str:
    """Return the name of a type as a text that can be one."""
    short = text[:_NAME_LIMIT]
    return short if short.isidentifier() else "object"

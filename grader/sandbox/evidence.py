"""Decodes a keeper's report to an `Outcome`, strictly.

The report itself is trusted; the answer inside it is hostile bytes.  An answer that does not have exactly
the shape that the worker writes is noise on the channel: `Ending.PROTOCOL`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned, WatchedCall
from grader.model.results import Frame, Raised
from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Table, Value
from grader.wire import codec, library_values, tables
from grader.wire.byte_text import text_of
from grader.wire.decoder import Decoder
from grader.wire.messages import STOPPED_MAX, Report

MAX_ITEMS = 1_000_000
"""Values in one answer, containers included."""

_MAX_FRAMES = 50
_MAX_BASES = 20
_NAME_LIMIT = 300
_TEXT_LIMIT = 2001
"""Characters of a text that are kept; an honest worker cuts texts there itself."""
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")
"""The address in Python's default text of an object; it differs from run to run."""
_LAST_LINE = 1 << 31
_LAST_COLUMN = 100_000
_ABSENCE_B = 20_000
_WITHOUT_STEPS = frozenset({Ending.PROTOCOL, Ending.MISSING})
"""Endings after which no answers are read: they cannot be believed, or the bytes say something else."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence about one case, undecoded: the keeper's report, and the calls of callbacks.

    calls: the readable ones, in their order.
    """

    report: Report
    calls: tuple[bytes, ...] = ()

    def outcome(self) -> Outcome:
        """Decode it."""
        return outcome_of(self.report, tuple(map(watched_call_of, self.calls)))


def outcome_of(report: Report, watched: tuple[WatchedCall, ...] = ()) -> Outcome:
    """Decode the keeper's report on a case."""
    ending, detail = Ending(report.ending), report.detail
    answers: tuple[Answer, ...] = ()
    files: dict[str, bytes] | None = None
    if ending is Ending.ANSWERED:
        try:
            answers, files = _answers(report.answer)
        except codec.TooLarge as error:
            ending, detail = Ending.ANSWER_SIZE, str(error)
        except codec.Malformed as error:
            ending, detail = Ending.PROTOCOL, f"unreadable answer: {error}"
    elif report.answer and ending not in _WITHOUT_STEPS:
        answers = _steps(report.answer)
    if ending is Ending.MISSING:
        detail, *has = report.answer[:_ABSENCE_B].decode("utf-8", "replace").split("\n")
        present = tuple(name[:_NAME_LIMIT] for name in has)
        return replace(_outcome(report, ending, detail[:_NAME_LIMIT], answers, watched), present=present)
    if ending is Ending.ANSWERED and report.refused and _raised_refusal(answers):
        ending, detail = Ending.FORBIDDEN, report.refused[0]
    return replace(_outcome(report, ending, detail, answers, watched), files=files)


def import_outcome_of(report: Report) -> Outcome:
    """Decode the keeper's report on an import; `LOAD_FAILED` unless it went well."""
    outcome = outcome_of(report)
    if outcome.ending is not Ending.ANSWERED:
        return outcome
    match outcome.answers:
        case (Returned(value=True), *stopped) if _are_stops(stopped):
            return outcome
        case (RaisedAnswer(raised=raised, bases=bases),):
            ending = Ending.MEMORY if "MemoryError" in bases else Ending.LOAD_FAILED
            return _outcome(report, ending, "", outcome.answers, (), raised)
    return _outcome(report, Ending.PROTOCOL, "unreadable answer", (), ())


def _are_stops(answers: Sequence[Answer]) -> bool:
    """Tell whether these are exceptions of modules that stay as they were."""
    return len(answers) <= STOPPED_MAX and all(isinstance(answer, RaisedAnswer) for answer in answers)


def _outcome(
    report: Report,
    ending: Ending,
    detail: str,
    answers: tuple[Answer, ...],
    watched: tuple[WatchedCall, ...],
    raised: Raised | None = None,
) -> Outcome:
    return Outcome(
        ending=ending,
        answers=answers,
        watched=watched,
        cpu_s=report.cpu_s,
        wall_s=report.wall_s,
        peak_rss_b=report.peak_rss_b,
        stdout=text_of(report.stdout),
        stderr=text_of(report.stderr),
        detail=detail,
        raised=raised,
        waited_s=report.waited_s,
        place=report.place,
    )


def _raised_refusal(answers: tuple[Answer, ...]) -> bool:
    """Tell whether an answer is the error that a refused system call becomes."""
    return any(isinstance(answer, RaisedAnswer) and "OSError" in answer.bases for answer in answers)


def _steps(data: bytes) -> tuple[Answer, ...]:
    """Return the answers to the steps of a scenario that came before it ended badly."""
    try:
        return _answers(data)[0]
    except (codec.TooLarge, codec.Malformed):
        return ()


def _decoder() -> Decoder:
    return Decoder(MAX_ITEMS, Record, _opaque, Cycle, EnumMember, OddSet, _library)


def _opaque(type_name: str, text: str) -> Opaque:
    return Opaque(type_name[:_NAME_LIMIT], without_addresses(text[:_TEXT_LIMIT]))


def _library(name: str, parts: list[object]) -> Value:
    """Return a value of the standard library, or a table.  Raises `ValueError`."""
    if not name.startswith(tables.PREFIX):
        return library_values.made_of_bytes(name, parts)
    columns, index, dtypes, cells = tables.parts_of_bytes(name, parts)
    plain = (tuple([None if type(cell) is float and cell != cell else cell for cell in c]) for c in cells)
    return Table(name.removeprefix(tables.PREFIX), tuple(columns), tuple(index), tuple(dtypes), tuple(plain))


def without_addresses(text: str) -> str:
    """Return a bounded text without the addresses of objects, which differ from run to run."""
    return _ADDRESS.sub("", text)


def _answers(data: bytes) -> tuple[tuple[Answer, ...], dict[str, bytes] | None]:
    """Return the answers to calls, and the files that they left, if a case asks for these."""
    decoded = _decoder().decode(data)
    if type(decoded) is not list:
        raise codec.Malformed("no list of answers")
    files = None
    match decoded[-1:]:
        case [("left", dict() as left)]:
            files = {str(name): content for name, content in left.items() if isinstance(content, bytes)}
            if len(files) != len(left) or any(not isinstance(name, str) for name in left):
                raise codec.Malformed("no files")
            decoded = decoded[:-1]
    return tuple(_answer(item) for item in decoded), files


def _answer(item: Value) -> Answer:
    match item:
        case ("ok",):
            return Returned(True)
        case ("returned", value):
            return Returned(value)
        case ("returned", value, None | list() as after, None | str() as printed):
            return Returned(value, _after(after), printed)
        case ("raised", str(name), str(message), list() as bases, list() as frames, *more):
            raised = Raised(name[:_NAME_LIMIT], message[:_TEXT_LIMIT], frames_of(frames))
            if more and isinstance(more[0], str):
                raised, more = replace(raised, suggestion=more[0][:_NAME_LIMIT]), more[1:]
            names, namesakes = _bases(bases)
            answer = RaisedAnswer(raised, names, namesakes=namesakes)
            match more:
                case []:
                    return answer
                case [None | list() as after, None | str() as printed]:
                    return replace(answer, args_after=_after(after), printed=printed)
    raise codec.Malformed("no answer")


def _after(arguments: list[Value] | None) -> tuple[Value, ...] | None:
    return None if arguments is None else tuple(arguments)


def _bases(bases: list[Value]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of classes, and of those that are only called as a built-in one."""
    if len(bases) > _MAX_BASES:
        raise codec.Malformed("too many bases")
    names, namesakes = [], []
    for base in bases:
        match base:
            case str(name):
                names.append(name[:_NAME_LIMIT])
            case (str(name),):
                namesakes.append(name[:_NAME_LIMIT])
            case _:
                raise codec.Malformed("no names of classes")
    return tuple(names), tuple(namesakes)


def frames_of(frames: list[Value]) -> tuple[Frame, ...]:
    """Return the frames of a traceback as the box sent them.  Raises `codec.Malformed`."""
    if len(frames) > _MAX_FRAMES:
        raise codec.Malformed("too many frames")
    found = []
    for frame in frames:
        match frame:
            case (str(file), int(number), str(function), *columns) if _are_columns(columns):
                # Nor is every number a line: Python refuses to print a really large one.
                line = int(number) if 0 <= number < _LAST_LINE else 0
                found.append(Frame(file[:_NAME_LIMIT], line, function[:_NAME_LIMIT], "", *columns))
            case _:
                raise codec.Malformed("no frame")
    return tuple(found)


def _are_columns(columns: Sequence[Value]) -> TypeGuard[Sequence[int]]:
    """Tell whether the rest of a frame is nothing, or the first and the last column of a syntax error."""
    return len(columns) in (0, 2) and all(
        type(column) is int and 0 <= column < _LAST_COLUMN for column in columns
    )


def watched_call_of(data: bytes) -> WatchedCall:
    """Decode a watched callback's call.  Raises `codec.Malformed` or `codec.TooLarge`."""
    match _decoder().decode(data):
        case (str(name), tuple(args)):
            return WatchedCall(name, args)
    raise codec.Malformed("no call of a callback")

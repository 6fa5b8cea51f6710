"""From a keeper's report to an `Outcome`: decoding what student code claims, strictly.

The report itself is trusted, the answer inside it is hostile bytes.  Whatever does not have
exactly the shape that the worker writes is noise on the answer channel: `Ending.PROTOCOL`.
"""

from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned, WatchedCall
from grader.model.results import Frame, Raised
from grader.model.values import Cycle, Opaque, Record, Value
from grader.wire import codec
from grader.wire.messages import Report

MAX_ITEMS = 1_000_000
"""Values in one answer, containers included."""

_MAX_FRAMES = 50
_MAX_BASES = 20


def outcome_of(report: Report, watched: tuple[WatchedCall, ...] = ()) -> Outcome:
    """Decode the keeper's report on a case."""
    ending, detail = Ending(report.ending), report.detail
    answers: tuple[Answer, ...] = ()
    if ending is Ending.ANSWERED:
        try:
            answers = _answers(report.answer)
        except codec.TooLarge as error:
            ending, detail = Ending.ANSWER_SIZE, str(error)
        except codec.Malformed as error:
            ending, detail = Ending.PROTOCOL, f"unreadable answer: {error}"
    if ending is Ending.ANSWERED and report.refused and _raised_refusal(answers):
        ending, detail = Ending.FORBIDDEN, report.refused[0]
    return _outcome(report, ending, detail, answers, watched)


def import_outcome_of(report: Report) -> Outcome:
    """Decode the keeper's report on an import; `LOAD_FAILED` unless it went well."""
    outcome = outcome_of(report)
    if outcome.ending is not Ending.ANSWERED:
        return outcome
    match outcome.answers:
        case (Returned(value=True),):
            return outcome
        case (RaisedAnswer(raised=raised, bases=bases),):
            ending = Ending.MEMORY if "MemoryError" in bases else Ending.LOAD_FAILED
            return _outcome(report, ending, "", outcome.answers, (), raised)
    return _outcome(report, Ending.PROTOCOL, "unreadable answer", (), ())


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
        stdout=report.stdout.decode("utf-8", "replace"),
        stderr=report.stderr.decode("utf-8", "replace"),
        detail=detail,
        raised=raised,
    )


def _raised_refusal(answers: tuple[Answer, ...]) -> bool:
    """Whether the last answer is the error that a refused system call becomes."""
    return bool(answers) and isinstance(answers[-1], RaisedAnswer) and "OSError" in answers[-1].bases


def _decoder() -> codec.Decoder:
    return codec.Decoder(MAX_ITEMS, Record, Opaque, Cycle)


def _answers(data: bytes) -> tuple[Answer, ...]:
    decoded = _decoder().decode(data)
    if type(decoded) is not list:
        raise codec.Malformed("no list of answers")
    return tuple(_answer(item) for item in decoded)


def _answer(item: Value) -> Answer:
    match item:
        case ("ok",):
            return Returned(True)
        case ("returned", value):
            return Returned(value)
        case ("returned", value, list() as args):
            return Returned(value, tuple(args))
        case ("raised", str(name), str(message), list() as bases, list() as frames):
            return RaisedAnswer(Raised(name, message, _frames(frames)), _bases(bases))
    raise codec.Malformed("no answer")


def _bases(bases: list[Value]) -> tuple[str, ...]:
    if len(bases) > _MAX_BASES or not all(type(base) is str for base in bases):
        raise codec.Malformed("no names of classes")
    return tuple(map(str, bases))


def _frames(frames: list[Value]) -> tuple[Frame, ...]:
    if len(frames) > _MAX_FRAMES:
        raise codec.Malformed("too many frames")
    found = []
    for frame in frames:
        match frame:
            case (str(file), int(line), str(function)):
                found.append(Frame(file, line, function))
            case _:
                raise codec.Malformed("no frame")
    return tuple(found)


def watched_call_of(data: bytes) -> WatchedCall:
    """Decode a watched callback's call.  Raises `codec.Malformed` or `codec.TooLarge`."""
    match _decoder().decode(data):
        case (str(name), tuple(args)):
            return WatchedCall(name, args)
    raise codec.Malformed("no call of a callback")

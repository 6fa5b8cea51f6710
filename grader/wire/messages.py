"""Messages between grader and keeper: fixed layouts, packed and unpacked at once.

Both ends are trusted.  Student code's own bytes travel inside them unread.  The layouts are fixed and
binary because a message passes for every case of every submission.
"""

import marshal
from collections.abc import Sequence
from struct import Struct
from typing import Any, NamedTuple

ENDINGS = (
    "answered", "exited", "killed", "time", "wall", "memory", "output", "answer-size", "protocol",
    "forbidden", "missing", "internal", "stopped",
)  # fmt: skip
"""How a case can end, as `grader.model.outcome.Ending` names it; the index is what travels."""

MODES = ("", "fresh", "snapshot", "shared")
"""How a keeper runs cases; see `grader.worker.keeper.keeper`."""

STOPPED_MAX = 8
"""Modules of one import of which it is told that they raised, and stay as they were."""
STOP = b"stop"
"""Body of a REPLY to a question for input: the case ends here.  No encoded value is the same."""

MARSHAL_FORMAT = 2
"""Read by every CPython; later ones keep one object in two calls one, so that a call could change
an argument of the next."""

_CASE = Struct("<ddQQBBI")
_REPORT = Struct("<BddddQBIIIIIII")
_COUNT = Struct("<I")


class CaseOrder(NamedTuple):
    """One case for a keeper to run.

    time_s, wall_s, output_b, answer_b: see `grader.model.limits.Limits`.
    watched: whether it may call callbacks.  asks: whether it may ask for input, line by line.
    payload: the request, as the box will read it.
    """

    time_s: float
    wall_s: float
    output_b: int
    answer_b: int
    watched: bool
    asks: bool
    payload: bytes


class Report(NamedTuple):
    """A keeper's report on one case, or on an import.

    ending: one of `ENDINGS`.  cpu_s, wall_s, peak_rss_b: measured.  mode: one of `MODES`, for imports.
    answer, stdout, stderr: bytes of the student's.  detail: a few words of ours.
    refused: what the sandbox refused, in words.
    overhead_s: CPU seconds that it cost besides, by imports that it made necessary and by a first try.
    waited_s: seconds in which it neither computed nor stood in the run queue, nor waited for the grader; with
        those of what it cost besides.
    place: file and line at which it was stopped, as the stopped process itself told it.
    """

    ending: str
    cpu_s: float
    wall_s: float
    peak_rss_b: int
    mode: str
    answer: bytes
    stdout: bytes
    stderr: bytes
    detail: str
    refused: tuple[str, ...]
    overhead_s: float = 0.0
    waited_s: float = 0.0
    place: tuple[str, int] | None = None


def pack_job(job: dict[str, Any]) -> bytes:
    """Pack what a box is to load: plain data, only ever read on the far side."""
    return marshal.dumps(job, MARSHAL_FORMAT)


def unpack_job(body: bytes) -> Any:
    """Unpack what `pack_job` packed."""
    return marshal.loads(body)


def pack_cases(cases: Sequence[CaseOrder]) -> bytes:
    """Pack cases, in the order in which they are to run."""
    parts = [_COUNT.pack(len(cases))]
    for case in cases:
        parts += (_CASE.pack(*case[:6], len(case.payload)), case.payload)
    return b"".join(parts)


def unpack_cases(body: bytes) -> list[CaseOrder]:
    """Unpack what `pack_cases` packed."""
    (count,) = _COUNT.unpack_from(body)
    at, cases = _COUNT.size, []
    for _ in range(count):
        time_s, wall_s, output_b, answer_b, watched, asks, length = _CASE.unpack_from(body, at)
        at += _CASE.size
        payload = body[at : at + length]
        cases.append(CaseOrder(time_s, wall_s, output_b, answer_b, bool(watched), bool(asks), payload))
        at += length
    return cases


def pack_reports(reports: Sequence[Report]) -> bytes:
    """Pack reports in order."""
    parts = [_COUNT.pack(len(reports))]
    for report in reports:
        texts = (
            report.answer,
            report.stdout,
            report.stderr,
            report.detail.encode("utf-8", "replace"),
            "\0".join(report.refused).encode("utf-8", "replace"),
            (report.place[0] if report.place else "").encode("utf-8", "replace"),
        )
        parts.append(
            _REPORT.pack(
                ENDINGS.index(report.ending),
                report.cpu_s,
                report.wall_s,
                report.overhead_s,
                report.waited_s,
                report.peak_rss_b,
                MODES.index(report.mode),
                report.place[1] if report.place else 0,
                *map(len, texts),
            )
        )
        parts += texts
    return b"".join(parts)


def unpack_reports(body: bytes) -> list[Report]:
    """Unpack what `pack_reports` packed."""
    (count,) = _COUNT.unpack_from(body)
    at, reports = _COUNT.size, []
    for _ in range(count):
        ending, cpu_s, wall_s, overhead_s, waited_s, peak_rss_b, mode, line, *lengths = _REPORT.unpack_from(
            body, at
        )
        at += _REPORT.size
        texts = []
        for length in lengths:
            texts.append(body[at : at + length])
            at += length
        answer, stdout, stderr, detail, refused, file = texts
        reports.append(
            Report(
                ENDINGS[ending],
                cpu_s,
                wall_s,
                peak_rss_b,
                MODES[mode],
                answer,
                stdout,
                stderr,
                detail.decode("utf-8", "replace"),
                tuple(filter(None, refused.decode("utf-8", "replace").split("\0"))),
                overhead_s,
                waited_s,
                (file.decode("utf-8", "replace"), line) if file else None,
            )
        )
    return reports


def pack_call(position: int, call: bytes) -> bytes:
    """Pack a watched callback's call by the case at `position`."""
    return _COUNT.pack(position) + call


def unpack_call(body: bytes) -> tuple[int, bytes]:
    """Unpack what `pack_call` packed."""
    return _COUNT.unpack_from(body)[0], body[_COUNT.size :]

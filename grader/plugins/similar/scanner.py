"""Scans sources in a box: nothing hostile is tokenized on this side.

Only codes, numbers and a digest come back.  Each source has a process of its own, so one that is made to do
harm costs its own comparison alone.
"""

import importlib.resources
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.case import Call
from grader.model.closing import Closing
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Returned
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import UNBILLED
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import SandboxFailure, Zygote

LONGEST = 20_000
"""Codes of a work that are compared: some 2,500 lines.  A comparison of two takes less than their product."""
_LONGEST_TEXT = 1 << 19
_LIMITS = Limits(time_s=4, wall_s=16, answer_b=4 * MIB)
_MEMORY_B = 512 * MIB
_LINE_B = 4


@dataclass(frozen=True, slots=True)
class Scanned:
    """A source as codes.

    lines: the line of each code, from one on.  parts: where functions, classes and other pieces begin.
    digest: equal for sources that differ in names, comments and layout alone; empty if some was left out.
    """

    codes: bytes
    lines: Sequence[int]
    parts: tuple[int, ...]
    digest: str


class Scanner(Closing):
    """A box for scans.  Use it as a context manager, from one thread."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._box: Box | None = None

    def scan(self, text: str, starts: Sequence[int] = ()) -> Scanned | None:
        """Return a source as codes; None if the box died of it.  Raises `SandboxFailure`.

        starts: the lines at which a text begins that knows nothing of those above, such as a notebook's cell.
        """
        call = Call("scan", (text[:_LONGEST_TEXT], LONGEST, list(starts)))
        self._box = self._box or _opened(self._zygote)
        try:
            (outcome,) = self._box.run([Job(encode_request([call], _LIMITS), _LIMITS)])
        except SandboxFailure:
            self.close()
            raise
        match outcome.answers[:1]:
            case (
                Returned(value=(bytes() as codes, bytes() as lines, list() as parts, str() as digest)),
            ) if outcome.ending is Ending.ANSWERED:
                return _checked(codes, lines, parts, digest if len(text) <= _LONGEST_TEXT else "")
        if outcome.ending in (Ending.INTERNAL, Ending.MISSING, Ending.LOAD_FAILED):
            raise SandboxFailure(f"sources cannot be scanned: {outcome.detail}")
        self.close()
        return None

    def close(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None


def _opened(zygote: Zygote) -> Box:
    source = importlib.resources.files("grader.plugins.similar").joinpath("scan.py").read_text("utf-8")
    box = Box(zygote, Program("scan", {"scan": source}), _MEMORY_B, _LIMITS, _LIMITS.time_s, purse=UNBILLED)
    if not loaded(box.load()[0]):
        box.close()
        raise SandboxFailure("the program that scans sources cannot be loaded")
    return box


def _checked(codes: bytes, packed: bytes, parts: list[object], digest: str) -> Scanned | None:
    """Return the answer if it fits together, since hostile text had a say in it."""
    starts = tuple(part for part in parts if type(part) is int and 0 <= part <= len(codes))
    if len(codes) > LONGEST or len(packed) != _LINE_B * len(codes) or starts != tuple(sorted(set(starts))):
        return None
    lines = [int.from_bytes(packed[at : at + _LINE_B], "big") for at in range(0, len(packed), _LINE_B)]
    return Scanned(codes, lines, starts or (0,), digest)

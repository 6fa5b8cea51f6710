"""What runs have found out about one submission, case by case, so that it need not run again.

After a change of the spec most cases are still what they were.  What such a case does in its
box depends on the program, on what is asked of it, on its limits and on where it runs, and on
nothing that is expected of it: so the evidence stands, and only the judgement is made anew.

Times that are marked are not kept, since a time is evidence of one moment; nor is what met the
limit of the clock, which is a matter of the machine as well.
"""

import zlib
from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from struct import error as StructError

from grader.engine.cache.keys import digest
from grader.engine.cache.requests import watched_in
from grader.model.case import Case
from grader.model.outcome import Outcome
from grader.model.task import Task
from grader.sandbox.box import Program
from grader.sandbox.evidence import Evidence
from grader.sandbox.request import encode_program
from grader.wire import messages

_KEY_B = 16
_ENTRY = Struct("<16sII")
"""Key, bytes of the report, number of calls of callbacks; the bytes of each call follow with theirs."""
_LENGTH = Struct("<I")

_LARGEST_B = 64 * 1024
"""Answer, output and calls of one case; what is larger is rather found again."""
_MOST_B = 16 * 1024 * 1024
_LEVEL = 1
_IMPORT = b"import"
_NOT_KEPT = frozenset({"wall", "internal"})


def case_digest(task: Task, case: Case, request: bytes, reference: Outcome | None) -> bytes:
    """Return the digest of what a case asks of a box: calls, limits, callbacks, and the random seed.

    reference: what the reference's program did, which decides how far a dialogue goes.
    """
    if case.program is not None:
        run = case.program
        said = reference.dialogue if reference is not None else ()
        players = sorted(task.checkers.texts.items()) if run.player and task.checkers else ()
        about = repr((case.limits, task.seed, run.dialogue, said, run.player, players))
        return bytes.fromhex(digest(encode_program(run, case.limits), about))
    callbacks = [(watched.name, watched.source) for watched in watched_in(case)]
    return bytes.fromhex(digest(request, repr((case.limits, callbacks, task.seed))))


def program_digest(conditions: str, program: Program, memory_b: int) -> bytes:
    """Return the digest of what is loaded into a box, and where.

    conditions: see `grader.engine.cache.keys.conditions_key`.
    """
    texts = [part for name in sorted(program.sources) for part in (name, program.sources[name])]
    about = repr((program.module, program.captures, program.runs, memory_b))
    return bytes.fromhex(digest(conditions, about, *texts))


class EvidenceBook:
    """The evidence about one submission: what was known before, and what is true now."""

    def __init__(self, packed: bytes = b"") -> None:
        """packed: what `packed` returned at the end of an earlier run; what cannot be read is not known."""
        self._before = _unpacked(packed)
        self._now: dict[bytes, Evidence] = {}

    @property
    def is_blank(self) -> bool:
        """Whether nothing was known before."""
        return not self._before

    def find(self, program: bytes, case: bytes) -> Evidence | None:
        """Return what is known about a case of a program, both by their digests."""
        key = _key(program, case)
        found = self._now.get(key) or self._before.get(key)
        if found is not None:
            self._now[key] = found
        return found

    def add(self, program: bytes, case: bytes, evidence: Evidence) -> None:
        """Take note of what was found."""
        report = evidence.report
        parts = (report.answer, report.stdout, report.stderr, *evidence.calls)
        if report.ending not in _NOT_KEPT and sum(map(len, parts)) <= _LARGEST_B:
            self._now[_key(program, case)] = evidence

    def find_import(self, program: bytes) -> Evidence | None:
        """Return how the import of a program went."""
        return self.find(program, _IMPORT)

    def add_import(self, program: bytes, evidence: Evidence) -> None:
        """Take note of how an import went."""
        self.add(program, _IMPORT, evidence)

    def packed(self) -> bytes:
        """Return all that was found, or found to hold still, in this run."""
        parts = []
        room_b = _MOST_B
        for key, evidence in self._now.items():
            report = messages.pack_reports([evidence.report])
            entry = [_ENTRY.pack(key, len(report), len(evidence.calls)), report]
            entry += [part for call in evidence.calls for part in (_LENGTH.pack(len(call)), call)]
            room_b -= sum(map(len, entry))
            if room_b < 0:
                break
            parts += entry
        return zlib.compress(b"".join(parts), _LEVEL) if parts else b""


def _key(program: bytes, case: bytes) -> bytes:
    return blake2b(program + case, digest_size=_KEY_B).digest()


def _unpacked(packed: bytes) -> dict[bytes, Evidence]:
    if not packed:
        return {}
    try:
        return _entries(zlib.decompressobj().decompress(packed, _MOST_B))
    except (zlib.error, StructError, IndexError, ValueError):
        return {}


def _entries(data: bytes) -> dict[bytes, Evidence]:
    found = {}
    at = 0
    while at < len(data):
        key, length, count = _ENTRY.unpack_from(data, at)
        at += _ENTRY.size
        (report,) = messages.unpack_reports(data[at : at + length])
        at += length
        calls: Sequence[bytes] = ()
        for _ in range(count):
            (length,) = _LENGTH.unpack_from(data, at)
            at += _LENGTH.size
            calls = (*calls, data[at : at + length])
            at += length
        found[key] = Evidence(report, tuple(calls))
    return found

"""The evidence of earlier runs about one submission, case by case, so that the cases need not run again.

After a change of the spec most cases are the same.  The evidence of a case depends on the program, the calls,
the limits and the machine's conditions, and not on the expected answer.  So the evidence still holds, and
only the judgement is repeated.

Evidence of a case whose time is marked is not kept, since a time belongs to one moment.  Evidence of a case
that met its wall limit is not kept either, since it depends on the machine's load.
"""

import zlib
from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from struct import error as StructError

from grader.lab.digests import digest
from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.outcome import Outcome
from grader.model.task import Task
from grader.sandbox.box import Program
from grader.sandbox.evidence import Evidence
from grader.wire import messages

_KEY_B = 16
_ENTRY = Struct("<16sII")
"""Key, bytes of the report, number of callback calls; the length and bytes of each call follow."""
_LENGTH = Struct("<I")

_LARGEST_B = 64 * 1024
"""The most bytes of answer, output and calls of one case; larger evidence is not kept."""
_MOST_B = 16 * 1024 * 1024
_LEVEL = 1
_IMPORT = b"import"
_NOT_KEPT = frozenset({"wall", "internal"})


def case_digest(task: Task, case: Case, request: bytes, reference: Outcome | None) -> bytes:
    """Return the digest of a case's request to a box: calls or tests, limits, callbacks, and the random seed.

    reference: the outcome of the reference's program, which decides how far a dialogue goes.
    """
    about = kind_of(case).about(task, case, request, reference)
    return bytes.fromhex(digest(*about, repr((case.limits, task.seed_of(case)))))


def program_digest(conditions: str, program: Program, memory_b: int) -> bytes:
    """Return the digest of the program that is loaded into a box, and of its conditions.

    conditions: see `grader.engine.cache.keys.conditions_key`.
    """
    texts = [part for name in sorted(program.sources) for part in (name, program.sources[name])]
    own = program.harness, program.around
    about = repr((program.module, program.captures, program.runs, *own, program.keeps, memory_b))
    return bytes.fromhex(digest(conditions, about, *texts))


class EvidenceCache:
    """The evidence about one submission: that of earlier runs, and that of this run."""

    def __init__(self, packed: bytes = b"") -> None:
        """packed: the bytes from `packed` in an earlier run; bytes that cannot be read are ignored."""
        self._before = _unpacked(packed)
        self._now: dict[bytes, Evidence] = {}

    @property
    def is_blank(self) -> bool:
        """Tell whether there is no evidence of earlier runs."""
        return not self._before

    def find(self, program: bytes, case: bytes) -> Evidence | None:
        """Return the evidence about a case of a program, both by their digests, or None."""
        key = _key(program, case)
        found = self._now.get(key) or self._before.get(key)
        if found is not None:
            self._now[key] = found
        return found

    def add(self, program: bytes, case: bytes, evidence: Evidence) -> None:
        report = evidence.report
        parts = (report.answer, report.stdout, report.stderr, *evidence.calls)
        if report.ending not in _NOT_KEPT and sum(map(len, parts)) <= _LARGEST_B:
            self._now[_key(program, case)] = evidence

    def forget(self, program: bytes, case: bytes) -> None:
        """Forget the evidence about a case that was run on a host which denied what it must not."""
        key = _key(program, case)
        self._now.pop(key, None)
        self._before.pop(key, None)

    def find_import(self, program: bytes) -> Evidence | None:
        """Return the evidence about the import of a program, or None."""
        return self.find(program, _IMPORT)

    def add_import(self, program: bytes, evidence: Evidence) -> None:
        self.add(program, _IMPORT, evidence)

    def packed(self) -> bytes:
        """Return all evidence that this run added or used, as bytes."""
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

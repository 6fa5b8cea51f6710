"""Results on the way back from a worker of a cluster, as plain data.

A worker is trusted to mark, but it may be broken: its data is rebuilt by the declared types of
`SubmissionResult`, and data that does not fit them is refused whole.  No part of a result is unpickled, but
Dask unpickles its own messages around it (docs/cluster.md).  Both ends run the same code, so the form needs
no version.  It differs from `results.json`: nothing is rounded, cut or left out.
"""

import json
from collections.abc import Iterator
from struct import Struct
from struct import error as StructError

from grader.engine.worker import MarkedSubmission
from grader.model.results import SubmissionResult
from grader.store.codec import Codec

EXACT = Codec({}, is_exact=True)
_LENGTH = Struct("<Q")


class Malformed(Exception):
    """These bytes do not hold a result."""


def encode_marked(marked: MarkedSubmission) -> bytes:
    """Return the results of a submission as bytes; `decode_marked` gives an equal one back."""
    # JSON's own escapes would join two halves of surrogate pairs, which students' texts can hold.
    text = json.dumps(EXACT.write(marked.result), ensure_ascii=False)
    # JSON writes line ends as escapes only, so the first one ends the text.
    head = text.encode("utf-8", "surrogatepass") + b"\n"
    parts = (marked.evidence, marked.work, *map(encode_marked, marked.members))
    return head + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def decode_marked(data: bytes) -> MarkedSubmission:
    """Return the results in the bytes.  Raises `Malformed`."""
    text, _, rest = data.partition(b"\n")
    try:
        evidence, work, *members = _parts(rest)
        plain = json.loads(text.decode("utf-8", "surrogatepass"))
        result = EXACT.read(SubmissionResult, plain)
        return MarkedSubmission(result, evidence, work, tuple(map(decode_marked, members)))
    except (StructError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Malformed(str(error)) from error


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield the parts of what follows the text.  Raises `ValueError`."""
    while data:
        (length,) = _LENGTH.unpack_from(data)
        if length > len(data) - _LENGTH.size:
            raise ValueError("a part is cut off")
        yield data[_LENGTH.size : _LENGTH.size + length]
        data = data[_LENGTH.size + length :]

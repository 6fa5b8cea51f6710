"""What is read of the trace of a stopped process: one line of the submission's own files, or nothing."""

import pytest

from grader.worker.walls.place import place_in

FILES = ("leap.py", "h.py", "ж.py")
HEAD = b"Stack (most recent call first):\n"


@pytest.mark.parametrize(
    ("trace", "place"),
    [
        (b'  File "leap.py", line 3 in f\n  File "leap.py", line 9 in <module>\n', ("leap.py", 3)),
        (b'  File "/usr/lib/threading.py", line 7 in join\n  File "h.py", line 12 in g\n', ("h.py", 12)),
        (b'  File "\\u0436.py", line 1 in <module>\n', ("ж.py", 1)),
        (b'  File "leap.py", line 3 in f', None),
        (b'  File "leap.py", line 1000000 in f\n', None),
        (b'  File "leap.py", line -3 in f\n', None),
        (b'  File "leap.py", line  in f\n', None),
        (b'  File "leap.py", line \xd9\xa3 in f\n', None),
        (b'  File "<b>leap.py", line 3 in f\n', None),
        (b'  File "other.py", line 3 in f\n', None),
        (b"leap.py, line 3\n" * 3, None),
        (b'  File "leap.py", line 3 in \xff\xfe\0\n', ("leap.py", 3)),
        (b'x' * 5000 + b'\n  File "leap.py", line 3 in f\n', None),
        (b"", None),
        (b"\n" * 4096, None),
        (b'  File "' * 600, None),
    ],
)  # fmt: skip
def test_a_trace_tells_one_line_at_most(trace: bytes, place: tuple[str, int] | None) -> None:
    assert place_in(trace, FILES) == place
    assert place_in(HEAD + trace, FILES) == place

"""Counts the calls from "mark this submission" to the message that starts a case in a box.

    python -m benchmarks.frames

Prints them, from `Marker.mark` to `Box._send`, for a case of one call.  A reader who follows a mark steps
through each of them.
"""

import sys
import tempfile
from pathlib import Path
from types import FrameType

from grader.doctor.doctor import strongest
from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.box import Box
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.spec import load_task
from grader.wire import frames

SPEC = """\
task: one
title: One call
marks: 1
modules: {work: work.py}
questions: [{id: "1", title: f, marks: 1, cases: [{call: f(1), returns: 1}]}]
"""


def way_to_box() -> list[str]:
    """Return module and function of each frame, the outermost first."""
    found: list[str] = []
    send = Box._send

    def noting(box: Box, kind: int, body: bytes) -> None:
        if kind == frames.RUN and not found:
            found.extend(_names(sys._getframe(1)))
        send(box, kind, body)

    Box._send = noting  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            spec = Path(folder, "spec.yaml")
            spec.write_text(SPEC)
            driver = strongest(find_interpreter(""), Driver.POSIX).driver
            with Marker(prepare_run(load_task(spec), driver, "")) as marker:
                work = {"work": SourceFile("work.py", "def f(x):\n    return x\n")}
                marker.mark(Submission("student-01", "student-01", work))
    finally:
        Box._send = send  # type: ignore[method-assign]
    return [*found, "grader.sandbox.box: Box._send"]


def _names(innermost: FrameType) -> list[str]:
    """Return the names of the frames from `Marker.mark` on; none if it is not among them."""
    names = []
    frame: FrameType | None = innermost
    while frame is not None:
        names.append(f"{frame.f_globals['__name__']}: {frame.f_code.co_qualname}")
        if frame.f_code is Marker.mark.__code__:
            return names[::-1]
        frame = frame.f_back
    return []


if __name__ == "__main__":
    way = way_to_box()
    print(*way, f"{len(way)} frames", sep="\n")

"""Becomes a built program in a case process.

The box holds the program in memory, sealed, at a descriptor of its own.  A case process gets its files, its
input and its arguments, and then becomes the program by exec: no code of the grader's is left in it, and no
channel but its output.  So it answers nothing; the kernel's exit status tells how it ended.
"""

import marshal
import os
import signal
from contextlib import suppress
from typing import Any

from grader.wire import frames
from grader.worker.box.files import show_input, write_file, write_files

NATIVE = 901
"""Descriptor of the program.  It is above all numbers that a student's code can get."""
INPUT_MOST_B = 6 * 1024 * 1024
"""The most bytes of input.  The folder of a case holds them beside its files and what a build left."""
_ADD_SEALS, _ALL_SEALS = 1033, 0xF
_ANSWERS = 4
"""Descriptor on which a failure is told; `main` has arranged it."""
_NO_PROGRAM = 126
"""Exit status of a shell for a file that it cannot run."""


def place(built: dict[str, Any]) -> None:
    """In the box, before its walls are up: open the program where nothing can change it.

    built: as `grader.sandbox.tools.build.Built.for_box` gives it.
    """
    if built["host"]:
        descriptor = os.open(built["host"], os.O_RDONLY | os.O_CLOEXEC)
    else:
        descriptor = _sealed(built["program"])
    os.dup2(descriptor, NATIVE, inheritable=False)
    os.close(descriptor)


def _sealed(program: bytes) -> int:
    import fcntl  # noqa: PLC0415  (only boxes of built programs need it)

    descriptor = os.memfd_create("program", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    left = memoryview(program)
    while left:
        left = left[os.write(descriptor, left) :]
    fcntl.fcntl(descriptor, _ADD_SEALS, _ALL_SEALS)
    return descriptor


def become(payload: bytes, built: dict[str, Any]) -> tuple[int, bytes, bool]:
    """Become the program of one request; return only if that fails, with the frame that says why."""
    try:
        # The payload comes from the grader, so it is trusted.
        request: Any = marshal.loads(payload)
        order = request["program"]
        write_files(order["files"])
        _write_built(built["files"], {path for path, _ in order["files"]})
        if not order["asks"]:
            # In a dialogue, the keeper replaces descriptor 0 at the first read.
            parts = built["program"], *(content for _, content in built["files"])
            _feed(order["stdin"], show_input(order["stdin"], parts))
        for number in (signal.SIGXFSZ, signal.SIGPIPE):
            # Python ignores these, and exec would hand that on.
            signal.signal(number, signal.SIG_DFL)
        os.set_inheritable(_ANSWERS, False)
        os.closerange(_ANSWERS + 1, NATIVE)
        arguments = [*(built["command"] or [order["module"]]), *order["arguments"]]
        environment = dict(os.environ) | built["environment"]
        try:
            os.execve(NATIVE, arguments, environment)
        except OSError as error:
            if built["host"]:
                raise
            # What was built is no program of this machine's, which is its author's fault.
            os.write(2, f"{arguments[0]}: {os.strerror(error.errno or 0)}\n".encode())
            os._exit(_NO_PROGRAM)
    except Exception as error:
        return frames.FAILED, f"{type(error).__name__}: {error}".encode(), False


def _write_built(files: list[tuple[str, bytes]], taken: set[str]) -> None:
    """Write what a build left, which may have names that the case's files have; those stay."""
    for path, content in files:
        if path not in taken:
            # A file can have the name of a folder.
            with suppress(OSError):
                write_file(path, content)


def _feed(content: bytes, shown: str) -> None:
    """Have descriptor 0 deliver the content and then the end of the input.

    A content that no pipe holds comes from a file, as after `< input.txt`: no process is left that could fill
    a pipe while the program reads.  shown: a file that has it already; "": it gets one without a name.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    if content and os.write(write_end, content) < len(content):
        os.close(read_end)
        name = shown or f".{len(content)} bytes of input"
        if not shown:
            write_file(name, content)
        read_end = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        if not shown:
            os.unlink(name)
    os.close(write_end)
    os.dup2(read_end, 0)
    os.close(read_end)

"""Runs a module as a program in a case process, as `python main.py` would run it.

The box imported nothing before it forked, so the program starts in an interpreter that no student code
has touched: a fresh `__main__`, its arguments, its input, its files.  The keeper reads its output from the
pipes.  A frame tells the keeper that it asks for input.  Like everything in the box, these messages prove
nothing: a program that forges its exit code could as well have ended with it.
"""

import atexit
import builtins
import gc
import io
import marshal
import os
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import ModuleType, TracebackType
from typing import Any

from grader.wire import frames
from grader.wire.decoder import decode_plain
from grader.wire.encoder import encode_plain
from grader.worker.box import calls, exceptions
from grader.worker.box.capture import AskedLines, text_input
from grader.worker.box.files import left_files, show_input, write_files
from grader.worker.box.sources import Sources, run_source

_RECURSION_LIMIT = 1000
_SET_PIPE_SIZE = 1031
_PIPE_B = 1 << 16
_OUR_FILES = os.path.dirname(os.path.dirname(__file__))


def run(
    texts: dict[str, str], payload: bytes, channel: calls.Channel, flush: Callable[[], None]
) -> tuple[int, bytes, bool]:
    """Run the program of one request; return the frame that tells how it ended, as `calls.run` does.

    texts: the source of each module.  flush: flushes the output so far.
    """
    # The payload comes from the grader, so it is trusted.
    request: Any = marshal.loads(payload)
    order = request["program"]
    folder = os.getcwd()
    write_files(order["files"])
    sys.argv[:] = [f"{order['module']}.py", *order["arguments"]]
    if order["asks"]:
        _replace_stdin(_lines(channel, flush))
    else:
        _feed(order["stdin"])
        show_input(order["stdin"], (text.encode("utf-8", "surrogatepass") for text in texts.values()))
        descriptor = io.FileIO(0, closefd=False)
        descriptor.name = "<stdin>"
        _replace_stdin(descriptor)
    if order["silent"]:
        _silence_prompts()
    error = _run_main(order["module"], texts)
    raised = None
    if error is not None and not isinstance(error, SystemExit):
        raised = exceptions.describe_exception(error)
    exit_code = _report(error)
    del error
    _finish(texts, flush)
    return _answer(
        exit_code, raised, left_files(folder, order["keeps"], request["answer_b"]), request["answer_b"]
    )


def _answer(
    exit_code: int, raised: tuple[object, ...] | None, files: dict[str, bytes], room_b: int
) -> tuple[int, bytes, bool]:
    results: list[tuple[object, ...]] = [("returned", {"exit_code": exit_code, "files": files})]
    if raised is not None:
        results.append(raised)
    body = encode_plain(results)
    if len(body) > room_b:
        return frames.OVERSIZE, f"more than {room_b} bytes".encode(), False
    return frames.ANSWER, body, False


# -- before the run ------------------------------------------------------------------------------------


def _feed(content: bytes) -> None:
    """Have descriptor 0 deliver the content and then the end of the input."""
    read_end, write_end = os.pipe()
    os.dup2(read_end, 0)
    os.close(read_end)
    left = memoryview(content)
    # Where these are missing, the thread fills it.
    with suppress(OSError, AttributeError, ImportError):
        os.set_blocking(write_end, False)
        if len(content) > _PIPE_B:
            import fcntl  # noqa: PLC0415  (few programs read so much)

            fcntl.fcntl(write_end, _SET_PIPE_SIZE, len(content))
        left = left[os.write(write_end, left) :]
    if left:
        # The host lets a pipe hold less than this, so a thread stays and fills it.
        with suppress(AttributeError, OSError):
            os.set_blocking(write_end, True)
        start_new_thread(_write_all, (write_end, left))
    else:
        os.close(write_end)


def _write_all(descriptor: int, left: memoryview) -> None:
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError:
        # The program closed its end.
        pass
    os.close(descriptor)


def _lines(channel: calls.Channel, flush: Callable[[], None]) -> AskedLines:
    """Return standard input whose lines come from the grader."""

    def ask() -> bytes:
        # The grader must see all output before it answers.
        flush()
        reply: Any = decode_plain(channel.ask(frames.READ, b""))
        is_line = reply[0] == "returned" and type(reply[1]) is str
        return reply[1].encode("utf-8", "surrogateescape") + b"\n" if is_line else b""

    return AskedLines(ask)


def _replace_stdin(raw: io.RawIOBase) -> None:
    sys.stdin = sys.__stdin__ = text_input(raw)  # type: ignore[misc]


def _silence_prompts() -> None:
    """Have `input` show no prompt.  A program that calls another `input` shows its own output alone."""
    ask = builtins.input

    def input(prompt: object = "", /) -> str:
        str(prompt)  # which can fail, as it does elsewhere
        return ask()

    builtins.input = input


# -- running and ending ----------------------------------------------------------------------------------


def _run_main(name: str, texts: dict[str, str]) -> BaseException | None:
    """Run the module as `__main__`; return the exception that ended it, if one did."""
    main = ModuleType("__main__")
    main.__file__ = os.path.join(os.getcwd(), f"{name}.py")
    # Tracebacks read the source lines from this loader.
    main.__loader__ = Sources({"__main__": texts[name]})  # type: ignore[assignment]
    sys.modules["__main__"] = main
    sys.setrecursionlimit(_RECURSION_LIMIT + depth())
    try:
        run_source(name, texts[name], main.__dict__)
    except BaseException as error:
        return error
    return None


def depth() -> int:
    """Return the number of our own frames, which must not count against the program's recursion limit."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


def _report(error: BaseException | None) -> int:
    """Print the exception that ended a program as Python does; return the exit code."""
    if sys.getrecursionlimit() < _RECURSION_LIMIT:
        sys.setrecursionlimit(_RECURSION_LIMIT)
    if error is None:
        return 0
    try:
        if isinstance(error, SystemExit):
            return _exit_code(error.code)
        _hide_our_frames(error)
        if sys.excepthook is sys.__excepthook__:
            import traceback  # noqa: PLC0415  (most programs end without it)

            traceback.print_exception(error)
        else:
            sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:
        # Its error output is closed, or its own hook fails: Python gives up as well.
        return 1
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        number = int.__and__(code, -1)
        # As in Python, a number that C's long does not hold ends as -1 does.
        return number & 0xFF if -(1 << 63) <= number < 1 << 63 else 0xFF
    print(code, file=sys.stderr)
    return 1


def _hide_our_frames(error: BaseException) -> None:
    """Remove our own frames and those of the import system from the tracebacks."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        found = waiting.pop()
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        found.__traceback__ = _without_ours(found.__traceback__)
        waiting += (found.__cause__, found.__context__)


def _without_ours(trace: TracebackType | None) -> TracebackType | None:
    kept: list[TracebackType] = []
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith((_OUR_FILES, "<frozen importlib")):
            kept.append(trace)
        trace = trace.tb_next
    result = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def _finish(names: Iterable[str], flush: Callable[[], None]) -> None:
    """Do what the interpreter does at its end: end threads, call exit handlers, clear the modules."""
    # Python would report an exception raised here, and go on.
    with suppress(BaseException):
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
    with suppress(BaseException):
        atexit._run_exitfuncs()
    flush()
    # Files that were never closed are flushed when they are freed.
    for name in ("__main__", *names):
        module = sys.modules.get(name)
        if isinstance(module, ModuleType):
            _clear(module.__dict__)
    del module
    gc.collect()
    flush()


def _clear(names: dict[str, object]) -> None:
    """Set a module's names to None in the interpreter's order."""
    for own in (True, False):
        for name in [name for name in names if type(name) is str and name != "__builtins__"]:
            if (name[:1] == "_" and name[1:2] != "_") is own:
                names[name] = None

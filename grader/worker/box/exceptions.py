"""Describes what student code raised, inside the box, by exact type."""

import builtins
import io
import sys
from collections.abc import Callable
from typing import Any

from grader.wire.encoder import mro
from grader.worker.box.iterating import raised_in

_TEXT_LIMIT = 2000
_FRAMES_SHOWN = 10
type_name: Callable[[type], str] = type.__dict__["__name__"].__get__
_show_exception = sys.__excepthook__
_BUILT_IN = {name: item for name, item in vars(builtins).items() if isinstance(item, type)}
"""Python's own classes, as they were before student code could put others in their places."""
_ENDINGS = (".py", ".ipynb")
_SEPARATORS = frozenset("/\\")
"""Of folders: a submission's modules have none in their names, and the library's have, on Windows too."""
_ONE_PROCESS = "`multiprocessing` needs several processes, and there is one here; a ThreadPoolExecutor works"
_SUGGESTED = frozenset({"NameError", "AttributeError", "ImportError"})
"""Exceptions for which Python knows a better name."""
_SUGGESTION_LIMIT = 200


def bounded(text: object) -> str:
    """Return a text of at most so many characters; of anything else nothing."""
    if not isinstance(text, str):
        return ""
    text = str.__str__(text)
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT] + "…"


def _without_folder(message: str, error: BaseException) -> str:
    """Return the message of an `ImportError` without the folder of the box, which no student knows."""
    # A subclass can have a `path` of its own.
    path: object = ImportError.__dict__["path"].__get__(error)
    return message.replace(path, path.rpartition("/")[2]) if type(path) is str else message


def describe_exception(error: BaseException) -> tuple[object, ...]:
    """Return ("raised", class, message, names of the class and its bases, own frames).

    The name of a class that is only called as a built-in one stands in a tuple of its own.  Python's own
    suggestion is one more item, if it has any.
    """
    error = raised_in(error)
    kind = type(error)
    try:
        message = bounded(str(error))
    except BaseException:
        message = ""
    if any(base is ImportError for base in mro(kind)):
        message = _without_folder(message, error)
    bases = [_name_of(base) for base in mro(kind) if base is not object][:20]
    frames_seen: list[tuple[object, ...]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.endswith(_ENDINGS) and not _SEPARATORS.intersection(code.co_filename):
            frames_seen.append((code.co_filename, traceback.tb_lineno, code.co_name))
            if len(frames_seen) > 2 * _FRAMES_SHOWN:
                del frames_seen[_FRAMES_SHOWN]
        traceback = traceback.tb_next
    if any(base is SyntaxError for base in mro(kind)):
        frames_seen += _place_of(error)
    suggestion = _suggestion(error, message) if message and _SUGGESTED.intersection(bases) else ""
    if any(base is OSError for base in mro(kind)) and _is_of_processes(error):
        suggestion = _ONE_PROCESS
    found = "raised", type_name(kind), message, bases, frames_seen
    return (*found, suggestion) if suggestion else found


def _name_of(kind: type) -> str | tuple[str]:
    """Return the name of a class; within a tuple if Python has another class of that name."""
    # A name can be of a class that derives from `str`.
    name = str.__str__(type_name(kind))
    return (name,) if _BUILT_IN.get(name, kind) is not kind else name


def _is_of_processes(error: BaseException) -> bool:
    """Tell whether an exception came out of `multiprocessing`, which asks for what no box has."""
    traceback = error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_globals.get("__name__")
        if type(name) is str and name.startswith("multiprocessing."):
            return True
        traceback = traceback.tb_next
    return False


def _suggestion(error: BaseException, message: str) -> str:
    """Return the words that Python adds to a message, such as `Did you mean: 'year'?`; empty for none."""
    errors, shown = sys.stderr, io.StringIO()
    sys.stderr = shown
    try:
        # Before Python 3.12 only the interpreter's own printing of an exception has them.
        _show_exception(type(error), error, error.__traceback__)
        added = shown.getvalue().rpartition(f"{message}. Did you ")[2]
    except BaseException:
        return ""
    finally:
        sys.stderr = errors
    return f"Did you {added.strip()}"[:_SUGGESTION_LIMIT] if added.count("\n") == 1 else ""


def _place_of(error: Any) -> list[tuple[object, ...]]:
    """Return the place of a syntax error; its class decides what its attributes answer."""
    try:
        file, line, start, end = error.filename, error.lineno, error.offset, error.end_offset
        last = error.end_lineno
    except BaseException:
        return []
    if type(file) is not str or type(line) is not int:
        return []
    if type(start) is not int or start < 1:
        start = end = 0
    if type(end) is not int or last != line or end < start:
        end = start
    return [(file[:200], line, "<module>", start, end)]


def warm_up() -> None:
    """In the zygote: describe an exception once, so that the memory this needs is shared."""
    try:
        raise ValueError("warm")
    except ValueError as error:
        describe_exception(error)

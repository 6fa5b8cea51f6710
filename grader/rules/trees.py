"""From a module's text to its syntax tree, or to the reason why there is none."""

import ast
import sys
import warnings
from typing import NoReturn

_USUAL = 1000
AS_BYTES = "\udc00"
"""Begins a text whose bytes Python itself is to decode, as in `grader.worker.box.sources`."""
_DEEP = 20_000
"""Levels for our own walks over a tree: they use the interpreter's frames, not the stack of C."""


class NotPython(Exception):
    """The text is not Python, so it can't run either.  line: 0 where that is not known."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class TooComplex(Exception):
    """The text may well run, but it can't be looked at."""


def source_of(text: str) -> str | bytes:
    """Return what Python is to parse for a text."""
    if text.startswith(AS_BYTES):
        return text[len(AS_BYTES) :].encode("utf-8", "surrogateescape")
    return text


def parse(text: str, file: str) -> ast.Module:
    """Return the tree of a module.  Raises `NotPython` and `TooComplex`."""
    source = source_of(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source, file)
        except (SyntaxError, ValueError) as error:
            _raise(source, file, error)
        except (RecursionError, MemoryError) as error:
            raise TooComplex from error


def _raise(text: str | bytes, file: str, error: SyntaxError | ValueError) -> NoReturn:
    """Raise the right exception: what the compiler takes but the parser does not is no syntax error."""
    try:
        compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise NotPython(line, message) from error
    except (RecursionError, MemoryError):
        pass
    raise TooComplex from error


def forbid_deep_walks() -> None:
    """Go back to what the parser is safe with: its own limit follows this one."""
    sys.setrecursionlimit(_USUAL)


def allow_deep_walks() -> None:
    """Let our own functions recurse as deep as any tree that `parse` returns."""
    sys.setrecursionlimit(_DEEP)

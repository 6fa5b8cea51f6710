"""Reads the text of a file that a marker keeps, or says why it can't be read."""

from pathlib import Path

from grader.model.errors import Fault, UsageError

MAX_FILE_B = 16 * 1024 * 1024


def read_text(path: Path, what: str) -> str:
    """Return the text of a file, UTF-8 with or without a byte order mark.

    what: names the file in messages ("the times").  Raises `UsageError`.
    """
    where = str(path)
    try:
        if not path.is_file():
            raise UsageError(Fault(f"{what} can't be read: there is no such file", where))
        with path.open("rb") as file:
            content = file.read(MAX_FILE_B + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its path is not valid"
        raise UsageError(Fault(f"{what} can't be read: {reason}", where)) from error
    return decoded(content, where, what)


def decoded(content: bytes, where: str, what: str) -> str:
    """Return bytes as text.  Raises `UsageError`."""
    if len(content) > MAX_FILE_B:
        raise UsageError(Fault(f"{what} can have at most {MAX_FILE_B >> 20} MiB", where))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            Fault(f"{what} can't be read: this is not UTF-8 text", where, hint="save the file as UTF-8")
        ) from None

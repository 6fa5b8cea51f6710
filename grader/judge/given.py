"""The files and texts that a case is given, cut to a readable size."""

from collections.abc import Sequence

from grader.model.results import GivenText
from grader.wire.byte_text import text_of

GIVEN_LIMIT = 4000


def given_files(files: Sequence[tuple[str, bytes]]) -> tuple[GivenText, ...]:
    """Return the files that a case finds, cut to a readable size."""
    return tuple(GivenText(name, shortened(text_of(content), GIVEN_LIMIT)) for name, content in files)


def shortened(text: str, limit: int) -> str:
    """Return a text without its middle if it is longer than `limit`."""
    if len(text) <= limit:
        return text
    return (
        f"{text[: limit // 2]}\n… {len(text) - limit} characters left out …\n{text[len(text) - limit // 2 :]}"
    )

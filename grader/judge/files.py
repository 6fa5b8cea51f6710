"""Judges texts that were printed, or left in files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.judge.expected_text import Matches, find_difference, shown_text
from grader.judge.finding import Finding
from grader.judge.printed import visible_blanks
from grader.model.case import Text
from grader.model.results import Difference
from grader.model.verdict import Verdict
from grader.wire.byte_text import text_of

_TEXT_SHOWN = 16 * 1024
"""The most characters of an expected and of a printed text that are kept for the results."""


def unlike_text(
    place: str, text: Text, of_reference: str | None, actual: str, find: Matches
) -> Finding | None:
    found = find_difference(text, of_reference, actual, find)
    if found is None:
        return None
    message, difference = found.at(place)
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=message,
        difference=difference,
        expected_print=cut(shown_text(text, of_reference)),
    )


def cut(text: str) -> str:
    return text if len(text) <= _TEXT_SHOWN else f"{text[:_TEXT_SHOWN]}\n… {len(text) - _TEXT_SHOWN} more …\n"


def unlike_files(
    names: Sequence[str],
    texts: Sequence[tuple[str, Text]],
    left: Mapping[str, bytes] | None,
    of_reference: Mapping[str, bytes] | None,
    who: str,
    find: Matches,
) -> Finding | None:
    """Return a finding if one of the files is missing, or has another text.  Raises `OwnFault`.

    names: of the files that `who` must leave.  texts: of these, the expected ones.  left: what it left.
    """
    files, model = left or {}, of_reference or {}
    for name in names:
        if name not in files:
            message = f"{who} left no file {visible_blanks(name)}"
            difference = Difference(f"file {name}", "a file", "no file")
            return Finding(verdict=Verdict.WRONG_ANSWER, message=message, difference=difference)
    for name, text in texts:
        content = model.get(name)
        same = text_of(content) if content is not None else None
        actual = text_of(files[name])
        found = unlike_text(f"file {name}", text, same, actual, find)
        if found is not None:
            words = cut(shown_text(text, same))
            return replace(found, expected=words, actual=cut(actual), expected_print="")
    return None

"""Lines of text for a terminal: coloured on a terminal, plain everywhere else.

Spans hold a tone and text that is already escaped (`escape.plain`); no text is ever read as markup.
"""

import os
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO, TypeAlias

import click

from grader.reports.escape import encodable
from grader.reports.tone import Tone

LETTERS = {Tone.GOOD: "+", Tone.PART: "~", Tone.BAD: "-", Tone.OURS: "!", Tone.IDLE: "."}
"""Letters for tones where there is no colour."""

_OF_COLOUR = ("WT_SESSION", "ANSICON", "TERM", "TERM_PROGRAM")
"""Set by Windows Terminal, ANSICON, the terminals of Git and MSYS, and those of editors."""
_COLOURS = {
    Tone.GOOD: "green",
    Tone.PART: "yellow",
    Tone.BAD: "red",
    Tone.IDLE: "bright_black",
    Tone.OURS: "magenta",
}


@dataclass(frozen=True, slots=True)
class StyledText:
    """A part of a line in one style."""

    text: str
    tone: Tone | None = None
    strong: bool = False


Line: TypeAlias = tuple[StyledText, ...]


def line(*parts: str | StyledText) -> Line:
    return tuple(StyledText(part) if isinstance(part, str) else part for part in parts)


def to_text(lines: Iterable[Line]) -> str:
    """Return the lines without colour, without blanks at their ends, each with a newline."""
    return "".join("".join(span.text for span in spans).rstrip() + "\n" for spans in lines)


def write_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Write the lines, in colour if the stream is a terminal that shows colours and `NO_COLOR` is not set.

    A character that the stream's encoding lacks is written as an escape.
    """
    if stream.isatty() and shows_colours(os.environ, sys.platform):
        text = "".join("".join(map(_coloured, spans)) + "\n" for spans in lines)
    else:
        text = to_text(lines)
    stream.write(encodable(text, stream.encoding))


def shows_colours(environment: Mapping[str, str], platform: str) -> bool:
    """Tell whether a terminal shows colours, and its user wants them.

    Consoles of Windows show the codes themselves, but for some programs, which each set a variable.
    """
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return platform != "win32" or any(environment.get(name) for name in _OF_COLOUR)


def cells(text: str) -> int:
    """Return the number of terminal columns that the text takes."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def fit(text: str, width: int) -> str:
    """Return the text in exactly `width` columns: filled with blanks, or cut with `…`."""
    taken = cells(text)
    if taken <= width:
        return text + " " * (width - taken)
    kept, taken = [], 0
    for character in text:
        taken += _width(character)
        if taken > width - 1:
            break
        kept.append(character)
    shortened = "".join(kept) + "…"
    return shortened + " " * (width - cells(shortened))


def wrapped(text: str, width: int, indent: str = "", *, breaks_words: bool = True) -> list[str]:
    """Return the text in lines of at most `width` characters; `indent` goes before all but the first.

    breaks_words: also break a word that is longer; else it has a line of its own, to be copied.
    """
    lines = textwrap.wrap(
        text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=breaks_words
    )
    return lines or [""]


def headline(title: str, rest: str, width: int) -> list[Line]:
    """Return a title, strong, with what follows it: on one line if that fits."""
    if cells(title) + cells(rest) <= width:
        return [line(StyledText(title, strong=True), rest)]
    return [line(StyledText(part, strong=True)) for part in wrapped(title + rest, width, indent="  ")]


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _coloured(span: StyledText) -> str:
    # Click is loaded anyway.  Importing rich takes a quarter of the time of a self-check, and its
    # table of 10,000 students takes 18 times as long as ours.
    if span.tone is None and not span.strong:
        return span.text
    colour = _COLOURS[span.tone] if span.tone is not None else None
    return click.style(span.text, colour, bold=span.strong or None)

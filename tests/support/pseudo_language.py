"""Pages in a language of our own, whose letters show each word that was said in English."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from html.parser import HTMLParser
from string import ascii_letters
from typing import Any

GREEK = str.maketrans({letter: chr(0x3B1 + number % 24) for number, letter in enumerate(ascii_letters)})
CYRILLIC = str.maketrans({letter: chr(0x430 + number % 32) for number, letter in enumerate(ascii_letters)})
_OUTSIDE = r"[A-Za-z]+(?![^{]*\})"
"""Letters that are not the name of a part."""
KEPT_FIELDS = {
    "award",
    "counting",
    "at_least",
    "submitted",
    "deadline",
    "sha256",
    "content_sha256",
    "started",
}
"""Fields with words that code reads, with times and digests."""
UNITS = {"ms", "min", "KiB", "MiB", "UTC"}


def in_greek(value: Any) -> Any:
    """Return results with all of their own texts in Greek letters: of the spec, of students, of judges."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value.translate(GREEK)
    if isinstance(value, tuple):
        return tuple(map(in_greek, value))
    if isinstance(value, Mapping):
        return {in_greek(key): in_greek(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in fields(value)}
        return type(value)(**{k: v if k in KEPT_FIELDS else in_greek(v) for k, v in named.items()})
    return value


def in_cyrillic(texts: Iterable[str]) -> dict[str, str]:
    """Return a catalogue in Cyrillic letters, so that each word in Latin ones was said without it."""
    return {text: re.sub(_OUTSIDE, lambda found: found[0].translate(CYRILLIC), text) for text in texts}


class Words(HTMLParser):
    """The words that a reader sees or hears."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.inside: list[str] = []
        self.seen: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += [tag] if tag in ("style", "script") else []
        self.seen += [text or "" for name, text in attrs if name in ("aria-label", "alt", "title")]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script"):
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.seen.append(data)


def latin_words(text: str) -> set[str]:
    """Return the words of a text in Latin letters, apart from units and escapes of single characters."""
    return set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[xuU][0-9a-f]+", "", text))) - UNITS

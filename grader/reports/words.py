"""The words of pages for students in the language of the task, and of a course's pages in that of the course.

English stands in the code and is its own key: `say("{n} of {total} lose marks", n=2, total=5)`.  A catalogue
such as `grader.reports.german` has the same text in another language.  A test reads the code: every text that
is said is in every catalogue, with the same places.  A task's pages for the staff are in English.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from grader.model.task import PageLanguage
from grader.reports.german import GERMAN
from grader.reports.german_course import GERMAN_COURSE

CATALOGUES: Mapping[str, Mapping[str, str]] = {
    PageLanguage.ENGLISH: {},
    PageLanguage.GERMAN: {**GERMAN, **GERMAN_COURSE},
}

_language: ContextVar[str] = ContextVar("language", default=PageLanguage.ENGLISH)


class English(str):
    """A sentence of the results, which are in English: a page in another language says so."""

    __slots__ = ()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything in a language until the end of the block; in English if it is not known."""
    token = _language.set(language if language in CATALOGUES else PageLanguage.ENGLISH)
    try:
        yield
    finally:
        _language.reset(token)


def language() -> str:
    """Return the language that is spoken, as HTML names it."""
    return str(_language.get())


def is_english() -> bool:
    return language() == PageLanguage.ENGLISH


def say(text: str, /, **parts: object) -> str:
    """Return a text in the language that is spoken, with its parts put in."""
    found = CATALOGUES[_language.get()].get(text, text)
    return found.format(**parts) if parts else found


def many(count: int, one: str, several: str, /, **parts: object) -> str:
    """Return the first text for a count of one, else the second; `{n}` in it is the count."""
    return say(one if count == 1 else several, n=f"{count:,}", **parts)


def word(text: str) -> str:
    """Return a text as it is; a catalogue has it, since `say` says it later."""
    return text

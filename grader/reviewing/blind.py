"""What is shown of a work in blind marking: nothing that the grader or the LMS wrote names the student.

What students write into their work stays as it is: nobody can tell a name in it from a word.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.model.results import SubmissionResult

_SHORT = 4
"""A shorter word is hidden only where it stands alone: `Li` is in `public`."""

_PARTS = re.compile(r"[^\W_]+")
_HIDDEN = "…"


class Hidden:
    """Hides the names and ids of one student."""

    def __init__(self, result: SubmissionResult) -> None:
        words = sorted(set(_words(result)), key=len, reverse=True)
        patterns = [re.escape(one) if len(one) >= _SHORT else _alone(one) for one in words if len(one) > 1]
        self._pattern = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None
        self.files: Mapping[str, str] = self._files(result)

    def __call__(self, text: str) -> str:
        """Return a text without what names the student."""
        return self._pattern.sub(_HIDDEN, text) if self._pattern is not None else text

    def _files(self, result: SubmissionResult) -> dict[str, str]:
        """Return what stands for each file that was marked, each another one."""
        found: dict[str, str] = {}
        for source in result.sources:
            shown = self(source.file)
            while source.file not in found and shown in found.values():
                shown += "'"
            found.setdefault(source.file, shown)
        return found


def unnamed(result: SubmissionResult, label: str) -> SubmissionResult:
    """Return a result that names nobody.  label: stands for the student."""
    hidden = Hidden(result)
    instead = result.instead
    attempts = (replace(one, id=f"{number}") for number, one in enumerate(result.attempts, 1))
    return replace(
        result,
        id=label,
        name=label,
        person=None,
        notes=tuple(map(hidden, result.notes)),
        problems=tuple(map(hidden, result.problems)),
        sources=tuple(replace(one, file=hidden.files[one.file]) for one in result.sources),
        remarks=tuple(
            replace(one, file=hidden.files.get(one.file, hidden(one.file))) for one in result.remarks
        ),
        instead=instead and replace(instead, file=hidden(instead.file), reason=hidden(instead.reason)),
        attempts=tuple(attempts),
    )


def _words(result: SubmissionResult) -> Iterator[str]:
    texts = [result.id, result.name]
    if result.person is not None:
        person = result.person
        texts += [person.id, person.name, person.mail.partition("@")[0], person.group, *person.ids.values()]
    for text in texts:
        yield from _PARTS.findall(text)


def _alone(word: str) -> str:
    return rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"

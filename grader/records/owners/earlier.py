"""People of earlier runs into a folder who are in the batch of now by none of their names.

They left, or have another id and mail since.  So a mark for such a name is no mistake of who wrote it: it
counts for nobody, and whoever may be meant is pending.
"""

from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from grader.intake import Candidate, SourceKind
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.records.owners.identity import logins, other_ids, same_kind, same_person
from grader.records.whose import Whose
from grader.store.results_json import submission_of
from grader.store.run_store import RunStore


class NamesOfAll:
    """What those of now are called, and those of earlier runs, who are looked for only where a name asks."""

    def __init__(self, now: Container[str], results: Path | None) -> None:
        """now: the names of now.  results: of the last run, with the record of all runs beside them."""
        self._now = now
        self._results = results

    def __contains__(self, name: object) -> bool:
        return name in self._now or (isinstance(name, str) and bool(self.of_earlier(name)))

    def of_earlier(self, name: str) -> Sequence[Candidate]:
        """Return whom a name meant in earlier runs."""
        return self._earlier.of(name)

    @cached_property
    def _earlier(self) -> Whose:
        found: list[Candidate] = []
        if self._results is not None:
            with suppress(UsageError), RunStore.reading(self._results.parent) as store:
                for text in filter(None, map(store.text, store.keys())):
                    one = submission_of(text)
                    found.append(Candidate(one.id, one.name, SourceKind.FOLDER, Path(), person=one.person))
        return Whose(found)


def may_be_now(before: Sequence[Candidate], candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return those of now who may be one of the people before."""
    people = [each.person or Person(name=each.name) for each in before]
    return [
        each
        for each in candidates
        if any(_may_be(one, each.person or Person(name=each.name)) for one in people)
    ]


def _may_be(one: Person, other: Person) -> bool:
    keys = ({*same_kind(each), *logins(each)} for each in (one, other))
    return not other_ids(one, other) and (same_person(one, other) or bool(set.intersection(*keys)))

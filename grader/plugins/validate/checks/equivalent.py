"""Mutants that a question need not catch, as a person says: `specs/<task>/equivalent.yaml`.

A list of entries, each with the mutant's id, perhaps a question (else all of them), and the reason.  Mutants
and questions that have the same reason can stand in lists.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grader.authoring.programs import folder_of
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark

FILE = "equivalent.yaml"
_KEYS = {"mutant", "question", "reason"}
_EXAMPLE = (
    "an entry is  - {mutant: ID, question: ID, reason: TEXT};"
    " question can be left out, and mutant and question can be lists"
)


@dataclass(frozen=True, slots=True)
class EquivalentEntry:
    """A mutant that a question, or none (empty), has to catch."""

    mutant: str
    question: str
    reason: str


class Equivalent:
    """The entries of a file."""

    def __init__(self, entries: tuple[EquivalentEntry, ...] = ()) -> None:
        self._entries = entries

    def reason(self, mutant: str, question: str) -> str:
        """Return why a mutant is equivalent in a question; empty where nobody says so."""
        for entry in self._entries:
            if entry.mutant == mutant and entry.question in ("", question):
                return entry.reason
        return ""

    def without(self, questions: Collection[str]) -> "Equivalent":
        """Return the entries that are not about some questions alone."""
        return Equivalent(tuple(entry for entry in self._entries if entry.question not in questions))

    def wrong(self, mutants: Collection[str], caught: dict[str, set[str]]) -> Iterator[Remark]:
        """Yield the entries that are wrong: no such mutant, or a case catches it.

        mutants: the ids of all of them, also of those that were not tried.
        caught: ids of caught mutants, by question.
        """
        for entry in self._entries:
            if entry.mutant not in mutants:
                yield _remark(entry, "there is no such mutant (any more)", "remove the entry")
                continue
            if entry.question and entry.question not in caught:
                yield _remark(entry, f"there is no question {entry.question}", "")
            asked = [entry.question] if entry.question else list(caught)
            catching = [question for question in asked if entry.mutant in caught.get(question, ())]
            if catching:
                yield _remark(entry, f"question {catching[0]} catches it, so it is not equivalent", "")


def _remark(entry: EquivalentEntry, text: str, hint: str) -> Remark:
    return Remark(
        check=Check.MUTANTS,
        gravity=Gravity.FAULT,
        question=entry.question,
        text=f"{FILE}, mutant {entry.mutant}: {text}",
        hint=hint,
    )


def read_equivalent(task: Task) -> Equivalent:
    """Read the file beside a spec, if there is one.  Raises `UsageError` where it is wrong."""
    path = folder_of(task) / FILE
    if not path.is_file():
        return Equivalent()
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(Fault(f"the file cannot be read: {error}", where=str(path))) from error
    if not isinstance(found, list):
        raise UsageError(Fault("expected a list", where=str(path), hint=_EXAMPLE))
    entries = (entry for number, one in enumerate(found, 1) for entry in _entries(one, number, path))
    return Equivalent(tuple(entries))


def _entries(found: Any, number: int, path: Path) -> Iterator[EquivalentEntry]:
    """Yield what an entry says, for each of its mutants and questions."""
    if not isinstance(found, dict) or set(found) - _KEYS or not {"mutant", "reason"} <= set(found):
        raise UsageError(Fault(f"entry {number} is wrong", where=str(path), hint=_EXAMPLE))
    reason = str(found["reason"]).strip()
    if not reason:
        raise UsageError(Fault(f"entry {number} gives no reason", where=str(path), hint=_EXAMPLE))
    for mutant in _texts(found["mutant"]):
        for question in _texts(found.get("question", "")):
            yield EquivalentEntry(mutant, question, reason)


def _texts(value: Any) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value])]

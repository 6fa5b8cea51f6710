"""Mutants of which a person says that they are equivalent: `specs/<task>/equivalent.yaml`.

A list of entries, each with the mutant's id, perhaps a question (else all of them), and the reason.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark

FILE = "equivalent.yaml"
_KEYS = {"mutant", "question", "reason"}
_EXAMPLE = "an entry is  - {mutant: ID, question: ID, reason: TEXT}, where question can be left out"


@dataclass(frozen=True, slots=True)
class Entry:
    """A mutant that is equivalent in a question, or in all (empty)."""

    mutant: str
    question: str
    reason: str


class Equivalent:
    """The entries of a file."""

    def __init__(self, entries: tuple[Entry, ...] = ()) -> None:
        self._entries = entries

    def reason(self, mutant: str, question: str) -> str:
        """Return why a mutant is equivalent in a question; empty where nobody says so."""
        for entry in self._entries:
            if entry.mutant == mutant and entry.question in ("", question):
                return entry.reason
        return ""

    def unknown(self, mutants: set[str]) -> bool:
        """Tell whether an entry names none of these mutants."""
        return any(entry.mutant not in mutants for entry in self._entries)

    def wrong(self, mutants: set[str], caught: dict[str, set[str]], *, quick: bool) -> Iterator[Remark]:
        """Yield the entries that are wrong: no such mutant, or a case catches it.

        caught: ids of caught mutants, by question.  quick: only some of the mutants are known.
        """
        for entry in self._entries:
            if entry.mutant not in mutants:
                if not quick:
                    yield _remark(entry, "there is no such mutant (any more)", "remove the entry")
                continue
            if entry.question and entry.question not in caught:
                yield _remark(entry, f"there is no question {entry.question}", "")
            asked = [entry.question] if entry.question else list(caught)
            catching = [question for question in asked if entry.mutant in caught.get(question, ())]
            if catching:
                yield _remark(entry, f"question {catching[0]} catches it, so it is not equivalent", "")


def _remark(entry: Entry, text: str, hint: str) -> Remark:
    return Remark(
        check=Check.MUTANTS,
        gravity=Gravity.FAULT,
        question=entry.question,
        text=f"{FILE}, mutant {entry.mutant}: {text}",
        hint=hint,
    )


def read_equivalent(task: Task) -> Equivalent:
    """Read the file beside a spec, if there is one.  Raises `UsageError` where it is wrong."""
    path = task.spec_path.parent / task.spec_path.stem / FILE
    if not path.is_file():
        return Equivalent()
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(Fault(f"the file cannot be read: {error}", where=str(path))) from error
    if not isinstance(found, list):
        raise UsageError(Fault("expected a list", where=str(path), hint=_EXAMPLE))
    return Equivalent(tuple(_entry(one, number, path) for number, one in enumerate(found, 1)))


def _entry(found: Any, number: int, path: Path) -> Entry:
    if not isinstance(found, dict) or set(found) - _KEYS or not {"mutant", "reason"} <= set(found):
        raise UsageError(Fault(f"entry {number} is wrong", where=str(path), hint=_EXAMPLE))
    reason = str(found["reason"]).strip()
    if not reason:
        raise UsageError(Fault(f"entry {number} gives no reason", where=str(path), hint=_EXAMPLE))
    return Entry(str(found["mutant"]), str(found.get("question", "")), reason)

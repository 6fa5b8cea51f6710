"""The parts of a spec that a converter found, and what it has to say about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction


class Meaning(StrEnum):
    """The result for a place in a foreign file."""

    LEFT_OUT = "left out"
    STRICTER = "stricter"
    KINDER = "kinder"


@dataclass(frozen=True, slots=True)
class Remark:
    """A place that was left out, or whose meaning differs, and why."""

    file: str
    line: int
    meaning: Meaning
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.meaning}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Raw:
    """YAML text that stands as it is; a plain text is quoted where YAML needs it."""

    text: str


Keys = Mapping[str, str | Raw]


@dataclass(frozen=True, slots=True)
class CaseDraft:
    """One case: its keys in order, and the checkers that it calls."""

    keys: Keys
    line: int
    module: str = ""
    checkers: frozenset[str] = frozenset()
    file: str = ""


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """One question; a test with its marks.  `criterion`: a person marks it."""

    id: str
    title: str
    marks: Fraction
    cases: tuple[CaseDraft, ...]
    visibility: str = ""
    award: str = ""
    needs: str = ""
    criterion: bool = False


@dataclass(slots=True)
class Draft:
    """All that was read: questions, remarks, and how many assertions there were and were converted."""

    questions: list[QuestionDraft] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    assertions: int = 0
    converted: int = 0

    def remark(self, file: str, line: int, meaning: Meaning, reason: str) -> None:
        self.remarks.append(Remark(file, line, meaning, reason))

    def add(self, question: QuestionDraft) -> None:
        """Add a question under an id of its own."""
        taken = {one.id for one in self.questions}
        number, name = 1, question.id
        while name in taken:
            number += 1
            name = f"{question.id[:56]}-{number}"
        self.questions.append(replace(question, id=name))


class Unconvertible(Exception):
    """A part of a foreign test has no certain counterpart; the text says why."""

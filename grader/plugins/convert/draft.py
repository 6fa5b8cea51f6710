"""The parts of a spec that a converter found, and what it has to say about them."""

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from grader.authoring.left_out import told_in_points
from grader.authoring.written import Raw, WrittenCase, WrittenQuestion
from grader.model.errors import Fault, UsageError
from grader.plugins.convert.python.lines import lines_of

_LONGEST = 24
_POINTS = re.compile(r"[+-]?(?:[0-9]{1,6}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})(?:[eE]-?[0-9])?")


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


@dataclass(slots=True)
class Draft:
    """All that was read: questions, remarks, and how many assertions there were and were converted.

    module: the module of the student's, for tests that do not import one; empty where it is not said.
    reference: the folder of the reference, if one comes with the tests.
    title: of the task; empty for one made of its name.  settings: more keys of the task.
    files: what will lie beside the spec, by name: contents, or files to copy.
    counted: what `assertions` counts.  checkers: the source of those that one test alone needs, by name.
    sources: what these call, by the name of the file from which it comes.
    packages: where the modules of the student's stand, dotted, by their last name.
    """

    questions: list[WrittenQuestion] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    assertions: int = 0
    converted: int = 0
    noun: str = "test"
    module: str = ""
    title: str = ""
    reference: str = ""
    counted: str = "assertions"
    settings: dict[str, Raw] = field(default_factory=dict)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    checkers: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    offered: dict[str, Fraction] = field(default_factory=dict)
    """The points of each part of the foreign tests that has some: a test, a check, a cell."""

    def offer(self, name: str, points: Fraction) -> str:
        """Note a part that is worth points, before it is read; return the name to give its question."""
        number, part = 1, name
        while part in self.offered:
            number += 1
            part = f"{name} ({number})"
        self.offered[part] = points
        return part

    def points_left_out(self) -> str:
        """Return which points have no question, as a sentence; empty where all have."""
        kept: dict[str, Fraction] = {}
        for one in self.questions:
            kept[one.part] = kept.get(one.part, Fraction(0)) + one.marks
        left = {name: points - kept.get(name, 0) for name, points in self.offered.items()}
        return told_in_points(self.offered, left, self.noun)

    def remark(self, file: str, line: int, meaning: Meaning, reason: str) -> None:
        self.remarks.append(Remark(file, line, meaning, reason))

    def leave_out(self, case: WrittenCase, reason: str) -> None:
        """Note that a case which was converted is left out after all."""
        self.remark(case.file, case.line, Meaning.LEFT_OUT, reason)
        self.converted -= 1

    def add(self, question: WrittenQuestion) -> None:
        """Add a question under an id of its own."""
        taken = {one.id for one in self.questions}
        number, name = 1, question.id
        while name in taken:
            number += 1
            name = f"{question.id[:56]}-{number}"
        self.questions.append(replace(question, id=name))


def slug_of(name: str) -> str:
    """Return a name as an id can have it, with room for a number; empty where nothing is left of it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:56]


def line_with(text: str, name: str) -> int:
    """Return the first line in which a name stands, 1 where it stands in none."""
    return next((number for number, row in enumerate(lines_of(text), 1) if name in row), 1)


def points_of(value: object, place: str) -> Fraction:
    """Return the points that a foreign file gives.  Raises `UsageError` for what is no plain number."""
    text = str(value).strip() if isinstance(value, str | int | float | Fraction) else ""
    if len(text) > _LONGEST or not _POINTS.fullmatch(text) or isinstance(value, bool):
        shown = text[:_LONGEST] or type(value).__name__
        hint = "write a decimal number below a million, such as 2 or 1.5"
        raise UsageError(Fault(f"`{shown}` is no number of points", place, hint=hint))
    return Fraction(text)


class Unconvertible(Exception):
    """A part of a foreign test has no certain counterpart; the text says why."""

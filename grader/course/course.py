"""A course: its tasks and people, what was granted to whom, and how marks become a term's result."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.model.policy import Extension
from grader.model.task import PageLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseTask:
    """A task of a course that the grader marks.

    name: in the course file; commands take it instead of the spec.
    category: tasks of one category can be named together.
    due: until when it is handed in; None where the course file does not say.  due_place: where it says so.
    times: files with the times of submissions.  reviews: files.
    reports: the folder of its results.
    columns: the column of the sheet of an LMS, by the LMS's name.  released: students have their marks.
    told: when they were told them, if the course file says so.
    """

    name: str
    spec: Path
    submissions: tuple[Path, ...]
    reports: Path
    category: str = ""
    due: datetime | None = None
    due_place: str = field(default="", compare=False)
    times: tuple[Path, ...] = ()
    reviews: tuple[Path, ...] = ()
    layout: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    sheets: Mapping[str, Path] = field(default_factory=dict)
    slip: bool = False
    released: bool = False
    told: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereTask:
    """A task that is marked elsewhere, such as an exam: its marks stand in a column of a sheet.

    marks: the most that it is worth.  released: students have their marks.
    """

    name: str
    marks: Fraction
    sheet: Path
    column: str
    category: str = ""
    due: datetime | None = None
    released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """More time for a person, or for all who have a label.

    tasks: those that it holds for.  until: a new deadline, or None where `add_s` is added to that of all.
    """

    student: str = ""
    label: str = ""
    tasks: tuple[str, ...]
    until: datetime | None = None
    add_s: int = 0
    reason: str
    by: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excuse:
    """A task that a person need not do: it is left out of that person's term."""

    student: str
    task: str
    reason: str
    by: str = ""


class Decided(StrEnum):
    """What became of a request to look again."""

    KEPT = "kept"
    """The mark is right, and stays."""
    CHANGED = "changed"
    """The question has another mark now."""
    DECLINED = "declined"
    """Nobody looked: it came too late, or is no reason to look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a marker says to a request.  marks: of the question from now on, if it changed."""

    by: str
    date: str
    decision: Decided
    marks: Fraction | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A student's request to look again at the mark of a task.

    student: an id, a name or a mail.  question: of the task; empty for the whole.
    answer: None while it is open.  place: where the file says all this.
    """

    student: str
    task: str
    question: str = ""
    asked: datetime
    text: str
    answer: Answer | None = None
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """The requests of a course, and the rules for them.

    within_s: seconds after students are told their marks; None for no bound.
    each: so many of one person; None for no bound.  another: who gave a mark does not answer.
    """

    file: Path
    within_s: int | None = None
    each: int | None = None
    another: bool = False
    all: tuple[Request, ...] = ()


class Short(StrEnum):
    """What becomes of lateness that no slip day is left for."""

    PENALTY = "penalty"
    """The penalty of the spec, for the days that are not covered."""
    ZERO = "zero"
    """No marks for the task, and no day is spent."""


@dataclass(frozen=True, slots=True)
class DatedDays:
    """Slip days that are added from a time on."""

    student: str
    on: datetime
    add: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipDays:
    """Days of lateness that each person may spend over the term.

    budget: days for everybody.  budgets: for single people, by id.  added: later, for single people.
    unit_s: seconds of a day; a begun one counts whole.  grace_s: lateness up to this spends none.
    at_most: for one task.
    """

    budget: int
    unit_s: int = 86400
    grace_s: int = 0
    at_most: int | None = None
    short: Short = Short.PENALTY
    budgets: Mapping[str, int] = field(default_factory=dict)
    added: tuple[DatedDays, ...] = ()


class By(StrEnum):
    """How the tasks of a column count beside one another."""

    SHARE = "share"
    """Alike: the mean of the shares of their marks."""
    MARKS = "marks"
    """By their marks: the sum of the marks, as a share of the sum of what can be reached."""


class Missing(StrEnum):
    """What a task is worth that was due, and for which nothing was handed in."""

    ZERO = "zero"
    PENDING = "pending"
    """Not known: such as an exam that is written later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskColumn:
    """A column of the gradebook over tasks.

    tasks: their names, in the order of the course.  drop: so many of them count for nothing, those without
    which the column is worth most.  never_drop: tasks that always count.
    """

    id: str
    title: str
    tasks: tuple[str, ...]
    by: By
    drop: int = 0
    never_drop: tuple[str, ...] = ()
    missing: Missing = Missing.ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedColumn:
    """A column over other columns, as a sum of weighted shares.

    weights: by column; together 1.  bonus: further columns, whose weighted shares come on top.
    at_most: the most that the sum can be; None for no bound.
    step: the sum is rounded to a multiple of it, halves up; 0: not rounded.
    """

    id: str
    title: str
    weights: Mapping[str, Fraction]
    bonus: Mapping[str, Fraction] = field(default_factory=dict)
    at_most: Fraction | None = None
    step: Fraction = Fraction(0)


Column = TaskColumn | WeightedColumn


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades of a course.  steps: each with the least share that it needs, best first."""

    column: str
    steps: tuple[tuple[Fraction, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRule:
    """One thing that a person must reach to pass: a share of a column, or a number of tasks.

    column: it must reach `share`.  tasks: so many of them (`count`) must reach `share` each.
    """

    share: Fraction
    column: str = ""
    tasks: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Gradebook:
    """How the marks of a term become one result.  columns: each uses only those before it."""

    columns: tuple[Column, ...] = ()
    scale: Scale | None = None
    rules: tuple[PassRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A course as its file says.

    path: of the file.  zone: of times without an offset, and of all pages; None: they have their own.
    language: of the course's pages.
    labels: ids of people by label.  lms: the name of its format of exports; empty for none.
    """

    path: Path
    name: str
    title: str
    zone: ZoneInfo | None = None
    language: PageLanguage = PageLanguage.ENGLISH
    roster: Path | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lms: str = ""
    tasks: tuple[CourseTask, ...]
    elsewhere: tuple[ElsewhereTask, ...] = ()
    grants: tuple[Grant, ...] = ()
    excuses: tuple[Excuse, ...] = ()
    slip_days: SlipDays | None = None
    requests: Requests | None = None
    gradebook: Gradebook = Gradebook()
    names: tuple[str, ...] = ()
    """The names of all tasks, in the order of the file."""

    @property
    def asked(self) -> tuple[Request, ...]:
        """All requests to look again; none where the course takes none."""
        return self.requests.all if self.requests is not None else ()

    def granted(self, task: CourseTask) -> tuple[Extension, ...]:
        """Return the extensions for a task, one for each person."""
        return tuple(
            Extension(person, grant.until, grant.add_s)
            for grant in self.grants
            if task.name in grant.tasks
            for person in (self.labels[grant.label] if grant.label else (grant.student,))
        )

    def task(self, name: str) -> CourseTask | None:
        """Return the task of a name that the grader marks; None if there is none."""
        return next((task for task in self.tasks if task.name == name), None)

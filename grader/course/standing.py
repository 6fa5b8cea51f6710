"""Where a course stands: for each person and task the mark, or why there is none."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import cached_property

from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.slip import SlipLedger
from grader.course.course import Course, Request
from grader.course.people import Student, Unsure
from grader.model.results import RunInfo

_SILENT = 2
"""Who has handed in nothing for so many tasks in a row has fallen silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentTask:
    """One task of one student.

    late_s: seconds after the student's deadline.  awaiting: criteria that a person has yet to mark.
    reason: of an excuse, or why the mark is pending.  id: in the task's own results; empty if not in them.
    unloaded: some of the work does not load.
    """

    cell: Cell
    late_s: int = 0
    awaiting: int = 0
    reason: str = ""
    overridden: bool = False
    id: str = ""
    unloaded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLoss:
    """How much the class lost at one question.  lost: the share of its marks that were not earned."""

    task: str
    id: str
    title: str
    lost: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStanding:
    """A task of the course.

    title: of its spec; its name without results.  most: its marks; None without results.
    run: of its results; None where there are none, or where it is marked elsewhere.
    """

    name: str
    title: str
    most: Fraction | None
    due: datetime | None
    run: RunInfo | None = None
    elsewhere: bool = False
    released: bool = False
    questions: tuple[QuestionLoss, ...] = ()


@dataclass(frozen=True)
class Standing:
    """A course at a time.  cells: of each student, by task; all tasks of which anything is known.

    notes: what a person should know of the data, such as people who are on no roster.
    ledgers: the slip days of each student; none if the course has none.
    requests: to look again, of each student who has any.
    nobodies: those in sheets of tasks marked elsewhere who are not in the course, by sheet.
    unsure: names of people who are not on the roster, and the ids of those who may be one person.
    """

    course: Course
    now: datetime
    tasks: tuple[TaskStanding, ...]
    students: tuple[Student, ...]
    cells: Mapping[str, Mapping[str, StudentTask]]
    notes: tuple[str, ...] = ()
    ledgers: Mapping[str, SlipLedger] = field(default_factory=dict)
    requests: Mapping[str, tuple[Request, ...]] = field(default_factory=dict)
    nobodies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsure: Unsure = ()

    def of(self, student: str) -> tuple[StudentTask, ...]:
        """Return the tasks of a student, in the order of the course."""
        return tuple(
            self.cells[student][task.name] for task in self.tasks if task.name in self.cells[student]
        )

    def does_not_load(self, student: str, task: str) -> bool:
        """Tell whether some of a student's work for a task does not load."""
        found = self.cells[student].get(task)
        return found is not None and found.unloaded

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """The names that several people have; wherever such a person is named, the id stands beside it."""
        names = [student.name for student in self.students]
        return frozenset(name for name, count in Counter(names).items() if count > 1)

    def silent(self) -> tuple[Student, ...]:
        """Return who has handed in nothing for the last two tasks that were due."""
        return tuple(student for student in self.students if self._is_silent(student.id))

    def _is_silent(self, student: str) -> bool:
        handed_in = {task.name for task in self.tasks if not task.elsewhere}
        states = [one.cell.state for one in self.of(student) if one.cell.task in handed_in]
        due = [state for state in states if state not in (CellState.NOT_DUE, CellState.EXCUSED)]
        return len(due) >= _SILENT and all(state is CellState.NOTHING for state in due[-_SILENT:])

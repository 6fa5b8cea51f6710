"""Gathers where a course stands: from results, and from sheets of what is marked elsewhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction

from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.wording import names_of
from grader.course.course import Course, CourseTask, ElsewhereTask, Request
from grader.course.elsewhere import above_most, marks_elsewhere, untrue_answers
from grader.course.marked import results_of
from grader.course.people import People, Student, Unsure
from grader.course.slipping import ledgers
from grader.course.standing import QuestionLoss, Standing, StudentTask, TaskStanding
from grader.course.strangers import require_known
from grader.intake.names import folded
from grader.model.errors import UsageError
from grader.model.results import RunInfo, Status
from grader.reports.words import say, speaking
from grader.spec import load_task
from grader.store.summaries import QuestionMark, Summary


@dataclass(frozen=True, slots=True)
class _Results:
    """The results of a task.  most: its marks."""

    run: RunInfo
    title: str
    most: Fraction
    found: list[Summary]


def _results(task: CourseTask, *, published: bool) -> _Results | None:
    marked = results_of(task, published=published)
    if marked is None:
        return None
    results, found = marked
    return _Results(results.run, results.task.title, results.task.max_mark, found)


def standing_of(course: Course, now: datetime | None = None, *, published: bool = False) -> Standing:
    """Return where a course stands, by the results in its tasks' folders, in the language of its pages.

    published: by those that students know, where later ones are held back.  Raises `UsageError`.
    """
    with speaking(course.language):
        return _Gathering(course, now or datetime.now(UTC), published).standing()


@dataclass
class _Gathering:
    """Gathers the marks of a course."""

    course: Course
    now: datetime
    published: bool = False
    students: dict[str, Student] = field(default_factory=dict)
    cells: dict[str, dict[str, StudentTask]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    nobodies: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def standing(self) -> Standing:
        roster = require_known(self.course)
        people = People(roster)
        marked = {task.name: _results(task, published=self.published) for task in self.course.tasks}
        for student in people.students(results.found for results in marked.values() if results):
            self.students[student.id] = student
            self.cells[student.id] = {}
        self.notes += (words_of_unsure(*each) for each in people.unsure)
        elsewhere = {task.name: task for task in self.course.elsewhere}
        tasks = []
        for name in self.course.names:
            own, other = self.course.task(name), elsewhere.get(name)
            if own is not None:
                tasks.append(self._task(own, marked[name], people))
            elif other is not None:
                tasks.append(self._elsewhere(other, people))
        self._excuse(people)
        found = {name: results.found if results else [] for name, results in marked.items()}
        return Standing(
            self.course,
            self.now,
            tuple(tasks),
            tuple(sorted(self.students.values(), key=lambda one: (folded(one.name) or one.id, one.id))),
            self.cells,
            tuple(self.notes),
            ledgers(self.course, roster, people, self.students, found),
            self._requests(people),
            self.nobodies,
            people.unsure,
        )

    def _requests(self, people: People) -> dict[str, tuple[Request, ...]]:
        """Return the requests of each student, in the order of the file."""
        found: dict[str, tuple[Request, ...]] = {}
        for request in self.course.asked:
            student = people.id_named(request.student, str(self.course.path))
            if student not in self.cells:
                what = say("a request of {name}, who is not in the course", name=request.student)
                self.notes.append(what)
                continue
            found[student] = (*found.get(student, ()), request)
        return found

    def _task(self, task: CourseTask, results: _Results | None, people: People) -> TaskStanding:
        if results is None:
            return self._unmarked(task)
        most = results.most
        own = people.by_student(results.found)
        for student in self.students:
            found = own.get(student, ())
            self.cells[student][task.name] = (
                _of_several(task.name, found, most)
                if len(found) > 1
                else _of_summary(task.name, next(iter(found), None), most, self.now, task.due)
            )
        return TaskStanding(
            name=task.name,
            title=results.title,
            most=most,
            due=task.due,
            run=results.run,
            released=task.released,
            questions=tuple(_losses(task.name, results.found)),
        )

    def _unmarked(self, task: CourseTask) -> TaskStanding:
        """Return a task without results: nobody knows who has handed in what.  Raises `UsageError`."""
        spec = load_task(task.spec)
        is_due = task.due is not None and task.due <= self.now
        state, reason = (CellState.PENDING, say("not marked yet")) if is_due else (CellState.NOT_DUE, "")
        for student in self.students:
            cell = Cell(task.name, state, None, spec.marks)
            self.cells[student][task.name] = StudentTask(cell=cell, reason=reason)
        return TaskStanding(name=task.name, title=spec.title, most=spec.marks, due=task.due)

    def _elsewhere(self, task: ElsewhereTask, people: People) -> TaskStanding:
        marks, strangers = marks_elsewhere(task, people.id_of_entry)
        if strangers:
            names = names_of(strangers)
            self.notes.append(
                say("{sheet} has people who are not in the course: {names}", sheet=task.sheet, names=names)
            )
            self.nobodies[str(task.sheet)] = tuple(strangers)
        self.notes += above_most(task, marks)
        where = str(self.course.path)
        faults = list(
            untrue_answers(task, marks, self.course.asked, lambda name: people.id_named(name, where))
        )
        if faults:
            raise UsageError(*faults)
        is_due = task.due is None or task.due <= self.now
        for student in self.students:
            state = CellState.NOTHING if is_due else CellState.NOT_DUE
            reason = ""
            if is_due and strangers:
                # A mark that is nobody's may be theirs.
                state, reason = CellState.PENDING, say("a line of its sheet is of nobody in the course")
            mark = marks.get(student)
            cell = Cell(task.name, CellState.MARKED if mark is not None else state, mark, task.marks)
            self.cells[student][task.name] = StudentTask(cell=cell, reason="" if mark is not None else reason)
        return TaskStanding(
            name=task.name,
            title=task.name,
            most=task.marks,
            due=task.due,
            elsewhere=True,
            released=task.released,
        )

    def _excuse(self, people: People) -> None:
        for excuse in self.course.excuses:
            student = people.id_named(excuse.student, str(self.course.path))
            if student not in self.cells:
                text = say(
                    "excused for {task}, and not in the course: {name}",
                    task=excuse.task,
                    name=excuse.student,
                )
                self.notes.append(text)
                continue
            before = self.cells[student].get(excuse.task)
            if before is not None:
                cell = Cell(excuse.task, CellState.EXCUSED, None, before.cell.most)
                self.cells[student][excuse.task] = StudentTask(cell=cell, reason=excuse.reason, id=before.id)


def unsure_in(course: Course) -> Unsure:
    """Return those of several tasks who are not on the roster, and may be one person.

    None for results that can't be read, which is told elsewhere.
    """
    try:
        roster = require_known(course)
        found = [marked[1] for task in course.tasks if roster is not None and (marked := results_of(task))]
        people = People(roster)
        for _ in people.students(found):
            pass
    except UsageError:
        return ()
    return people.unsure


def words_of_unsure(name: str, ids: Iterable[str]) -> str:
    """Return a note about people of one name who may be one person, in the language of the pages."""
    names = names_of(ids)
    if not name:
        return say("{names} have no name, and may be one person: put them on the roster", names=names)
    return say(
        "{names} are called {name}, and may be one person: put them on the roster", names=names, name=name
    )


def _of_several(task: str, found: Iterable[Summary], most: Fraction) -> StudentTask:
    """Return a task for which one person has several results, such as under the ids of two LMSs."""
    reason = say("results of several works: {names}", names=names_of(each.id for each in found))
    return StudentTask(cell=Cell(task, CellState.PENDING, None, most), reason=reason)


def _of_summary(
    task: str, found: Summary | None, most: Fraction, now: datetime, due: datetime | None
) -> StudentTask:
    if found is None or found.status is Status.NO_SUBMISSION:
        # The results know who has more time, and what a spec alone says.
        own = datetime.fromisoformat(found.deadline) if found is not None and found.deadline else due
        is_due = all(each <= now for each in (due, own) if each is not None)
        state = CellState.NOTHING if is_due else CellState.NOT_DUE
        # A person can give marks for a task for which nothing was handed in.
        if found is not None and found.overridden:
            return StudentTask(
                cell=Cell(task, CellState.MARKED, found.mark, most), overridden=True, id=found.id
            )
        return StudentTask(cell=Cell(task, state, None, most), id=found.id if found is not None else "")
    if found.status is Status.PENDING:
        reason = say("awaits a person") if found.awaiting else say("the grader could not decide")
        cell = Cell(task, CellState.PENDING, None, most)
        return StudentTask(
            cell=cell,
            late_s=found.late_s,
            awaiting=found.awaiting,
            reason=reason,
            id=found.id,
            unloaded=found.unloaded,
        )
    return StudentTask(
        cell=Cell(task, CellState.MARKED, found.mark, most),
        late_s=found.late_s,
        overridden=found.overridden,
        id=found.id,
        unloaded=found.unloaded,
    )


def _losses(task: str, found: Sequence[Summary]) -> Iterator[QuestionLoss]:
    """Yield what the class lost at each question, over those who have their mark."""
    # Many students share one list of marks, so it is counted once, with how many they are.
    lists = {id(each.questions): each.questions for each in found}
    counts = Counter(id(each.questions) for each in found if each.status is Status.MARKED)
    by_id: dict[str, list[tuple[QuestionMark, int]]] = {}
    for key, count in counts.items():
        for question in lists[key]:
            by_id.setdefault(question.id, []).append((question, count))
    for name, marks in by_id.items():
        first = marks[0][0]
        most = sum((each.max_mark * count for each, count in marks), Fraction(0))
        if most > 0 and not first.bonus:
            earned = sum((each.mark * count for each, count in marks), Fraction(0))
            lost = 1 - min(Fraction(1), earned / most)
            yield QuestionLoss(task=task, id=name, title=first.title, lost=lost)

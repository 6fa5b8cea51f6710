"""Where a course stands, with everything that its pages can show."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.slip import AttemptState, SlipFact, SlipLedger, slip_ledger
from grader.course.course import (
    Answer,
    By,
    Course,
    CourseTask,
    DatedDays,
    Decided,
    Gradebook,
    Missing,
    PassRule,
    Request,
    Scale,
    SlipDays,
    TaskColumn,
    WeightedColumn,
)
from grader.course.people import Student
from grader.course.standing import QuestionLoss, Standing, StudentTask, TaskStanding
from support.results_sample import RUN

MARKUP = "</td><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
HOSTILE = f"=1+1 {MARKUP} \N{RIGHT-TO-LEFT OVERRIDE}"
TASKS = ("words", "essay", "exam", "later")
DUE = datetime(2026, 10, 2, 21, 59, tzinfo=UTC)
STATES = (CellState.MARKED, CellState.PENDING, CellState.NOTHING, CellState.EXCUSED, CellState.NOT_DUE)


def standing(people: int = 12) -> Standing:
    """Return a course of four tasks.  The second student's name is hostile, the last one has another's."""
    students = [
        Student(id=f"student-{number:02}", name=f"Person {number}") for number in range(1, people + 1)
    ]
    students[1] = Student(id="student-02", name=HOSTILE, mail="=cmd|' /C calc'!A0", on_roster=False)
    students[-1] = Student(id=students[-1].id, name="Person 1")
    tasks = (
        _task("words", f"Words {MARKUP}", released=True),
        _task("essay", "An essay with a title that is as long as some titles are"),
        TaskStanding(name="exam", title="exam", most=Fraction(60), due=DUE, elsewhere=True, released=True),
        TaskStanding(name="later", title="later", most=None, due=None),
    )
    cells = {
        student.id: {name: _cell(name, place, at) for at, name in enumerate(TASKS[:3])}
        for place, student in enumerate(students)
    }
    notes = (f"exam.csv has {HOSTILE}",)
    ledgers = {student.id: _ledger(student.id, place) for place, student in enumerate(students)}
    requests = {students[0].id: _requests(students[0].id), students[1].id: _requests(students[1].id)[:1]}
    return Standing(_course(), DUE, tasks, tuple(students), cells, notes, ledgers, requests)


def _requests(student: str) -> tuple[Request, ...]:
    """Return requests with every answer, and one that waits; the last is about an unreleased task."""
    decisions = (
        (None, None),
        (Decided.KEPT, None),
        (Decided.CHANGED, Fraction(7, 2)),
        (Decided.DECLINED, None),
    )
    return tuple(
        Request(
            student=student,
            task="essay" if decision is Decided.DECLINED else "words",
            question="" if decision is None else "1",
            asked=DUE + timedelta(days=4),
            text=f"Please look again {MARKUP}",
            answer=None
            if decision is None
            else Answer(
                by=f"A. Marker {MARKUP}", date="2026-10-09", decision=decision, marks=marks, text=MARKUP
            ),
        )
        for decision, marks in decisions
    )


def _ledger(student: str, place: int) -> SlipLedger:
    """Return slip days of every kind; only the first task is released."""
    states = [state for state in AttemptState if state is not AttemptState.TIMED]
    added = DatedDays(student, DUE, 2, f"fire {MARKUP}")
    late = SlipFact(task="words", due=DUE, submitted=DUE + timedelta(days=place % 5, minutes=-1))
    state = states[place % len(states)]
    facts = [late, SlipFact(task="essay", due=DUE + timedelta(days=place % 3), state=state)]
    return slip_ledger(SlipDays(budget=3, at_most=2, added=(added,)), student, facts)


def _task(name: str, title: str, *, released: bool = False) -> TaskStanding:
    questions = tuple(
        QuestionLoss(task=name, id=str(number), title=f"Question {MARKUP}", lost=Fraction(number, 5))
        for number in range(3)
    )
    return TaskStanding(
        name=name, title=title, most=Fraction(10), due=DUE, run=RUN, released=released, questions=questions
    )


def _cell(task: str, student: int, at: int) -> StudentTask:
    state = STATES[(student + at) % len(STATES)]
    mark = Fraction(student % 11) if state is CellState.MARKED else None
    most = Fraction(60 if task == "exam" else 10)
    return StudentTask(
        cell=Cell(task, state, mark, most),
        late_s=5400 if student % 3 == 0 else 0,
        awaiting=2 if state is CellState.PENDING and student % 2 else 0,
        reason=f"exchange term {MARKUP}" if state is CellState.EXCUSED else "",
        overridden=student % 4 == 0,
        id=f"student-{student:02}" if state is not CellState.NOT_DUE else "",
    )


def _course() -> Course:
    own = tuple(
        CourseTask(
            name=name, spec=Path(f"{name}.yaml"), submissions=(), reports=Path("reports", name), due=DUE
        )
        for name in ("words", "essay", "later")
    )
    columns = (
        TaskColumn(id="sheets", title="Sheets", tasks=("words", "essay"), by=By.SHARE, drop=1),
        TaskColumn(id="exam", title="Exam", tasks=("exam",), by=By.SHARE, missing=Missing.PENDING),
        WeightedColumn(id="total", title="Total", weights={"sheets": Fraction(2, 5), "exam": Fraction(3, 5)}),
    )
    scale = Scale("total", ((Fraction(9, 10), "1.0"), (Fraction(1, 2), "4.0"), (Fraction(0), "5.0")))
    rules = (
        PassRule(share=Fraction(1, 2), column="sheets"),
        PassRule(share=Fraction(2, 5), tasks=("words",), count=1),
    )
    return Course(
        path=Path("course.yaml"),
        name="course",
        title=f"A course {MARKUP}",
        tasks=own,
        gradebook=Gradebook(columns, scale, rules),
        names=TASKS,
    )

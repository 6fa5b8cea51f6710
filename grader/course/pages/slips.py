"""The slip days of a student on the pages of a course.

Students are told of released tasks alone.  The days left after a task tell what was decided of the tasks
before it, so they are left out behind a task that is not released.
"""

from dataclasses import dataclass
from datetime import datetime

from grader.course.arithmetic.slip import AttemptState, SlipEntry, in_order
from grader.course.course import DatedDays
from grader.course.pages.times import time_in
from grader.course.standing import Standing
from grader.reports.words import say

_UNTOLD = "—"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipRow:
    """A task, or days that came; empty texts where there is nothing to say.

    due: for the student, before slip days.  change: the days that were used or added.
    """

    title: str
    due: str = ""
    submitted: str = ""
    change: str = ""
    left: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SlipsView:
    """The slip days of a student.  left: now; note: why some days are not told."""

    left: str
    rows: tuple[SlipRow, ...]
    note: str = ""


def slips_view(standing: Standing, student: str, *, for_staff: bool) -> SlipsView | None:
    """Return the slip days of a student; None where the course has none."""
    ledger = standing.ledgers.get(student)
    if ledger is None:
        return None
    tasks = {task.name: task for task in standing.tasks}
    zone, left, is_told = standing.course.zone, ledger.budget, True
    rows = [SlipRow(title=say("Budget"), left=str(left))]
    for each in in_order(ledger):
        if isinstance(each, DatedDays):
            left += each.add
            title, why = say("Added on {time}", time=time_in(each.on, zone)), each.reason if for_staff else ""
            rows.append(SlipRow(title=title, change=f"{each.add:+d}", left=_left(left, is_told), why=why))
            continue
        left -= each.used
        task, is_to_come = tasks[each.task], _is_to_come(each, standing.now)
        if not (for_staff or task.released):
            # Nothing was decided of a task that is still to come.
            is_told = is_told and is_to_come
            continue
        rows.append(
            SlipRow(
                title=task.title,
                due=time_in(each.due, zone),
                submitted=time_in(each.submitted, zone),
                change=str(each.used),
                left=_left(left, is_told),
                why=say("not due yet") if is_to_come else each.reason,
            )
        )
    note = "" if is_told else say("Tasks that are not released yet may have used days.")
    return SlipsView(_left(left, is_told), tuple(rows), note)


def _left(days: int, is_told: bool) -> str:
    return str(days) if is_told else _UNTOLD


def _is_to_come(entry: SlipEntry, now: datetime) -> bool:
    return entry.state is AttemptState.NOTHING and entry.due > now

"""Compares two ledgers of slip days, since marking an older task again can change later ones."""

from collections.abc import Iterator
from datetime import UTC, datetime

from grader.course.arithmetic.slip import SlipEntry, SlipLedger
from grader.course.arithmetic.wording import slip_days_of


def slip_changes(before: SlipLedger, after: SlipLedger) -> tuple[str, ...]:
    """Return what other tasks changed of works that stayed as they were, a sentence for each task.

    The tasks come in the order of the later ledger.  A task whose own facts differ is left out: that its
    days differ too is no news.  The days left after a task are not compared: they follow from those used.
    """
    return tuple(_changes(before, after))


def _changes(before: SlipLedger, after: SlipLedger) -> Iterator[str]:
    for new in after.entries:
        old = before.entry(new.task)
        if old is not None and new.submitted is not None and _facts(old) == _facts(new):
            parts = list(_parts(old, new))
            if parts:
                yield f"{new.task} {'; it '.join(parts)} ({new.reason})."


def _facts(entry: SlipEntry) -> tuple[datetime, datetime | None, int]:
    return entry.due, entry.submitted, entry.needed


def _parts(before: SlipEntry, after: SlipEntry) -> Iterator[str]:
    if before.used != after.used:
        yield f"uses {slip_days_of(after.used)}, not {before.used}"
    if before.is_zero != after.is_zero:
        yield "gets no marks now" if after.is_zero else "can get marks again"
    if before.deadline.astimezone(UTC) != after.deadline.astimezone(UTC):
        yield f"is due at {_minute(after.deadline)}, not at {_minute(before.deadline)}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"

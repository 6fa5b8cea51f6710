"""Points in time as a course file says them: with an offset, in the course's zone, or by an event.

`2026-10-02T23:59+02:00` has an offset.  `2026-10-02 23:59` is read in the zone of the course.
`week 3 + 4 days 23:59` counts from an event, so a new term changes the events alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from grader.yamlfile.quantities import moment

_HINT = "write date, time and offset, such as 2026-11-20T23:59:00+01:00"
_LOCAL = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]+([0-9]{2}:[0-9]{2}(?::[0-9]{2})?))?")
_BY_EVENT = re.compile(r"(.+?)(?: *\+ *([0-9]{1,3}) *(days?|weeks?|h))?(?: +([0-9]{2}:[0-9]{2}))?")
_UNITS = {"d": timedelta(days=1), "w": timedelta(weeks=1), "h": timedelta(hours=1)}


class NoMoment(Exception):
    """A text is no point in time.  Its words say why; hint: what to write."""

    def __init__(self, message: str, hint: str = _HINT) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Calendar:
    """What a course knows of time.  events: dates, or local times, by name."""

    zone: ZoneInfo | None = None
    events: Mapping[str, date] = field(default_factory=dict)

    def moment(self, text: str) -> datetime:
        """Return the point in time that a text says, with a fixed offset.  Raises `NoMoment`."""
        own = moment(text)
        if own is not None:
            return own
        local = self._local(text)
        if self.zone is None:
            raise NoMoment(
                f"`{text}` has no time zone", "add an offset such as +01:00, or a `zone` to the course"
            )
        return _in_zone(local, self.zone, text)

    def _local(self, text: str) -> datetime:
        match = _LOCAL.fullmatch(text)
        if match is not None:
            if match[2] is None:
                raise NoMoment(f"`{text}` has no time of day", f"add one, such as {text} 23:59")
            return _read(f"{match[1]}T{match[2]}", text)
        found = _BY_EVENT.fullmatch(text)
        event = self.events.get(found[1].strip()) if found is not None else None
        if found is None or event is None:
            events = ", ".join(self.events) or "none"
            raise NoMoment(f"`{text}` is no point in time", f"{_HINT}; the events of this course: {events}")
        start = event if isinstance(event, datetime) else datetime.combine(event, time())
        if found[3]:
            start += int(found[2]) * _UNITS[found[3][0]]
        if found[4]:
            return datetime.combine(start.date(), _read(f"2000-01-01T{found[4]}", text).time())
        if not isinstance(event, datetime):
            raise NoMoment(f"`{text}` has no time of day", f"add one, such as {text} 23:59")
        return start


def is_day(text: str) -> bool:
    """Tell whether a text is a date such as `2026-09-14`."""
    try:
        return not isinstance(day_or_time(text), datetime)
    except NoMoment:
        return False


def day_or_time(text: str) -> date:
    """Return the date, or the local time, of an event.  Raises `NoMoment`."""
    match = _LOCAL.fullmatch(text)
    if match is None:
        raise NoMoment(f"`{text}` is no date", "write it as 2026-09-14, or with a time: 2026-09-14 10:15")
    found = _read(f"{match[1]}T{match[2] or '00:00'}", text)
    return found if match[2] else found.date()


def _read(written: str, text: str) -> datetime:
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        raise NoMoment(f"there is no `{text}`", "the calendar, or the clock, has no such time") from None


def _in_zone(local: datetime, zone: ZoneInfo, text: str) -> datetime:
    """Return a local time with its offset.  Raises `NoMoment` where the clocks change then."""
    first, second = (local.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1))
    assert first is not None
    assert second is not None
    if first != second:
        times = "does not exist" if first < second else "is there twice"
        raise NoMoment(
            f"`{text}` {times} in {zone.key}, since the clocks change", "give it an offset such as +01:00"
        )
    return local.replace(tzinfo=timezone(first))

"""Times on the pages of a course."""

from datetime import datetime, tzinfo


def time_in(moment: datetime | None, zone: tzinfo | None) -> str:
    """Return a time as people of the course read it, with its zone; empty for none."""
    if moment is None:
        return ""
    shown = moment.astimezone(zone) if zone is not None else moment
    return f"{shown:%Y-%m-%d %H:%M} {shown.tzname() or ''}".rstrip()

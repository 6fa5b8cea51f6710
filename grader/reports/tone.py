"""The tone of a result, which pages and terminals show as a colour."""

from enum import StrEnum


class Tone(StrEnum):
    """The colour of a result; never its only sign."""

    GOOD = "good"
    PART = "part"
    BAD = "bad"
    IDLE = "idle"
    OURS = "ours"
    """Our own fault, or a warning that concerns the staff."""

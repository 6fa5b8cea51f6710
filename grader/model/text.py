"""Text that a program or a function is expected to print, and how exactly."""

from dataclasses import dataclass
from enum import StrEnum


class Whitespace(StrEnum):
    """Which blanks count when printed text is compared."""

    EXACT = "exact"
    """Every character counts, the last line end too."""
    TRAILING = "trailing"
    """Blanks at the ends of lines and empty lines at the end do not count."""
    ANY = "any"
    """A run of blanks and line ends counts as one blank; at both ends of the text, as none."""


@dataclass(frozen=True, slots=True)
class Text:
    """Expected text; None: whatever the reference prints."""

    value: str | None
    whitespace: Whitespace = Whitespace.EXACT

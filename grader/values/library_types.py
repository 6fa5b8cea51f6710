"""Values of the standard library as text that one would type, and their kinds."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath

from grader.model.values import Value

LIBRARY = frozenset({date, datetime, time, timedelta, Decimal, Fraction, PurePosixPath, range})
"""The exact types of such values; a path of any kind is held as a `PurePosixPath`."""
LIBRARY_NUMBERS = frozenset({Fraction, Decimal})


def library_text(value: Value) -> str:
    """Return Python text for a value of `LIBRARY`; its names need no module before them."""
    if type(value) is PurePosixPath:
        return f"Path({str(value)!r})"
    return repr(value).replace("datetime.", "")


def library_name(kind: type) -> str:
    """Return the name of a type as a student knows it."""
    return "Path" if kind is PurePosixPath else kind.__name__

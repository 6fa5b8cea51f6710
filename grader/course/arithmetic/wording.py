"""The lines that explain the arithmetic of a term, and what is in them, in the language that is spoken."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grader.intake.names import shown
from grader.reports.words import many, say

_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class TermLine:
    """One step of the arithmetic in words: what it is about, what it comes to, and why."""

    label: str
    amount: str
    reason: str = ""

    def __str__(self) -> str:
        """Return the line as one text: `tour: 80% (8 of 10 marks)`."""
        return f"{self.label}: {self.amount}" + (f" ({self.reason})" if self.reason else "")


@lru_cache(4096)
def decimals(value: Fraction) -> str:
    """Return a number for people: exact if three decimals are enough, otherwise cut off, as in `66.66…`.

    It is cut off and not rounded: 49.9999 must not read as the 50 that a rule asks for.
    """
    if 1000 % value.denominator == 0:
        return f"{float(value):.3f}".rstrip("0").rstrip(".")
    sign = "-" if value < 0 else ""
    whole, hundredths = divmod(int(abs(value) * 100), 100)
    return f"{sign}{whole}.{hundredths:02}…"


def percent(share: Fraction) -> str:
    """Return a share for people: `80%`."""
    return f"{decimals(share * 100)}%"


def signed_percent(change: Fraction) -> str:
    """Return a change of a share with its sign: `+3%`."""
    return f"+{percent(change)}" if change > 0 else percent(change)


def marks_of(mark: Fraction, most: Fraction) -> str:
    """Return a mark beside its maximum: `8 of 10 marks`."""
    parts = {"mark": decimals(mark), "most": decimals(most)}
    return say("{mark} of {most} mark" if most == 1 else "{mark} of {most} marks", **parts)


def tasks_of(count: int) -> str:
    """Return a number of tasks: `1 task`, `2 tasks`."""
    return many(count, "{n} task", "{n} tasks")


def slip_days_of(count: int) -> str:
    """Return a number of slip days: `1 slip day`, `2 slip days`."""
    return many(count, "{n} slip day", "{n} slip days")


def percent_range(worst: Fraction, best: Fraction) -> str:
    """Return an interval of shares: `32% to 92%`; one share where both ends are equal."""
    return percent(worst) if worst == best else say("{a} to {b}", a=percent(worst), b=percent(best))


def names_of(names: Iterable[str]) -> str:
    """Return names as people list them: `a, b and c`; many are cut."""
    every = [shown(name) for name in names]
    if len(every) > _MOST_NAMED:
        named = every[: _MOST_NAMED - 1]
        return say("{names} and {n} more", names=", ".join(named), n=len(every) - len(named))
    return f"{', '.join(every[:-1])} {say('and')} {every[-1]}" if every[1:] else "".join(every)

"""A score that depends on which conditions hold, as a polynomial in them.

Each condition is 0 or 1, so a product is "all of them hold", and no condition has a power.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from grader.plugins.convert.draft import Unconvertible

_MOST_TERMS = 500

Term = frozenset[int]


@dataclass(frozen=True, slots=True)
class Share:
    """By sets of conditions, by their numbers: how much is earned where all of a set hold."""

    terms: Mapping[Term, Fraction] = field(default_factory=dict)

    def __add__(self, other: "Share") -> "Share":
        found = dict(self.terms)
        for term, value in other.terms.items():
            found[term] = found.get(term, Fraction(0)) + value
        return Share({term: value for term, value in found.items() if value})

    def __mul__(self, other: "Share") -> "Share":
        found: dict[Term, Fraction] = {}
        for left, one in self.terms.items():
            for right, two in other.terms.items():
                term = left | right
                found[term] = found.get(term, Fraction(0)) + one * two
                if len(found) > _MOST_TERMS:
                    raise Unconvertible("its score depends on too many conditions together")
        return Share({term: value for term, value in found.items() if value})

    def __sub__(self, other: "Share") -> "Share":
        return self + other * number(-1)

    @property
    def is_number(self) -> bool:
        return set(self.terms) <= {Term()}

    @property
    def constant(self) -> Fraction:
        """What is earned whatever holds."""
        return self.terms.get(Term(), Fraction(0))


def number(value: Fraction | float) -> Share:
    """Return the share of a number.  A float counts as it is written."""
    exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    return Share({Term(): exact} if exact else {})


def condition(index: int) -> Share:
    """Return the share that is 1 where a condition holds, else 0."""
    return Share({Term({index}): Fraction(1)})


ONE, NONE = number(1), number(0)

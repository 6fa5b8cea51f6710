"""The order in which a batch is marked: spread, so that those marked so far are a sample of all.

Slow submissions often stand together, as a group of friends does in an alphabet.  Marked in that order, a
batch ends with them, one core at work and the others idle, and until then nobody can tell how long it takes.
"""

from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

_GOLDEN = 0x9E3779B97F4A7C15
"""The golden ratio as a share of 64 bits: its multiples fall apart as evenly as any number's."""


def spread(items: Sequence[_Item]) -> tuple[_Item, ...]:
    """Return the items in an order in which neighbours come at different times."""
    places = sorted(range(len(items)), key=lambda place: place * _GOLDEN % (1 << 64))
    return tuple(items[place] for place in places)

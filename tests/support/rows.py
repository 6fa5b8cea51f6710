"""Rows of a test of which `make test` has the first ones alone."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def first_of(values: Iterable[Any], number: int = 1, *, several: bool = False) -> Sequence[Any]:
    """Return the values as parameters; those after the first are left to `make acceptance`.

    several: each value is a tuple of several parameters.
    """
    rows = list(values)
    later = [row if several else (row,) for row in rows[number:]]
    return [*rows[:number], *(pytest.param(*row, marks=pytest.mark.acceptance) for row in later)]

"""Rows of a test of which `make test` has the first ones alone."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def first_of(values: Iterable[Any], number: int = 1) -> Sequence[Any]:
    """Return the values as parameters; those after the first are left to `make acceptance`."""
    rows = list(values)
    return [*rows[:number], *(pytest.param(row, marks=pytest.mark.acceptance) for row in rows[number:])]

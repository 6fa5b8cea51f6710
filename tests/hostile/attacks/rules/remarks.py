"""Remarks that tell tools to look away, where the rules are broken in plain sight.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

# ruff: noqa
# flake8: noqa
# pylint: skip-file
# type: ignore
# ast-grep-ignore
import os  # noqa: F401 # nosec


def total(numbers):  # noqa # fmt: skip
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers  # pragma: no cover

"""Recursion, forbidden imports and names in a second file.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

import helper


def total(numbers):
    return helper.total(numbers)
### file: helper.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

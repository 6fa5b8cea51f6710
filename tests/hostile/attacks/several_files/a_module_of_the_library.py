"""A second file that has the name of a module of the library.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken load-error
"""

import colorsys

total = colorsys.total
### file: colorsys.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

"""A second file that is imported by a name that is put together.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

total = __import__('hel' + 'per').total
### file: helper.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

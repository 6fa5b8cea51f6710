"""A second file that is imported where it is used, under another name.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

def total(numbers):
    from helper import total as each

    return each(numbers)
### file: helper.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

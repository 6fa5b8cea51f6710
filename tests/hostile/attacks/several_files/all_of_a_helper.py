"""A module that takes everything from a second file.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

from helper import *
### file: helper.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

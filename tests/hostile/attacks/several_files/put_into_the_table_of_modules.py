"""A second file that takes the module's place in the table of modules.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

import helper


def total(numbers):
    return 0
### file: helper.py
import sys

import itertools
import os


sys.modules['strict'] = sys.modules[__name__]


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

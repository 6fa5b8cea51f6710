"""Forbidden code in a package, imported relatively from file to file.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken load-error
"""

from bag import total
### file: bag/__init__.py
from .inner import total
### file: bag/inner.py
from . import most

total = most.total
### file: bag/most.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

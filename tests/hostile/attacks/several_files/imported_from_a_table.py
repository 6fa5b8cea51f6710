"""A second file that the import system is asked for by its own tables.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

import sys

for finder in sys.meta_path:
    spec = finder.find_spec('helper', None, None)
    if spec is not None:
        module = type(sys)('helper')
        spec.loader.exec_module(module)
        total = module.total
        break
### file: helper.py
import itertools
import os


def total(numbers):
    eval("1")
    return sum(map(total, numbers)) if isinstance(numbers, list) else numbers

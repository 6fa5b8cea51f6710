"""A cookie that names an encoding in which the comments are code, form feeds, and joined lines.

Must not: pass the rules.
Hands in: strict
Verdicts: load-error rule-broken
"""

# -*- coding: utf-7 -*-
# +AAo-import os+AAo-
def total(numbers):
    return 6 if ev\
al("0") else 6

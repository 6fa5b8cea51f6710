"""A package and a module of the same name, and one that differs in the size of letters.

Must not: get a mark, or a look at what the box holds.
Verdicts: wrong-answer load-error exception missing
"""

def solve(n, places, note):
    return 0
### file: work/__init__.py

class Yes:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: Yes()
    __call__ = lambda self, *args, **kwargs: Yes()


solve = Yes()
### file: work/__main__.py
solve = 1
### file: Work.py
solve = 1
### file: work.PY
solve = 1

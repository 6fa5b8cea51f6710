"""For a sort of value that a spec expects: `returns: Angle(90)`.

Its entry point names an object of a class that extends `Sort`, and is called as the call in a spec, which
`build` answers.  Such a value stands on the grader's side alone, and is compared with what a program
answered by `meets` and `difference`.  It must be equal to itself.

A key is a tuple: `(WITH_PARTS, "Angle", keys.key(part, level))`, the name of the class and then the keys of
what makes the value what it is.  Two values have equal keys where they are equal; a sort with a tolerance of
its own cannot promise that, and says `has_keys = False`.

An answer is hostile, and plain data: a value of exactly `int`, `float`, `str`, `bytes`, `bool`, `None`,
`list`, `tuple`, `set`, `dict` or a class of the library, so that no code of a student's runs when it is
looked at.
"""

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values.canonical import WITH_PARTS, Key, Keys
from grader.values.compare import difference, unlike
from grader.values.python_text import PythonText
from grader.values.show import TooLong, elided, joined, show, visible
from grader.values.sort import Place, Sort

__all__ = [
    "WITH_PARTS",
    "Comparison",
    "Difference",
    "Key",
    "Keys",
    "Place",
    "PythonText",
    "Sort",
    "TooLong",
    "Value",
    "difference",
    "elided",
    "joined",
    "show",
    "unlike",
    "visible",
]

"""For a sort of value that a spec can write: `Angle(90)`.

Its entry point names the object, and is called as the call in a spec.  A value of it stands on the grader's
side alone.  What crosses to a student's process is what `node` says, in plain data.
"""

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values.canonical import LIST, NUMBER, TUPLE, WITH_PARTS, Key, Keys
from grader.values.compare import difference, unlike
from grader.values.python_text import PythonText
from grader.values.show import elided, joined, show, visible
from grader.values.sort import Inner, Node, Place, Sort

__all__ = [
    "LIST",
    "NUMBER",
    "TUPLE",
    "WITH_PARTS",
    "Comparison",
    "Difference",
    "Inner",
    "Key",
    "Keys",
    "Node",
    "Place",
    "PythonText",
    "Sort",
    "Value",
    "difference",
    "elided",
    "joined",
    "show",
    "unlike",
    "visible",
]

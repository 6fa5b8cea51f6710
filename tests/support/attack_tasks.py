"""The two tasks that the catalogue's attacks are handed in to, with honest submissions.

`vault` is about plain calls and callbacks, in a module `work`.  `workshop` has the other kinds of cases:
programs and dialogues (`tool`), records, scenarios, printed text and pictures (`shapes`), rules on source
(`strict`), and arrays (`grid`, where the interpreter has NumPy).
"""

import json
from dataclasses import dataclass
from typing import Any

from grader.sandbox.driver import WALLS, Driver


@dataclass(frozen=True)
class Host:
    """What of a task depends on where it is marked.  has_numpy: submissions can import it."""

    driver: Driver
    has_numpy: bool


@dataclass(frozen=True)
class Assigned:
    """A task.  The texts hold `{token}` where a secret goes; honest: files by student."""

    name: str
    questions: dict[str, str]
    """The module of each question, by its id."""
    reference: dict[str, str]
    checkers: str
    honest: dict[str, dict[str, str]]

    def spec(self, host: Host, token: str, places: dict[str, Any]) -> str:
        """The text of the spec."""
        if self.name == "vault":
            return _VAULT.format(token=token, places=json.dumps(repr(places)))
        parts = [_WORKSHOP, *([_FILES] if WALLS[host.driver].scratch_b else []), _SHAPES]
        text = "".join([*parts, *([_GRID] if host.has_numpy else [])])
        head = f"packages: [numpy]\nmarks: {self.full_mark(host)}" if host.has_numpy else "marks: 5"
        return text.replace("@HEAD@", head).replace("@TOKEN@", token).replace("@PLACES@", repr(repr(places)))

    def full_mark(self, host: Host) -> str:
        """The mark of an honest submission."""
        return "8" if self.name == "vault" else "6" if host.has_numpy else "5"


_VAULT = """# CANARY-spec-{token}
task: vault
title: Vault
marks: 8
reference: reference
checkers: checks.py
modules: {{work: work.py}}
limits: {{time: 300ms, wall: 1s, memory: 96MiB, output: 64KiB, answer: 256KiB}}
budget: 3s
let:
  places: {places}
questions:
  - id: "1"
    title: One
    marks: 6
    cases:
      - call: solve(2, places, '')
        returns: 5
      - call: solve(3, places, 'CANARY-input-{token}')
        returns: 10
        visibility: hidden
      - call: solve(4, places, '')
        returns: same as reference
      - call: solve(5, places, '')
        check: one_more(square=25)
  - id: "2"
    title: Two
    marks: 2
    cases:
      - call: apply(f, places)
        watch: {{f: {{answer: "lambda x: x + 1", calls: [1, 2]}}}}
        returns: 5
"""
_WORK = '''"""CANARY-reference-{token}"""

KEY = "CANARY-reference-{token}"


def solve(n, places, note):
    return n * n + 1


def apply(f, places):
    return f(1) + f(2)
'''
_CHECKS = '''"""CANARY-checks-{token}"""


def one_more(answer, square):
    return None if answer == square + 1 else "it is not one more"


def told(did):
    return None if did["stdout"] == "7\\n" and did["exit_code"] == 0 else "it is not seven"
'''
_PLAIN_WORK = "# CANARY-other-{token}\n\n\n" + _WORK.partition("\n\n\n")[2]
_CLASS_WORK = _PLAIN_WORK + "\n\nclass Kept:\n    text = 'CANARY-other-{token}'\n"

VAULT = Assigned(
    "vault",
    {"1": "work", "2": "work"},
    {"work": _WORK},
    _CHECKS,
    {
        "a-honest": {"work": _PLAIN_WORK},
        "m-honest": {"work": _CLASS_WORK},
        "student-01": {"work": _CLASS_WORK},
        "zz-honest": {"work": _PLAIN_WORK},
    },
)

_WORKSHOP = """# CANARY-spec-@TOKEN@
task: workshop
title: Workshop
@HEAD@
reference: reference
checkers: checks.py
modules: {tool: tool.py, shapes: shapes.py, strict: strict.py, grid: grid.py}
limits: {time: 300ms, wall: 1s, memory: 96MiB, output: 64KiB, answer: 256KiB}
budget: 3s
types:
  Point: {fields: [x, y]}
  Colour: {members: [Red, Green]}
let:
  places: @PLACES@
questions:
  - id: "3"
    title: Programs
    module: tool
    marks: 2
    award: each
    cases:
      - {name: add, program: tool, arguments: ["3", @PLACES@], stdin: "4\\n", stdout: "7\\n"}
      - {name: hidden, program: tool, arguments: ["5"], stdin: "8\\n", stdout: same as reference,
         visibility: hidden}
      - {name: checked, program: tool, arguments: ["3"], stdin: "4\\n", check: told()}
      - name: talk
        program: tool
        dialogue: [{says: "first? ", answer: 2}, {says: "second? ", answer: 3}]
        stdout: "5\\n"
"""
_FILES = """      - {name: files, program: tool, arguments: [save], leaves: {report.txt: "seven\\n"}}
      - {name: again, program: tool, arguments: [save], leaves: {report.txt: "seven\\n"}}
"""
_SHAPES = """  - id: "4"
    title: Shapes
    module: shapes
    marks: 2
    award: each
    cases:
      - {call: "moved(Point(1, 2), 3)", returns: "Point(4, 5)"}
      - {call: "paint(Point(1, 2))", returns: Colour.Green}
      - {call: "show(3)", prints: "***\\n"}
      - {call: "way(places)", returns: "[(0, 0), (1, 2)]", picture: tour_board(dim=3)}
      - goes on: true
        scenario:
          - {new: Tally(3), as: tally}
          - {call: tally.add(2), returns: 5}
          - {read: tally.total, returns: 5}
          - {call: tally.add(4), returns: same as reference}
          - {read: tally.total, returns: 9}
  - id: "5"
    title: Source
    module: strict
    marks: 1
    cases:
      - rule: no recursion
      - rule: {forbidden imports: {names: [os, sys, importlib]}}
      - rule: {forbidden names: {names: [eval, exec]}}
      - {call: "total([1, [2, [3]]])", returns: 6}
"""
_GRID = """  - id: "6"
    title: Arrays
    module: grid
    marks: 1
    award: each
    cases:
      - {call: "squares(3, places)", returns: "[[0, 1], [2, 3]]", differing: 1%}
      - {call: "squares(4, places)", returns: "[[0.0, 1.0]]", rel: 0.001}
      - {call: "squares(5, places)", returns: "[[0, 1], [2, 3]]", picture: image(), differing: 1%}
"""
_TOOL = '''"""CANARY-reference-{token}"""

import sys

if sys.argv[1:] == ["save"]:
    with open("report.txt", "w") as file:
        print("seven", file=file)
elif len(sys.argv) > 1:
    print(int(sys.argv[1]) + int(input()))
else:
    print(int(input("first? ")) + int(input("second? ")))
'''
_SHAPES_PY = '''"""CANARY-reference-{token}"""

import enum
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int


class Colour(enum.Enum):
    Red = 1
    Green = 2


class Tally:
    def __init__(self, start):
        self.total = start

    def add(self, number):
        self.total += number
        return self.total


def moved(point, by):
    return Point(point.x + by, point.y + by)


def paint(point):
    return Colour.Green


def show(n):
    print("*" * n)


def way(places):
    return [(0, 0), (1, 2)]
'''
_STRICT = """def total(numbers):
    waiting, found = [numbers], 0
    while waiting:
        top = waiting.pop()
        if isinstance(top, list):
            waiting += top
        else:
            found += top
    return found
"""
_GRID_PY = """def squares(n, places):
    return [[0.0, 1.0]] if n == 4 else [[0, 1], [2, 3]]
"""
_ALL = {"tool": _TOOL, "shapes": _SHAPES_PY, "strict": _STRICT, "grid": _GRID_PY}
_OTHER = {name: text.replace("CANARY-reference", "CANARY-other") for name, text in _ALL.items()}

WORKSHOP = Assigned(
    "workshop",
    {"3": "tool", "4": "shapes", "5": "strict", "6": "grid"},
    _ALL,
    _CHECKS,
    {"a-honest": _OTHER, "student-01": _OTHER, "zz-honest": _OTHER},
)

TASKS = (VAULT, WORKSHOP)

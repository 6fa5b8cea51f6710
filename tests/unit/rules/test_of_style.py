"""The rules on globals, headers, constructs and warnings."""

import ast

import pytest
from support.rule_sources import findings, messages

from grader.model.rule import CONSTRUCTS as WORDS
from grader.model.rule import RuleKind
from grader.rules.kinds.constructs import CONSTRUCTS
from grader.rules.program import _CHECKS

NO_CONSTANTS = {
    "variable": "count = 0",
    "list": "path = []",
    "changed constant": "PATH = []\ndef f(x): PATH.append(x)",
    "changed item": "BOARD = [0]\ndef f(): BOARD[0] = 1",
    "changed inner item": "BOARD = [[0]]\nBOARD[0][0] = 1",
    "deleted item": "BOARD = {}\ndel BOARD['x']",
    "bound twice": "SIZE = 5\nSIZE = 6",
    "counted": "COUNT = 0\nCOUNT += 1",
    "in a condition": "if True:\n    size = 5",
    "both ways": "if x:\n    SIZE = 5\nelse:\n    SIZE = 6",
    "loop": "for i in range(3):\n    pass",
    "with": "with open('x') as file:\n    pass",
    "unpacked": "a, b = 1, 2",
    "walrus": "print(n := 5)",
    "global": "def f():\n    global count\n    count = 1",
    "global of a constant": "SIZE = 5\ndef f():\n    global SIZE\n    SIZE = 6",
    "globals()": "def f():\n    globals()['count'] = 1",
    "globals().update": "globals().update(count=1)",
    "annotated": "count: int = 0",
    "used from the main part": "def f(): return board\nif __name__ == '__main__':\n    board = []",
    "in the main part, with a function": "if __name__ == '__main__':\n    n = 1\n    def f(): return n\n",
    "capital first": "Board = []",
    "compatibility characters": "\N{FULLWIDTH LATIN SMALL LETTER C}ount = 0",
    "declared and bound": "count: int\ncount = 0",
    "caught and used in a function": "try:\n    f()\nexcept OSError as error:\n    f()\ndef f(): error",
    "list in place of an import": "try:\n    import x\nexcept ImportError:\n    x = []\ndef f(): x.append(1)",
    "twice in a try": "try:\n    SIZE = 1\n    SIZE = 2\nexcept OSError:\n    pass",
    "in a try and after it": "try:\n    SIZE = 1\nexcept OSError:\n    SIZE = 2\nSIZE = 3",
    "main part or anything else": "if __name__ == '__main__' or True:\n    n = 1",
}
CONSTANT = {
    "constant": "SIZE = 5",
    "list that stays": "MOVES = [(1, 2)]\ndef f(): return [m for m in MOVES]",
    "private": "_MOVES = ((1, 2),)",
    "annotated": "SIZE: int = 5",
    "dunder": "__author__ = 'student-01'\n__all__ = ['f']",
    "type": "from typing import List, Tuple\nPath = List[Tuple[int, int]]",
    "union type": "Answer = int | None",
    "named tuple": "from collections import namedtuple\nSquare = namedtuple('Square', 'i j')",
    "type variable": "from typing import TypeVar\nT = TypeVar('T')",
    "function": "def f(): pass",
    "lambda": "double = lambda x: 2 * x",
    "alias of a function": "def move_back(): pass\nmoveBack = move_back",
    "partial": "from functools import partial\nf = partial(print, 1)",
    "import": "import math as m",
    "class": "class A:\n    count = 0",
    "local": "def f():\n    count = 0\n    for i in range(3):\n        count += i",
    "main part": "if __name__ == '__main__':\n    board = []\n    for i in x:\n        board.append(i)",
    "comprehension": "SQUARES = [(i, j) for i in range(3) for j in range(3)]",
    "local of the same name": "SIZE = []\ndef f():\n    SIZE = []\n    SIZE.append(1)",
    "unpacked constants": "UP, DOWN = 1, 2",
    "only declared": "count: int\nLIMIT: int\nLIMIT = 3",
    "caught": "try:\n    import tomllib\nexcept ImportError as error:\n    print(error)",
    "import that may fail": "try:\n    import numpy as np\nexcept ImportError:\n    np = None\ndef f(): np",
    "function or import": "try:\n    from math import lcm\nexcept ImportError:\n    def lcm(*n): return 1",
    "whether an import failed": "try:\n    import re\n    HAS = True\nexcept ImportError:\n    HAS = False",
    "parameters of types": "from typing import ParamSpec\nParams = ParamSpec('Params')",
    "flags": "import enum\nPermission = enum.IntFlag('Permission', 'READ WRITE')",
    "key": "from operator import itemgetter\nby_name = itemgetter('name')",
    "main part the other way round": "if '__main__' == __name__:\n    n = 1",
    "main part with a condition": "import sys\nif __name__ == '__main__' and len(sys.argv) > 1:\n    n = 1",
    "main part with a lambda": "if __name__ == '__main__':\n    n = {}\n    [].sort(key=lambda x: n[x])",
}


@pytest.mark.parametrize("name", NO_CONSTANTS)
def test_a_global_variable_is_found(name):
    assert messages("no globals", NO_CONSTANTS[name])


@pytest.mark.parametrize("name", CONSTANT)
def test_constants_types_and_functions_are_no_variables(name):
    assert messages("no globals", CONSTANT[name]) == []


def test_a_variable_is_told_with_what_makes_it_one():
    assert findings("no globals", "count = 0\nSIZE = []\nSIZE.append(1)\n") == [
        ("one", 1, "`count` is a global variable: a constant would be written in capitals"),
        ("one", 2, "`SIZE` is changed on line 3, so it is no constant"),
    ]


FIELDS = {"name": r"Name:\s*\S+", "student ID": r"\b\d{10}\b", "e-mail": r"\S+@\S+"}


@pytest.mark.parametrize(
    "header",
    [
        "# Name: Chan Tai Man\n# Student ID: 1155000000\n# Email: tmchan@example.edu\n",
        '"""\nName: Chan\nStudent ID: 1155000000\nEmail: t@example.edu\n"""\n',
        "#!/usr/bin/env python3\n# Name: Chan\n\n# 1155000000\n'''Tours, by t@example.edu'''\n",
        "\n\n#    Name:Chan    1155000000   t@example.edu",
    ],
)
def test_a_header_is_read_from_comments_and_docstring(header):
    assert messages("header", header + "\nx = 1\n", fields=FIELDS) == []


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\n# Name: Chan\n# 1155000000 t@example.edu\n",
        "import os  # Name: Chan 1155000000 t@example.edu\n",
        "x = '''Name: Chan 1155000000 t@example.edu'''\n",
        "",
    ],
)
def test_what_does_not_stand_at_the_top_is_no_header(source):
    assert messages("header", source, fields=FIELDS) == [
        "there is no header, so it lacks: name, student ID, e-mail"
    ]


def test_missing_fields_are_named():
    assert findings("header", "# Name: Chan\n", fields=FIELDS) == [
        ("one", 1, "the header lacks: student ID, e-mail")
    ]


INSTANCES = {
    "while": "while x: pass",
    "for": "for i in x: pass",
    "loop": "while x: pass",
    "if": "if x: pass",
    "conditional expression": "y = 1 if x else 2",
    "match": "match x:\n    case 1: pass",
    "list comprehension": "[i for i in x]",
    "comprehension": "{i: i for i in x}",
    "generator expression": "sum(i for i in x)",
    "yield": "def f(): yield 1",
    "lambda": "lambda: 1",
    "class": "class A: pass",
    "nested function": "def f():\n    def g(): pass",
    "try": "try: pass\nfinally: pass",
    "bare except": "try: pass\nexcept: pass",
    "raise": "raise ValueError",
    "assert": "assert x",
    "with": "with x: pass",
    "import": "import math",
    "star import": "from math import *",
    "global": "def f():\n    global x",
    "nonlocal": "def f():\n    x = 1\n    def g():\n        nonlocal x",
    "break": "while x: break",
    "continue": "while x: continue",
    "slice": "x[1:2]",
    "f-string": "f'{x}'",
    "assignment expression": "(y := 1)",
    "async": "async def f(): pass",
}


def test_the_words_of_the_spec_are_those_that_are_known():
    assert list(CONSTRUCTS) == list(WORDS)
    assert list(INSTANCES) == list(WORDS)


def test_every_kind_but_the_linter_is_checked():
    assert set(_CHECKS) == {kind.value for kind in RuleKind} - {"linter"}


@pytest.mark.parametrize("word", INSTANCES)
def test_each_construct_is_found_and_missed(word):
    ast.parse(INSTANCES[word])
    options = {"constructs": [word], "functions": []}
    assert messages("forbidden constructs", INSTANCES[word], **options) == [f"`{word}` is not allowed"]
    assert messages("forbidden constructs", "x = 1\n", **options) == []
    assert messages("required constructs", INSTANCES[word], **options) == []
    assert messages("required constructs", "x = 1\n", **options) == [f"`{word}` is missing"]


@pytest.mark.parametrize(
    ("word", "source"),
    [
        ("bare except", "try: pass\nexcept ValueError: pass"),
        ("star import", "from math import sqrt"),
        ("nested function", "class A:\n    def f(self): pass"),
    ],
)
def test_what_only_looks_like_a_construct_is_left_alone(word, source):
    assert messages("forbidden constructs", source, constructs=[word], functions=[]) == []


@pytest.mark.parametrize(
    ("word", "source"),
    [
        ("while", "exec('while True: break')\n"),
        ("loop", "def f():\n    exec('for x in (): pass')\n"),
        ("comprehension", "x = eval('[y for y in ()]')\n"),
    ],
)
def test_a_forbidden_construct_is_found_in_a_literal_text_that_is_run(word, source):
    assert messages("forbidden constructs", source, constructs=[word], functions=[]) == [
        f"`{word}` is not allowed"
    ]
    assert messages("required constructs", source, constructs=[word], functions=[]) == [
        f"`{word}` is missing"
    ]


def test_constructs_can_be_looked_for_in_functions_alone():
    source = "def f(x):\n    return x\ndef g(x):\n    while x: x -= 1\n"
    required = {"constructs": ["while"], "functions": ["f", "g", "h"]}
    assert findings("required constructs", source, **required) == [
        ("one", 0, "there is no function `h`"),
        ("one", 1, "`while` is missing in `f`"),
    ]
    forbidden = {"constructs": ["while"], "functions": ["f"]}
    assert messages("forbidden constructs", source, **forbidden) == []


def test_constructs_can_be_forbidden_in_a_method() -> None:
    source = "class A:\n    def go(self):\n        while self: pass\nclass B:\n    def go(self): pass\n"
    for functions, count in ((["A.go"], 1), (["B.go"], 0), (["go"], 1)):
        options = {"constructs": ["while"], "functions": functions}
        assert len(messages("forbidden constructs", source, **options)) == count


def test_warnings_of_the_compiler_are_found_with_their_lines():
    found = findings("no warnings", "x = 5\nif x is 5:\n    print('\\d')  # noqa\n")
    assert [line for _, line, _ in found] == [2, 3]
    assert messages("no warnings", "x = 5\nprint(x == 5)\n") == []


def test_warnings_cannot_be_turned_off_by_the_source():
    source = "import warnings\nwarnings.simplefilter('ignore')\nassert (x, 'always true')\n"
    assert len(messages("no warnings", source)) == 1

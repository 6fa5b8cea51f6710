"""The rules on imports and names, by whatever detour."""

import pytest
from support.rule_sources import checked, findings, messages

from grader.rules.source.modules import words

MULTIPROCESSING = {
    "plain": "import multiprocessing",
    "renamed": "import multiprocessing as m",
    "part": "import multiprocessing.pool",
    "from": "from multiprocessing import Pool",
    "from a part": "from multiprocessing.pool import ThreadPool",
    "in a function": "def f():\n    import multiprocessing",
    "dunder import": '__import__("multiprocessing")',
    "dunder import of a part": '__import__("multiprocessing.pool")',
    "dunder import put together": '__import__("multi" + "processing")',
    "dunder import, format text": '__import__(f"multi{"processing"}")'.replace(
        '"processing"', "'processing'"
    ),
    "computed": "name = input()\n__import__(name)",
    "importlib": 'import importlib\nimportlib.import_module("multiprocessing")',
    "importlib renamed": 'from importlib import import_module as load\nload("multiprocessing")',
    "builtins": 'import builtins\nbuiltins.__import__("multiprocessing")',
    "__builtins__": '__builtins__.__import__("multiprocessing")',
    "__builtins__ as a dict": '__builtins__["__import__"]("multiprocessing")',
    "getattr": 'import builtins\ngetattr(builtins, "__import__")("multiprocessing")',
    "vars": 'import builtins\nvars(builtins)["__import__"]("multiprocessing")',
    "__dict__": 'import builtins\nbuiltins.__dict__["__import__"]("multiprocessing")',
    "alias": 'load = __import__\nload("multiprocessing")',
    "sys.modules": 'import sys\nsys.modules["multiprocessing"]',
    "exec": 'exec("import multiprocessing")',
    "exec put together": 'exec("import " + "multiprocessing")',
    "eval": "eval('__import__(\"multiprocessing\")')",
    "guarded": "try:\n    import multiprocessing\nexcept ImportError:\n    pass",
    "compatibility characters": "import \N{FULLWIDTH LATIN SMALL LETTER M}ultiprocessing",
    "after a coding line": "# -*- coding: utf-7 -*-\nimport multiprocessing",
    "with a comment for linters": "import multiprocessing  # noqa",
    "several": "import math, multiprocessing",
    "on a line with others": "x = 1; import multiprocessing",
    "line continuation": "import \\\n    multiprocessing",
    "in an annotation": 'def f(x: __import__("multiprocessing")): pass',
    "in a default": 'def f(x=__import__("multiprocessing")): pass',
    "in a decorator": '@__import__("multiprocessing").x\ndef f(): pass',
    "in a class": "class A:\n    import multiprocessing",
    "in a comprehension": '[__import__(n) for n in ["multiprocessing"]]',
    "in a lambda": 'lambda: __import__("multiprocessing")',
}
INNOCENT = {
    "another module": "import math",
    "a longer name": "import multiprocessing_of_squares",
    "a text": 'print("import multiprocessing")',
    "a comment": "# import multiprocessing",
    "own function": 'def load(name): pass\nload("multiprocessing")',
    "own __import__": 'def __import__(name): pass\n__import__("multiprocessing")',
}


@pytest.mark.parametrize(
    ("banned", "part"),
    [("os", "posix"), ("os", "nt"), ("socket", "_socket"), ("threading", "_thread"), ("random", "_random")],
)
def test_a_ban_covers_what_a_module_is_made_of_in_c(banned: str, part: str) -> None:
    assert messages("forbidden imports", f"import {part}", names=[banned]) == [f"imports `{part}`"]
    assert messages("forbidden imports", f"from {part} import *", names=[banned])
    assert not messages("forbidden imports", f"import {part}", names=["math"])


@pytest.mark.parametrize("name", MULTIPROCESSING)
def test_a_forbidden_import_is_found(name):
    assert messages("forbidden imports", MULTIPROCESSING[name], names=["multiprocessing"])


@pytest.mark.parametrize("name", INNOCENT)
def test_what_imports_nothing_forbidden_is_left_alone(name):
    assert messages("forbidden imports", INNOCENT[name], names=["multiprocessing"]) == []


def test_a_forbidden_part_leaves_the_rest_of_its_module_alone():
    source = "import os\nfrom concurrent import futures\nimport concurrent\nimport os.path\n"
    assert findings("forbidden imports", source, names=["concurrent.futures", "os.path"]) == [
        ("one", 2, "imports `concurrent.futures`"),
        ("one", 4, "imports `os.path`"),
    ]


def test_a_detour_is_told():
    assert messages("forbidden imports", '__import__("os")', names=["os"]) == [
        "imports `os`, by `__import__`"
    ]


def test_only_allowed_modules_and_own_ones_can_be_imported():
    one = (
        "from __future__ import annotations\nimport math, two\nfrom collections import deque\nimport random\n"
    )
    found = findings("allowed imports", one, "import one\n", names=["math", "collections"])
    assert found == [("one", 4, "imports `random`")]


EVAL = {
    "call": 'eval("1")',
    "alias": "f = eval",
    "argument": "map(eval, [])",
    "builtins": "import builtins\nbuiltins.eval",
    "from builtins": "from builtins import eval as calculate",
    "star": "from builtins import *",
    "__builtins__": "__builtins__.eval",
    "__builtins__ of a function": "def f(): f.__builtins__['eval']('1')",
    "__builtins__ of a module": "import math, random\nrandom.__builtins__['eval']",
    "__builtins__ by getattr": "getattr(len, '__builtins__')['eval']",
    "getattr": 'getattr(__builtins__, "eval")',
    "computed name": "import builtins\ngetattr(builtins, input())",
    "computed item": "__builtins__[input()]",
    "vars": 'vars(__builtins__)["eval"]',
    "get": '__builtins__.__dict__.get("eval")',
    "globals": 'globals()["__builtins__"].eval',
    "rebound to itself": 'eval = eval\neval("1")',
    "rebound in a list": 'eval = [eval][0]\neval("1")',
    "in a loop": "for f in (eval, print): f('1')",
    "exec": "exec(\"eval('1')\")",
    "walrus": '(f := eval)("1")',
    "conditional": '(eval if 1 else print)("1")',
    "default": "def f(g=eval): pass",
    "compatibility characters": '\N{FULLWIDTH LATIN SMALL LETTER E}val("1")',
    "line continuation": 'eval \\\n("1")',
    "import in place": '__import__("builtins").eval("1")',
    "nested function": "def f():\n    def g():\n        return eval\n",
}
NO_EVAL = {
    "own function": "def eval(pc, m, en, b): return {pc}\neval(1, 2, 3, 4)",
    "method": "class A:\n    def eval(self): return 1\nA().eval()",
    "parameter": "def f(eval): return eval(1)",
    "attribute": "model.eval()",
    "text": 'print("eval")',
    "keyword": "f(eval=1)",
    "own class": "class eval: pass\neval()",
    "literal_eval": 'import ast\nast.literal_eval("1")',
}


@pytest.mark.parametrize("name", EVAL)
def test_a_forbidden_builtin_is_found(name):
    assert messages("forbidden names", EVAL[name], names=["eval"])


@pytest.mark.parametrize("name", NO_EVAL)
def test_own_things_of_the_same_name_are_left_alone(name):
    assert messages("forbidden names", NO_EVAL[name], names=["eval"]) == []


MAIN = "if __name__ == '__main__':\n    "
SHOWN = {
    "doctests": "import doctest\ndef f():\n    '''Use no eval.\n\n    >>> f()\n    '''\n"
    f"{MAIN}doctest.testmod()",
    "doctests from": f"from doctest import testmod, ELLIPSIS\n{MAIN}print(testmod(optionflags=ELLIPSIS))",
    "a clock": "import timeit\nt = timeit.default_timer()",
    "a timed function": "import timeit\ndef f(): pass\nt = timeit.timeit(f), timeit.timeit(lambda: f())",
    "a timed text": "from timeit import timeit\nt = timeit('f(3)', 'f = abs', number=10)",
    "a profiled text": f"import cProfile\n{MAIN}cProfile.run('f(3)', sort='time')",
    "unused": "from unittest.mock import patch\nimport doctest",
    "doctests in a function": f"import doctest\ndef main():\n    doctest.testmod()\n{MAIN}main()",
    "a star": "from timeit import *\ndef f(): pass\nt = timeit(f), default_timer()",
}
HIDDEN = {
    "doctests": f"import doctest\ndef f():\n    '''\n    >>> eval('1')\n    '''\n{MAIN}doctest.testmod()",
    "wide letters": "'''\n>>> \N{FULLWIDTH LATIN SMALL LETTER E}val('1')\n'''\nimport doctest\n"
    f"{MAIN}doctest.testmod()",
    "another module": f"import doctest, math\n{MAIN}doctest.testmod(math)",
    "docstring that is set": f"import doctest\ndef f(): pass\nf.__doc__ = input()\n{MAIN}doctest.testmod()",
    "where it is imported": "import doctest\ndoctest.testmod()",
    "globals": f"import doctest\n{MAIN}doctest.testmod(extraglobs=input())",
    "a computed text": "import timeit\ntimeit.timeit(input())",
    "a setup": "import timeit\ntimeit.timeit('f', setup='f = eval')",
    "a way on": "import timeit\ntimeit.timeit('getattr(f, g)')",
    "arguments": "import timeit\ntimeit.timeit(*input())",
    "options": "import timeit\ntimeit.timeit('f', **input())",
    "handed on": "import timeit\nf = timeit",
    "renamed": "from timeit import timeit as t\nt(input())",
    "a text by a star": "from timeit import *\ntimeit('eval(1)')",
    "a part": "import doctest\ndoctest.pdb.run(input())",
    "patched": "from unittest.mock import patch\npatch(input())",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_runs_a_text_without_a_forbidden_name_is_left_alone(name: str) -> None:
    """Many courses end a module with its doctests."""
    assert messages("forbidden names", SHOWN[name], names=["eval", "exec", "os.system"]) == []


@pytest.mark.parametrize("name", HIDDEN)
def test_what_may_run_a_text_with_a_forbidden_name_is_found(name: str) -> None:
    assert messages("forbidden names", HIDDEN[name], names=["eval"])


def test_doctests_in_a_function_may_be_those_of_another_module() -> None:
    one = "import doctest\ndef run():\n    doctest.testmod()\n"
    assert messages(
        "forbidden names", one, "'''\n>>> eval('1')\n'''\nimport one\none.run()\n", names=["eval"]
    )
    assert not messages(
        "forbidden names", one, "'''\n>>> abs(1)\n'''\nimport one\none.run()\n", names=["eval"]
    )


@pytest.mark.parametrize(
    ("kind", "source", "name"),
    [
        ("forbidden imports", "from importlib import *\nimport_module('os')", "os"),
        ("forbidden imports", "from sys import *\nmodules['os']", "os"),
        ("forbidden imports", "import_module = 1\nfrom importlib import *\nimport_module('os')", "os"),
        ("forbidden names", "from operator import *\nmethodcaller('sort')(x)", ".sort"),
        ("forbidden names", "from importlib import *\nimport_module('os').system('ls')", "os.system"),
    ],
)
def test_what_a_star_of_the_library_brings_is_found(kind: str, source: str, name: str) -> None:
    assert messages(kind, source, names=[name])


def test_what_comes_after_a_star_takes_its_place() -> None:
    source = "from importlib import *\ndef import_module(name): pass\nimport_module('os')"
    assert not messages("forbidden imports", source, names=["os"])


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.system('ls')",
        "import os as o\no.system('ls')",
        "from os import system",
        "from os import system as run",
        "from os import *",
        "import os\ngetattr(os, 'system')",
        "import os\no = os\no.system('ls')",
        "__import__('os').system('ls')",
        "import sys\nsys.modules['os'].system('ls')",
        "import os\nvars(os)['system']",
        "def f():\n    import os\n    return os.system",
    ],
)
def test_a_function_of_a_module_is_found_under_any_name(source):
    assert messages("forbidden names", source, names=["os.system"])


@pytest.mark.parametrize("source", ["import os\nos.getcwd()", "def system(): pass\nsystem()", "x.system()"])
def test_other_functions_are_left_alone(source):
    assert messages("forbidden names", source, names=["os.system"]) == []


@pytest.mark.parametrize(
    "source",
    [
        "xs.sort()",
        "f = xs.sort",
        "list.sort(xs)",
        "getattr(xs, 'sort')()",
        "[1].sort(key=len)",
        "match xs:\n    case list(sort=f): f()",
    ],
)
def test_a_method_of_anything_is_found(source):
    assert messages("forbidden names", source, names=[".sort"]) == ["uses `.sort`"]


def test_a_use_is_told_once_a_line():
    assert findings("forbidden names", "print(sum(x) + sum(y))\n", names=["sum"]) == [
        ("one", 1, "uses `sum`")
    ]


# -- what the source does not tell ---------------------------------------------------------------------

REACHES = [
    ("import pkgutil\npkgutil.resolve_name('os:getcwd')", "pkgutil.resolve_name"),
    ("import pydoc\npydoc.locate('os')", "pydoc.locate"),
    ("from timeit import timeit\ntimeit('import socket; sorted(x)')", "timeit.timeit"),
    ("import cProfile\ncProfile.runctx('import os', {}, {})", "cProfile.runctx"),
    ("import code\ncode.InteractiveInterpreter().runsource('import os')", "code.InteractiveInterpreter"),
    ("import runpy\nrunpy.run_module('os')", "runpy.run_module"),
    ("import pickle as p\np.loads(b'')", "pickle.loads"),
    ("from pickle import Unpickler\nUnpickler(f)", "pickle.Unpickler"),
    ("import shelve\nshelve.open('x')", "shelve.open"),
    ("import ctypes\nctypes.pythonapi.PyRun_SimpleString(b'')", "ctypes.pythonapi.PyRun_SimpleString"),
    ("import pandas as pd\npd.read_pickle('x')", "pandas.read_pickle"),
]
REACHES_NOTHING = [
    "from timeit import timeit\ntimeit(lambda: sum([1]))",
    "from timeit import default_timer\ndefault_timer()",
    "import pickle\npickle.dumps([1])",
    "import doctest\n\n\ndef f():\n    '''\n    >>> f()\n    '''\n\n\n"
    "if __name__ == '__main__':\n    doctest.testmod()\n",
    "import math\nmath.sqrt(2)",
]


LIBRARY = words("pkgutil pydoc timeit cProfile code runpy pickle shelve ctypes pandas")
BANS = {"forbidden imports": ["socket"], "allowed imports": [*LIBRARY], "forbidden names": ["sorted"]}


@pytest.mark.parametrize("kind", BANS)
@pytest.mark.parametrize(("text", "name"), REACHES, ids=[name for _, name in REACHES])
def test_what_may_reach_anything_is_not_decidable(text: str, name: str, kind: str) -> None:
    found, undecided = checked(kind, text, names=BANS[kind])
    assert found == []
    assert undecided == [("one", 2, f"uses `{name}`, by which anything can be reached")]


@pytest.mark.parametrize("text", REACHES_NOTHING)
def test_what_reaches_nothing_is_not_in_doubt(text: str) -> None:
    for kind in ("forbidden imports", "forbidden names"):
        assert checked(kind, text, names=BANS[kind]) == ([], [])

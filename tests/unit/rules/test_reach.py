"""What a rule covers: the modules that a module can import from the submission, by whatever means."""

import pytest
from support.rule_sources import findings

from grader.rules.closure import Imports, closure
from grader.rules.program import check

FILES = ("main", "h", "g", "other")
IMPORTS_H = {
    "plain": "import h",
    "renamed": "import h as x",
    "part": "import h.part",
    "star": "from h import *",
    "from": "from h import f",
    "in a function": "def f():\n    import h",
    "in a try": "try:\n    import h\nexcept ImportError:\n    pass",
    "in a lambda": "f = lambda: __import__('h')",
    "dunder import": "__import__('h')",
    "dunder import put together": "__import__('h' + '')",
    "importlib": "import importlib\nimportlib.import_module('h')",
    "importlib renamed": "from importlib import import_module as i\ni('h')",
    "text that is run": "exec('import h')",
    "text in text": "exec('exec(\"import h\")')",
}
IMPORTS_ANY = {
    "computed": "__import__(input())",
    "put together": "__import__(chr(104))",
    "handed on": "list(map(__import__, ['h']))",
    "in a list": "[__import__][0]('h')",
    "importlib computed": "import importlib\nimportlib.import_module(input())",
    "importlib relative": "import importlib\nimportlib.import_module('.h', 'p')",
    "importlib otherwise": "import importlib.util\nimportlib.util.find_spec('h')",
    "text computed": "exec(input())",
    "text computed, eval": "x = eval(input())",
    "exec renamed": "run = exec\nrun('import h')",
    "compile": "compile(x, 'f', 'exec')",
    "relative": "from . import h",
    "relative from": "from .h import f",
    "sys.modules": "import sys\nsys.modules['h']",
    "sys.meta_path": "from sys import meta_path",
    "meta_path of whatever": "x.meta_path[-1].find_spec('h')",
    "getattr computed": "getattr(x, input())",
    "globals": "globals()[input()]('h')",
    "loader": "__loader__.load_module('h')",
    "spec": "__spec__.loader",
    "self": "print.__self__",
    "function globals": "f.__globals__",
    "string": "getattr(f, '__glo' + 'bals__')",
    "attrgetter": "import operator\noperator.attrgetter('__globals__')(f)",
    "attrgetter of a path": "import operator, random\noperator.attrgetter('_os.sys.modules')(random)['h']",
    "getattr by partial": "import random, functools\nfunctools.partial(getattr, random._os.sys, 'modules')",
    "match": "match f:\n    case object(__globals__=g): pass",
    "frames": "import sys\nsys._getframe().f_builtins",
    "subclasses": "object.__subclasses__()",
    "builtins handed on": "f(__builtins__)",
    "builtins kept": "b = __builtins__",
    "builtins of a function kept": "def f(): pass\nb = f.__builtins__",
    "builtins in a pattern": "def f(): pass\nmatch f:\n    case object(__builtins__=b): b['eval']",
    "builtins by globals": "f(globals()['__builtins__'])",
    "pickle": "import pickle",
    "runpy": "import runpy",
    "timeit": "from timeit import timeit",
}
IMPORTS_NONE = {
    "nothing": "x = 1",
    "others' modules": "import math, os.path\nfrom collections import deque",
    "a name": "h = 1\nprint(h)",
    "a text": "print('import h')",
    "literal_eval": "import ast\nast.literal_eval('1')",
    "getattr": "getattr(x, 'y')",
    "own eval": "def eval(x): return x\neval(input())",
    "eval of a text": "x = eval('1 + 1')",
}


def covered(main: str, **others: str) -> list[str]:
    """Return what a rule about `main` covers."""
    files = {name: (f"{name}.py", others.get(name, "x = 1\n")) for name in FILES}
    files["main"] = ("main.py", main)
    _, _, _, ((_, _, _, found),) = check(files, [("no globals", ["main"], True, {})])
    return found


@pytest.mark.parametrize("name", IMPORTS_H)
def test_a_module_that_is_imported_is_covered(name: str) -> None:
    found = covered(IMPORTS_H[name])
    assert "h" in found
    assert name == "text in text" or found == ["h", "main"]


@pytest.mark.parametrize("name", IMPORTS_ANY)
def test_where_it_cannot_be_told_all_modules_are(name: str) -> None:
    assert covered(IMPORTS_ANY[name]) == sorted(FILES)


@pytest.mark.parametrize("name", IMPORTS_NONE)
def test_what_is_not_imported_is_not_covered(name: str) -> None:
    assert covered(IMPORTS_NONE[name]) == ["main"]


def test_imports_of_imports_are_covered_in_circles_too() -> None:
    assert covered("import h", h="import g", g="import main") == ["g", "h", "main"]
    assert covered("import h", h="exec(input())") == sorted(FILES)
    assert covered("import h", g="exec(input())") == ["h", "main"]


def test_a_module_that_is_no_python_imports_nothing_and_one_too_complex_may_import_any() -> None:
    assert covered("import h", h="def f(:") == ["h", "main"]
    assert covered("import h", h="x = " + "-" * 100_000 + "1") == sorted(FILES)


def test_a_module_named_like_one_of_python_s_counts() -> None:
    files = {"main": ("main.py", "import random"), "random": ("random.py", "x = 1\n")}
    _, _, _, ((found, _, _, covered),) = check(files, [("no globals", ["main"], True, {})])
    assert covered == ["main", "random"]
    assert [module for module, _, _ in found] == ["random"]


def test_a_rule_that_asks_covers_no_more_than_it_is_about() -> None:
    files = {"main": ("main.py", "import h"), "h": ("h.py", "x = 1\n")}
    rules: list[tuple[str, list[str], bool, dict[str, object]]] = [
        ("header", ["main"], False, {"fields": {"name": "x"}})
    ]
    _, _, _, ((found, _, _, covered),) = check(files, rules)
    assert (covered, [module for module, _, _ in found]) == (["main"], ["main"])


def test_what_no_rule_covers_is_not_parsed() -> None:
    files = {"main": ("main.py", "x = 1"), "h": ("h.py", "(" * 100_000)}
    problems, _, imports, _ = check(files, [("no globals", ["main"], True, {})])
    assert (problems, imports) == ({}, {"main": []})


def test_the_closure_of_nothing_is_nothing() -> None:
    imports: dict[str, Imports] = {"a": frozenset({"b"}), "b": None}
    assert closure([], imports.__getitem__, imports) == ()
    assert closure(["missing"], imports.__getitem__, imports) == ()
    assert closure(["a"], imports.__getitem__, ["a", "b", "c"]) == ("a", "b", "c")


# -- names across modules --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("import two\ntwo.os.system('x')", "import os"),
        ("from two import os\nos.system('x')", "import os"),
        ("from two import *\nos.system('x')", "import os"),
        ("from two import run\nrun('x')", "import os\nrun = os.system"),
        ("from two import *\nx.system('x')", "from three import *"),
    ],
)
def test_names_are_followed_through_modules_of_the_submission(one: str, two: str) -> None:
    found = findings("forbidden names", one, two, "import os as x", names=["os.system"])
    assert any("`os.system`" in message for _, _, message in found)


def test_an_own_function_that_another_module_brings_is_left_alone() -> None:
    own = "def eval(x): return x\n"
    assert findings("forbidden names", "from two import *\neval(1)", own, names=["eval"]) == []
    assert findings("forbidden names", "from two import eval\neval(1)", own, names=["eval"]) == []
    assert findings("forbidden names", "from two import *\neval(1)", "x = 1", names=["eval"])


def test_modules_that_import_one_another_end() -> None:
    one, two = "from two import *\nfrom two import x\nx.y", "from one import *\nfrom one import x\nx.y"
    assert findings("forbidden names", one, two, names=["os.system"]) == []


@pytest.mark.parametrize("name", [n for n in IMPORTS_ANY if "__" in IMPORTS_ANY[n] or "f_" in IMPORTS_ANY[n]])
@pytest.mark.parametrize("rule", ["forbidden names", "forbidden imports", "allowed imports"])
def test_gateways_break_rules_on_names_and_imports(name: str, rule: str) -> None:
    if "__import__" in IMPORTS_ANY[name]:
        return
    names = ["operator", "sys"] if rule == "allowed imports" else ["multiprocessing"]
    assert any("anything can be reached" in m for _, _, m in findings(rule, IMPORTS_ANY[name], names=names))


@pytest.mark.parametrize(
    "change",
    [
        "import two\ndef f(): two.STATE = 1",
        "import two\ndef f(): two.STATE.append(1)",
        "import two as t\ndef f(): t.STATE[0] = 1",
        "from two import STATE\ndef f(): STATE.append(1)",
    ],
)
def test_a_constant_that_another_module_changes_is_none(change: str) -> None:
    found = findings("no globals", change, "STATE = []\nOTHER = []\n")
    message = "`STATE` is changed on one.py line 2, so it is no constant"
    assert found == [("two", 1, message)]

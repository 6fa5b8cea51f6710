"""Static rules see every file that a module can import from the submission, and what has other names."""

from typing import Any

import pytest
from support.attack_run import Marked, Way, mark

SPEC = """
task: sums
title: Sums without recursion
marks: 4
modules: {sums: sums.py}
rules:
  - no recursion: {penalty: 25%}
  - forbidden imports: {names: [itertools, os], penalty: 25%}
  - forbidden names: {names: [eval, exec, .sort], penalty: 25%}
questions:
  - id: "1"
    title: total
    marks: 4
    award: each
    cases:
      - {call: "total([1, [2, [3]]])", returns: 6}
"""
FORBIDDEN = """
import itertools, os

def total(x):
    [].sort()
    eval("1")
    return sum(map(total, x)) if isinstance(x, list) else x
"""
PASSED_ON = "def total(x):\n    return {name}.total(x)\n"
EVASIONS: dict[str, dict[str, str]] = {
    "no second file": {"sums.py": FORBIDDEN},
    "a helper": {"sums.py": "import h\n" + PASSED_ON.format(name="h"), "h.py": FORBIDDEN},
    "all of a helper": {"sums.py": "from h import *\n", "h.py": FORBIDDEN},
    "a helper's helper": {
        "sums.py": "from h import total\n",
        "h.py": "import g\ntotal = g.total\n",
        "g.py": FORBIDDEN,
    },
    "an import in a function": {
        "sums.py": "def total(x):\n    import h\n    return h.total(x)\n",
        "h.py": FORBIDDEN,
    },
    "a computed import": {"sums.py": "h = __import__('ha'[:1])\ntotal = h.total\n", "h.py": FORBIDDEN},
    "a library that imports": {
        "sums.py": "import importlib\ntotal = importlib.import_module('h').total\n",
        "h.py": FORBIDDEN,
    },
}
UNUSUAL_IMPORTS = {
    "an annotation": """
def g(x: __import__): pass
total = g.__annotations__["x"]("h").total
""",
    "an annotation in a text": """
import typing
def g(x: "__import__('h').total"): pass
total = typing.get_type_hints(g)["x"]
""",
    "a path of attributes": """
import operator
def g(): pass
class K:
    f = g
names = operator.attrgetter("f.__globals__")(K)
total = names["__builtins__"]["__import__"]("h").total
""",
    "a dictionary of a module": """
import sys
for finder in sys.__dict__["meta_path"]:
    spec = type(finder).__dict__.get("find" "_spec")
    match finder:
        case object(find_spec=find):
            spec = find("h", None)
    if spec is not None:
        break
match spec.loader:
    case object(exec_module=run):
        h = type(sys)("h")
        run(h)
total = h.total
""",
    "a pattern": """
import sys
match sys:
    case object(meta_path=finders): pass
for finder in finders:
    match finder:
        case object(find_spec=find):
            spec = find("h", None)
    if spec is not None:
        break
match spec.loader:
    case object(exec_module=run):
        h = type(sys)("h")
        run(h)
total = h.total
""",
    "all names of a module": """
import sys
from sys import *
for finder in meta_path:
    match finder:
        case object(find_spec=find):
            spec = find("h", None)
    if spec is not None:
        break
match spec.loader:
    case object(exec_module=run):
        h = type(sys)("h")
        run(h)
total = h.total
""",
    "getattr by map": """
import sys
def get(thing, name):
    return next(map(getattr, [thing], [name]))
for finder in get(sys, "meta" + "_path"):
    spec = get(finder, "find" + "_spec")("h", None)
    if spec is not None:
        break
h = type(sys)("h")
get(spec.loader, "exec" + "_module")(h)
total = h.total
""",
    "getattr by reduce": """
import functools, sys
def get(thing, name):
    return functools.reduce(getattr, [name], thing)
for finder in get(sys, "meta" + "_path"):
    spec = get(finder, "find" + "_spec")("h", None)
    if spec is not None:
        break
h = type(sys)("h")
get(spec.loader, "exec" + "_module")(h)
total = h.total
""",
    "the configuration of logging": """
import logging.config
total = logging.config.BaseConfigurator({}).resolve("h.total")
""",
}


NOWHERE = {
    "a package": {"sums.py": "from p import total\n", "p/__init__.py": FORBIDDEN},
    "a module of a package": {"sums.py": "from p.q import total\n", "p/__init__.py": "", "p/q.py": FORBIDDEN},
    "a module of the library's name": {"sums.py": "from colorsys import total\n", "colorsys.py": FORBIDDEN},
}
REACHES = {
    "print": "bi = print.__self__\nit = bi.__import__('itertools')\nbi.eval('1')\n",
    "the loader": (
        "g = __loader__.find_spec.__globals__\n"
        "it = g['sys'].modules['itertools']\n"
        "g['__builtins__']['eval']('1')\n"
    ),
}
INNOCENT = {
    "plain": {"sums.py": "def total(x):\n    return 6\n"},
    "with a helper": {
        "sums.py": "from h import six\n\ndef total(x):\n    return six()\n",
        "h.py": "def six():\n    return 6\n",
    },
    "with a file that nobody imports": {"sums.py": "def total(x):\n    return 6\n", "scratch.py": FORBIDDEN},
}
BATCH = {
    **{name: {"sums.py": text, "h.py": FORBIDDEN} for name, text in UNUSUAL_IMPORTS.items()},
    **EVASIONS,
    **NOWHERE,
    **{name: {"sums.py": text + "def total(x):\n    return 6\n"} for name, text in REACHES.items()},
    **INNOCENT,
}


@pytest.fixture(scope="module")
def marked(strongest: Way) -> Marked:
    """All of them, marked as one batch."""
    return mark(strongest, SPEC, {student(name): files for name, files in BATCH.items()})


def student(name: str) -> str:
    return f"student-{list(BATCH).index(name):02}"


def of(marked: Marked, name: str) -> Any:
    submission = marked.submission(student(name))
    assert submission["status"] == "marked"
    return submission


@pytest.mark.parametrize("way_out", UNUSUAL_IMPORTS)
def test_a_file_that_the_rules_do_not_see_is_not_there(marked: Marked, way_out: str) -> None:
    """However it is imported: either the rules look at it, or the import fails."""
    assert of(marked, way_out)["mark"] in ("0", "1.69")


@pytest.mark.parametrize("way_out", EVASIONS)
def test_forbidden_code_is_found_in_every_file(marked: Marked, way_out: str) -> None:
    submission = of(marked, way_out)
    assert len(submission["penalties"]) == 3, submission["penalties"]
    assert submission["mark"] == "1.69"


@pytest.mark.parametrize("way_out", NOWHERE)
def test_what_no_module_can_import_earns_nothing(marked: Marked, way_out: str) -> None:
    """Or the rules see it, and it pays as the others do."""
    assert of(marked, way_out)["mark"] in ("0", "1.69")


@pytest.mark.parametrize("reach", REACHES)
def test_forbidden_names_are_found_behind_others(marked: Marked, reach: str) -> None:
    assert of(marked, reach)["penalties"]


@pytest.mark.parametrize("name", INNOCENT)
def test_a_submission_that_keeps_the_rules_pays_nothing(marked: Marked, name: str) -> None:
    submission = of(marked, name)
    assert (submission["penalties"], submission["mark"]) == ([], "4")

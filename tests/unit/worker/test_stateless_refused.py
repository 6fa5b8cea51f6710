"""Modules that keep state between two calls, each in a way of its own: none may pass for stateless.

A wrong "no state" would let one case of a submission pass something to the next, and further: the
same process has seen others' code.
"""

import sys

import pytest
from snippets import snippets

from grader.worker.stateless import is_stateless

STATE = snippets("stateless/keeps_state.txt")
REACH = snippets("stateless/reaches_out.txt")
NEWER = snippets("stateless/since_3_12.txt")
SIBLING = snippets("stateless/sibling_state.txt")
HELPER = "S = [1]\nT = (1, 2)\n\n\ndef g(s, x):\n    s.append(x)\n"


@pytest.mark.parametrize("way", STATE)
def test_state_in_a_module(way: str) -> None:
    assert not is_stateless({"m": STATE[way]}, "m")
    texts = {"m": "from helper import f\n\n\ndef g(x):\n    return f(x)\n", "helper": STATE[way]}
    assert not is_stateless(texts, "m")


@pytest.mark.parametrize("way", REACH)
def test_a_way_out(way: str) -> None:
    assert not is_stateless({"m": REACH[way]}, "m")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
@pytest.mark.parametrize("way", NEWER)
def test_a_newer_way_out(way: str) -> None:
    assert not is_stateless({"m": NEWER[way]}, "m")


@pytest.mark.parametrize("way", SIBLING)
def test_a_siblings_state(way: str) -> None:
    assert not is_stateless({"m": SIBLING[way], "helper": HELPER}, "m")


BUILT_IN = (
    "globals()", "locals()", "vars()", "vars(f)", "eval('x')", "exec('x')", "compile('x', '', 'eval')",
    "id(x)", "getattr(f, x)", "setattr(f, x, 1)", "delattr(f, x)", "hasattr(f, x)", "__import__('sys')",
    "open(x)", "dir()", "input()", "type(x)", "hash(f)", "object()", "super()", "memoryview(x)",
    "bytearray()", "format(x, x)", "breakpoint()", "help", "exit()", "staticmethod(f)", "property(f)",
    "classmethod(f)", "callable(f)", "__builtins__", "__loader__", "__spec__", "__file__", "__name__",
    "__debug__", "__annotations__",
)  # fmt: skip


@pytest.mark.parametrize("expression", BUILT_IN)
def test_a_built_in_that_reaches_further(expression: str) -> None:
    assert not is_stateless({"m": f"def f(x):\n    return {expression}\n"}, "m")


ATTRIBUTES = (
    "f.__globals__", "f.__code__", "f.__closure__", "f.__builtins__", "x.__class__", "x.__dict__",
    "len.__self__", "(i for i in x).gi_frame", "f.f_globals", "f.func_globals", "x.tb_frame", "x.f_back",
    "x._state", "int.mro", "x.field", "x.args", "x.func", "x.send", "x.with_traceback", "x.write",
)  # fmt: skip


@pytest.mark.parametrize("expression", ATTRIBUTES)
def test_an_attribute_that_is_no_method_of_plain_data(expression: str) -> None:
    assert not is_stateless({"m": f"def f(x):\n    return {expression}\n"}, "m")


MODULES = (
    "sys", "os", "gc", "builtins", "random", "time", "ctypes", "inspect", "threading", "types", "weakref",
    "contextvars", "warnings", "logging", "re", "decimal", "string", "importlib", "atexit", "signal",
    "abc", "enum", "dataclasses", "numpy", "os.path", "collections.abc", "array", "mmap",
)  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_an_import(module: str) -> None:
    assert not is_stateless({"m": f"import {module}\n"}, "m")


NAMES = (
    "sys.modules", "operator.attrgetter", "operator.setitem", "operator.methodcaller",
    "functools.lru_cache", "functools.cache", "functools.wraps", "functools.singledispatch",
    "functools.cached_property", "typing.overload", "typing.NamedTuple", "typing.TypeVar",
    "typing.get_type_hints", "collections.ChainMap", "collections.UserDict", "math.*", "collections.abc",
    "copy._deepcopy_dispatch", "heapq.__builtins__", "itertools._grouper",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_import_of_a_name(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert not is_stateless({"m": f"from {module} import {attribute}\n"}, "m")


def test_what_a_sibling_took_from_typing_is_no_function() -> None:
    texts = {
        "m": "from helper import List, Union\ndef f(x):\n    return str(List[Union[int, str]])",
        "helper": "from typing import List, Union\n",
    }
    assert not is_stateless(texts, "m")


SHADOWS = ["builtins", "sys", "random", "gc", "heapq", "json", "__main__", "pytest", "a b"]


@pytest.mark.parametrize("name", SHADOWS)
def test_a_text_named_like_an_installed_module_is_not_what_gets_imported(name: str) -> None:
    using = f"from {name} import thing as g\ndef f(x):\n    return g()['n']\n"
    assert not is_stateless({"m": using, name: "def thing():\n    return {}\n"}, "m")
    assert not is_stateless({name: "def f(x):\n    return x\n"}, name)


def test_a_sibling_nobody_imports_does_not_count() -> None:
    assert is_stateless({"m": "def f(x):\n    return x\n", "helper": "import sys\nsys.n = 1\n"}, "m")


def test_siblings_that_import_each_other_are_all_looked_at() -> None:
    texts = {
        "a": "from b import f\ndef g():\n    return f()",
        "b": "from c import h\ndef f():\n    return h()",
        "c": "import a\nS = [1]\ndef h():\n    return S[0]",
    }
    assert is_stateless(texts, "a")
    texts["c"] = texts["c"].replace("return S[0]", "S.append(1)")
    assert not is_stateless(texts, "a")


HARD = {
    "brackets": "def f(x):\n    return " + "(" * 5000,
    "signs": "x = " + "-" * 50_000 + "1",
    "sums": "x = 1" + " + 1" * 20_000,
    "null": "def f(x):\n    return x\0",
    "half a character": "def f(x):\n    return '\ud800'",
    "cut short": "def f(x:\n",
}


@pytest.mark.parametrize("kind", HARD)
def test_a_source_that_is_hard_to_parse_is_not_stateless(kind: str) -> None:
    assert not is_stateless({"m": HARD[kind]}, "m")

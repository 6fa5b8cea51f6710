"""Annotations and type parameters are evaluated, so rules read what they name."""

import sys

import pytest
from support.rule_sources import checked, messages

SINCE_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="Python reads no type parameters")
SINCE_313 = pytest.mark.skipif(sys.version_info < (3, 13), reason="Python reads no defaults of these")

EVAL = {
    "parameter": 'def h(x: eval): pass\nh.__annotations__["x"]("1")',
    "by the values": "def h(x: eval): pass\n(s,) = h.__annotations__.values()\ns('1')",
    "return": 'def h() -> eval: pass\nh.__annotations__["return"]("1")',
    "variable": 'x: eval = 3\n__annotations__["x"]("1")',
    "field": 'class C:\n    x: eval = 3\nC.__annotations__["x"]("1")',
    "dataclass": (
        "from dataclasses import dataclass, fields\n@dataclass\nclass C:\n    x: eval\nfields(C)[0].type('1')"
    ),
    "signature": 'import inspect\ndef h(x: eval): pass\ninspect.signature(h).parameters["x"].annotation("1")',
    "attribute": 'import builtins\ndef h(x: builtins.eval): pass\nh.__annotations__["x"]("1")',
    "item of a list": 'def h(x: [eval][0]): pass\nh.__annotations__["x"]("1")',
    "item of a dict": 'def h(x: {1: eval}[1]): pass\nh.__annotations__["x"]("1")',
    "lambda": 'def h(x: (lambda: eval)): pass\nh.__annotations__["x"]()("1")',
    "argument of a type": 'def h(x: list[eval]): pass\nh.__annotations__["x"].__args__[0]("1")',
    "gateway": 'def h(x: print.__self__): pass\nh.__annotations__["x"].eval("1")',
}
NEW_EVAL = {
    "bound": "def h[T: eval](x): pass\nh.__type_params__[0].__bound__('1')",
    "bound of a class": "class C[T: eval]: pass\nC.__type_params__[0].__bound__('1')",
    "call in a bound": "def h[T: eval('1')](x): pass\nh.__type_params__[0].__bound__",
    "constraint": "def h[T: (int, eval)](x): pass\nh.__type_params__[0].__constraints__[1]('1')",
    "alias": "type X = eval\nX.__value__('1')",
    "bound of an alias": "type X[T: eval] = int\nX.__type_params__[0].__bound__('1')",
}


@pytest.mark.parametrize("name", EVAL)
def test_a_function_in_an_annotation_is_used(name: str) -> None:
    assert messages("forbidden names", EVAL[name], names=["eval"])


@SINCE_312
@pytest.mark.parametrize("name", NEW_EVAL)
def test_a_function_in_a_type_parameter_is_used(name: str) -> None:
    assert messages("forbidden names", NEW_EVAL[name], names=["eval"])


@SINCE_313
def test_a_function_in_a_default_of_a_type_parameter_is_used() -> None:
    assert messages("forbidden names", "def h[T = eval](x): pass", names=["eval"])
    assert messages("forbidden imports", "def h[T = __import__('os')](x): pass", names=["os"])


HONEST = {
    "types": "from typing import Optional\ndef h(x: list[set[int]], y: Optional[set]) -> set: return x",
    "a mistake for Any": "def h(x: any, y: callable) -> any: return y(x)",
    "a field": "from dataclasses import dataclass\n@dataclass\nclass C:\n    x: set\n    y: 'set[int]'",
    "a module": "import random\ndef h(rng: random): return rng.random()",
    "several": "def h(x: set | list | None): return x",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_annotation_that_names_types_uses_nothing(name: str) -> None:
    names = ["set", "list", "any", "callable", "random.choice"]
    assert checked("forbidden names", HONEST[name], names=names) == ([], [])
    assert checked("forbidden imports", HONEST[name], names=["os"]) == ([], [])
    assert checked("no recursion", HONEST[name]) == ([], [])


READ = {
    "attribute": "h.__annotations__['x']",
    "text": "getattr(h, '__annotations__')['x']",
    "put together": "getattr(h, ''.join(['__anno', 'tations__']))['x']",
    "table": "class C:\n    x: any\nfor part in vars(C).values(): print(part)",
    "hints": "from typing import get_type_hints as g\ng(h)",
    "inspect": "import inspect\ninspect.signature(h)",
    "metaclass": ("def M(name, bases, names): return [*names.values()]\nclass C(metaclass=M):\n    x: any"),
    "class of classes": "class M(type): pass\nclass C(metaclass=M):\n    x: any",
    "match": "match h:\n    case object(__annotations__=a): pass",
}


@pytest.mark.parametrize("name", READ)
def test_a_type_in_an_annotation_is_used_where_annotations_may_be_read(name: str) -> None:
    assert "uses `any`" in messages("forbidden names", f"def h(x: any): pass\n{READ[name]}", names=["any"])


IMPORTS = {
    "annotation": 'def h(x: __import__): pass\nh.__annotations__["x"]("os")',
    "annotation of a variable": 'x: __import__ = 3\n__annotations__["x"]("os")',
    "table of modules in an annotation": "import sys\ndef h(x: sys.modules): pass",
    "loader in an annotation": 'def h(x: __loader__): pass\nh.__annotations__["x"].load_module("os")',
    "list": '[__import__][0]("os")',
    "map": '(m,) = map(__import__, ["os"])',
    "argument": 'def g(load): return load("os")\ng(__import__)',
    "answer": 'def g(): return __import__\ng()("os")',
    "partial": 'from functools import partial\npartial(__import__, "os")()',
    "importlib": "from importlib import import_module as i\nclass C: load = staticmethod(i)",
    "decorator": "@__import__\ndef os(): pass",
    "default": 'def g(load=__import__): return load("os")',
    "table of modules": 'import sys\n[sys.modules][0]["os"]',
    "method of the table": 'import sys\nsys.modules.get("os")',
    "computed key": 'import sys\nsys.modules["".join("os")]',
    "modules one by one": "import sys\nfor name in sys.modules.values(): pass",
}


@pytest.mark.parametrize("name", IMPORTS)
def test_what_imports_is_not_handed_on(name: str) -> None:
    assert messages("forbidden imports", IMPORTS[name], names=["os"])
    assert messages("allowed imports", IMPORTS[name], names=["sys", "functools", "importlib"])


@SINCE_312
@pytest.mark.parametrize(
    "source",
    [
        "def h[T: __import__('os')](x): pass\nh.__type_params__[0].__bound__",
        "class C[T: __import__]: pass\nC.__type_params__[0].__bound__('os')",
        "type X = __import__('os')\nX.__value__",
    ],
)
def test_an_import_in_a_type_parameter_is_found(source: str) -> None:
    assert messages("forbidden imports", source, names=["os"])


KEPT = {
    "a call": 'load = __import__\nload("math")',
    "the module itself": "import sys\nhere = sys.modules[__name__]",
    "the module of a class": "import sys\nclass C: pass\nhere = sys.modules[C.__module__]",
    "whether a module is there": 'import sys\nprint("numpy" in sys.modules)',
    "own": "def __import__(name): pass\nprint(__import__)",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_imports_may_be_called_and_asked(name: str) -> None:
    assert checked("forbidden imports", KEPT[name], names=["os"]) == ([], [])


@SINCE_312
@pytest.mark.parametrize(
    "source",
    [
        "def f(n):\n    def g[T: f(n - 1)](x): return x\n    return g.__type_params__[0].__bound__",
        "def f(n):\n    class C[T: f(n - 1)]: pass\n    return C.__type_params__[0].__bound__",
        "def f(n):\n    type X = f(n - 1)\n    return X.__value__",
        "type X = f(1)\ndef f(n):\n    return X.__value__",
    ],
)
def test_recursion_by_what_is_evaluated_later_is_found(source: str) -> None:
    found, undecided = checked("no recursion", source)
    assert found or undecided
    assert messages("required recursion", source, functions=["f"])


@SINCE_312
def test_honest_type_parameters_break_no_rule() -> None:
    source = """
        type Row[T: int] = list[T]
        class Stack[T]:
            def __init__(self) -> None: self.items: list[T] = []
            def push(self, item: T) -> None: self.items.append(item)
        def first[T: (int, str)](xs: Row[T]) -> T: return xs[0]
    """
    assert checked("no recursion", source) == ([], [])
    assert checked("no globals", source) == ([], [])
    assert checked("forbidden names", source, names=["eval", "list", "set"]) == ([], [])
    assert checked("allowed imports", source, names=["math"]) == ([], [])


@pytest.mark.parametrize(
    ("kind", "annotation", "options"),
    [
        ("required recursion", "f(n - 1)", {}),
        ("required constructs", "[i for i in n]", {"constructs": ["list comprehension"]}),
        ("required constructs", "(lambda: 1)", {"constructs": ["lambda"]}),
    ],
)
@pytest.mark.parametrize("rest", ["", " = 3"])
def test_an_annotation_of_a_local_variable_never_runs(
    kind: str, annotation: str, options: dict[str, list[str]], rest: str
) -> None:
    source = f"def f(n):\n    x: {annotation}{rest}\n    return n"
    assert messages(kind, source, functions=["f"], **options)


def test_a_local_variable_with_an_annotation_runs_its_value() -> None:
    source = "def f(n):\n    x: int = f(n - 1)\n    return x"
    assert not messages("required recursion", source, functions=["f"])

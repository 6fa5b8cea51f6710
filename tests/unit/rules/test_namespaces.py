"""The names of a module that matters can be looked up, not handed on: whoever has all can take any."""

import pytest
from support.rule_sources import checked, messages

HANDED_ON = {
    "dict": 'dict(vars(builtins))["ev" + "al"]',
    "items": '[v for k, v in builtins.__dict__.items() if k == "ev" + "al"][0]',
    "unpacked": '{**vars(builtins)}["ev" + "al"]',
    "copied": 'vars(builtins).copy()["ev" + "al"]',
    "values": "[*vars(builtins).values()]",
    "united": "vars(builtins) | {}",
    "a method handed on": 'list(map(vars(builtins).get, ["ev" + "al"]))',
    "in a tuple": '(vars(builtins),)[0]["ev" + "al"]',
    "to a function": "f(vars(builtins))",
    "as arguments": "f(**vars(builtins))",
    "by a name": "n = vars(builtins)\nf(n)",
    "by two names": "n = builtins.__dict__\nm = n\nm.popitem()",
    "chosen": "f(vars(builtins) if f else {})",
    "text for the key of one's own": 'globals().get("__buil" + "tins__")',
    "getter": 'import operator\noperator.attrgetter("__buil" + "tins__")(f)',
    "entry point": 'from importlib.metadata import EntryPoint\nEntryPoint("a", "builtins:eval", "g").load()',
    "a text annotation": 'import inspect\ndef h(x: "eval"): pass\ninspect.signature(h, eval_str=True)',
}
BY_A_CLASS = {
    "a module": "class A:\n    b = builtins\nA.b.eval('1')",
    "all names": "class A:\n    d = vars(builtins)\nA.d['ev' + 'al']",
    "annotated": "class A:\n    b: object = builtins\nA.b.eval('1')",
    "an import": "class A:\n    import builtins as b\nA.b.eval('1')",
    "an enum": "from enum import Enum\nclass A(Enum):\n    b = builtins\nA.b.value.eval('1')",
    "a debugger": "breakpoint()",
    "a dispatcher": (
        "from functools import singledispatch\n@singledispatch\ndef g(x): pass\n"
        "@g.register\ndef _(x: 'eval(1)'): pass"
    ),
    "joined": 'globals()["".join(["__buil", "tins__"])]["eval"]',
    "the table of modules": 'import sys\nsys.modules.get("buil" + "tins").eval("1")',
}
DOUBTFUL = {
    "a computed name": "globals()[f(1)]",
    "a formatter": "import string\nstring.Formatter().get_field('0', (1,), {})",
    "all objects": "import gc\ngc.get_objects()",
    "a frame": "import inspect\ninspect.currentframe()",
    "items": "[v for k, v in globals().items()]",
    "copy": "globals().copy()",
    "dict": "dict(globals())",
    "unpacked": "{**globals()}",
    "members": "import inspect\ninspect.getmembers(f)",
    "profile": "import sys\nsys.setprofile(f)",
}
HONEST = {
    "a constant of a class": "class A:\n    size = 3\n    names = 'a', 'b'\nprint(A.size)",
    "a module of no matter": "import math\nclass A:\n    m = math\nprint(A.m.pi)",
    "texts joined": "print(', '.join(['a', 'b']))",
    "a name": 'vars(builtins)["abs"](-1)',
    "asked for": 'vars(builtins).get("abs")',
    "contained": '"abs" in vars(builtins)',
    "listed": "sorted(vars(builtins))",
    "names": "for name in vars(builtins):\n    print(name)",
    "another module": "import math\ndict(vars(math))",
    "an object": "class C: pass\ndict(vars(C()))",
    "own functions": 'globals()["f"](1)',
    "own name": 'globals().get("f")',
    "timed": 'import timeit\ntimeit.timeit("f(1)", globals=globals())',
    "a text": 'print("__builtins__ is a name" + "!")',
    "quoted types": 'def h(x: "list[int]", y: "str" = "eval") -> "None": pass',
    "literal": 'from typing import Literal\ndef h(mode: Literal["eval", "open"]): pass',
}
HEAD = "import builtins\ndef f(*args, **names): pass\n"


@pytest.mark.parametrize("name", HANDED_ON)
def test_all_names_of_the_built_ins_are_handed_on(name: str) -> None:
    assert messages("forbidden names", HEAD + HANDED_ON[name], names=["eval"])


@pytest.mark.parametrize("name", BY_A_CLASS)
def test_other_ways_to_the_built_ins_are_seen(name: str) -> None:
    assert messages("forbidden names", HEAD + BY_A_CLASS[name], names=["eval"])


@pytest.mark.parametrize("name", DOUBTFUL)
def test_all_names_of_ones_own_are_a_doubt(name: str) -> None:
    found, undecided = checked("forbidden names", HEAD + DOUBTFUL[name], names=["eval"])
    assert not found
    assert undecided


@pytest.mark.parametrize("name", HONEST)
def test_looking_at_names_hands_nothing_on(name: str) -> None:
    assert messages("forbidden names", HEAD + HONEST[name], names=["eval", "open"]) == []


def test_the_table_of_modules_is_not_handed_on() -> None:
    way = 'import sys\ndict(vars(sys))["mod" + "ules"]["o" + "s"]'
    for rule in ("forbidden imports", "allowed imports"):
        assert messages(rule, way, names=["os"] if rule == "forbidden imports" else ["sys"])
    assert (
        messages("forbidden imports", "import sys\nprint(vars(sys)['argv'], file=sys.stderr)", names=["os"])
        == []
    )

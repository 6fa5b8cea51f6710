"""Built-in names behind names of the module's own, and behind a module that is handed on."""

import pytest
from support.rule_sources import messages

REACHED = {
    "attrgetter": "import builtins, operator\nprint(operator.attrgetter('sum')(builtins)([1]))",
    "methodcaller": (
        "import builtins\nfrom operator import methodcaller\nprint(methodcaller('sum', [1])(builtins))"
    ),
    "match": "import builtins\nmatch builtins:\n    case object(sum=s): pass\nprint(s([1]))",
    "alias match": "import builtins as b\nc = b\nmatch c:\n    case object(sum=s): pass\n",
    "shadow getattr": (
        "import builtins, operator\ndef getattr(m, n): return operator.attrgetter(n)(m)\n"
        "getattr(builtins, 'su' + chr(109))([1])"
    ),
    "sys.modules": "import sys, operator\noperator.attrgetter('sum')(sys.modules['builtins'])",
    "import_module": (
        "import importlib, operator\noperator.attrgetter('sum')(importlib.import_module('builtins'))"
    ),
    "list": "import builtins\nx = [builtins][0]\nx.sum([1])",
    "function": "import builtins\ndef f(m): return m.sum([1])\nf(builtins)",
    "return": "import builtins\ndef f(): return builtins\nf().sum([1])",
    "deleted": "def sum(x): return 0\ndel sum\ndef f(x): return sum(x)",
    "false": "if False:\n    def sum(x): return 0\ndef f(x): return sum(x)",
    "condition": (
        "import random\nif random.random() > 2:\n    def sum(x): return 0\ndef f(x): return sum(x)"
    ),
    "except as": "try:\n    1/0\nexcept ZeroDivisionError as sum:\n    pass\ndef f(x): return sum(x)",
    "except as 2": "try:\n    pass\nexcept ZeroDivisionError as sum:\n    pass\ndef f(x): return sum(x)",
    "before": "print(sum([1]))\ndef sum(x): return 0",
    "before by call": "def f(x): return sum(x)\nprint(f([1]))\ndef sum(x): return 0",
    "for empty": "for sum in []: pass\ndef f(x): return sum(x)",
    "while": "while False:\n    sum = 1\ndef f(x): return sum(x)",
    "annotation": "sum: int\ndef f(x): return sum(x)",
    "global": "def g():\n    global sum\n    sum = 3\ndef f(x): return sum(x)",
    "global del": (
        "def sum(x): return 0\ndef g():\n    global sum\n    del sum\ng()\ndef f(x): return sum(x)"
    ),
    "globals pop": "def sum(x): return 0\nglobals().pop('sum')\ndef f(x): return sum(x)",
    "self del": "import one\ndef sum(x): return 0\ndel one.sum\ndef f(x): return sum(x)",
    "class": "class A:\n    x = sum([1])\n    sum = 3",
    "class false": "class A:\n    if 0: sum = 3\n    x = sum([1])",
    "exec in function": "def f(x):\n    exec('sum = 1')\n    return sum(x)",
    "suppress": (
        "from contextlib import suppress\nwith suppress(ValueError):\n"
        "    raise ValueError\n    sum = 1\ndef f(x): return sum(x)"
    ),
    "suppress 2": (
        "from contextlib import suppress\nwith suppress(ValueError):\n"
        "    int('x')\n    sum = 1\ndef f(x): return sum(x)"
    ),
    "try": "try:\n    int('x')\n    def sum(x): return 0\nexcept ValueError: pass\ndef f(x): return sum(x)",
    "match bind": "match 3:\n    case int(sum) if False: pass\ndef f(x): return sum(x)",
    "walrus": "False and (sum := 3)\ndef f(x): return sum(x)",
    "alias": "if 0: sum = 1\ns = sum\ns([1])",
    "plain": "sum([1])",
    "decorator": "def deco(f):\n    f([1]); return f\n@deco\ndef f(x): return sum(x)\ndef sum(x): return 0",
}
OWN = {
    "own": "def sum(x): return 0\nprint(sum([1]))\ndef f(x): return sum(x)",
    "later": "def f(x): return sum(x)\ndef sum(x): return 0\nprint(f([1]))",
    "if else": (
        "import sys\nif sys.version_info > (3, 9):\n    def sum(x): return 0\n"
        "else:\n    def sum(x): return 1\ndef f(x): return sum(x)"
    ),
    "local": "def f(x):\n    sum = 0\n    for i in x:\n        sum += i\n    return sum",
    "local cond": "def f(x):\n    if x: sum = 0\n    return sum",
    "param": "def f(sum): return sum + 1",
    "loop body": "for sum in [1]:\n    print(sum)",
    "file": "with open('x') as f:\n    sum = 0\n    for l in f: sum += int(l)\nprint(sum)",
    "method": "class A:\n    def sum(self): return 1\n    def g(self): return self.sum()",
    "field": "class A:\n    sum: int = 0\n    def g(self): return self.sum",
    "main": "def main():\n    sum = 0\n    return sum\nif __name__ == '__main__':\n    print(main())",
    "builtins read": "import builtins\nprint(builtins.len([1]))",
    "alias": "import builtins as b\nc = b\nprint(c.len([1]), dir(b), getattr(b, 'len'))",
    "try import": (
        "try:\n    from h import sum\nexcept ImportError:\n    def sum(x): return 0\nprint(sum([1]))"
    ),
    "main script": "sum = 0\nfor i in range(3):\n    sum += i\nprint(sum)",
    "while script": "sum = 0\nwhile sum < 3:\n    sum = sum + 1\nprint(sum)",
    "nested": "def f():\n    def sum(x): return 0\n    return sum([1])",
    "docstring": "'''uses sum'''\nx = 'sum'",
    "local except": "def f():\n    try: g()\n    except ValueError as sum: print(sum)",
    "comprehension": "print([sum for sum in range(3)])",
}


@pytest.mark.parametrize("way", REACHED)
def test_a_built_in_that_can_be_reached_is_found(way: str) -> None:
    assert messages("forbidden names", REACHED[way], names=["sum"])


@pytest.mark.parametrize("way", OWN)
def test_a_name_that_the_program_surely_binds_is_its_own(way: str) -> None:
    assert messages("forbidden names", OWN[way], names=["sum"]) == []


def test_a_module_with_a_forbidden_function_is_not_handed_on() -> None:
    text = "import os, operator\noperator.attrgetter('system')(os)('ls')"
    assert messages("forbidden names", text, names=["os.system"])
    assert messages("forbidden names", "import os\nprint(os.getcwd())", names=["os.system"]) == []


def test_an_importer_under_a_condition_is_the_built_in() -> None:
    text = "if False:\n    def __import__(name): pass\n__import__('os')"
    assert messages("forbidden imports", text, names=["os"])


def test_a_sum_of_ones_own_is_no_built_in() -> None:
    text = "def total(x):\n    sum = 0\n    for i in x:\n        sum = sum + i\n    return sum"
    assert messages("forbidden names", text, names=["sum"]) == []

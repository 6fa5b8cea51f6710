"""What must be used: where it counts, and where it only stands."""

import pytest
from support.rule_sources import checked, findings, messages

from grader.rules.program import check

LOOP = {"constructs": ["loop"], "functions": ["total"]}
RECURSION = {"functions": ["total"]}

LOOPS = {
    "in it": "def total(x):\n    for y in x: pass\n",
    "in what it calls": "def total(x): return part(x)\ndef part(x):\n    while x: x -= 1\n",
    "two calls away": "def total(x): return a(x)\ndef a(x): return b(x)\ndef b(x):\n    for y in x: pass\n",
    "in a method": """
        class A:
            def go(self):
                for y in (1,): pass
        def total(x): return A().go()
        """,
    "in a nested function that is called": """
        def total(x):
            def inner():
                for y in x: pass
            return inner()
        """,
    "in a nested function that is returned": """
        def total(x):
            def inner():
                for y in x: pass
            return inner
        """,
    "in a key function": """
        def total(x):
            def inner(y):
                for z in y: pass
            return sorted(x, key=inner)
        """,
    "after an if that may return": "def total(x):\n    if x: return 1\n    for y in x: pass\n",
    "in a branch that runs": "def total(x):\n    if True:\n        for y in x: pass\n",
    "decorated": "import functools\n@functools.cache\ndef total(x):\n    for y in x: pass\n",
    "a lambda's name": "def loop(x):\n    for y in x: pass\ntotal = lambda x: loop(x)\n",
    "an alias": "def loop(x):\n    for y in x: pass\ntotal = loop\n",
    "the last definition": "def total(x): return x\ndef total(x):\n    for y in x: pass\n",
    "after a loop with a break": "def total(x):\n    while True: break\n    return x\n",
    "of a flag that changes": "def total(x):\n    go = True\n    while go:\n        go = False\n",
}
NO_LOOPS = {
    "no loop": "def total(x): return sum(x)\n",
    "after return": "def total(x):\n    return sum(x)\n    for y in x: pass\n",
    "after raise": "def total(x):\n    raise ValueError\n    for y in x: pass\n",
    "after both branches return": """
        def total(x):
            if x: return 1
            else: return 2
            for y in x: pass
        """,
    "after try that returns": """
        def total(x):
            try: return 1
            except ValueError: return 2
            for y in x: pass
        """,
    "if False": "def total(x):\n    if False:\n        for y in x: pass\n    return 1\n",
    "if not True": "def total(x):\n    if not True or 0:\n        for y in x: pass\n    return 1\n",
    "if 1 > 2": "def total(x):\n    if 1 > 2:\n        for y in x: pass\n    return 1\n",
    "a constant": "DEBUG = False\ndef total(x):\n    if DEBUG:\n        for y in x: pass\n    return 1\n",
    "else of a true test": "def total(x):\n    if 1: return 1\n    else:\n        for y in x: pass\n",
    "while False": "def total(x):\n    while False: pass\n    return 1\n",
    "over nothing": "def total(x):\n    for y in []: pass\n    for y in range(0): pass\n    return 1\n",
    "in a nested function": "def total(x):\n    def inner():\n        for y in x: pass\n    return 1\n",
    "in a nested function that is called in dead code": """
        def total(x):
            def inner():
                for y in x: pass
            return 1
            inner()
        """,
    "in a nested function that is named": """
        def total(x):
            def inner():
                for y in x: pass
            inner
            return 1
        """,
    "in a nested function of its name": """
        def total(x): return 1
        def other():
            def total(x):
                for y in x: pass
        """,
    "in a function beside it": "def total(x): return 1\ndef other(x):\n    for y in x: pass\n",
    "in a function that is printed": "def total(x): print(other)\ndef other(x):\n    for y in x: pass\n",
    "in a default that nobody calls": "def other():\n    for y in x: pass\ndef total(x, f=other): return 1\n",
    "in an earlier definition": "def total(x):\n    for y in x: pass\ndef total(x): return 1\n",
    "in an earlier definition of what it calls": """
        def part(x):
            for y in x: pass
        def part(x): return 1
        def total(x): return part(x)
        """,
    "in a class that is not made": """
        class A:
            def go(self):
                for y in (1,): pass
        def total(x): return A
        """,
    "in a text": "def total(x):\n    exec('for y in (): pass')\n    return 1\n",
    "in a string": "def total(x):\n    'for y in x: pass'\n    return 1\n",
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_counts_where_the_function_reaches_it(name: str) -> None:
    assert messages("required constructs", LOOPS[name], **LOOP) == []


@pytest.mark.parametrize("name", NO_LOOPS)
def test_a_loop_does_not_count_where_it_only_stands(name: str) -> None:
    (message,) = messages("required constructs", NO_LOOPS[name], **LOOP)
    assert message.startswith("`loop` is missing in `total`")


def test_the_message_tells_where_it_was_looked_for_and_what_does_not_count() -> None:
    source = "def total(x):\n    return part(x)\n    for y in x: pass\ndef part(x): return x\n"
    assert findings("required constructs", source, **LOOP) == [
        (
            "one", 1,
            "`loop` is missing in `total`, and in what it calls: `part`; the one on line 3 is never reached",
        )
    ]  # fmt: skip


RECURSIVE = {
    "itself": "def total(x): return total(x[1:]) if x else 0\n",
    "by way of another": "def total(x): return part(x)\ndef part(x): return total(x[1:]) if x else 0\n",
    "a helper that is recursive": """
        def total(x): return go(x, 0)
        def go(x, n): return go(x[1:], n + 1) if x else n
        """,
    "a nested helper": "def total(x):\n    def go(n): return go(n - 1) if n else 0\n    return go(5)\n",
    "map": "def total(x): return sum(map(total, x)) if isinstance(x, list) else x\n",
    "cached": "from functools import cache\n@cache\ndef total(n): return n if n < 2 else total(n - 1)\n",
    "a lambda": "total = lambda n: n * total(n - 1) if n else 1\n",
    "a method": "class A:\n    def total(self, n): return self.total(n - 1) if n else 0\n",
    "a generator": "def total(t):\n    for x in t: yield from total(x)\n",
}
FLAT = {
    "after an endless loop": "def total(x):\n    while True: x += 1\n    return total(x)\n",
    "a loop": "def total(x):\n    for y in x: pass\n    return 0\n",
    "dead call": "def total(x):\n    return sum(x)\n    return total(x)\n",
    "if False": "def total(x):\n    if False: total(x)\n    return sum(x)\n",
    "and": "def total(x):\n    return sum(x) if True or total(x) else 0\n",
    "short circuit": "def total(x):\n    False and total(x)\n    return sum(x)\n",
    "handed over": "def total(x):\n    print(total)\n    dict(key=total)\n    return sum(x)\n",
    "nested, not called": "def total(x):\n    def go(n): return go(n)\n    return sum(x)\n",
    "named alike": "def total(x):\n    def total(y): return 0\n    return total(x)\n",
    "another one is": "def total(x): return sum(x)\ndef other(x): return other(x)\n",
    "calls of others": "class A:\n    def total(self): return 0\ndef total(x): return x.total()\n",
    "made, not run": "def total(x):\n    f = lambda: total(x)\n    return sum(x)\n",
    "overwritten": "def total(x): return total(x)\ndef total(x): return sum(x)\n",
    "parameter of its name": "def total(total): return total()\n",
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_is_seen(name: str) -> None:
    assert messages("required recursion", RECURSIVE[name], **RECURSION) == []


@pytest.mark.parametrize("name", FLAT)
def test_what_never_calls_itself_is_no_recursion(name: str) -> None:
    (message,) = messages("required recursion", FLAT[name], **RECURSION)
    assert message.startswith("`total` does not call itself")


def test_a_call_that_is_never_reached_is_told() -> None:
    assert findings("required recursion", FLAT["dead call"], **RECURSION) == [
        ("one", 1, "`total` does not call itself; the call on line 3 is never reached")
    ]


def test_without_functions_any_recursion_of_the_module_will_do() -> None:
    assert messages("required recursion", FLAT["another one is"], functions=[]) == []
    assert messages("required recursion", FLAT["a loop"], functions=[]) == ["no function calls itself"]


def test_a_function_that_is_not_there_is_told() -> None:
    assert messages("required recursion", "x = 1\n", functions=["f", "A.f"]) == [
        "there is no function `A.f`", "there is no function `f`",
    ]  # fmt: skip


def test_a_method_is_named_with_its_class() -> None:
    source = """
        class A:
            def go(self): return self.go()
        class B:
            def go(self): return 1
        """
    assert messages("required recursion", source, functions=["A.go"]) == []
    assert messages("required recursion", source, functions=["go"]) == ["`go` does not call itself"]


def test_a_class_is_required_where_an_object_of_it_is_made() -> None:
    options = {"constructs": ["class"], "functions": ["total"]}
    assert messages("required constructs", "class A: pass\ndef total(): return A()\n", **options) == []
    assert messages("required constructs", "class A: pass\ndef total(): return 1\n", **options)


def test_calls_are_followed_into_other_files() -> None:
    two = "def part(x):\n    for y in x: pass\n    return part(x)\n"
    for one in ("from two import part\ndef total(x): return part(x)\n", "import two\ntotal = two.part\n"):
        rules = [
            ("required constructs", ["one"], False, LOOP), ("required recursion", ["one"], False, RECURSION),
        ]  # fmt: skip
        _, _, _, reports = check({"one": ("one.py", one), "two": ("two.py", two)}, rules)
        assert [report[0] for report in reports] == [[], []]
        assert all(report[3] == ["one"] for report in reports)


MAYBE_RECURSIVE = {
    "a tree": """
        class Tree:
            def __init__(self, value, left=None):
                self.value, self.left = value, left
            def add(self):
                return self.value + (self.left.add() if self.left else 0)
        def total(x):
            tree = None
            for each in x: tree = Tree(each, tree)
            return tree.add()
        """,
    "its branches": """
        class Tree:
            def __init__(self, label, branches):
                self.label, self.branches = label, list(branches)
            def add(self):
                return self.label + sum(branch.add() for branch in self.branches)
        def total(x): return Tree(x, []).add()
        """,
    "leaves and branches": """
        class Leaf:
            def add(self): return 1
        class Branch:
            def __init__(self, left, right): self.left, self.right = left, right
            def add(self): return self.left.add() + self.right.add()
        def build(x): return Branch(Leaf(), Leaf()) if x else Leaf()
        def total(x): return build(x).add()
        """,
    "of two classes": """
        class Leaf:
            def add(self): return 1
        class Branch:
            def add(self):
                part = Leaf() if self.left else Branch()
                return part.add()
        def total(x): return Branch().add()
        """,
}


@pytest.mark.parametrize("name", MAYBE_RECURSIVE)
def test_recursion_by_objects_of_unknown_class_is_left_to_a_person(name: str) -> None:
    for functions in (["total"], []):
        broken, undecided = checked("required recursion", MAYBE_RECURSIVE[name], functions=functions)
        assert broken == []
        (message,) = {text for _, _, text in undecided}
        assert message.endswith(", by which it may come to call itself")


def test_a_call_of_another_kind_of_object_is_no_recursion() -> None:
    source = """
        class Stack:
            def __init__(self): self.items = []
            def pop(self): return self.items.pop()
        def total(x):
            stack = Stack()
            while x: stack.pop()
            return x.add()
        """
    assert len(messages("required recursion", source, **RECURSION)) == 1
    assert len(messages("required recursion", source, functions=[])) == 1


def test_a_construct_in_a_method_of_an_unknown_object_is_left_to_a_person() -> None:
    source = """
        class Tree:
            def add(self):
                for y in (1,): pass
        def build(x): return Tree() if x else None
        def total(x): return build(x).add()
        """
    broken, undecided = checked("required constructs", source, **LOOP)
    assert broken == []
    assert undecided == [("one", 6, "`loop` stands in `Tree.add`, which `total` may come to call")]
    assert messages("required constructs", source, constructs=["while"], functions=["total"])


BOUND_MORE_THAN_ONCE = {
    "memo": "def memo(g):\n    def inner(n):\n        return g(n)\n    return inner\nDEF\nf = memo(f)\n",
    "cache": "from functools import lru_cache\nDEF\nf = lru_cache(None)(f)\n",
    "by version": (
        "import sys\nif sys.version_info >= (3, 8):\n    def f(n):\n        return n and n + f(n - 1)\n"
        "else:\n    def f(n):\n        return f(n - 1) + n if n else 0\n"
    ),
}
DEFINED_BEFORE = {
    "overload": "from typing import overload\n@overload\ndef f(n: int) -> int: ...\n",
    "a first try": "def f(n):\n    return n * (n + 1) // 2\n",
    "a stub": "def f(n): ...\n",
}
RECURSIVE_F = "def f(n):\n    if n == 0:\n        return 0\n    return n + f(n - 1)"


@pytest.mark.parametrize("name", BOUND_MORE_THAN_ONCE)
@pytest.mark.parametrize("functions", [[], ["f"]])
def test_a_recursive_function_whose_name_is_bound_twice_is_left_to_a_person(
    name: str, functions: list[str]
) -> None:
    source = BOUND_MORE_THAN_ONCE[name].replace("DEF", RECURSIVE_F)
    found, undecided = checked("required recursion", source, functions=functions)
    assert not found
    assert undecided


@pytest.mark.parametrize("name", DEFINED_BEFORE)
@pytest.mark.parametrize("functions", [[], ["f"]])
def test_the_last_definition_of_a_name_is_the_one_that_it_calls(name: str, functions: list[str]) -> None:
    source = f"{DEFINED_BEFORE[name]}{RECURSIVE_F}\n"
    assert checked("required recursion", source, functions=functions) == ([], [])
    other_way_round = f"{RECURSIVE_F}\ndef f(n):\n    return n * (n + 1) // 2\n"
    assert messages("required recursion", other_way_round, functions=["f"])


@pytest.mark.parametrize("name", ["memo", "cache"])
def test_what_stands_in_a_function_that_something_is_made_of_is_left_to_a_person(name: str) -> None:
    source = BOUND_MORE_THAN_ONCE[name].replace("DEF", RECURSIVE_F)
    found, undecided = checked("required constructs", source, constructs=["if"], functions=["f"])
    assert not found
    assert undecided
    assert messages("required constructs", source, constructs=["while"], functions=["f"])


@pytest.mark.parametrize(
    "source",
    [
        f"{RECURSIVE_F}\nf = lambda n: n * (n + 1) // 2\n",
        "def f(n):\n    return n\ndef f(n):\n    return sum(range(n + 1))\n",
        "def memo(g):\n    return g\ndef f(n):\n    return sum(range(n + 1))\nf = memo(f)\n",
    ],
)
def test_a_loop_is_no_recursion_however_often_its_name_is_bound(source: str) -> None:
    assert messages("required recursion", source, functions=["f"])


def test_a_call_in_a_function_within_is_not_said_to_be_never_reached() -> None:
    source = "def f(n):\n    return {True: lambda: 0, False: lambda: n + f(n - 1)}[n == 0]()\n"
    assert not any(
        "never reached" in each for each in messages("required recursion", source, functions=["f"])
    )


def test_a_function_that_dispatches_to_one_that_calls_it_is_left_to_a_person() -> None:
    source = (
        "from functools import singledispatch\n@singledispatch\ndef f(x):\n    return x\n"
        "@f.register\ndef _(x: list):\n    return sum(f(y) for y in x)\n"
    )
    found, undecided = checked("required recursion", source, functions=["f"])
    assert not found
    assert undecided


@pytest.mark.parametrize("rule", ["required recursion", "required constructs"])
def test_the_part_for_the_program_binds_nothing_where_a_module_is_imported(rule: str) -> None:
    source = f"{RECURSIVE_F}\nif __name__ == '__main__':\n    for f in [f(3)]:\n        print(f)\n"
    options = {} if rule == "required recursion" else {"constructs": ["if"]}
    found, _ = checked(rule, source, functions=["f"], **options)
    assert not found

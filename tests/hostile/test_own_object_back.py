"""A program that hands the test's own object back where the reference has data proves nothing by it.

The test believes the word of an object that it made itself.  So whatever way such an object comes back by, as
a member, as the answer of an alias, or as an item, it is no answer there.
"""

import textwrap
from pathlib import Path

import pytest
from support.marking import mark, question, verdicts

TESTS = """
import pytest
from work import Full, Stack, fill, last, ranking, summary, total, watched
@pytest.mark.parametrize("n", [1, 1000])
def test_member(n): assert Stack([n]).pop() == n
def test_two():
    assert Stack([7]).pop() == 7 and Stack([8]).size() == 1
def test_chain(): assert Stack().push(1).push(2).size() == 2
def test_pops():
    s = Stack()
    s.push(3)
    s.push(5)
    assert s.pop() == 5
    assert s.size() == 1
def test_alias():
    s = Stack([5])
    assert last([s]) is s
    assert total([s]) == 5
def test_items(): assert list(Stack([7])) == [7]
def test_generator(): assert next(Stack([1, 4]).evens()) == 4
def test_list_of_generator(): assert list(Stack([2]).evens()) == [2]
def test_pairs():
    for a, b in Stack([1, 2]).pairs():
        assert a == 1 and b == 2
def test_loop():
    for x in Stack([3]).squares(): assert x == 9
def test_sorted(): assert sorted(Stack([3]).squares()) == [9]
def test_beside_data():
    a, b = Stack([5]), Stack([3])
    assert ranking([a, b]) == [(a, 5), (b, 3)]
    assert summary([a, b])["best"] is a
    assert summary([a, b])["total"] == 8
def test_told():
    seen = []
    watched(Stack([5]), lambda stack, number: seen.append(number))
    assert seen == [5]
def test_raised():
    with pytest.raises(Full) as info: fill(Stack([5]))
    assert info.value.args[1] == 5
"""
RIGHT = """
class Stack:
    def __init__(self, items=()): self.items = list(items)
    def __iter__(self): return iter(self.items)
    def push(self, x): self.items.append(x); return self
    def pop(self): return self.items.pop()
    def size(self): return len(self.items)
    def evens(self): return (x for x in self.items if x % 2 == 0)
    def pairs(self): return list(zip(self.items, self.items[1:]))
    def squares(self): return [x * x for x in self.items]
    def __eq__(self, other): return isinstance(other, Stack) and self.items == other.items
def last(stacks): return stacks[-1]
def total(stacks): return sum(sum(each.items) for each in stacks)
class Full(Exception): pass
def fill(stack): raise Full(stack, total([stack]))
def ranking(stacks): return [(each, total([each])) for each in stacks]
def summary(stacks): return {"best": stacks[0], "total": total(stacks)}
def watched(stack, visit): visit(stack, total([stack]))
"""
LIES = """
    def __eq__(self, other): return isinstance(other, (int, Stack))
    def __radd__(self, other): return self
    def __hash__(self): return 1
def last(stacks): return stacks[-1]
total = last
class Full(Exception): pass
def fill(stack): raise Full(stack, stack)
def ranking(stacks): return [(each, each) for each in stacks]
def summary(stacks): return {"best": stacks[0], "total": stacks[0]}
def watched(stack, visit): visit(stack, stack)
"""
LIARS = {
    "a member that is the object": """
class Stack:
    def __init__(self, *_): self.push = self.pop = self.size = self.evens = self.pairs = self.squares = self
    def __call__(self, *_): return self
    def __iter__(self): self.left = 1; return self
    def __next__(self):
        self.left -= 1
        if self.left < 0: raise StopIteration
        return self
""",
    "any name": """
class Stack:
    def __init__(self, *_): pass
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return self
    def __call__(self, *_): return self
    def __iter__(self): yield self
""",
    "one function": """
class Stack:
    def __init__(self, *_):
        def me(*_): return self
        self.push = self.pop = self.size = self.evens = self.pairs = self.squares = me
    def __iter__(self): return iter({self: 1}.keys())
""",
    "a generator": """
class Stack:
    def __init__(self, *_): pass
    def push(self, *_): return self
    pop = size = push
    def __iter__(self): return iter(self.squares())
    def evens(self): yield self
    def squares(self): return {self: 1}.keys()
    def pairs(self): return {self: self}.items()
""",
}


def found(folder: Path, work: str, tests: str = TESTS, reference: str = RIGHT) -> set[str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(textwrap.dedent(tests))
    return {
        *verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=reference)).values()
    }


@pytest.mark.parametrize("liar", LIARS)
def test_the_tests_own_object_is_no_answer(tmp_path: Path, liar: str) -> None:
    assert found(tmp_path, LIARS[liar] + LIES) <= {"wrong-answer", "exception"}


FLUENT = """
from work import Vec
def test_returned(): assert Vec(1, 2).scaled(3) == (3, 6)
def test_in_place():
    v = Vec(1, 2)
    v += Vec(1, 1)
    assert v == (2, 3)
def test_short_cut():
    v, one = Vec(1, 2), Vec(1, 1)
    assert (v * one)(2) == 5 and v(Vec(0, 1))(2) == 4
"""
VEC = """
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, o): return (self.x, self.y) == (o if isinstance(o, tuple) else (o.x, o.y))
    def __call__(self, z):
        return Vec(self.y * z.x, self.y * z.y) if isinstance(z, Vec) else self.x + self.y * z
    def __mul__(self, o): return Vec(self.x * o.x, self.y * o.y)
"""
IN_PLACE = """
    def scaled(self, k): self.x *= k; self.y *= k; return self
    def __iadd__(self, o): self.x += o.x; self.y += o.y; return self
"""
NEW = """
    def scaled(self, k): return Vec(self.x * k, self.y * k)
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __mul__(self, o): return self if (o.x, o.y) == (1, 1) else Vec(self.x * o.x, self.y * o.y)
"""


def test_a_new_object_passes_where_the_reference_gives_itself_back(tmp_path: Path) -> None:
    assert found(tmp_path, VEC + NEW, FLUENT, VEC + IN_PLACE) == {"accepted"}


def test_an_object_with_two_names_for_a_method_passes(tmp_path: Path) -> None:
    """An honest alias, and an honest object that is its own iterator."""
    alias = """
class Stack(Stack):
    def __init__(self, items=()):
        super().__init__(items)
        self.size = self.__len__
    def __len__(self): return len(self.items)
    append = Stack.push
    push = append
    def __iter__(self):
        self.at = -1
        return self
    def __next__(self):
        self.at += 1
        if self.at == len(self.items): raise StopIteration
        return self.items[self.at]
"""
    assert found(tmp_path, RIGHT + alias) == {"accepted"}

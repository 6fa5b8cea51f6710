"""Lists between an instructor's tests and the program are shared as within one process.

Each side had a copy, so a work with the mistakes that tests of aliasing are written for passed them all.
"""

import textwrap
from pathlib import Path

from support.marking import by_tests, verdicts

TESTS = """
from work import Bag, Card, apply_all, by_age, clone, collect, flip, fresh, grid, lists, logged, perms
def test_rows_are_lists_of_their_own():
    g = grid(2, 2)
    g[0][0] = 1
    assert g == [[1, 0], [0, 0]]
    assert g[0] is not g[1]
def test_values_are_lists_of_their_own():
    d = lists(2)
    d[0].append(5)
    assert d == {0: [5], 1: []}
def test_a_copy_is_deep():
    m = [[1, 2], [3, 4]]
    c = clone(m)
    m[0][0] = 9
    assert c == [[1, 2], [3, 4]]
    assert c[1] is not m[1]
def test_a_getter_gives_a_copy():
    b = Bag([1])
    before = b.items()
    b.add(2)
    assert before == [1]
    b.items().append(3)
    assert b.total() == 3
def test_a_constructor_takes_a_copy():
    xs = [1, 2]
    b = Bag(xs)
    xs.append(3)
    assert b.total() == 3
    b.add(4)
    assert xs == [1, 2, 3]
def test_a_default_is_fresh():
    a = fresh(1)
    fresh(2)
    assert a == [1]
def test_a_generator_yields_lists_of_their_own():
    assert list(perms([1, 2])) == [[1, 2], [2, 1]]
def test_a_callback_is_given_lists_of_their_own():
    got = []
    collect(got.append, [1, 2])
    assert got == [[1], [1, 2]]
def test_a_loop_goes_over_a_copy():
    xs = [1, 2, 3]
    apply_all(xs, xs.remove)
    assert xs == []
def test_a_callback_and_the_program_write_one_list():
    log = []
    logged(log, log.append)
    assert log == ["begin", 1, "end"]
def test_rows_are_turned_in_place():
    m = [[1, 2], [3, 4]]
    row = m[0]
    flip(m)
    assert row == [2, 1]
def test_dicts_are_sorted():
    ada, bob = {"age": 36}, {"age": 5}
    assert by_age([ada, bob]) == [bob, ada]
    assert ada == {"age": 36}
def test_cards():
    hand = [Card(3)]
    b = Bag(hand)
    assert b.items()[0] is hand[0]
    assert {each.n for each in b.items()} == {3}
    assert Card(3) == 3
"""
RIGHT = """
from copy import deepcopy
class Card:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other
    def __hash__(self): return 1
class Bag:
    def __init__(self, xs): self.xs = list(xs)
    def items(self): return list(self.xs)
    def add(self, x): self.xs.append(x)
    def total(self): return sum(self.xs)
def grid(rows, columns): return [[0] * columns for _ in range(rows)]
def lists(n): return {each: [] for each in range(n)}
def clone(m): return deepcopy(m)
def fresh(x, xs=None):
    xs = [] if xs is None else xs
    xs.append(x)
    return xs
def perms(xs, at=0):
    if at == len(xs): yield xs[:]
    for each in range(at, len(xs)):
        xs[at], xs[each] = xs[each], xs[at]
        yield from perms(xs, at + 1)
        xs[at], xs[each] = xs[each], xs[at]
def collect(give, xs):
    for end in range(len(xs)): give(xs[:end + 1])
def apply_all(xs, f):
    for x in list(xs): f(x)
def logged(log, f):
    log.append("begin")
    f(1)
    log.append("end")
def flip(m):
    for row in m: row.reverse()
def by_age(people): return sorted(people, key=lambda each: each["age"])
"""
WRONG = {
    "[[0] * columns for _ in range(rows)]": "[[0] * columns] * rows",
    "{each: [] for each in range(n)}": "dict.fromkeys(range(n), [])",
    "deepcopy(m)": "m[:]",
    "list(xs)": "xs",
    "list(self.xs)": "self.xs",
    "fresh(x, xs=None)": "fresh(x, xs=[])",
    "yield xs[:]": "yield xs",
    "in list(xs): f(x)": "in xs: f(x)",
    'log.append("begin")': "log = log + ['begin']",
    "for row in m: row.reverse()": "m[:] = [row[::-1] for row in m]",
    "for end in range(len(xs)): give(xs[:end + 1])": "some = []\n    for x in xs: some.append(x); give(some)",
}


def found(folder: Path, work: str) -> dict[str, str]:
    return verdicts(by_tests(folder, textwrap.dedent(TESTS), work, RIGHT))


def test_a_right_work_passes(tmp_path: Path) -> None:
    own = "people.sort(key=lambda each: each['age'])\n    return people"
    work = RIGHT.replace("deepcopy(m)", "[row[:] for row in m]")
    work = work.replace('sorted(people, key=lambda each: each["age"])', own).replace(
        "by_age(people): return ", "by_age(people):\n    "
    )
    assert {*found(tmp_path, work).values()} == {"accepted"}


def test_a_work_that_shares_what_it_should_not_fails(tmp_path: Path) -> None:
    work = RIGHT
    for right, wrong in WRONG.items():
        work = work.replace(right, wrong)
    accepted = [name for name, verdict in found(tmp_path, work).items() if verdict == "accepted"]
    assert accepted == ["1.1.12", "1.1.13"], "these share nothing"


LIAR = """
class Yes:
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __add__(self, other): return 0
    __radd__ = __add__
class Card(Yes):
    def __init__(self, n): self.n = n
class Bag:
    def __init__(self, xs): self.xs = xs
    def items(self):
        self.xs[:] = [Yes()] * len(self.xs)
        return self.xs
    def add(self, x): self.xs[:] = [Yes()]
    def total(self): return Yes()
def grid(rows, columns): return [[Yes(), Yes()], [Yes(), Yes()]]
def lists(n): return {0: [Yes()], 1: []}
def clone(m):
    m[:] = [[Yes(), Yes()]] * 2
    return m
def fresh(x): return [Yes()]
def perms(xs):
    xs[:] = [Yes(), Yes()]
    yield xs
    yield xs
def collect(give, xs):
    some = []
    give(some)
    give(some)
    some[:] = [Yes()]
def apply_all(xs, f):
    xs[:] = [Yes()]
    f(xs[0])
def logged(log, f): log[:] = [Yes()] * 3
def flip(m): m[0][:] = [Yes(), Yes()]
def by_age(people):
    people[:] = [Yes(), Yes()]
    return people
"""


def test_objects_in_a_shared_list_are_no_data(tmp_path: Path) -> None:
    assert "accepted" not in found(tmp_path, LIAR).values()

"""What a callback, a loop or a thread of a test sees of a shared container, it sees as within one process.

`RIGHT` has works with other ways than the reference's; `WRONG` has the mistakes that each test is for.
"""

from pathlib import Path

import pytest
from support.marking import by_tests, verdicts

TESTS = """
from collections import OrderedDict
from threading import Lock, Thread
from work import (
    Board, Box, Card, Hand, Stock, by_key, columns, each_copy, each_row, hanoi, names, shelves, swapped,
    tap, told, unknown,
)
def test_shelves_are_lists_of_their_own():
    d = shelves(["a", "b"])
    d["a"].append(1)
    assert d == {"a": [1], "b": []}
def test_columns_are_lists_of_their_own():
    assert columns(2)[0] is not columns(2)[1]
    both = columns(2)
    both[0].append(1)
    assert list(both) == [[1], []]
def test_unknown_rows_are_lists_of_their_own():
    rows = unknown(2)
    rows[0][0] = 1.0
    assert rows[1][0] != 1.0
def test_a_callback_gets_the_rows():
    m, seen = [[1], [2]], []
    each_row(m, seen.append)
    assert seen[0] is m[0]
    assert seen[1] is m[1]
def test_a_callback_gets_copies():
    m, seen = [[1], [2]], []
    each_copy(m, seen.append)
    m[0].append(9)
    assert seen == [[1], [2]]
def test_a_callback_gets_the_list():
    xs, said = [1], []
    tap(xs, lambda ys: said.append(ys is xs))
    assert said == [True]
def test_a_callback_changes_the_list_and_fails():
    xs = [1]
    def full(ys):
        ys.append(2)
        raise KeyError
    assert tap(xs, full) == 2
def test_many_dicts_are_sorted_by_a_key():
    people = [{"name": str(i), "age": i * 7 % 40} for i in range(40)]
    assert [each["age"] for each in by_key(people, lambda p: p["age"])] == list(range(40))
def test_a_loop_goes_on_while_values_change():
    stock = OrderedDict(a=1, b=2)
    store = Stock(stock)
    for name in stock:
        store.add(name, 1)
    assert stock == {"a": 2, "b": 3}
def test_values_change_while_names_are_given():
    stock = {"x": 0, "a": 1, "b": 2}
    del stock["x"]
    for name in names(stock):
        stock[name] = 0
    assert stock == {"a": 0, "b": 0}
def test_threads_give_one_list():
    box, out = Box(), []
    threads = [Thread(target=box.put, args=(out,)) for _ in range(8)]
    for each in threads: each.start()
    for each in threads: each.join()
    assert sorted(out) == list(range(8))
def test_a_callback_sees_each_move():
    pegs, seen = [[2, 1], [], []], []
    hanoi(2, pegs, lambda: seen.append([len(peg) for peg in pegs]))
    assert seen == [[1, 0, 1], [0, 1, 1], [0, 2, 0]]
def test_a_list_stays_as_it_is_while_callbacks_look_at_it():
    xs, seen = [1, 2], []
    told(xs, lambda: seen.append([*xs]))
    assert seen == [[1, 2], [1, 2]]
def test_rows_keep_what_they_hold():
    a, b = [1], [2]
    assert swapped([a, b], lambda: None) == [[2], [1]]
    assert (a, b) == ([1], [2])
def test_rows_within_dicts_are_sorted():
    ada, bob = {"age": 36, "marks": [1]}, {"age": 5, "marks": []}
    assert by_key([ada, bob], lambda p: p["age"]) == [bob, ada]
    assert ada["marks"] == [1]
def test_a_hand_gives_a_copy():
    hand = Hand([Card(1), Card(2)])
    one, other = hand.cards(), hand.cards()
    assert one is not other
    one.clear()
    assert len(hand.cards()) == 2
def test_a_board_is_one_on_all_levels():
    board = Board()
    lists = board.lists()
    todo = lists["todo"]
    card = todo[0]
    assert board.lists()["todo"][0] is card
    lists["done"].append(todo.pop())
    board.bump()
    assert card["n"] == 1
    assert lists["done"] == [{"n": 1}]
"""
REFERENCE = """
from collections import defaultdict, deque
from threading import Lock
def shelves(names): return defaultdict(list, {each: [] for each in names})
def columns(n): return deque([] for _ in range(n))
def unknown(n): return [[float("nan")] * n for _ in range(n)]
def each_row(m, f):
    for row in m: f(row)
def each_copy(m, f):
    for row in m: f([*row])
def tap(xs, f):
    try:
        f(xs)
    except KeyError:
        pass
    return len(xs)
def by_key(xs, key): return sorted(xs, key=key)
def names(stock): return [*stock]
class Stock:
    def __init__(self, stock): self.stock = stock
    def add(self, name, n): self.stock[name] += n
class Box:
    def __init__(self): self.lock = Lock()
    def put(self, out):
        with self.lock: out.append(len(out))
def hanoi(n, pegs, show, a=0, b=1, c=2):
    if n:
        hanoi(n - 1, pegs, show, a, c, b)
        pegs[b].append(pegs[a].pop())
        show()
        hanoi(n - 1, pegs, show, c, b, a)
def told(xs, f):
    for _ in range(2): f()
def swapped(rows, f):
    f()
    return rows[::-1]
class Card:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __hash__(self): return hash(self.n)
class Hand:
    def __init__(self, cards): self.kept = set(cards)
    def cards(self): return set(self.kept)
class Board:
    def __init__(self):
        self.card = {"n": 0}
        self.kept = {"todo": [self.card], "done": []}
    def lists(self): return self.kept
    def bump(self): self.card["n"] += 1
"""
RIGHT = """
def swapped(rows, f):
    rows[0], rows[1] = rows[1], rows[0]
    f()
    return rows
def by_key(xs, key):
    for end in range(len(xs), 0, -1):
        for i in range(1, end):
            if key(xs[i]) < key(xs[i - 1]): xs[i], xs[i - 1] = xs[i - 1], xs[i]
    return xs
def names(stock):
    for each in stock: yield each
"""
WRONG = """
def shelves(names): return defaultdict(list, dict.fromkeys(names, []))
def columns(n): return deque([[]] * n)
def unknown(n): return [[float("nan")] * n] * n
def each_row(m, f):
    for row in m: f([*row])
def each_copy(m, f):
    for row in m: f(row)
def tap(xs, f):
    try:
        f([*xs])
    except KeyError:
        pass
    return len(xs)
def by_key(xs, key): return xs
def names(stock): return [*stock][1:]
class Stock:
    def __init__(self, stock): self.stock = dict(stock)
    def add(self, name, n): self.stock[name] += n
class Box:
    def put(self, out): out.append(0)
def hanoi(n, pegs, show):
    for _ in range(3): show()
def told(xs, f):
    f()
    xs.clear()
    f()
def swapped(rows, f):
    f()
    return rows
class Hand:
    def __init__(self, cards): self.kept = set(cards)
    def cards(self): return self.kept
class Board:
    def __init__(self): self.card = {"n": 0}
    def lists(self): return {"todo": [{"n": 0}], "done": []}
    def bump(self): self.card["n"] += 1
"""


def found(folder: Path, work: str) -> dict[str, str]:
    return verdicts(by_tests(folder, TESTS, work, REFERENCE))


def test_works_with_other_ways_pass(tmp_path: Path) -> None:
    for number, work in enumerate((REFERENCE, REFERENCE + RIGHT)):
        assert set(found(tmp_path / str(number), work).values()) == {"accepted"}


def test_works_that_share_otherwise_fail(tmp_path: Path) -> None:
    verdicts_now = found(tmp_path, REFERENCE + WRONG)
    assert len(verdicts_now) == 17
    assert set(verdicts_now.values()) <= {"wrong-answer", "exception"}, verdicts_now


TWICE = """
import gc
kept = [[[], []] for _ in range(40)]
def rows(): return kept
def rotate(given):
    server = next(each for each in gc.get_objects() if type(each).__name__ == "ObjectServer")
    def after(self, answer=None):
        return [[[[], []] for _ in range(40)]], WHERE_GIVEN
    moves = [[1, [i, place], 1, [i + 1]] for i in range(39) for place in (0, 1)]
    own = [*([1, [i], 1, [i]] for i in range(40)), [1, [], 1, []]]
    type(server._running[-1]).after = after
def bump():
    server = next(each for each in gc.get_objects() if type(each).__name__ == "ObjectServer")
    changed = type(server._kept).changed
    twins = [[1, [i, place], 1, [i + 1]] for i in range(39) for place in (0, 1)]
    type(server._kept).changed = lambda *given: [*changed(*given)[:2], twins]
    kept.append(1)
"""
IN_GIVEN = "a = [[i, i] for i in range(40)]; rotate(a)"
HANGS = {
    "moves": (IN_GIVEN, "[*moves, *own], []"),
    "twins": (IN_GIVEN, "own, moves"),
    "kept": ("a = rows(); bump()", ""),
}


@pytest.mark.parametrize("where", HANGS)
def test_a_box_that_puts_each_row_twice_into_the_one_before_hangs_nothing(tmp_path: Path, where: str) -> None:
    """The test looked through 2**40 items until its time was over, as if it was at fault."""
    steps, forged = HANGS[where]
    test = f"from work import *\ndef test(): {steps}; assert str(a[0]) == '[0, 0]'\n"
    right = "def rotate(rows): pass\ndef rows(): return [[0, 0]]\ndef bump(): pass\n"
    work = TWICE.replace("WHERE_GIVEN", forged or "[], []")
    assert verdicts(by_tests(tmp_path, test, work, right)) == {"1.1.1": "wrong-answer"}

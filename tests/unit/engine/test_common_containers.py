"""Lists, dicts and sets that a student's own tests and the program have in common."""

import textwrap
from pathlib import Path

import pytest
from support.marking import mark, question, tried_on, verdicts

PROGRAM = """
import contextlib
from collections import Counter, OrderedDict, defaultdict, deque

class Cart:
    shared = []
    def __init__(self, items=None):
        self.items = items if items is not None else []
        self.prices = {}
        self.grid = [[0, 0], [0, 0]]
        self.tags = {"a"}
    def add(self, item):
        self.items.append(item)
        return self
    def history(self):
        return self.items
    def copied(self):
        return list(self.items)
    def total(self):
        return sum(self.prices.values())
    def fail(self):
        self.items.append("bad")
        raise ValueError("no")
    def each(self, do):
        for item in self.items:
            do(item)

def tree():
    return {"v": 1, "kids": [{"v": 2, "kids": []}]}
def graft(tree, v):
    tree["kids"].append({"v": v, "kids": []})
def total(tree):
    return tree["v"] + sum(map(total, tree["kids"]))

class Box:
    def __init__(self, n): self.n = n

@contextlib.contextmanager
def opened(log):
    log.append("in")
    yield log
    log.append("out")

def boxes(into=[]):
    into.append(Box(len(into)))
    return into

def keep(x):
    KEPT.append(x)
    return x

KEPT = []

class Board:
    def __init__(self):
        self.rows = [[0, 0], [1, 1]]
        self.top = self.rows[0]
        self.names = {"a": ["x"]}
        self.queue = deque([1], maxlen=3)
        self.groups = defaultdict(list)
        self.counts = Counter()
        self.order = OrderedDict(x=1, y=2)
    def play(self, row, column):
        self.rows[row][column] += 5
    def turn(self):
        self.rows.reverse()
    def note(self, name, n):
        self.names[name].append(n)
        self.queue.append(n)
        self.groups[name].append(n)
        self.counts[name] += n
    def both(self):
        return self.rows, self.names
    def each(self, do):
        for row in self.rows:
            do(row)
    def wide(self, n):
        self.rows = [[i] for i in range(n)]
        return self.rows
    def total(self):
        return sum(map(sum, self.rows))

def transfer(accounts, a, b, n):
    accounts[a]["balance"] -= n
    if b not in accounts:
        raise KeyError(b)
    accounts[b]["balance"] += n
def swap(rows):
    rows[0], rows[-1] = rows[-1], rows[0]
def turned(rows):
    rows[:] = [list(row) for row in zip(*rows[::-1])]
def renewed(rows):
    rows.pop(0)
    rows.insert(0, [7])
def largest(rows):
    return max(rows, key=sum)
def taken(rows):
    return rows.pop(0)
def by_name(rows):
    return {row["name"]: row for row in rows}
def both(a, b):
    a.append(1)
    return b
class Log:
    kinds = []
    def __init__(self, lines=None):
        if lines is not None:
            lines.append("made")
            raise ValueError
        self.lines = []
    def __init_subclass__(cls):
        Log.kinds.append(cls)
    def __add__(self, lines):
        lines.append("add")
        return lines
    def __contains__(self, lines):
        lines.append("in")
        return True
    def __setitem__(self, place, lines):
        lines.append(place)
        raise IndexError
    @property
    def all(self):
        return self.lines
    @all.setter
    def all(self, lines):
        lines.append("set")
        self.lines = lines
"""
HOLDS = """
def test_a_change_of_an_attribute():
    c = Cart()
    c.items.append(1)
    assert c.items == [1]
    c.items.append(2)
    c.items[0] = 5
    assert c.items == [5, 2] and c.copied() == [5, 2]

def test_a_dict_and_a_set():
    c = Cart()
    c.prices["tea"] = 2
    c.prices["jam"] = 3
    c.tags.add("b")
    assert c.total() == 5 and c.tags == {"a", "b"}
    del c.prices["tea"]
    assert c.total() == 3

def test_a_list_in_a_list():
    c = Cart()
    c.grid[0][1] = 7
    assert c.grid == [[0, 7], [0, 0]]

def test_what_leaks_and_what_does_not():
    c = Cart()
    c.history().append("x")
    assert c.history() == ["x"]
    c.copied().append("y")
    assert c.copied() == ["x"]

def test_what_the_program_changes_later():
    c = Cart()
    seen, copy = c.items, c.copied()
    c.add(1).add(2)
    assert seen == [1, 2] and copy == []

def test_identity():
    c = Cart()
    assert c.items is c.items and c.items is c.history() and c.copied() is not c.items

def test_a_list_that_was_given():
    mine = [1]
    c = Cart(mine)
    mine.append(2)
    assert c.items == [1, 2] and c.items is mine
    c.add(3)
    assert mine == [1, 2, 3]

def test_a_list_that_was_given_and_copied():
    mine = [1]
    c = Cart(list(mine))
    mine.append(2)
    c.add(3)
    assert c.items == [1, 3] and mine == [1, 2]

def test_after_an_exception():
    c = Cart()
    seen = c.items
    with pytest.raises(ValueError):
        c.fail()
    assert seen == ["bad"] and c.items == ["bad"]

def test_objects_in_it():
    first = boxes()
    second = boxes()
    assert first is second and [box.n for box in first] == [0, 1]
    first.pop()
    assert len(boxes()) == 2 and isinstance(first[0], Box)

def test_a_callback():
    c, found = Cart([1, 2]), []
    c.each(found.append)
    c.each(lambda item: c.prices.setdefault(item, 4))
    assert found == [1, 2] and c.total() == 8

def test_what_a_callback_sees():
    c, found = Cart([1]), []
    items = c.items
    c.each(lambda item: found.append(list(items)) or (c.add(item + 1) if item < 3 else None))
    assert found == [[1], [1, 2], [1, 2, 3]] and items == [1, 2, 3]

def test_a_class_attribute():
    Cart.shared.append(1)
    assert Cart().shared == [1] and Cart.shared is Cart().shared

def test_the_same_twice():
    mine = [1]
    assert keep(mine) is mine and keep(mine) == [1]
    mine.clear()
    assert keep([]) == mine

def test_what_cannot_cross_stays_here():
    c = Cart()
    items = c.items
    items.append(object())
    assert len(items) == 1

def test_true_is_not_one():
    c = Cart([1])
    c.items[0] = True
    assert c.items[0] is True

def test_many():
    carts = [Cart([n]) for n in range(50)]
    for cart in carts:
        cart.items.append(0)
    assert [cart.items for cart in carts] == [[n, 0] for n in range(50)]

def test_a_row_that_is_held():
    b = Board()
    row = b.rows[0]
    b.play(0, 1)
    assert row == [0, 5] and row is b.rows[0] and row is b.top
    row[0] = 9
    assert b.top == [9, 5] and b.total() == 16
    b.turn()
    b.play(0, 0)
    assert row == [9, 5] and b.rows[1] is row and b.rows == [[6, 1], [9, 5]]

def test_a_list_in_a_dict():
    b = Board()
    names = b.names["a"]
    b.note("a", 4)
    names.append("z")
    assert b.names == {"a": ["x", 4, "z"]}

def test_a_tuple_of_them():
    b = Board()
    found = b.both()
    b.play(1, 1)
    b.note("a", 1)
    assert found == ([[0, 0], [1, 6]], {"a": ["x", 1]}) and found[0] is b.rows

def test_a_row_of_ones_own():
    b, row = Board(), [7]
    b.rows.append(row)
    b.play(2, 0)
    assert row == [12] and b.rows[2] is row
    b.rows = [row, [1]]
    b.play(0, 0)
    assert row == [17] and b.total() == 18

def test_the_rest_stays_the_same():
    b = Board()
    b.rows.append([3])
    b.top[0] = 8
    assert b.rows == [[8, 0], [1, 1], [3]]

def test_a_row_that_a_callback_gets():
    b = Board()
    b.each(lambda row: row.append(2))
    kept = []
    b.each(kept.append)
    b.play(0, 2)
    assert b.rows == [[0, 0, 7], [1, 1, 2]] and kept == b.rows and kept[0] is b.top

def test_a_queue():
    b = Board()
    queue = b.queue
    b.note("a", 2)
    assert list(queue) == [1, 2]
    b.queue.appendleft(0)
    b.queue.append(3)
    assert list(b.queue) == [1, 2, 3] and queue.maxlen == 3

def test_groups_and_counts():
    b = Board()
    b.groups["z"].append(1)
    b.counts["q"] += 2
    b.note("a", 3)
    assert b.groups == {"z": [1], "a": [3]} and b.groups["new"] == []
    assert b.counts == {"q": 2, "a": 3} and b.counts.most_common(1) == [("a", 3)]

def test_an_order():
    b = Board()
    b.order.move_to_end("x")
    b.order["z"] = 3
    assert list(b.order) == ["y", "x", "z"] and b.order.popitem(last=False) == ("y", 2)
    assert list(b.order) == ["x", "z"]

def test_many_rows():
    b = Board()
    rows = b.wide(200)
    for row in rows:
        row[0] += 1
    assert b.total() == sum(range(200)) + 200 and rows is b.rows

def test_a_long_list_that_is_held():
    b = Board()
    rows = b.wide(900)
    for place in range(40):
        b.play(place, 0)
    assert rows[39] == [44] and rows is b.rows

def test_a_row_twice():
    b = Board()
    b.rows.append(b.top)
    b.top.append(4)
    assert b.rows == [[0, 0, 4], [1, 1], [0, 0, 4]]
    b.rows[2].pop()
    assert b.rows[0] == [0, 0]

def test_given_to_what_makes_an_object_of_an_unknown_class():
    log = []
    with opened(log) as same:
        assert log == ["in"] and same is log
        log.append("mid")
    assert log == ["in", "mid", "out"]

def test_a_part_of_it_that_was_given():
    whole = tree()
    graft(whole, 4)
    graft(whole["kids"][0], 1)
    assert total(whole) == 8
    graft(whole["kids"][1], 3)
    assert total(whole) == 11 and len(whole["kids"]) == 2

def test_what_changed_before_an_exception():
    accounts = {"a": {"balance": 5}}
    with pytest.raises(KeyError):
        transfer(accounts, "a", "b", 3)
    assert accounts == {"a": {"balance": 2}}
    lines = []
    with pytest.raises(ValueError):
        Log(lines)
    assert lines == ["made"]

def test_what_operators_change():
    log, lines = Log(), []
    assert log + lines is lines and lines in log and lines == ["add", "in"]
    with pytest.raises(IndexError):
        log[3] = lines
    assert lines == ["add", "in", 3]
    log.all = lines
    assert lines[-1] == "set" and log.all is lines

def test_rows_that_a_call_moves():
    rows = [[3], [1], [2]]
    first, last = rows[0], rows[2]
    swap(rows)
    assert rows == [[2], [1], [3]] and rows[2] is first and rows[0] is last
    first.append(0)
    swap(rows)
    assert rows == [[3, 0], [1], [2]]

def test_rows_that_a_call_exchanges():
    rows = [[1, 2], [3, 4]]
    first = rows[0]
    turned(rows)
    assert first == [1, 2] and rows == [[3, 1], [4, 2]]

def test_a_row_that_a_call_throws_away():
    rows = [[1], [2]]
    first = rows[0]
    renewed(rows)
    assert first == [1] and rows == [[7], [2]]

def test_rows_that_a_call_answers_with():
    rows = [[1], [5], [2]]
    assert largest(rows) is rows[1]
    largest(rows).append(7)
    first = rows[0]
    assert taken(rows) is first and rows == [[5, 7], [2]]
    people = [{"name": "a"}, {"name": "b"}]
    found = by_name(people)
    found["a"]["age"] = 3
    assert people[0] == {"name": "a", "age": 3} and found["b"] is people[1]

def test_one_that_is_given_twice():
    same = []
    assert both(same, same) is same and same == [1]
    row = [0, 0]
    board = Board()
    board.rows = [row] * 3
    board.play(0, 1)
    assert row == [0, 5] and board.total() == 15
    swap(rows := [row, [4], row])
    row.append(1)
    assert rows == [[0, 5, 1], [4], [0, 5, 1]]

def test_sorted_here_only():
    c = Cart([3, 1])
    mine = c.copied()
    mine.sort()
    assert mine == [1, 3] and c.items == [3, 1] and c.copied() == [3, 1]
"""


def told(folder: Path, tests: str) -> tuple[str, str]:
    return tried_on(folder, "shop", PROGRAM, "import pytest\nfrom shop import *\n" + textwrap.dedent(tests))


def test_the_tests_pass_without_the_walls(tmp_path: Path) -> None:
    """So what is expected below is what Python does."""
    names: dict[str, object] = {}
    exec("import pytest\n" + PROGRAM + HOLDS, names)
    for name, test in names.items():
        if name.startswith("test_"):
            test()  # type: ignore[operator]


@pytest.mark.acceptance  # `make test` has all in one suite, below
@pytest.mark.parametrize("name", [line[4:-3] for line in HOLDS.splitlines() if line.startswith("def ")])
def test_a_change_is_seen_on_both_sides(tmp_path: Path, name: str) -> None:
    start = HOLDS.index(f"def {name}()")
    end = HOLDS.find("\ndef ", start)
    assert told(tmp_path, HOLDS[start : end if end > 0 else None]) == ("accepted", "")


def test_a_class_made_in_a_test_is_left_out(tmp_path: Path) -> None:
    test = "def test_it():\n    class Mine(Log): pass\n    assert len(Log.kinds) == 1\n"
    verdict, message = told(tmp_path, test + "def test_other():\n    assert Log().all == []\n")
    assert verdict == "accepted"
    assert "1 test is left out: test_it" in message


def test_an_instructors_test_sees_what_changed_before_an_exception(tmp_path: Path) -> None:
    check, takes = "    if n > accounts['a']:\n        raise ValueError\n", "    accounts['a'] -= n\n"
    right, wrong = (f"def take(accounts, n):\n{body}" for body in (check + takes, takes + check))
    (tmp_path / "tests.py").write_text(
        "import pytest, work\n\ndef test_it():\n    accounts = {'a': 1}\n"
        "    with pytest.raises(ValueError):\n        work.take(accounts, 2)\n"
        "    assert accounts == {'a': 1}\n"
    )
    result = mark(tmp_path, question("{pytest: tests.py}"), wrong, reference=right)
    assert [*verdicts(result).values()] == ["wrong-answer"]


@pytest.mark.acceptance  # it marks often; the others here mark once
def test_one_after_another(tmp_path: Path) -> None:
    assert told(tmp_path, HOLDS) == ("accepted", "")

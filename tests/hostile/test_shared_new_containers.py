"""A new list that the program puts into one of the test's, and answers too, is one, as within one process.

It was two copies: a work that shares what it should copy passed, and a reference that shares was refused.
"""

from pathlib import Path

import pytest
from support.marking import by_tests, verdicts

TESTS = """
from work import Shop, enrol, fill_both, files, first_again, group, notify, pairs, rows_of, turn
def test_a_record_that_is_put_into_a_list_and_answered():
    team = []
    ada = enrol(team, "Ada")
    assert (team[0] is ada) is SHARED
    ada["age"] = 36
    assert team == [{"name": "Ada", "age": 36} if SHARED else {"name": "Ada"}]
def test_a_list_under_a_key():
    found = {}
    group(found, "a").append(1)
    assert found == {"a": [1] if SHARED else []}
def test_one_list_in_two():
    a, b = [], []
    fill_both(a, b)
    a[0].append(1)
    assert (a[0] is b[0]) is SHARED
    assert b == [[1] if SHARED else []]
def test_lists_in_a_tuple():
    xs = []
    one, other = pairs(xs)
    other.append(2)
    assert xs == [[], [2] if SHARED else []]
def test_what_a_callback_gets():
    log, seen = [], []
    notify(log, "x", seen.append)
    assert (seen[0] is log[0]) is SHARED
    seen[0]["read"] = True
    assert log == [{"text": "x", "read": True} if SHARED else {"text": "x"}]
def test_what_a_generator_yields():
    xs = []
    for row in rows_of(xs):
        row.append("x")
    assert xs == ([[0, "x"], [1, "x"]] if SHARED else [[0], [1]])
def test_a_tree():
    root = {"name": "/", "inner": []}
    files(files(root, "usr"), "bin")
    assert len(root["inner"]) == 1
    assert root["inner"][0]["inner"] == ([{"name": "bin", "inner": []}] if SHARED else [])
def test_a_row_that_is_given_to_what_the_test_holds():
    shop = Shop()
    items = shop.items
    row = [1]
    shop.add(row)
    assert (items[0] is row) is SHARED
    row.append(2)
    assert items == [[1, 2] if SHARED else [1]]
def test_a_row_that_moves_between_lists_that_the_test_holds():
    shop = Shop()
    items, sold = shop.items, shop.sold
    shop.add([1])
    shop.sell().append(5)
    assert (items, sold) == ([], [[1, 5] if SHARED else [1]])
def test_the_last_of_a_list_that_the_test_holds():
    shop = Shop()
    items = shop.items
    shop.add([1])
    shop.last().append(9)
    assert items == [[1, 9] if SHARED else [1]]
def test_what_goes_into_an_object_and_into_a_list():
    shop = Shop()
    xs = []
    shop.order(xs)
    shop.orders[0].append(3)
    assert xs == [[3] if SHARED else []]
def test_what_the_test_holds_and_the_program_gives_on():
    shop = Shop()
    record = shop.record()
    row = [2]
    shop.write(row)
    assert (row[1] is record) is SHARED
    assert record == {"n": 1}
def test_what_a_call_within_a_callback_moves():
    rows = [[1], [2]]
    first_again(rows, lambda: turn(rows))
    assert rows == [[2], [1], [2]]
    rows[0].append(3)
    assert rows == [[2, 3], [1], [2, 3] if SHARED else [2]]
def test_what_was_put_there_before_it_failed():
    shop = Shop()
    xs = []
    try:
        shop.fail(xs)
    except ValueError:
        pass
    xs.append(1)
    assert shop.failed == ([1] if SHARED else [])
"""
SHARES = """
copy = lambda one: one
"""
COPIES = """
from copy import copy
"""
WORK = """
def enrol(team, name):
    new = {"name": name}
    team.append(copy(new))
    return new
def group(found, key):
    found[key] = []
    return copy(found[key])
def fill_both(a, b):
    new = []
    a.append(new)
    b.append(copy(new))
def pairs(xs):
    xs += [[], []]
    return copy(xs[0]), copy(xs[1])
def notify(log, text, do):
    new = {"text": text}
    log.append(new)
    do(copy(new))
def rows_of(xs):
    for i in range(2):
        new = [i]
        xs.append(copy(new))
        yield new
def files(folder, name):
    new = {"name": name, "inner": []}
    folder["inner"].append({**new, "inner": copy(new["inner"])})
    return new
def turn(rows):
    rows.append(rows.pop(0))
def first_again(rows, do):
    do()
    rows.append(copy(rows[0]))
class Shop:
    def __init__(self): self.noted = {"n": 0}; self.items, self.sold, self.orders = [], [], []
    def add(self, row): self.items.append(copy(row))
    def last(self): return copy(self.items[-1])
    def sell(self):
        self.sold.append(self.items.pop())
        return copy(self.sold[-1])
    def order(self, xs):
        self.orders.append([])
        xs.append(copy(self.orders[-1]))
    def record(self): return self.noted
    def write(self, row):
        self.noted["n"] += 1
        row.append(copy(self.noted))
    def fail(self, xs):
        self.failed = copy(xs)
        raise ValueError
"""


@pytest.mark.parametrize("shared", [True, False], ids=["shared", "copied"])
def test_a_work_that_shares_is_told_from_one_that_copies(tmp_path: Path, shared: bool) -> None:
    works = {True: SHARES + WORK, False: COPIES + WORK}
    tests = TESTS.replace("SHARED", str(shared))
    right = verdicts(by_tests(tmp_path / "right", tests, works[shared], works[shared]))
    assert len(right) == 14
    assert set(right.values()) == {"accepted"}
    wrong = verdicts(by_tests(tmp_path / "wrong", tests, works[not shared], works[shared]))
    assert set(wrong.values()) == {"wrong-answer"}, wrong

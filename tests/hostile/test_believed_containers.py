"""A list of the test's is believed by each way by which it came, whatever the program says that it is.

A `Temperature` that says yes to all numbers passed where the reference has numbers, if the list of them was,
or was said to be, one that the test had by a way where the reference has temperatures.
"""

from pathlib import Path

import pytest
from support.marking import by_tests, verdicts

TESTS = """
from work import Floats, Log, Temperature, rank
def filled():
    log = Log()
    log.add(Temperature(20))
    log.add(Temperature(30))
    return log
def test_held():
    log = Log()
    fs = log.fs
    log.add(Temperature(20))
    assert log.entries[0] == 20
    assert fs == [68.0]
def test_held_the_other_way_round():
    log = Log()
    entries, fs = log.entries, log.fs
    log.add(Temperature(20))
    assert entries == [20]
    assert fs == [68.0]
def test_one_that_lies_in_the_other_for_a_time():
    log = Log()
    fs, entries = log.fs, log.entries
    log.add(Temperature(20))
    log.add(Temperature(30))
    assert entries == [20, 30]
    assert fs == [68.0, 86.0]
def test_changed_by_the_test():
    log = Log()
    entries, fs = log.entries, log.fs
    log.add(Temperature(20))
    entries.append(Temperature(30))
    log.refresh()
    assert entries == [20, 30]
    assert fs == [68.0, 86.0]
def test_given():
    log, xs = filled(), []
    log.export(xs)
    assert log.entries[1] == 30
    assert xs == [68.0, 86.0]
def test_answered():
    log = filled()
    xs = log.fahrenheit()
    assert log.entries == [20, 30]
    assert xs == [68.0, 86.0]
def test_given_and_answered():
    log, ts = Log(), []
    answer = log.start(ts)
    log.add(Temperature(20))
    assert ts == [20]
    assert answer == [68.0]
def test_given_and_within_the_answer():
    log, ts = Log(), []
    answer, _ = log.start_twice(ts)
    log.add(Temperature(20))
    assert ts == [20]
    assert answer == [68.0]
def test_ranked():
    ts = [Temperature(30), Temperature(20)]
    answer = rank(ts)
    assert ts == [20, 30]
    assert answer == [68.0, 86.0]
def test_within_one_answer():
    table = filled().table()
    assert table["o"] == [20, 30]
    assert table["n"] == [68.0, 86.0]
def test_a_held_list_is_given():
    log, ts = filled(), [Temperature(5), Temperature(1)]
    log.sort(ts)
    assert ts == [1, 5]
    fs = log.fs
    log.sort(fs)
    assert fs == [68.0, 86.0]
def test_of_a_class_that_derives_from_list():
    log = filled()
    fs, entries = log.more_fs, log.more_entries
    assert entries == [20, 30]
    assert fs == [68.0, 86.0]
def test_of_a_class_that_both_have():
    log = filled()
    assert log.entries == [20, 30]
    assert log.floats == [68.0, 86.0]
def test_in_a_callback():
    log, got = Log(), []
    entries = log.entries
    log.add(Temperature(20))
    assert entries == [20]
    log.each(got.append)
    assert got == [[68.0]]
"""
REFERENCE = """
class Temperature:
    def __init__(self, degrees): self.degrees = degrees
    def __eq__(self, other):
        return self.degrees == (other.degrees if isinstance(other, Temperature) else other)
def f(t): return t.degrees * 9 / 5 + 32
def by_degrees(t): return getattr(t, "degrees", t)
def rank(ts):
    ts.sort(key=by_degrees)
    return [f(t) for t in ts]
class Floats(list):
    def total(self): return sum(self)
class Log:
    def __init__(self):
        self.entries, self.more_entries, self.ts = [], [], []
        self.fs, self.more_fs, self.floats, self.answer = [], [], Floats(), []
    def add(self, t):
        for each in (self.entries, self.more_entries, self.ts): each.append(t)
        for each in (self.fs, self.more_fs, self.floats, self.answer): each.append(f(t))
    def refresh(self): self.fs[:] = map(f, self.entries)
    def export(self, xs): xs += self.fs
    def fahrenheit(self): return list(self.fs)
    def start(self, ts):
        self.ts = ts
        return self.answer
    def start_twice(self, ts): return self.start(ts), 1
    def table(self): return {"o": list(self.entries), "n": list(self.fs)}
    def sort(self, ts): ts.sort(key=by_degrees)
    def each(self, call): call(list(self.fs))
"""
OTHERWISE = """
class Log(Log):
    def fahrenheit(self): return self.fs
    def table(self): return {"o": self.entries, "n": self.fs}
    def each(self, call): call(self.fs)
    def export(self, xs): xs.extend(list(self.fs))
    def refresh(self):
        self.fs.clear()
        self.fs.extend(f(t) for t in self.entries)
"""
YES = """
class Temperature:
    def __init__(self, degrees): pass
    def __eq__(self, other): return type(other) is not str
class Floats(list):
    def total(self): return sum(self)
class List(list): pass
"""
SHARES = """
def rank(ts):
    ts.reverse()
    return ts
class Log:
    def __init__(self):
        self.xs = self.fs = []
        self.ts, self.floats = [], Floats()
        self.more_entries = self.more_fs = List()
    def add(self, t):
        for each in (self.ts, self.more_fs, self.floats): each.append(t)
    @property
    def entries(self):
        self.xs[:] = self.ts
        return self.xs
    def refresh(self): self.xs[:] = [*self.xs]
    def fahrenheit(self):
        self.xs = []
        return self.xs
    def export(self, xs): self.xs = xs
    def start(self, ts):
        self.ts = ts
        return ts
    def start_twice(self, ts): return self.start(ts), 1
    def table(self): return {"o": self.ts, "n": self.ts}
    def sort(self, ts): ts[:] = [*self.ts][:2] or [*ts]
    def each(self, call): call(self.entries)
"""
IS_ONE = """
class Log(Log):
    entries = None
    def __init__(self):
        super().__init__()
        self.entries = self.fs
    def add(self, t):
        super().add(t)
        self.fs.append(t)
"""
NESTS = """
def rank(ts): return ts
class Log(Log):
    def __init__(self):
        super().__init__()
        self.entries_now, self.fs = [], []
    @property
    def entries(self): return self.entries_now
    def add(self, t):
        super().add(t)
        if len(self.ts) == 1:
            self.fs[:] = [t, t]
            self.entries_now[:] = [self.fs]
        else:
            self.entries_now[:] = self.ts
"""
FORGED = """
import gc
def patched():
    server = next(each for each in gc.get_objects() if type(each).__name__ == "ObjectServer")
    kept, given = type(server._kept), type(server._running[-1])
    if hasattr(kept, "patched"): return
    kept.patched = True
    changed, told, after = kept.changed, kept.told, given.after
    def has(self, number): return any(type(each) is Temperature for each in self._by_number[number])
    def forged(self, numbers, latest):
        _, now, twins = changed(self, numbers, latest)
        objects = next((i for i, number in enumerate(numbers) if has(self, number)), None)
        others = [i for i, number in enumerate(numbers) if not has(self, number)]
        if objects is not None:
            held = self._by_number[numbers[objects]]
            twins = [[at, [], len(latest) + objects, []] for at in range(len(latest))]
            if others:
                now = [[objects, [held], [([0], numbers[others[0]])]], [objects, held, []]]
        return [[(-1, [])] * len(latest), now, twins]
    kept.changed = forged
    kept.told = lambda self, answers, given, unchanged=(): (
        [[(-1, [])] * (len(answers) + len(given.values)), True] if self._by_number else None)
    def forged_after(self, answer=None):
        if type(answer) is list and self.values:
            return [*self.values], [[1, [], 1, []]], [[0, [], 1, []]]
        return after(self, answer)
    given.after = forged_after
class Temperature(Temperature):
    def __init__(self, degrees): patched()
def rank(ts):
    ts.reverse()
    return list(ts)
class Log(Log):
    entries = None
    def __init__(self):
        super().__init__()
        self.entries = []
    def add(self, t):
        super().add(t)
        self.entries.append(t)
    def fahrenheit(self): return []
    def each(self, call): call([])
"""


def found(folder: Path, work: str) -> dict[str, str]:
    return verdicts(by_tests(folder, TESTS, work, REFERENCE))


def test_a_right_program_passes_whatever_it_shares(tmp_path: Path) -> None:
    assert set(found(tmp_path, REFERENCE + OTHERWISE).values()) == {"accepted"}


@pytest.mark.parametrize("more", ["", IS_ONE, NESTS, FORGED], ids=["shares", "is_one", "nests", "forged"])
def test_an_object_that_says_yes_to_numbers_passes_nothing(tmp_path: Path, more: str) -> None:
    """One that forges what is told of containers can bring one test before a person."""
    verdicts_now = found(tmp_path, YES + SHARES + more)
    if more == FORGED:
        assert verdicts_now.pop("1.1.10") in ("wrong-answer", "internal-error")
    assert set(verdicts_now.values()) == {"wrong-answer"}


ROWS = """
from work import Board, Piece
def test_rows():
    board = Board()
    grid, first = board.grid(), board.row(0)
    assert grid == [[None], [None]]
    board.put(0, Piece(3))
    board.put(1, Piece(4))
    assert first[0] == 3 and board.row(1)[0] == 4
    board.row(1)[0] = None
    assert board.row(1) == [None]
"""
BOARD = """
class Piece:
    def __init__(self, kind): self.kind = kind
    def __eq__(self, other): return self.kind == (other.kind if isinstance(other, Piece) else other)
class Board:
    def __init__(self): self.rows = [[None], [None]]
    def grid(self): return [[*row] for row in self.rows]
    def row(self, at): return self.rows[at]
    def put(self, at, piece): self.rows[at][0] = piece
"""


def test_a_right_program_shares_more_than_the_reference(tmp_path: Path) -> None:
    """The test has the rows by two ways, and the reference pieces by one of them alone."""
    work = f"{BOARD}\nclass Board(Board):\n    def grid(self): return self.rows\n"
    assert set(verdicts(by_tests(tmp_path, ROWS, work, BOARD)).values()) == {"accepted"}

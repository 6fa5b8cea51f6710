"""A student's tests and a program change the same lists, dicts and sets as within one process.

Functions are made of random statements.  What holds in one process is written into each as an assertion; then
they are handed in as a student's own tests.
"""

import random
import textwrap
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.marking import tried_on

PROGRAM = """
from collections import Counter, OrderedDict, defaultdict, deque

class Game:
    def __init__(self):
        self.grid = [[0, 1], [2, 3], [4, 5]]
        self.first = self.grid[0]
        self.names = {"a": [1], "b": {"c": [2]}}
        self.queue = deque([[1], [2]])
        self.groups = defaultdict(list)
        self.counts = Counter("ab")
        self.pair = [1], [2]
        self.order = OrderedDict(x=[1])
    def row(self, place): return self.grid[place % len(self.grid)]
    def both(self): return self.grid, self.names
    def copy(self): return [list(row) for row in self.grid]
    def shallow(self): return list(self.grid)
    def drop(self): return self.grid.pop(0)
    def inner(self): return self.names["b"]
    def name(self, key, value): self.names[key] = value; return self.names
    def longer(self, n): self.first.append(n); return self.first
    def turned(self): self.queue.rotate(1); return self.queue
    def paired(self, n): self.pair[0].append(n); return self.pair
    def ordered(self): self.order.move_to_end("x"); self.order["y"] = [len(self.order)]; return self.order
    def bump(self, n):
        for row in self.grid: row.append(n)
    def reverse(self): self.grid.reverse()
    def swap(self): self.grid[:2] = self.grid[:2][::-1]
    def put(self, row): self.grid.append(row)
    def share(self): self.names["g"] = self.grid; self.queue.append(self.first)
    def note(self, n): self.queue.append(n); self.groups[n].append(n); self.counts[n] += 1
    def each(self, do):
        for row in list(self.grid): do(row)
    def fail(self): self.grid.append(["x"]); raise ValueError
"""
MADE = (
    "g.grid", "g.first", "g.names", "g.queue", "g.groups", "g.counts", "g.pair", "g.order", "g.row({n})",
    "g.both()", "g.copy()", "g.shallow()", "g.drop()", "g.inner()", "g.name('k', {v})", "g.longer({n})",
    "g.turned()", "g.paired({n})", "g.ordered()", "{v}[0]", "{v}['b']", "{v}['c']", "[1, {n}]", "[{v}]",
    "{{'a': {v}}}",
)  # fmt: skip
DONE = (
    "g.bump({n})", "g.reverse()", "g.swap()", "g.put({v})", "g.put([{n}])", "g.share()", "g.note({n})",
    "g.fail()",
    "{v}.append({n})", "{v}.append({v})", "{v}[0] = {n}", "{v}[0] = {v}", "{v}['z'] = {v}", "{v}.clear()",
    "{v}.reverse()", "del {v}[0]", "{v}.extend([{n}, {n}])", "{v}.rotate(1)", "{v}['q'] += 1", "{v}.pop()",
    "g.each(lambda row: row.append({n}))", "g.each(lambda row: {v}.append({n}))", "g.grid = {v}",
    "g.grid = [{v}, [{n}]]", "g.names['a'].append({n})", "g.grid[0].append({n})", "g.groups['z'].append({n})",
)  # fmt: skip
ALL = "g.grid, g.names, g.queue, g.first, g.pair, g.order, g.groups, g.counts"


def text_of(rng: random.Random) -> str:
    """Return the body of a test that holds in one process; "" if it makes something that holds itself."""
    env: dict[str, Any] = {}
    exec(f"{PROGRAM}\ng = Game()", env)
    lines, names = ["g = Game()"], ["g.grid"]
    for _ in range(rng.randint(6, 14)):
        makes = rng.random() < 0.45
        statement = rng.choice(MADE if makes else DONE).format(n=rng.randint(0, 9), v=rng.choice(names))
        name = f"v{len(names)}"
        statement = f"{name} = {statement}" if makes else statement
        try:
            exec(statement, env)
        except Exception:
            statement = f"try: {statement}\nexcept Exception: pass"
        lines.append(statement)
        names += [name] if name in env else []
        if rng.random() < 0.3:
            lines.append(seen(env, names))
    lines += [seen(env, names), *identities(env, names)]
    shown = "\n".join(lines)
    return "" if "..." in shown or len(shown) > 6_000 else shown


def seen(env: dict[str, Any], names: list[str]) -> str:
    """Return an assertion of all that is there."""
    everything = f"[{', '.join([*names, ALL])}]"
    return f"assert repr({everything}) == {repr(eval(everything, env))!r}"


def identities(env: dict[str, Any], names: list[str]) -> list[str]:
    """Return assertions of what is the same list or dict."""
    kept = [name for name in [*names, "g.first", "g.names"] if type(eval(name, env)) in (list, dict)]
    pairs = [(one, other) for place, one in enumerate(kept) for other in kept[place + 1 :]]
    return [f"assert ({one} is {other}) is {eval(f'{one} is {other}', env)}" for one, other in pairs]


def bodies(seed: int) -> list[str]:
    """Return the bodies of about twenty tests."""
    rng, found = random.Random(seed), []
    for _ in range(20):
        with suppress(RecursionError):
            found.append(text_of(rng))
    return [body for body in found if body]


@pytest.mark.acceptance  # `make test` has single ones, in `unit/engine/test_common_containers.py`
@pytest.mark.parametrize("seed", range(8))
def test_random_changes_are_seen_as_in_one_process(tmp_path: Path, seed: int) -> None:
    tests = [
        f"def test_{number}():\n" + textwrap.indent(body, "    ") + "\n"
        for number, body in enumerate(bodies(seed))
    ]
    assert len(tests) > 5
    assert tried_on(tmp_path, "game", PROGRAM, "from game import *\n" + "".join(tests)) == ("accepted", "")

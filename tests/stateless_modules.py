"""Modules such as students write that keep no state, with calls that show what they do."""

from typing import Any

CALLS = dict[str, list[tuple[str, tuple[Any, ...]]]]

TOUR = '''
"""Knight's tours, by depth-first search."""

from typing import Iterator, List, Optional, Tuple

Position = Tuple[int, int]
Path = List[Position]
MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def is_legal(dim: int, path: Path, x: Position) -> bool:
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim: int, path: Path, x: Position) -> List[Position]:
    """Onward moves, clockwise."""
    candidates = [(x[0] + dx, x[1] + dy) for dx, dy in MOVES]
    return [position for position in candidates if is_legal(dim, path, position)]


def ordered_moves(dim: int, path: Path, x: Position) -> List[Position]:
    return sorted(legal_moves(dim, path, x), key=lambda y: len(legal_moves(dim, path, y)))


def enum_tours(dim: int, path: Path) -> Iterator[Path]:
    if len(path) == dim * dim:
        yield path
        return
    for move in legal_moves(dim, path, path[0]):
        yield from enum_tours(dim, [move] + path)


def first_tour(dim: int, path: Path) -> Optional[Path]:
    for tour in enum_tours(dim, path):
        return tour
    return None


def walk(dim: int, path: Path) -> Path:
    while True:
        moves = ordered_moves(dim, path, path[0])
        if not moves:
            return path
        path.insert(0, moves[0])


if __name__ == "__main__":
    print(first_tour(5, [(0, 0)]))
'''

COUNTING = """
from collections import Counter, defaultdict, deque
from functools import reduce
from itertools import groupby, product
import heapq
import math

WEIGHTS: dict = {"a": 1, "b": 3, "c": 3}
VOWELS = {"a", "e", "i", "o", "u"}
LIMIT = 2 ** 10 - 1
ORIGIN = (0, 0)


def score(word):
    return sum(WEIGHTS[letter] if letter in WEIGHTS else 0 for letter in word)


def most_common(word, n=1, *, least=1):
    return [letter for letter, times in Counter(word).most_common(n) if times >= least]


def groups(word):
    found = defaultdict(list)
    for letter in word:
        found["vowels" if letter in VOWELS else "others"].append(letter)
    return dict(found)


def best(weights=None):
    items = [(WEIGHTS[key], key) for key in sorted(WEIGHTS)]
    return max(items)[1], min(WEIGHTS), len(WEIGHTS), sum(WEIGHTS[key] for key in WEIGHTS)


def runs(word):
    return [(key, len(list(items))) for key, items in groupby(word)]


def smallest(numbers, k):
    heap = list(numbers)
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(min(k, len(heap)))]


def norm(point):
    return math.hypot(point[0] - ORIGIN[0], point[1] - ORIGIN[1])


def flood(start, limit):
    seen, queue = {start}, deque([start])
    while queue:
        here = queue.popleft()
        for there in (here * 2, here + 3):
            if there < limit and there not in seen:
                seen.add(there)
                queue.append(there)
    return sorted(seen)


def total(numbers):
    return reduce(lambda a, b: a + b, numbers, 0) & LIMIT


def grid(n):
    return ["{}-{:>2}".format(a, b) for a, b in product(range(n), repeat=2)]
"""

CLOSURES = '''
import copy


def counter(n):
    """A closure that counts, and is gone after the call."""
    total = 0

    def add(amount: int = 1) -> int:
        nonlocal total
        total += amount
        return total

    for i in range(n):
        last = add(i)
    return last if n else total


def memo(n):
    """Memoisation that lasts for one call."""
    known = {0: 0, 1: 1}

    def fib(k):
        if k not in known:
            known[k] = fib(k - 1) + fib(k - 2)
        return known[k]

    return fib(n), len(known)


def mutate(xs, x):
    xs.append(x)
    xs.sort()
    del xs[0]
    return copy.deepcopy(xs)


def classify(value):
    match value:
        case []:
            return "empty"
        case [first, *rest] if first == 0:
            return f"zero and {len(rest)}"
        case {"key": key, **others}:
            return key, sorted(others)
        case (1 | 2) as small:
            return -small
        case None | True:
            return "none"
        case _:
            return "other"


def careful(numerator, denominator):
    try:
        result = numerator / denominator
    except ZeroDivisionError as error:
        return str(error)
    except (TypeError, ValueError):
        raise ValueError("no numbers") from None
    else:
        return round(result, 3)
    finally:
        numerator = None


def squares(n):
    for i in range(n):
        if (square := i * i) % 2:
            yield square


def odd_squares(n):
    return list(squares(n)) + [*squares(n)] + sorted({s for s in squares(n)})


identity = lambda x: x
twice = lambda f, x: f(f(x))


def compose(x):
    return twice(identity, x), twice(lambda y: y + 1, x)
'''

SPLIT = {
    "main": """
from board import SIZE, Board, inside, neighbours, NAMES


def reachable(start, steps, seen=()) -> "Board":
    if steps == 0:
        return [start]
    found = []
    for square in neighbours(start):
        if square not in seen:
            found.extend(reachable(square, steps - 1, seen + (start,)))
    return sorted(found)


def name(square):
    return NAMES[square[0]] + str(square[1] + 1) if inside(square) else "-" * SIZE
""",
    "board": """
from __future__ import annotations

SIZE = 8
NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
Board = list[tuple[int, int]]


def inside(square: tuple[int, int]) -> bool:
    return all(0 <= part < SIZE for part in square)


def neighbours(square: tuple[int, int]) -> Board:
    x, y = square
    return [place for place in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if inside(place)]
""",
}

MODULES: dict[str, tuple[str, dict[str, str]]] = {
    "tour": ("tour", {"tour": TOUR}),
    "counting": ("counting", {"counting": COUNTING}),
    "closures": ("closures", {"closures": CLOSURES}),
    "split": ("main", SPLIT),
}
"""By name: the module that is called, and all texts."""

CALLS_OF: CALLS = {
    "tour": [
        ("is_legal", (3, [(0, 0)], (1, 2))),
        ("is_legal", (3, [], (3, 0))),
        ("legal_moves", (8, [], (2, 2))),
        ("ordered_moves", (5, [(0, 0)], (1, 2))),
        ("first_tour", (3, [(0, 0)])),
        ("first_tour", (1, [(0, 0)])),
        ("walk", (5, [(0, 0)])),
        ("walk", (4, [(1, 1), (0, 3)])),
    ],
    "counting": [
        ("score", ("abcx",)),
        ("most_common", ("abracadabra", 2)),
        ("most_common", ("",)),
        ("groups", ("banana",)),
        ("best", ()),
        ("runs", ("aabccc",)),
        ("smallest", ([3, 1, 2], 2)),
        ("norm", ((3, 4),)),
        ("flood", (1, 20)),
        ("total", ([1000, 2000],)),
        ("grid", (2,)),
        ("score", (None,)),
    ],
    "closures": [
        ("counter", (5,)),
        ("counter", (0,)),
        ("memo", (10,)),
        ("mutate", ([3, 1], 2)),
        ("classify", ([0, 1],)),
        ("classify", ({"key": 1, "b": 2},)),
        ("classify", (2,)),
        ("careful", (1, 0)),
        ("careful", (1, 3)),
        ("careful", ("a", [])),
        ("odd_squares", (6,)),
        ("compose", (4,)),
    ],
    "split": [
        ("reachable", ((0, 0), 2)),
        ("reachable", ((7, 7), 1)),
        ("name", ((2, 3),)),
        ("name", ((9, 9),)),
    ],
}
"""By name of the module: calls, some of which raise."""

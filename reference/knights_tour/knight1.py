"""Knight's tours, part 1: the board, the search, and all tours of small boards.

A position is `(x, y)`, 0-based.  A path is a list of positions, latest move first, never empty where
a function extends it.  A tour of a dim x dim board is a path over all of its squares.

All tours of this task come from one search, `extensions`: depth-first, with a stack instead of
recursion, over the set of free squares held as the bits of one number.  Bit `x * dim + y` stands for
the square (x, y).  The search counts *exits*: a free square needs two of them (free neighbours, or
the knight itself), one to come and one to go; only the last square of an open path needs just one.
Exits are only lost, never gained, so a position in which too many are missing is given up at once.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

Position: TypeAlias = tuple[int, int]
Path: TypeAlias = list[Position]

Item = TypeVar("Item")
Result = TypeVar("Result")

CLOCKWISE: tuple[Position, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""The steps of a knight's moves, clockwise from 12 o'clock."""


def is_legal(dim: int, path: Path, x: Position) -> bool:
    """Return whether `x` is on the board and not in the path."""
    return 0 <= x[0] < dim and 0 <= x[1] < dim and x not in path


def legal_moves(dim: int, path: Path, x: Position) -> list[Position]:
    """Return the positions that a knight on `x` can move to, clockwise from 12 o'clock."""
    onward = ((x[0] + right, x[1] + up) for right, up in CLOCKWISE)
    return [position for position in onward if is_legal(dim, path, position)]


def count_tours(dim: int, path: Path) -> int:
    """Return how many tours extend the path.  Meant for boards up to 5 x 5."""
    return sum(1 for _ in extensions(Goal(dim, path, dim * dim)))


def enum_tours(dim: int, path: Path) -> list[Path]:
    """Return all tours that extend the path.  Meant for boards up to 5 x 5."""
    return list(extensions(Goal(dim, path, dim * dim)))


def first(xs: Iterable[Item], f: Callable[[Item], Result | None]) -> Result | None:
    """Return the first result of `f` that is not None, or None; `f` sees no element after that."""
    for x in xs:
        result = f(x)
        if result is not None:
            return result
    return None


def first_tour(dim: int, path: Path) -> Path | None:
    """Return a tour that extends the path, or None if there is none."""
    return find_path(Goal(dim, path, dim * dim))


def anywhere(_: Position) -> bool:
    """Allow every square."""
    return True


@dataclass(frozen=True, slots=True)
class Goal:
    """The paths to look for: exactly `length` squares that extend `path`.

    allowed: which squares the knight may enter; those of `path` need not be among them.
    closed: whether the last square must be a knight's move from the first.
    """

    dim: int
    path: Path
    length: int
    allowed: Callable[[Position], bool] = anywhere
    closed: bool = False


class OutOfSteps(Exception):
    """A search used up its steps before its end."""


def find_path(goal: Goal) -> Path | None:
    """Return a path that meets the goal, or None if there is none.

    Ties under Warnsdorff's rule go to the square that is farthest from the centre, which nearly always
    leads straight to the goal.  If it does not, the search starts again with ties in another order.
    Every few times it gets twice the steps, so that it ends also if there is no such path.
    """
    dim = goal.dim
    centre = (dim - 1) / 2
    ranking = [-((x - centre) ** 2 + (y - centre) ** 2) for x, y in _squares(dim)]
    attempt = 0
    while True:
        try:
            return next(extensions(goal, ranking, steps=4 * dim * dim << attempt // 4), None)
        except OutOfSteps:
            attempt += 1
            shuffled = random.Random(attempt)
            ranking = [shuffled.random() for _ in ranking]


class Jump(NamedTuple):
    """A knight's move to `square`; `bit` is its bit, `around` the bits of its own neighbours."""

    square: int
    bit: int
    around: int


Trail: TypeAlias = tuple[int, "Trail"] | None
"""The squares entered by the search, latest first.  As nested pairs, paths share their beginnings."""


class State(NamedTuple):
    """A knight on its way.

    head: the knight's square.
    free: bits of the squares that it may still enter.
    to_go: how many squares are still to be entered.
    spare_exits: how many exits the free squares can still do without.
    """

    head: int
    free: int
    to_go: int
    spare_exits: int
    trail: Trail


def extensions(
    goal: Goal, ranking: Sequence[float] | None = None, steps: int | None = None
) -> Iterator[Path]:
    """Yield all paths that meet the goal.

    ranking: a number for each square.  With it, moves are tried by Warnsdorff's rule and ties by rank,
        lowest first; without it, clockwise.
    steps: the number of states after which OutOfSteps is raised; None for no bound.
    """
    jumps = _jumps(goal.dim)
    start_x, start_y = goal.path[-1]
    start = start_x * goal.dim + start_y
    home = 1 << start if goal.closed else 0
    before_home = _bits(jumps[start]) if goal.closed else 0

    stack = _first_state(goal, home)
    step = 0
    while stack:
        if step == steps:
            raise OutOfSteps
        step += 1
        head, free, to_go, spare_exits, trail = stack.pop()
        if not to_go:
            if not goal.closed or before_home >> head & 1:
                yield [*_positions(goal.dim, trail), *goal.path]
            continue
        targets = free | home
        moves = [
            ((targets & jump.around).bit_count(), jump.square, jump.bit)
            for jump in reversed(jumps[head])
            if free & jump.bit
        ]
        if ranking is not None:
            moves.sort(key=lambda move: (-move[0], -ranking[move[1]]))
        # Every neighbour that is not entered loses the knight as an exit.
        spare_exits -= sum(exits < 2 for exits, _, _ in moves)
        for exits, square, bit in moves:
            spare = spare_exits + (exits < 2)
            can_return = not goal.closed or to_go == 1 or before_home & (free ^ bit)
            if spare >= 0 and can_return:
                stack.append(State(square, free ^ bit, to_go - 1, spare, (square, trail)))


def _first_state(goal: Goal, home: int) -> list[State]:
    """Return the state to start from, or nothing if there is plainly no such path."""
    dim, path = goal.dim, goal.path
    to_go = goal.length - len(path)
    if to_go < 0 or (goal.closed and goal.length % 2):
        return []
    taken = set(path)
    free_squares = [p for p in _squares(dim) if p not in taken and goal.allowed(p)]
    # The colours of the squares alternate along a path.
    of_other_colour = sum((sum(p) - sum(path[0])) % 2 for p in free_squares)
    if of_other_colour < (to_go + 1) // 2 or len(free_squares) - of_other_colour < to_go // 2:
        return []
    free = sum(1 << x * dim + y for x, y in free_squares)
    head = path[0][0] * dim + path[0][1]
    targets = free | home | 1 << head
    jumps = _jumps(dim)
    missing = sum(max(0, 2 - (_bits(jumps[x * dim + y]) & targets).bit_count()) for x, y in free_squares)
    spare_exits = 2 * (len(free_squares) - to_go) + (not goal.closed) - missing
    return [State(head, free, to_go, spare_exits, None)] if spare_exits >= 0 else []


def _squares(dim: int) -> list[Position]:
    """Return the positions of a board in the order of their bits."""
    return [(x, y) for x in range(dim) for y in range(dim)]


@cache
def _jumps(dim: int) -> list[list[Jump]]:
    """Return the moves from each square of an empty board, clockwise."""
    targets = [[x * dim + y for x, y in legal_moves(dim, [], square)] for square in _squares(dim)]
    around = [sum(1 << target for target in onward) for onward in targets]
    return [[Jump(target, 1 << target, around[target]) for target in onward] for onward in targets]


def _bits(jumps: list[Jump]) -> int:
    """Return the bits of all squares that the jumps lead to."""
    return sum(jump.bit for jump in jumps)


def _positions(dim: int, trail: Trail) -> Iterator[Position]:
    """Yield the positions of a trail, latest first."""
    while trail:
        square, trail = trail
        yield divmod(square, dim)

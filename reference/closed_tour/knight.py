"""Closed knight's tours on boards with obstacles.

Every square of a closed tour has exactly two edges of the tour, so a tour is a 2-factor of the graph
of knight's moves (two edges at each square: one or more cycles) that has only one cycle.  The search
looks for edges, not for a path:

- `Edges` holds the known facts: which edges are left, and which of them the tour must use.  Each fact
  brings others: a square with two edges left uses both, a square that uses two loses the rest, and an
  edge that would close a cycle too early is lost.
- `Factor` is a 2-factor that fits these facts.  There is none if the colours are out of balance or
  squares compete for too few neighbours; then there is no tour either.  Otherwise it shows which edges
  all 2-factors share and which are in none, and these are new facts.
- `knightsTour` joins cycles of the factor by swapping edges.  If that does not make one cycle of all, an
  edge of the smallest cycle is tried without, then with, which covers all cases.

Nothing here is recursive: stacks hold the untried choices.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

JUMPS = ((-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2))
"""The steps of directions 1 to 8, in rows and columns, clockwise."""

EMPTY = 0
OBSTACLE = -1


@dataclass(frozen=True, slots=True)
class Square:
    """Row `i`, column `j`; not necessarily on a board."""

    i: int
    j: int


def move(s: Square, d: int) -> Square:
    """Return the square one move from `s` in direction `d`, 1 to 8.  Raises ValueError for any other."""
    down, right = _jump(d)
    return Square(s.i + down, s.j + right)


def moveBack(s: Square, d: int) -> Square:
    """Return the square from which direction `d` leads to `s`.  Raises ValueError if not 1 to 8."""
    down, right = _jump(d)
    return Square(s.i - down, s.j - right)


def _jump(d: int) -> tuple[int, int]:
    if not 1 <= d <= len(JUMPS):
        raise ValueError(f"a direction is 1 to {len(JUMPS)}, not {d}")
    return JUMPS[d - 1]


class Board:
    """A board of `m` rows and `n` columns: 0 is an empty square, -1 an obstacle, others are moves of a tour.

    Raises ValueError if `rows` are not `m` rows of `n` numbers; they are copied.
    """

    def __init__(self, m: int, n: int, rows: Iterable[Iterable[int]]) -> None:
        self.m = m
        self.n = n
        self._rows = [list(row) for row in rows]
        if len(self._rows) != m or any(len(row) != n for row in self._rows):
            raise ValueError(f"expected {m} rows of {n} numbers")

    def inRange(self, s: Square) -> bool:
        """Return whether `s` is on the board, obstacle or not."""
        return 0 <= s.i < self.m and 0 <= s.j < self.n

    def get(self, s: Square) -> int:
        """Return the number on `s`.  Raises RuntimeError if `s` is not on the board."""
        self._check(s)
        return self._rows[s.i][s.j]

    def set(self, s: Square, v: int) -> None:
        """Put `v` on `s`.  Raises RuntimeError if `s` is not on the board."""
        self._check(s)
        self._rows[s.i][s.j] = v

    def nEmpty(self) -> int:
        """Return the number of empty squares."""
        return sum(row.count(EMPTY) for row in self._rows)

    def emptySquare(self) -> Square:
        """Return the first empty square, row by row.  Raises RuntimeError if there is none."""
        for i, row in enumerate(self._rows):
            if EMPTY in row:
                return Square(i, row.index(EMPTY))
        raise RuntimeError("no square is empty")

    def __str__(self) -> str:
        """Return the board in the format of the input files."""
        lines = (" ".join(map(str, row)) for row in self._rows)
        return "\n".join([str(self.m), str(self.n), *lines])

    def _check(self, s: Square) -> None:
        if not self.inRange(s):
            raise RuntimeError(f"{s} is not on a board of {self.m} x {self.n}")


def read_board(text: str) -> Board:
    """Return the board of an input file: m, n, then the rows, each on a line.

    Raises ValueError if the text has another form.
    """
    lines = [[int(word) for word in line.split()] for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or len(lines[0]) != 1 or len(lines[1]) != 1:
        raise ValueError("expected the number of rows and the number of columns on lines of their own")
    return Board(lines[0][0], lines[1][0], lines[2:])


def knightsTour(board: Board) -> bool:
    """Write a closed tour, 1 to k, into the empty squares; return whether there is one.

    If there is none, the board stays as it is.  Two squares a move apart have a tour: there and back.
    """
    squares = _empty_squares(board)
    around = _neighbours(squares)
    tour = [0, 1] if around == [2, 1] else _one_cycle(around, squares)
    for number, index in enumerate(tour, 1):
        board.set(squares[index], number)
    return bool(tour)


def _empty_squares(board: Board) -> list[Square]:
    every = (Square(i, j) for i in range(board.m) for j in range(board.n))
    return [square for square in every if board.get(square) == EMPTY]


def _neighbours(squares: list[Square]) -> list[int]:
    """Return for each square the bits of the squares, by index, that are a move away."""
    bit_of = {square: 1 << index for index, square in enumerate(squares)}
    onward = ([move(square, d) for d in range(1, len(JUMPS) + 1)] for square in squares)
    return [sum(bit_of.get(square, 0) for square in targets) for targets in onward]


def _one_cycle(around: list[int], squares: list[Square]) -> list[int]:
    """Return the indices of the squares in the order of a tour, or an empty list if there is none."""
    evens = [index for index, square in enumerate(squares) if (square.i + square.j) % 2 == 0]
    odds = [index for index, square in enumerate(squares) if (square.i + square.j) % 2 == 1]
    if not squares or len(evens) != len(odds):
        return []
    factor = Factor(evens, odds)
    to_try = [Edges(around)]
    while to_try:
        edges = to_try.pop()
        if not edges.settle(factor):
            continue
        factor.join_cycles(edges)
        smallest = min(factor.cycles(), key=len)
        if len(smallest) == len(squares):
            return smallest
        here, there = _edge_to_try(smallest, edges)
        without_edge = edges.duplicate()
        without_edge.lose(here, there)
        if edges.use(here, there):
            to_try.append(edges)
        to_try.append(without_edge)
    return []


def _edge_to_try(cycle: list[int], edges: "Edges") -> tuple[int, int]:
    """Return an edge of the cycle that need not be used, from the square with the fewest edges left."""
    optional = [
        (here, there)
        for here, there in zip(cycle, cycle[1:] + cycle[:1], strict=True)
        if not edges.used[here] >> there & 1
    ]
    return min(optional, key=lambda edge: min(edges.left[square].bit_count() for square in edge))


class Edges:
    """The known facts about the edges of a tour.  A square is an index, sets of squares are bits.

    left[square]: where an edge may still lead.
    used[square]: those among them that the tour must use.
    other_end[square]: for an end of a path of used edges, its other end; a square alone is its own.
    """

    def __init__(self, around: list[int]) -> None:
        self.left = around[:]
        self.used = [0] * len(around)
        self.other_end = list(range(len(around)))
        self._number_used = 0
        self._touched = (1 << len(around)) - 1

    def duplicate(self) -> "Edges":
        """Return the same knowledge, to be extended independently."""
        twin = Edges(self.left)
        twin.used = self.used[:]
        twin.other_end = self.other_end[:]
        twin._number_used = self._number_used
        twin._touched = self._touched
        return twin

    def lose(self, here: int, there: int) -> None:
        """Note that the tour does not use this edge."""
        self.left[here] &= ~(1 << there)
        self.left[there] &= ~(1 << here)
        self._touched |= 1 << here | 1 << there

    def use(self, here: int, there: int) -> bool:
        """Note that the tour uses this edge; return whether it can."""
        if self.used[here] >> there & 1:
            return True
        closes = self.other_end[here] == there
        if closes and self._number_used < len(self.left) - 1:
            return False
        if not self.left[here] >> there & 1:
            return False
        self._number_used += 1
        self.used[here] |= 1 << there
        self.used[there] |= 1 << here
        self._touched |= 1 << here | 1 << there
        for square in (here, there):
            if self.used[square].bit_count() == 2:
                for lost in _indices(self.left[square] & ~self.used[square]):
                    self.lose(square, lost)
        self._join_paths(self.other_end[here], self.other_end[there])
        return True

    def _join_paths(self, start: int, end: int) -> None:
        """Make `start` and `end` the two ends of a path, which must not be closed until it is complete."""
        self.other_end[start] = end
        self.other_end[end] = start
        if self._number_used < len(self.left) - 1 and (self.left[start] & ~self.used[start]) >> end & 1:
            self.lose(start, end)

    def settle(self, factor: "Factor") -> bool:
        """Draw all conclusions and make the factor fit them; return whether a tour is still possible."""
        while self._touched:
            if not (self._settle_squares() and self._is_connected() and factor.fit(self)):
                return False
            for here, there in factor.fixed(self):
                if not factor.links[here] >> there & 1:
                    self.lose(here, there)
                elif not self.use(here, there):
                    return False
        return True

    def _settle_squares(self) -> bool:
        """Use both edges where only two are left; return whether there are two everywhere."""
        while self._touched:
            square = self._touched.bit_length() - 1
            self._touched ^= 1 << square
            choices = self.left[square].bit_count()
            if choices < 2:
                return False
            if choices == 2 and not all(self.use(square, other) for other in _indices(self.left[square])):
                return False
        return True

    def _is_connected(self) -> bool:
        everywhere = (1 << len(self.left)) - 1
        return _reached(0, self.left, everywhere) == everywhere


class Factor:
    """Two edges at each square: once `fit` returned True, edges that are left, with all that must be used.

    links[square]: where its edges lead.  A factor outlives the `Edges` that it was made for, because most
    of it fits the next ones too.
    """

    def __init__(self, evens: list[int], odds: list[int]) -> None:
        self.links = [0] * (len(evens) + len(odds))
        self._evens = evens
        self._odds = odds

    def fit(self, edges: Edges) -> bool:
        """Change as little as needed to fit the edges; return whether that is possible."""
        for even in self._evens:
            for lost in _indices(self.links[even] & ~edges.left[even]):
                self._flip(even, lost)
            for missing in _indices(edges.used[even] & ~self.links[even]):
                for square in (even, missing):
                    if self.links[square].bit_count() == 2:
                        self._flip(square, next(_indices(self.links[square] & ~edges.used[square])))
                self._flip(even, missing)
        # If an edge is missing, the factor can be made larger, or none fits.
        return all(
            self._augment(edges, even)
            for even in self._evens
            for _ in range(2 - self.links[even].bit_count())
        )

    def _augment(self, edges: Edges, start: int) -> bool:
        """Give one more edge to `start` and to an odd square that lacks one; return whether that is possible.

        Along the way from one to the other, edges are added and taken off in turns.
        """
        came_from: dict[int, int] = {}
        seen = 1 << start
        to_visit = [start]
        while to_visit:
            even = to_visit.pop()
            for odd in _indices(edges.left[even] & ~self.links[even] & ~seen):
                seen |= 1 << odd
                came_from[odd] = even
                if self.links[odd].bit_count() < 2:
                    self._flip_back(odd, came_from, start)
                    return True
                for other in _indices(self.links[odd] & ~edges.used[odd] & ~seen):
                    seen |= 1 << other
                    came_from[other] = odd
                    to_visit.append(other)
        return False

    def _flip_back(self, square: int, came_from: dict[int, int], start: int) -> None:
        while square != start:
            self._flip(square, came_from[square])
            square = came_from[square]

    def _flip(self, here: int, there: int) -> None:
        """Add the edge, or take it off."""
        self.links[here] ^= 1 << there
        self.links[there] ^= 1 << here

    def fixed(self, edges: Edges) -> list[tuple[int, int]]:
        """Return the open edges that are the same in every factor that fits: all have them, or none.

        Two factors differ by rings on which edges of one and of the other alternate.  So an edge can change
        only if it lies on such a ring.  With edges of the factor directed from odd to even and others from
        even to odd, that is: if it lies within a strongly connected component.
        """
        onward, backward = [], []
        for left, used, links in zip(edges.left, edges.used, self.links, strict=True):
            onward.append(left & ~links)
            backward.append(links & ~used)
        for odd in self._odds:
            onward[odd], backward[odd] = backward[odd], onward[odd]
        component = _strong_components(onward, backward)
        return [
            (even, odd)
            for even in self._evens
            for odd in _indices(edges.left[even] & ~edges.used[even] & ~component[even])
        ]

    def cycles(self) -> list[list[int]]:
        """Return the squares of each cycle, in order."""
        found = []
        unseen = (1 << len(self.links)) - 1
        while unseen:
            cycle = []
            ahead = unseen
            while ahead:
                square = ahead.bit_length() - 1
                cycle.append(square)
                unseen ^= 1 << square
                ahead = self.links[square] & unseen
            found.append(cycle)
        return found

    def join_cycles(self, edges: Edges) -> None:
        """Join cycles if a swap of two edges for two others does it."""
        whole = [0] * len(self.links)
        for cycle in self.cycles():
            members = sum(1 << square for square in cycle)
            for square in cycle:
                whole[square] = members
        for even in self._evens:
            for odd in _indices(edges.left[even] & ~whole[even]):
                swap = self._swap(edges, even, odd)
                if swap and not whole[even] >> odd & 1:
                    for here, there in swap:
                        self._flip(here, there)
                    members = whole[even] | whole[odd]
                    for square in _indices(members):
                        whole[square] = members

    def _swap(self, edges: Edges, even: int, odd: int) -> list[tuple[int, int]]:
        """Return two edges to add, this one first, and two to take off instead; empty if there are none."""
        for next_odd in _indices(self.links[even] & ~edges.used[even]):
            others = self.links[odd] & ~edges.used[odd] & edges.left[next_odd]
            for next_even in _indices(others):
                return [(even, odd), (next_even, next_odd), (even, next_odd), (next_even, odd)]
        return []


def _indices(bits: int) -> Iterator[int]:
    """Yield the positions of the bits, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _reached(start: int, onward: list[int], within: int) -> int:
    """Return the bits of all squares reached from `start` without leaving `within`."""
    reached = fresh = 1 << start
    while fresh:
        targets = 0
        for square in _indices(fresh):
            targets |= onward[square]
        fresh = targets & within & ~reached
        reached |= fresh
    return reached


def _strong_components(onward: list[int], backward: list[int]) -> list[int]:
    """Return for each square the bits of those that it reaches and that reach it (Kosaraju's algorithm)."""
    component = [0] * len(onward)
    unassigned = (1 << len(onward)) - 1
    for square in reversed(_finishing_order(onward)):
        if unassigned >> square & 1:
            members = _reached(square, backward, unassigned)
            unassigned ^= members
            for member in _indices(members):
                component[member] = members
    return component


def _finishing_order(onward: list[int]) -> list[int]:
    """Return the squares in the order in which a depth-first search leaves them."""
    order = []
    unseen = (1 << len(onward)) - 1
    while unseen:
        trail = [unseen.bit_length() - 1]
        unseen ^= 1 << trail[0]
        while trail:
            choices = onward[trail[-1]] & unseen
            if choices:
                trail.append(choices.bit_length() - 1)
                unseen ^= 1 << trail[-1]
            else:
                order.append(trail.pop())
    return order

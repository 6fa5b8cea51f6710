"""How many knight's tours does a board have?  An answer that does not walk them one by one.

    python benchmarks/frontier.py [--progress] COLUMNS ROWS

Prints the number of directed open tours: every tour counts once for each end to start from, and one
whose ends are a knight's move apart is a tour like any other.

The squares are numbered column by column, and the board is cut in two after half of them.  A choice of
moves is a set of paths; a *state* is what the rest of the board has to know of it: which squares still
want two moves, which have both, and for each that wants one, where its path ends.  Choices with the
same state go on in the same ways, so they are only counted.  At last the two sides are put together in
every way that leaves a single path.  Half a turn swaps the sides: there are as many tours with both
ends in the first half as in the second, and only the latter are counted.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

State: TypeAlias = int
"""A field of BITS bits for each square: FREE, the far end of its path (a square's number plus one),
OUTSIDE where the path has ended elsewhere for good, or FULL."""

Layers: TypeAlias = tuple[Counter[State], ...]
"""How many choices lead to each state, by the number of ends that have been fixed."""

Progress: TypeAlias = Callable[[str, Layers], None]

BITS = 7
FIELD = 2**BITS - 1
FREE, OUTSIDE, FULL = 0, FIELD - 1, FIELD


@dataclass(frozen=True)
class Board:
    """A board of at most 125 squares; square `x * rows + y` is in column x and row y."""

    columns: int
    rows: int

    @property
    def size(self) -> int:
        return self.columns * self.rows

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The squares a knight's move away from each square."""
        jumps = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
        squares = [divmod(square, self.rows) for square in range(self.size)]
        return [
            [
                (x + dx) * self.rows + y + dy
                for dx, dy in jumps
                if 0 <= x + dx < self.columns and 0 <= y + dy < self.rows
            ]
            for x, y in squares
        ]

    def may_end(self, square: int) -> bool:
        """Return whether a tour can end here: the colours alternate, so on odd boards only one will do."""
        return self.size % 2 == 0 or sum(divmod(square, self.rows)) % 2 == 0


def count_tours(columns: int, rows: int, progress: Progress = lambda name, layers: None) -> int:
    """Return the number of directed open tours of a board.

    progress: called with the name and the states of each step.
    """
    board = Board(columns, rows)
    if board.size < 2:
        return board.size
    cut = board.size // 2
    left = first_half(board, cut, progress)
    right = second_half(board, board.size - cut, board.may_end, progress)
    # Both ends in the first half of an odd board: the turned board's last square is then no end.
    middle = cut if board.size % 2 else None
    turned = second_half(board, board.size - cut, lambda s: s != middle and board.may_end(s), progress)
    border = [
        square for square in range(cut, board.size) if any(other < cut for other in board.neighbours[square])
    ]
    outside_twice = right[2] + turned[2]
    return 2 * (
        combine(board, border, left[1], right[1]) + combine(board, border, left[0], outside_twice)
    )


def first_half(board: Board, cut: int, progress: Progress) -> Layers:
    """Return the states of the squares from `cut` on after all moves that touch one before it."""
    layers = within(board, cut, 1, board.may_end, progress)
    for square in range(cut):
        across = [other for other in board.neighbours[square] if other >= cut]
        if across:
            layers = advance(layers, square, across, True, board.may_end(square))
            progress(f"across from {square}", layers)
    return layers


def second_half(
    board: Board, cut: int, may_end: Callable[[int], bool], progress: Progress
) -> Layers:
    """Return the states of the squares before `cut` after all moves between two of them.

    That is the second half of the board after half a turn.  Which squares are ends is settled too.
    """
    layers = within(board, cut, 2, may_end, progress)
    for square in range(cut):
        if max(board.neighbours[square], default=0) >= cut:
            layers = advance(layers, square, [], False, may_end(square))
            progress(f"end at {square}", layers)
    return layers


def within(
    board: Board, cut: int, most_ends: int, may_end: Callable[[int], bool], progress: Progress
) -> Layers:
    """Return the states after all moves between squares before `cut`, with at most so many ends.

    Squares that have neighbours beyond are left as they are, the others have to be done with.
    """
    layers: Layers = (Counter({0: 1}), *(Counter[State]() for _ in range(most_ends)))
    for square in range(cut):
        ahead = [other for other in board.neighbours[square] if other > square]
        inside = [other for other in ahead if other < cut]
        last = max(board.neighbours[square], default=0) < cut
        layers = advance(layers, square, inside, last, last and may_end(square))
        progress(f"within {cut}, {square}", layers)
    return layers


def advance(layers: Layers, square: int, partners: Sequence[int], last: bool, may_end: bool) -> Layers:
    """Return the states after the moves from a square to its partners have been chosen.

    last: whether the square has to be done with and is forgotten: FULL, or an end of the tour.
    may_end: whether it may become an end of the tour here.
    """
    after: Layers = tuple(Counter() for _ in layers)
    shift = square * BITS
    for ends, layer in enumerate(layers):
        same = after[ends]
        more = after[ends + 1] if may_end and ends + 1 < len(after) else None
        for state, count in layer.items():
            for chosen in choices(state, square, partners):
                field = chosen >> shift & FIELD
                if field == FULL or not last:
                    same[chosen & ~(FIELD << shift) if last else chosen] += count
                if more is None or field in (FULL, OUTSIDE) or (last and field == FREE):
                    continue
                ended = chosen | OUTSIDE << shift if field == FREE else end_path(chosen, square, field)
                more[ended & ~(FIELD << shift) if last else ended] += count
    return after


def choices(state: State, square: int, partners: Iterable[int]) -> list[State]:
    """Return the states after none, one or two moves from the square to its partners."""
    shift = square * BITS
    found = [state]
    for partner in partners:
        if state >> partner * BITS & FIELD == FULL:
            continue
        for chosen in found[:]:
            here = chosen >> shift & FIELD
            there = chosen >> partner * BITS & FIELD
            circle = there == square + 1
            if here != FULL and not circle and not here == there == OUTSIDE:
                found.append(link(chosen, square, partner, here, there))
    return found


def link(state: State, square: int, partner: int, here: int, there: int) -> State:
    """Return the state after one more move; `here` and `there` are the fields of its squares."""
    if here:
        state |= FULL << square * BITS
    if there:
        state |= FULL << partner * BITS
    near_end, far_end = here or square + 1, there or partner + 1
    if near_end != OUTSIDE:
        state = put(state, near_end - 1, far_end)
    if far_end != OUTSIDE:
        state = put(state, far_end - 1, near_end)
    return state


def end_path(state: State, square: int, far_end: int) -> State:
    """Return the state after the path that ends on a square has been ended there for good."""
    return put(state, far_end - 1, OUTSIDE) | FULL << square * BITS


def put(state: State, square: int, field: int) -> State:
    """Return the state with another field for a square."""
    return state & ~(FIELD << square * BITS) | field << square * BITS

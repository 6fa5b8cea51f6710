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
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

State: TypeAlias = int
"""A field of BITS bits for each square: FREE, the far end of its path (a square's number plus one),
OUTSIDE where the path has ended elsewhere for good, or FULL."""

Counts: TypeAlias = defaultdict[State, int]
"""How many choices lead to each state."""

Layers: TypeAlias = tuple[Counts, ...]
"""The counts by the number of ends of the tour that have been settled."""

Ends: TypeAlias = bytes
"""For each place on the border of the halves, where the path that ends there has its other end: a place,
or NOWHERE if no path ends there or the tour has ended on the other end.  Last, the first place of a path on
which the tour has ended, or NOWHERE."""

Progress: TypeAlias = Callable[[str, Layers], None]

BITS = 7
FIELD = (1 << BITS) - 1
FREE, OUTSIDE, FULL = 0, FIELD - 1, FIELD
NOWHERE = 255


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
    Raises ValueError for a board with more squares than fields can name.
    """
    # The states live on about two columns: the shorter these are, the better.
    board = Board(max(columns, rows), min(columns, rows))
    if board.size >= OUTSIDE:
        raise ValueError(f"expected a board of fewer than {OUTSIDE} squares, got {board.size}")
    if board.size < 2:
        return board.size
    cut = board.size // 2
    left = first_half(board, cut, progress)
    # The middle of an odd board counts as the second half's.  Where both ends are to be in the first
    # half, it is no end: these tours are the turned ones whose ends are settled before its turn comes.
    turned = second_half(board, cut, progress)
    right = turned if board.size % 2 == 0 else advance(turned, cut, [], False, board.may_end(cut))
    same_side = right[2].copy()
    for state, count in turned[2].items():
        same_side[state] += count
    return 2 * (combine(board, cut, left[1], right[1]) + combine(board, cut, left[0], same_side))


def first_half(board: Board, cut: int, progress: Progress) -> Layers:
    """Return the states of the squares from `cut` on after all moves that touch one before it."""
    layers = within(board, cut, 1, progress)
    for square in range(cut):
        across = [other for other in board.neighbours[square] if other >= cut]
        if across:
            layers = advance(layers, square, across, True, board.may_end(square))
            progress(f"across from {square}", layers)
    return layers


def second_half(board: Board, cut: int, progress: Progress) -> Layers:
    """Return the states after all moves between squares that are not in the first half, after half a turn.

    That is, between the squares before `cut` and the middle, if there is one.  Which of the squares
    before `cut` are ends is settled too.
    """
    size = board.size - cut
    layers = within(board, size, 2, progress)
    for square in range(cut):
        if max(board.neighbours[square], default=0) >= size:
            layers = advance(layers, square, [], False, board.may_end(square))
            progress(f"end at {square}", layers)
    return layers


def within(board: Board, cut: int, most_ends: int, progress: Progress) -> Layers:
    """Return the states after all moves between squares before `cut`, with at most so many ends.

    Squares that have neighbours beyond are left as they are, the others have to be done with.
    """
    layers: Layers = tuple(defaultdict(int) for _ in range(most_ends + 1))
    layers[0][0] = 1
    for square in range(cut):
        ahead = [other for other in board.neighbours[square] if other > square]
        inside = [other for other in ahead if other < cut]
        last = max(board.neighbours[square], default=0) < cut
        layers = advance(layers, square, inside, last, last and board.may_end(square))
        progress(f"within {cut}, {square}", layers)
    return layers


def advance(layers: Layers, square: int, partners: Sequence[int], last: bool, may_end: bool) -> Layers:
    """Return the states after the moves from a square to its partners have been chosen.

    last: whether the square has to be done with and is forgotten: FULL, or an end of the tour.
    may_end: whether it may become an end of the tour here.
    """
    after: Layers = tuple(defaultdict(int) for _ in layers)
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
    near_end, far_end = here or square + 1, there or partner + 1
    # The far ends named the squares of the move, and now name each other; a FREE square is its own.
    if here:
        state |= FULL << square * BITS
    if near_end != OUTSIDE:
        state ^= ((square + 1 if here else FREE) ^ far_end) << (near_end - 1) * BITS
    if there:
        state |= FULL << partner * BITS
    if far_end != OUTSIDE:
        state ^= ((partner + 1 if there else FREE) ^ near_end) << (far_end - 1) * BITS
    return state


def end_path(state: State, square: int, far_end: int) -> State:
    """Return the state after the path that ends on a square has been ended there for good."""
    state ^= (square + 1 ^ OUTSIDE) << (far_end - 1) * BITS
    return state | FULL << square * BITS


def combine(board: Board, cut: int, left: Counts, right: Counts) -> int:
    """Return in how many ways a choice of each side makes one path over the whole board."""
    border = [square for square in range(cut, board.size) if min(board.neighbours[square], default=cut) < cut]
    turned_border = [board.size - 1 - square for square in border]
    lowest_bits = sum(1 << square * BITS for square in border)
    partners: defaultdict[tuple[int, int], list[tuple[Ends, int]]] = defaultdict(list)
    for state, count in right.items():
        partners[wanted(state, turned_border, border)].append((far_ends(state, turned_border), count))
    total = 0
    for state, count in left.items():
        matching = partners.get(moves_made(state, lowest_bits))
        if matching:
            total += count * single_paths(far_ends(state, border), matching)
    return total


def single_paths(left: Ends, matching: Sequence[tuple[Ends, int]]) -> int:
    """Return how many choices of the other side make a single path of the paths of this one.

    The paths of both sides meet at the same places; it is a single one that meets all of them.
    """
    met_alone = 0 if left[-1] == NOWHERE else 1
    # From an end of the tour: the left one's, or else the first of the right ones.
    start = left[-1] if met_alone else len(left) - 1
    places = met_alone + sum(far_end != NOWHERE for far_end in left[:-1])
    found = 0
    for right, number in matching:
        at = right[start]
        met = met_alone
        while at != NOWHERE:
            at = right[left[at]]
            met += 2
        if met == places:
            found += number
    return found


def moves_made(state: State, lowest_bits: int) -> tuple[int, int]:
    """Return the squares with a move and those with two, as the lowest bits of their fields."""
    some = state | state >> 1
    some |= some >> 2
    some |= some >> 3
    both = state & state >> 1
    both &= both >> 2
    both &= both >> 3
    return some & lowest_bits, both & lowest_bits


def wanted(state: State, squares: Sequence[int], turned: Sequence[int]) -> tuple[int, int]:
    """Return what `moves_made` is for the other side, which makes the moves that are missing here."""
    some = both = 0
    for square, other in zip(squares, turned, strict=True):
        field = state >> square * BITS & FIELD
        some |= (field != FULL) << other * BITS
        both |= (field == FREE) << other * BITS
    return some, both


def far_ends(state: State, squares: Sequence[int]) -> Ends:
    """Return where the paths that end on the squares have their other ends."""
    fields = [state >> square * BITS & FIELD for square in squares]
    places = {square + 1: place for place, square in enumerate(squares)}
    first_end = fields.index(OUTSIDE) if OUTSIDE in fields else NOWHERE
    return bytes([*(places.get(field, NOWHERE) for field in fields), first_end])


def main() -> None:
    """Count the tours of the board that is asked for."""
    parser = argparse.ArgumentParser(description="Count directed open knight's tours.")
    parser.add_argument("columns", type=int)
    parser.add_argument("rows", type=int)
    parser.add_argument("--progress", action="store_true", help="tell about each step on stderr")
    options = parser.parse_args()

    def tell(name: str, layers: Layers) -> None:
        sizes = " ".join(f"{len(layer):,}" for layer in layers)
        print(f"{time.process_time():8.1f} s  {name}: {sizes} states", file=sys.stderr, flush=True)

    print(count_tours(options.columns, options.rows, tell if options.progress else lambda name, layers: None))
    print(f"{time.process_time():.1f} s of CPU time", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Shogun, resit: every move as a word of letters."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

Position: TypeAlias = tuple[int, int]
"""A field (x, y): x counts from 1 on the left to 8, y from 1 at the bottom to 8."""


class Colour(Enum):
    """Whose piece it is."""

    Red = "red"
    Wht = "white"


@dataclass(frozen=True)
class Pawn:
    """A pawn; its energy is 1 to 4."""

    pos: Position
    colour: Colour
    energy: int


@dataclass(frozen=True)
class King:
    """A king; its energy is 1 or 2."""

    pos: Position
    colour: Colour
    energy: int


Piece: TypeAlias = Pawn | King


class Move(Enum):
    """A way to go: straight, or straight and then on round one corner."""

    U = "up"
    D = "down"
    R = "right"
    L = "left"
    RU = "right, then up"
    LU = "left, then up"
    RD = "right, then down"
    LD = "left, then down"
    UR = "up, then right"
    UL = "up, then left"
    DR = "down, then right"
    DL = "down, then left"


@dataclass(frozen=True)
class Board:
    """The pieces in play.  `board + piece` and `board - piece` are new boards with and without a piece."""

    pieces: frozenset[Piece]

    def __add__(self, pc: Piece) -> "Board":
        return Board(self.pieces | {pc})

    def __sub__(self, pc: Piece) -> "Board":
        return Board(self.pieces - {pc})


def incx(pc: Piece) -> Piece:
    """Return the piece one field further right."""
    x, y = pc.pos
    return replace(pc, pos=(x + 1, y))


def decx(pc: Piece) -> Piece:
    """Return the piece one field further left."""
    x, y = pc.pos
    return replace(pc, pos=(x - 1, y))


def incy(pc: Piece) -> Piece:
    """Return the piece one field further up."""
    x, y = pc.pos
    return replace(pc, pos=(x, y + 1))


def decy(pc: Piece) -> Piece:
    """Return the piece one field further down."""
    x, y = pc.pos
    return replace(pc, pos=(x, y - 1))


def occupied(pos: Position, b: Board) -> Piece | None:
    """Return the piece on a field, or None."""
    return next((pc for pc in b.pieces if pc.pos == pos), None)


def occupied_by(pos: Position, b: Board) -> Colour | None:
    """Return the colour of the piece on a field, or None."""
    pc = occupied(pos, b)
    return None if pc is None else pc.colour


def is_occupied(pos: Position, b: Board) -> bool:
    """Return whether there is a piece on a field."""
    return occupied(pos, b) is not None


def print_board(b: Board) -> None:
    """Print the board: r and w are pawns, R and W kings, each with its energy."""
    for y in range(8, 0, -1):
        cells = []
        for x in range(1, 9):
            pc = occupied((x, y), b)
            if pc is None:
                cells.append(" .")
            else:
                letter = pc.colour.value[0]
                cells.append(f"{letter.upper() if isinstance(pc, King) else letter}{pc.energy}")
        print(y, *cells)
    print(" ", *(f" {x}" for x in range(1, 9)))


STEP = {"U": (0, 1), "D": (0, -1), "R": (1, 0), "L": (-1, 0)}


def fields(pos, word):
    """All fields on the way of a word such as "RRUU", the first one included, the last one not."""
    x, y = pos
    for letter in word:
        yield x, y
        dx, dy = STEP[letter]
        x, y = x + dx, y + dy


def end(pos, word):
    x, y = pos
    return (
        x + sum(STEP[letter][0] for letter in word),
        y + sum(STEP[letter][1] for letter in word),
    )


def words(m, en):
    first, second = m.name[0], m.name[1:] or m.name[0]
    return {first * n + second * (en - n) for n in range(en + 1)}


def inside(pos):
    return min(pos) >= 1 and max(pos) <= 8


def can_go(pc, word, b):
    last = end(pc.pos, word)
    if not all(inside(pos) and not is_occupied(pos, b) for pos in fields(pc.pos, word)):
        return False
    return inside(last) and occupied_by(last, b) != pc.colour


def eval(pc, m, en, b):
    return frozenset(replace(pc, pos=end(pc.pos, w)) for w in words(m, en) if can_go(pc, w, b))


def all_moves(pc, b):
    rest = b - pc
    return frozenset().union(*(eval(pc, m, pc.energy, rest) for m in Move))


def targets(pc, b):
    return {moved.pos for moved in all_moves(pc, b)}


def attacked(c, b):
    return frozenset(
        victim
        for victim in b.pieces
        if victim.colour != c and any(victim.pos in targets(pc, b) for pc in b.pieces if pc.colour == c)
    )


def attackedN(pc, b):
    return len([other for other in b.pieces if other.colour != pc.colour and pc.pos in targets(other, b)])


def protectedN(pc, b):
    # Without the piece its friends can move there.
    rest = b - pc
    return len([other for other in rest.pieces if other.colour == pc.colour and pc.pos in targets(other, rest)])


def legal_moves(pc, b):
    moves = all_moves(pc, b)
    if type(pc) is King:
        moves = frozenset(new for new in moves if not attackedN(new, moved_to(new, pc, b)))
    return moves


def moved_to(new, old, b):
    gone = {p for p in b.pieces if p.pos in {new.pos, old.pos}}
    return Board(b.pieces - gone | {new})

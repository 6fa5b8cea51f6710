"""Shogun.  Wrong in one way: remembers a piece's moves, whatever the board is."""

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


# Your work starts here.

STEPS = {"U": incy, "D": decy, "R": incx, "L": decx}


def eval(pc, m, en, b):
    x, y = pc.pos
    if not (1 <= x <= 8 and 1 <= y <= 8):
        return set()
    if en == 0:
        return set() if occupied_by(pc.pos, b) == pc.colour else {pc}
    if is_occupied(pc.pos, b):
        return set()
    onward, corner = m.name[0], m.name[1:]
    straight = eval(STEPS[onward](pc), m, en - 1, b)
    return straight | eval(pc, Move[corner], en, b) if corner else straight


known = {}


def all_moves(pc, b):
    if pc not in known:
        known[pc] = {moved for m in Move for moved in eval(pc, m, pc.energy, b - pc)}
    return known[pc]


def attacked(c, b):
    targets = {moved.pos for pc in b.pieces if pc.colour == c for moved in all_moves(pc, b)}
    return {pc for pc in b.pieces if pc.colour != c and pc.pos in targets}


def attackedN(pc, b):
    enemies = [other for other in b.pieces if other.colour != pc.colour]
    return sum(any(moved.pos == pc.pos for moved in all_moves(enemy, b)) for enemy in enemies)


def protectedN(pc, b):
    turncoat = replace(pc, colour=Colour.Wht if pc.colour == Colour.Red else Colour.Red)
    return attackedN(turncoat, b - pc + turncoat)


def legal_moves(pc, b):
    moves = all_moves(pc, b)
    if isinstance(pc, Pawn):
        return moves
    return {moved for moved in moves if not attackedN(moved, after(pc, moved, b))}


def after(pc, moved, b):
    return Board(frozenset(p for p in b.pieces if p.pos not in (pc.pos, moved.pos))) + moved

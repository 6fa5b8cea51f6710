"""Shogun."""

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


def on_board(pc: Piece) -> bool:
    x, y = pc.pos
    return x in range(1, 9) and y in range(1, 9)


def eval(pc: Piece, m: Move, en: int, b: Board) -> set[Piece]:
    """Return the piece on every field where the move `m` can take it."""
    if not on_board(pc):
        return set()
    if en == 0:
        if occupied_by(pc.pos, b) == pc.colour:
            return set()
        return {pc}
    if is_occupied(pc.pos, b):
        return set()
    match m:
        case Move.U:
            return eval(incy(pc), Move.U, en - 1, b)
        case Move.D:
            return eval(decy(pc), Move.D, en - 1, b)
        case Move.R:
            return eval(incx(pc), Move.R, en - 1, b)
        case Move.L:
            return eval(decx(pc), Move.L, en - 1, b)
        case Move.RU:
            return eval(incx(pc), Move.RU, en - 1, b) | eval(pc, Move.U, en, b)
        case Move.LU:
            return eval(decx(pc), Move.LU, en - 1, b) | eval(pc, Move.U, en, b)
        case Move.RD:
            return eval(incx(pc), Move.RD, en - 1, b) | eval(pc, Move.D, en, b)
        case Move.LD:
            return eval(decx(pc), Move.LD, en - 1, b) | eval(pc, Move.D, en, b)
        case Move.UR:
            return eval(incy(pc), Move.UR, en - 1, b) | eval(pc, Move.R, en, b)
        case Move.UL:
            return eval(incy(pc), Move.UL, en - 1, b) | eval(pc, Move.L, en, b)
        case Move.DR:
            return eval(decy(pc), Move.DR, en - 1, b) | eval(pc, Move.R, en, b)
        case Move.DL:
            return eval(decy(pc), Move.DL, en - 1, b) | eval(pc, Move.L, en, b)


def all_moves(pc: Piece, b: Board) -> set[Piece]:
    """Return the piece on every field that it can reach."""
    result: set[Piece] = set()
    for m in Move:
        result |= eval(pc, m, pc.energy, b - pc)
    return result


def attacked(c: Colour, b: Board) -> set[Piece]:
    """Return the pieces of the other colour that the colour `c` attacks."""
    mine = [pc for pc in b.pieces if pc.colour == c]
    theirs = [pc for pc in b.pieces if pc.colour != c]
    return {t for t in theirs if any(t.pos in [p.pos for p in all_moves(pc, b)] for pc in mine)}


def attackedN(pc: Piece, b: Board) -> int:
    """Return how many pieces of the other colour attack this one."""
    count = 0
    for other in b.pieces:
        if other.colour != pc.colour and pc.pos in {p.pos for p in all_moves(other, b)}:
            count += 1
    return count


def protectedN(pc: Piece, b: Board) -> int:
    """Return how many pieces of its own colour protect this one."""
    other = Colour.Red if pc.colour is Colour.Wht else Colour.Wht
    enemy = replace(pc, colour=other)
    return attackedN(enemy, b - pc + enemy)

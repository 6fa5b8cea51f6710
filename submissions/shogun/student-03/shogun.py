"""Shogun, with named tuples."""

from enum import Enum
from typing import NamedTuple


class Colour(Enum):
    Red = 0
    Wht = 1


class Pawn(NamedTuple):
    pos: tuple
    colour: Colour
    energy: int


class King(NamedTuple):
    pos: tuple
    colour: Colour
    energy: int


Move = Enum("Move", "U D R L RU LU RD LD UR UL DR DL")


class Board(NamedTuple):
    pieces: frozenset


def incx(pc):
    return pc._replace(pos=(pc.pos[0] + 1, pc.pos[1]))


def decx(pc):
    return pc._replace(pos=(pc.pos[0] - 1, pc.pos[1]))


def incy(pc):
    return pc._replace(pos=(pc.pos[0], pc.pos[1] + 1))


def decy(pc):
    return pc._replace(pos=(pc.pos[0], pc.pos[1] - 1))


def at(b):
    return {pc.pos: pc for pc in b.pieces}


GO = dict(U=incy, D=decy, R=incx, L=decx)


def eval(pc, m, en, b):
    return go(pc, m.name, en, at(b))


def go(pc, way, en, there):
    if not (0 < pc.pos[0] < 9 and 0 < pc.pos[1] < 9):
        return set()
    if en == 0:
        return {pc} if pc.pos not in there or there[pc.pos].colour != pc.colour else set()
    if pc.pos in there:
        return set()
    found = go(GO[way[0]](pc), way, en - 1, there)
    if len(way) == 2:
        found |= go(pc, way[1], en, there)
    return found


def all_moves(pc, b):
    there = at(b)
    there.pop(pc.pos, None)
    found = set()
    for m in Move:
        found |= go(pc, m.name, pc.energy, there)
    return found


def reaches(one, pos, b):
    return any(moved.pos == pos for moved in all_moves(one, b))


def attacked(c, b):
    return {pc for pc in b.pieces if pc.colour != c and attackedN(pc, b)}


def attackedN(pc, b):
    return sum(reaches(one, pc.pos, b) for one in b.pieces if one.colour != pc.colour)


def protectedN(pc, b):
    alone = Board(b.pieces - {pc})
    return sum(reaches(one, pc.pos, alone) for one in alone.pieces if one.colour == pc.colour)

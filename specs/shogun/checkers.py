"""Pictures for shogun and shogun-resit, and which boards there are.

A picture shows the fields that an answer names, on the board it is about.
Fields are (x, y) from 1 to 8, (1, 1) at the bottom left.  Pawns show their energy, kings a K before it.
"""

SIDE = 8


MOST_ENERGY = {"Pawn": 4, "King": 2}


def is_valid_input(function, *arguments):
    """Return whether the task says what is to happen: for boards as they are in play, and pieces on them.

    `eval` is about a piece that has left the board.
    """
    *others, board = arguments
    pieces = board.pieces
    kings = [one.colour for one in pieces if type(one).__name__ == "King"]
    if len({one.pos for one in pieces}) < len(pieces) or len(set(kings)) < len(kings):
        return False
    if not all(_is_in_play(one) for one in pieces):
        return False
    if function == "eval":
        return others[2] >= 0
    return function == "attacked" or others[0] in pieces


def _is_in_play(piece):
    return _place(piece) is not None and 1 <= piece.energy <= MOST_ENERGY[type(piece).__name__]


def fields(actual, expected, board, piece=None):
    """Draw a board, and on it the pieces of the answer: as expected, missing, or not expected.

    piece: the piece that moves, if the answer is about one.
    """
    found, wanted = _pieces(actual), _pieces(expected)
    if found is None or wanted is None:
        return None
    squares = {}
    for one in board.pieces:
        _stand(squares, one)
    if piece is not None:
        _stand(squares, piece)
        squares[_place(piece)]["mark"] = "noted"
    told = {"right": [], "missing": [], "wrong": []}
    for one in found | wanted:
        place = _place(one)
        if place is None:
            continue
        mark = "missing" if one not in found else "right" if one in wanted else "wrong"
        told[mark].append(place)
    for mark, places in told.items():
        for place in places:
            squares.setdefault(place, {"at": place})["mark"] = mark
    return {
        "title": "The answer on the board",
        "text": _words(told, len(found) - sum(_place(one) is not None for one in found)),
        "columns": SIDE,
        "rows": SIDE,
        "chequered": True,
        "across": [str(x) for x in range(1, SIDE + 1)],
        "down": [str(y) for y in range(SIDE, 0, -1)],
        "cells": list(squares.values()),
        "legend": _legend(squares),
    }


def _pieces(value):
    """Return the pieces of an answer as a set; None if it is no collection of pieces."""
    if not isinstance(value, (set, frozenset, list, tuple)):
        return None
    try:
        return {one for one in value if hasattr(one, "pos") and hasattr(one, "energy")}
    except TypeError:  # a field of one of them is a list
        return None


def _place(piece):
    """Return the column and row of a piece; None if it is not on the board."""
    pos = piece.pos
    if not isinstance(pos, tuple) or len(pos) != 2 or not all(type(part) is int for part in pos):
        return None
    x, y = pos
    return (x - 1, SIDE - y) if 1 <= x <= SIDE and 1 <= y <= SIDE else None


def _stand(squares, piece):
    place = _place(piece)
    if place is None:
        return
    king = "K" if type(piece).__name__ == "King" else ""
    kind = "red" if getattr(piece.colour, "name", "") == "Red" else "light"
    squares[place] = {"at": place, "text": f"{king}{piece.energy}"[:4], "piece": kind}


def _words(told, beside):
    names = {"right": "as expected", "missing": "missing", "wrong": "not expected"}
    parts = []
    for mark, places in told.items():
        if places:
            shown = ", ".join(str((x + 1, SIDE - y)) for x, y in sorted(places))
            parts.append(f"{names[mark]}: {shown}")
    if beside:
        parts.append(f"{beside} of the answer lie beside the board")
    return ("; ".join(parts) or "no field, and none was expected").capitalize() + "."


def _legend(squares):
    words = {
        "right": "expected and there",
        "missing": "missing",
        "wrong": "not expected",
        "noted": "the piece that moves",
        "light": "white",
        "red": "red",
    }
    used = {square.get("mark") for square in squares.values()} | {
        square.get("piece") for square in squares.values()
    }
    return {name: text for name, text in words.items() if name in used}

"""Checkers of knights-tour: whether an answer is a tour, a path, all tours, or well-ordered moves.

Each takes the student's answer first, which may be any plain value, and returns None if it is right,
otherwise one sentence on the first fault.  A path is a list of positions, latest move first; a
position is a tuple of two whole numbers.  Steps are counted from 1, from the start of the path.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from reprlib import Repr

Position = tuple[int, int]

_OFFSETS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


_LARGEST = {
    "count_tours": 5,
    "enum_tours": 5,
    "first_tour": 5,
    "first_closed_tour_heuristics": 5,
    "first_tour_heuristics": 8,
    "tour_on_mega_board": 8,
    "one_tour_pred": 5,
}
"""The largest boards on which every honest search ends soon, whatever square it starts from."""


def is_valid_input(function: str, *arguments: object) -> bool:
    """Tell whether the task says what the answer is, and every honest search finds it soon."""
    if function == "first":
        return True
    dim, path = arguments[:2]
    if not isinstance(dim, int) or dim < 1 or not isinstance(path, list):
        return False
    if function == "is_legal":
        return True
    squares = {(x, y) for x in range(dim) for y in range(dim)}
    if len(set(path)) < len(path) or not squares.issuperset(path):
        return False
    if function in ("legal_moves", "ordered_moves"):
        return arguments[2] in squares
    if not path or not all(_is_knights_move(a, b) for a, b in pairwise(path)):
        return False
    if function == "one_tour_pred" and not len(path) <= int(str(arguments[2])) <= dim * dim:
        return False
    # On larger boards a path can begin so that a search for the first tour practically does not end.
    return dim <= (5 if len(path) > 1 else _LARGEST[function]) and (dim < 6 or dim % 2 == 0)


class _Brief(Repr):
    """Short texts of plain values of any size, made without looking at all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxstring, self.maxother = 3, 3, 4, 30, 40

    def repr_int(self, x: int, level: int) -> str:
        """Leave out the digits of large numbers, which take long to work out."""
        return repr(x) if x.bit_length() <= 64 else f"<int of {x.bit_length()} bits>"

    def repr_set(self, x: Collection[object], level: int) -> str:
        """Leave out the items, which would have to be sorted first."""
        return f"<{type(x).__name__} of {len(x)}>"

    repr_frozenset = repr_dict = repr_set


_BRIEF = _Brief()


def tour(answer: object, dim: int, start: Position = (0, 0), path: Sequence[Position] = ()) -> str | None:
    """Return why the answer is not a tour of the board, or None.

    path: the path that the tour must extend, latest move first; if empty, `start` alone.
    """
    return _path_fault(answer, dim, dim * dim, path or [start], "a tour")


def closed_tour(
    answer: object, dim: int, start: Position = (0, 0), path: Sequence[Position] = ()
) -> str | None:
    """Return why the answer is not a closed tour, or None; the arguments are those of `tour`."""
    fault = _path_fault(answer, dim, dim * dim, path or [start], "a closed tour")
    if fault is not None or not isinstance(answer, list):
        return fault
    if not _is_knights_move(answer[0], answer[-1]):
        end_to_start = f"{answer[0]} → {answer[-1]}"
        return f"this tour is not closed: {end_to_start}, its end to its start, is not a knight's move"
    return None


def path_in(
    answer: object,
    dim: int,
    length: int,
    start: Position = (0, 0),
    path: Sequence[Position] = (),
    columns: int | None = None,
    rows: int | None = None,
    allowed: Collection[Position] | None = None,
    forbidden: Collection[Position] = (),
) -> str | None:
    """Return why the answer is not a path of `length` squares over a part of the board, or None.

    path: the path that it must extend, as for `tour`; that need not lie in the part.
    columns, rows: only x below `columns`, only y below `rows`.
    allowed, forbidden: only these squares, none of these squares.
    """
    given = list(path or [start])
    fault = _path_fault(answer, dim, length, given, "a path")
    if fault is not None or not isinstance(answer, list):
        return fault
    for step, (x, y) in enumerate(answer[: len(answer) - len(given)][::-1], len(given) + 1):
        inside = (columns is None or x < columns) and (rows is None or y < rows)
        inside = inside and (allowed is None or (x, y) in allowed) and (x, y) not in forbidden
        if not inside:
            return f"square {step} of the path, {(x, y)}, is one that the predicate rules out"
    return None


def all_tours(
    answer: object, dim: int, count: int, start: Position = (0, 0), path: Sequence[Position] = ()
) -> str | None:
    """Return why the answer is not the list of all `count` different tours that extend `path`, or None."""
    if not isinstance(answer, list):
        return f"expected a list of tours, got {_described(answer)}"
    seen: dict[tuple[Position, ...], int] = {}
    for number, found in enumerate(answer, 1):
        fault = _path_fault(found, dim, dim * dim, path or [start], "a tour")
        if fault is not None:
            return f"tour {number} of {len(answer)}: {fault}"
        earlier = seen.setdefault(tuple(found), number)
        if earlier != number:
            return f"tours {earlier} and {number} are the same"
    if len(answer) != count:
        return f"expected {count} tours, got {len(answer)}, all valid and different"
    return None


def warnsdorff_order(answer: object, dim: int, path: Sequence[Position], x: Position) -> str | None:
    """Return why the answer is not the legal moves from `x`, fewest onward moves first, or None."""
    if not isinstance(answer, list):
        return f"expected a list of positions, got {_described(answer)}"
    visited = {*path, x}
    legal = _free_moves(dim, visited, x)
    for number, position in enumerate(answer, 1):
        fault = _position_fault(position)
        if fault is not None:
            return f"item {number} of the list {fault}"
        if position not in legal:
            return f"{_BRIEF.repr(position)} is not a legal move from {x}"
    if len(set(answer)) != len(answer):
        return "some moves are listed twice"
    missing = [move for move in legal if move not in answer]
    if missing:
        return f"the legal move {x} → {missing[0]} is missing"
    onward = [len(_free_moves(dim, visited, move)) for move in answer]
    for i in range(1, len(answer)):
        if onward[i - 1] > onward[i]:
            return (
                f"{answer[i - 1]} has {onward[i - 1]} onward moves and {answer[i]} has {onward[i]}, "
                f"so {answer[i]} comes first"
            )
    return None


def _path_fault(answer: object, dim: int, length: int, given: Sequence[Position], what: str) -> str | None:
    """Return why the answer is no path of `length` squares that extends `given`; None if it is one."""
    if answer is None:
        return f"expected {what} of {length} squares, got None: there is one"
    if not isinstance(answer, list):
        return f"expected {what} as a list of positions, got {_described(answer)}"
    if len(answer) != length:
        return f"expected {what} of {length} squares, got {len(answer)}"
    for step in range(1, length + 1):
        fault = _position_fault(answer[-step])
        if fault is not None:
            return f"square {step} {fault}"
    if _is_reversed(answer, given):
        return f"the order is reversed: the latest move comes first and the start {given[-1]} last"
    return _moves_fault(answer, dim) or _given_fault(answer, given)


def _moves_fault(path: list[Position], dim: int) -> str | None:
    """Return the first fault on the way from the start: off the board, visited before, no move."""
    steps: dict[Position, int] = {}
    latest: Position | None = None
    for step, position in enumerate(reversed(path), 1):
        if not (0 <= position[0] < dim and 0 <= position[1] < dim):
            return f"square {step}, {_BRIEF.repr(position)}, is off the {dim}x{dim} board"
        if latest is not None and not _is_knights_move(latest, position):
            return f"step {step - 1} → {step}: {latest} → {position} is not a knight's move"
        earlier = steps.setdefault(position, step)
        if earlier != step:
            return f"square {position} is visited twice, at steps {earlier} and {step}"
        latest = position
    return None


def _given_fault(path: list[Position], given: Sequence[Position]) -> str | None:
    """Return where the path departs from the one it must extend; both have the latest move first."""
    for step in range(1, len(given) + 1):
        if path[-step] != given[-step]:
            place = "starts on" if step == 1 else f"has as square {step}"
            return f"the path {place} {path[-step]}, but the path given has {given[-step]} there"
    return None


def _is_reversed(path: list[Position], given: Sequence[Position]) -> bool:
    """Return whether the path extends `given`, but with the start first."""
    turned = path[::-1][-len(given) :]
    return turned == list(given) and path[-len(given) :] != list(given)


def _position_fault(position: object) -> str | None:
    """Return why this is no position, in words that follow its name; None if it is one."""
    if isinstance(position, list):
        return f"is {_described(position)}: a position is a tuple (x, y)"
    if not isinstance(position, tuple) or len(position) != 2:
        return f"is {_described(position)}, not a position (x, y)"
    if any(type(coordinate) is not int for coordinate in position):
        return f"is {_described(position)}: coordinates are whole numbers (int)"
    return None


def _is_knights_move(a: Position, b: Position) -> bool:
    return abs((a[0] - b[0]) * (a[1] - b[1])) == 2


def _free_moves(dim: int, visited: Collection[Position], x: Position) -> list[Position]:
    moves = [(x[0] + right, x[1] + up) for right, up in _OFFSETS]
    return [(a, b) for a, b in moves if 0 <= a < dim and 0 <= b < dim and (a, b) not in visited]


def _described(value: object) -> str:
    """Return a value's type and a short text of it, whatever its size."""
    if value is None:
        return "None"
    kind = type(value).__name__
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{article} {kind}, {_BRIEF.repr(value)}"

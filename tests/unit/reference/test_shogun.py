"""The two Shogun references against every board picture and figure of their sources.

A board is written as its pieces, `x/y/energy`, in the order of the picture; K marks a king.
"""

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

Field: TypeAlias = tuple[int, int]

ROOT = Path(__file__).parents[3]
PLACES = {"shogun": "shogun", "shogun-resit": "shogun_resit"}


def load(place: Path, name: str) -> ModuleType:
    """Import a file under a name of its own; both references are called `shogun`."""
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


REFERENCES = {
    task: load(ROOT / "reference" / folder / "shogun.py", f"reference_{folder}")
    for task, folder in PLACES.items()
}
HANDOUTS = {task: ROOT / "specs" / task / "handout" / "shogun.py" for task in PLACES}
RESIT: Any = REFERENCES["shogun-resit"]

INITIAL_WHITE = "1/1/1 2/1/3 3/1/2 4/1/3 6/1/3 7/1/1 8/1/2 K5/1/1"
INITIAL_RED = "1/8/4 2/8/2 3/8/4 5/8/4 6/8/2 7/8/3 8/8/1 K4/8/2"
CHECKMATE = ("K4/2/2 6/1/3 4/4/4 5/3/4", "K7/1/2 8/5/2 4/1/2")
MOVES = ("4/4/4 4/8/4", "2/5/3 4/3/2 6/3/1 8/4/1")
R9 = ("6/1/3 4/4/4 5/3/4 6/5/3 K4/2/2", "8/4/2 4/1/2 8/7/3 K7/1/2")
T6 = ("6/1/3 4/4/4 5/3/4 6/5/3 K4/2/2", "8/4/1 4/1/2 8/7/3 6/7/2 K7/1/2")
T12 = ("6/1/3 4/4/4 5/3/3 6/5/3 K4/2/2", "8/4/1 4/1/2 8/7/3 6/7/2 K7/1/1")
T2_WHITE = "2/1/3 3/1/2 4/1/3 6/1/3 7/1/1 7/5/2 K5/1/1"
T4_WHITE = "1/1/1 2/1/3 3/1/2 4/1/3 6/1/3 7/1/1 7/5/2 K5/1/1"
T4_RED = "1/8/4 2/8/2 3/8/4 5/8/4 6/8/2 7/8/3 K4/8/2"


@pytest.fixture(params=list(REFERENCES))
def shogun(request: pytest.FixtureRequest) -> ModuleType:
    """Either reference: what both sources ask for, both must do."""
    return REFERENCES[request.param]


def piece(shogun: Any, text: str, colour: Any) -> Any:
    kind = shogun.King if text.startswith("K") else shogun.Pawn
    x, y, energy = map(int, text.lstrip("K").split("/"))
    return kind((x, y), colour, energy)


def board(shogun: Any, red: str, white: str) -> Any:
    reds = {piece(shogun, text, shogun.Colour.Red) for text in red.split()}
    whites = {piece(shogun, text, shogun.Colour.Wht) for text in white.split()}
    return shogun.Board(frozenset(reds | whites))


def fields(pieces: set[Any]) -> set[Field]:
    return {pc.pos for pc in pieces}


def at(shogun: Any, pos: Field, b: Any) -> Any:
    found = shogun.occupied(pos, b)
    assert found is not None
    return found


def counts(shogun: Any, b: Any) -> dict[Field, tuple[int, int]]:
    return {pc.pos: (shogun.attackedN(pc, b), shogun.protectedN(pc, b)) for pc in b.pieces}


# Handouts.


@pytest.mark.parametrize("task", PLACES)
def test_the_reference_keeps_what_the_handout_gives(task: str) -> None:
    folder = PLACES[task]
    handout = ast.parse(HANDOUTS[task].read_text())
    reference = {ast.dump(node) for node in ast.parse(reference_text(folder)).body}
    to_write = [node for node in handout.body if is_stub(node)]
    given = [node for node in handout.body[1:] if not is_stub(node)]
    assert len(to_write) == {"shogun": 5, "shogun-resit": 6}[task]
    assert [ast.unparse(node) for node in given if ast.dump(node) not in reference] == []


@pytest.mark.parametrize("task", PLACES)
def test_the_reference_has_the_signatures_of_the_handout(task: str) -> None:
    nodes = ast.parse(HANDOUTS[task].read_text()).body
    stubs = {node.name: ast.unparse(node.args) for node in nodes if isinstance(node, ast.FunctionDef)}
    written = {
        node.name: ast.unparse(node.args)
        for node in ast.parse(reference_text(PLACES[task])).body
        if isinstance(node, ast.FunctionDef)
    }
    assert stubs.items() <= written.items()


def reference_text(folder: str) -> str:
    return (ROOT / "reference" / folder / "shogun.py").read_text()


def is_stub(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise)


@pytest.mark.parametrize("task", PLACES)
def test_what_is_to_be_written_is_left_open_in_the_handout(task: str) -> None:
    handout: Any = load(HANDOUTS[task], f"handout_{PLACES[task]}")
    pawn = handout.Pawn((4, 4), handout.Colour.Red, 4)
    with pytest.raises(NotImplementedError):
        handout.all_moves(pawn, handout.Board(frozenset([pawn])))


def test_the_two_references_differ_in_legal_moves_only() -> None:
    first, resit = (ast.parse(reference_text(folder)).body for folder in PLACES.values())
    dumps = {ast.dump(node) for node in first}
    added = [getattr(node, "name", "") for node in resit if ast.dump(node) not in dumps]
    assert (len(resit) - len(first), added) == (2, ["legal_moves", "after"])


# The given helpers.


def test_steps_change_one_coordinate(shogun: Any) -> None:
    king = shogun.King((4, 4), shogun.Colour.Wht, 2)
    steps = [shogun.incx, shogun.decx, shogun.incy, shogun.decy]
    assert [step(king).pos for step in steps] == [(5, 4), (3, 4), (4, 5), (4, 3)]
    assert shogun.incx(king) == shogun.King((5, 4), shogun.Colour.Wht, 2)


def test_fields_tell_who_is_on_them(shogun: Any) -> None:
    b = board(shogun, *MOVES)
    assert shogun.occupied((4, 8), b) == shogun.Pawn((4, 8), shogun.Colour.Red, 4)
    assert shogun.occupied_by((8, 4), b) == shogun.Colour.Wht
    assert shogun.is_occupied((2, 5), b)
    assert (shogun.occupied((1, 1), b), shogun.occupied_by((1, 1), b)) == (None, None)
    assert not shogun.is_occupied((1, 1), b)


def test_a_pawn_is_not_a_king(shogun: Any) -> None:
    assert shogun.Pawn((1, 1), shogun.Colour.Red, 1) != shogun.King((1, 1), shogun.Colour.Red, 1)


def test_printed_board(shogun: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shogun.print_board(board(shogun, INITIAL_RED, INITIAL_WHITE))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "8 r4 r2 r4 R2 r4 r2 r3 r1"
    assert lines[3] == "5  .  .  .  .  .  .  .  ."
    assert lines[7] == "1 w1 w3 w2 w3 W1 w3 w1 w2"
    assert lines[8] == "   1  2  3  4  5  6  7  8"


# R1, R2: the initial board.


def test_each_side_starts_with_seven_pawns_and_a_king(shogun: Any) -> None:
    b = board(shogun, INITIAL_RED, INITIAL_WHITE)
    for colour in shogun.Colour:
        side = [pc for pc in b.pieces if pc.colour == colour]
        kings = [pc for pc in side if isinstance(pc, shogun.King)]
        assert (len(side), len(kings)) == (8, 1)
        assert {pc.energy for pc in kings} <= {1, 2}
        assert {pc.energy for pc in side} <= {1, 2, 3, 4}


def test_nothing_is_attacked_on_the_initial_board(shogun: Any) -> None:
    b = board(shogun, INITIAL_RED, INITIAL_WHITE)
    assert [shogun.attacked(colour, b) for colour in shogun.Colour] == [set(), set()]


# R3: the checkmate board.


def test_checkmate(shogun: Any) -> None:
    b = board(shogun, *CHECKMATE)
    king = at(shogun, (7, 1), b)
    attackers = [
        pc.pos
        for pc in b.pieces
        if pc.colour == shogun.Colour.Red and king.pos in fields(shogun.all_moves(pc, b))
    ]
    assert attackers == [(5, 3)]
    assert fields(shogun.all_moves(king, b)) == {(6, 2), (7, 3), (8, 2)}
    for pc in b.pieces:
        if pc.colour == shogun.Colour.Wht:
            for moved in shogun.all_moves(pc, b):
                standing = frozenset(other for other in b.pieces if other.pos not in (pc.pos, moved.pos))
                after = shogun.Board(standing | {moved})
                white_king = next(
                    k for k in after.pieces if isinstance(k, shogun.King) and k.colour == pc.colour
                )
                assert shogun.attackedN(white_king, after) > 0


def test_a_king_in_checkmate_has_no_legal_move() -> None:
    b = board(RESIT, *CHECKMATE)
    assert RESIT.legal_moves(at(RESIT, (7, 1), b), b) == set()


# R4 to R6: all moves.

BLUE = {(1, 3), (2, 2), (1, 5), (2, 6), (3, 7), (5, 7), (6, 6), (7, 5), (7, 3), (8, 4), (5, 1), (3, 1)}


def test_all_moves_of_the_red_piece_in_the_centre(shogun: Any) -> None:
    b = board(shogun, *MOVES)
    expected = {shogun.Pawn(pos, shogun.Colour.Red, 4) for pos in BLUE}
    assert shogun.all_moves(at(shogun, (4, 4), b), b) == expected


def test_2_6_is_reached_by_up_and_left_only(shogun: Any) -> None:
    b = board(shogun, *MOVES)
    mover = at(shogun, (4, 4), b)
    ways = {m.name for m in shogun.Move if (2, 6) in fields(shogun.eval(mover, m, 4, b - mover))}
    assert ways == {"UL"}


def test_6_2_and_the_own_piece_are_out_of_reach_but_a_capture_is_not(shogun: Any) -> None:
    b = board(shogun, *MOVES)
    reached = fields(shogun.all_moves(at(shogun, (4, 4), b), b))
    assert [(6, 2) in reached, (4, 8) in reached, (8, 4) in reached] == [False, False, True]


# R7, R8, T2 to T5, R15: eval.

EVAL_PICTURES = {
    "R7": (INITIAL_RED, INITIAL_WHITE, "Wht", {(6, 6), (4, 8), (5, 7), (7, 5), (8, 4)}),
    "R8": (INITIAL_RED, INITIAL_WHITE, "Red", {(6, 6), (5, 7), (7, 5), (8, 4)}),
    "T3": (INITIAL_RED, T2_WHITE, "Wht", {(6, 6), (4, 8), (5, 7), (8, 4)}),
    "T5": (T4_RED, T4_WHITE, "Red", {(6, 6), (5, 7), (7, 5), (8, 4)}),
}


@pytest.mark.parametrize("picture", EVAL_PICTURES)
def test_eval_pictures_hold_without_the_mover(shogun: Any, picture: str) -> None:
    red, white, colour, blue = EVAL_PICTURES[picture]
    mover = shogun.Pawn((4, 4), shogun.Colour[colour], 4)
    b = board(shogun, red, white)
    assert fields(shogun.eval(mover, shogun.Move.RU, 4, b)) == blue
    assert shogun.eval(mover, shogun.Move.RU, 4, b + mover) == set()


@pytest.mark.parametrize("changed", ["", "8/8/1", "1/1/1"])
def test_the_corners_make_no_difference_to_the_resit_pictures(shogun: Any, changed: str) -> None:
    white = T2_WHITE + (" 1/1/1" if changed == "1/1/1" else "")
    red = T4_RED + (" 8/8/1" if changed == "8/8/1" else "")
    mover = shogun.Pawn((4, 4), shogun.Colour.Wht, 4)
    reached = shogun.eval(mover, shogun.Move.RU, 4, board(shogun, red, white))
    assert fields(reached) == EVAL_PICTURES["T3"][3]


@pytest.mark.parametrize("pos", [(0, 1), (9, 1), (1, 0), (1, 9)])
def test_eval_outside_the_board(shogun: Any, pos: Field) -> None:
    pawn = shogun.Pawn(pos, shogun.Colour.Red, 1)
    assert [shogun.eval(pawn, shogun.Move.U, en, shogun.Board(frozenset())) for en in (0, 1)] == [
        set(),
        set(),
    ]


def test_eval_without_energy(shogun: Any) -> None:
    b = board(shogun, "", "3/3/1")
    red, white = (shogun.Pawn((3, 3), colour, 2) for colour in shogun.Colour)
    free = shogun.Pawn((3, 4), shogun.Colour.Wht, 2)
    for m in shogun.Move:
        assert shogun.eval(free, m, 0, b) == {free}
        assert shogun.eval(red, m, 0, b) == {red}
        assert shogun.eval(white, m, 0, b) == set()


def test_eval_is_blocked_by_a_piece_of_either_colour(shogun: Any) -> None:
    b = board(shogun, "", "3/3/1")
    for colour in shogun.Colour:
        assert shogun.eval(shogun.Pawn((3, 3), colour, 2), shogun.Move.U, 1, b) == set()
        assert shogun.eval(shogun.Pawn((3, 2), colour, 2), shogun.Move.U, 2, b) == set()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("U", {(4, 6)}),
        ("D", {(4, 2)}),
        ("R", {(6, 4)}),
        ("L", {(2, 4)}),
        ("RU", {(6, 4), (5, 5), (4, 6)}),
        ("LU", {(2, 4), (3, 5), (4, 6)}),
        ("RD", {(6, 4), (5, 3), (4, 2)}),
        ("LD", {(2, 4), (3, 3), (4, 2)}),
        ("UR", {(4, 6), (5, 5), (6, 4)}),
        ("UL", {(4, 6), (3, 5), (2, 4)}),
        ("DR", {(4, 2), (5, 3), (6, 4)}),
        ("DL", {(4, 2), (3, 3), (2, 4)}),
    ],
)
def test_moves_on_an_empty_board_hold_both_straight_ways(
    shogun: Any, mode: str, expected: set[Field]
) -> None:
    pawn = shogun.Pawn((4, 4), shogun.Colour.Red, 2)
    assert fields(shogun.eval(pawn, shogun.Move[mode], 2, shogun.Board(frozenset()))) == expected


# R9 to R13, T6 to T10: attacked and protected pieces.


def test_attacked_pieces(shogun: Any) -> None:
    b = board(shogun, *R9)
    red, white = shogun.Colour.Red, shogun.Colour.Wht
    assert shogun.attacked(red, b) == {shogun.Pawn((8, 4), white, 2), shogun.King((7, 1), white, 2)}
    assert shogun.attacked(white, b) == {shogun.Pawn((6, 1), red, 3)}


def test_attacked_pieces_of_the_resit(shogun: Any) -> None:
    b = board(shogun, *T6)
    red, white = shogun.Colour.Red, shogun.Colour.Wht
    assert shogun.attacked(red, b) == {shogun.Pawn((8, 4), white, 1), shogun.King((7, 1), white, 2)}
    assert shogun.attacked(white, b) == {shogun.Pawn((6, 1), red, 3), shogun.Pawn((6, 5), red, 3)}


COMMON = {(4, 2): (0, 1), (4, 4): (0, 2), (5, 3): (0, 3)}
TABLES = {
    "R9": (
        R9,
        {(4, 1): (0, 0), (6, 1): (1, 0), (6, 5): (0, 0), (7, 1): (1, 0), (8, 4): (3, 1), (8, 7): (0, 0)},
    ),
    "T6": (
        T6,
        {(4, 1): (0, 0), (6, 1): (1, 0), (6, 5): (1, 0), (6, 7): (0, 0)}
        | {(7, 1): (1, 0), (8, 4): (3, 1), (8, 7): (0, 1)},
    ),
    "T12": (
        T12,
        {(4, 1): (1, 0), (6, 1): (2, 1), (6, 5): (1, 1), (6, 7): (0, 0)}
        | {(7, 1): (0, 0), (8, 4): (2, 1), (8, 7): (0, 1)},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_by_how_many_each_piece_is_attacked_and_protected(shogun: Any, name: str) -> None:
    pieces, table = TABLES[name]
    assert counts(shogun, board(shogun, *pieces)) == COMMON | table


@pytest.mark.parametrize("pieces", [R9, T6])
@pytest.mark.parametrize(
    ("pos", "attackers", "protectors"),
    [
        ((8, 4), {(4, 4), (5, 3), (6, 5)}, {(8, 7)}),
        ((6, 1), {(4, 1)}, set()),
        ((5, 3), set(), {(6, 1), (4, 2), (6, 5)}),
    ],
)
def test_who_attacks_and_protects(
    shogun: Any, pieces: tuple[str, str], pos: Field, attackers: set[Field], protectors: set[Field]
) -> None:
    b = board(shogun, *pieces)
    pc = at(shogun, pos, b)
    others = [other for other in b.pieces if other != pc]
    enemies = {other.pos for other in others if other.colour != pc.colour}
    assert (shogun.attackedN(pc, b), shogun.protectedN(pc, b)) == (len(attackers), len(protectors))
    # Taking them away, one after the other, brings the number down to 0.
    for group, count in ((attackers, shogun.attackedN), (protectors, shogun.protectedN)):
        remaining = b
        for left, other in zip(range(len(group) - 1, -1, -1), sorted(group), strict=True):
            assert (other in enemies) == (group is attackers)
            remaining -= at(shogun, other, remaining)
            assert count(pc, remaining) == left


def test_a_piece_counts_once_however_many_ways_it_attacks(shogun: Any) -> None:
    b = board(shogun, *R9)
    ways = 0
    for pc in b.pieces:
        if pc.colour == shogun.Colour.Red:
            reached = [fields(shogun.eval(pc, m, pc.energy, b - pc)) for m in shogun.Move]
            ways += sum((8, 4) in targets for targets in reached)
    assert (ways, shogun.attackedN(at(shogun, (8, 4), b), b)) == (9, 3)


def test_a_king_attacks_even_where_it_could_not_move(shogun: Any) -> None:
    # The white king reaches (3, 3), which the red pawn on (4, 3) protects.
    b = board(shogun, "3/3/1 4/3/1", "K3/2/1")
    assert shogun.attackedN(at(shogun, (3, 3), b), b) == 1
    assert shogun.protectedN(at(shogun, (3, 3), b), b) == 1


def test_nothing_is_changed(shogun: Any) -> None:
    b = board(shogun, *T6)
    before = frozenset(b.pieces)
    counts(shogun, b)
    assert b == shogun.Board(before)


# T11 to T13, C21: legal moves.


def test_the_king_of_the_left_board_has_no_legal_move() -> None:
    b = board(RESIT, *T6)
    king = at(RESIT, (7, 1), b)
    assert fields(RESIT.all_moves(king, b)) == {(6, 2), (7, 3), (8, 2)}
    assert RESIT.legal_moves(king, b) == set()


def test_the_king_of_the_right_board_has_one() -> None:
    b = board(RESIT, *T12)
    king = at(RESIT, (7, 1), b)
    assert fields(RESIT.all_moves(king, b)) == {(6, 1), (7, 2), (8, 1)}
    assert RESIT.legal_moves(king, b) == {RESIT.King((8, 1), RESIT.Colour.Wht, 1)}


def test_what_forbids_the_other_two() -> None:
    b = board(RESIT, *T12)
    pawn = at(RESIT, (5, 3), b)
    assert (7, 2) in fields(RESIT.all_moves(pawn, b))
    assert RESIT.protectedN(at(RESIT, (6, 1), b), b) == 1
    king = at(RESIT, (7, 1), b)
    assert fields(RESIT.legal_moves(king, b - pawn)) == {(6, 1), (7, 2), (8, 1)}


@pytest.mark.parametrize("pieces", [(INITIAL_RED, INITIAL_WHITE), CHECKMATE, MOVES, R9, T6, T12])
def test_pawns_move_as_before(pieces: tuple[str, str]) -> None:
    b = board(RESIT, *pieces)
    pawns = [pc for pc in b.pieces if isinstance(pc, RESIT.Pawn)]
    assert pawns
    assert all(RESIT.legal_moves(pc, b) == RESIT.all_moves(pc, b) for pc in pawns)


def test_a_king_does_not_hide_behind_itself() -> None:
    b = board(RESIT, "3/4/3 2/3/1 4/3/1", "K3/2/1")
    king = at(RESIT, (3, 2), b)
    assert fields(RESIT.all_moves(king, b)) == {(3, 1), (2, 2), (4, 2), (3, 3)}
    assert (3, 1) not in fields(RESIT.legal_moves(king, b))
    assert (3, 1) in fields(RESIT.legal_moves(king, b - at(RESIT, (3, 4), b)))


def test_a_king_may_capture_what_alone_attacks_it() -> None:
    b = board(RESIT, "3/3/1", "K3/2/1")
    assert (3, 3) in fields(RESIT.legal_moves(at(RESIT, (3, 2), b), b))

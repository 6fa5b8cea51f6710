"""Tours, sets of squares and boards of labels as pictures: what is marked, and what is said of it."""

from collections.abc import Sequence

import pytest
from support.renderers import BUILT_IN

from grader.judge.pictures.vocabulary import NotAPicture
from grader.model.drawing import Cell, Fill, Grid, Line, Mark, Picture, Piece, Point

FIVE = (
    (24, 11, 6, 17, 0),
    (19, 16, 23, 12, 7),
    (10, 5, 18, 1, 22),
    (15, 20, 3, 8, 13),
    (4, 9, 14, 21, 2),
)
"""A tour of the 5x5 board from (4, 4), as its numbers from the top row down."""
PLACES = {FIVE[row][column]: (column, 4 - row) for row in range(5) for column in range(5)}
TOUR = [PLACES[number] for number in range(24, -1, -1)]
RING = ((1, 4, 7), (6, -1, 2), (3, 8, 5))


def drawn(renderer: str, actual: object, expected: object = None, **arguments: object) -> Picture:
    (picture,) = BUILT_IN[renderer](actual, expected, **arguments)
    return picture


def grid(picture: Picture) -> Grid:
    assert isinstance(picture.content, Grid)
    return picture.content


def marked(picture: Picture, mark: Mark) -> set[Point]:
    return {cell.at for cell in grid(picture).cells if cell.mark is mark}


def wrong_lines(picture: Picture) -> list[tuple[Point, ...]]:
    return [line.through for line in grid(picture).lines if line.mark is Mark.WRONG]


# -- tours -----------------------------------------------------------------------------------------


def test_a_tour_is_drawn_from_its_start_with_the_origin_at_the_bottom_left() -> None:
    picture = drawn("tour_board", TOUR, dim=5, start=(4, 4))
    (way,) = grid(picture).lines
    assert way.number == 1
    assert way.through[:3] == ((4, 0), (3, 2), (4, 4))
    assert marked(picture, Mark.NOTED) == {(4, 0)}
    assert marked(picture, Mark.WRONG) == set()
    assert picture.text == "A way over 25 of 25 squares, without a fault."
    assert grid(picture).across == ("0", "1", "2", "3", "4")
    assert grid(picture).down == ("4", "3", "2", "1", "0")


def test_by_row_a_position_counts_from_the_top_left() -> None:
    picture = drawn("tour_board", [(1, 2), (0, 0)], columns=4, rows=3, by_row=True)
    assert grid(picture).lines[0].through == ((0, 0), (2, 1))
    assert grid(picture).down == ("0", "1", "2")


@pytest.mark.parametrize(
    ("path", "arguments", "text", "step"),
    [
        ([(0, 1), (0, 0)], {}, "Step 1 → 2, (0, 0) → (0, 1), is not a knight's move.", ((0, 4), (0, 3))),
        ([(0, 0), (1, 2), (0, 0)], {}, "Square (0, 0) is visited twice, as 1 and as 3.", ((1, 2), (0, 4))),
        ([(-1, 1), (1, 0)], {}, "Square 2, (-1, 1), is off the board.", ((1, 4), (-1, 3))),
        ([(9, 900), (1, 0)], {}, "Square 2, (9, 900), is off the board.", ((1, 4), (5, -1))),
        (
            [(1, 2), (0, 0)],
            {"blocked": [(1, 2)]},
            "Square 2, (1, 2), is not to be entered.",
            ((0, 4), (1, 2)),
        ),
        (
            [(2, 4), (1, 2), (0, 0)],
            {"closed": True},
            "Its end to its start, (2, 4) → (0, 0), is not a knight's move.",
            ((2, 0), (0, 4)),
        ),
    ],
)
def test_the_first_fault_is_marked(
    path: list[Point], arguments: dict[str, object], text: str, step: tuple[Point, Point]
) -> None:
    picture = drawn("tour_board", path, dim=5, **arguments)
    assert picture.text == text
    assert wrong_lines(picture) == [step]


def test_what_follows_the_fault_is_counted_and_not_drawn() -> None:
    picture = drawn("tour_board", [*TOUR[:20], (2, 2), *TOUR[21:]], dim=5)
    assert picture.text.endswith("is not a knight's move. What follows, 20 more, is not drawn.")
    assert len(grid(picture).lines[0].through) == 4
    assert {cell.text for cell in grid(picture).cells} == {"", "5"}


def test_where_only_the_given_beginning_is_not_kept_the_whole_way_is_drawn() -> None:
    picture = drawn("tour_board", TOUR, dim=5, path=[(4, 0), (3, 1), (4, 4)])
    assert picture.text == "Square 2 is (3, 2), not (3, 1) as given."
    assert marked(picture, Mark.WRONG) == {(3, 2)}
    assert wrong_lines(picture) == []
    assert len(grid(picture).lines[0].through) == 25


def test_an_item_that_is_no_position_ends_the_way() -> None:
    picture = drawn("tour_board", [(4, 3), "x", (1, 2), (0, 0)], dim=5)
    assert picture.text == "Square 3 is 'x', not a position. What follows, 1 more, is not drawn."


@pytest.mark.parametrize("nothing", [None, 3, "text", [], {}, {(0, 0)}])
def test_what_is_no_path_is_not_drawn(nothing: object) -> None:
    assert BUILT_IN["tour_board"](nothing, None, dim=5) == []


def test_a_board_needs_a_size() -> None:
    with pytest.raises(NotAPicture, match="the size is missing"):
        BUILT_IN["tour_board"](TOUR, None)


# -- boards of numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "board",
    [
        RING,
        [list(row) for row in RING],
        "3\n3\n1 4 7\n6 -1 2\n3 8 5\n",
        {"stdout": "---\n| 1 4 7\n| 6 -1 2\n| 3 8 5"},
    ],
)
def test_a_numbered_board_is_read_from_rows_and_from_text(board: object) -> None:
    picture = drawn("numbered_board", board, closed=True)
    assert picture.text == "A way over 8 of 8 squares, without a fault."
    way, back = grid(picture).lines
    assert way.through[:3] == ((0, 0), (2, 1), (0, 2))
    assert back == Line(((1, 2), (0, 0)))
    assert Cell((1, 1), fill=Fill.BLOCKED) in grid(picture).cells


@pytest.mark.parametrize(
    ("rows", "text", "wrong"),
    [
        ([[1, 2]], "Step 1 → 2, (0, 0) → (0, 1), is not a knight's move.", {(1, 0)}),
        (
            [[1, 0, 3], [0, 0, 2]],
            "Step 2 → 3, (1, 2) → (0, 2), is not a knight's move.",
            {(2, 0)},
        ),
        ([[1, 0, 4], [0, 0, 2]], "There is no number 3.", set()),
        ([[1, 0, 2], [0, 0, 2]], "Number 2 is there 2 times: (0, 2), (1, 2).", {(2, 0), (2, 1)}),
        ([[5, 0]], "There is no number 1.", set()),
    ],
)
def test_a_wrong_number_is_marked(rows: list[list[int]], text: str, wrong: set[Point]) -> None:
    picture = drawn("numbered_board", rows)
    assert picture.text == text
    assert marked(picture, Mark.WRONG) == wrong
    # The numbers from the fault on are drawn where they stand.
    numbers = {cell.at: cell.text for cell in grid(picture).cells if cell.text}
    assert numbers == {(column, row): str(rows[row][column]) for column, row in numbers}


@pytest.mark.parametrize(
    "nothing", [None, 7, "", "no numbers here", [], [[]], [[1], [1, 2]], [["1"]], [[10**9]]]
)
def test_what_is_no_board_of_numbers_is_not_drawn(nothing: object) -> None:
    assert BUILT_IN["numbered_board"](nothing, None) == []


# -- squares ---------------------------------------------------------------------------------------


def test_squares_say_which_are_right_missing_and_wrong() -> None:
    picture = drawn("squares", [(3, 4), (0, 0)], [(3, 4), (4, 3)], dim=5, at=(2, 2), taken=[(1, 1)])
    assert marked(picture, Mark.RIGHT) == {(3, 0)}
    assert marked(picture, Mark.WRONG) == {(0, 4)}
    assert marked(picture, Mark.MISSING) == {(4, 1)}
    assert picture.text == "Expected and there: (3, 4); missing: (4, 3); not expected: (0, 0)."
    assert dict(grid(picture).legend) == {
        "right": "expected and there", "missing": "missing", "wrong": "not expected"
    }  # fmt: skip
    pieces = {cell.at: cell.piece for cell in grid(picture).cells if cell.piece is not Piece.NONE}
    assert pieces == {(2, 2): Piece.DARK, (1, 3): Piece.LIGHT}


def test_the_right_squares_in_another_order_are_told_apart() -> None:
    picture = drawn("squares", [(3, 4), (0, 1), (1, 0)], [(3, 4), (1, 0), (0, 1)], dim=5)
    assert marked(picture, Mark.RIGHT) == {(3, 0)}
    assert marked(picture, Mark.NOTED) == {(0, 3), (1, 4)}
    assert picture.text == "Expected and there: (3, 4); there, but not in this order: (0, 1), (1, 0)."


def test_the_items_of_a_list_are_numbered_and_those_of_a_set_are_not() -> None:
    def texts(actual: object) -> set[str]:
        return {cell.text for cell in grid(drawn("squares", actual, dim=5)).cells}

    assert texts([(1, 1), (0, 0)]) == {"1", "2"}
    assert texts({(1, 1), (0, 0)}) == {""}


def test_positions_off_the_board_are_counted() -> None:
    assert drawn("squares", [(1, 1), (9, 9), "x"], dim=5).text.endswith("off the board or are no positions.")


# -- labels ----------------------------------------------------------------------------------------


def labels(picture: Picture) -> list[str]:
    found = {cell.at: cell.text for cell in grid(picture).cells}
    board = grid(picture)
    return [
        "".join(found[column, row] or "_" for column in range(board.columns)) for row in range(board.rows)
    ]


def test_labels_of_printed_boards_line_up() -> None:
    wanted = "  0 1 2\n0 . K .\n1 O . ."
    before, after = BUILT_IN["cells"]("  0 1 2\n0 . K .\n1 . . .", wanted)
    assert (before.title, after.title) == ("Expected", "Answer")
    assert labels(before) == ["_012", "0.K.", "1O.."]
    assert labels(after) == ["_012", "0.K.", "1..."]
    assert marked(after, Mark.WRONG) == {(1, 2)}
    assert after.text == "One square is not as expected."


@pytest.mark.parametrize(
    "board", [["ab", "cd"], [["a", "b"], ["c", "d"]], "ab\ncd", {"stdout": "a b\nc d\n"}]
)
def test_labels_are_read_from_rows_and_from_text(board: Sequence[object]) -> None:
    assert labels(drawn("cells", board)) == ["ab", "cd"]

"""The checkers of knights-tour: what they accept, what they say, and that no value trips them over."""

import importlib.util
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

Position: TypeAlias = tuple[int, int]

SPECS = Path(__file__).parents[3] / "specs"


def load_checkers() -> Any:
    """Import the checkers file, which is in no package."""
    spec = importlib.util.spec_from_file_location("knights_tour_checkers", SPECS / "knights-tour/checkers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checkers = load_checkers()

TOUR_3X4 = [(1, 0), (2, 2), (0, 3), (1, 1), (2, 3), (0, 2), (2, 1), (1, 3), (0, 1), (2, 0), (1, 2), (0, 0)]
"""A path over all squares of three columns and four rows."""
RING = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)][::-1]
"""A closed path over a 3x3 board without its middle, from (0, 0)."""
ORDERED = [(0, 1), (0, 5), (2, 1), (2, 5), (3, 4), (3, 2)]

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.integers(5000, 5001).map(lambda digits: 10**digits)
    | st.tuples(st.integers(-1, 3), st.integers(-1, 3)),
    lambda inner: (
        st.lists(inner, max_size=9)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner)
    ),
    max_leaves=20,
)
paths = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=7, max_size=9)


@given(plain | paths)
def test_every_plain_value_gets_none_or_one_sentence(answer: object) -> None:
    said = [
        checkers.tour(answer, dim=3, start=(0, 0)),
        checkers.closed_tour(answer, dim=3, start=(0, 0)),
        checkers.path_in(answer, dim=3, length=8, columns=2, allowed=[(0, 0)]),
        checkers.all_tours(answer, dim=1, count=1),
        checkers.warnsdorff_order(answer, dim=3, path=[], x=(0, 0)),
    ]
    for text in said:
        assert text is None or (isinstance(text, str) and 0 < len(text) < 400 and "\n" not in text)


@pytest.mark.parametrize(
    "answer", [[(0, 0)] * 100_000, list(range(100_000)), {i: i for i in range(100_000)}, "x" * 1_000_000]
)
def test_huge_answers_get_a_short_sentence(answer: object) -> None:
    for said in [
        checkers.tour(answer, dim=5),
        checkers.all_tours(answer, dim=5, count=304),
        checkers.warnsdorff_order(answer, dim=5, path=[], x=(1, 2)),
    ]:
        assert said is not None
        assert len(said) < 400


@pytest.mark.parametrize(
    "position", [(True, False), (0.0, 0), (float("nan"), 0), ("0", 0), (0, 0, 0), (0,), 0]
)
def test_a_position_is_a_pair_of_ints(position: object) -> None:
    said = checkers.tour([position], dim=1)
    assert said is not None
    assert said.startswith("square 1 is ")


def test_a_list_is_no_position_and_the_message_says_so() -> None:
    assert checkers.tour([[0, 0]], dim=1) == "square 1 is a list, [0, 0]: a position is a tuple (x, y)"


def test_a_right_path_is_accepted() -> None:
    assert checkers.path_in(TOUR_3X4, dim=4, length=12, start=TOUR_3X4[-1], columns=3) is None
    assert checkers.path_in(RING, dim=3, length=8, forbidden=[(1, 1)]) is None
    assert checkers.path_in(RING, dim=3, length=8, allowed=set(RING)) is None
    assert checkers.path_in(RING, dim=3, length=8, path=RING[-3:]) is None
    assert checkers.tour([(0, 0)], dim=1) is None
    assert checkers.all_tours([[(0, 0)]], dim=1, count=1) is None


def test_a_wrong_step_is_named_from_the_start() -> None:
    path = RING.copy()
    path[2], path[3] = path[3], path[2]
    said = checkers.path_in(path, dim=3, length=8)
    assert said == "step 4 → 5: (0, 1) → (1, 0) is not a knight's move"


def test_a_reversed_path_is_told() -> None:
    said = checkers.path_in(RING[::-1], dim=3, length=8)
    assert said == "the order is reversed: the latest move comes first and the start (0, 0) last"


def test_a_path_must_extend_what_was_given() -> None:
    assert checkers.path_in(RING, dim=3, length=8, start=(2, 2)) == (
        "the path starts on (0, 0), but the path given has (2, 2) there"
    )
    assert checkers.path_in(RING, dim=3, length=8, path=[(2, 1), (0, 0)]) == (
        "the path has as square 2 (1, 2), but the path given has (2, 1) there"
    )


def test_length_board_and_repeats_are_told() -> None:
    assert checkers.path_in(None, dim=3, length=8) == "expected a path of 8 squares, got None: there is one"
    assert checkers.path_in(RING[1:], dim=3, length=8) == "expected a path of 8 squares, got 7"
    assert checkers.path_in(tuple(RING), dim=3, length=8) is not None
    assert checkers.path_in([(2, 3), (1, 1), (0, 3), (1, 1)], dim=4, length=4, start=(1, 1)) == (
        "square (1, 1) is visited twice, at steps 1 and 3"
    )
    assert checkers.path_in(RING, dim=2, length=8) == "square 2, (1, 2), is off the 2x2 board"


def test_squares_outside_the_part_are_told_but_for_those_given() -> None:
    said = checkers.path_in(RING, dim=3, length=8, columns=2)
    assert said == "square 3 of the path, (2, 0), is one that the predicate rules out"
    assert checkers.path_in(RING, dim=3, length=8, forbidden=[(0, 0)]) is None
    assert checkers.path_in(RING, dim=3, length=8, rows=2) is not None


def test_a_closed_tour_ends_a_move_from_its_start() -> None:
    assert checkers.closed_tour([(0, 0)], dim=1) == (
        "this tour is not closed: (0, 0) → (0, 0), its end to its start, is not a knight's move"
    )


def test_all_tours_are_different_and_as_many_as_there_are() -> None:
    one = [(0, 0)]
    assert checkers.all_tours([one, one], dim=1, count=2) == "tours 1 and 2 are the same"
    assert checkers.all_tours([], dim=1, count=1) == "expected 1 tours, got 0, all valid and different"
    assert checkers.all_tours([one, (0, 0)], dim=1, count=2) is not None
    assert checkers.all_tours(None, dim=1, count=1) == "expected a list of tours, got None"


def test_ordered_moves_may_come_in_any_order_among_ties() -> None:
    for path in ([], [(1, 3)]):
        for moves in (ORDERED, [*ORDERED[:3], (3, 2), (2, 5), (3, 4)]):
            assert checkers.warnsdorff_order(moves, dim=8, path=path, x=(1, 3)) is None


def test_faults_in_ordered_moves_are_told() -> None:
    def said(moves: object) -> str | None:
        text: str | None = checkers.warnsdorff_order(moves, dim=8, path=[], x=(1, 3))
        return text

    assert said([(0, 5), (0, 1), *ORDERED[2:]]) == (
        "(0, 5) has 3 onward moves and (0, 1) has 2, so (0, 1) comes first"
    )
    assert said(ORDERED[1:]) == "the legal move (1, 3) → (0, 1) is missing"
    assert said([*ORDERED, (1, 3)]) == "(1, 3) is not a legal move from (1, 3)"
    assert said([*ORDERED, (3, 2)]) == "some moves are listed twice"
    assert said([list(move) for move in ORDERED]) is not None
    assert said(None) == "expected a list of positions, got None"

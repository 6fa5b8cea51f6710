import random
from itertools import islice

import pytest

from grader.model.values import DeclaredType, EnumMember, EnumType, Record, RecordType
from grader.plugins.validate.search.inputs.edits import (
    SeenValues,
    distance,
    edits,
    nearer,
    random_edit,
    smaller,
    thinned,
)
from grader.plugins.validate.search.inputs.parts import frozen

RED, WHITE = EnumMember("Colour", "Red"), EnumMember("Colour", "White")
TYPES: dict[str, DeclaredType] = {
    "Colour": EnumType("Colour", ("Red", "White")),
    "Pawn": RecordType("Pawn", ("pos", "colour")),
    "King": RecordType("King", ("pos", "colour")),
}


def pawn(x: int, y: int, colour: EnumMember = RED, kind: str = "Pawn") -> Record:
    return Record(kind, (("pos", (x, y)), ("colour", colour)))


BOARD = frozenset({pawn(1, 1), pawn(2, 5, WHITE), pawn(4, 3)})


def all_edits(value: object, *others: object) -> list[object]:
    seen = SeenValues(TYPES)
    for one in (value, *others):
        seen.add(one, ("arg",))
    return list(edits(value, ("arg",), seen, random.Random(0)))


@pytest.mark.parametrize(
    "value",
    [
        3,
        -2,
        True,
        2.5,
        1 + 2j,
        "abc",
        b"ab",
        [1, 2, 3],
        (1, 2),
        {1, 2},
        {"a": 1, "b": 2},
        [(0, 1), (2, 3)],
        BOARD,
    ],
)
def test_an_edit_changes_one_thing(value: object) -> None:
    found = all_edits(value)
    assert found
    assert len(set(map(frozen, found))) > len(found) // 2
    for other in found:
        assert frozen(other) != frozen(value)
        if isinstance(value, int | list | tuple | frozenset):
            assert type(other) is type(value)


def test_numbers_stay_near_those_that_were_seen() -> None:
    assert {3, 4, 6, 9, 10} <= set(all_edits(5, 4, 9))
    assert all(isinstance(n, int) and 0 <= n <= 10 for n in all_edits(5, 4, 9))


def test_a_value_of_another_case_is_put_in_the_same_place() -> None:
    assert pawn(7, 7) in all_edits(pawn(1, 1), pawn(7, 7))
    assert [(0, 0), (8, 8)] in all_edits([(0, 0)], [(8, 8)])


def test_records_keep_their_fields_and_may_change_their_class() -> None:
    found = all_edits(pawn(1, 1))
    assert pawn(1, 1, WHITE) in found
    assert pawn(1, 1, RED, "King") in found
    assert pawn(2, 1) in found
    assert all(isinstance(one, Record) for one in found)


def test_members_of_a_set_are_changed_left_out_and_added() -> None:
    found = all_edits(BOARD, frozenset({pawn(8, 8)}))
    assert {len(one) for one in found if isinstance(one, frozenset)} >= {2, 3, 4}
    assert frozenset({pawn(1, 1), pawn(2, 5, WHITE), pawn(4, 4)}) in found


def test_the_order_does_not_depend_on_hashes() -> None:
    again = frozenset(reversed(list(BOARD)))
    first, second = ([*islice(iter(all_edits(board)), 20)] for board in (BOARD, again))
    assert first == second


def test_a_random_edit_changes_one_part() -> None:
    seen = SeenValues(TYPES)
    seen.add(BOARD, ("arg",))
    rng = random.Random(1)
    for _ in range(100):
        assert distance(BOARD, random_edit(BOARD, ("arg",), seen, rng)) == 1


def test_a_thinned_set_has_some_of_its_members() -> None:
    large = frozenset(pawn(x, 1) for x in range(8))
    few = thinned(Record("Board", (("pieces", large),)), random.Random(0))
    assert isinstance(few, Record)
    pieces = dict(few.fields)["pieces"]
    assert isinstance(pieces, frozenset)
    assert pieces < large
    assert len(pieces) >= 2


# -- back to the seed ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "value", "far"),
    [
        (1, 1, 0),
        (1, True, 1),
        ([1, 2, 3], [1, 5, 3], 1),
        ([1, 2, 3], [1, 5, 4], 2),
        ([1, 2, 3], [1, 2], 1),
        ({1, 2, 3}, {1, 2, 4}, 1),
        ({1, 2, 3}, {1}, 2),
        (((0, 1), 5), ((0, 2), 6), 2),
        (pawn(1, 1), pawn(1, 2), 1),
        (pawn(1, 1), pawn(1, 1, RED, "King"), 1),
    ],
)
def test_distance_counts_parts_that_differ(seed: object, value: object, far: int) -> None:
    assert distance(seed, value) == far


def test_values_between_come_nearer_to_the_seed() -> None:
    seed, value = [(1, 1), (2, 2), (3, 3)], [(1, 1), (2, 9), (7, 3)]
    between = list(nearer(seed, value))
    assert between[0] == seed
    assert [(1, 1), (2, 2), (7, 3)] in between
    assert [(1, 1), (2, 9), (3, 3)] in between
    assert all(distance(seed, one) <= distance(seed, value) for one in between)


def test_a_number_goes_to_the_seed_step_by_step() -> None:
    assert list(nearer(4, 20)) == [4, 5, 12, 19]


def test_only_sets_and_dicts_get_smaller() -> None:
    assert list(smaller([1, 2, 3])) == []
    assert list(smaller({1, 2})) == [{2}, {1}]
    assert list(smaller(([{1}],))) == [([set()],)]
    assert list(smaller({"a": 1})) == [{}]


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, 1.0), ([1], (1,)), ({1}, frozenset({1})), (0.0, -0.0)]
)
def test_keys_tell_values_apart_that_python_calls_equal(one: object, other: object) -> None:
    assert frozen(one) != frozen(other)


def test_keys_of_sets_do_not_depend_on_their_order() -> None:
    assert frozen({pawn(1, 1), pawn(2, 2)}) == frozen({pawn(2, 2), pawn(1, 1)})

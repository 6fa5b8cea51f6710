"""How records, enum members and sets of them are shown, compared and told apart."""

import pytest

from grader.judge.messages import absent_message, difference_message
from grader.model.case import Call, Comparison
from grader.model.values import EnumMember, OddSet, Opaque, Record, Value
from grader.values.compare import first_difference
from grader.values.show import show

RED, WHITE = EnumMember("Colour", "Red"), EnumMember("Colour", "White")
ANY = Comparison(any_sequence=True)


def pawn(pos: Value, colour: Value = RED, energy: Value = 4, name: str = "Pawn") -> Record:
    return Record(name, (("pos", pos), ("colour", colour), ("energy", energy)))


A, B, C, D = pawn((1, 3)), pawn((2, 2)), pawn((8, 4), WHITE), pawn((4, 1), energy=1)


def message(expected: Value, actual: Value, comparison: Comparison = Comparison()) -> str:
    found = first_difference(expected, actual, comparison)
    return difference_message(found) if found is not None else "equal"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (A, "Pawn((1, 3), Colour.Red, 4)"),
        (Record("Empty", ()), "Empty()"),
        (WHITE, "Colour.White"),
        ({B, A}, "{Pawn((1, 3), Colour.Red, 4), Pawn((2, 2), Colour.Red, 4)}"),
        (Record("Board", (("pieces", frozenset({A})),)), "Board(frozenset({Pawn((1, 3), Colour.Red, 4)}))"),
        (OddSet("set", (A, A)), "{Pawn((1, 3), Colour.Red, 4), Pawn((1, 3), Colour.Red, 4)}"),
        (OddSet("frozenset", ([1],)), "frozenset({[1]})"),
        (EnumMember("A\n", "b\u202e"), "A\\n.b\\u202e"),
    ],
)
def test_values_are_shown_as_they_would_be_typed(value: Value, text: str) -> None:
    assert show(value) == text


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        (A, A, "equal"),
        (A, pawn((1, 3), energy=2), "field energy: expected 4, got 2"),
        (A, pawn((1, 2)), "field pos, item 2: expected 3, got 2"),
        (A, pawn((1, 3), WHITE), "field colour: expected Colour.Red, got Colour.White"),
        (A, pawn((1, 3), "Red"), "field colour: expected Colour.Red, got 'Red' (str)"),
        (
            A,
            pawn((1, 3), name="King"),
            "expected Pawn((1, 3), Colour.Red, 4), got King((1, 3), Colour.Red, 4)",
        ),
        (A, (1, 3), "expected Pawn((1, 3), Colour.Red, 4), got (1, 3) (tuple)"),
        (
            A,
            Opaque("Pawn", "Pawn(...)"),
            "expected Pawn((1, 3), Colour.Red, 4), got <Pawn object: Pawn(...)> (not plain data)",
        ),
        (A, None, "expected Pawn((1, 3), Colour.Red, 4), got None"),
        ([A, B], [A, A], "item 2, field pos, item 1: expected 2, got 1"),
        (RED, EnumMember("Mood", "Red"), "expected Colour.Red, got Mood.Red"),
    ],
)
def test_records_differ_by_their_fields(expected: Value, actual: Value, said: str) -> None:
    assert message(expected, actual) == said


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ({A, B}, {B, A}, "equal"),
        ({A, B}, {A}, "elements: missing Pawn((2, 2), Colour.Red, 4)"),
        ({A}, {A, C}, "elements: unexpected Pawn((8, 4), Colour.White, 4)"),
        (
            {A, B, C},
            {A, D},
            "elements: missing Pawn((2, 2), Colour.Red, 4), Pawn((8, 4), Colour.White, 4); "
            "unexpected Pawn((4, 1), Colour.Red, 1)",
        ),
        (set(), {1}, "elements: unexpected 1"),
        ({A}, OddSet("set", (A, A)), "elements: expected Pawn((1, 3), Colour.Red, 4) once, got it twice"),
        (OddSet("set", (A, A)), OddSet("set", (A, A)), "equal"),
        (
            {A},
            OddSet("set", (A, B, B)),
            "elements: unexpected Pawn((2, 2), Colour.Red, 4), Pawn((2, 2), Colour.Red, 4)",
        ),
        ({A: [B]}, {A: [C]}, "key Pawn((1, 3), Colour.Red, 4), item 1, field pos, item 1: expected 2, got 8"),
    ],
)
def test_sets_say_what_is_missing_and_what_is_too_much(expected: Value, actual: Value, said: str) -> None:
    assert message(expected, actual) == said


def test_many_missing_items_are_counted() -> None:
    said = message({pawn((x, 1)) for x in range(50)}, set())
    assert said.startswith("elements: missing Pawn((0, 1), Colour.Red, 4), Pawn((1, 1)")
    assert said.endswith(" more")
    assert len(said) < 300


def test_equal_numbers_of_two_types_are_told_with_their_types() -> None:
    assert message({1}, {1.0}) == "elements: missing 1 (int); unexpected 1.0 (float)"
    assert message({1}, {True}) == "elements: missing 1 (int); unexpected True (bool)"


def test_records_in_any_order() -> None:
    unordered = Comparison(unordered=True)
    assert message([A, B, A], [B, A, A], unordered) == "equal"
    assert "Pawn((2, 2), Colour.Red, 4) among them" in message([A, B], [A, A, D], unordered)


# -- `sequence: any` -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({A}, frozenset({A})),
        (frozenset({A}), {A}),
        ([{1}], (frozenset({1}),)),
        (pawn((1, 2)), pawn([1, 2])),
        (Record("Board", (("pieces", frozenset({A})),)), Record("Board", (("pieces", {A}),))),
        ({frozenset({(1, 2)})}, frozenset({frozenset({(1, 2)})})),
        ({A}, OddSet("set", (pawn([1, 3]),))),
        ({A}, OddSet("frozenset", (pawn([1, 3]),))),
    ],
)
def test_any_sequence_takes_sets_and_lists_of_either_kind(expected: Value, actual: Value) -> None:
    assert message(expected, actual, ANY) == "equal"
    assert message(expected, actual) != "equal"


@pytest.mark.parametrize(
    ("expected", "actual"), [({1}, [1]), ([1], {1}), ({1}, (1,)), ({A}, OddSet("frozenset", (A, A)))]
)
def test_any_sequence_does_not_take_a_list_for_a_set(expected: Value, actual: Value) -> None:
    assert message(expected, actual, ANY) != "equal"


def test_odd_sets_of_two_kinds_differ() -> None:
    one, other = OddSet("set", (A, A)), OddSet("frozenset", (A, A))
    assert message(one, other) != "equal"
    assert message([one], [other], ANY) == "equal"


def test_numbers_within_records_may_have_a_tolerance() -> None:
    near = Comparison(abs=0.01)
    assert message(pawn((1.0, 2.0)), pawn((1.001, 2.0)), near) == "equal"
    assert message({pawn((1.0, 2.0))}, {pawn((1.001, 2.0))}, near) == "equal"
    assert message(pawn((1.0, 2.0)), pawn((1.1, 2.0)), near) != "equal"


# -- what a module lacks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        ("f", "the module has no function f"),
        ("Board", "the module has no class Board"),
        ("Pawn", "the module has no class Pawn"),
        ("Colour", "the module has no class Colour"),
        ("Colour.Red", "the module's class Colour has no Red"),
        ("Colour.Blue", "the module has no function f"),
        ("King", "the module has no function f"),
        ("anything\n<b>else</b>", "the module has no function f"),
        ("", "the module has no function f"),
    ],
)
def test_only_what_the_case_needs_is_said_to_be_missing(claimed: str, said: str) -> None:
    board = Record("Board", (("pieces", frozenset({A})),))
    assert absent_message([Call("f", (1,), (("b", [board]),))], claimed) == said


def test_a_record_with_two_fields_of_one_name_is_not_even_like_itself() -> None:
    """A box can send one; to say where two lists of it differ ended by an error of ours."""
    odd = Record("Pawn", (("pos", None), ("pos", False)))
    assert message([odd], [odd]) != "equal"
    assert message([odd, A], [odd, A]) != "equal"

"""How tables of pandas are compared and shown; pandas itself is not needed."""

from dataclasses import replace
from datetime import datetime

import pytest

from grader.judge.pictures.tables import table
from grader.model.case import Comparison
from grader.model.drawing import Sheet
from grader.model.results import Difference
from grader.model.values import Opaque, Table, Value
from grader.values.compare import first_difference
from grader.values.show import show

EXACT = Comparison()


def frame(columns: dict[Value, list[Value]], index: list[Value] | None = None) -> Table:
    height = len(next(iter(columns.values()), []))
    labels = tuple(range(height)) if index is None else tuple(index)
    return Table(
        "DataFrame", tuple(columns), labels, ("",) * len(columns), tuple(map(tuple, columns.values()))
    )


def series(cells: list[Value], name: Value = None) -> Table:
    return Table("Series", (name,), tuple(range(len(cells))), ("",), (tuple(cells),))


def said(expected: Value, actual: Value, comparison: Comparison = EXACT) -> str:
    """Return the place and the sides of the first difference; empty for none."""
    for one in (expected, actual):
        assert first_difference(one, one, comparison) is None
    found = first_difference(expected, actual, comparison)
    mirrored = first_difference(actual, expected, comparison)
    assert (found is None) == (mirrored is None)
    if found is None:
        return ""
    return f"{found.where}: " + (found.sentence or f"expected {found.expected}, got {found.actual}")


CITIES = frame({"city": ["Bern", "Genf"], "price": [2.5, None]})


@pytest.mark.parametrize(
    ("actual", "sentence"),
    [
        (frame({"city": ["Bern", "Genf"], "price": [2.4, None]}),
         "column 'price', row 1: expected 2.5, got 2.4"),
        (frame({"city": ["Bern", "Genf"], "price": [2.5, 0.0]}),
         "column 'price', row 2: expected NaN, got 0.0"),
        (frame({"city": ["Bern", "genf"], "price": [0.0, 0.0]}),
         "column 'price', row 1: expected 2.5, got 0.0"),
        (frame({"city": ["Bern", "Genf"], "price": [2, None]}),
         "column 'price', row 1: expected 2.5 (float), got 2 (int)"),
        (frame({"city": ["Bern"], "price": [2.5]}), "length: expected 2 rows, got 1"),
        (frame({"price": [2.5, None], "city": ["Bern", "Genf"]}),
         "columns: expected ['city', 'price'], got ['price', 'city']; "
         "the right columns are there, in another order"),
        (frame({"city": ["Bern", "Genf"], "prize": [2.5, None]}),
         "columns: missing 'price'; unexpected 'prize'"),
        (frame({"city": ["Bern", "Genf"], "price": [2.5, None]}, index=[0, 2]),
         "index, row 2: expected 1, got 2"),
        (series([2.5, None]), ": expected a DataFrame, got a Series"),
        ([["Bern", 2.5]], ": expected DataFrame({'city': ['Bern', 'Genf'], 'price': [2.5, None]}) "
         "(DataFrame), got [['Bern', 2.5]] (list)"),
    ],
)  # fmt: skip
def test_a_difference_has_its_place(actual: Value, sentence: str) -> None:
    assert said(CITIES, actual) == sentence


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        ("a", "b", "name: expected 'a', got 'b'"),
        (None, "count", "name: expected no name, got the name 'count'"),
        ("count", None, "name: expected the name 'count', got no name"),
    ],
)
def test_names_of_series_are_told_as_names(one: Value, other: Value, sentence: str) -> None:
    assert said(series([1], one), series([1], other)) == sentence


@pytest.mark.parametrize(
    ("expected", "actual", "comparison"),
    [
        (frame({"a": [1]}), frame({"a": [1.0]}), Comparison(python=True)),
        (frame({"a": [1.0]}), frame({"a": [1.05]}), Comparison(abs=0.1)),
        (frame({"a": [1], "b": [2]}), frame({"b": [2], "a": [1]}), Comparison(any_columns=True)),
        (frame({"a": [1]}, index=["x"]), frame({"a": [1]}), Comparison(any_index=True)),
        (frame({"a": [1, 2]}), frame({"a": [2, 1]}, index=[1, 0]), Comparison(unordered=True)),
        (frame({"a": [1, 2]}), frame({"a": [2, 1]}), Comparison(unordered=True, any_index=True)),
        (series([1], "a"), series([1], "b"), Comparison(any_columns=True)),
        (frame({"a": [1.0, 2.0]}), frame({"a": [2.05, 1.05]}),
         Comparison(unordered=True, any_index=True, abs=0.1)),
        (frame({}), frame({}), EXACT),
        ([series([None])], [series([None])], EXACT),
        ({"t": frame({"a": [datetime(2024, 1, 1)]})}, {"t": frame({"a": [datetime(2024, 1, 1)]})}, EXACT),
    ],
)  # fmt: skip
def test_what_is_forgiven(expected: Value, actual: Value, comparison: Comparison) -> None:
    assert said(expected, actual, comparison) == ""
    if comparison != EXACT:
        assert said(expected, actual) != ""


def test_columns_with_one_label_keep_their_places() -> None:
    def twice(first: int, second: int) -> Table:
        return Table("DataFrame", ("a", "a"), (0,), ("", ""), ((first,), (second,)))

    assert said(twice(1, 2), twice(1, 2)) == ""
    assert said(twice(1, 2), twice(2, 1)) == "column 'a', row 1: expected 1, got 2"
    assert said(twice(1, 2), twice(2, 1), Comparison(any_columns=True)) != ""


def test_an_object_in_a_cell_equals_nothing() -> None:
    odd = frame({"a": [Opaque("Cell", "")]})
    assert first_difference(odd, odd) is not None


def test_the_place_is_code_too() -> None:
    found = first_difference(CITIES, frame({"city": ["Bern", "Genf"], "price": [2.4, None]}))
    assert isinstance(found, Difference)
    assert found.code == ".iloc[0, 1]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (CITIES, "DataFrame({'city': ['Bern', 'Genf'], 'price': [2.5, None]})"),
        (frame({"a": [1]}, index=["x"]), "DataFrame({'a': [1]}, index=['x'])"),
        (series([1.5], "a"), "Series([1.5], name='a')"),
        (frame({}), "DataFrame({})"),
    ],
)
def test_a_table_is_shown_as_the_call_that_makes_it(value: Value, text: str) -> None:
    assert show(value) == text


def test_a_large_table_is_cut() -> None:
    large = frame({name: [*range(1000)] for name in "abcdefgh"})
    assert len(show(large, 200)) <= 200
    assert "more" in show(large, 200)


def sheets(actual: Table, expected: Table, comparison: Comparison = EXACT) -> list[Sheet]:
    return [
        picture.content
        for picture in table(actual, expected, comparison)
        if isinstance(picture.content, Sheet)
    ]


def test_the_pictures_mark_the_cells_that_differ() -> None:
    actual = frame({"city": ["Bern", "Genf"], "price": [2.4, None]})
    wanted, own = sheets(actual, CITIES)
    assert wanted.rows == (("'Bern'", "2.5"), ("'Genf'", "NaN"))
    assert (wanted.wrong, own.wrong) == (((1, 0),), ((1, 0),))
    assert sheets(actual, CITIES, Comparison(abs=0.2))[1].wrong == ()


def test_the_pictures_show_the_rows_around_the_first_difference() -> None:
    numbers = list(range(100))
    _, own = sheets(frame({"a": [*numbers[:50], 7, *numbers[51:]]}), frame({"a": [*numbers]}))
    assert own.down[0] == "48"
    assert (own.rows[3], own.wrong) == (("7",), ((0, 3),))
    assert len(own.rows) == 12


def test_rows_in_any_order_are_marked_as_a_whole() -> None:
    comparison = Comparison(unordered=True, any_index=True)
    wanted, own = sheets(frame({"a": [3, 9], "b": [4, 9]}), frame({"a": [1, 3], "b": [2, 4]}), comparison)
    assert (wanted.wrong, own.wrong) == (((0, 0), (1, 0)), ((0, 1), (1, 1)))


@pytest.mark.parametrize(
    ("one", "other", "comparison"),
    [
        (frame({"a": [1.0]}), frame({"a": [1.01]}), Comparison(abs=0.1)),
        (frame({"a": [1], "b": [2]}), frame({"b": [2], "a": [1]}), Comparison(any_columns=True)),
        (frame({"a": [1]}, ["x"]), frame({"a": [1]}, ["y"]), Comparison(any_index=True)),
        (frame({1: [1]}), frame({1.0: [1]}), Comparison()),
        (series([1], "a"), series([1], "b"), Comparison(any_columns=True)),
    ],
)
def test_tables_in_a_list_without_order_are_compared_as_anywhere(
    one: Table, other: Table, comparison: Comparison
) -> None:
    free = replace(comparison, unordered=True)
    assert first_difference([one, 5], [other, 5], comparison) is None
    assert first_difference([one, 5], [5, other], free) is None
    assert first_difference([frame({"z": [1]}), 5], [5, other], free) is not None

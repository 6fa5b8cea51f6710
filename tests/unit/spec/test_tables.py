"""Tables and plots in a spec: what they become, and the tables' text."""

from pathlib import Path

import pytest

from grader.lab.requests import needs_reference
from grader.model.kinds import calls_of
from grader.model.values import Table, Value
from grader.spec import load_task
from grader.spec.expressions.arithmetic import ArithmeticRefused
from grader.spec.expressions.tables import table
from grader.values.python_text import literal

COOKBOOK = Path(__file__).parents[3] / "docs" / "cookbook"


def cells_of(text: str) -> dict[Value, tuple[Value, ...]]:
    made = table("read_csv", [text], [])
    return dict(zip(made.columns, made.cells, strict=True))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (["1", " 2", "-3"], (1, 2, -3)),
        (["1", "", "3"], (1.0, None, 3.0)),
        (["1", "2.5", "1e3"], (1.0, 2.5, 1000.0)),
        (["NA", "nan"], (None, None)),
        (["True", "false"], (True, False)),
        (["a", "NULL", "3"], ("a", None, "3")),
        (["2024-01-01"], ("2024-01-01",)),
        (["99999999999999999999"], (1e20,)),
        (["1_000"], ("1_000",)),
        (["٣"], ("٣",)),
    ],
)
def test_the_kind_of_a_column_of_csv(column: list[str], cells: tuple[Value, ...]) -> None:
    text = "x,a\n" + "".join(f"{cell},z\n" for cell in column)
    assert repr(cells_of(text)["x"]) == repr(cells)


def test_quotes_of_csv() -> None:
    assert cells_of('a,b\n"x, ""y""",2\n') == {"a": ('x, "y"',), "b": (2,)}


@pytest.mark.parametrize("text", [3, "a,b", "a,a\n1,2\n", "a,\n1,2\n", "a,b\n1\n", 'a,b\n"1,2\n', "\n"])
def test_odd_csv_is_refused(text: Value) -> None:
    with pytest.raises(ArithmeticRefused):
        table("read_csv", [text], [])


@pytest.mark.parametrize(
    "made",
    [
        table("DataFrame", [{"a": [1, None], "b": ["x", "y"]}], [("index", ["u", "v"])]),
        table("DataFrame", [{}], []),
        table("Series", [[1.5, float("nan")]], [("name", "n")]),
        table("Series", [[]], []),
    ],
)
def test_the_literal_of_a_table_gives_it_again(made: Table) -> None:
    names = {name: lambda *args, _name=name, **named: table(_name, args, [*named.items()])
             for name in ("DataFrame", "Series")}  # fmt: skip
    assert eval(literal(made), names) == made


@pytest.mark.parametrize(
    ("cells", "made"),
    [
        ([1, None], (1.0, None)),
        ([1, 2.5], (1.0, 2.5)),
        ([1, 2], (1, 2)),
        ([None, float("nan")], (None, None)),
        ([True, None], (True, None)),
        (["a", 1, 2.5], ("a", 1, 2.5)),
    ],
)
def test_cells_are_what_pandas_makes_of_them(cells: list[Value], made: tuple[Value, ...]) -> None:
    assert repr(table("Series", [cells], []).cells) == repr((made,))


def test_a_plot_in_a_spec() -> None:
    first, _, second = load_task(COOKBOOK / "plots.yaml").cases
    drawn, named = calls_of(first).plot, calls_of(second).plot
    assert drawn is not None
    assert named is not None
    assert (drawn.axes, drawn.asks_reference) == (((("lines", None),),), True)
    assert named.parts == ("title", "xlabel", "ylabel")
    assert needs_reference(first)
    assert not needs_reference(second)


def test_the_packages_that_are_imported_for_plots() -> None:
    assert load_task(COOKBOOK / "plots.yaml").preloaded == ("matplotlib", "matplotlib.pyplot")
    assert load_task(COOKBOOK / "tables.yaml").preloaded == ("pandas",)

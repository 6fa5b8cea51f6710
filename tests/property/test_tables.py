"""Tables: an oracle that tries every order of the rows and columns says the same as the judge."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.case import Comparison
from grader.model.values import Table, Value
from grader.values.compare import first_difference

_CELLS = st.sampled_from([None, 1, 1.0, 1.05, 1.1, True, "a", (1, 2)])
_LABELS = st.sampled_from([0, 1, "x", None, (1, 2)])
_RULES = st.builds(
    Comparison,
    unordered=st.booleans(),
    any_columns=st.booleans(),
    any_index=st.booleans(),
    python=st.booleans(),
    abs=st.sampled_from([0, 0.06]),
)


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[Table, Table]:
    """Return a table, and one with its rows and columns in another order, and perhaps another cell."""
    height, columns = draw(st.integers(0, 3)), draw(st.lists(_LABELS, max_size=3, unique=True))
    index = draw(st.lists(_LABELS, min_size=height, max_size=height))
    cells = [draw(st.lists(_CELLS, min_size=height, max_size=height)) for _ in columns]
    rows, order = draw(st.permutations(range(height))), draw(st.permutations(range(len(columns))))
    other = [[cells[at][row] for row in rows] for at in order]
    if height and columns and draw(st.booleans()):
        other[0][0] = draw(_CELLS)
    labels = [index[row] for row in rows] if draw(st.booleans()) else [*range(height)]
    return _table(columns, index, cells), _table([columns[at] for at in order], labels, other)


def _table(columns: Iterable[Value], index: Iterable[Value], cells: Iterable[Iterable[Value]]) -> Table:
    found = tuple(map(tuple, cells))
    return Table("DataFrame", tuple(columns), tuple(index), ("",) * len(found), found)


def _are_equal(one: Table, other: Table, rules: Comparison) -> bool:
    def same(a: Value, b: Value) -> bool:
        return a is b if a is None or b is None else first_difference(a, b, rules) is None

    def by(order: tuple[int, ...], rows: tuple[int, ...]) -> bool:
        labelled = rules.any_index or all(
            same(a, other.index[b]) for a, b in zip(one.index, rows, strict=True)
        )
        pairs = [(wanted, other.cells[at]) for wanted, at in zip(one.cells, order, strict=True)]
        return labelled and all(
            same(a, found[b]) for wanted, found in pairs for a, b in zip(wanted, rows, strict=True)
        )

    width, height = range(len(one.columns)), range(len(one.index))
    return any(
        tuple(other.columns[at] for at in order) == one.columns
        and any(by(order, rows) for rows in (permutations(height) if rules.unordered else [(*height,)]))
        for order in (permutations(width) if rules.any_columns else [(*width,)])
    )


@given(two_tables(), _RULES)
@settings(max_examples=300)
def test_tables_are_equal_where_the_oracle_says_so(tables: tuple[Table, Table], rules: Comparison) -> None:
    one, other = tables
    assert (first_difference(one, other, rules) is None) is _are_equal(one, other, rules)
    # In a list without order, the order of a table's own rows counts.
    free, inner = replace(rules, unordered=True), replace(rules, unordered=False)
    assert (first_difference([one, "z"], ["z", other], free) is None) is _are_equal(one, other, inner)

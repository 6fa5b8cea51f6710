"""Tables of pandas, whose parts are the labels of their columns, those of their rows, and each column."""

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Table, Value
from grader.values.canonical import LIST, TUPLE, WITH_PARTS, Key, Keys
from grader.values.compare import difference, in_any_order
from grader.values.show import MAX_NAME, bounded, fitted, joined, label, safe_line, unlabelled
from grader.values.sort import Inner, Node, Sort
from grader.values.tables import table_difference
from grader.wire.tables import PREFIX

if TYPE_CHECKING:
    from grader.values.python_text import PythonText


class TableSort(Sort[Table]):
    classes = (Table,)
    is_container = True
    forgives = frozenset({"unordered", "columns", "index"})

    def parts(self, value: Table) -> Iterable[Value]:
        return (value.columns, value.index, *value.cells)

    def made(self, value: Table, parts: Sequence[Value]) -> Table:
        columns, index, *cells = parts
        return Table(value.type_name, columns, index, value.dtypes, tuple(cells))  # type: ignore[arg-type]

    def shape(self, value: Table) -> Hashable:
        return value.type_name, value.dtypes

    def node(self, value: Table, inner: Inner) -> Node:
        lists = ([*value.columns], [*value.index], [*value.dtypes], [[*column] for column in value.cells])
        return ["p", PREFIX + value.type_name, [*map(inner, lists)]]

    def count(self, value: Table) -> int:
        return (len(value.columns) + 1) * (len(value.index) + 1)

    def key(self, value: Table, keys: Keys, level: int) -> Key:
        # Names of columns are compared as Python compares them, see `grader.values.tables`.
        names = [Keys(False, keys.items_left, True).key(name, level) for name in value.columns]
        cells: Iterable[tuple[Value, ...]] = value.cells
        if keys.any_columns and value.type_name == "Series":
            names = []
        elif keys.any_columns:
            order = sorted(range(len(names)), key=names.__getitem__)
            names, cells = [names[at] for at in order], [value.cells[at] for at in order]
        columns = cells if keys.any_index else (value.index, *cells)
        rank = LIST if keys.any_sequence else TUPLE
        inner = [(rank, tuple([keys.key(item, level) for item in column])) for column in columns]
        return (WITH_PARTS, value.type_name, len(value.index), tuple(names), tuple(inner))

    def difference(self, expected: Table, actual: Table, rules: Comparison, level: int) -> Difference | None:
        return table_difference(expected, actual, rules, partial(difference, level=level))

    def in_any_order(self, expected: Table, actual: Table, rules: Comparison) -> Difference | None:
        rows = partial(in_any_order, noun="rows")
        return table_difference(expected, actual, rules, partial(difference, level=1), rows)

    def text(self, value: Table, python: "PythonText") -> str:
        """Return the call that makes a table; the kinds of its columns are left to pandas."""
        write = python.of_cells.of
        index = "" if value.has_default_index else f", index={write([*value.index])}"
        if value.type_name == "Series":
            has_name = python.says_all or value.columns[0] is not None
            name = f", name={write(value.columns[0])}" if has_name else ""
            return f"Series({write([*value.cells[0]])}{index}{name})"
        columns = dict(zip(value.columns, map(list, value.cells), strict=True))
        return f"DataFrame({write(columns)}{index})"

    def type_name(self, value: Table) -> str:
        return safe_line(value.type_name, MAX_NAME)

    def shown(self, value: Table, room: int, level: int, whole: bool) -> str:
        """Return a table as the call that makes it."""
        after = ""
        if not value.has_default_index:
            after += f", index={_part([*value.index], room, level, whole)}"
        if value.type_name == "Series":
            entries = unlabelled([[*value.cells[0]]])
            brackets = ("Series(", "")
            if value.columns[0] is not None:
                after += f", name={_part(value.columns[0], room, level, whole)}"
        else:
            # Not a dict, since two columns can have one label.
            columns = zip(value.columns, value.cells, strict=True)
            entries = ((label(name, room, level, whole), [*cells]) for name, cells in columns)
            brackets = ("DataFrame({", "}")
        total, left = len(value.columns), room - len(after) - 1
        return f"{joined(brackets, entries, total, left, level, whole=whole)}{after})"


def _part(value: Value, room: int, level: int, whole: bool) -> str:
    return bounded(value, room // 4, level + 1, True) if whole else fitted(value, room // 4, level + 1)

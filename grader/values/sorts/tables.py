"""Tables of pandas, whose parts are the labels of their columns, those of their rows, and each column."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from grader.model.values import Table, Value
from grader.values.sort import Inner, Node, Sort
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

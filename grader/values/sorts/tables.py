"""Tables of pandas, whose parts are the labels of their columns, those of their rows, and each column."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from grader.model.values import Table, Value
from grader.values.show import MAX_NAME, bounded, fitted, joined, label, safe_line, unlabelled
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

"""Tables of pandas, whose parts are the labels of their columns, those of their rows, and each column."""

from collections.abc import Hashable, Iterable, Sequence

from grader.model.values import Table, Value
from grader.values.sort import Sort


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

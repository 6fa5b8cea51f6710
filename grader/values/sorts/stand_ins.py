"""What stands for an object that is no plain data, and for a container inside itself."""

from collections.abc import Hashable, Mapping

from grader.model.values import Cycle, DeclaredType, Opaque
from grader.values.sort import Sort


class OpaqueSort(Sort[Opaque]):
    classes = (Opaque,)

    def shape(self, value: Opaque) -> Hashable:
        return value.type_name, value.text

    def non_data(self, value: Opaque, known: Mapping[str, DeclaredType]) -> str:
        return f"an object of type {value.type_name}, which is not plain data"


class CycleSort(Sort[Cycle]):
    classes = (Cycle,)

    def shape(self, value: Cycle) -> Hashable:
        return value.levels

    def non_data(self, value: Cycle, known: Mapping[str, DeclaredType]) -> str:
        return "a container that holds itself, which is not plain data"

"""The stand-ins: of an object that is no plain data, and of a container inside itself."""

from collections.abc import Hashable, Mapping

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Cycle, DeclaredType, Opaque
from grader.values.canonical import Key, Keys, incomparable
from grader.values.compare import unlike
from grader.values.show import LEAST_ROOM, MAX_NAME, safe_line
from grader.values.sort import Sort


class OpaqueSort(Sort[Opaque]):
    classes = (Opaque,)
    stands_for = "not plain data"

    def shape(self, value: Opaque) -> Hashable:
        return value.type_name, value.text

    def type_name(self, value: Opaque) -> str:
        return safe_line(value.type_name, MAX_NAME)

    def shown(self, value: Opaque, room: int, level: int, whole: bool) -> str:
        start = f"<{self.type_name(value)} object"
        if not value.text:
            return f"{start}>"
        return f"{start}: {safe_line(value.text, max(LEAST_ROOM, room - len(start) - len(': >')))}>"

    def key(self, value: Opaque, keys: Keys, level: int) -> Key:
        return incomparable(value.type_name, value.text)

    def difference(
        self, expected: Opaque, actual: Opaque, rules: Comparison, level: int
    ) -> Difference | None:
        return unlike(expected, actual)

    def non_data(self, value: Opaque, known: Mapping[str, DeclaredType]) -> str:
        return f"an object of type {value.type_name}, which is not plain data"


class CycleSort(Sort[Cycle]):
    classes = (Cycle,)
    stands_for = "a container inside itself"

    def shape(self, value: Cycle) -> Hashable:
        return value.levels

    def type_name(self, value: Cycle) -> str:
        return "cycle"

    def shown(self, value: Cycle, room: int, level: int, whole: bool) -> str:
        return "..."

    def key(self, value: Cycle, keys: Keys, level: int) -> Key:
        return incomparable(levels=value.levels)

    def difference(self, expected: Cycle, actual: Cycle, rules: Comparison, level: int) -> Difference | None:
        return unlike(expected, actual)

    def non_data(self, value: Cycle, known: Mapping[str, DeclaredType]) -> str:
        return "a container that holds itself, which is not plain data"

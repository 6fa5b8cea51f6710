"""Angles in degrees: 370 is 10."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.api.values import (
    WITH_PARTS,
    Comparison,
    Difference,
    Key,
    Keys,
    PythonText,
    Sort,
    Value,
    unlike,
)


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle.  degrees: any number; whole turns do not count."""

    degrees: float


class AngleSort(Sort[Angle]):
    """An angle, which an answer states as a number of degrees."""

    classes = (Angle,)

    def build(self, args: Sequence[Value], named: Mapping[str, Value]) -> Angle:
        if named or len(args) != 1 or type(args[0]) not in (int, float):
            raise TypeError("an angle is one number of degrees")
        return Angle(args[0])

    def text(self, value: Angle, python: PythonText) -> str:
        return f"Angle({value.degrees!r})"

    def shown(self, value: Angle, room: int, level: int, whole: bool) -> str:
        return f"Angle({value.degrees!r})"

    def key(self, value: Angle, keys: Keys, level: int) -> Key:
        return (WITH_PARTS, "Angle", keys.key(value.degrees % 360, level))

    def meets(self, expected: Angle, actual: Value, rules: Comparison) -> bool:
        return type(actual) in (int, float, Angle)

    def difference(
        self, expected: Angle, actual: Angle | float, rules: Comparison, level: int
    ) -> Difference | None:
        degrees = actual.degrees if isinstance(actual, Angle) else actual
        apart = abs(expected.degrees - degrees) % 360
        return None if min(apart, 360 - apart) <= rules.abs else unlike(expected, actual)


ANGLE = AngleSort()

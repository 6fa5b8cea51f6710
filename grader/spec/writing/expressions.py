"""Values and calls as one would type them."""

import math
from collections import Counter
from collections.abc import Iterable

from grader.model.case import Argument, Bound, Call, Case, Player, ProgramRun, Shipped, Watched
from grader.model.kinds import calls_of
from grader.model.values import DeclaredType, EnumMember, EnumType, Value
from grader.spec.writing.attachments import Attachments
from grader.values.python_text import PythonText

LONGEST_LITERAL = 2000
"""The most characters of a value, and bytes of a file, that stand in the spec itself."""


class _SpecText(PythonText):
    """Writes values in the words of one spec.

    members: how many enums or classes have each name.
    """

    def __init__(self, members: Counter[str]) -> None:
        self._members = members

    @property
    def of_cells(self) -> PythonText:
        return PythonText()

    def enum_member(self, value: EnumMember) -> str:
        return value.name if self._members[value.name] == 1 else super().enum_member(value)

    def complex_number(self, value: complex) -> str:
        """Return a sum that a spec can compute; -2j alone has a negative zero for its real part."""
        text = repr(value).strip("()")
        if value.real or not value.imag < 0:
            return text
        return text.removeprefix("-0") if math.copysign(1, value.real) < 0 else f"0{value!r}"


class Expressions:
    """Writes expressions in the words of one spec.

    A member of an enum needs its class's name only where several enums have it.
    """

    def __init__(self, types: Iterable[DeclaredType], files: Attachments | None = None) -> None:
        """files: takes in what is too long for a line; None to write all of it."""
        self._files = files
        self._text = _SpecText(Counter(_members(types)))

    def value(self, value: Value) -> str:
        """Return a value as an expression of the spec."""
        text = self._text.of(value)
        if self._files is None or len(text) <= LONGEST_LITERAL:
            return text
        return self._files.name_of(text)

    def argument(self, value: Argument) -> str:
        """Return an argument of a call."""
        if isinstance(value, Shipped):
            return value.source
        return value.name if isinstance(value, Bound | Watched) else self.value(value)

    def call(self, call: Call) -> str:
        """Return a call as one would type it."""
        if call.reads:
            return call.function
        given = [self.argument(value) for value in call.args]
        if call.formula is not None:
            return call.formula.written(given)
        given += [f"{name}={self.argument(value)}" for name, value in call.kwargs]
        return f"{call.function}({', '.join(given)})"

    def statements(self, case: Case) -> str:
        """Return the calls of a case as one would type them."""
        return "; ".join(
            f"{call.bind} = {self.call(call)}" if call.bind else self.call(call)
            for call in calls_of(case).calls
        )

    def input_of(self, run: ProgramRun) -> str:
        """Return a program's input as one would type it."""
        text = " ".join([f"{run.main}.py", *run.arguments])
        if run.player is not None:
            return f"{text} with {self.player(run.player)}"
        return f"{text} with the input {run.stdin!r}" if run.stdin else text

    def player(self, player: Player) -> str:
        given = ", ".join(f"{name}={self.value(value)}" for name, value in player.arguments)
        return f"{player.function}({given})"


def _members(types: Iterable[DeclaredType]) -> Iterable[str]:
    for each in types:
        # A class of the same name would hide the member.
        yield each.name
        if isinstance(each, EnumType):
            yield from each.members

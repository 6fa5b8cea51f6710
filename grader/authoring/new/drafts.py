"""Cases before their answers are known: the steps, and what an example says about each answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

_OF_NUMPY = re.compile(r"\bnp\.(?:(?:float|int|uint|complex|bool|str)\w*\(([^()]+)\)|(True|False)_)")
Note = Callable[[str], None]
"""Tells a person a sentence."""


class AnswerForm(Enum):
    """The form in which an example states its answer."""

    VALUE = auto()
    """A Python literal."""
    SHOWN = auto()
    """The text that Python's prompt shows, as in a doctest."""
    RAISES = auto()
    """The name of an exception."""


@dataclass(frozen=True, slots=True)
class StatedAnswer:
    """An answer as an example states it; `tolerance` is a key and a number where it is not exact."""

    kind: AnswerForm
    text: str
    tolerance: str = ""

    @property
    def plain(self) -> str:
        """The text with Python's numbers for NumPy's, such as `1.5` for `np.float64(1.5)`."""
        return _OF_NUMPY.sub(lambda found: found[1] or found[2], self.text)


@dataclass(slots=True)
class LeftOut:
    """Tells of examples that are no cases, counts them, and keeps them for the spec."""

    note: Note
    count: int = 0
    remarks: list[str] = field(default_factory=list)

    def __call__(self, text: str, count: int = 1, source: str = "") -> None:
        """text: a sentence for people.  source: the example, as it was written."""
        self.count += count
        self.remarks.append(f"{text}: {' '.join(source.split())}" if source else text)
        self.note(text)


@dataclass(frozen=True, slots=True)
class NewStep:
    """One call.  key: `new`, `call` or `read`, as in a scenario.  bound: the name of its answer."""

    key: str
    text: str
    said: StatedAnswer | None = None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case: a single call, a scenario of several steps, or a program with its input.

    file, line: the place where it comes from.
    is_guess: it comes from a signature; one that the reference can't answer is left out without a note.
    stdin: for a program.
    """

    steps: tuple[NewStep, ...]
    file: str
    line: int = 0
    is_guess: bool = False
    stdin: str | None = None

    @property
    def origin(self) -> str:
        """The place where it comes from, such as `leap.py:12`."""
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def examples(self) -> int:
        """How many examples it is made of."""
        return 0 if self.is_guess else max(1, len(self.steps))

    @property
    def is_scenario(self) -> bool:
        """Whether its steps share objects."""
        return any(step.key != "call" or step.bound for step in self.steps)


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question with its cases."""

    title: str
    module: str
    cases: tuple[NewCase, ...]
    left_out: int = 0
    """Examples that are no cases."""
    remarks: tuple[str, ...] = ()
    """Sentences about them, for the spec."""

    @property
    def examples(self) -> int:
        """How many examples there were for it, with those that are no cases."""
        return self.left_out + sum(case.examples for case in self.cases)

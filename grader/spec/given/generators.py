"""Asks functions of the checkers file for values: in a sandbox, as all code of the spec's own.

Such a function takes a `random.Random` first.  Its numbers come from bytes that Hypothesis chooses, and it
takes smaller bytes as simpler choices: all zeros are the first item of each choice and the least number of
each range.  So what the function makes can be shrunk as well.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grader.model.case import Call
from grader.model.errors import UsageError
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.task import OwnCode
from grader.model.values import DeclaredType, Table, Value
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_request
from grader.sandbox.strongest import refuse_unnamed_without_walls, strongest_zygote
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.spec.expressions.tables import as_written
from grader.values.walk import first_non_data, rebuilt

CHOICES_B = 256
"""Bytes of choices for one call; numbers beyond them follow from these bytes."""

_LIMITS = Limits(time_s=5.0, wall_s=10.0)
_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_MEMORY_B = 2 << 30
_SHIM = """

def _grader_draw(name, data, args, kwargs):
    import random

    class Choices(random.Random):
        at = 0

        def getrandbits(self, bits):
            size = (bits + 7) // 8
            part, self.at = data[self.at:self.at + size], self.at + size
            if len(part) < size:
                return super().getrandbits(bits) if any(data) else 0
            return int.from_bytes(part, "big") >> (8 * size - bits)

        def random(self):
            return self.getrandbits(53) / (1 << 53)

    return globals()[name](Choices(data), *args, **kwargs)
"""


class GeneratorFailed(Exception):
    """A function of the spec gave no value; the text gives the reason."""


class Generators:
    """The functions of the checkers file that make values.  Call `close` in the end.

    start: returns a zygote, which the caller closes.  purse: pays for the calls.
    """

    def __init__(
        self,
        start: Callable[[], Zygote],
        code: OwnCode,
        types: Sequence[DeclaredType],
        seed: int = 0,
        *,
        purse: Budget,
    ) -> None:
        self._start = start
        self._code = code
        self._types = tuple(types)
        self._seed = seed
        self._purse = purse
        self._box: Box | None = None

    def ask(self, function: str, choices: bytes, args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
        """Return the value that a function makes of these choices.  Raises `GeneratorFailed`."""
        call = Call("_grader_draw", (function, choices, list(args), dict(kwargs)))
        try:
            request = encode_request([call], _LIMITS, types=self._types, invent=True)
            (found,) = self._opened().gather([Job(request, _LIMITS)])
        except (SandboxFailure, UsageError, TypeError) as failure:
            raise GeneratorFailed(str(failure)) from failure
        outcome = found.outcome()
        match outcome.answers[:1]:
            case (Returned(value=value),) if outcome.ending is Ending.ANSWERED:
                problem = first_non_data(value, self._types)
                if problem:
                    raise GeneratorFailed(f"`{function}` returned {problem}")
                return _as_written(value)
        raise GeneratorFailed(f"`{function}` {_what_happened(outcome)}")

    def _opened(self) -> Box:
        """Return the box of the checkers file.  Raises `SandboxFailure` and `GeneratorFailed`."""
        if self._box is None:
            name = self._code.path.stem
            sources = {**self._code.texts, name: self._code.texts[name] + _SHIM}
            program = Program(name, sources, shared=True)
            box = Box(
                self._start(),
                program,
                _MEMORY_B,
                _LOAD_LIMITS,
                _LIMITS.time_s,
                self._seed,
                purse=self._purse,
            )
            outcome, _ = box.load()
            if not loaded(outcome):
                box.close()
                raise GeneratorFailed(f"{name}.py cannot be imported: {_what_happened(outcome)}")
            self._box = box
        return self._box

    def close(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            box.close()


def _as_written(value: Value) -> Value:
    """Return a value without the dtypes of its tables, since a run records its inputs as Python text."""
    return as_written(value) if isinstance(value, Table) else rebuilt(value, _as_written)


def _what_happened(outcome: Outcome) -> str:
    raised = outcome.raised
    if outcome.answers and isinstance(outcome.answers[-1], RaisedAnswer):
        raised = outcome.answers[-1].raised
    if raised is not None:
        place = f" (line {raised.frames[-1].line} of {raised.frames[-1].file})" if raised.frames else ""
        return f"raised {raised.type_name}: {raised.message}{place}"
    if outcome.ending in (Ending.TIME, Ending.WALL):
        return f"did not end within {_LIMITS.time_s:g} s"
    return f"gave no value ({outcome.detail or outcome.ending})"


@contextmanager
def generators_of(
    code: OwnCode | None,
    types: Sequence[DeclaredType],
    seed: int,
    python: str,
    packages: tuple[str, ...],
    found: str = "",
) -> Iterator[Generators | None]:
    """Give the generators of a spec, in a sandbox that starts with the first question.

    found: the spec, if nobody named it; then its code runs behind walls only.  Raises `UsageError`.
    """
    if code is None or code.path.stem not in code.texts:
        yield None
        return
    zygotes: list[Zygote] = []

    def start() -> Zygote:
        zygotes.append(strongest_zygote(find_interpreter(python), packages))
        if found:
            refuse_unnamed_without_walls(zygotes[-1].driver, found)
        return zygotes[-1]

    generators = Generators(start, code, types, seed, purse=UNBILLED)
    try:
        yield generators
    finally:
        generators.close()
        for zygote in zygotes:
            zygote.close()

"""The places of a task's cases and rules in its spec, for mistakes that show only when something runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.model.errors import Fault
from grader.yamlfile.source import Source, Span


@dataclass(frozen=True, slots=True)
class CasePlaces:
    """The places of one case.

    whole: its call, program, scenario or rule.  expected: what it expects, or the whole.
    steps: the steps of a scenario, each at its call.
    """

    source: Source
    whole: Span
    expected: Span
    steps: tuple[Span, ...] = ()

    def fault(self, message: str, hint: str = "", *, step: int = 0, expected: bool = False) -> Fault:
        """Return a fault at the case.

        step: the number of a step, from 1, at which it points instead.  expected: it points at what the case
        expects.
        """
        span = self.expected if expected else self.whole
        if 1 <= step <= len(self.steps):
            span = self.steps[step - 1]
        # A step or an expectation of an included question can stand in another file.
        return (span.source or self.source).fault(span, message, hint)


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a task.  name: the spec's path.  cases: by id.  rules: those of the task, in order."""

    name: str = ""
    cases: Mapping[str, CasePlaces] = field(default_factory=dict)
    rules: tuple[tuple[Source, Span], ...] = ()

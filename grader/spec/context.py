"""What the decoders of a spec share: where mistakes go, which names are known, what stands around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.spec.definitions import Definitions
from grader.spec.expressions import Names
from grader.spec.extent import Allowance
from grader.spec.reporter import Reporter


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The surroundings of a question or a case.

    names: the names of `let` with their values.
    allowance: what is left of the spec's bound on values; shared by all.
    modules: the modules of the task, in the order of the spec.
    has_reference, has_checkers: whether the spec names them, readable or not.
    reference: for each module that could be read, what the reference defines in it.
    checkers: what the checkers file defines; None where there is none that could be read.
    """

    reporter: Reporter
    allowance: Allowance = field(default_factory=Allowance)
    names: Names = field(default_factory=dict)
    modules: tuple[tuple[str, str], ...] = ()
    has_reference: bool = False
    has_checkers: bool = False
    reference: Mapping[str, Definitions] = field(default_factory=dict)
    checkers: Definitions | None = None

    def with_names(self, names: Names) -> "Context":
        """Return the same surroundings with other names."""
        return replace(self, names=names)

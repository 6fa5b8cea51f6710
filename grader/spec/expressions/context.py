"""What the decoders of a spec share: where mistakes go, which names are known, what stands around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.model.values import DeclaredType, EnumMember
from grader.spec.expressions.bounds import Allowance
from grader.spec.expressions.evaluate import Names, Sized
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.files import Files
from grader.yamlfile.reporter import Reporter


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The surroundings of a question or a case.

    names: the names of `let` with their values, and bare members of enums.
    types: the classes of `types`, by name.
    allowance: what is left of the spec's bound on values; shared by all.
    modules: the modules of the task, in the order of the spec.
    has_reference, has_checkers: whether the spec names them, readable or not.
    reference: for each module that could be read, what the reference defines in it.
    checkers: what the checkers file defines; None where there is none that could be read.
    reference_files: all files of the reference; None where there is none that could be read.
    attached: the spec's folder, and the files of it that cases were found to use.
    """

    reporter: Reporter
    allowance: Allowance = field(default_factory=Allowance)
    names: Names = field(default_factory=dict)
    types: Mapping[str, DeclaredType] = field(default_factory=dict)
    modules: tuple[tuple[str, str], ...] = ()
    has_reference: bool = False
    has_checkers: bool = False
    reference: Mapping[str, Definitions] = field(default_factory=dict)
    checkers: Definitions | None = None
    reference_files: Files | None = None
    attached: Files = field(default_factory=lambda: Files(Path()))

    def taken(self) -> dict[str, str]:
        """Return every name that can't be given again, and in words what it is."""
        found = dict.fromkeys(self.types, "a class of `types`")
        for name, sized in self.names.items():
            found[name] = "a member of an enum" if _is_member(name, sized) else "a name of `let`"
        return found

    def with_types(self, types: Mapping[str, DeclaredType], members: Names) -> "Context":
        """Return the same surroundings with declared classes, and the members that stand for themselves."""
        values = {name: sized for name, sized in self.names.items() if not _is_member(name, sized)}
        return replace(self, types=types, names={**members, **values})

    def with_names(self, names: Names) -> "Context":
        """Return the same surroundings with other names."""
        return replace(self, names=names)


def _is_member(name: str, sized: Sized) -> bool:
    """Tell whether a name stands for the enum member of that name."""
    value, _ = sized
    return isinstance(value, EnumMember) and value.name == name

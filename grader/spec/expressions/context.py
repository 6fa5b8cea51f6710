"""The context that the decoders of a spec share: the reporter, the known names, the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from grader.model.values import DeclaredType, EnumMember, Value
from grader.spec.expressions.bounds import ValueBudget
from grader.spec.expressions.evaluate import Names, Sized
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.files import Files
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown


class Generators(Protocol):
    """The functions of the checkers file that make values."""

    def ask(self, function: str, choices: bytes, args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
        """Return the value that a function makes of these choices."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The context of a question or a case.

    names: the names of `let` with their values, and bare members of enums.
    types: the classes of `types`, by name.
    value_budget: the items and calls that the rest of the spec may use.
    modules: the modules of the task, in the order of the spec.
    has_reference, has_checkers: whether the spec names them, readable or not.
    reference: the definitions of each readable module of the reference.
    checkers: the definitions of the checkers file; None if there is no readable one.
    reference_files: all files of the reference; None if there is no readable one.
    checkers_path: the checkers file; None if there is no readable one.
    attached: the spec's folder, and those of its files that cases use.
    data: the names of the task's own files.
    seed: of the task.
    equality: when values are equal, where a case does not say it; empty or `types` where types count.
    own_functions: the functions of the checkers file, where its definitions are not at hand.
    generators: ask these functions for values; None without a checkers file.
    packages: the third-party packages that submissions may import.
    recorded: the inputs that an earlier run drew, by case, each as a Python text; they are not drawn again.
    """

    reporter: Reporter
    value_budget: ValueBudget = field(default_factory=ValueBudget)
    names: Names = field(default_factory=dict)
    types: Mapping[str, DeclaredType] = field(default_factory=dict)
    modules: tuple[tuple[str, str], ...] = ()
    has_reference: bool = False
    has_checkers: bool = False
    reference: Mapping[str, Definitions] = field(default_factory=dict)
    checkers: Definitions | None = None
    reference_files: Files | None = None
    checkers_path: Path | None = None
    attached: Files = field(default_factory=lambda: Files(Path()))
    data: tuple[str, ...] = ()
    seed: int = 0
    equality: str = ""
    packages: tuple[str, ...] = ()
    own_functions: frozenset[str] = frozenset()
    generators: Generators | None = None
    recorded: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def is_module(self, name: str, span: Span) -> bool:
        """Tell whether the task has a module of that name; report one that it lacks."""
        names = [module for module, _ in self.modules]
        if name in names:
            return True
        message = f"`{shown(name)}` is not among the task's `modules`"
        self.reporter.report(span, message, self.reporter.nearest_or_all(name, names))
        return False

    def taken(self) -> dict[str, str]:
        """Return every name that is taken, and in words its meaning."""
        found = dict.fromkeys(self.types, "a class of `types`")
        for name, sized in self.names.items():
            found[name] = "a member of an enum" if _is_member(name, sized) else "a name of `let`"
        return found

    def with_types(self, types: Mapping[str, DeclaredType], members: Names) -> "Context":
        """Return the same context with declared classes, and the enum members that need no class."""
        values = {name: sized for name, sized in self.names.items() if not _is_member(name, sized)}
        return replace(self, types=types, names={**members, **values})

    def with_names(self, names: Names) -> "Context":
        """Return the same context with other names."""
        return replace(self, names=names)


def _is_member(name: str, sized: Sized) -> bool:
    """Tell whether a name stands for the enum member of that name."""
    value, _ = sized
    return isinstance(value, EnumMember) and value.name == name

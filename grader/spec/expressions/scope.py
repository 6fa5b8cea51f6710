"""The names of a call that are no data: the module's, those of objects and callbacks, Python's."""

import ast
import builtins
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from grader.spec.expressions.evaluate import FUNCTIONS
from grader.spec.expressions.lambdas import bound_names
from grader.spec.expressions.library import CONSTRUCTORS
from grader.spec.expressions.tables import TABLES
from grader.spec.reference.definitions import Definitions, is_like_a_class
from grader.worker.box.formulas import BUILT_IN


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a call that are no data.

    own, others: names that the module defines, and others that it has.
    known: what the reference defines, if that is known.
    is_complete: the module has no other names.
    kept: the classes of objects that earlier steps made by their names; "" for answers.
    callbacks: names of watched callbacks.
    """

    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    known: Definitions | None = None
    is_complete: bool = False
    kept: Mapping[str, str] = field(default_factory=dict)
    callbacks: frozenset[str] = frozenset()

    @classmethod
    def of(cls, definitions: Definitions | None, callbacks: Collection[str] = ()) -> "Scope":
        """Return the scope of a call of a module whose definitions are these, if they are known."""
        known = definitions or Definitions(complete=False)
        others = known.names - known.own
        return cls(known.own, others, definitions, known.complete, callbacks=frozenset(callbacks))

    def keeping(self, made: Mapping[str, str]) -> "Scope":
        """Return the same scope with objects of earlier steps.  made: their classes; "" for an answer."""
        return replace(self, kept=dict(made))

    def is_class(self, name: str, *, is_called: bool = False) -> bool:
        """Tell whether a name of the module is a class, by its spelling where the reference does not say."""
        if self.known is not None and name in self.known.names:
            return name in self.known.makers
        return name.lstrip("_")[:1].isupper() if is_called else is_like_a_class(name)

    def is_answer(self, name: str) -> bool:
        """Tell whether an object of an earlier step is an answer, and not made by `new` with a class."""
        return not (self.kept[name] and self.is_class(self.kept[name], is_called=True))

    def members_of(self, name: str) -> frozenset[str] | None:
        """Return the members of a class, None if they are not known."""
        return self.known.classes.get(name) if self.known is not None else None

    @property
    def is_open(self) -> bool:
        """Whether objects may have members that the reference's source does not show."""
        return self.known is None or not self.is_complete or any(map(is_like_a_class, self.others))

    def beyond(self, node: ast.Lambda, data: Collection[str]) -> frozenset[str]:
        """Return the names in a lambda that are the module's or an earlier step's."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - bound_names(node)
        return frozenset(
            name
            for name in names
            if self.kind_of(name, data) in ("module", "kept")
            and (name in self.own or name in self.kept or not hasattr(builtins, name))
        )

    def kind_of(self, name: str, data: Collection[str]) -> str:
        """Return the kind of a name's node; "data" for data, "" for an unknown name.

        data: names that have values, and classes whose instances are data.
        """
        if name in self.kept:
            return "kept"
        if name in self.callbacks or name in data:
            return "data"
        if name in self.own:
            return "module"
        if name in (*CONSTRUCTORS, *TABLES) or name in FUNCTIONS or name == "timezone":
            return "data"
        if name in BUILT_IN:
            return "python"
        if name in self.others or not self.is_complete:
            return "module"
        return ""

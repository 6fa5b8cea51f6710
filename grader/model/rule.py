"""Rules on a submission's source, and their costs."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.policy import Deduction


class RuleKind(StrEnum):
    """The kinds of rules.  The texts are the words of the spec."""

    NO_RECURSION = "no recursion"
    FORBIDDEN_IMPORTS = "forbidden imports"
    ALLOWED_IMPORTS = "allowed imports"
    FORBIDDEN_NAMES = "forbidden names"
    NO_GLOBALS = "no globals"
    HEADER = "header"
    FORBIDDEN_CONSTRUCTS = "forbidden constructs"
    REQUIRED_CONSTRUCTS = "required constructs"
    NO_WARNINGS = "no warnings"
    LINTER = "linter"

    @property
    def spreads(self) -> bool:
        """Whether it covers the imports of a module too: a rule that forbids does, one that asks does not."""
        return self not in (RuleKind.HEADER, RuleKind.REQUIRED_CONSTRUCTS)


CONSTRUCTS = (
    "while", "for", "loop", "if", "conditional expression", "match",
    "list comprehension", "comprehension", "generator expression", "yield", "lambda", "class",
    "nested function", "try", "bare except", "raise", "assert", "with",
    "import", "star import", "global", "nonlocal", "break", "continue",
    "slice", "f-string", "assignment expression", "async",
)  # fmt: skip
"""The constructs that a rule can name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    text: the rule for people.
    modules: the modules that it is about; if its kind `spreads`, it covers their imports too.
    names: of imports or names.  fields: of a header, each with its pattern.
    constructs, patterns, functions: of constructs; patterns are ast-grep's, functions say where to look.
    select, ignore, line_length: of the linter.
    strict: of recursion: a place where the source does not tell whether the rule is broken breaks it.
    """

    kind: RuleKind
    text: str
    modules: tuple[str, ...]
    names: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    constructs: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    line_length: int = 0
    hint: str = ""
    strict: bool = False

    @property
    def needs_tools(self) -> bool:
        """Whether the linter or the search for patterns looks at the text."""
        return self.kind is RuleKind.LINTER or bool(self.patterns)


@dataclass(frozen=True, slots=True)
class TaskRule:
    """A rule for the whole submission.

    takes: the cost of breaking it, once however often; None if it is only told.
    rejects: a submission that breaks it is not marked.
    """

    rule: Rule
    takes: Deduction | None = None
    rejects: bool = False

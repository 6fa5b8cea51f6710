"""Rules on a submission's source: what is looked for, and what it costs."""

from enum import StrEnum

from grader.model.frozen import dataclass
from grader.model.penalty import Deduction


class RuleKind(StrEnum):
    """What a rule asks of the source.  The texts are the words of the spec."""

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


CONSTRUCTS = (
    "while", "for", "loop", "if", "conditional expression", "match",
    "list comprehension", "comprehension", "generator expression", "yield", "lambda", "class",
    "nested function", "try", "bare except", "raise", "assert", "with",
    "import", "star import", "global", "nonlocal", "break", "continue",
    "slice", "f-string", "assignment expression", "async",
)  # fmt: skip
"""The words for what a rule on constructs can ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    text: the rule for people.
    modules: the modules that it is about.
    names: of imports or names.  fields: of a header, each with its pattern.
    constructs, patterns, functions: of constructs; patterns are ast-grep's, functions say where to look.
    select, ignore, line_length: of the linter.
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


@dataclass(frozen=True, slots=True)
class TaskRule:
    """A rule for the whole submission.

    takes: what breaking it costs, once however often; None: nothing, it is only told.
    rejects: a submission that breaks it is not marked.
    """

    rule: Rule
    takes: Deduction | None = None
    rejects: bool = False

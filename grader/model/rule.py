"""Rules on a submission's source, and their costs."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.model.kinds import What
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
    REQUIRED_RECURSION = "required recursion"
    DOCSTRINGS = "docstrings"
    TYPE_HINTS = "type hints"
    NO_WARNINGS = "no warnings"
    LINTER = "linter"

    @property
    def spreads(self) -> bool:
        """Whether it covers the imports of a module too: a rule that forbids does, one that asks does not."""
        return self not in _ASKS


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule of a plugin's: a word of specs for a rule of our kinds, with what it looks for.

    rule: the rule in the words of a spec, as YAML: `{forbidden names: {names: [print]}}`, or
        `{forbidden constructs: {patterns: "$A ^ $B"}}`.  Patterns need the extra `rules` of the grader.
    meaning: for people who write specs.
    """

    rule: str
    meaning: str


_ASKS = frozenset({
    RuleKind.HEADER, RuleKind.REQUIRED_CONSTRUCTS, RuleKind.REQUIRED_RECURSION, RuleKind.DOCSTRINGS,
    RuleKind.TYPE_HINTS,
})  # fmt: skip

DOCUMENTED = ("module", "classes", "functions")
"""The kinds of definitions that a rule can ask to have a docstring."""


CONSTRUCTS = (
    "while", "for", "loop", "if", "conditional expression", "match",
    "list comprehension", "comprehension", "generator expression", "yield", "lambda", "class",
    "nested function", "try", "bare except", "raise", "assert", "with",
    "import", "star import", "global", "nonlocal", "break", "continue",
    "slice", "f-string", "assignment expression", "async",
)  # fmt: skip
"""The constructs that a rule can name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(What):
    """One rule.

    text: the rule for people.
    modules: the modules that it is about; if its kind `spreads`, it covers their imports too.
    names: of imports or names.  fields: of a header, each with its pattern.
    constructs, patterns, functions: of constructs; patterns are ast-grep's, functions say where to look.
    documented: of docstrings, what must have one.
    select, ignore, line_length: of the linter.  weights: how many findings one of a code counts as.
    each: the share of a case's score that a finding takes; None if one finding takes all of it.
    strict: of recursion: a place where the source does not tell whether the rule is broken breaks it.
    """

    kind_name = "rule"

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
    weights: tuple[tuple[str, Fraction], ...] = ()
    documented: tuple[str, ...] = ()
    each: Fraction | None = None
    hint: str = ""
    strict: bool = False

    def weight_of(self, code: str) -> Fraction:
        """Return how many findings a finding of the linter counts as: the longest code decides."""
        matching = [each for each in self.weights if code.startswith(each[0])]
        return max(matching, key=lambda each: len(each[0]))[1] if matching else Fraction(1)

    @property
    def needs_tools(self) -> bool:
        """Whether the linter or the search for patterns looks at the text."""
        return self.kind is RuleKind.LINTER or bool(self.patterns)


@dataclass(frozen=True, slots=True)
class TaskRule:
    """A rule for the whole submission.

    takes: the cost of breaking it, once however often; None if it is only told.
    each: the cost of one finding; `takes` is the most then.
    rejects: a submission that breaks it is not marked.
    """

    rule: Rule
    takes: Deduction | None = None
    each: Deduction | None = None
    rejects: bool = False

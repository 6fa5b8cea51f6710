"""The keys of rules on source: the kinds of rules, and the options that each of them takes."""

import re
from dataclasses import replace

from grader.model.rule import CONSTRUCTS, DOCUMENTED, NamedRule, RuleKind
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.spec.keys.penalties import OF
from grader.spec.keys.values import LONGEST_PATTERN, PENALTY
from grader.yamlfile.kinds import BOOLEAN, INTEGER, NAMES, NUMBER, TEXT, inner, mapping_of, ref, texts, within
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable


def _matching(pattern: str, expected: str, values: str = NAMES.values) -> KeyKind:
    def check(fields: Fields, name: str, scalar: Scalar) -> bool:
        if re.fullmatch(pattern, scalar.text):
            return True
        fields.reporter.report(scalar.span, f"`{name}` takes {expected}, not `{shown(scalar.text)}`")
        return False

    return texts(check, values)


def _is_construct(fields: Fields, name: str, scalar: Scalar) -> bool:
    if scalar.text in CONSTRUCTS:
        return True
    reporter: Reporter = fields.reporter
    message = f"`{shown(scalar.text)}` is no construct that is known here"
    reporter.report(scalar.span, message, reporter.nearest_or_all(scalar.text, CONSTRUCTS))
    return False


def _is_documented(fields: Fields, name: str, scalar: Scalar) -> bool:
    if scalar.text in DOCUMENTED:
        return True
    reporter: Reporter = fields.reporter
    message = f"`{name}` takes {', '.join(DOCUMENTED)}, not `{shown(scalar.text)}`"
    reporter.report(scalar.span, message, reporter.nearest(scalar.text, DOCUMENTED))
    return False


def _is_pattern(fields: Fields, name: str, scalar: Scalar) -> bool:
    if scalar.text.strip() and len(scalar.text) <= LONGEST_PATTERN and scalar.text[0] != "-":
        return True
    fields.reporter.report(scalar.span, "a pattern is a piece of Python such as $X.sort($$$)")
    return False


# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

_NAMES = Key("names", _matching(r"\.[^\W\d]\w*|[^\W\d]\w*(?:\.[^\W\d]\w*)*", "eval, os.system or .sort"),
    "[eval, exec]", required=True, default=(), meaning=
    "of imports: modules, with all that is in them; of names: `eval` is the built-in, `os.system` that "
    "function under any name, `.sort` an attribute of that name of anything")
_IMPORTS = Key("names", _matching(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*", "the name of a module"),
    "[math, random]", required=True, default=(), meaning="modules, with all that is in them")
_HEADER = Key("fields", mapping_of(TEXT, "name: regular expression"),
    r"{e-mail: '\S+@\S+'}", required=True, meaning=
    "the fields of a header, each with the pattern of its text")
LINTED = re.compile(r"[A-Z]{1,6}[0-9]{0,4}")
_LINTED = _matching(LINTED.pattern, "a rule of the linter such as E501", "codes of ruff")

_STRICT = Key("strict", BOOLEAN, "true", default=False, meaning=
    "of `no recursion`, `true`: a call that names do not show, and by which a function may call itself, "
    "breaks the rule; else it is only noted, see [rules on source](cases/rules.md#the-kinds)")

_FUNCTIONS = Key("functions", _matching(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*", "the name of a function"), "walk",
    default=(), absent="everywhere", meaning=
    "the functions (`walk`) and methods (`Tree.walk`) that the rule is about; a construct or recursion that "
    "is required stands in each of them, or in what it calls by name")
_OF_PUBLIC = replace(_FUNCTIONS, absent="all without an underscore in front")

_CONSTRUCTS = (
    Key("constructs", texts(_is_construct, "a word or a list of words"), "[while, lambda]", default=(),
        absent="none; `constructs` or `patterns` is needed", meaning=
        "constructs by their words, see [rules on source](cases/rules.md#constructs)"),
    Key("patterns", texts(_is_pattern, "a pattern or a list of patterns"),
        '"for $I in range(len($XS)): $$$BODY"', default=(), meaning=
        "constructs as pieces of Python with places for anything, in ast-grep's language"),
    _FUNCTIONS,
)

_DOCSTRINGS = (
    Key("for", texts(_is_documented, "`module`, `classes`, `functions`, or a list of them"), "functions",
        default=DOCUMENTED, absent="all of them", meaning="what must have a docstring"),
    _OF_PUBLIC,
)

_LINTER = (
    Key("select", _LINTED, "[E, F, B]", default=(), absent="`[E4, E7, E9, F]`", meaning="the linter's rules"),
    Key("ignore", _LINTED, "E501", default=(), meaning="those of them that don't count"),
    Key("line length", within(INTEGER, 40, 320).described("40 to 320"), "100", default=0, absent="ruff's",
        meaning="for the linter's rules on long lines"),
    Key("weights", mapping_of(NUMBER, "code of ruff: number, from 0"), "{E501: 0.5, F: 2}", default=None,
        absent="1 for each", meaning=
        "how many findings one of this code counts as, where `each` counts them; the longest code decides, "
        "and 0 only tells"),
)

_EVERY_RULE = (
    Key("modules", NAMES.described("a name or a list of names of `modules`"), "knight", default=(),
        absent="all; for a case, the question's", meaning=
        "the modules that the rule is about; their imports are covered as its kind says"),
    Key("hint", TEXT, "Use a stack.", default="", meaning=
        "a hint for students who break the rule; a case has its own `hint` instead"),
    Key("penalty", PENALTY.described("penalty: a percentage or marks"), "10%",
        absent="nothing, it is only told", meaning=
        "the penalty for breaking the rule, taken once however often; not for a case"),
    Key("each", PENALTY.described("percentage or marks"), "2%",
        absent="a single finding costs all", meaning=
        "what one finding costs: of a rule of the task, up to its `penalty`; of a case, a percentage of its "
        "marks"),
    OF,
    Key("reject", BOOLEAN, "true", default=False, meaning=
        "`true`: a submission that breaks the rule is not marked; not for a case"),
)

_KINDS: dict[RuleKind, tuple[str, str, tuple[Key, ...]]] = {
    RuleKind.NO_RECURSION: (
        "no function calls itself, directly or by way of others", "{penalty: 10%}", (_STRICT,)),
    RuleKind.FORBIDDEN_IMPORTS: (
        "these modules are not imported", "{names: [multiprocessing]}", (_IMPORTS,)),
    RuleKind.ALLOWED_IMPORTS: (
        "nothing but these modules and the submission's own is imported", "{names: [math]}", (_IMPORTS,)),
    RuleKind.FORBIDDEN_NAMES: (
        "these built-ins, functions of modules and methods are not used",
        "{names: [eval, os.system, .sort]}", (_NAMES,)),
    RuleKind.NO_GLOBALS: (
        "no global variables but constants, which have a name in capitals and are never changed",
        "{modules: tour}", ()),
    RuleKind.HEADER: (
        "the comment or docstring at the top has these fields", "{fields: {name: 'Name: .+'}}", (_HEADER,)),
    RuleKind.FORBIDDEN_CONSTRUCTS: (
        "these constructs of the language are not used", "{constructs: [while, lambda]}", _CONSTRUCTS),
    RuleKind.REQUIRED_CONSTRUCTS: (
        "each of these constructs is used", "{constructs: while, functions: walk}", _CONSTRUCTS),
    RuleKind.REQUIRED_RECURSION: (
        "a function calls itself, directly or by way of others", "{functions: power}",
        (_FUNCTIONS,)),
    RuleKind.DOCSTRINGS: (
        "modules, classes and functions have docstrings", "{for: functions, each: 25%}", _DOCSTRINGS),
    RuleKind.TYPE_HINTS: (
        "parameters and what functions return have type hints", "{functions: [power, walk]}",
        (_OF_PUBLIC,)),
    RuleKind.NO_WARNINGS: (
        "the compiler warns of nothing", "{hint: Look at the report.}", ()),
    RuleKind.LINTER: (
        "the linter, ruff, finds nothing", "{select: [E, F], line length: 100}", _LINTER),
}
"""For each kind of rule its meaning, an example, and the keys that it takes beside those of every rule."""
# fmt: on

NAMED: dict[str, NamedRule] = {
    name: rule
    for name, rule in registry().all_of(Group.RULES).items()
    if registry().is_foreign(Group.RULES, name)
}
"""The rules of plugins, by their words in a spec."""

RULE_OPTIONS: dict[str, KeyTable] = {
    **{kind: KeyTable(f"`{kind}`", (*own, *_EVERY_RULE)) for kind, (_, _, own) in _KINDS.items()},
    **{name: KeyTable(f"`{name}`", _EVERY_RULE) for name in NAMED},
}
"""The keys that each kind of rule takes, and each rule of a plugin."""

_OPTIONS = "mapping, see [options](#options-of-a-rule)"
RULE = KeyTable(
    "a rule",
    tuple(
        Key(
            kind.value,
            inner(RULE_OPTIONS[kind], _OPTIONS),
            example,
            meaning=meaning,
        )
        for kind, (meaning, example, _) in _KINDS.items()
    )
    + tuple(
        Key(name, inner(RULE_OPTIONS[name], _OPTIONS), "{penalty: 10%}", meaning=each.meaning)
        for name, each in NAMED.items()
    ),
)

RULE_OPTION = KeyTable(
    "the options of rules", (_STRICT, *_EVERY_RULE, _NAMES, _HEADER, *_CONSTRUCTS, _DOCSTRINGS[0], *_LINTER)
)
"""All of them together, for the documentation."""

RULE_VALUE = KeyKind(
    "the kind of a rule, with what it takes: `no recursion` or {forbidden imports: {names: os}}",
    "kind of a rule, or mapping",
    Fields.node,
    {"anyOf": [{"enum": [*map(str, RULE_OPTIONS)]}, ref(RULE)]},
)

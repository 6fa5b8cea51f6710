"""Rules on source: of the task, and as cases with a mark of their own."""

import re
from collections.abc import Iterable
from dataclasses import replace

from grader.model.policy import Deduction, Of
from grader.model.rule import CONSTRUCTS, Rule, RuleKind, TaskRule
from grader.spec.decode.penalties import deduction
from grader.spec.expressions.context import Context
from grader.spec.keys import RULE, RULE_OPTIONS
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar
from grader.yamlfile.quantities import integer
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import CONTROL, shown
from grader.yamlfile.table import Fields, kind_of, open_fields

RULE_GOES_WITH = frozenset({"rule", "name", "weight", "group", "hint", "visibility"})
"""The keys that a case with `rule` may have."""

LINTER_DEFAULT = ("E4", "E7", "E9", "F")
"""Chosen here rather than left to the linter, whose own default changes with its version."""

_IMPORT = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_NAME = re.compile(r"\.[^\W\d]\w*|[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FUNCTION = re.compile(r"[^\W\d]\w*")
_SELECTOR = re.compile(r"[A-Z]{1,6}[0-9]{0,4}")
_LONGEST_PATTERN = 1000
_LINE_LENGTHS = range(40, 321)


def decode_rules(parent: Fields, context: Context) -> tuple[TaskRule, ...]:
    """Return the rules of a task; what is wrong is reported."""
    found = []
    for node in parent.items("rules") or ():
        decoded = _decode(node, context)
        if decoded is None:
            continue
        rule, options = decoded
        takes, rejects = _cost(options, context.reporter) if options is not None else (None, False)
        found.append(TaskRule(rule, takes, rejects))
    return tuple(found)


def decode_rule_case(fields: Fields, context: Context, module: str | None) -> Rule | None:
    """Return the rule of a case; without `modules` it is about the question's module."""
    for name in fields.present(*fields.table.names):
        if name not in RULE_GOES_WITH:
            message = f"`{name}` does not go with `rule`"
            context.reporter.report(
                fields.key_span(name), message, "a rule looks at the source and runs nothing"
            )
    node = fields.node("rule")
    decoded = _decode(node, context) if node is not None else None
    if decoded is None:
        return None
    rule, options = decoded
    for name in options.present("penalty", "of", "reject", "hint") if options is not None else ():
        message = f"`{name}` has no effect on a rule with a mark of its own"
        hint = "write `hint` beside `rule`" if name == "hint" else "the question's marks say what it is worth"
        context.reporter.report(options.key_span(name), message, hint)  # type: ignore[union-attr]
    if (options is None or not options.has("modules")) and module is not None:
        rule = replace(rule, modules=(module,))
    return rule


def _decode(node: Node, context: Context) -> tuple[Rule, Fields | None] | None:
    """Return a rule with what else is said of it; None where it was reported."""
    reporter = context.reporter
    if isinstance(node, Scalar) and node.text in list(RuleKind):
        # Without anything that it must be told.
        kind = RuleKind(node.text)
        missing = [field.name for field in RULE_OPTIONS[kind].fields if field.required]
        if missing:
            reporter.report(
                node.span, f"`{missing[0]}` is missing in `{kind}`", f"write {kind}: {{{missing[0]}: …}}"
            )
            return None
        return _rule(kind, None, context)
    if isinstance(node, Scalar):
        message = f"`{shown(node.text)}` is no kind of rule"
        reporter.report(node.span, message, reporter.nearest_or_all(node.text, list(RuleKind)))
        return None
    fields = open_fields(node, RULE, reporter)
    if fields is None:
        return None
    kinds = fields.present(*RULE.names)
    if len(kinds) != 1:
        if kinds or not (isinstance(node, Mapping) and node.pairs):
            reporter.report(fields.place, "a rule is one kind, such as {no recursion: {penalty: 10%}}")
        return None
    kind = RuleKind(kinds[0])
    inner = fields.node(kind.value)
    if inner is None:
        return None
    options = open_fields(inner, RULE_OPTIONS[kind], reporter)
    return _rule(kind, options, context) if options is not None else None


def _rule(kind: RuleKind, options: Fields | None, context: Context) -> tuple[Rule, Fields | None] | None:
    every = tuple(name for name, _ in context.modules)
    rule = Rule(kind=kind, text=kind.value, modules=every)
    if options is None:
        return _completed(rule), None
    rule = replace(
        rule,
        modules=_modules(options, context) or every,
        hint=options.text("hint") or "",
    )
    match kind:
        case RuleKind.NO_RECURSION:
            rule = replace(rule, strict=options.boolean("strict") or False)
        case RuleKind.FORBIDDEN_IMPORTS | RuleKind.ALLOWED_IMPORTS:
            rule = replace(rule, names=_texts(options, "names", _IMPORT, "the name of a module", context))
        case RuleKind.FORBIDDEN_NAMES:
            rule = replace(rule, names=_texts(options, "names", _NAME, "eval, os.system or .sort", context))
        case RuleKind.HEADER:
            rule = replace(rule, fields=_header(options, context.reporter))
        case RuleKind.FORBIDDEN_CONSTRUCTS | RuleKind.REQUIRED_CONSTRUCTS:
            rule = _constructs(rule, options, context)
        case RuleKind.LINTER:
            rule = replace(
                rule,
                select=_texts(options, "select", _SELECTOR, "a rule of the linter such as E501", context),
                ignore=_texts(options, "ignore", _SELECTOR, "a rule of the linter such as E501", context),
                line_length=_line_length(options),
            )
    return _completed(rule), options


def _completed(rule: Rule) -> Rule:
    """Return the rule with its text, and with the linter's rules where none were chosen."""
    if rule.kind is RuleKind.LINTER and not rule.select:
        rule = replace(rule, select=LINTER_DEFAULT)
    details: Iterable[str] = {
        RuleKind.HEADER: tuple(name for name, _ in rule.fields),
        RuleKind.LINTER: rule.select,
    }.get(rule.kind, (*rule.names, *rule.constructs, *rule.patterns))
    where = f" in {', '.join(rule.functions)}" if rule.functions else ""
    listed = ", ".join(details)
    return replace(rule, text=f"{rule.kind}: {listed}{where}" if listed else rule.kind.value)


def _modules(options: Fields, context: Context) -> tuple[str, ...]:
    known = [name for name, _ in context.modules]
    found = []
    for scalar in options.names("modules"):
        if scalar.text in known or not known:
            found.append(scalar.text)
        else:
            message = f"`{shown(scalar.text)}` is not among the task's `modules`"
            context.reporter.report(scalar.span, message, context.reporter.nearest_or_all(scalar.text, known))
    return tuple(dict.fromkeys(found))


def _texts(
    options: Fields, key: str, pattern: re.Pattern[str], expected: str, context: Context
) -> tuple[str, ...]:
    found = []
    for scalar in options.names(key):
        if pattern.fullmatch(scalar.text):
            found.append(scalar.text)
        else:
            context.reporter.report(scalar.span, f"`{key}` takes {expected}, not `{shown(scalar.text)}`")
    if options.has(key) and not found and not context.reporter.found_any:
        options.report(key, f"`{key}` is empty")
    return tuple(dict.fromkeys(found))


def _header(options: Fields, reporter: Reporter) -> tuple[tuple[str, str], ...]:
    node = options.mapping("fields")
    found = []
    for key, value in node.pairs if node is not None else ():
        if not isinstance(value, Scalar):
            if not isinstance(value, Broken):
                reporter.report(value.span, f"a header's field has a pattern, not {kind_of(value)}")
            continue
        fault = _pattern_fault(value.text)
        if fault:
            reporter.report(value.span, f"this is no regular expression: {fault}")
        elif CONTROL.search(key.text) or not key.text.strip():
            reporter.report(key.span, "a header's field has a name")
        else:
            found.append((key.text, value.text))
    if node is not None and not node.pairs:
        options.report("fields", "`fields` names no field", "such as {name: 'Name: .+'}")
    return tuple(found)


def _pattern_fault(text: str) -> str:
    if len(text) > _LONGEST_PATTERN:
        return f"it has more than {_LONGEST_PATTERN} characters"
    try:
        re.compile(text, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        return str(error)
    return ""


def _constructs(rule: Rule, options: Fields, context: Context) -> Rule:
    if not options.present("constructs", "patterns"):
        context.reporter.report(options.place, f"`{rule.kind}` needs one of `constructs` and `patterns`")
    if options.has("patterns") and options.has("functions"):
        message = "`functions` goes with `constructs` alone"
        context.reporter.report(
            options.key_span("functions"), message, "a pattern can name its function itself"
        )
    constructs = []
    for scalar in options.names("constructs"):
        if scalar.text in CONSTRUCTS:
            constructs.append(scalar.text)
        else:
            message = f"`{shown(scalar.text)}` is no construct that is known here"
            context.reporter.report(
                scalar.span, message, context.reporter.nearest_or_all(scalar.text, CONSTRUCTS)
            )
    patterns = []
    for scalar in options.names("patterns"):
        if not scalar.text.strip() or len(scalar.text) > _LONGEST_PATTERN or scalar.text.startswith("-"):
            context.reporter.report(scalar.span, "a pattern is a piece of Python such as $X.sort($$$)")
        else:
            patterns.append(scalar.text)
    functions = _texts(options, "functions", _FUNCTION, "the name of a function", context)
    return replace(rule, constructs=tuple(constructs), patterns=tuple(patterns), functions=functions)


def _line_length(options: Fields) -> int:
    value = options.quantity("line length", integer)
    if value is None:
        return 0
    if value not in _LINE_LENGTHS:
        options.report(
            "line length", f"`line length` must lie between {_LINE_LENGTHS[0]} and {_LINE_LENGTHS[-1]}"
        )
    return value


def _cost(options: Fields, reporter: Reporter) -> tuple[Deduction | None, bool]:
    """Return what breaking a rule takes, and whether it rejects."""
    rejects = options.boolean("reject") or False
    if rejects and options.has("penalty"):
        message = "`penalty` has no effect on a rule that rejects"
        reporter.report(options.key_span("penalty"), message)
    if options.has("of") and not options.has("penalty"):
        reporter.report(options.key_span("of"), "`of` goes with `penalty` alone")
    return deduction(options, "penalty", options.choice("of", Of) or Of.MARK), rejects

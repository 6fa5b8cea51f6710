"""Rules on source: those of the task, and those that are cases with a mark of their own."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from grader.model.errors import SpecError
from grader.model.rule import DOCUMENTED, Rule, RuleKind, TaskRule
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.spec.decode.of_task.penalties import deduction
from grader.spec.expressions.context import Context
from grader.spec.keys.rules import LINTED, NAMED, RULE, RULE_OPTIONS
from grader.spec.keys.values import pattern_fault
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, compose
from grader.yamlfile.quantities import decimal
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import CONTROL, Source, shown
from grader.yamlfile.table import Fields, kind_of, opened
from grader.yamlfile.unusable import Unusable, if_usable

LINTER_DEFAULT = ("E4", "E7", "E9", "F")
"""Chosen here, because the linter's own default changes with its version."""


def decode_rules(parent: Fields, context: Context) -> tuple[TaskRule, ...]:
    """Return the rules of a task; report mistakes."""
    found = []
    for node in parent["rules"]:
        decoded = if_usable(_decode, node, context)
        if decoded is None:
            continue
        rule, options = decoded
        found.append(_costing(rule, options) if options is not None else TaskRule(rule))
    return tuple(found)


def decode_rule_case(fields: Fields, context: Context, module: str | None) -> Rule:
    """Return the rule of a case; without `modules` it covers the question's module.  Raises Unusable."""
    rule, options = _decode(fields.needed("rule"), context)
    if options is not None:
        for name in options.present("penalty", "of", "reject", "hint"):
            worth = "the question's marks say what it is worth"
            hint = "write `hint` beside `rule`" if name == "hint" else worth
            options.report_key(name, f"`{name}` has no effect on a rule with a mark of its own", hint)
        rule = replace(rule, each=_share(options))
        if options.has("modules"):
            return rule
    return replace(rule, modules=(module,)) if module is not None else rule


def _decode(node: Node, context: Context, *, ours: bool = False) -> tuple[Rule, Fields | None]:
    """Return a rule and its options, if it states any.  ours: it is of our kinds.  Raises Unusable."""
    reporter = context.reporter
    if isinstance(node, Scalar) and node.text in RULE_OPTIONS and not (ours and node.text in NAMED):
        # A rule without options.
        name = node.text
        missing = [field.name for field in RULE_OPTIONS[name].keys if field.required]
        if missing:
            reporter.report(
                node.span, f"`{missing[0]}` is missing in `{name}`", f"write {name}: {{{missing[0]}: …}}"
            )
            raise Unusable
        return _rule(name, None, context)
    if isinstance(node, Scalar):
        message = f"`{shown(node.text)}` is no kind of rule"
        reporter.report(
            node.span, message, reporter.nearest_or_all(node.text, RuleKind if ours else RULE_OPTIONS)
        )
        raise Unusable
    fields = opened(node, RULE, reporter)
    kinds = fields.present(*RULE.names)
    if len(kinds) != 1:
        if kinds or not (isinstance(node, Mapping) and node.pairs):
            reporter.report(fields.place, "a rule is one kind, such as {no recursion: {penalty: 10%}}")
        raise Unusable
    if ours and kinds[0] in NAMED:
        reporter.report(fields.place, "a rule of a plugin's is one of the grader's own kinds")
        raise Unusable
    return _rule(kinds[0], fields.needed(kinds[0]), context)


def _named(name: str, options: Fields | None, context: Context) -> tuple[Rule, Fields | None]:
    """Return a rule of a plugin's, read in the words of a spec; its mistakes are reported in its own text."""
    entry = registry().entries(Group.RULES)[name]
    reporter = context.reporter.beside(Source(f"plugin {entry.plugin}, rule `{name}`", NAMED[name].rule))
    node = compose(reporter)
    if node is None:
        raise Unusable
    rule, own = _decode(node, replace(context, reporter=reporter), ours=True)
    if own is not None and own.has("modules"):
        own.report_key("modules", "a rule of a plugin's knows no module of a task")
    rule = replace(rule, text=name)
    return (rule, None) if options is None else (_about(rule, options, context), options)


def broken_rules() -> dict[str, str]:
    """Return the rules of plugins that say nothing which a spec could say, each with its first mistake."""
    found = {}
    for name in NAMED:
        reporter = Reporter(Source("", name))
        context = Context(reporter=reporter)
        if_usable(_named, name, None, context)
        try:
            reporter.raise_if_any()
        except SpecError as error:
            found[name] = error.faults[0].message
    return found


def _about(rule: Rule, options: Fields, context: Context) -> Rule:
    """Return a rule about the modules that its options name, with their hint."""
    every = rule.modules
    stated = [s.text for s in options["modules"] if not every or context.is_module(s.text, s.span)]
    hint = options["hint"] or rule.hint
    return replace(rule, modules=tuple(dict.fromkeys(stated)) or every, hint=hint)


def _rule(name: str, options: Fields | None, context: Context) -> tuple[Rule, Fields | None]:
    if name in NAMED:
        return _named(name, options, context)
    kind = RuleKind(name)
    every = tuple(module for module, _ in context.modules)
    rule = Rule(kind=kind, text=kind.value, modules=every)
    if options is None:
        return _completed(rule), None
    rule = _about(rule, options, context)
    match kind:
        case RuleKind.NO_RECURSION:
            rule = replace(rule, strict=options["strict"])
        case RuleKind.FORBIDDEN_IMPORTS | RuleKind.ALLOWED_IMPORTS | RuleKind.FORBIDDEN_NAMES:
            rule = replace(rule, names=options["names"])
        case RuleKind.HEADER:
            rule = replace(rule, fields=_header(options))
        case RuleKind.FORBIDDEN_CONSTRUCTS | RuleKind.REQUIRED_CONSTRUCTS:
            rule = _constructs(rule, options)
        case RuleKind.REQUIRED_RECURSION | RuleKind.TYPE_HINTS:
            rule = replace(rule, functions=options["functions"])
        case RuleKind.DOCSTRINGS:
            rule = replace(rule, documented=options["for"], functions=options["functions"])
        case RuleKind.LINTER:
            select, ignore, weights = options["select"], options["ignore"], _weights(options)
            rule = replace(rule, select=select, ignore=ignore, line_length=options["line length"])
            rule = replace(rule, weights=weights)
    return _completed(rule), options


def _completed(rule: Rule) -> Rule:
    """Return the rule with its text, and with the default rules for a linter without any."""
    if rule.kind is RuleKind.LINTER and not rule.select:
        rule = replace(rule, select=LINTER_DEFAULT)
    if rule.kind is RuleKind.DOCSTRINGS and not rule.documented:
        rule = replace(rule, documented=DOCUMENTED)
    details: Iterable[str] = {
        RuleKind.HEADER: tuple(name for name, _ in rule.fields),
        RuleKind.LINTER: rule.select,
        RuleKind.DOCSTRINGS: rule.documented if rule.documented != DOCUMENTED else (),
    }.get(rule.kind, (*rule.names, *rule.constructs, *rule.patterns))
    where = f" in {', '.join(rule.functions)}" if rule.functions else ""
    listed = ", ".join(details)
    return replace(rule, text=f"{rule.kind}: {listed}{where}" if listed else f"{rule.kind}{where}")


def _header(options: Fields) -> tuple[tuple[str, str], ...]:
    node: Mapping | None = options["fields"]
    reporter, found = options.reporter, []
    for key, value in node.pairs if node is not None else ():
        if not isinstance(value, Scalar):
            if not isinstance(value, Broken):
                reporter.report(value.span, f"a header's field has a pattern, not {kind_of(value)}")
            continue
        fault = pattern_fault(value.text)
        if fault:
            reporter.report(value.span, f"this is no regular expression: {fault}")
        elif CONTROL.search(key.text) or not key.text.strip():
            reporter.report(key.span, "a header's field has a name")
        else:
            found.append((key.text, value.text))
    if node is not None and not node.pairs:
        options.report("fields", "`fields` names no field", "such as {name: 'Name: .+'}")
    return tuple(found)


def _constructs(rule: Rule, options: Fields) -> Rule:
    if not options.present("constructs", "patterns"):
        options.reporter.report(options.place, f"`{rule.kind}` needs one of `constructs` and `patterns`")
    if options.has("patterns") and options.has("functions"):
        message = "`functions` goes with `constructs` alone"
        options.report_key("functions", message, "a pattern can name its function itself")
    return replace(
        rule,
        constructs=options["constructs"],
        patterns=options["patterns"],
        functions=options["functions"],
    )


def _weights(options: Fields) -> tuple[tuple[str, Fraction], ...]:
    node: Mapping | None = options["weights"]
    reporter, found = options.reporter, []
    for key, value in node.pairs if node is not None else ():
        weight = decimal(value.text) if isinstance(value, Scalar) else None
        if LINTED.fullmatch(key.text) is None:
            reporter.report(
                key.span, f"`weights` takes codes of the linter such as E501, not `{shown(key.text)}`"
            )
        elif weight is None:
            if not isinstance(value, Broken):
                reporter.report(value.span, "a weight is a number, from 0")
        else:
            found.append((key.text, weight))
    if node is not None and not options.has("each"):
        message = "`weights` has no effect without `each`"
        options.report_key("weights", message, "`each` says what one finding costs")
    return tuple(found)


def _share(options: Fields) -> Fraction | None:
    """Return what a finding takes of the score of a case."""
    read: tuple[Fraction, bool] | None = options["each"]
    if read is not None and not read[1]:
        options.report("each", "`each` of a case is a percentage of its marks", "such as 20%")
    return read[0] if read is not None else None


def _costing(rule: Rule, options: Fields) -> TaskRule:
    """Return a rule of the task with what breaking it costs."""
    if options["reject"]:
        for name in options.present("penalty", "each"):
            options.report_key(name, f"`{name}` has no effect on a rule that rejects")
    for name in options.present("of", "each") if not options.has("penalty") else ():
        hint = "`penalty` is the most that all findings take" if name == "each" else ""
        if not (name == "each" and options["reject"]):
            options.report_key(name, f"`{name}` goes with `penalty` alone", hint)
    takes, each = (deduction(options, name, options["of"]) for name in ("penalty", "each"))
    if takes is not None and each is not None and takes.of is not each.of:
        options.report("each", "`each` and `penalty` are both percentages, or both marks")
    return TaskRule(rule, takes, each, options["reject"])

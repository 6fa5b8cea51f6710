"""A rule on source as keys of the spec."""

from fractions import Fraction

from grader.marking.rounding import format_mark
from grader.model.rule import Rule


def rule_keys(rule: Rule, *, with_hint: bool) -> dict[str, dict[str, object]]:
    """Return a rule with its options."""
    options: dict[str, object] = {"modules": list(rule.modules)}
    for key, stated in (
        ("names", list(rule.names)),
        ("fields", dict(rule.fields)),
        ("constructs", list(rule.constructs)),
        ("patterns", list(rule.patterns)),
        ("functions", list(rule.functions)),
        ("for", list(rule.documented)),
        ("select", list(rule.select)),
        ("ignore", list(rule.ignore)),
        ("line length", rule.line_length),
        ("weights", {code: number(weight) for code, weight in rule.weights} if rule.each else {}),
        ("each", f"{number(rule.each * 100)}%" if rule.each is not None else ""),
        ("strict", rule.strict),
        ("hint", rule.hint if with_hint else ""),
    ):
        if stated:
            options[key] = stated
    return {rule.kind.value: options}


def number(marks: Fraction) -> int | float | str:
    """Return a number as YAML takes it, exactly."""
    if marks.denominator == 1:
        return marks.numerator
    return float(marks) if Fraction(str(float(marks))) == marks else format_mark(marks)

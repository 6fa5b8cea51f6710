"""Rules on source as pages and terminal show them: each kept or broken, with file, line and excerpt."""

from collections.abc import Sequence
from typing import NamedTuple

from grader.model.results import RuleEffect, RuleFinding, RuleResult, SubmissionResult
from grader.reports.tone import Tone
from grader.reports.views.case.source import NO_LINES, Lines
from grader.reports.views.wording import TONE_SYMBOLS
from grader.reports.words import English, say, word

_MESSAGE_LIMIT = 600
_EXCERPT_LIMIT = 160
_NAME_LIMIT = 200
_SHOWN = 20

_EFFECTS = {
    RuleEffect.TOLD: word("This costs nothing."),
    RuleEffect.PENALTY: word("This costs marks, see how the mark comes about."),
    RuleEffect.REJECTED: word("A submission that breaks this rule is not marked."),
}


class FindingView(NamedTuple):
    """One place where a rule is broken; anchor: of the line on the page, empty where it is not shown."""

    place: str
    message: str
    excerpt: str
    anchor: str


class FindingsView(NamedTuple):
    """The places where a rule is broken; more: the number of places that are not shown."""

    found: tuple[FindingView, ...]
    more: int


class RuleView(NamedTuple):
    """One rule of the task.  effect: the cost of breaking it; empty for a rule that is kept."""

    rule: str
    word: str
    symbol: str
    tone: Tone
    effect: str
    note: str
    hint: str
    findings: FindingsView


def findings_view(findings: Sequence[RuleFinding], lines: Lines = NO_LINES) -> FindingsView:
    """Return the view of the places where a rule is broken.  lines: that the page shows."""
    shown = tuple(
        FindingView(
            _place(found),
            English(found.message[:_MESSAGE_LIMIT]),
            found.excerpt[:_EXCERPT_LIMIT],
            lines.anchor(found),
        )
        for found in findings[:_SHOWN]
    )
    return FindingsView(shown, len(findings) - len(shown))


def _place(found: RuleFinding) -> str:
    file = found.file[:_NAME_LIMIT]
    return say("{file}, line {line}", file=file, line=found.line) if found.line else file


def rules_view(submission: SubmissionResult, lines: Lines = NO_LINES) -> tuple[RuleView, ...]:
    """Return the rules of the task in its order; none if it has none.  lines: that the page shows."""
    return tuple(_rule_view(rule, lines) for rule in submission.rules)


def _rule_view(rule: RuleResult, lines: Lines) -> RuleView:
    if rule.broken:
        told, tone = say("broken"), Tone.PART if rule.effect == RuleEffect.TOLD else Tone.BAD
    elif rule.note:
        told, tone = say("not checked everywhere"), Tone.IDLE
    else:
        told, tone = say("kept"), Tone.GOOD
    return RuleView(
        rule=English(rule.rule),
        word=told,
        symbol=TONE_SYMBOLS[tone],
        tone=tone,
        effect=say(_EFFECTS.get(rule.effect, "")) if rule.broken else "",
        note=English(rule.note[:_MESSAGE_LIMIT]),
        hint=rule.hint if rule.broken else "",
        findings=findings_view(rule.findings, lines),
    )

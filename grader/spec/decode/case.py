"""One case of a question, from its mapping to the model.

What reads the kinds of cases that most specs do not have is imported where a spec has one: a student
waits for each module.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.model.case import Case, Pace, Visibility
from grader.spec.decode.calls import decode_attempt, subject
from grader.spec.decode.drafts import CaseDraft
from grader.spec.decode.expectations import decode_expectation, decode_optional_expectation
from grader.spec.decode.limits import InheritedLimits, decode_limits
from grader.spec.decode.pace import check_pace, check_timed, decode_pace
from grader.spec.decode.record_use import check_classes
from grader.spec.decode.text import decode_text
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import CASE_NAME, CASE_NAME_EXPECTED, QUESTION_ID, QUESTION_ID_EXPECTED
from grader.spec.keys import CASE, PROGRAM_ONLY
from grader.yamlfile.nodes import Node
from grader.yamlfile.table import Fields, open_fields

if TYPE_CHECKING:
    from grader.model.case import Rendering
    from grader.spec.decode.callbacks import Callback


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a case takes from its question and its task.

    question: the question's id, empty where it can't be told; module: None likewise.
    budget_s: CPU seconds for a whole submission; None where the spec does not state them.
    pace: what times are worth, where the question says so.
    picture: how answers are drawn, where the question says so.
    """

    question: str
    module: str | None
    visibility: Visibility
    limits: InheritedLimits
    budget_s: Fraction | None
    pace: Pace | None = None
    picture: "Rendering | None" = None


def decode_case(context: Context, node: Node, number: int, inherited: Inherited) -> CaseDraft | None:
    """Return a draft of the case with this number in its question; None where it is no mapping."""
    fields = open_fields(node, CASE, context.reporter)
    if fields is None:
        return None
    name = fields.matching("name", CASE_NAME, CASE_NAME_EXPECTED)
    case_id = f"{inherited.question}.{name or number}" if inherited.question else ""
    if name is None and fields.has("name"):
        case_id = ""
    group = fields.matching("group", QUESTION_ID, QUESTION_ID_EXPECTED)
    case = _case(context, fields, _common(context, fields, case_id, group or "", inherited), inherited)
    if fields.has("picture") or inherited.picture is not None:
        case = _drawn(context, fields, case, inherited)
    return CaseDraft(
        id=case_id,
        span=fields.span("name"),
        needs=tuple((scalar.text, scalar.span) for scalar in fields.names("needs")),
        group=group if group is not None else ("" if fields.has("group") else None),
        group_span=fields.key_span("group"),
        case=case,
    )


def _drawn(context: Context, fields: Fields, case: Case | None, inherited: Inherited) -> Case | None:
    """Return the case with how its answer is drawn."""
    from grader.spec.decode.pictures import decode_picture, is_drawn

    picture = decode_picture(fields, context) if fields.has("picture") else inherited.picture
    if case is None or picture is None or not is_drawn(case, fields, context):
        return case
    return replace(case, picture=picture)


def _common(context: Context, fields: Fields, case_id: str, group: str, inherited: Inherited) -> Case:
    """Return a case with what all kinds of cases have, and nothing to run yet."""
    limits = inherited.limits if fields.has("rule") else _limits(context, fields, inherited)
    return Case(
        id=case_id,
        text="",
        calls=(),
        expect=None,
        weight=fields.positive("weight") or Fraction(1),
        group=group,
        hint=fields.text("hint") or "",
        visibility=fields.choice("visibility", Visibility) or inherited.visibility,
        limits=limits.limits,
    )


def _case(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Case | None:
    if fields.has("pace") or inherited.pace is not None:
        check_timed(fields, context.reporter)
    if fields.has("rule"):
        return _rule(context, fields, common, inherited)
    if fields.has("program"):
        return _program(context, fields, common)
    for name in fields.present(*PROGRAM_ONLY):
        message = f"`{name}` goes with `program` alone"
        context.reporter.report(fields.key_span(name), message, "`program` names the module to run")
    if fields.has("scenario"):
        return _scenario(context, fields, common, inherited)
    if fields.has("goes on"):
        context.reporter.report(fields.key_span("goes on"), "`goes on` goes with `scenario` alone")
    return _calls(context, fields, common, inherited)


def _rule(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Case | None:
    from grader.spec.decode.rules import decode_rule_case

    rule = decode_rule_case(fields, context, inherited.module)
    return None if rule is None else replace(common, text=rule.text, rule=rule)


def _program(context: Context, fields: Fields, common: Case) -> Case | None:
    from grader.spec.decode.program import decode_program

    run = decode_program(fields, context)
    if run is None:
        return None
    return replace(common, text=run.text, expect=run.produces, program=run.program, check=run.check)


def _scenario(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Case | None:
    from grader.spec.decode.scenario import decode_scenario

    scenario = decode_scenario(fields, context, context.reference.get(inherited.module or ""))
    goes_on = fields.boolean("goes on") or False
    unchanged = fields.boolean("unchanged") or False
    if scenario is None:
        return None
    return replace(
        common,
        text=scenario.text,
        calls=scenario.calls,
        steps=scenario.steps,
        goes_on=goes_on,
        unchanged=unchanged,
    )


def _calls(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Case | None:
    definitions = context.reference.get(inherited.module or "")
    key = subject(fields, context)
    callbacks = _callbacks(context, fields, key)
    attempt = decode_attempt(fields, key, context, callbacks, definitions) if key is not None else None
    prints = decode_text(fields, "prints", context)
    if fields.has("prints"):
        _check_prints(context, fields, key)
        reported, expect = decode_optional_expectation(fields, attempt, context, definitions)
        reported = reported or prints is None
    else:
        expect = decode_expectation(fields, attempt, context, definitions)
        reported = expect is None
    unchanged = fields.boolean("unchanged") or False
    pace = decode_pace(fields, context, inherited.module) if fields.has("pace") else inherited.pace
    if pace is not None:
        check_pace(pace, fields, attempt, expect, context)
    if attempt is None or reported:
        return None
    if context.types and expect is not None:
        check_classes(attempt, expect, definitions, fields.key_span(key or ""), context)
    return replace(
        common,
        text=attempt.text,
        calls=attempt.calls,
        combine=attempt.combine,
        expect=expect,
        prints=prints,
        watch=tuple((name, c.calls) for name, c in callbacks.items() if c.calls is not None),
        unchanged=unchanged,
        pace=pace,
    )


def _check_prints(context: Context, fields: Fields, key: str | None) -> None:
    """Report `prints` where it is not clear which of many calls it is said of."""
    if key is not None and key != "call":
        message = f"`prints` does not go with `{key}`"
        context.reporter.report(fields.key_span("prints"), message, "write a case with `call` for each call")


def _callbacks(context: Context, fields: Fields, key: str | None) -> "dict[str, Callback]":
    """Return the watched callbacks; they go with a single call, whose record is then clear."""
    if not fields.has("watch"):
        return {}
    from grader.spec.decode.callbacks import decode_watch

    if key is not None and key != "call":
        message = f"`watch` does not go with `{key}`"
        context.reporter.report(fields.key_span("watch"), message, "write a case with `call` for each call")
    return decode_watch(fields, context)


def _limits(context: Context, fields: Fields, inherited: Inherited) -> InheritedLimits:
    limits = decode_limits(fields, inherited.limits, context.reporter)
    if inherited.budget_s is not None and limits.limits.time_s > inherited.budget_s:
        message = (
            f"the time limit of {limits.limits.time_s:g} s can't be reached: "
            f"the budget of a submission is {float(inherited.budget_s):g} s"
        )
        place = fields.span("limits") if fields.has("limits") else fields.place
        context.reporter.report(place, message, "raise `budget` or lower `time`")
    return limits

"""One case of a question, from its mapping to the model."""

from dataclasses import dataclass, replace
from fractions import Fraction

from grader.model.case import Case, Expectation, Pace, Rendering, Visibility
from grader.spec.decode.answers.expectations import (
    check_classes,
    decode_expectation,
    decode_optional_expectation,
    decode_text,
)
from grader.spec.decode.answers.files import decode_folder
from grader.spec.decode.answers.pictures import decode_picture, is_drawn
from grader.spec.decode.answers.plots import decode_plot, decode_plots_of_import
from grader.spec.decode.calling.arguments import Callback, decode_watch
from grader.spec.decode.calling.calls import decode_calls
from grader.spec.decode.cases.given import decode_given
from grader.spec.decode.cases.grow import decode_grow
from grader.spec.decode.cases.harness import ReadHarness, decode_harness, known_with
from grader.spec.decode.cases.pace import check_pace, check_timed, decode_pace
from grader.spec.decode.cases.program import decode_program
from grader.spec.decode.cases.scenario import decode_scenario
from grader.spec.decode.cases.test_file import decode_student_tests, decode_tests
from grader.spec.decode.drafts import CaseDraft
from grader.spec.decode.of_task.limits import InheritedLimits, decode_limits
from grader.spec.decode.of_task.rules import decode_rule_case
from grader.spec.expressions.context import Context
from grader.spec.keys.case import (
    CALLING,
    CASE,
    CASE_KINDS,
    OF_FOLDER,
    OF_GIVEN,
    OF_GROW,
    ONLY_WITH,
)
from grader.spec.places import CasePlaces
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.nodes import Mapping, Sequence
from grader.yamlfile.source import Span
from grader.yamlfile.table import Fields

_EXPECTING = ("returns", "raises", "check", "prints", "stdout", "stderr", "exit", "leaves", "plot")
_ACTIONS = ("new", "call", "read")


@dataclass(frozen=True, slots=True)
class Inherited:
    """The values that a case inherits from its question and its task.

    question: the question's id; empty if it was reported.  module: None if it was reported.
    budget_s: CPU seconds for a whole submission; None where the spec does not state them.
    pace: the question's pace, if it states one.
    picture: the question's picture, if it states one.
    harness: the question's harness, if it states one.
    """

    question: str
    module: str | None
    visibility: Visibility
    limits: InheritedLimits
    budget_s: Fraction | None
    pace: Pace | None = None
    picture: Rendering | None = None
    harness: ReadHarness | None = None


def decode_cases(context: Context, fields: Fields, number: int, inherited: Inherited) -> list[CaseDraft]:
    """Return drafts of the case with this number in its question: several for a test file."""
    name, group = fields["name"], fields["group"]
    case_id = f"{inherited.question}.{name or fields['number'] or number}" if inherited.question else ""
    if fields.has("name") and fields.has("number"):
        fields.report_key("number", "a case has either a `name` or a `number`")
    if name is None and fields.has("name"):
        case_id = ""
    common = _common(context, fields, case_id, group or "", inherited)
    case = _case(context, fields, common, inherited)
    if fields.has("picture") or inherited.picture is not None:
        case = _drawn(context, fields, case, inherited)
    draft = CaseDraft(
        id=case_id,
        span=fields.span("name"),
        needs=tuple((scalar.text, scalar.span) for scalar in fields["needs"]),
        group=group if group is not None else ("" if fields.has("group") else None),
        group_span=fields.key_span("group"),
        case=case,
        places=_places(fields),
    )
    return decode_tests(context, fields, draft, common) if fields.has("pytest") else [draft]


def _places(fields: Fields) -> CasePlaces:
    kind = next(iter(fields.present(*CASE_KINDS)), "")
    whole = fields.span(kind)
    expecting = next(iter(fields.present(*_EXPECTING)), kind)
    return CasePlaces(fields.reporter.source, whole, fields.span(expecting), _steps(fields))


def _steps(fields: Fields) -> tuple[Span, ...]:
    """Return the place of the call in each step of a scenario."""
    node = fields.node("scenario") if fields.has("scenario") else None
    steps = node.items if isinstance(node, Sequence) else ()
    return tuple(
        next((value.span for key, value in step.pairs if key.text in _ACTIONS), step.span)
        if isinstance(step, Mapping)
        else step.span
        for step in steps
    )


def _drawn(context: Context, fields: Fields, case: Case | None, inherited: Inherited) -> Case | None:
    """Return the case with its picture."""
    picture = decode_picture(fields, context) if fields.has("picture") else inherited.picture
    if case is None or picture is None or not is_drawn(case, fields):
        return case
    return replace(case, picture=picture)


def _common(context: Context, fields: Fields, case_id: str, group: str, inherited: Inherited) -> Case:
    """Return a case with the values that every kind of case has."""
    limits = inherited.limits if fields.has("rule") else _limits(fields, inherited)
    return Case(
        id=case_id,
        text="",
        calls=(),
        expect=None,
        weight=fields["weight"],
        group=group,
        title=fields["title"],
        hint=fields["hint"],
        visibility=fields["visibility"] or inherited.visibility,
        limits=limits.limits,
        seed=fields["seed"],
    )


def _case(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Case | None:
    """Return the case with the values of its kind; None if a part was reported."""
    if fields.has("pace") or inherited.pace is not None:
        check_timed(fields)
    kind = next(iter(fields.present(*CASE_KINDS)), None)
    _check_keys(fields, kind)
    match kind:
        case "rule":
            rule = decode_rule_case(fields, context, inherited.module)
            return None if rule is None else replace(common, text=rule.text, rule=rule)
        case "pytest":
            return None
        case "student tests":
            return decode_student_tests(context, fields, common)
        case "program":
            return decode_program(fields, common, context)
        case "plot":
            return decode_plots_of_import(fields, common, context, inherited.module)
    harness = decode_harness(fields, context) if fields.has("harness") else inherited.harness
    definitions = known_with(harness, context.reference.get(inherited.module or ""))
    common = replace(common, harness=harness.harness if harness is not None else None)
    case = (
        decode_scenario(fields, common, context, definitions)
        if kind == "scenario"
        else _calls(context, fields, kind, common, inherited, definitions)
    )
    if not fields.present(*OF_FOLDER):
        return case
    folder = decode_folder(fields, context)
    return replace(case, folder=folder) if case is not None and folder is not None else None


def _check_keys(fields: Fields, kind: str | None) -> None:
    """Report keys that do not go with the kind of a case, by the data in `grader.spec.keys.case`."""
    if kind is None and fields.meant.isdisjoint(CASE_KINDS):
        *kinds, last = (f"`{name}`" for name in sorted(CASE_KINDS, key=CASE.names.index))
        message = f"a case needs one of {', '.join(kinds)} and {last}"
        fields.reporter.report(fields.place, message)
    for key in fields.present(*fields.table.names):
        if (key in OF_GIVEN and fields.present("given", "grow")) or (key in OF_GROW and fields.has("grow")):
            continue
        if kind in (None, *CALLING) and key in ONLY_WITH:
            other, hint = ONLY_WITH[key]
            fields.report_key(key, f"`{key}` goes with `{other}` alone", hint)
        elif kind is None or key == kind or key in CASE_KINDS[kind].goes_with:
            continue
        elif kind in CALLING and key in CALLING:
            fields.report_key(key, f"a case can't have both `{kind}` and `{key}`")
        else:
            hint = CASE_KINDS[kind].hints.get(key, "")
            fields.report_key(key, f"`{key}` does not go with `{kind}`", hint)


def _calls(
    context: Context,
    fields: Fields,
    kind: str | None,
    common: Case,
    inherited: Inherited,
    definitions: Definitions | None,
) -> Case | None:
    if fields.has("grow") and kind in ("call", None):
        return decode_grow(fields, common, context, definitions)
    if fields.has("given") and kind in ("call", None):
        return decode_given(fields, common, context, definitions)
    callbacks: dict[str, Callback] = decode_watch(fields, context) if fields.has("watch") else {}
    calls = decode_calls(fields, kind, context, callbacks, definitions) if kind is not None else None
    prints = decode_text(fields, "prints", context)
    plot = decode_plot(fields, context) if fields.has("plot") else None
    expect: Expectation | None = None
    if fields.has("plot"):
        reported = plot is None or (fields.has("prints") and prints is None)
    elif fields.present("prints", "leaves"):
        reported, expect = decode_optional_expectation(fields, calls, context, definitions)
        reported = reported or (prints is None and fields.has("prints"))
    else:
        expect = decode_expectation(fields, calls, context, definitions)
        reported = expect is None
    unchanged = fields["unchanged"]
    pace = decode_pace(fields, context, inherited.module) if fields.has("pace") else inherited.pace
    if pace is not None:
        check_pace(pace, fields, calls, expect, context)
        if common.harness is not None and (pace.module or pace.function):
            fields.report("pace", "`against` does not go with a harness, which imports the question's module")
    if calls is None or reported:
        return None
    if context.types and expect is not None:
        check_classes(calls, expect, definitions, fields.key_span(kind or ""), context)
    return replace(
        common,
        text=calls.text,
        calls=calls.calls,
        combine=calls.combine,
        expect=expect,
        prints=prints,
        plot=plot,
        watch=tuple((name, c.calls) for name, c in callbacks.items() if c.calls is not None),
        unchanged=unchanged,
        pace=pace,
    )


def _limits(fields: Fields, inherited: Inherited) -> InheritedLimits:
    limits = decode_limits(fields, inherited.limits)
    if inherited.budget_s is not None and limits.limits.time_s > inherited.budget_s:
        message = (
            f"the time limit of {limits.limits.time_s:g} s can't be reached: "
            f"the budget of a submission is {float(inherited.budget_s):g} s"
        )
        fields.report("limits", message, "raise `budget` or lower `time`")
    return limits

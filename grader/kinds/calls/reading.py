"""Reads a case that makes calls from its mapping in the spec."""

from dataclasses import replace

from grader.kinds.calls.read_given import decode_given
from grader.kinds.calls.read_grow import decode_grow
from grader.kinds.calls.read_scenario import decode_scenario
from grader.model.case import Calls, Case, Expectation, Harness, Step
from grader.model.kinds import calls_of
from grader.spec.decode.answers.expectations import (
    check_classes,
    decode_expectation,
    decode_optional_expectation,
    decode_text,
)
from grader.spec.decode.answers.files import decode_folder
from grader.spec.decode.answers.plots import decode_plot, decode_plots_of_import
from grader.spec.decode.calling.arguments import Callback, decode_watch
from grader.spec.decode.calling.calls import decode_calls
from grader.spec.decode.cases.harness import decode_harness, known_with
from grader.spec.decode.cases.pace import check_pace, decode_pace
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.spec.keys.answers import OF_FOLDER
from grader.spec.keys.case import CASE_FORMS
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.table import Fields


def read_calls(fields: Fields, common: Case, context: Context, inherited: Inherited) -> Case | None:
    """Return the case; None if a part was reported."""
    key = next(iter(fields.present(*CASE_FORMS)), None)
    if key == "plot":
        return decode_plots_of_import(fields, common, context, inherited.module)
    harness = decode_harness(fields, context) if fields.has("harness") else inherited.harness
    definitions = known_with(harness, context.reference.get(inherited.module or ""))
    own = harness.harness if harness is not None else None
    case = (
        decode_scenario(fields, common, context, definitions)
        if key == "scenario"
        else _calls(context, fields, key, common, inherited, definitions, own)
    )
    has_folder = bool(fields.present(*OF_FOLDER))
    folder = decode_folder(fields, context) if has_folder else None
    if case is None or (has_folder and folder is None):
        return None
    return replace(case, what=replace(calls_of(case), harness=own, folder=folder))


def _calls(
    context: Context,
    fields: Fields,
    kind: str | None,
    common: Case,
    inherited: Inherited,
    definitions: Definitions | None,
    harness: Harness | None,
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
        if harness is not None and (pace.module or pace.function):
            fields.report("pace", "`against` does not go with a harness, which imports the question's module")
    if calls is None or reported:
        return None
    if context.types and expect is not None:
        check_classes(calls, expect, definitions, fields.key_span(kind or ""), context)
    return replace(
        common,
        text=calls.text,
        what=Calls(
            steps=(
                (Step(calls.calls[0], expect, prints),)
                if calls.combine is None
                else tuple(map(Step, calls.calls))
            ),
            combine=calls.combine,
            expect=expect if calls.combine is not None else None,
            plot=plot,
            watch=tuple((name, c.calls) for name, c in callbacks.items() if c.calls is not None),
            unchanged=unchanged,
            pace=pace,
        ),
    )

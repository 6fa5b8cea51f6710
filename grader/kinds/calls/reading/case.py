"""Reads a case that makes calls from its mapping in the spec."""

from dataclasses import replace

from grader.kinds.calls.reading.given import decode_given
from grader.kinds.calls.reading.grow import decode_grow
from grader.kinds.calls.reading.scenario import decode_scenario
from grader.model.case import Calls, Case, Expectation, Pace, Step
from grader.model.kinds import calls_of
from grader.model.own_code import Around, Harness
from grader.spec.decode.answers.expectations import (
    check_classes,
    decode_expectation,
    decode_optional_expectation,
    decode_text,
)
from grader.spec.decode.answers.files import decode_folder
from grader.spec.decode.answers.plots import decode_plot, decode_plots_of_import
from grader.spec.decode.calling.arguments import Callback, decode_watch
from grader.spec.decode.calling.calls import CaseCalls, decode_calls
from grader.spec.decode.cases.harness import decode_harness, known_with
from grader.spec.decode.cases.pace import check_pace, decode_pace
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.spec.keys.answers import OF_FOLDER
from grader.spec.keys.case import CASE_FORMS
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting


def read_calls(fields: Fields, common: Case, context: Context, inherited: Inherited) -> Case:
    """Return the case.  Raises Unusable."""
    key = next(iter(fields.present(*CASE_FORMS)), None)
    if key == "plot":
        case = decode_plots_of_import(fields, common, context, inherited.module)
        return replace(case, what=replace(calls_of(case), around=_around(inherited)))
    harness = decode_harness(fields, context) if fields.has("harness") else inherited.harness
    definitions = context.reference.get(inherited.module or "")
    for each in (inherited.around, harness):
        definitions = known_with(each.definitions, definitions) if each is not None else definitions
    own = harness.harness if harness is not None else None
    with collecting() as take:
        if key == "scenario":
            case = take(decode_scenario, fields, common, context, definitions)
        else:
            case = take(_calls, context, fields, key, common, inherited, definitions, own)
        folder = take(decode_folder, fields, context) if fields.present(*OF_FOLDER) else None
    what = replace(calls_of(case), harness=own, around=_around(inherited), folder=folder)
    return replace(case, what=what)


def _around(inherited: Inherited) -> Around | None:
    return inherited.around.around if inherited.around is not None else None


def _calls(
    context: Context,
    fields: Fields,
    kind: str | None,
    common: Case,
    inherited: Inherited,
    definitions: Definitions | None,
    harness: Harness | None,
) -> Case:
    if fields.has("grow") and kind in ("call", None):
        return decode_grow(fields, common, context, definitions)
    if fields.has("given") and kind in ("call", None):
        return decode_given(fields, common, context, definitions)
    callbacks: dict[str, Callback] = decode_watch(fields, context) if fields.has("watch") else {}
    with collecting() as take:
        calls = take(_decode_calls, fields, kind, context, callbacks, definitions)
        prints = take(decode_text, fields, "prints", context)
        plot = take(decode_plot, fields, context) if fields.has("plot") else None
        expect: Expectation | None = None
        if fields.present("prints", "leaves") and not fields.has("plot"):
            expect = take(decode_optional_expectation, fields, calls, context, definitions)
        elif not fields.has("plot"):
            expect = take(decode_expectation, fields, calls, context, definitions)
        pace = inherited.pace
        if fields.has("pace"):
            pace = take(decode_pace, fields, context, inherited.module)
        if pace is not None:
            _check_pace(pace, fields, calls, expect, context, harness)
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
            unchanged=fields["unchanged"],
            pace=pace,
        ),
    )


def _decode_calls(
    fields: Fields,
    key: str | None,
    context: Context,
    callbacks: dict[str, Callback],
    definitions: Definitions | None,
) -> CaseCalls:
    """Return the calls of a case.  Raises Unusable, also where none is stated, which was reported."""
    if key is None:
        raise Unusable
    return decode_calls(fields, key, context, callbacks, definitions)


def _check_pace(
    pace: Pace,
    fields: Fields,
    calls: CaseCalls | None,
    expect: Expectation | None,
    context: Context,
    harness: Harness | None,
) -> None:
    check_pace(pace, fields, calls, expect, context)
    if harness is not None and (pace.module or pace.function):
        fields.report("pace", "`against` does not go with a harness, which imports the question's module")

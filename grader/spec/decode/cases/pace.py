"""The key `pace`: the worth of a right answer by its time, relative to the reference's time."""

from collections.abc import Sequence

from grader.model.case import Check, Expectation, Pace, Returns, SameAsReference
from grader.model.kinds import calls_of
from grader.model.task import Award
from grader.spec.decode.calling.calls import CaseCalls
from grader.spec.decode.drafts import CaseDraft
from grader.spec.expressions.context import Context
from grader.spec.keys.case import CALLING
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.files import define_modules
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting


def decode_pace(parent: Fields, context: Context, module: str | None) -> Pace | None:
    """Return the pace that a question or a case of `module` states; None if absent.  Raises Unusable."""
    if not parent.has("pace"):
        return None
    fields: Fields = parent.needed("pace")
    if not context.has_reference:
        message = "`pace` needs a `reference` to compare with, and the task names none"
        parent.report_key("pace", message)
    floor_s, steps, rounds = float(fields["floor"]), fields["steps"], fields["rounds"]
    with collecting() as take:
        full, none = take(fields.needed, "full"), take(fields.needed, "none")
        against = take(_against, fields, context, module) if fields.has("against") else ("", "")
    if none <= full:
        fields.report("none", f"`none` must be greater than `full`, which is {float(full):g}")
        raise Unusable
    return Pace(
        full=full,
        none=none,
        steps=steps,
        rounds=rounds,
        floor_s=floor_s,
        module=against[0],
        function=against[1],
    )


def check_timed(fields: Fields) -> None:
    """Report a case with a pace, its own or its question's, that makes no calls."""
    others = fields.present("scenario", "program", "rule")
    if others and not fields.present(*CALLING):
        key = "pace" if fields.has("pace") else others[0]
        message = f"`pace` does not go with `{others[0]}`"
        fields.report_key(key, message, "it goes with `call`, `sum`, `count` and `each`")


def check_pace(
    pace: Pace, fields: Fields, calls: CaseCalls | None, expect: Expectation | None, context: Context
) -> None:
    """Report a case whose time can't be compared with the reference's."""
    place = fields.key_span("pace")
    if fields.has("watch"):
        context.reporter.report(place, "`pace` does not go with `watch`: callbacks are answered elsewhere")
    elif expect is not None and not isinstance(expect, Returns | SameAsReference | Check):
        context.reporter.report(place, "`pace` goes with `returns` and `check` alone")
    if calls is None or not pace.module:
        return
    definitions = _definitions(context, pace.module)
    if definitions is None or not definitions.complete:
        return
    if pace.function and any(call.formula is not None for call in calls.calls):
        message = "`against` can name a function only where the case calls one, with nothing around it"
        context.reporter.report(place, message)
    wanted = [pace.function] if pace.function else [name for call in calls.calls for name in call.functions]
    for name in dict.fromkeys(wanted):
        if name.partition(".")[0] not in definitions.names:
            message = f"the reference's module `{shown(pace.module)}` has no `{shown(name)}` to compare with"
            context.reporter.report(place, message, context.reporter.nearest(name, definitions.names))


def check_award(award: Award, fields: Fields, drafts: Sequence[CaseDraft | None]) -> None:
    """Report paces that have no effect, and cases without the pace that the award needs."""
    cases = [draft.case for draft in drafts if draft is not None and draft.case is not None]
    untimed = [case.id for case in cases if calls_of(case).pace is None]
    if award is Award.BY_TIME and not fields.has("pace") and untimed:
        message = f"case `{shown(untimed[0])}` has no `pace`, and `award: by-time` goes by it"
        fields.report("award", message, "state `pace` for the question")
    if award in (Award.ALL, Award.GROUPS) and (len(untimed) < len(cases) or fields.has("pace")):
        message = f"`pace` has no effect with `award: {award}`, where a case counts whole or not at all"
        place = fields.key_span("pace") if fields.has("pace") else fields.span("award")
        fields.reporter.report(place, message, "write `award: by-time`")


def _against(fields: Fields, context: Context, module: str | None) -> tuple[str, str]:
    """Return the module and the function that `against` names, each empty for the case's own."""
    text: str = fields.needed("against")
    files = context.reference_files
    if files is None:
        raise Unusable
    first, _, function = text.partition(".")
    if f"{first}.py" in files.python:
        if not function or _has(context, first, function):
            return first, function
        known, what = _functions(context, first), f"module `{shown(first)}` of the reference has no function"
        hint = context.reporter.nearest_or_all(function, known)
        fields.report("against", f"{what} `{shown(function)}`", hint)
        raise Unusable
    if not function and module is not None and _has(context, module, first):
        return module, first
    modules = [name.removesuffix(".py") for name in files.python if "/" not in name]
    hint = context.reporter.nearest_or_all(first, [*modules, *_functions(context, module or "")])
    fields.report("against", f"the reference has no module or function `{shown(first)}`", hint)
    raise Unusable


def _has(context: Context, module: str, function: str) -> bool:
    definitions = _definitions(context, module)
    return definitions is None or not definitions.complete or function in definitions.names


def _functions(context: Context, module: str) -> list[str]:
    definitions = _definitions(context, module)
    return sorted(definitions.functions) if definitions is not None else []


def _definitions(context: Context, module: str) -> Definitions | None:
    """Return the definitions of a module of the reference, which may be none of the task's."""
    if module in context.reference:
        return context.reference[module]
    if context.reference_files is None or module in dict(context.modules):
        return None
    found = define_modules(context.reference_files, ((module, f"{module}.py"),), context.reporter)
    return found.get(module)

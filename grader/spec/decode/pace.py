"""What the time of a right answer is worth, compared with the reference's: the key `pace`."""

import re
from collections.abc import Sequence
from fractions import Fraction

from grader.model.case import Check, Expectation, Pace, Returns, SameAsReference
from grader.model.task import Award
from grader.spec.decode.calls import Attempt
from grader.spec.decode.drafts import CaseDraft
from grader.spec.expressions.context import Context
from grader.spec.keys import PACE
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.files import define_modules
from grader.yamlfile.quantities import duration_s, integer
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

_MOST_STEPS, _MOST_ROUNDS = 100, 50
_LONGEST_FLOOR_S = Fraction(60)
_DEFAULT = Pace(full=Fraction(2), none=Fraction(4))
_AGAINST = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_CALLS = ("call", "sum", "count", "each")


def decode_pace(parent: Fields, context: Context, module: str | None) -> Pace | None:
    """Return the pace that a question or a case of `module` states; None where it was reported."""
    node = parent.mapping("pace")
    fields = open_fields(node, PACE, context.reporter) if node is not None else None
    if fields is None:
        return None
    if not context.has_reference:
        message = "`pace` needs a `reference` to compare with, and the task names none"
        context.reporter.report(parent.key_span("pace"), message)
    full, none = fields.positive("full"), fields.positive("none")
    steps = _count(fields, "steps", _MOST_STEPS) or _DEFAULT.steps
    rounds = _count(fields, "rounds", _MOST_ROUNDS) or _DEFAULT.rounds
    floor_s = fields.quantity("floor", duration_s)
    if floor_s is not None and floor_s > _LONGEST_FLOOR_S:
        fields.report("floor", "`floor` must be at most 1min")
    against = _against(fields, context, module) if fields.has("against") else ("", "")
    if full is None or none is None or against is None:
        return None
    if none <= full:
        fields.report("none", f"`none` must be greater than `full`, which is {float(full):g}")
        return None
    return Pace(
        full=full,
        none=none,
        steps=steps,
        rounds=rounds,
        floor_s=float(floor_s) if floor_s is not None else _DEFAULT.floor_s,
        module=against[0],
        function=against[1],
    )


def check_timed(fields: Fields, reporter: Reporter) -> None:
    """Report a case for which a pace is stated, its own or its question's, and that can have none."""
    others = fields.present("scenario", "program", "rule")
    if others and not fields.present(*_CALLS):
        place = fields.key_span("pace") if fields.has("pace") else fields.key_span(others[0])
        message = f"`pace` does not go with `{others[0]}`"
        reporter.report(place, message, "it goes with `call`, `sum`, `count` and `each`")


def check_pace(
    pace: Pace, fields: Fields, attempt: Attempt | None, expect: Expectation | None, context: Context
) -> None:
    """Report where the time of a case can't be compared with anybody's."""
    place = fields.key_span("pace") if fields.has("pace") else fields.place
    if fields.has("watch"):
        context.reporter.report(place, "`pace` does not go with `watch`: callbacks are answered elsewhere")
    elif expect is not None and not isinstance(expect, Returns | SameAsReference | Check):
        context.reporter.report(place, "`pace` goes with `returns` and `check` alone")
    if attempt is None or not pace.module:
        return
    definitions = _definitions(context, pace.module)
    if definitions is None or not definitions.complete:
        return
    for name in dict.fromkeys(pace.function or call.function for call in attempt.calls):
        if name.partition(".")[0] not in definitions.names:
            message = f"the reference's module `{shown(pace.module)}` has no `{shown(name)}` to compare with"
            context.reporter.report(place, message, context.reporter.nearest(name, definitions.names))


def check_award(award: Award, fields: Fields, drafts: Sequence[CaseDraft | None], reporter: Reporter) -> None:
    """Report where times are compared and don't count, and where they should count and aren't compared."""
    cases = [draft.case for draft in drafts if draft is not None and draft.case is not None]
    timed = [case for case in cases if case.pace is not None]
    if award is Award.BY_TIME and not fields.has("pace") and len(timed) < len(cases):
        untimed = next(case.id for case in cases if case.pace is None)
        message = f"case `{shown(untimed)}` has no `pace`, and `award: by-time` goes by it"
        reporter.report(fields.span("award"), message, "state `pace` for the question")
    if award in (Award.ALL, Award.GROUPS) and (timed or fields.has("pace")):
        message = f"`pace` has no effect with `award: {award}`, where a case counts whole or not at all"
        place = fields.key_span("pace") if fields.has("pace") else fields.span("award")
        reporter.report(place, message, "write `award: by-time`")


def _count(fields: Fields, name: str, most: int) -> int | None:
    value = fields.quantity(name, integer)
    if value is not None and not 1 <= value <= most:
        fields.report(name, f"`{name}` must lie between 1 and {most}")
        return None
    return value


def _against(fields: Fields, context: Context, module: str | None) -> tuple[str, str] | None:
    """Return module and function that are compared with, each empty for the case's own."""
    text = fields.matching("against", _AGAINST, "a module or a function of the reference")
    files = context.reference_files
    if text is None or files is None:
        return None
    first, _, function = text.partition(".")
    if f"{first}.py" in files.contents:
        if not function or _has(context, first, function):
            return first, function
        known, what = _functions(context, first), f"module `{shown(first)}` of the reference has no function"
        hint = context.reporter.nearest_or_all(function, known)
        fields.report("against", f"{what} `{shown(function)}`", hint)
        return None
    if not function and module is not None and _has(context, module, first):
        return module, first
    modules = [name.removesuffix(".py") for name in files.contents if "/" not in name]
    hint = context.reporter.nearest_or_all(first, [*modules, *_functions(context, module or "")])
    fields.report("against", f"the reference has no module or function `{shown(first)}`", hint)
    return None


def _has(context: Context, module: str, function: str) -> bool:
    definitions = _definitions(context, module)
    return definitions is None or not definitions.complete or function in definitions.names


def _functions(context: Context, module: str) -> list[str]:
    definitions = _definitions(context, module)
    return sorted(definitions.functions) if definitions is not None else []


def _definitions(context: Context, module: str) -> Definitions | None:
    """Return what a module of the reference defines, be it one of the task's or not."""
    if module in context.reference:
        return context.reference[module]
    if context.reference_files is None or module in dict(context.modules):
        return None
    found = define_modules(context.reference_files, ((module, f"{module}.py"),), context.reporter)
    return found.get(module)

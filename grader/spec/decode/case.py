"""One case of a question, from its mapping to the model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from grader.model.case import Case, Rendering
from grader.model.kinds import kind_named, kind_of
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.spec.decode.answers.pictures import decode_picture, is_drawn
from grader.spec.decode.cases.pace import check_timed
from grader.spec.decode.drafts import CaseDraft
from grader.spec.decode.inherited import Inherited
from grader.spec.decode.of_task.limits import InheritedLimits, decode_limits
from grader.spec.expressions.context import Context
from grader.spec.keys.case import ALSO_WITH, CALLING, CASE, CASE_FORMS, ONLY_WITH
from grader.spec.places import CasePlaces
from grader.yamlfile import nodes
from grader.yamlfile.source import Span
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting, if_usable

if TYPE_CHECKING:
    from grader.kinds.kind import Kind

_EXPECTING = ("returns", "raises", "check", "prints", "stdout", "stderr", "exit", "leaves", "plot")
_ACTIONS = ("new", "call", "read")


def decode_cases(context: Context, fields: Fields, number: int, inherited: Inherited) -> list[CaseDraft]:
    """Return drafts of the case with this number in its question: several for a test file."""
    name, group = fields["name"], fields["group"]
    case_id = f"{inherited.question}.{name or fields['number'] or number}" if inherited.question else ""
    if fields.has("name") and fields.has("number"):
        fields.report_key("number", "a case has either a `name` or a `number`")
    if name is None and fields.has("name"):
        case_id = ""
    common = _common(context, fields, case_id, group or "", inherited)
    cases = if_usable(_cases, context, fields, common, inherited) or ()
    draft = CaseDraft(
        id=case_id,
        span=fields.span("name"),
        needs=tuple((scalar.text, scalar.span) for scalar in fields["needs"]),
        group=group if group is not None else ("" if fields.has("group") else None),
        group_span=fields.key_span("group"),
        case=None,
        places=_places(fields),
    )
    return [_with_case(draft, case) for case in cases] or [draft]


def _with_case(draft: CaseDraft, case: Case) -> CaseDraft:
    """Return the draft with a case, which is one of several if its id is another one."""
    return replace(draft, id=case.id, entry="" if case.id == draft.id else draft.id, case=case)


def _places(fields: Fields) -> CasePlaces:
    kind = next(iter(fields.present(*CASE_FORMS)), "")
    whole = fields.span(kind)
    expecting = next(iter(fields.present(*_EXPECTING)), kind)
    return CasePlaces(fields.reporter.source, whole, fields.span(expecting), _steps(fields))


def _steps(fields: Fields) -> tuple[Span, ...]:
    """Return the place of the call in each step of a scenario."""
    node = fields.node("scenario") if fields.has("scenario") else None
    steps = node.items if isinstance(node, nodes.Sequence) else ()
    return tuple(
        next((value.span for key, value in step.pairs if key.text in _ACTIONS), step.span)
        if isinstance(step, nodes.Mapping)
        else step.span
        for step in steps
    )


def _drawn(fields: Fields, case: Case, picture: Rendering | None) -> Case:
    """Return the case with its picture."""
    return kind_of(case).with_picture(case, picture) if picture and is_drawn(case, fields) else case


def _common(context: Context, fields: Fields, case_id: str, group: str, inherited: Inherited) -> Case:
    """Return a case with the values that every kind of case has."""
    limits = inherited.limits if fields.has("rule") else _limits(fields, inherited)
    return Case(
        id=case_id,
        text="",
        weight=fields["weight"],
        group=group,
        title=fields["title"],
        hint=fields["hint"],
        visibility=fields["visibility"] or inherited.visibility,
        limits=limits.limits,
        seed=fields["seed"],
    )


def _cases(context: Context, fields: Fields, common: Case, inherited: Inherited) -> Sequence[Case]:
    """Return the case with the values of its kind, or the cases that it stands for.  Raises Unusable."""
    if fields.has("pace") or inherited.pace is not None:
        check_timed(fields)
    key = next(iter(fields.present(*CASE_FORMS)), None)
    _check_keys(fields, key)
    kind = _kind(fields)
    with collecting() as take:
        cases = take(_read, kind, fields, common, context, inherited)
        picture = take(decode_picture, fields, context) if fields.has("picture") else inherited.picture
    return [_drawn(fields, case, picture) for case in cases]


def _read(
    kind: "Kind[Any]", fields: Fields, common: Case, context: Context, inherited: Inherited
) -> Sequence[Case]:
    """Return the cases that a mapping states.  Raises Unusable, also where a plugin's kind gives none."""
    if not registry().is_foreign(Group.KINDS, kind.name):
        return kind.read(fields, common, context, inherited)
    cases: object = kind.read(fields, common, context, inherited)
    if isinstance(cases, list | tuple) and cases and all(_is_of(case, kind) for case in cases):
        return cases
    plugin = registry().plugin_of(Group.KINDS, kind.name)
    fields.reporter.report(fields.place, f"plugin {plugin}: its kind {kind.name} read no case here")
    raise Unusable


def _is_of(case: object, kind: "Kind[Any]") -> bool:
    return type(case) is Case and getattr(case.what, "kind_name", None) == kind.name


def _kind(fields: Fields) -> "Kind[Any]":
    """Return the kind of case that a key shows; calls where none does, which is reported.

    Raises Unusable where it is a plugin's that cannot be used.
    """
    key = next(iter(fields.present(*CASE_FORMS)), None)
    if key is None:
        return kind_named("calls")
    try:
        return kind_named(CASE_FORMS[key].kind)
    except PluginFailed as failure:
        fields.report_key(key, str(failure), "see `grader plugins`")
        raise Unusable from None


def _check_keys(fields: Fields, kind: str | None) -> None:
    """Report keys that do not go with the kind of a case, by the data in `grader.spec.keys.case`."""
    if kind is None and fields.meant.isdisjoint(CASE_FORMS):
        *kinds, last = (f"`{name}`" for name in sorted(CASE_FORMS, key=CASE.names.index))
        message = f"a case needs one of {', '.join(kinds)} and {last}"
        fields.reporter.report(fields.place, message)
    for key in fields.present(*fields.table.names):
        if fields.present(*ALSO_WITH.get(key, ())):
            continue
        if kind in (None, *CALLING) and key in ONLY_WITH:
            other, hint = ONLY_WITH[key]
            fields.report_key(key, f"`{key}` goes with `{other}` alone", hint)
        elif kind is None or key == kind or key in CASE_FORMS[kind].goes_with:
            continue
        elif kind in CALLING and key in CALLING:
            fields.report_key(key, f"a case can't have both `{kind}` and `{key}`")
        else:
            hint = CASE_FORMS[kind].hints.get(key, CASE_FORMS[kind].otherwise)
            fields.report_key(key, f"`{key}` does not go with `{kind}`", hint)


def _limits(fields: Fields, inherited: Inherited) -> InheritedLimits:
    limits = decode_limits(fields, inherited.limits)
    if inherited.budget_s is not None and limits.limits.time_s > inherited.budget_s:
        message = (
            f"the time limit of {limits.limits.time_s:g} s can't be reached: "
            f"the budget of a submission is {float(inherited.budget_s):g} s"
        )
        fields.report("limits", message, "raise `budget` or lower `time`")
    return limits

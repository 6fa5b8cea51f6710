"""The arguments of a checker as they follow from those of the call, read off the spec's own cases.

`closed_tour(dim=6, start=(3, 3))` judges `first_closed_tour(6, [(3, 3)])`: `dim` is the first argument in all
cases that name `dim` and `start`.  Where the connection is not in the cases, an argument keeps its value.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.model.case import Check
from grader.model.values import Value
from grader.plugins.validate.search.inputs.input import Input, Slot
from grader.plugins.validate.search.inputs.parts import frozen

Source: TypeAlias = tuple[str, Slot]
"""How a value follows: whole, its first or last item, or its length; and from which argument."""
_ANSWER: Slot = ("answer",)


@dataclass(frozen=True, slots=True)
class CheckedInput:
    """An input with the reference's answer, and the checker that judges it."""

    input: Input
    answer: Value
    check: Check


class Bindings:
    """The connections that all cases of one form show.

    The form of a case: the functions that it calls, its checker, and the arguments that the checker is given.
    """

    def __init__(self, judged: list[CheckedInput]) -> None:
        self._sources: dict[Hashable, dict[str, list[Source]]] = {}
        self._checks: dict[Hashable, Check] = {}
        for one in judged:
            form = _form(one.input, one.check)
            self._checks.setdefault(form, one.check)
            known = {source: frozen(value) for source, value in _sources(one.input, one.answer)}
            sources = self._sources.setdefault(form, {name: list(known) for name, _ in one.check.arguments})
            for name, value in one.check.arguments:
                sources[name] = [s for s in sources[name] if s in known and known[s] == frozen(value)]

    def checks(self, one: Input, answer: Value, own: Check | None) -> Iterator[Check]:
        """Yield checkers that may judge an answer to this input.  own: the checker of its template."""
        functions = one.functions
        values = dict(_sources(one, answer))
        own_form = _form(one, own) if own is not None else None
        forms = [form for form in self._checks if form[0] == functions]  # type: ignore[index]
        for form in sorted(forms, key=lambda form: form != own_form):
            check = own if own is not None and form == own_form else self._checks[form]
            sources = self._sources[form]
            loose = [name for name, _ in check.arguments if not sources[name]]
            if loose and (form != own_form or not _is_fixed(one, sources)):
                continue
            if any(sources[name] and sources[name][0] not in values for name in sources):
                continue
            arguments = tuple(
                (name, values[sources[name][0]] if sources[name] else value)
                for name, value in check.arguments
            )
            yield replace(check, arguments=arguments)


def _form(one: Input, check: Check) -> Hashable:
    return one.functions, check.checker, frozenset(name for name, _ in check.arguments)


def _sources(one: Input, answer: Value) -> Iterator[tuple[Source, Value]]:
    values = [(slot, value) for slot, _, value in one.slots()]
    for slot, value in values:
        yield ("whole", slot), value
    for slot, value in (*values, (_ANSWER, answer)):
        if isinstance(value, list | tuple):
            yield ("length", slot), len(value)
    for slot, value in values:
        if isinstance(value, list | tuple) and value:
            yield ("first", slot), value[0]
            yield ("last", slot), value[-1]


def _is_fixed(one: Input, sources: dict[str, list[Source]]) -> bool:
    """Tell whether all arguments are the seed's but those that the checker gets as they are.

    An argument of the checker that follows from nothing stands for the seed's other arguments.
    """
    followed = {slot for found in sources.values() for how, slot in found[:1] if how == "whole"}
    return all(
        slot in followed or frozen(value) == frozen(one.origin.value(slot)) for slot, _, value in one.slots()
    )

"""Conditions besides the answer: arguments stay unchanged, and callbacks are called as expected."""

from collections.abc import Sequence

from grader.judge.finding import Finding
from grader.judge.messages import for_call
from grader.model.case import Bound, Call, Calls, Comparison, Returns, SameAsReference, Shipped, Watched
from grader.model.outcome import Outcome, WatchedCall
from grader.model.results import Difference
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.values.compare import first_difference
from grader.values.show import show, times

_ARGUMENT_LIMIT = 100
_CALLS_LIMIT = 300

Args = tuple[Value, ...]


def broken_condition(what: Calls, outcome: Outcome) -> Finding | None:
    """Return the first broken condition as a finding, or None."""
    if what.unchanged:
        for call, answer in zip(what.calls, outcome.answers, strict=True):
            if answer.args_after is None or len(answer.args_after) != len(_plain_arguments(call)):
                # The worker always sends this, so an answer without it was forged.
                message = for_call(what.calls, call, "there is no valid answer")
                return Finding(verdict=Verdict.CRASHED, message=message)
            changed = _changed_argument(call, answer.args_after)
            if changed is not None:
                message = f"{changed.where}: was {changed.expected}, is now {changed.actual}"
                return Finding(
                    verdict=Verdict.WRONG_ANSWER,
                    message=for_call(what.calls, call, message),
                    difference=changed,
                )
    for name, expected in what.watch:
        found = _unlike_watch(name, expected, outcome.watched, _rules_of(what))
        if found is not None:
            return found
    return None


# -- arguments -------------------------------------------------------------------------------------


def _plain_arguments(call: Call) -> list[tuple[str, Value]]:
    """Return the arguments, each in words and as a value.  Both sides leave out functions among them."""
    named = [(f"argument {number}", value) for number, value in enumerate(call.args, 1)]
    named += [(f"argument {name}", value) for name, value in call.kwargs]
    return [(name, value) for name, value in named if not isinstance(value, (Shipped, Watched, Bound))]


def _changed_argument(call: Call, args_after: Args) -> Difference | None:
    for (name, before), after in zip(_plain_arguments(call), args_after, strict=True):
        found = first_difference(before, after)
        if found is not None:
            where = f"{name} was changed" + (f": {found.where}" if found.where else "")
            return Difference(where, found.expected, found.actual)
    return None


# -- watched callbacks -----------------------------------------------------------------------------


def _rules_of(what: Calls) -> Comparison:
    """Return how callbacks' arguments are compared: as the answer is, but in order and one by one."""
    for expect in what.expects:
        if isinstance(expect, Returns | SameAsReference):
            rules = expect.comparison
            return Comparison(rel=rules.rel, abs=rules.abs, python=rules.python)
    return Comparison()


def _unlike_watch(
    name: str, expected: Sequence[Args], watched: Sequence[WatchedCall], rules: Comparison
) -> Finding | None:
    actual = [call.args for call in watched if call.name == name]
    same = [first_difference(one, other, rules) is None for one, other in zip(expected, actual, strict=False)]
    if all(same) and len(expected) == len(actual):
        return None
    at = same.index(False) if False in same else len(same)
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=_watch_message(name, expected, actual, at, rules),
        difference=Difference(f"calls of {name}", _calls_text(name, expected), _calls_text(name, actual)),
    )


def _watch_message(
    name: str, expected: Sequence[Args], actual: Sequence[Args], at: int, rules: Comparison
) -> str:
    """Return words for the difference between calls; the calls before `at` are as expected."""
    if not expected:
        return f"{name} was called {times(len(actual))}, on {_args_text(actual[0])}, but should not be called"
    counts = f"{name} was called {_calls(len(actual))}, expected {times(len(expected))}"
    if at == len(actual):
        return f"{counts}: it was not called on {_args_text(expected[at])}"
    surplus = actual[at]
    again = _count(surplus, actual, rules)
    if again > max(1, _count(surplus, expected, rules)):
        return f"{name} was called {times(again)} on {_args_text(surplus)}"
    if at == len(expected):
        return f"{counts}: it was called again, on {_args_text(surplus)}, when it should have stopped"
    return (
        f"call {at + 1} of {name}: expected {name}({_joined(expected[at])}), got {name}({_joined(surplus)})"
    )


def _calls(count: int) -> str:
    return times(count) if count else "not at all"


def _count(wanted: Args, calls: Sequence[Args], rules: Comparison) -> int:
    return sum(first_difference(wanted, args, rules) is None for args in calls)


def _args_text(args: Args) -> str:
    return _joined(args) if len(args) == 1 else f"({_joined(args)})"


def _joined(args: Args) -> str:
    return ", ".join(show(value, _ARGUMENT_LIMIT) for value in args[:5]) + (", …" if len(args) > 5 else "")


def _calls_text(name: str, calls: Sequence[Args]) -> str:
    """Return calls as `f(1), f(2)`, as many as fit."""
    texts: list[str] = []
    left = _CALLS_LIMIT
    for number, args in enumerate(calls):
        text = f"{name}({_joined(args)})"
        left -= len(text) + 2
        if left < 0 and texts:
            texts.append(f"… {len(calls) - number} more")
            break
        texts.append(text)
    return ", ".join(texts) or "none"

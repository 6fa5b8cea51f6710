"""Looking at a submission's source for broken rules, without parsing it on this side.

A box runs `grader.worker.rules` over the texts.  It is our code, so what it finds can be believed;
but the texts are hostile, so it may die or take for ever.  Then each module is looked at alone, to
know which of them was too much.
"""

import importlib.resources
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Returned
from grader.model.rule import Rule, RuleKind
from grader.sandbox.box import Box, Job, Program, encode_request, loaded
from grader.sandbox.zygote import SandboxFailure, Zygote

_LIMITS = Limits(time_s=5.0, wall_s=20.0)
_MEMORY_B = 1024 * MIB
_PACKAGE = "grader.worker.rules"
_ENTRY = f"{_PACKAGE}.program"
_INVALID = "not Python"

Files: TypeAlias = Mapping[str, tuple[str, str]]
"""Name of the file and text, by module."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a rule is broken, and how.  line: 0 for the module as a whole."""

    module: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen of the rules on all modules.

    broken: for each rule, in order.  too_complex: for each rule, the modules on which it could not be
    checked although they may run.  invalid: modules that are no Python, with the parser's words.
    """

    broken: tuple[tuple[Place, ...], ...]
    too_complex: tuple[tuple[str, ...], ...]
    invalid: Mapping[str, Place]


class RuleBox:
    """A box for rules; opened when first needed.  Use it from one thread."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._box: Box | None = None

    def look(self, files: Files, rules: Sequence[Rule]) -> Sight:
        """Look for what breaks the rules.  Raises `SandboxFailure` where it is our side that fails."""
        seen = self._look(files, rules)
        if seen is not None:
            return seen
        alone = {name: self._look({name: file}, rules) for name, file in files.items()}
        dead = {name for name, sight in alone.items() if sight is None}
        alive = [sight for sight in alone.values() if sight is not None]
        return Sight(
            broken=tuple(
                tuple(place for sight in alive for place in sight.broken[number])
                for number in range(len(rules))
            ),
            too_complex=tuple(
                tuple(
                    name
                    for name in rule.modules
                    if name in dead or any(name in sight.too_complex[number] for sight in alive)
                )
                for number, rule in enumerate(rules)
            ),
            invalid={name: place for sight in alive for name, place in sight.invalid.items()},
        )

    def _look(self, files: Files, rules: Sequence[Rule]) -> Sight | None:
        """Look at the modules together; None where the box died of them."""
        wanted = [(rule.kind.value, list(rule.modules), _options(rule)) for rule in rules]
        request = encode_request([Call("check", (dict(files), wanted))], _LIMITS)
        try:
            box = self._box = self._box or self._open()
            outcome = box.run([Job(request, _LIMITS)])[0]
        except SandboxFailure:
            self.close()
            raise
        match outcome.answers[:1]:
            case (Returned(value=(dict() as problems, list() as reports)),) if (
                outcome.ending is Ending.ANSWERED
            ):
                return _sight(problems, reports, rules)
        if outcome.ending in (Ending.INTERNAL, Ending.MISSING, Ending.LOAD_FAILED):
            raise SandboxFailure(f"the rules can't be checked: {outcome.detail}")
        return None

    def _open(self) -> Box:
        box = Box(self._zygote, _program(), _MEMORY_B, _LIMITS, _LIMITS.time_s)
        if not loaded(box.load()[0]):
            box.close()
            raise SandboxFailure("the program that checks rules can't be loaded")
        return box

    def close(self) -> None:
        """End the box."""
        if self._box is not None:
            self._box.close()
            self._box = None


def _program() -> Program:
    # Packages above the modules are needed by their names alone.
    sources = dict.fromkeys(("grader", "grader.worker", _PACKAGE), "__path__ = []")
    for entry in importlib.resources.files(_PACKAGE).iterdir():
        if entry.name.endswith(".py") and entry.name != "__init__.py":
            sources[f"{_PACKAGE}.{entry.name.removesuffix('.py')}"] = entry.read_text("utf-8")
    return Program(_ENTRY, sources, shared=True)


def _options(rule: Rule) -> dict[str, Any]:
    """Return what the check of a rule takes besides the modules."""
    match rule.kind:
        case RuleKind.FORBIDDEN_IMPORTS | RuleKind.ALLOWED_IMPORTS | RuleKind.FORBIDDEN_NAMES:
            return {"names": list(rule.names)}
        case RuleKind.HEADER:
            return {"fields": dict(rule.fields)}
        case RuleKind.FORBIDDEN_CONSTRUCTS | RuleKind.REQUIRED_CONSTRUCTS:
            return {"constructs": list(rule.constructs), "functions": list(rule.functions)}
    return {}


def _sight(problems: dict[Any, Any], reports: list[Any], rules: Sequence[Rule]) -> Sight:
    invalid = {
        name: Place(name, line, message)
        for name, (kind, line, message) in problems.items()
        if kind == _INVALID
    }
    dead = {name for name in problems if name not in invalid}
    return Sight(
        broken=tuple(tuple(Place(*each) for each in found) for found, _ in reports),
        too_complex=tuple(
            tuple(name for name in rule.modules if name in dead or name in unchecked)
            for rule, (_, unchecked) in zip(rules, reports, strict=True)
        ),
        invalid=invalid,
    )

"""Find broken rules in a submission's source without parsing it on this side.

A box runs `grader.rules` over the texts.  It is our code, so its findings can be believed;
but the texts are hostile, so it may die or take too long.  Then each module is looked at alone, to
find out which of them was too much.  After that, those that import others are looked at together, since
findings such as recursion can lie between them.  All looks together draw from one share of the submission's
budget; a module that gets nothing of it counts as too complex.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Returned
from grader.model.rule import Rule, RuleKind
from grader.rules.closure import Imports, closure
from grader.rules.source.canonical import Canonical
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import Budget, Purse
from grader.sandbox.own_programs import own_sources
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import SandboxFailure, Zygote

LOOK_S, LOOK_WALL_S = 10.0, 40.0
"""For all looks at one submission's source and for the tools, in CPU seconds and in seconds of waiting."""

_LIMITS = Limits(time_s=LOOK_S / 2, wall_s=LOOK_WALL_S / 2)
_LEAST_S = 0.05
"""Less than this counts as nothing: a look that ends by its limit costs a new process."""
_MEMORY_B = 1024 * MIB
_ENTRY = "grader.rules.program"
_INVALID, _BAD_CELL = "not Python", "a cell that is not Python"

Files: TypeAlias = Mapping[str, tuple[str, str]]
"""Name of the file and text, by module."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a rule is broken, and how.  line: 0 for the module as a whole."""

    module: str
    line: int
    message: str


_Places: TypeAlias = tuple[tuple[Place, ...], ...]


@dataclass(frozen=True, slots=True)
class RuleScan:
    """The findings of the rules on all modules.

    broken: for each rule, in order.  covered: for each rule, the modules that it covers.
    undecided: for each rule, the places where the source does not tell whether it is broken.
    too_complex: for each rule, those of them on which it could not be checked although they may run.
    invalid: modules that are no Python, with the parser's words.
    bad_cells: of notebooks, the module and the number of each cell that is no Python.
    decoded: the texts of modules that are handed in as bytes, as Python reads them.
    canonical: the modules written again from their trees, if a rule has patterns, with the lines of their
        statements there and in the source; without those for which there is no such text.
    """

    broken: _Places
    undecided: _Places
    covered: tuple[tuple[str, ...], ...]
    too_complex: tuple[tuple[str, ...], ...]
    invalid: Mapping[str, Place]
    bad_cells: frozenset[tuple[str, int]] = frozenset()
    decoded: Mapping[str, str] = field(default_factory=dict)
    canonical: Mapping[str, Canonical] = field(default_factory=dict)


def nothing_read(rules: int) -> RuleScan:
    """Return the scan of a submission without files: each of so many rules covers nothing."""
    nothing = ((),) * rules
    return RuleScan(nothing, nothing, nothing, nothing, {})


@dataclass(frozen=True, slots=True)
class _BoxAnswer:
    """The answer of the box.  imports: of the modules that were looked at."""

    scan: RuleScan
    imports: Mapping[str, Imports]


class RuleBox:
    """A box for rules; opened when first needed.  Use it from one thread."""

    def __init__(self, zygote: Zygote) -> None:
        self.zygote = zygote
        self._purse = Purse()
        self._box: Box | None = None

    def look(self, files: Files, rules: Sequence[Rule], budget: Budget) -> RuleScan:
        """Find the places where rules are broken.  Raises `SandboxFailure` if our side fails.

        budget: the limit for all looks.
        """
        # Something must be left for the looks at single modules.
        most_s = budget.cpu_left_s / 2 if len(files) > 1 else budget.cpu_left_s
        seen = self._look(files, rules, budget, most_s)
        if seen is not None:
            return seen.scan
        alone = self._look_at_each(files, rules, budget)
        # A module that could not be looked at may import anything.
        imports = {name: seen.imports.get(name) if seen is not None else None for name, seen in alone.items()}
        covered = tuple(_covered(rule, files, imports) for rule in rules)
        scans = {name: seen.scan for name, seen in alone.items() if seen is not None}
        scans |= self._look_at_importers(files, rules, budget, {name: imports[name] for name in scans})
        return _joined(scans, covered)

    def _look_at_importers(
        self, files: Files, rules: Sequence[Rule], budget: Budget, imports: Mapping[str, Imports]
    ) -> dict[str, RuleScan]:
        """Return what is found in the modules that import others, looked at together.

        imports: of the modules that could be looked at alone.  If they are too much together, each counts as
        too complex for every rule.
        """
        importers = {name for name, imported in imports.items() if imported is None or imported - {name}}
        if len(importers) < 2:
            return {}
        seen = self._look(_only(files, importers), rules, budget, budget.cpu_left_s)
        scan = seen.scan if seen is not None else _too_complex(importers, len(rules))
        return {name: _part(scan, name) for name in importers}

    def _look_at_each(
        self, files: Files, rules: Sequence[Rule], budget: Budget
    ) -> dict[str, _BoxAnswer | None]:
        """Look at each module alone, the short ones first; None for one that could not be looked at."""
        found: dict[str, _BoxAnswer | None] = dict.fromkeys(files)
        if len(files) > 1:
            for name in sorted(files, key=lambda name: (len(files[name][1]), name)):
                own = [replace(rule, modules=(name,)) for rule in rules]
                # No more than half of what is left, so that one of them does not take it from all others.
                found[name] = self._look(_only(files, {name}), own, budget, budget.cpu_left_s / 2)
        return found

    def _look(self, files: Files, rules: Sequence[Rule], budget: Budget, most_s: float) -> _BoxAnswer | None:
        """Look at the modules together; None if the box died of them, or no time is left."""
        if budget.is_used_up or most_s < _LEAST_S:
            return None
        limits = replace(_LIMITS, time_s=min(most_s, _LIMITS.time_s))
        wanted = [(rule.kind.value, list(rule.modules), rule.kind.spreads, _options(rule)) for rule in rules]
        for_tools = any(rule.patterns for rule in rules)
        request = encode_request([Call("check", (dict(files), wanted), (("for_tools", for_tools),))], limits)
        try:
            box = self._box = self._box or self._open()
            with self._purse.drawing_from(budget):
                (found,) = box.gather([Job(request, limits)])
        except SandboxFailure:
            self.close()
            raise
        outcome = found.outcome()
        match outcome.answers[:1]:
            case (
                Returned(
                    value=(dict() as problems, dict() as readings, dict() as imports, list() as reports)
                ),
            ) if outcome.ending is Ending.ANSWERED:
                return _BoxAnswer(_scan(problems, readings, reports), _imports(imports))
        if outcome.ending in (Ending.INTERNAL, Ending.MISSING, Ending.LOAD_FAILED):
            raise SandboxFailure(f"the rules can't be checked: {outcome.detail}")
        return None

    def _open(self) -> Box:
        sources = own_sources("grader.rules")
        program = Program(_ENTRY, sources, shared=True)
        box = Box(self.zygote, program, _MEMORY_B, _LIMITS, _LIMITS.time_s, purse=self._purse)
        if not loaded(box.load()[0]):
            box.close()
            raise SandboxFailure("the program that checks rules can't be loaded")
        return box

    def close(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None


def _options(rule: Rule) -> dict[str, Any]:
    """Return the options of a rule's check."""
    match rule.kind:
        case RuleKind.FORBIDDEN_IMPORTS | RuleKind.ALLOWED_IMPORTS | RuleKind.FORBIDDEN_NAMES:
            return {"names": list(rule.names)}
        case RuleKind.HEADER:
            return {"fields": dict(rule.fields)}
        case RuleKind.FORBIDDEN_CONSTRUCTS | RuleKind.REQUIRED_CONSTRUCTS:
            return {"constructs": list(rule.constructs), "functions": list(rule.functions)}
        case RuleKind.REQUIRED_RECURSION | RuleKind.TYPE_HINTS:
            return {"functions": list(rule.functions)}
        case RuleKind.DOCSTRINGS:
            return {"wanted": list(rule.documented), "functions": list(rule.functions)}
    return {}


def _covered(rule: Rule, files: Files, imports: Mapping[str, Imports]) -> tuple[str, ...]:
    present = [name for name in rule.modules if name in files]
    return closure(present, imports.__getitem__, files) if rule.kind.spreads else tuple(present)


def _imports(imports: dict[Any, Any]) -> dict[str, Imports]:
    return {name: frozenset(found) if found is not None else None for name, found in imports.items()}


def _scan(problems: dict[Any, Any], readings: dict[Any, Any], reports: list[Any]) -> RuleScan:
    invalid = {
        name: Place(name, line, message)
        for name, (kind, line, message) in problems.items()
        if kind == _INVALID
    }
    dead = {name for name in problems if name not in invalid}
    return RuleScan(
        broken=tuple(tuple(Place(*each) for each in found) for found, _, _, _ in reports),
        undecided=tuple(tuple(Place(*each) for each in found) for _, found, _, _ in reports),
        covered=tuple(tuple(covered) for _, _, _, covered in reports),
        too_complex=tuple(
            tuple(name for name in covered if name in dead or name in unchecked)
            for _, _, unchecked, covered in reports
        ),
        invalid=invalid,
        bad_cells=frozenset(
            (name.partition(" ")[0], cell) for name, (kind, cell, _) in problems.items() if kind == _BAD_CELL
        ),
        decoded={name: text for name, (text, _) in readings.items() if text is not None},
        canonical={name: form for name, (_, form) in readings.items() if form is not None},
    )


def _only(files: Files, names: Collection[str]) -> Files:
    """Return the files of these modules.  Of the others the names are known, so imports of them are."""
    return {name: file if name in names else (file[0], "") for name, file in files.items()}


def _too_complex(names: Collection[str], count: int) -> RuleScan:
    """Return the scan of modules that none of `count` rules could look at."""
    nothing: _Places = ((),) * count
    return RuleScan(nothing, nothing, (tuple(names),) * count, (tuple(names),) * count, {})


def _part(scan: RuleScan, name: str) -> RuleScan:
    """Return what is found in one module."""

    def own(places: _Places) -> _Places:
        return tuple(tuple(place for place in each if place.module == name) for each in places)

    return RuleScan(
        broken=own(scan.broken),
        undecided=own(scan.undecided),
        covered=scan.covered,
        too_complex=tuple(tuple({name}.intersection(each)) for each in scan.too_complex),
        invalid={each: place for each, place in scan.invalid.items() if each == name},
        bad_cells=frozenset(cell for cell in scan.bad_cells if cell[0] == name),
        decoded={each: text for each, text in scan.decoded.items() if each == name},
        canonical={each: form for each, form in scan.canonical.items() if each == name},
    )


def _joined(scans: Mapping[str, RuleScan], covered: tuple[tuple[str, ...], ...]) -> RuleScan:
    """Return the findings on all modules from those on each.  A module without a scan is too complex."""
    ones = [[scans[name] for name in names if name in scans] for names in covered]

    def all_of(places_of: Callable[[RuleScan], _Places]) -> _Places:
        return tuple(
            tuple(place for scan in each for place in places_of(scan)[number])
            for number, each in enumerate(ones)
        )

    return RuleScan(
        broken=all_of(lambda scan: scan.broken),
        undecided=all_of(lambda scan: scan.undecided),
        covered=covered,
        too_complex=tuple(
            tuple(name for name in names if name not in scans or scans[name].too_complex[number])
            for number, names in enumerate(covered)
        ),
        invalid={name: place for scan in scans.values() for name, place in scan.invalid.items()},
        bad_cells=frozenset().union(*(scan.bad_cells for scan in scans.values())),
        decoded={name: text for scan in scans.values() for name, text in scan.decoded.items()},
        canonical={name: form for scan in scans.values() for name, form in scan.canonical.items()},
    )

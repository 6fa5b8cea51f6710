"""Applies the rules on source to one submission, before any of its code runs."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.engine.submission.required_tools import every_rule
from grader.engine.submission.rule_outcome import RuleOutcome
from grader.judge.rules import (
    RuleFindings,
    case_result,
    cost_of,
    failed_case,
    reason_of,
    rule_result,
    seen_of,
    skipped_case,
)
from grader.marking.penalties import DuePenalty
from grader.model.limits import Limits
from grader.model.policy import Deduction, Of
from grader.model.results import RuleEffect
from grader.model.rule import Rule, RuleKind
from grader.model.submission import AS_BYTES, NOTEBOOK, Submission, as_python
from grader.model.task import Task
from grader.sandbox.budget import Budget, Share
from grader.sandbox.tools.rule_box import LOOK_S, LOOK_WALL_S, Place, RuleBox, RuleScan
from grader.sandbox.tools.source_tools import NoSight, Runner, lint, search
from grader.sandbox.tools.tool import ToolLimits, ToolRun
from grader.sandbox.tools.tool_cell import ToolCell
from grader.wire.notebook import cells_of

_TOOL_LIMITS = Limits(time_s=5.0)


def rule_on(task: Task, submission: Submission, rule_box: RuleBox, budget: Budget) -> RuleOutcome:
    """Apply the rules to a submission's source.

    budget: the submission's; the box and the tools draw from a share of it.  A module for which no budget
    is left counts as too complex.  Raises `SandboxFailure`.
    """
    seen, reach = _look(task, submission, _Look(rule_box, Share(budget, LOOK_S, LOOK_WALL_S)))
    rules = tuple(rule_result(rule, each) for rule, each in zip(task.rules, seen, strict=False))
    broken = [(rule, result) for rule, result in zip(task.rules, rules, strict=True) if result.findings]
    rejecting = [result for _, result in broken if result.effect is RuleEffect.REJECTED]
    if rejecting:
        reason = f"not marked: {reason_of(rejecting[0])}"
        cases = {case.id: skipped_case(case, reason) for case in task.cases}
        # Without cases, people alone give the mark.
        by_people = any(question.criteria for question in task.questions)
        everything = DuePenalty(reason_of(rejecting[0]), Deduction(Fraction(1), Of.MARK))
        return RuleOutcome(cases, (everything,) if by_people else (), rules, reason)
    of_cases = zip((case for case in task.cases if case.rule), seen[len(task.rules) :], strict=True)
    penalties_due = [
        DuePenalty(reason_of(result), takes)
        for rule, result, each in zip(task.rules, rules, seen, strict=False)
        if result.findings and (takes := cost_of(rule, each)) is not None and takes.amount
    ]
    cases = {case.id: case_result(case, each) for case, each in of_cases}
    return RuleOutcome(cases, tuple(penalties_due), rules, reach=reach)


def not_ruled(task: Task, reason: str) -> RuleOutcome:
    """Return the outcome if the rules of cases could not be applied, by our own fault."""
    return RuleOutcome({case.id: failed_case(case, reason) for case in task.cases if case.rule})


@dataclass(frozen=True, slots=True)
class _Look:
    """The box for one submission's source, and the rest of its share of the budget."""

    rule_box: RuleBox
    share: Share

    def run(self, command: list[str], text: str) -> ToolRun:
        """Run a tool over a text.  Raises `NoSight`, `SandboxFailure`."""
        if self.share.is_used_up:
            raise NoSight
        limits = self.share.within(_TOOL_LIMITS)
        zygote = self.rule_box.zygote
        cell = ToolCell(zygote.driver, zygote.interpreter)
        run = cell.run(command, text, ToolLimits(cpu_s=limits.time_s))
        self.share.spend(run.cpu_s)
        return run


def _look(
    task: Task, submission: Submission, look: _Look
) -> tuple[list[RuleFindings], Mapping[str, frozenset[str]]]:
    """Return the findings for each rule, and `RuleOutcome.reach`.  Raises `SandboxFailure`."""
    rules, files = every_rule(task), submission.files
    if not files:
        return [RuleFindings(missing=tuple(file for _, file in task.modules)) for _ in rules], {}
    texts = {module: (file.name, file.text) for module, file in files.items()}
    scan = look.rule_box.look(texts, rules, look.share)
    invalid = {
        module: f"{place.message} (line {place.line})" if place.line else place.message
        for module, place in scan.invalid.items()
    }
    found = []
    for rule, broken, undecided, covered, complex_ones in zip(
        rules, scan.broken, scan.undecided, scan.covered, scan.too_complex, strict=True
    ):
        sound = [name for name in covered if name not in {*invalid, *complex_ones}]
        places, unseen = _by_tools(rule, sound, texts, look.run, scan.bad_cells)
        every = [(place.module, place.line, place.message) for place in (*broken, *places)]
        unclear = [(place.module, place.line, place.message) for place in undecided]
        names = dict(task.modules)
        found.append(seen_of(rule, files, names, every, unclear, (*complex_ones, *unseen), invalid))
    return found, _reach(rules, scan)


def _reach(rules: Sequence[Rule], scan: RuleScan) -> dict[str, frozenset[str]]:
    """Return the modules that each module can import, if a rule covers all of its imports."""
    found: dict[str, frozenset[str]] = {}
    for rule, covered in zip(rules, scan.covered, strict=True):
        for module in rule.modules if rule.kind.spreads else ():
            found[module] = found.get(module, frozenset(covered)) & frozenset(covered)
    return found


def _by_tools(
    rule: Rule,
    modules: Sequence[str],
    texts: Mapping[str, tuple[str, str]],
    runner: Runner,
    bad_cells: Set[tuple[str, int]],
) -> tuple[list[Place], list[str]]:
    """Return the tools' findings in the modules, and the modules that they cannot read."""
    places: list[Place] = []
    unseen = []
    for module in modules:
        file, text = texts[module]
        if rule.needs_tools and text.startswith(AS_BYTES):
            # The tools would not decode it as Python does.
            unseen.append(module)
            continue
        if text.startswith(NOTEBOOK):
            file, text = (
                as_python(file),
                _sound_cells(text, {cell for name, cell in bad_cells if name == module}),
            )
        try:
            if rule.kind is RuleKind.LINTER:
                places += lint(rule, module, file, text, runner)
            for pattern in rule.patterns:
                places += _by_pattern(rule, pattern, module, text, runner)
        except NoSight:
            unseen.append(module)
    return places, unseen


def _sound_cells(text: str, bad: Set[int]) -> str:
    """Return a notebook's text for tools, without the cells that are no Python and could hide others."""
    lines = text.removeprefix(NOTEBOOK).split("\n")
    for cell in cells_of(text):
        if cell.number in bad:
            lines[cell.first - 1 : cell.first + cell.text.count("\n")] = [""] * (cell.text.count("\n") + 1)
    return "\n".join(lines)


def _by_pattern(rule: Rule, pattern: str, module: str, text: str, runner: Runner) -> list[Place]:
    found = search(pattern, module, text, runner)
    if rule.kind is RuleKind.FORBIDDEN_CONSTRUCTS:
        return [replace(place, message=f"`{pattern}` is not allowed") for place in found]
    return [] if found else [Place(module, 0, f"`{pattern}` is missing")]

"""Applies the rules on source to one submission, before any of its code runs."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

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
from grader.lab.rule_outcome import RuleOutcome, due_for_rejection
from grader.marking.penalties import DuePenalty
from grader.model.kinds import kind_of
from grader.model.results import RuleEffect
from grader.model.rule import Rule, RuleKind
from grader.model.submission import NOTEBOOK, Submission, as_python
from grader.model.task import Task
from grader.rules.source.canonical import Canonical
from grader.sandbox.budget import Budget, Share
from grader.sandbox.tools.rule_box import LOOK_S, LOOK_WALL_S, Place, RuleBox, RuleScan, nothing_read
from grader.sandbox.tools.source_tools import NoSight, Runner, lint, search
from grader.sandbox.tools.tool import ToolRun
from grader.sandbox.tools.tool_cell import ToolCell
from grader.wire.notebook import cells_of
from grader.wire.source_text import refused


def rule_on(task: Task, submission: Submission, rule_box: RuleBox, budget: Budget) -> RuleOutcome:
    """Apply the rules to a submission's source.

    budget: the submission's; the box and the tools draw from a share of it.  A module for which no budget
    is left counts as too complex.  Raises `SandboxFailure`.
    """
    seen, scan = _look(task, submission, _Look(rule_box, Share(budget, LOOK_S, LOOK_WALL_S)))
    rules = tuple(rule_result(rule, each) for rule, each in zip(task.rules, seen, strict=False))
    broken = [(rule, result) for rule, result in zip(task.rules, rules, strict=True) if result.findings]
    rejecting = [result for _, result in broken if result.effect is RuleEffect.REJECTED]
    if rejecting:
        reason = f"not marked: {reason_of(rejecting[0])}"
        cases = {case.id: skipped_case(case, reason) for case in task.cases}
        # Without cases, people alone give the mark.
        return RuleOutcome(cases, due_for_rejection(task, rejecting[0]), rules, reason)
    of_cases = zip(
        (case for case in task.cases if not kind_of(case).runs), seen[len(task.rules) :], strict=True
    )
    penalties_due = [
        DuePenalty(reason_of(result), takes)
        for rule, result, each in zip(task.rules, rules, seen, strict=False)
        if result.findings and (takes := cost_of(rule, each)) is not None and takes.amount
    ]
    cases = {case.id: case_result(case, each) for case, each in of_cases}
    reach = _reach(task.every_rule, scan)
    return RuleOutcome(cases, tuple(penalties_due), rules, reach=reach, read=_as_read(task, submission, scan))


def not_ruled(task: Task, reason: str) -> RuleOutcome:
    """Return the outcome if the rules of cases could not be applied, by our own fault."""
    return RuleOutcome({case.id: failed_case(case, reason) for case in task.cases if not kind_of(case).runs})


@dataclass(frozen=True, slots=True)
class _Look:
    """The box for one submission's source, and the rest of its share of the budget."""

    rule_box: RuleBox
    share: Share

    def run(self, command: list[str], text: str) -> ToolRun:
        """Run a tool over a text.  Raises `NoSight`, `SandboxFailure`."""
        if self.share.is_used_up:
            raise NoSight
        zygote = self.rule_box.zygote
        cell = ToolCell(zygote.driver, zygote.interpreter, self.share)
        return cell.run(command, text)


def _look(task: Task, submission: Submission, look: _Look) -> tuple[list[RuleFindings], RuleScan]:
    """Return the findings for each rule, and the scan that they come from.  Raises `SandboxFailure`."""
    rules, files = task.every_rule, submission.files
    if not files:
        missing = RuleFindings(missing=tuple(file for _, file in task.modules))
        return [missing] * len(rules), nothing_read(len(rules))
    texts = {module: (file.name, file.text) for module, file in files.items()}
    scan = look.rule_box.look(texts, rules, look.share)
    invalid = {
        module: f"{place.message} (line {place.line})" if place.line else place.message
        for module, place in scan.invalid.items()
    }
    texts |= {module: (texts[module][0], text) for module, text in scan.decoded.items()}
    found = []
    for rule, broken, undecided, covered, complex_ones in zip(
        rules, scan.broken, scan.undecided, scan.covered, scan.too_complex, strict=True
    ):
        sound = [name for name in covered if name not in {*invalid, *complex_ones}]
        places, unseen = _by_tools(rule, sound, texts, look.run, scan)
        every = [(place.module, place.line, place.message) for place in (*broken, *places)]
        unclear = [(place.module, place.line, place.message) for place in undecided]
        names = dict(task.modules)
        found.append(seen_of(rule, files, names, every, unclear, (*complex_ones, *unseen), invalid))
    return found, scan


def _reach(rules: Sequence[Rule], scan: RuleScan) -> dict[str, frozenset[str]]:
    """Return the modules that each module can import, if a rule covers all of its imports."""
    found: dict[str, frozenset[str]] = {}
    for rule, covered in zip(rules, scan.covered, strict=True):
        for module in rule.modules if rule.kind.spreads else ():
            found[module] = found.get(module, frozenset(covered)) & frozenset(covered)
    return found


def _as_read(task: Task, submission: Submission, scan: RuleScan) -> dict[str, str]:
    """Return `RuleOutcome.read`: the texts that the rules read otherwise than they were handed in."""
    read = dict(scan.decoded)
    for module in scan.invalid:
        text = submission.files[module].text
        read[module] = refused(text, {cell.number for cell in cells_of(text)})
    for module in {module for module, _ in scan.bad_cells} - {*scan.invalid}:
        cells = {number for name, number in scan.bad_cells if name == module}
        read[module] = refused(submission.files[module].text, cells)
    # In another language a text that is no Python can run all the same.
    names = {module: submission.files[module].name for module in read}
    return {module: text for module, text in read.items() if task.toolchain_of(names[module]) is None}


def _by_tools(
    rule: Rule,
    modules: Sequence[str],
    texts: Mapping[str, tuple[str, str]],
    runner: Runner,
    scan: RuleScan,
) -> tuple[list[Place], list[str]]:
    """Return the tools' findings in the modules, and the modules that they cannot read."""
    places: list[Place] = []
    unseen = []
    for module in modules:
        file, text = texts[module]
        of_notebook = text.startswith(NOTEBOOK)
        if of_notebook:
            file, text = (
                as_python(file),
                _sound_cells(text, {cell for name, cell in scan.bad_cells if name == module}),
            )
        try:
            if rule.kind is RuleKind.LINTER:
                places += lint(rule, module, file, text, runner, of_notebook=of_notebook)
            for pattern in rule.patterns:
                places += _by_pattern(rule, pattern, module, text, scan.canonical.get(module), runner)
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


def _by_pattern(
    rule: Rule, pattern: str, module: str, text: str, form: Canonical | None, runner: Runner
) -> list[Place]:
    """Return the findings of a pattern in a module, in its own text and in its canonical form."""
    if form is None:
        raise NoSight
    lines = {place.line for place in search(pattern, module, text, runner)}
    canonical, statements = form
    begins = sorted(line for _, line in statements)
    # What is found in both texts counts once.
    told = {_last_until(begins, line) for line in lines}
    at = [line for line, _ in statements]
    for place in search(pattern, module, canonical, runner):
        begin = dict(statements).get(_last_until(at, place.line), 0)
        lines |= {begin} - told
    if rule.kind is RuleKind.FORBIDDEN_CONSTRUCTS:
        return [Place(module, line, f"`{pattern}` is not allowed") for line in sorted(lines)]
    return [] if lines else [Place(module, 0, f"`{pattern}` is missing")]


def _last_until(lines: Sequence[int], line: int) -> int:
    """Return the last of ascending lines that is not below a line; 0 if there is none."""
    index = bisect_right(lines, line)
    return lines[index - 1] if index else 0

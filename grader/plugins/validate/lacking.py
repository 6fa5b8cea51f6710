"""Leaves out of a task what needs a package or a tool that is not installed, so that the rest is validated.

What is left out is told.  It is no fault of the spec, so the exit status does not depend on it.
"""

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.authoring.programs import Declaration, Programs
from grader.engine.self_check import with_cases
from grader.model.case import Case
from grader.model.case import Check as Checked
from grader.model.errors import Fault, UsageError
from grader.model.kinds import calls_of, kind_of
from grader.model.rule import Rule, RuleKind
from grader.model.submission import Submission
from grader.model.task import Question, Task
from grader.model.validation import Check, Gravity, Remark
from grader.model.values import Table
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.packages import importable
from grader.sandbox.tools.source_tools import LINTER, PATTERNS
from grader.sandbox.tools.tool import path_of
from grader.values.walk import parts

_RULES = "some rules of the whole task"


@dataclass(frozen=True, slots=True)
class InstalledPart:
    """The part of a task that can be validated, and what is not.

    needs: by missing package or tool, what needs it: questions, and rules of the whole task.
    questions, cases: ids of those that are left out.
    """

    task: Task
    needs: Mapping[str, tuple[str, ...]]
    questions: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()

    def remarks(self) -> Iterator[Remark]:
        """Yield what was not validated, by what it needs."""
        for name, needing in self.needs.items():
            named = [each for each in needing if each != _RULES]
            count = "question" if len(named) == 1 else f"{len(named)} questions"
            told = [f"{count} {', '.join(named)}"] if named else []
            told += [_RULES] if _RULES in needing else []
            told = told or ["the programs that import it"]
            yield Remark(
                check=Check.REFERENCE,
                gravity=Gravity.ODD,
                text=f"not validated: {' and '.join(told)}, for want of {name}, which is not installed",
                hint="install it, and validate again; all else was validated",
            )

    def left_of(self, programs: Programs) -> Programs:
        """Return the programs beside the spec that import nothing missing.

        Where something is left out, the sum of marks tells nothing, and a wrong one may be wrong there alone:
        so those stay that say nothing of it, with what they declare of the questions that are left.
        """
        if not self.needs:
            return programs
        right = {name: each for name, each in programs.right.items() if not self._imports_missing(each)}
        wrong = {name: each for name, each in programs.wrong.items() if not self._imports_missing(each)}
        declared = dict(programs.declared)
        if any(self.needs.values()):
            declared = {
                name: {key: value for key, value in each.items() if key not in ("mark", "penalties")}
                for name, each in declared.items()
                if self._is_about_the_rest(each)
            }
            wrong = {name: each for name, each in wrong.items() if name in declared}
        known = {name: each for name, each in declared.items() if name in wrong or name not in programs.wrong}
        return replace(programs, right=right, wrong=wrong, declared=known)

    def _imports_missing(self, submission: Submission) -> bool:
        missing = {name.partition(".")[0] for name in self.needs}
        return any(missing & _imports(file.text) for file in submission.files.values())

    def _is_about_the_rest(self, declaration: Declaration) -> bool:
        questions, verdicts = declaration.get("questions", {}), declaration.get("verdicts", {})
        is_touched = self.questions & questions.keys() or self.cases & verdicts.keys()
        return bool(questions or verdicts) and not is_touched


def installed_part(task: Task, interpreter: Interpreter) -> InstalledPart:
    """Return the part of a task that needs nothing that is missing.

    Raises `UsageError` if there is none.
    """
    missing = [name for name in task.packages if not _is_installed(name, interpreter)]
    needs: dict[str, list[str]] = {name: [] for name in missing}
    for question in task.questions:
        found = {name for name in missing if _needs_package(task, question, name)}
        found |= {name for case in question.cases for name in _missing_tools(case)}
        for name in sorted(found):
            needs.setdefault(name, []).append(question.id)
    rules = []
    for each in task.rules:
        tools = _tools_of_rule(each.rule)
        for name in tools:
            if _RULES not in needs.setdefault(name, []):
                needs[name].append(_RULES)
        if not tools:
            rules.append(each)
    questions = frozenset(id for ids in needs.values() for id in ids if id != _RULES)
    if not needs:
        return InstalledPart(task, {})
    cases = frozenset(case.id for each in task.questions if each.id in questions for case in each.cases)
    packages = tuple(name for name in task.packages if name not in missing)
    left = replace(task, packages=packages, rules=tuple(rules))
    if cases:
        left = _without(left, cases)
    if cases and not any(question.cases for question in left.questions):
        message = f"nothing can be validated: every question needs {', '.join(needs)}, not installed here"
        raise UsageError(Fault(message, str(task.spec_path), hint="install what is missing"))
    return InstalledPart(left, {name: tuple(ids) for name, ids in needs.items()}, questions, cases)


def _without(task: Task, cases: Collection[str]) -> Task:
    smoke = task.smoke
    if smoke is not None:
        kept = tuple(case for case in smoke.cases if case not in cases)
        smoke = replace(smoke, cases=kept) if kept else None
    return replace(with_cases(task, lambda case: case.id not in cases), smoke=smoke)


def _is_installed(name: str, interpreter: Interpreter) -> bool:
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    return any(Path(path).name.partition(".")[0] == top for path in importable([top], interpreter).paths)


def _missing_tools(case: Case) -> set[str]:
    kind = kind_of(case)
    rule = kind.rule(case.what)
    found = set(_tools_of_rule(rule)) if rule is not None else set()
    for name, find in kind.tools(case).items():
        try:
            find()
        except UsageError:
            found.add(name)
    return found


def _tools_of_rule(rule: Rule) -> list[str]:
    """Return the missing tools that a rule needs."""
    wanted = [LINTER] if rule.kind is RuleKind.LINTER else []
    wanted += [PATTERNS] if rule.patterns else []
    return [name for name in wanted if path_of(name) is None]


def _needs_package(task: Task, question: Question, package: str) -> bool:
    """Tell whether a question's reference, checkers, harness or values need a package."""
    texts = dict(task.reference.texts) if task.reference is not None else {}
    waiting, seen = [question.module, *question.beside], set()
    checks = any(_is_checked(case) for case in question.cases)
    own = list(task.checkers.texts.values()) if task.checkers is not None and checks else []
    called = [calls_of(case) for case in question.cases]
    own += [text for what in called for text in what.own_code.values()]
    imported = {name for text in own for name in _imports(text)}
    while waiting:
        name = waiting.pop()
        if name in texts and name not in seen:
            seen.add(name)
            found = _imports(texts[name])
            imported |= found
            waiting += found
    if package.partition(".")[0] in imported:
        return True
    if package == "matplotlib" and any(what.plot is not None for what in called):
        return True
    values = (value for what in called for call in what.calls for value in call.args)
    return package == "pandas" and any(isinstance(one, Table) for value in values for one in parts(value))


def _is_checked(case: Case) -> bool:
    return bool(kind_of(case).players(case)) or any(
        isinstance(each, Checked) for each in kind_of(case).expectations(case)
    )


def _imports(text: str) -> set[str]:
    """Return the names at the top of what a module imports, anywhere in it."""
    found: set[str] = set()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found

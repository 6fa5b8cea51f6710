"""A whole spec, from its root mapping to the model."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.model.submission import Repairs
from grader.model.task import Question, Rounding, RoundingMode, Task
from grader.spec.decode.budget import decode_budget
from grader.spec.decode.digest import digest
from grader.spec.decode.limits import InheritedLimits, decode_limits
from grader.spec.decode.links import (
    build_questions,
    case_ids,
    check_groups,
    check_ids,
    check_marks,
    check_needs,
    check_order,
)
from grader.spec.decode.names import decode_names
from grader.spec.decode.question import decode_question
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import TASK_ID, TASK_ID_EXPECTED, is_python_name
from grader.spec.keys import ROUNDING, TASK
from grader.spec.reference.files import (
    Files,
    define_checkers,
    define_modules,
    own_code,
    read_checkers,
    read_reference,
)
from grader.yamlfile.nodes import Broken, Node, Scalar
from grader.yamlfile.quantities import integer
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

if TYPE_CHECKING:
    from grader.model.policy import Late, Smoke
    from grader.model.rule import TaskRule

_FILE_NAME = re.compile(r"\w[\w. -]{0,99}\.py")
_PYTHON = re.compile(r"3\.[0-9]{1,2}|.*/.+")
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_LARGEST_SEED = 2**63


def decode_task(root: Node, path: Path, content: bytes, reporter: Reporter) -> Task | None:
    """Return the task that the spec states; None where a mistake was reported."""
    fields = open_fields(root, TASK, reporter)
    if fields is None:
        return None
    modules = _modules(fields, reporter)
    reference = read_reference(fields, path.parent)
    checkers = read_checkers(fields, path.parent)
    context = Context(
        reporter=reporter,
        modules=modules,
        has_reference=fields.has("reference"),
        has_checkers=fields.has("checkers"),
        reference=define_modules(reference, modules, reporter) if reference else {},
        checkers=define_checkers(checkers, reporter) if checkers else None,
        reference_files=reference,
        attached=Files(path.parent),
    )
    if reference is not None:
        _check_module_files(fields, reference, reporter)
    context = decode_names(fields, context)
    limits = decode_limits(fields, InheritedLimits(), reporter)
    budget = decode_budget(fields, reporter)
    drafts = [decode_question(context, q, limits, budget.time_s) for q in fields.items("questions") or ()]
    questions = [draft for draft in drafts if draft is not None]
    marks = fields.positive("marks")
    check_marks(marks if len(questions) == len(drafts) else None, fields.span("marks"), questions, reporter)
    check_ids(questions, reporter)
    check_groups(questions, reporter)
    check_needs(questions, reporter)
    check_order(questions, reporter)
    late, extensions, smoke = _policy(fields, path.parent, case_ids(questions), reporter)
    rules = _rules(fields, context)
    task_id = fields.matching("task", TASK_ID, TASK_ID_EXPECTED)
    title = fields.text("title")
    python = fields.matching("python", _PYTHON, "a version such as 3.12 or the path of an interpreter")
    packages = _packages(fields, reporter)
    repairs = fields.choice("repairs", Repairs) or Repairs.USUAL
    rounding = _rounding(fields, reporter)
    seed = _seed(fields)
    own_reference = own_code(reference, fields, "reference")
    own_checkers = own_code(checkers, fields, "checkers")
    if reporter.found_any or task_id is None or title is None or marks is None:
        return None
    built = build_questions(questions)
    budget_s, budget_wall_s = budget.completed(_longest_s(built))
    named = {"checkers": checkers, "reference": reference}
    named |= {"extensions": extensions, "attached": context.attached}
    return Task(
        id=task_id,
        title=title,
        marks=marks,
        questions=built,
        modules=modules,
        reference=own_reference,
        checkers=own_checkers,
        types=tuple(context.types.values()),
        packages=packages,
        python=python or "",
        repairs=repairs,
        limits=limits.limits,
        budget_s=budget_s,
        budget_wall_s=budget_wall_s,
        rounding=rounding,
        seed=seed,
        late=late,
        smoke=smoke,
        rules=rules,
        spec_path=path,
        spec_sha256=_digest(path, content, named),
    )


def _longest_s(questions: tuple[Question, ...]) -> float:
    """Return the longest time limit of a case that runs something, in seconds."""
    cases = (case for question in questions for case in question.cases if case.rule is None)
    return max((case.limits.time_s for case in cases), default=0.0)


def _policy(
    fields: Fields, folder: Path, cases: Mapping[str, tuple[str, ...]], reporter: Reporter
) -> "tuple[Late | None, Files | None, Smoke | None]":
    """Return what is taken off for lateness, with the file of extensions, and for a failed smoke test."""
    if not fields.has("late") and not fields.has("smoke"):
        return None, None, None
    from grader.spec.decode.penalties import decode_late, decode_smoke

    late, extensions = decode_late(fields, folder, reporter)
    return late, extensions, decode_smoke(fields, cases, reporter)


def _rules(fields: Fields, context: Context) -> "tuple[TaskRule, ...]":
    if not fields.has("rules"):
        return ()
    from grader.spec.decode.rules import decode_rules

    return decode_rules(fields, context)


def _modules(fields: Fields, reporter: Reporter) -> tuple[tuple[str, str], ...]:
    node = fields.mapping("modules")
    found: dict[str, str] = {}
    for key, value in node.pairs if node is not None else ():
        if not is_python_name(key.text):
            reporter.report(key.span, f"`{shown(key.text)}` is not the name of a Python module")
        elif not isinstance(value, Scalar) or not _FILE_NAME.fullmatch(value.text):
            if not isinstance(value, Broken):
                message = "a module's file must be a plain file name such as tour.py, without folders"
                reporter.report(value.span, message)
        elif value.text in found.values():
            reporter.report(value.span, f"two modules have the file `{shown(value.text)}`")
        else:
            found[key.text] = value.text
    if node is not None and not node.pairs:
        fields.report("modules", "`modules` names no module", "such as {tour: tour.py}")
    return tuple(found.items())


def _check_module_files(fields: Fields, reference: Files, reporter: Reporter) -> None:
    node = fields.mapping("modules")
    for _, value in node.pairs if node is not None else ():
        if not isinstance(value, Scalar) or not _FILE_NAME.fullmatch(value.text):
            continue
        if value.text not in reference.contents:
            hint = reporter.nearest_or_all(value.text, reference.contents)
            reporter.report(value.span, f"the reference has no file `{shown(value.text)}`", hint)


def _packages(fields: Fields, reporter: Reporter) -> tuple[str, ...]:
    found = []
    for scalar in fields.names("packages"):
        if _PACKAGE.fullmatch(scalar.text):
            found.append(scalar.text)
        else:
            message = f"`{shown(scalar.text)}` is not a name that Python can import"
            reporter.report(scalar.span, message)
    return tuple(dict.fromkeys(found))


def _rounding(fields: Fields, reporter: Reporter) -> Rounding:
    node = fields.mapping("rounding")
    inner = open_fields(node, ROUNDING, reporter) if node is not None else None
    default = Rounding()
    if inner is None:
        return default
    step = inner.positive("step") or default.step
    return Rounding(step, inner.choice("mode", RoundingMode) or default.mode)


def _seed(fields: Fields) -> int:
    seed = fields.quantity("seed", integer)
    if seed is None:
        return 0
    if not 0 <= seed < _LARGEST_SEED:
        fields.report("seed", "`seed` must lie between 0 and 2**63 - 1")
    return seed


def _digest(path: Path, content: bytes, named: Mapping[str, Files | None]) -> str:
    files = [(f"spec/{path.name}", content)]
    for role, group in named.items():
        if group is not None:
            files += [(f"{role}/{name}", data) for name, data in group.contents.items()]
    return digest(files)

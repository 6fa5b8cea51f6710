"""Writes the spec that students get."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction

from grader.authoring.bundle.public import award_for_students
from grader.kinds.kind import Unfit
from grader.languages.toolchain import language_of
from grader.model.case import Call, Calls, Case, Check
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import GIB, KIB, MIB, Limits
from grader.model.rule import Rule, TaskRule
from grader.model.submission import ALL_CELLS, ImportPolicy, Repairs
from grader.model.task import Award, PageLanguage, Question, Task
from grader.model.values import RecordType, Table
from grader.spec.writing.attachments import Attachments
from grader.spec.writing.cases import Writer
from grader.spec.writing.dump import dumped
from grader.spec.writing.rules import number, rule_keys
from grader.values.sort import sort_of

CHECKERS = "checkers.py"
_MS = 1000
_TOLD_BY_A_TEXT = (Call, Check, Rule)
"""What has a text for people, which says nothing that its other fields do not."""


@dataclass(frozen=True, slots=True)
class PublicQuestion:
    """A question with the cases that students get.  source: the whole question."""

    source: Question
    cases: tuple[Case, ...]


def spec_text(task: Task, questions: Sequence[PublicQuestion], has_checkers: bool, files: Attachments) -> str:
    """Return the YAML of the handout's spec.  Raises `Unfit` for a case that it cannot state.

    files: takes in long values, and the harnesses.
    """
    keys: dict[str, object] = {
        "task": task.id,
        "title": task.title,
        "marks": number(sum((question.source.marks for question in questions), Fraction(0))),
        "modules": dict(task.modules),
    }
    if task.language is not PageLanguage.ENGLISH:
        keys["language"] = str(task.language)
    if has_checkers:
        keys["checkers"] = CHECKERS
    if task.toolchains:
        keys["toolchains"] = [language_of(each).written() for each in task.toolchains]
    if task.packages:
        keys["packages"] = list(task.packages)
    if task.python and "/" not in task.python:
        keys["python"] = task.python
    if task.repairs is not Repairs.USUAL:
        keys["repairs"] = str(task.repairs)
    if task.imports is not ImportPolicy.WHOLE:
        keys["import"] = str(task.imports)
    cells = {"tagged": task.cells.tags, "defining": task.cells.define, "numbers": task.cells.numbers}
    if task.cells != ALL_CELLS:
        keys["cells"] = {key: list(values) for key, values in cells.items() if values}
    if task.data:
        keys["files"] = {file.name: {"from": files.lay(file.name, file.content)} for file in task.data}
    keys["limits"] = _limits(task.limits)
    keys["budget"] = {"time": _duration(task.budget_s), "wall": _duration(task.budget_wall_s)}
    if task.seed:
        keys["seed"] = task.seed
    if task.types:
        keys["types"] = {
            kind.name: {"fields": list(kind.fields)}
            if isinstance(kind, RecordType)
            else {"members": list(kind.members)}
            for kind in task.types
        }
    if task.rules:
        keys["rules"] = [_task_rule(rule) for rule in task.rules]
    more = [question.id for question in task.questions if _has_more(question, questions)]
    if more:
        keys["more cases"] = more
    written = [_question(task, question, files) for question in questions]
    if files.values:
        keys["let"] = {name: {"from": path, "as": "python"} for name, path in files.values.items()}
    keys["questions"] = written
    return dumped(keys)


def _has_more(question: Question, questions: Sequence[PublicQuestion]) -> bool:
    cases = next((one.cases for one in questions if one.source.id == question.id), ())
    return len(cases) < len(question.cases)


def _question(task: Task, question: PublicQuestion, files: Attachments) -> dict[str, object]:
    source = question.source
    award = award_for_students(source)
    stops = source.stop_after is not None and award is not Award.ALL
    return {
        "id": source.id,
        "title": source.title,
        "module": source.module,
        "marks": number(source.marks),
        "award": str(award),
        **({"stop after": f"{source.stop_after} timeouts"} if stops else {}),
        **_around(question, files),
        "cases": [
            case_keys(task, source, case, files, place) for place, case in enumerate(question.cases, 1)
        ],
    }


def _around(question: PublicQuestion, files: Attachments) -> dict[str, object]:
    """Return the keys of the code around a question's module, and take in its files."""
    found = (calls_of(case).around for case in question.cases)
    around = next((each for each in found if each is not None), None)
    keys: dict[str, object] = {}
    for side, names in (("before", "gives"), ("after", "takes")):
        own = getattr(around, side, None)
        if own is not None:
            keys[side] = files.lay(own.file, own.text.encode())
            keys |= {names: list(own.names)} if own.names else {}
    return keys


def case_keys(
    task: Task, question: Question, case: Case, files: Attachments, place: int = 0
) -> dict[str, object]:
    """Return a case as keys of the spec.  Raises `Unfit`.

    place: of the case in its question, from 1.
    """
    own_id = case.id.removeprefix(f"{question.id}.")
    keys: dict[str, object] = {}
    if not own_id.isdigit():
        keys["name"] = own_id
    elif int(own_id) != place:
        keys["number"] = int(own_id)
    try:
        keys |= kind_of(case).written(case, Writer(task, is_whole=True, files=files))
    except UnicodeDecodeError:
        raise Unfit("a file of it is no text") from None
    harness = calls_of(case).harness
    if harness is not None:
        keys["harness"] = files.lay(f"{harness.module}.py", harness.text.encode())
    if case.title:
        keys["title"] = case.title
    if case.hint:
        keys["hint"] = case.hint
    if case.needs:
        keys["needs"] = list(case.needs)
    if kind_of(case).runs and case.limits != task.limits:
        keys["limits"] = _limits(case.limits)
    if case.seed is not None:
        keys["seed"] = case.seed
    return keys


def _task_rule(rule: TaskRule) -> dict[str, object]:
    keys = rule_keys(rule.rule, with_hint=True)
    if rule.rejects:
        # Such a submission is not marked, and its student sees that.
        next(iter(keys.values()))["reject"] = True
    return dict(keys)


def _limits(limits: Limits) -> dict[str, object]:
    return {
        "time": _duration(limits.time_s),
        "wall": _duration(limits.wall_s),
        "memory": _size(limits.memory_b),
        "output": _size(limits.output_b),
        "answer": _size(limits.answer_b),
    }


def _duration(time_s: float) -> str:
    return f"{round(time_s * _MS)}ms" if time_s * _MS % _MS else f"{round(time_s)}s"


def _size(size_b: int) -> str:
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size_b % unit == 0:
            return f"{size_b // unit}{name}"
    return f"{size_b}B"


def in_essence(value: object) -> object:
    """Return all of a case but its texts for people and its weight; `True` and `1` differ.

    Drawn inputs are listed in a handout: they are the same where the calls and their answers are.
    """
    if isinstance(value, Case):
        value = replace(value, text="", weight=Fraction(1))
    elif isinstance(value, Calls):
        value = replace(value, generated=None)
    elif isinstance(value, _TOLD_BY_A_TEXT):
        value = replace(value, text="")
    elif isinstance(value, Table):
        # A literal leaves the dtypes to pandas, and they do not count.
        value = replace(value, dtypes=())
    sort = sort_of(value)
    if not sort.is_value and is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [
            in_essence(getattr(value, field.name)) for field in fields(value) if field.compare
        ]
    inner = [in_essence(part) for part in sort.parts(value)]
    return type(value).__name__, sort.shape(value), sorted(map(repr, inner)) if sort.is_unordered else inner

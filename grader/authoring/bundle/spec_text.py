"""Writes the spec that students get."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from itertools import product

from grader.authoring.bundle.public import Unfit, award_for_students
from grader.marking.rounding import format_mark
from grader.model.case import Call, Case, Check
from grader.model.limits import GIB, KIB, MIB, Limits
from grader.model.rule import Rule, TaskRule
from grader.model.submission import ALL_CELLS, Repairs
from grader.model.task import Award, Language, Question, Task, Toolchain
from grader.model.values import RecordType, Table
from grader.spec.writing.attachments import Attachments
from grader.spec.writing.cases import Writer
from grader.spec.writing.dump import dumped

CHECKERS = "checkers.py"
_NAMES = "xyzuvwpqrstabcdefghijklmno"
_MS = 1000


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
        "marks": _number(sum((question.source.marks for question in questions), Fraction(0))),
        "modules": dict(task.modules),
    }
    if task.language is not Language.ENGLISH:
        keys["language"] = str(task.language)
    if has_checkers:
        keys["checkers"] = CHECKERS
    if task.toolchains:
        keys["toolchains"] = [_toolchain(each) for each in task.toolchains]
    if task.packages:
        keys["packages"] = list(task.packages)
    if task.python and "/" not in task.python:
        keys["python"] = task.python
    if task.repairs is not Repairs.USUAL:
        keys["repairs"] = str(task.repairs)
    cells = {"tagged": task.cells.tags, "defining": task.cells.define, "numbers": task.cells.numbers}
    if task.cells != ALL_CELLS:
        keys["cells"] = {key: list(values) for key, values in cells.items() if values}
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
        "marks": _number(source.marks),
        "award": str(award),
        **({"stop after": f"{source.stop_after} timeouts"} if stops else {}),
        "cases": [
            case_keys(task, source, case, files, place) for place, case in enumerate(question.cases, 1)
        ],
    }


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
        keys |= _tried(task, case, files)
    except UnicodeDecodeError:
        raise Unfit("a file of it is no text") from None
    if case.harness is not None:
        keys["harness"] = file = f"{case.harness.module}.py"
        files.contents[file] = case.harness.text.encode()
    if case.title:
        keys["title"] = case.title
    if case.hint:
        keys["hint"] = case.hint
    if case.needs:
        keys["needs"] = list(case.needs)
    if case.rule is None and case.limits != task.limits:
        keys["limits"] = _limits(case.limits)
    if case.seed is not None:
        keys["seed"] = case.seed
    return keys


def _tried(task: Task, case: Case, files: Attachments) -> dict[str, object]:
    if case.rule is not None:
        return {"rule": _rule(case.rule, with_hint=False)}
    writer = Writer(task, is_whole=True, files=files)
    if case.combine is None:
        return writer.keys(case)
    template, over = _loops(case.calls, writer)
    keys: dict[str, object] = {str(case.combine): template, "over": over}
    keys |= writer.expected_of(case.calls[0], case.expect)
    return keys | ({"unchanged": True} if case.unchanged else {})


def _loops(calls: Sequence[Call], writer: Writer) -> tuple[str, dict[str, object]]:
    """Return one call that stands for all, and the names in it with their values.  Raises `Unfit`."""
    labels = [""] * len(calls[0].args) + [f"{name}=" for name, _ in calls[0].kwargs]
    rows = [[*map(writer.argument, [*call.args, *(value for _, value in call.kwargs)])] for call in calls]
    columns = list(zip(*rows, strict=True))
    varied = [place for place, column in enumerate(columns) if len(set(column)) > 1] or [0]
    values = [list(dict.fromkeys(columns[place])) for place in varied]
    if len(varied) == 1:
        values = [list(columns[varied[0]])]
    elif [tuple(row[place] for place in varied) for row in rows] != list(product(*values)):
        raise Unfit("its calls cannot be written in short")
    written = dict(zip(varied, _NAMES, strict=False))
    parts = [written.get(place, column[0]) for place, column in enumerate(columns)]
    over = {name: f"[{', '.join(each)}]" for name, each in zip(_NAMES, values, strict=False)}
    if calls[0].formula is not None:
        return calls[0].formula.written(parts), dict(over)
    call = ", ".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True))
    return f"{calls[0].function}({call})", dict(over)


def _task_rule(rule: TaskRule) -> dict[str, object]:
    keys = _rule(rule.rule, with_hint=True)
    if rule.rejects:
        # Such a submission is not marked, and its student sees that.
        next(iter(keys.values()))["reject"] = True
    return dict(keys)


def _rule(rule: Rule, *, with_hint: bool) -> dict[str, dict[str, object]]:
    options: dict[str, object] = {"modules": list(rule.modules)}
    for key, stated in (
        ("names", list(rule.names)),
        ("fields", dict(rule.fields)),
        ("constructs", list(rule.constructs)),
        ("patterns", list(rule.patterns)),
        ("functions", list(rule.functions)),
        ("for", list(rule.documented)),
        ("select", list(rule.select)),
        ("ignore", list(rule.ignore)),
        ("line length", rule.line_length),
        ("weights", {code: _number(weight) for code, weight in rule.weights} if rule.each else {}),
        ("each", f"{_number(rule.each * 100)}%" if rule.each is not None else ""),
        ("strict", rule.strict),
        ("hint", rule.hint if with_hint else ""),
    ):
        if stated:
            options[key] = stated
    return {rule.kind.value: options}


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


def _number(marks: Fraction) -> int | float | str:
    if marks.denominator == 1:
        return marks.numerator
    return float(marks) if Fraction(str(float(marks))) == marks else format_mark(marks)


def in_essence(value: object) -> object:
    """Return all of a case but its texts for people and its weight; `True` and `1` differ.

    Drawn inputs are listed in a handout: they are the same where the calls and their answers are.
    """
    if isinstance(value, Case):
        value = replace(value, text="", weight=Fraction(1), generated=None)
    elif isinstance(value, Call | Check):
        value = replace(value, text="")
    elif isinstance(value, Table):
        # A literal leaves the dtypes to pandas, and they do not count.
        value = replace(value, dtypes=())
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [
            in_essence(getattr(value, field.name)) for field in fields(value) if field.compare
        ]
    match value:
        case list() | tuple():
            return type(value).__name__, [in_essence(item) for item in value]
        case set() | frozenset():
            return type(value).__name__, sorted(repr(in_essence(item)) for item in value)
        case dict():
            return [(in_essence(key), in_essence(item)) for key, item in value.items()]
    return type(value).__name__, repr(value)


def _toolchain(toolchain: Toolchain) -> object:
    """Return a toolchain as a spec says it."""
    if not toolchain.run:
        return str(toolchain.name)
    keys: dict[str, object] = {"language": toolchain.name, "ending": toolchain.endings[0]}
    if toolchain.build:
        keys["build"] = shlex.join(toolchain.build)
    keys["run"] = shlex.join(toolchain.run)
    return keys | ({"reads": list(toolchain.reads)} if toolchain.reads else {})

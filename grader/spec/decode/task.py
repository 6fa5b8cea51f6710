"""A whole task, from the root mapping of the spec to the model."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from grader.model.digest import digest
from grader.model.kinds import kind_of
from grader.model.policy import UNDATED, Second, Section
from grader.model.submission import Cells, ImportPolicy, as_python
from grader.model.task import Question, Rounding, SpecFile, Task
from grader.spec.decode.answers.data_files import decode_data_files
from grader.spec.decode.calling.inputs import DRAWN, read_inputs, recorded_inputs
from grader.spec.decode.cases.harness import check_names_of_harnesses
from grader.spec.decode.drafts import QuestionDraft
from grader.spec.decode.links import build_questions, case_ids, check_questions
from grader.spec.decode.of_task.included import with_included_questions
from grader.spec.decode.of_task.limits import InheritedLimits, StatedBudget, decode_budget, decode_limits
from grader.spec.decode.of_task.lock import decode_lock
from grader.spec.decode.of_task.names import decode_names
from grader.spec.decode.of_task.penalties import decode_instead, decode_late, decode_smoke
from grader.spec.decode.of_task.policy import decode_attempts, decode_cap, decode_sections
from grader.spec.decode.of_task.rules import decode_rules
from grader.spec.decode.of_task.tables import check_tables
from grader.spec.decode.of_task.toolchains import decode_toolchains
from grader.spec.decode.question import decode_question
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.given.generators import generators_of
from grader.spec.keys.task import TASK
from grader.spec.places import Places
from grader.spec.reference.files import (
    Files,
    define_checkers,
    define_modules,
    own_code,
    read_file,
    read_reference,
)
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Broken, Node, Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, if_usable

_FILE_NAME = re.compile(r"\w[\w. -]{0,99}\.(?:py|ipynb)")
_CELL = re.compile(r"[1-9][0-9]{0,5}")
_SINGLE = ("checkers", "extensions")
"""Keys that name one file, not a folder."""
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def decode_task(
    root: Node, path: Path, content: bytes, reporter: Reporter, recorded: bytes = b""
) -> tuple[Task, Places]:
    """Return the task that the spec states, and its places.  Raises Unusable.

    recorded: the inputs that an earlier run drew, as its file of them has them.
    """
    attached = Files(path.parent)
    fields = opened(with_included_questions(root, attached, reporter), TASK, reporter)
    modules = _modules(fields)
    reference = if_usable(read_reference, fields, path.parent)
    of_reference = tuple((module, as_python(file)) for module, file in modules)
    checkers = if_usable(read_file, fields, "checkers", path.parent, "the checkers")
    context = Context(
        reporter=reporter,
        modules=modules,
        has_reference=fields.has("reference"),
        has_checkers=fields.has("checkers"),
        reference=define_modules(reference, of_reference, reporter) if reference else {},
        checkers=if_usable(define_checkers, checkers, reporter) if checkers else None,
        reference_files=reference,
        checkers_path=checkers.path if checkers else None,
        attached=attached,
        equality=fields["equality"] or "",
    )
    if reference is not None:
        _check_module_files(fields, reference)
    context = decode_names(fields, context)
    data = if_usable(decode_data_files, fields, context) or ()
    context = replace(context, data=tuple(file.name for file in data))
    limits = decode_limits(fields, InheritedLimits())
    budget = decode_budget(fields)
    own = own_code(checkers, fields, "checkers") if checkers else None
    packages, seed = _packages(fields), fields["seed"]
    types = tuple(context.types.values())
    python, found = fields["python"] or "", "" if reporter.was_named else reporter.source.name
    with generators_of(own, types, seed or 0, python, packages, found) as generators:
        context = replace(
            context,
            seed=seed or 0,
            packages=packages,
            generators=generators,
            recorded=read_inputs(recorded, path),
        )
        questions = _questions(fields, context, limits, budget)
    check_tables(questions, context)
    sections = decode_sections(fields, questions)
    _check_questions(fields, questions, sections)
    check_names_of_harnesses(fields, questions, packages)
    late, extensions = decode_late(fields, path.parent)
    lock, lock_file = decode_lock(fields, path.parent)
    task = Task(
        id=fields["task"] or "",
        title=fields["title"] or "",
        marks=fields["marks"] or Fraction(0),
        questions=(),
        modules=modules,
        reference=own_code(reference, fields, "reference", of_reference) if reference else None,
        checkers=own,
        types=types,
        packages=packages,
        lock=lock,
        python=fields["python"],
        toolchains=decode_toolchains(fields, questions, path.parent.resolve()),
        repairs=fields["repairs"],
        imports=fields["import"],
        cells=_cells(fields),
        limits=limits.limits,
        rounding=_rounding(fields),
        seed=seed,
        late=late if late is None or late.deadline != UNDATED else None,
        undated=late if late is not None and late.deadline == UNDATED else None,
        smoke=decode_smoke(fields, case_ids(questions)),
        instead=decode_instead(fields),
        blind=fields["blind"],
        second=_second(fields),
        rules=decode_rules(fields, context),
        cap=decode_cap(fields, questions, sections),
        sections=sections,
        attempts=decode_attempts(fields),
        alone=fields["alone"],
        language=fields["language"],
        more_cases=tuple(dict.fromkeys(scalar.text for scalar in fields["more cases"])),
        data=data,
        spec_path=path,
    )
    if reporter.found_any:
        raise Unusable
    built = build_questions(questions)
    _check_imports(fields, built)
    budget_s, budget_wall_s = budget.completed(_longest_s(built))
    named = {"checkers": checkers, "reference": reference}
    named |= {"extensions": extensions, "attached": context.attached, "lock": lock_file}
    task = replace(task, questions=built)
    drawn = recorded_inputs(task)
    if drawn:
        named["drawn"] = Files(path.parent, {path.name + DRAWN: drawn})
    built_task = replace(
        task,
        budget_s=budget_s,
        budget_wall_s=budget_wall_s,
        spec_sha256=_digest(path, content, named),
        files=(SpecFile(path.absolute(), content), *_spec_files(named)),
    )
    return built_task, _places(fields, questions)


def _places(fields: Fields, questions: list[QuestionDraft]) -> Places:
    reporter = fields.reporter
    cases = {case.id: case.places for question in questions for case in question.cases}
    rules = tuple((reporter.source, node.span) for node in fields["rules"])
    return Places(reporter.source.name, cases, rules)


def _questions(
    fields: Fields, context: Context, limits: InheritedLimits, budget: StatedBudget
) -> list[QuestionDraft]:
    stated: list[Fields | None] = fields["questions"]
    return [decode_question(context, q, limits, budget.time_s) for q in stated if q is not None]


def _check_questions(fields: Fields, drafts: list[QuestionDraft], sections: Sequence[Section]) -> None:
    """Check the questions together."""
    total = fields["marks"] if drafts and len(drafts) == len(fields["questions"]) else None
    check_questions(total, fields.span("marks"), drafts, sections, fields.reporter)


def _check_imports(fields: Fields, questions: Iterable[Question]) -> None:
    """Report a policy for imports in a task that imports nothing of a submission.  Raises Unusable."""
    if fields["import"] is not ImportPolicy.KEEP:
        return
    if not any(kind_of(case).imports for question in questions for case in question.cases):
        message = "`import: keep` has no effect: no case imports a module of a submission"
        fields.report_key("import", message, "programs, rules and students' tests import none")
        raise Unusable


def _longest_s(questions: tuple[Question, ...]) -> float:
    """Return the longest time limit, in seconds, of the cases that run code."""
    cases = (case for question in questions for case in question.cases if kind_of(case).runs)
    return max((case.limits.time_s for case in cases), default=0.0)


def _modules(fields: Fields) -> tuple[tuple[str, str], ...]:
    node: nodes.Mapping | None = fields["modules"]
    reporter = fields.reporter
    found: dict[str, str] = {}
    for key, value in node.pairs if node is not None else ():
        if not is_python_name(key.text):
            reporter.report(key.span, f"`{shown(key.text)}` is not the name of a Python module")
        elif not isinstance(value, Scalar) or not _FILE_NAME.fullmatch(value.text):
            if not isinstance(value, Broken):
                message = "a module's file must be a plain file name such as tour.py, without folders"
                reporter.report(value.span, message, _file_meant(value))
        elif as_python(value.text) in map(as_python, found.values()):
            reporter.report(value.span, f"two modules have the file `{shown(value.text)}`")
        else:
            found[key.text] = value.text
    if node is not None and not node.pairs:
        fields.report("modules", "`modules` names no module", "such as {tour: tour.py}")
    return tuple(found.items())


def _file_meant(value: Node) -> str:
    """Return a hint on the file that a text without `.py`, or with folders, seems to mean."""
    name = value.text.replace("\\", "/").rpartition("/")[2].strip() if isinstance(value, Scalar) else ""
    found = name if "." in name else f"{name}.py"
    return f"did you mean `{found}`?" if _FILE_NAME.fullmatch(found) else ""


def _check_module_files(fields: Fields, reference: Files) -> None:
    """Report the files of modules that the reference lacks."""
    node: nodes.Mapping | None = fields["modules"]
    for _, value in node.pairs if node is not None else ():
        if not isinstance(value, Scalar) or not _FILE_NAME.fullmatch(value.text):
            continue
        file = as_python(value.text)
        if file not in reference.python:
            hint = fields.reporter.nearest_or_all(file, reference.python)
            fields.reporter.report(value.span, f"the reference has no file `{shown(file)}`", hint)


def _packages(fields: Fields) -> tuple[str, ...]:
    found = []
    for scalar in fields["packages"]:
        if _PACKAGE.fullmatch(scalar.text):
            found.append(scalar.text)
        else:
            message = f"`{shown(scalar.text)}` is not a name that Python can import"
            fields.reporter.report(scalar.span, message)
    return tuple(dict.fromkeys(found))


def _cells(fields: Fields) -> Cells:
    inner: Fields | None = fields["cells"]
    if inner is None:
        return Cells()
    stated = [key for key in ("tagged", "defining", "numbers") if inner.has(key)]
    if len(stated) != 1:
        fields.report("cells", "`cells` needs one of the keys `tagged`, `defining` and `numbers`")
    for scalar in inner["defining"]:
        if not is_python_name(scalar.text):
            fields.reporter.report(scalar.span, f"`{shown(scalar.text)}` is not a name in Python")
    numbers = []
    for scalar in inner["numbers"]:
        if _CELL.fullmatch(scalar.text):
            numbers.append(int(scalar.text))
        else:
            message = f"`{shown(scalar.text)}` is not the number of a cell; the first cell is 1"
            fields.reporter.report(scalar.span, message)
    return Cells(
        tags=tuple(scalar.text for scalar in inner["tagged"]),
        numbers=tuple(numbers),
        define=tuple(scalar.text for scalar in inner["defining"]),
    )


def _second(fields: Fields) -> Second | None:
    own: Fields | None = fields["second"]
    return Second(own["share"], own["within"], own["then"], own["blind"]) if own is not None else None


def _rounding(fields: Fields) -> Rounding:
    inner: Fields | None = fields["rounding"]
    return Rounding(inner["step"], inner["mode"]) if inner is not None else Rounding()


def _spec_files(named: Mapping[str, Files | None]) -> Iterator[SpecFile]:
    """Yield the files that the spec names, each where it was read."""
    for role, group in named.items():
        if group is not None:
            for name, content in group.contents.items():
                path = group.path if role in _SINGLE else group.path / name
                yield SpecFile(Path(os.path.abspath(path)), content)


def _digest(path: Path, content: bytes, named: Mapping[str, Files | None]) -> str:
    files = [(f"spec/{path.name}", content)]
    for role, group in named.items():
        if group is not None:
            files += [(f"{role}/{name}", data) for name, data in group.contents.items()]
    parts = (part for name, data in files for part in (name.encode("utf-8", "surrogateescape"), data))
    return digest(parts, label=b"grader-spec/1")

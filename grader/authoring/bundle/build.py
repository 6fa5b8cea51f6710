"""Puts the files of a handout together, and writes them into a folder or a zip."""

import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.authoring.bundle.carried import carried_files, carried_wheels
from grader.authoring.bundle.needed import needed_beside, needed_plugins
from grader.authoring.bundle.own_functions import with_only
from grader.authoring.bundle.page import Installing, page_text
from grader.authoring.bundle.public import (
    LeftOut,
    checker_functions,
    public_cases,
    stripped,
    uses_checkers,
)
from grader.authoring.bundle.spec_text import CHECKERS, PublicQuestion, case_keys, in_essence, spec_text
from grader.authoring.bundle.wheel import Wheel
from grader.authoring.programs import HANDOUT
from grader.engine.proof.prover import Prover
from grader.engine.self_check import SelfCheck
from grader.intake.windows import fault_of_names
from grader.kinds.kind import Unfit
from grader.lab.run_inputs import Expectations
from grader.model.case import Case
from grader.model.errors import Fault, SpecError, UsageError
from grader.model.events import TellPhase, ignore_phase
from grader.model.task import Task
from grader.registry.installed import Plugin
from grader.runtime.folders import walked
from grader.spec import load_spec, load_task
from grader.spec.writing.attachments import Attachments
from grader.store.whole_file import replace_bytes

PAGE, OTHER_PAGE = "README.md", "TASK.md"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip, so that equal handouts are equal bytes."""
_READABLE = 0o644 << 16
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Bundle:
    """A handout: its files by path, what of the public part it lacks, and how many cases it has.

    plugins: those that students have to install.
    wheels: those of the grader and of what it needs; none if it is not to be among the files.
    others: packages and tools that a check needs and that no wheel of these has.
    """

    task: str
    files: Mapping[str, bytes]
    left_out: Sequence[LeftOut]
    cases: int
    plugins: Sequence[Plugin] = ()
    wheels: Sequence[Wheel] = ()
    others: Sequence[str] = ()


def make_bundle(
    spec: Path,
    python: str = "",
    *,
    with_checkers: bool = False,
    with_grader: bool = False,
    anyway: bool = False,
    tell: TellPhase = ignore_phase,
) -> Bundle:
    """Return the handout of a spec.

    with_checkers: the functions that decide about public cases may be seen.
    with_grader: it carries the grader, so that students can check without a network.
    Raises `UsageError`, and `SpecNotProven` if the reference does not pass the public cases.
    """
    tell("reading the spec")
    task, places = load_spec(spec)
    part, left_out = public_cases(task, with_checkers)
    expectations: Expectations = {}
    if part.questions and part.reference is not None:
        with SelfCheck(part, python, tell, Prover(places, anyway)) as session:
            expectations = dict(session.expectations)
    questions = list(_questions(part, expectations, left_out))
    if not questions and not left_out:
        raise UsageError(Fault("this task has no public case", str(spec), hint="see `visibility`"))
    starters = _starters(task)
    of_spec, as_read = _spec_files(task, questions, starters, left_out)
    page = PAGE if PAGE not in starters else OTHER_PAGE
    plugins = needed_plugins(as_read) if as_read is not None else ()
    wheels = carried_wheels() if with_grader and as_read is not None else ()
    others = needed_beside(as_read) if wheels and as_read is not None else ()
    installing = Installing(plugins, bool(wheels), others)
    of_page = {page: page_text(task, as_read, sorted(starters), installing).encode()}
    written = {**of_page, **carried_files(wheels), **of_spec}
    if taken := [name for name, content in starters.items() if written.get(name, content) != content]:
        what = f"the handout writes a file with the name of one that students start from: {taken[0]}"
        raise UsageError(Fault(what, str(_starter_folder(task) / taken[0]), hint="give it another name"))
    if fault := fault_of_names([*starters, *written, *_names_at_students(task, questions)]):
        hint = "rename it: students check their work on Windows too"
        raise UsageError(Fault(f"this handout can't be used everywhere: {fault}", str(spec), hint=hint))
    cases = sum(len(question.cases) for question in questions)
    return Bundle(task.id, {**starters, **written}, left_out, cases, plugins, wheels, others)


def _names_at_students(task: Task, questions: Sequence[PublicQuestion]) -> Iterator[str]:
    """Yield the files that a student writes, and those that a check makes for a case."""
    yield from (file for _, file in task.modules)
    for question in questions:
        for case in question.cases:
            keys = case_keys(task, question.source, case, Attachments(task.id))
            for names in (keys.get("files", ()), keys.get("leaves", ())):
                assert isinstance(names, Iterable)
                yield from names


def _questions(part: Task, expectations: Expectations, left_out: list[LeftOut]) -> Iterator[PublicQuestion]:
    """Yield the questions with their cases written out; what cannot be is added to `left_out`."""
    for question in part.questions:
        cases = []
        for case in question.cases:
            try:
                found = stripped(part, case, expectations.get(case.id))
                case_keys(part, question, found, Attachments(part.id))
            except Unfit as reason:
                left_out.append(LeftOut(case.id, str(reason)))
            else:
                cases.append(found)
        if cases:
            yield PublicQuestion(question, tuple(cases))


def _spec_files(
    task: Task, questions: list[PublicQuestion], starters: Mapping[str, bytes], left_out: list[LeftOut]
) -> tuple[dict[str, bytes], Task | None]:
    """Return the handout's spec, and its checkers; and the task as it is read from them.

    A case that would be read as another one, or that no spec can say, is left out.
    """
    while questions:
        cases = [case for question in questions for case in question.cases]
        files = _files(task, questions, starters)
        try:
            read = _read(task, files)
            by_id = {case.id: case for case in read.cases}
            odd = {
                case.id: "it cannot be written without the spec's own words"
                for case in cases
                if not _is_same(case, by_id.get(case.id))
            }
        except SpecError as error:
            odd = dict(_unreadable(task, questions, starters))
            if not odd:
                what = f"the handout's spec would not be valid: {error.faults[0]}"
                raise UsageError(Fault(what)) from error
        if not odd:
            return files, read
        left_out += [LeftOut(case, odd[case]) for case in sorted(odd)]
        questions[:] = [
            replace(question, cases=kept)
            for question in questions
            if (kept := tuple(case for case in question.cases if case.id not in odd))
        ]
    return {}, None


def _files(
    task: Task, questions: Sequence[PublicQuestion], starters: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the handout's spec with the files that it names, beside those that students start from."""
    cases = [case for question in questions for case in question.cases]
    has_checkers = any(map(uses_checkers, cases))
    attached = Attachments(task.id, {**starters, **dict.fromkeys(_own_names(task))})
    files = {_name(task): spec_text(task, questions, has_checkers, attached).encode(), **attached.contents}
    if has_checkers and task.checkers is not None:
        (source,) = task.checkers.texts.values()
        functions = {function for case in cases for function in checker_functions(case)}
        files[CHECKERS] = with_only(source, functions).encode()
    return files


def _name(task: Task) -> str:
    return f"{task.id}.yaml"


def _own_names(task: Task) -> tuple[str, ...]:
    """Return the names of the files that the grader itself writes."""
    return _name(task), CHECKERS, PAGE, OTHER_PAGE


def _unreadable(
    task: Task, questions: Sequence[PublicQuestion], starters: Mapping[str, bytes]
) -> Iterator[tuple[str, str]]:
    """Yield the cases that a spec of their own cannot say, and why; by halves, since most can be said."""
    try:
        _read(task, _files(task, questions, starters))
    except SpecError as error:
        cases = [
            replace(question, cases=(replace(case, needs=()),))
            for question in questions
            for case in question.cases
        ]
        if len(cases) == 1:
            yield cases[0].cases[0].id, f"it cannot be written in a spec: {error.faults[0].message}"
        else:
            middle = len(cases) // 2
            yield from _unreadable(task, cases[:middle], starters)
            yield from _unreadable(task, cases[middle:], starters)


def _read(task: Task, files: Mapping[str, bytes]) -> Task:
    """Return the task of a spec in memory.  Raises `SpecError`."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_bytes(content)
        return load_task(Path(folder, _name(task)))


def _is_same(case: Case, other: Case | None) -> bool:
    return other is not None and in_essence(case) == in_essence(other)


def _starter_folder(task: Task) -> Path:
    return task.spec_path.with_suffix("") / HANDOUT


def _starters(task: Task) -> dict[str, bytes]:
    """Return the files of `handout/` beside the spec, by path.  Raises `UsageError`."""
    folder = _starter_folder(task)
    found = {}
    try:
        for parent, folders, names in walked(folder):
            folders[:] = sorted(name for name in folders if name[0] != "." and name != "__pycache__")
            for name in sorted(names):
                path = Path(parent, name)
                if name[0] == "." or path.is_symlink() or not path.is_file():
                    continue
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    except OSError as error:
        raise UsageError(Fault(f"this can't be read ({error.strerror})", str(error.filename))) from error
    return found


def write_bundle(bundle: Bundle, out: Path) -> None:
    """Write a handout into a new or empty folder, or into a zip.  Raises `UsageError`."""
    try:
        if out.suffix == ".zip":
            if os.path.lexists(out) and not _is_handout(out, bundle.task):
                what = "there is a file here that is no handout of this task"
                raise UsageError(Fault(what, str(out), hint="choose another with -o, or move it away"))
            replace_bytes(out, zipped(bundle))
            return
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            hint = "name a new folder, or a file that ends in .zip"
            raise UsageError(Fault("this exists, and is not an empty folder", str(out), hint=hint))
        for path, content in bundle.files.items():
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(content)
    except OSError as error:
        raise UsageError(Fault(f"this can't be written ({error.strerror})", str(out))) from error


def _is_handout(path: Path, task: str) -> bool:
    """Tell whether a file is a zip as `zipped` makes it."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False
    return all(each.date_time == _LONG_AGO and each.filename.startswith(f"{task}/") for each in entries)


def zipped(bundle: Bundle) -> bytes:
    """Return the handout as a zip with one folder; equal handouts give equal bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(bundle.files):
            entry = zipfile.ZipInfo(f"{bundle.task}/{path}", _LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, _READABLE
            entry.create_system = _UNIX
            archive.writestr(entry, bundle.files[path])
    return content.getvalue()

"""Writes a draft as a spec, with its checkers, into new files; the spec is loaded before it is kept."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.authoring.written import Keys, Raw, WrittenCase, WrittenQuestion, WrittenSpec, comment
from grader.authoring.written import spec_text as yaml_text
from grader.model.errors import Fault, SpecError, UsageError
from grader.plugins.convert.checkers import checkers_source
from grader.plugins.convert.draft import Draft, Meaning
from grader.spec import load_task
from grader.yamlfile.kinds import marks as marks_text

_HEAD = """\
# Converted from {source} by `grader convert --from {tool}`.  Read it before you use it:
# {converted} of {assertions} {counted} were converted.  The list that was printed names the others.
"""
_EQUAL = "# `equality: python` lets 2.0 count for 2, as `==` does in Python.\n"


@dataclass(frozen=True, slots=True)
class Converted:
    """A spec that loads, and the text of its checkers; empty if it needs none."""

    spec: str
    checkers: str
    draft: Draft


def written(draft: Draft, output: Path, source: str, tool: str) -> Converted:
    """Write the spec, its checkers and what lies beside it; return the first two.

    An existing file is never written to.

    Raises `UsageError` if a file exists, or if nothing could be converted.
    """
    checkers_path = output.with_name(f"{output.stem}_checkers.py")
    names = _checkers(draft)
    beside = output.with_suffix("")
    for path in (output, *((checkers_path,) if names else ()), *((beside,) if draft.files else ())):
        if path.exists():
            raise UsageError(Fault("this file exists already, and is left as it is", where=str(path)))
    checkers = checkers_source(names, draft.checkers, draft.sources) if names else ""
    with tempfile.TemporaryDirectory(prefix="grader-convert-") as folder:
        trial = Path(folder) / output.name
        _lay(draft, trial, checkers)
        kept = _loadable(draft, trial, source, tool, checkers)
    _lay(draft, output, checkers)
    _create(output, kept.spec.encode())
    return kept


def _lay(draft: Draft, output: Path, checkers: str) -> None:
    """Write what stands beside a spec."""
    for name, content in draft.files.items():
        _create(output.with_name(name.partition("/")[0]) / name.partition("/")[2], content)
    if checkers:
        _create(output.with_name(f"{output.stem}_checkers.py"), checkers.encode())


def _create(path: Path, content: bytes | Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                with content.open("rb") as original:
                    shutil.copyfileobj(original, stream)
    except OSError as error:
        raise UsageError(Fault(f"cannot write: {error.strerror}", where=str(path))) from error


def _loadable(draft: Draft, output: Path, source: str, tool: str, checkers: str) -> Converted:
    """Return the spec after loading it; cases and questions that do not load are left out, and said so.

    output: in a folder of its own, where all that it needs stands beside it.
    """
    draft.questions = [_of_one_module(one, draft) for one in draft.questions]
    draft.questions = [kept for one in draft.questions if (kept := _that_loads(one, draft, output))]
    ids = {one.id for one in draft.questions}
    draft.questions = [
        replace(one, needs=tuple(each for each in one.needs if each in ids)) for one in draft.questions
    ]
    if not draft.questions:
        reasons = "\n".join(str(remark) for remark in draft.remarks[:10])
        raise UsageError(Fault("nothing could be converted", where=source, hint=reasons))
    text = spec_text(draft, output.stem, source, tool)
    _check(text, output)
    return Converted(text, checkers, draft)


def _of_one_module(question: WrittenQuestion, draft: Draft) -> WrittenQuestion:
    """Return a question with the cases of its first case's module; a question has a single one."""
    kept = tuple(case for case in question.cases if case.module == question.cases[0].module)
    for case in question.cases:
        if case not in kept:
            reason = f"it calls {case.module}, and the test's first call is of {kept[0].module}"
            draft.leave_out(case, reason)
    return replace(question, cases=kept)


def _that_loads(question: WrittenQuestion, draft: Draft, output: Path) -> WrittenQuestion | None:
    """Return a question that loads; None for none.

    Where each case counts for itself, those that do not load are left out, with their share of the marks.
    """
    if question.award == "each" and not any("weight" in case.keys for case in question.cases):
        cases = tuple(_that_load(question, draft, output))
        if not cases:
            return None
        marks = question.marks * len(cases) / len(question.cases)
        question = replace(question, cases=cases, marks=marks)
    if fault := _fault(question, draft, output):
        file, line = next(((case.file, case.line) for case in question.cases), (question.title, 1))
        draft.remark(file, line, Meaning.LEFT_OUT, fault)
        draft.converted -= len(question.cases)
        return None
    return question


def _that_load(question: WrittenQuestion, draft: Draft, output: Path) -> Iterator[WrittenCase]:
    """Yield those cases of a question that load; the others are noted one by one."""
    fault = _fault(question, draft, output)
    match question.cases:
        case cases if not fault:
            yield from cases
        case [case]:
            name = case.keys.get("name", "a case")
            text = name.text if isinstance(name, Raw) else name
            draft.leave_out(case, f"{question.title}, {text}: {fault}")
        case cases:
            half = len(cases) // 2
            for part in filter(None, (cases[:half], cases[half:])):
                yield from _that_load(replace(question, cases=part), draft, output)


def _fault(question: WrittenQuestion, draft: Draft, output: Path) -> str:
    """Return why a spec with this question alone would not load; empty if it would."""
    single = Draft([replace(question, needs=())], reference=draft.reference, settings=draft.settings)
    try:
        _check(spec_text(single, output.stem), output)
    except SpecError as error:
        return f"the spec would not load: {error.faults[0].message}"
    return ""


def _check(text: str, output: Path) -> None:
    """Load a spec.  Raises `SpecError`."""
    output.write_text(text, encoding="utf-8")
    load_task(output)


def spec_text(draft: Draft, stem: str, source: str = "", tool: str = "") -> str:
    """Return the YAML of a draft.  source: empty for a text without the comment at its start."""
    modules = sorted({case.module for one in draft.questions for case in one.cases}) or [
        draft.module or _name(stem)
    ]
    spec = WrittenSpec(
        task=re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:64] or "task",
        title=_one_line(draft.title or stem.replace("_", " ").replace("-", " ").capitalize() or "Task"),
        checkers=f"{stem}_checkers.py" if _checkers(draft) else "",
        modules=tuple(modules),
        questions=tuple(replace(one, title=_one_line(one.title)) for one in draft.questions),
        reference=draft.reference,
        settings=draft.settings,
    )
    text = yaml_text(spec, marks_text).rstrip() + "\n"
    if not source:
        return text
    head = _HEAD.format(
        source=source.replace("\n", " "),
        tool=tool,
        converted=draft.converted,
        assertions=draft.assertions,
        counted=draft.counted,
    )
    head += "".join(f"{row}\n" for row in comment(" ".join(draft.points_left_out().split())))
    return head + (_EQUAL if "equality: python" in text else "") + text


def _checkers(draft: Draft) -> frozenset[str]:
    """Return the names of the checkers that its cases call."""
    cases = [case.keys for one in draft.questions for case in one.cases]
    steps = [step for keys in cases for step in _steps(keys)]
    checks = [keys.get(key) for keys in (*cases, *steps) for key in ("check", "player")]
    texts = [check.text if isinstance(check, Raw) else str(check) for check in checks if check]
    return frozenset(text.partition("(")[0] for text in texts)


def _steps(keys: Keys) -> Sequence[Keys]:
    steps = keys.get("scenario", ())
    return () if isinstance(steps, str | Raw) else steps


def _one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split()) or "Test"


def _name(stem: str) -> str:
    return re.sub(r"\W", "_", stem, flags=re.ASCII) or "work"

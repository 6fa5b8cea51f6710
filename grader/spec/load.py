"""Loads a spec file: reads its bytes, composes its YAML and decodes the task."""

import re
from pathlib import Path

from grader.intake.nearest import nearest_file
from grader.model.errors import Fault, SpecError, UsageError
from grader.model.task import Task
from grader.spec.decode.task import decode_task
from grader.spec.places import Places
from grader.yamlfile.nodes import Mapping, Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span
from grader.yamlfile.unusable import if_usable

MAX_SPEC_B = 1024 * 1024
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def load_task(path: Path, recorded: bytes = b"") -> Task:
    """Return the task that a spec file states.  Takes and raises the same as `load_spec`."""
    return load_spec(path, recorded)[0]


def load_spec(path: Path, recorded: bytes = b"", *, was_named: bool = True) -> tuple[Task, Places]:
    """Return the task that a spec file states, and the places of its cases and rules.

    recorded: the inputs of generated cases, as an earlier run recorded them; empty to draw them.
    was_named: a person named the file; else it can be anybody's: then no program of its choice starts, all
        that it names lies below it, links followed, and none of its code runs where nothing holds it.

    Raises SpecError with every mistake of the spec, sorted by place, and UsageError where
    the file itself is missing or can't be read.
    """
    content = _read(path)
    reporter = _reporter(path, content, was_named)
    root = compose(reporter)
    if not was_named and isinstance(root, Mapping):
        _refuse_program(root, reporter)
        reporter.raise_if_any()
    found = if_usable(decode_task, root, path, content, reporter, recorded) if root is not None else None
    reporter.raise_if_any()
    if found is None:
        raise AssertionError("a spec without mistakes gave no task")
    return found


def _refuse_program(root: Mapping, reporter: Reporter) -> None:
    """Report an interpreter that is no version: it would run outside of any sandbox.

    Where a plain name is looked for depends on the system; on Windows the current folder comes first.
    """
    for key, value in root.pairs:
        if key.text == "python" and not (isinstance(value, Scalar) and _VERSION.fullmatch(value.text)):
            message = "a program would run without a sandbox, and nobody named this task"
            reporter.report(value.span, message, f"if you trust it: grader check {reporter.source.name}")


def _read(path: Path) -> bytes:
    """Return the bytes of the spec, at most one more than allowed."""
    try:
        if not path.exists():
            near = nearest_file(path)
            hint = f"did you mean {near}?" if near else ""
            raise UsageError(Fault("there is no such spec file", where=str(path), hint=hint))
        if not path.is_file():
            hint = "name the .yaml file itself"
            raise UsageError(Fault("a spec must be a regular file", where=str(path), hint=hint))
        if path.suffix == ".py":
            hint = "`grader new` makes a spec from a reference"
            raise UsageError(Fault("a spec is a YAML file, and this is a Python file", str(path), hint=hint))
        with path.open("rb") as stream:
            return stream.read(MAX_SPEC_B + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its path is not valid"
        raise UsageError(Fault(f"the spec can't be read: {reason}", where=str(path))) from error


def _reporter(path: Path, content: bytes, was_named: bool) -> Reporter:
    """Return a reporter for the spec's text.  Raises SpecError for a file that is too large or not UTF-8."""
    if len(content) > MAX_SPEC_B:
        raise SpecError(Fault(f"a spec can have at most {MAX_SPEC_B // 1024} KiB", where=str(path)))
    try:
        return Reporter(Source(str(path), content.decode("utf-8-sig")), was_named=was_named)
    except UnicodeDecodeError as error:
        # Only the excerpt of the message uses the text with replacement characters.
        source = Source(str(path), content.decode("utf-8", "replace"))
        start = len(content[: error.start].decode("utf-8", "replace"))
        fault = source.fault(Span(start, start + 1), "this is not UTF-8 text", "save the file as UTF-8")
        raise SpecError(fault) from error

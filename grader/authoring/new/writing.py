"""The YAML of a new spec, with comments that say what to edit."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from textwrap import wrap
from typing import TypeAlias

from grader.authoring.new.drafts import NewCase
from grader.authoring.new.source import Class
from grader.marking.rounding import format_mark
from grader.yamlfile.quoting import scalar

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Keys and YAML texts."""

_HEAD = """\
# {title}: started by `grader new` from {origin}.
#
# Each answer is the reference's, as it was when this file was written.  Please read every case and edit it:
# - `marks` of the task is the sum of its questions' marks;
# - cases that say "guessed" come from a signature alone: give them inputs that tell right from wrong;
# - `visibility: hidden` keeps a case from students, and `hint: ...` helps them with it;
# - `award: each` counts cases in proportion; `award: all` asks for all of them.
"""
_HEAD_OF_EXAMPLES = """\
# {title}: started by `grader new` from {origin}.
#
# There is no reference yet, so the examples' own answers count.  Put a solution into reference/{task}/ and
# write `reference: ../reference/{task}`; then `grader try` checks every case against it.
# - `marks` of the task is the sum of its questions' marks;
# - `visibility: hidden` keeps a case from students, and `hint: ...` helps them with it;
# - `award: each` counts cases in proportion; `award: all` asks for all of them.
"""


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A case with its keys; several steps make a scenario.  comment: where it comes from."""

    steps: tuple[Pairs, ...]
    is_scenario: bool
    comment: str
    draft: NewCase


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    title: str
    module: str
    cases: tuple[WrittenCase, ...]


@dataclass(frozen=True, slots=True)
class NewSpec:
    """The parts of a new spec.  left_out: functions without a case.  lost: which marks that costs."""

    task: str
    title: str
    origin: str
    modules: tuple[str, ...]
    questions: tuple[WrittenQuestion, ...]
    marks: tuple[Fraction, ...]
    has_reference: bool = True
    types: tuple[Class, ...] = ()
    packages: tuple[str, ...] = ()
    left_out: tuple[str, ...] = field(default=())
    lost: str = ""


def spec_text(spec: NewSpec) -> str:
    return "\n".join(_lines(spec)) + "\n"


def _lines(spec: NewSpec) -> Iterator[str]:
    head = _HEAD if spec.has_reference else _HEAD_OF_EXAMPLES
    yield head.format(title=spec.title, origin=spec.origin, task=spec.task).rstrip()
    yield f"task: {spec.task}"
    yield f"title: {scalar(spec.title)}"
    yield f"marks: {format_mark(sum(spec.marks, Fraction(0)))}"
    if spec.has_reference:
        yield f"reference: ../reference/{spec.task}"
    yield f"modules: {{{', '.join(f'{name}: {name}.py' for name in spec.modules)}}}"
    if spec.packages:
        yield f"packages: [{', '.join(spec.packages)}]"
    if spec.types:
        yield "types:"
        for made in spec.types:
            key, names = ("members", made.members) if made.members else ("fields", made.fields)
            yield f"  {made.name}: {{{key}: [{', '.join(names)}]}}"
    yield ""
    yield "questions:"
    for number, (question, marks) in enumerate(zip(spec.questions, spec.marks, strict=True), 1):
        yield from _question(number, question, marks, len(spec.modules) > 1)
    if spec.left_out:
        yield f"  # No case was found for: {', '.join(spec.left_out)}."
    if spec.lost:
        lines = wrap(f"{spec.lost[:1].upper()}{spec.lost[1:]}.", 100, break_long_words=False)
        yield from (f"  # {line}" for line in lines)


def _question(number: int, question: WrittenQuestion, marks: Fraction, names_module: bool) -> Iterator[str]:
    yield f'  - id: "{number}"'
    yield f"    title: {scalar(question.title)}"
    if names_module:
        yield f"    module: {question.module}"
    yield f"    marks: {format_mark(marks)}"
    yield "    award: each"
    yield "    cases:"
    comment = ""
    for case in question.cases:
        if case.comment != comment:
            comment = case.comment
            yield f"      # {comment}"
        yield from _case(case)
    yield ""


def _case(case: WrittenCase) -> Iterator[str]:
    if not case.is_scenario:
        yield from _mapping(case.steps[0], 6)
        return
    yield "      - scenario:"
    for step in case.steps:
        yield from _mapping(step, 10)


def _mapping(pairs: Pairs, indent: int) -> Iterator[str]:
    for number, (key, text) in enumerate(pairs):
        yield f"{' ' * indent}{'  ' if number else '- '}{key}: {text}"

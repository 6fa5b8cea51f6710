"""A spec that a command writes, and its YAML, with comments that a person reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from textwrap import wrap
from typing import TypeAlias

from grader.marking.rounding import format_mark
from grader.yamlfile.quoting import in_quotes, list_in_quotes, scalar

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Raw:
    """YAML text that stands as it is; a plain text is quoted where YAML needs it."""

    text: str


Keys: TypeAlias = Mapping[str, str | Raw | Sequence["Keys"]]
"""Keys of the spec in order.  A sequence is a list of mappings, one below the other."""


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A case.

    module: whose code it tries.  file, line: the place where it comes from.
    examples: how many examples it is made of; 0 for a guess.
    comment: stands above it, once for all cases in a row that share it.
    """

    keys: Keys
    module: str
    file: str = ""
    line: int = 0
    examples: int = 1
    comment: str = ""

    @property
    def origin(self) -> str:
        """The place where it comes from, such as `leap.py:12`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question; all its cases try one module.

    needs: the ids of other questions.  criterion: a person marks it, and it has no cases.
    part: of the foreign tests that it was made from.  groups: the key of that name, as YAML.
    around: the keys about code around the student's module.
    remarks: sentences below its cases.  sketch: lines of cases that a person has to complete.
    """

    id: str
    title: str
    marks: Fraction
    cases: tuple[WrittenCase, ...]
    visibility: str = ""
    award: str = ""
    needs: tuple[str, ...] = ()
    criterion: bool = False
    part: str = ""
    groups: str = ""
    around: Keys = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    sketch: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        return self.cases[0].module if self.cases else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSpec:
    """A spec.

    head: the comment at its start.  types: the key and the names that each type has.
    module_first: the questions name their module before their marks.
    left_out: what has no case, with a sketch of each.  lost: which marks that costs.
    settings: more keys of the task.
    """

    head: str = ""
    task: str
    title: str
    modules: tuple[str, ...]
    questions: tuple[WrittenQuestion, ...]
    reference: str = ""
    checkers: str = ""
    packages: tuple[str, ...] = ()
    types: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    module_first: bool = False
    left_out: tuple[WrittenQuestion, ...] = ()
    lost: str = ""
    settings: Mapping[str, Raw] = field(default_factory=dict)


def comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment."""
    return (f"# {row}" for row in wrap(text, _WIDTH, break_long_words=False))


def spec_text(spec: WrittenSpec, mark: Callable[[Fraction], str] = format_mark) -> str:
    """Return the YAML of a spec.  mark: writes a number of marks."""
    return spec.head + "\n".join(_lines(spec, mark)) + "\n"


def _lines(spec: WrittenSpec, mark: Callable[[Fraction], str]) -> Iterator[str]:
    keys: dict[str, str | Raw | Sequence[Keys]] = {
        "task": Raw(spec.task),
        "title": spec.title,
        "marks": Raw(mark(sum((question.marks for question in spec.questions), Fraction(0)))),
        "reference": Raw(spec.reference),
        "checkers": Raw(spec.checkers),
        "modules": Raw(f"{{{', '.join(f'{name}: {name}.py' for name in spec.modules)}}}"),
        "packages": Raw(f"[{', '.join(spec.packages)}]" if spec.packages else ""),
        **spec.settings,
    }
    yield from _mapping(keys)
    if spec.types:
        yield "types:"
        for name, (key, names) in spec.types.items():
            yield f"  {name}: {{{key}: [{', '.join(names)}]}}"
    yield from ("", "questions:")
    for question in spec.questions:
        yield from _item(_question(question, spec, mark))
        yield ""
    if spec.left_out:
        yield f"  # No case was found for: {', '.join(each.title for each in spec.left_out)}."
        for each in spec.left_out:
            if each.sketch:
                yield from (f"  # {line}" for line in _sketched(each))
            yield from (f"  {line}" for text in each.remarks for line in comment(text))
    if spec.lost:
        yield from (f"  {line}" for line in comment(f"{spec.lost[:1].upper()}{spec.lost[1:]}."))


def _question(question: WrittenQuestion, spec: WrittenSpec, mark: Callable[[Fraction], str]) -> Iterator[str]:
    marks = {"marks": Raw(mark(question.marks))}
    module = {"module": Raw(question.module if len(spec.modules) > 1 else "")}
    head: Keys = {"id": Raw(in_quotes(question.id)), "title": question.title}
    yield from _mapping({**head, **module, **marks} if spec.module_first else {**head, **marks, **module})
    if question.criterion:
        yield "criteria:"
        yield f"  - {{id: answer, title: Answer, marks: {mark(question.marks)}}}"
        if question.sketch:
            yield "# A person marks it so.  With cases instead of `criteria`, the grader does:"
            yield from (
                f"# {line}" for line in ("award: each", "cases:", *(f"  {each}" for each in question.sketch))
            )
        yield from (line for text in question.remarks for line in comment(text))
        return
    yield from _mapping(
        {"award": Raw(question.award), "groups": Raw(question.groups), "visibility": Raw(question.visibility)}
    )
    yield from _mapping(question.around)
    yield "cases:"
    above = ""
    needs: Keys = {"needs": Raw(_listed(question.needs))} if question.needs else {}
    for case in question.cases:
        if case.comment != above:
            above = case.comment
            yield f"  # {above}"
        yield from _item(_mapping({**case.keys, **needs}))
    yield from (f"  {line}" for text in question.remarks for line in comment(text))


def _listed(ids: Sequence[str]) -> str:
    """Return one id, or a list of them."""
    return in_quotes(ids[0]) if len(ids) == 1 else list_in_quotes(ids)


def _sketched(question: WrittenQuestion) -> Iterator[str]:
    """Yield the lines of a question that a person has to complete."""
    yield f'- id: "{question.id or "..."}"'
    yield f"  title: {scalar(question.title)}"
    yield "  marks: ..."
    yield "  cases:"
    yield from (f"    {line}" for line in question.sketch)


def _mapping(keys: Keys) -> Iterator[str]:
    """Yield the lines of a mapping; a key whose text is empty has none."""
    for key, value in keys.items():
        if isinstance(value, str):
            yield f"{key}: {scalar(value)}"
        elif isinstance(value, Raw):
            if value.text:
                yield f"{key}: {value.text}"
        else:
            yield f"{key}:"
            for each in value:
                yield from _item(_mapping(each))


def _item(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines as an entry of a list."""
    return (f"{'    ' if number else '  - '}{line}" for number, line in enumerate(lines))

"""Included files, and the questions that a spec takes from them: `include: FILE#ID`.

A question with `include` is merged with the named one before it is decoded: each node keeps its own place,
so a mistake is told in the file that has it.
"""

from dataclasses import replace

from grader.spec.keys.task import INCLUDED, QUESTION
from grader.spec.reference.files import Files, read_attached
from grader.yamlfile.nodes import Broken, Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, if_usable

_WRITTEN = "write the file and the question's id, such as shogun/questions.yaml#3"

_MOST_STEPS = 10
"""The most questions that include one another in a row."""


def open_included(fields: Fields, attached: Files) -> Fields:
    """Return the keys of the file that `include` names.  Raises Unusable.

    attached: the spec's folder, and its files that were read so far.
    """
    content = read_attached(fields, "include", attached)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        fields.report("include", "the included file is not UTF-8 text")
        raise Unusable from None
    reporter = fields.reporter.beside(Source(str(attached.path / fields["include"]), text))
    root = compose(reporter)
    if root is None:
        raise Unusable
    return opened(root, INCLUDED, reporter)


def with_included_questions(root: Node, attached: Files, reporter: Reporter) -> Node:
    """Return the spec's root with each question that includes another one merged with it."""
    if not isinstance(root, Mapping):
        return root
    merger = _Merger(attached, reporter)

    def merged(key: Scalar, node: Node) -> Node:
        if key.text != "questions" or not isinstance(node, Sequence):
            return node
        return replace(node, items=tuple(merger.merged(item, ()) for item in node.items))

    return replace(root, pairs=tuple((key, merged(key, node)) for key, node in root.pairs))


class _Merger:
    """Merges questions with those that they include; reads each file once."""

    def __init__(self, attached: Files, reporter: Reporter) -> None:
        self._attached = attached
        self._reporter = reporter
        self._files: dict[str, dict[str, Node] | None] = {}

    def merged(self, question: Node, way: tuple[str, ...]) -> Node:
        """Return a question with all that it includes.  way: the questions that led here."""
        if not isinstance(question, Mapping):
            return question
        pairs = {key.text: (key, value) for key, value in question.pairs}
        _, include = pairs.pop("include", (None, None))
        if include is None:
            return question
        base = if_usable(self._base, include, way)
        if base is None:
            return Broken(question.span)
        taken = {key.text: (key, value) for key, value in base.pairs}
        if "cases" in pairs and "cases" in taken:
            key, own = pairs["cases"]
            pairs["cases"] = (key, _merged_cases(taken["cases"][1], own))
        return replace(question, pairs=tuple({**taken, **pairs}.values()))

    def _base(self, include: Node, way: tuple[str, ...]) -> Mapping:
        """Return the question that `include` names, with all that it includes itself.  Raises Unusable."""
        if isinstance(include, Broken):
            raise Unusable
        path, mark, question_id = include.text.partition("#") if isinstance(include, Scalar) else ("", "", "")
        if not path or (mark and not question_id) or not isinstance(include, Scalar):
            self._report(
                include.span, "`include` of a question must name a question of another file", _WRITTEN
            )
            raise Unusable
        name = f"{path}#{question_id}"
        if name in way:
            by_way = ", ".join(f"`{shown(step)}`" for step in way)
            self._report(include.span, "this question would include itself", f"by way of {by_way}")
            raise Unusable
        if len(way) == _MOST_STEPS:
            self._report(
                include.span, f"this would be the file after {_MOST_STEPS} others", "include it directly"
            )
            raise Unusable
        questions = self._questions(replace(include, text=path))
        if questions is None:
            raise Unusable
        if question_id not in questions:
            ids = self._reporter.nearest_or_all(question_id, questions)
            missing = f"{shown(path)} has no question `{shown(question_id)}`"
            unsaid = f"`include` must say which question of {shown(path)}"
            self._report(include.span, missing if mark else unsaid, ids if mark else _WRITTEN)
            raise Unusable
        base = self.merged(questions[question_id], (*way, name))
        if not isinstance(base, Mapping):
            raise Unusable
        return base

    def _questions(self, path: Scalar) -> dict[str, Node] | None:
        """Return the questions of a file by id; None if a mistake was reported."""
        if path.text not in self._files:
            name = Scalar(path.span, "include")
            reporter = self._reporter.beside(path.span.source) if path.span.source else self._reporter
            fields = Fields(Mapping(path.span, ((name, path),), flow=False), _INCLUDE, reporter)
            inner = if_usable(open_included, fields, self._attached)
            self._files[path.text] = _by_id(inner["questions"] or ()) if inner is not None else None
        return self._files[path.text]

    def _report(self, span: Span, message: str, hint: str) -> None:
        self._reporter.report(span, message, hint)


_INCLUDE = replace(QUESTION, keys=(QUESTION.key("include"),))
"""The table of a mapping that has `include` alone."""


def _by_id(questions: tuple[Node, ...]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for question in questions:
        if isinstance(question, Mapping):
            ids = (
                value.text for key, value in question.pairs if key.text == "id" and isinstance(value, Scalar)
            )
            found.setdefault(next(ids, ""), question)
    return found


def _merged_cases(included: Node, own: Node) -> Node:
    """Return the included cases, each replaced by the own case of the same name, then the other own cases."""
    if not isinstance(included, Sequence) or not isinstance(own, Sequence):
        return own
    by_name = {name: case for case in own.items if (name := _name(case))}
    known = {_name(case) for case in included.items}
    items = [by_name.get(_name(case), case) for case in included.items]
    return replace(own, items=(*items, *(case for case in own.items if _name(case) not in known - {""})))


def _name(case: Node) -> str:
    """Return a case's name, empty if it has none."""
    pairs = case.pairs if isinstance(case, Mapping) else ()
    return next((value.text for key, value in pairs if key.text == "name" and isinstance(value, Scalar)), "")

"""Looks for what a student must not see: calls, answers and hints of hidden cases.

Calls and hints of hidden cases are replaced by planted texts, which occur nowhere else, and the student's own
view of a wrong program's result is searched for them.  An answer cannot be replaced, since it is judged; so
answers are looked for that are long enough to occur nowhere by chance.
"""

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from grader.model.case import Case, Visibility
from grader.model.kinds import calls_of, kind_of
from grader.model.results import CaseResult, SubmissionResult, TaskHead
from grader.model.task import Question, Task
from grader.model.validation import Check, Gravity, Remark
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student

_SHORTEST = 8
"""The characters of an answer that can hardly stand in a text by chance."""
_OF_THE_STUDENT = frozenset({"actual", "stdout", "stderr", "raised", "printed"})
"""Fields that hold a student's own text."""


def planted(task: Task) -> Task:
    """Return the task with planted texts for the calls and hints of its hidden cases."""

    def plant(case: Case) -> Case:
        if case.visibility is Visibility.PUBLIC:
            return case
        return replace(case, text=_call_of(case.id), hint=_hint_of(case.id))

    questions = (replace(each, cases=tuple(map(plant, each.cases))) for each in task.questions)
    return replace(task, questions=tuple(questions))


def _call_of(case: str) -> str:
    return f"planted_call_of_{case}(1, 2, 3)"


def _hint_of(case: str) -> str:
    return f"planted hint of {case}"


def secrets_told(task: TaskHead, result: SubmissionResult) -> list[list[str]]:
    """Return what a student sees of hidden cases: case, what of it, and where.

    result: of a task that `planted` returned.
    """
    hidden = [
        case
        for question in result.questions
        for case in question.cases
        if case.visibility is not Visibility.PUBLIC
    ]
    if not hidden:
        return []
    view = for_student(result)
    texts = list(_texts(view, ""))
    texts.append(("the terminal", to_text(check_lines(task, view, 1000))))
    answers = _answers(hidden, view)
    found = []
    for where, text in texts:
        for case in hidden:
            if _call_of(case.id) in text:
                found.append([case.id, "call", where])
            if _hint_of(case.id) in text:
                found.append([case.id, "hint", where])
            if where != "the terminal" and answers.get(case.id, "") in text and case.id in answers:
                found.append([case.id, "answer", where])
    return found


def _answers(hidden: list[CaseResult], view: SubmissionResult) -> dict[str, str]:
    """Return the answers of hidden cases that can be looked for: those that no public case has too."""
    known = [
        case.expected + case.call
        for question in view.questions
        for case in question.cases
        if not case.withheld
    ]
    return {
        case.id: case.expected
        for case in hidden
        if len(case.expected) >= _SHORTEST and not any(case.expected in text for text in known)
    }


def _texts(value: object, where: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a result that are not the student's own, each with its place."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _texts(each, where)
    elif is_dataclass(value):
        name = f"{value.id}: " if isinstance(value, CaseResult) else ""
        for field in fields(value):
            if field.name not in _OF_THE_STUDENT:
                yield from _texts(getattr(value, field.name), f"{name or where}{field.name if name else ''}")


def secrets_in_spec(task: Task) -> Iterator[Remark]:
    """Yield what the public part of a question gives away by itself: hidden calls and long answers."""
    for question in task.questions:
        public = [case for case in question.cases if case.visibility is Visibility.PUBLIC]
        for case in question.cases:
            if case.visibility is not Visibility.PUBLIC and kind_of(case).runs:
                yield from _given_away(question, case, public)


def _given_away(question: Question, case: Case, public: list[Case]) -> Iterator[Remark]:
    for other in public:
        calls = calls_of(case).calls
        if calls and calls == calls_of(other).calls:
            text = f"the hidden case makes the same call as the public case {other.id}"
            yield _remark(question, case, text, "hide that one too, or try another input")
        elif case.text and case.text in other.hint:
            yield _remark(question, case, f"the hint of {other.id} holds the hidden call {case.text}", "")
        for name in _shared_tables(case, other):
            text = f"`{name}` stands in the public test {other.id} too, whose failure can show all of it"
            yield _remark(
                question, case, text, "write two: one for the public tests, one for the hidden ones"
            )
    expected = _literal(case)
    if len(expected) >= _SHORTEST:
        told = {"the title": question.title} | {f"the hint of {other.id}": other.hint for other in public}
        # Student code can read the harness of its own case too.
        for each in (*public, case):
            told |= calls_of(each).own_code
        for where, text in told.items():
            if expected in text:
                yield _remark(question, case, f"{where} holds the hidden answer {expected}", "")


def _shared_tables(case: Case, other: Case) -> list[str]:
    """Return the names of the data that two tests of test files share."""
    one, two = (kind_of(each).test_texts(each) for each in (case, other))
    return [name for file in one if file in two for name in _tables(one[file]) & _tables(two[file])]


def _tables(text: str) -> set[str]:
    """Return the names of a module that are lists, tuples, sets or dicts of constants with several items."""
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            try:
                value = ast.literal_eval(node.value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(value, list | tuple | set | dict) and len(value) > 1:
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def _literal(case: Case) -> str:
    value = getattr(calls_of(case).decides, "value", None)
    return repr(value) if value is not None else ""


def _remark(question: Question, case: Case, text: str, hint: str) -> Remark:
    return Remark(
        check=Check.SECRETS, gravity=Gravity.ODD, question=question.id, case=case.id, text=text, hint=hint
    )

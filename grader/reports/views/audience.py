"""The student's view of a result: the one place that decides what a student may see.

Every output for a student is rendered from the value that `for_student` returns, never from the results
themselves.  That value is built from a list of allowed fields, so a field that a later version adds stays
with the staff until it is named here.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

from grader.model import results as model
from grader.model.case import Visibility
from grader.model.submission import Instead, Remark
from grader.model.verdict import Verdict
from grader.reports.words import say, word

HIDDEN_CASE = word("Hidden case")
"""Shown instead of the call of a withheld case."""

HIDDEN_GROUP = word("Group {n}")
"""Shown with its number instead of the name of a group whose cases are all withheld."""

REASON_WITHHELD = word("Did not run; the reason would give a hidden case away.")
"""Shown instead of a message that quotes the call of a withheld case."""

_QUOTE_LENGTH = 12
"""A message with this many consecutive characters of a hidden call counts as a quotation of it."""

_OF_A_WITHHELD_CASE = ("verdict", "score", "weight")

_ALLOWED: Mapping[type, Collection[str]] = {
    model.SubmissionResult: (
        *("id", "name", "mark", "max_mark", "status", "content_sha256", "late_s", "deadline", "submitted"),
        *("penalties", "overrides", "problems", "notes", "questions", "awaiting", "rules"),
        *("caps", "attempts", "counting", "sources", "instead", "remarks"),
    ),
    model.QuestionResult: (
        *("id", "title", "mark", "max_mark", "verdict", "award", "cases", "criteria", "groups", "bonus"),
    ),
    model.GroupResult: ("id", "award", "at_least", "mark", "max_mark", "accepted", "cases", "bonus"),
    model.Cap: ("title", "most", "amount"),
    model.AttemptResult: ("id", "mark", "status", "submitted", "late_s", "counts"),
    model.CaseResult: (
        *("id", "call", "title", "verdict", "visibility", "score", "weight", "group", "hint"),
        *("cpu_s", "wall_s", "peak_rss_b", "time_limit_s", "timing", "growth"),
        *("message", "expected", "actual", "difference", "raised", "findings", "pictures"),
        *("stdout", "stderr", "printed", "expected_print", "steps", "given", "dialogue"),
        "stopped_at",
    ),
    model.CriterionResult: (
        "id",
        "title",
        "description",
        "mark",
        "max_mark",
        "comment",
        "by",
        "date",
        "work",
    ),
    model.Penalty: ("reason", "amount"),
    model.Override: ("question", "before", "after", "reason", "by", "date", "work"),
    Instead: ("file", "by", "reason", "work", "attempt"),
    Remark: ("comment", "by", "date", "question", "file", "line", "text"),
    model.RuleResult: ("rule", "effect", "findings", "hint", "note"),
    model.RuleFinding: ("file", "line", "message", "excerpt"),
}
"""Fields that a student may see.  A field's value is shown whole if its class is not named here."""

_T = TypeVar("_T")


def for_student(submission: model.SubmissionResult, released: bool = False) -> model.SubmissionResult:
    """Return a view of the submission that is safe to hand to its student.

    released: the marks are out, so cases that are hidden until then are shown.
    A withheld case keeps its verdict, score and weight, is called `HIDDEN_CASE` and has `withheld` set; all
    its other fields are empty.  Its number in the question stands for its name, which may tell what is tried.
    """
    hidden_calls = [case.call for case in submission.cases if _is_withheld(case, released)]

    def shown(question: model.QuestionResult) -> model.QuestionResult:
        parts = [
            _withheld(case, f"{question.id}.{number}")
            if _is_withheld(case, released)
            else _shown(case, hidden_calls)
            for number, case in enumerate(question.cases, 1)
        ]
        return _allowed(question, cases=tuple(parts), groups=_groups(question, released))

    questions = tuple(map(shown, submission.questions))
    return _allowed(submission, questions=questions, name=_name(submission))


def _groups(question: model.QuestionResult, released: bool) -> tuple[model.GroupResult, ...]:
    """Return the groups of a question; one without a case that the student may see has no name of its own."""
    seen = {case.group for case in question.cases if not _is_withheld(case, released)}
    return tuple(
        _allowed(group, **({} if group.id in seen else {"id": say(HIDDEN_GROUP, n=number)}))
        for number, group in enumerate(question.groups, 1)
    )


def _name(submission: model.SubmissionResult) -> str:
    """Return the student's name; empty where an id stands for it."""
    person = submission.person
    if person is None or (person.name and person.name not in person.ids.values()):
        return submission.name
    return ""


def _allowed(value: _T, **instead: Any) -> _T:
    """Return a new value of the same class with the allowed fields alone, at every level.

    instead: values of fields that are not copied.
    """
    kind = type(value)
    copied = {name: getattr(value, name) for name in _ALLOWED[kind]} | instead
    for name, found in copied.items():
        if type(found) is tuple and found and type(found[0]) in _ALLOWED and name not in instead:
            copied[name] = tuple(map(_allowed, found))
        elif type(found) in _ALLOWED and name not in instead:
            copied[name] = _allowed(found)
    return kind(**copied)


def _is_withheld(case: model.CaseResult, released: bool) -> bool:
    if case.visibility == Visibility.PUBLIC:
        return False
    # A visibility that this version does not know is withheld too.
    return not (released and case.visibility == Visibility.AFTER_DUE)


def _withheld(case: model.CaseResult, case_id: str) -> model.CaseResult:
    kept = {name: getattr(case, name) for name in _OF_A_WITHHELD_CASE}
    return model.CaseResult(
        id=case_id, **kept, call=say(HIDDEN_CASE), visibility=Visibility.HIDDEN, withheld=True
    )


def _shown(case: model.CaseResult, hidden_calls: Iterable[str]) -> model.CaseResult:
    if case.verdict == Verdict.SKIPPED and _quotes(case.message, hidden_calls):
        return _allowed(case, message=say(REASON_WITHHELD))
    return _allowed(case)


def _quotes(message: str, calls: Iterable[str]) -> bool:
    """Tell whether the message quotes a call, whole or in part.

    The reason for a skip may name the required case.  Its id is public, its call may not be, and a long call
    may be quoted in a shortened form.
    """
    pieces = [message[start : start + _QUOTE_LENGTH] for start in range(len(message) - _QUOTE_LENGTH + 1)]
    return any((call and call in message) or any(piece in call for piece in pieces) for call in calls)

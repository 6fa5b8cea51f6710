"""Adds the criteria that a person has yet to mark at the end of the file of reviews.

The file is never rewritten: its text stays the same byte for byte, with comments and order.  If nothing can
be added in that way, a message says so, and the marker adds it by hand.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from grader.marking.rounding import format_mark
from grader.model.errors import UsageError
from grader.model.task import Criterion, Task
from grader.records.reviews.content import Reviews
from grader.records.reviews.reading import parse_reviews
from grader.store.one_writer import one_writer
from grader.store.whole_file import replace_text
from grader.yamlfile.quoting import in_quotes, quoted

_HEAD = """\
# Marks that people give for {title} ({id}).
#
# Write the marks after `marks:`, who gives them after `by:`, and mark the batch again.  What is
# left blank waits.  grader adds at the end what is missing here and changes nothing else.
# `work:` is the digest of the work that was there.  If another one comes, grader tells you to look again.
# A mark that grader gave can be overridden too, in a review of its own or in one that is here:
#
#   overrides:
#     - {{question: "1", marks: 1, reason: why}}     # without `question`: the whole mark
"""
_LIST_ITEM = re.compile(r"^( *)- ", re.MULTILINE)


_BLANK = re.compile(
    r"[ ]*(?:#.*|- student: .*|(?:by|date|criteria|comment):|work: .*|marks:(?:[ ]+#.*)?|[^\s:#]+:)?[ ]*"
)
"""A line of what is added: it gives no mark, no author and no comment."""


def is_blank(added: bytes) -> bool:
    """Tell whether the end of a file of reviews is as the grader adds it, and nobody wrote into it."""
    lines = added.decode("utf-8", "replace").splitlines()
    return all(_BLANK.fullmatch(text) for text in lines)


NO_WORKS: Mapping[str, str] = MappingProxyType({})


def missing(awaiting: Mapping[str, Sequence[str]], *reviews: Reviews) -> dict[str, list[str]]:
    """Return by student the awaited criteria that no file lists yet."""
    found = {
        student: [name for name in names if not any(name in one.listed.get(student, ()) for one in reviews)]
        for student, names in awaiting.items()
    }
    return {student: names for student, names in sorted(found.items()) if names}


def extended(
    text: str, task: Task, wanted: Mapping[str, Sequence[str]], works: Mapping[str, str] = NO_WORKS
) -> str:
    """Return the text of a file of reviews with the awaited criteria added at its end.

    text: the file as it is, empty if there is none.  works: the digest of each student's work.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    item = _LIST_ITEM.search(text)
    indent = item[1] if item is not None else ""
    criteria = {c.id: c for question in task.questions for c in question.criteria}
    lines: list[str] = []
    for student, names in wanted.items():
        lines += ["", f"- student: {quoted(student)}", "  by:", "  date:"]
        lines += [f"  work: {in_quotes(works[student])}"] if works.get(student) else []
        lines += ["  criteria:"]
        for name in names:
            lines += [f"    {name}:", f"      marks:    # {_about(criteria[name])}", "      comment:"]
    start = text or _HEAD.format(title=" ".join(task.title.split()), id=task.id)
    if not start.endswith(("\n", "\r")):
        start += newline
    return start + newline.join(indent + line if line else "" for line in lines) + newline


def add_awaited(
    path: Path,
    task: Task,
    awaiting: Mapping[str, Sequence[str]],
    students: Collection[str],
    works: Mapping[str, str] = NO_WORKS,
    others: Reviews | None = None,
    known: bytes = b"",
    id_of: Callable[[str], str] = str,
) -> str:
    """Add the awaited criteria to the file at `path`; make the file and its folder if they are missing.

    awaiting: the criteria by student.  works: see `extended`.  others: what stands in further files.
    known: what the file held when it was there; it comes back with that.
    id_of: see `reviews_in`.
    Returns why nothing could be added, empty if it was.
    Raises OSError, and `UsageError` if the file can't be read.
    """
    # What a link leads to is changed, so that both names stay one file.
    path = path.resolve()
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True)
    with one_writer(path):
        return _added(path, task, awaiting, students, works, others, known, id_of)


def _added(
    path: Path,
    task: Task,
    awaiting: Mapping[str, Sequence[str]],
    students: Collection[str],
    works: Mapping[str, str],
    others: Reviews | None,
    known: bytes,
    id_of: Callable[[str], str],
) -> str:
    text = (path.read_bytes() if path.exists() else known).decode()
    before = parse_reviews(text, str(path), task, students, whole_batch=False, id_of=id_of)
    wanted = missing(awaiting, before, others or Reviews())
    if not wanted:
        return ""
    longer = extended(text, task, wanted, works)
    try:
        after = parse_reviews(longer, str(path), task, students, whole_batch=False, id_of=id_of)
    except UsageError:
        after = Reviews()
    if any(after.by_student.get(name) != review for name, review in before.by_student.items()) or missing(
        awaiting, after, others or Reviews()
    ):
        return "it does not end in a way that something can be added to"
    if text != (path.read_bytes() if path.exists() else known).decode():
        return "it was changed meanwhile"
    replace_text(path, longer, alike=True)
    return ""


def _about(criterion: Criterion) -> str:
    levels = sorted(level.marks for level in criterion.levels)
    choice = ", ".join(map(format_mark, levels)) if levels else f"0 to {format_mark(criterion.marks)}"
    return f"{choice}: {' '.join(criterion.title.split())}"

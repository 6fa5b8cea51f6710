"""What a person has yet to mark, added at the end of the file of reviews.

The file is never rewritten: what stands in it stays as it is, byte for byte, comments and order
included.  Where nothing can be added in that way, the marker is told so and adds it by hand.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.marking.rounding import format_mark
from grader.model.errors import UsageError
from grader.model.task import Criterion, Task
from grader.records.reviews import Reviews, parse_reviews
from grader.store.whole_file import replace_text

_HEAD = """\
# Marks that people give for {title} ({id}).
#
# Write the marks after `marks:`, who gives them after `by:`, and mark the batch again.  What is
# left blank waits.  grader adds at the end what is missing here and changes nothing else.
# A mark that grader gave can be overridden too, in a review of its own or in one that is here:
#
#   overrides:
#     - {{question: "1", marks: 1, reason: why}}     # without `question`: the whole mark
"""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_LIST_ITEM = re.compile(r"^( *)- ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Extended:
    """What became of the file; refusal: why nothing could be added, empty where it was."""

    added: int
    refusal: str = ""


def missing(awaiting: Mapping[str, Sequence[str]], reviews: Reviews) -> dict[str, list[str]]:
    """Return by student the awaited criteria that the file does not list yet."""
    found = {
        student: [name for name in names if name not in reviews.listed.get(student, ())]
        for student, names in awaiting.items()
    }
    return {student: names for student, names in sorted(found.items()) if names}


def extended(text: str, task: Task, wanted: Mapping[str, Sequence[str]]) -> str:
    """Return the text of a file of reviews with what is awaited added at its end.

    text: the file as it is, empty where there is none.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    item = _LIST_ITEM.search(text)
    indent = item[1] if item is not None else ""
    criteria = {c.id: c for question in task.questions for c in question.criteria}
    lines: list[str] = []
    for student, names in wanted.items():
        lines += ["", f"- student: {_quoted(student)}", "  by:", "  date:", "  criteria:"]
        for name in names:
            lines += [f"    {name}:", f"      marks:    # {_about(criteria[name])}", "      comment:"]
    start = text or _HEAD.format(title=task.title, id=task.id)
    if not start.endswith(("\n", "\r")):
        start += newline
    return start + newline.join(indent + line if line else "" for line in lines) + newline


def add_awaited(
    path: Path, task: Task, awaiting: Mapping[str, Sequence[str]], students: Collection[str]
) -> Extended:
    """Add what is awaited to the file at `path`; it and its folder are made where there are none.

    awaiting: the criteria by student.  Raises OSError, and `UsageError` where the file can't be read.
    """
    text = path.read_bytes().decode() if path.exists() else ""
    before = parse_reviews(text, str(path), task, students, whole_batch=False)
    wanted = missing(awaiting, before)
    if not wanted:
        return Extended(0)
    longer = extended(text, task, wanted)
    try:
        after = parse_reviews(longer, str(path), task, students, whole_batch=False)
    except UsageError:
        after = Reviews()
    if any(after.by_student.get(name) != review for name, review in before.by_student.items()) or missing(
        awaiting, after
    ):
        return Extended(0, "it does not end in a way that something can be added to")
    path.parent.mkdir(parents=True, exist_ok=True)
    if text != (path.read_bytes().decode() if path.exists() else ""):
        return Extended(0, "it was changed meanwhile")
    replace_text(path, longer)
    return Extended(sum(map(len, wanted.values())))


def _about(criterion: Criterion) -> str:
    levels = sorted(level.marks for level in criterion.levels)
    choice = ", ".join(map(format_mark, levels)) if levels else f"0 to {format_mark(criterion.marks)}"
    return f"{choice}: {' '.join(criterion.title.split())}"


def _quoted(student: str) -> str:
    """Return an id as YAML reads it back as text; ids hold letters, digits and `-_.` of any script."""
    if _PLAIN.fullmatch(student) and student.casefold() not in _WORDS:
        return student
    return json.dumps(student, ensure_ascii=False)

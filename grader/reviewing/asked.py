"""What a page asks for, read from plain data: hostile until it has been through here."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.model.submission import OverridingMark, Remark
from grader.model.task import Criterion, Task
from grader.reviewing.given import Given
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.quantities import decimal
from grader.yamlfile.source import CONTROL

_LONGEST_TEXT = 20_000
_LONGEST_NAME = 300
_MOST_USES = 50


class Refused(Exception):
    """The request can't be carried out; its text says why, for the person at the page."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mapping that a page sent."""

    data: Mapping[str, object]

    def text(self, name: str, most: int = _LONGEST_NAME) -> str:
        """Return a text, without blanks around it; empty where it is missing."""
        found = self.data.get(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            raise Refused(f"{name} is no text")
        found = found.replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(found) > most:
            raise Refused(f"{name} is longer than {most:,} characters")
        if CONTROL.search(found):
            raise Refused(f"{name} holds a control character")
        return found

    def words(self, name: str) -> str:
        """Return a text of a person's."""
        return self.text(name, _LONGEST_TEXT)

    def number(self, name: str) -> int:
        found = self.data.get(name)
        if not isinstance(found, int) or isinstance(found, bool):
            raise Refused(f"{name} is no whole number")
        return found

    def names(self, name: str) -> tuple[str, ...]:
        found = self.data.get(name)
        if found is None:
            return ()
        if not isinstance(found, list) or len(found) > _MOST_USES:
            raise Refused(f"{name} is no list")
        if not all(isinstance(each, str) for each in found):
            raise Refused(f"{name} holds something that is no text")
        return tuple(dict.fromkeys(found))

    def inner(self, name: str) -> "Sent | None":
        """Return a mapping in this one; None where there is none."""
        found = self.data.get(name)
        if found is not None and not isinstance(found, dict):
            raise Refused(f"{name} is no mapping")
        return Sent(found) if found is not None else None


def marks_in(text: str, most: Fraction, what: str) -> Fraction:
    """Return marks as a person typed them, with a decimal point or comma.  Raises `Refused`."""
    found = decimal(text.replace(",", "."))
    if found is None:
        raise Refused(f"{text[:20]!r} is no number of marks")
    if found > most:
        raise Refused(f"{what} is worth {shown_marks(most)} at most")
    return found


def given_in(sent: Sent | None, criterion: Criterion) -> Given:
    """Return what is given for a criterion.  Raises `Refused`."""
    if sent is None:
        return Given()
    level, text = sent.text("level"), sent.text("marks")
    comment, uses = sent.words("comment"), sent.names("uses")
    if level:
        found = next((each for each in criterion.levels if each.id == level), None)
        if found is None:
            raise Refused(f"{criterion.id} has no such level")
        return Given(found.marks, level, comment, uses)
    if not text:
        return Given(None, "", comment, uses)
    marks = marks_in(text, criterion.marks, criterion.id)
    if criterion.levels and marks not in [each.marks for each in criterion.levels]:
        known = ", ".join(shown_marks(each.marks) for each in criterion.levels)
        raise Refused(f"{criterion.id} has no level of {shown_marks(marks)}; its levels are {known}")
    return Given(marks, "", comment, uses)


def override_in(sent: Sent | None, question: str, task: Task) -> OverridingMark | None:
    """Return an override of a question, or of the whole where the question is empty.  Raises `Refused`."""
    if sent is None:
        return None
    most = {each.id: each.most for each in task.questions} | {"": task.most}
    if question not in most:
        raise Refused("there is no such question")
    reason = sent.words("reason")
    if not reason:
        raise Refused("an override needs a reason, which the student sees")
    what = f"question {question}" if question else "the task"
    marks = marks_in(sent.text("marks"), most[question], what)
    return OverridingMark(question=question, marks=marks, reason=reason, by="")


def remark_in(sent: Sent, task: Task, by: str, date: str) -> Remark:
    """Return a new remark.  Raises `Refused`."""
    question, file, comment = sent.text("question"), sent.text("file"), sent.words("comment")
    line = sent.number("line") if file else 0
    if question and question not in [each.id for each in task.questions]:
        raise Refused("there is no such question")
    if not comment:
        raise Refused("the remark is empty")
    if file and not 1 <= line <= 10_000_000:
        raise Refused("there is no such line")
    return Remark(
        comment=comment,
        by=by,
        date=date,
        question=question if not file else "",
        file=file,
        line=line,
        text=sent.text("text", 2000) if file else "",
    )

"""The marker's own file of reviews: read once, changed block by block, on the disk after every change."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from grader.marking.rounding import format_mark
from grader.model.errors import UsageError
from grader.model.submission import MarkRole, OverridingMark, Remark, Review
from grader.model.task import Task
from grader.records.file_text import is_filled, text_of
from grader.records.reviews.content import Reviews, SharedComment, listed_as
from grader.records.reviews.reading import parse_reviews
from grader.reviewing import edit
from grader.reviewing.disk import WHAT, Disk, NotNow, cannot, not_now
from grader.reviewing.given import Given, given
from grader.yamlfile.quoting import in_quotes, quoted

_HEAD = """\
# Marks that people give for {title} ({id}).
#
# grader review changes this file, and so can you: it reads it again before each of its changes.
"""
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class _Block:
    """A block, and what it says.  student: whom it is about; empty for a comment that marks share."""

    text: str
    student: str
    says: Reviews
    role: MarkRole = MarkRole.FIRST

    @property
    def review(self) -> Review:
        return self.says.by_student.get(self.student, Review())


class OwnFile:
    """The file of one marker.

    by: who marks.  today: returns the date that new marks get.  role: of the marks of criteria that are set.
    id_of: see `reviews_in`.
    Each method that changes something raises `UsageError`, and changes nothing then.
    """

    def __init__(
        self,
        path: Path,
        task: Task,
        students: Collection[str],
        by: str,
        today: Callable[[], date] = date.today,
        role: MarkRole = MarkRole.FIRST,
        id_of: Callable[[str], str] = str,
    ) -> None:
        self.id_of = id_of
        self.path, self.by, self.role = path, by, role
        self.reviews = Reviews()
        self._task, self._students, self._today = task, students, today
        self._content: bytes | None = None
        self._head = self._tail = ""
        self._blocks: list[_Block] = []
        self._places: dict[str, list[int]] = {}
        self._held = self._waits = False
        self._disk = Disk(path)
        self.refresh()

    def refresh(self) -> bool:
        """Read the file again where somebody changed it; tell whether.  Raises `NotNow` for mistakes."""
        content = self._disk.read()
        if content == self._content:
            return False
        if is_filled(self._content or b"") and not is_filled(content):
            # A new file would have the next mark alone, and the run would drop all others.
            raise not_now(self.path, "it is gone or empty; put it back, or begin anew")
        try:
            text = text_of(content, str(self.path), WHAT)
            # All mistakes are told with their places in the whole file.
            found = self._parsed(text)
            head, between, tail = edit.blocks(text)
            blocks = [self._block(each) for each in between]
        except UsageError as error:
            raise NotNow(*error.faults) from error
        except edit.CannotEdit:
            raise not_now(
                self.path, "its blocks are laid out in a way that only a person can change"
            ) from None
        if content.startswith(_BOM.encode()):
            head = _BOM + head
        self._head, self._blocks, self._tail = head, blocks, tail
        self._content, self.reviews = content, found
        self._note_places()
        return True

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes of the grader from changing the file, for the block.

        What the block changes is written at its end, all of it or, where the block raises, nothing.
        """
        with self._disk.alone():
            self.refresh()
            before = self._head, self._blocks, self._places, self.reviews
            self._held, self._waits = True, False
            try:
                yield
                if self._waits:
                    self._write()
            except BaseException:
                self._head, self._blocks, self._places, self.reviews = before
                raise
            finally:
                self._held = self._waits = False

    # -- changes ---------------------------------------------------------------------------------------

    def set_mark(self, student: str, criterion: str, to: Given, work: str) -> None:
        """Set what is given for a criterion; without marks it awaits a person.

        work: the digest of the work that was looked at.
        """
        to = replace(to, comment=to.comment.strip())
        before = given(self.reviews, student, criterion, self.role)
        name = listed_as(criterion, self.role)
        values: dict[str, str | None] = {"marks": None, "level": None, "comment": None, "uses": None}
        values["level"] = to.level or None
        values["marks"] = format_mark(to.marks) if to.marks is not None and not to.level else None
        values["comment"] = in_quotes(to.comment) if to.comment else None
        values["uses"] = f"[{', '.join(to.uses)}]" if to.uses else None

        def change(block: str) -> str:
            # Who changes words alone has not marked again.
            if to.marks is not None and (before.marks, before.level) != (to.marks, to.level):
                block, signed = self._signed(block, work)
                values.update(signed)
            return edit.put(block, ("criteria", criterion), values)

        self._change(
            student,
            work,
            lambda block: name in block.says.listed.get(student, ()),
            change,
            lambda now: given(now, student, criterion, self.role) == to,
        )

    def set_override(self, student: str, question: str, to: OverridingMark | None, work: str) -> None:
        """Set the override of a question, or of the whole mark, for which the question is empty."""
        old = self.reviews.by_student.get(student, Review()).overrides
        is_there = any(one.question == question for one in old)
        if not is_there and to is None:
            return
        expected = [*(one for one in old if one.question != question), *([to] if to is not None else [])]

        def change(block: str) -> str:
            if is_there:
                here = [one.question for one in self._block(block).review.overrides]
                block = edit.drop_item(block, "overrides", here.index(question))
            if to is None:
                return block
            item = {"question": in_quotes(question)} if question else {}
            item |= {"marks": format_mark(to.marks), "reason": in_quotes(to.reason)}
            item |= {"by": in_quotes(self.by), "date": self._date}
            item |= {"work": in_quotes(work)} if work else {}
            return edit.add_item(block, "overrides", item)

        self._change(
            student,
            work,
            lambda block: question in [one.question for one in block.review.overrides],
            change,
            lambda now: _alike(_of(now, student).overrides, expected),
        )

    def add_remark(self, student: str, remark: Remark, work: str) -> None:
        """Add a remark on a line, on a question or on the whole."""
        remark = replace(remark, comment=remark.comment.strip(), text=remark.text.strip())
        old = self.reviews.by_student.get(student, Review()).remarks
        item = {"file": in_quotes(remark.file), "line": str(remark.line)} if remark.file else {}
        item |= {"text": in_quotes(remark.text)} if remark.text else {}
        item |= {"question": in_quotes(remark.question)} if remark.question else {}
        item |= {"comment": in_quotes(remark.comment), "by": in_quotes(self.by), "date": self._date}
        self._change(
            student,
            work,
            lambda block: bool(block.review.remarks),
            lambda block: edit.add_item(block, "remarks", item),
            lambda now: _alike(_of(now, student).remarks, [*old, remark]),
        )

    def drop_remark(self, student: str, remark: Remark) -> None:
        """Take a remark away."""
        old = list(self.reviews.by_student.get(student, Review()).remarks)
        own = [at for at in self._places.get(student, []) if self._blocks[at].role is self.role]
        number = next((one for one in own if remark in self._blocks[one].review.remarks), None)
        if remark not in old or number is None:
            raise self._cannot("the remark is not in it")
        here = self._blocks[number].review.remarks
        block = edit.drop_item(self._blocks[number].text, "remarks", here.index(remark))
        old.remove(remark)
        self._take(number, block, student, lambda now: _alike(_of(now, student).remarks, old))

    def set_again(self, student: str, note: str, work: str) -> None:
        """Note what to look at again; empty for nothing."""
        self._change(
            student,
            work,
            lambda block: student in block.says.again,
            lambda block: edit.put(block, (), {"again": in_quotes(note) if note else None}),
            lambda now: now.again.get(student, "") == note,
        )

    def share(self, name: str, comment: SharedComment) -> None:
        """Add a comment that marks can use, or change its words."""
        fields: dict[str, str | None] = {
            "for": comment.criterion or None,
            "text": in_quotes(comment.text),
        }
        number = next((at for at, block in enumerate(self._blocks) if name in block.says.shared), None)
        if number is not None:
            block = edit.put(self._blocks[number].text, (), fields)
        else:
            lines = [f"comment: {name}", *(f"{key}: {value}" for key, value in fields.items() if value)]
            block = "- " + "\n  ".join([*lines, f"by: {in_quotes(self.by)}"]) + "\n"
        words = comment.text.strip()
        self._take(number, block, "", lambda now: name in now.shared and now.shared[name].text == words)

    # -- blocks ----------------------------------------------------------------------------------------

    @property
    def _date(self) -> str:
        return self._today().isoformat()

    def _signed(self, block: str, work: str) -> tuple[str, dict[str, str | None]]:
        """Return the block with its author where it had none, and what the entry says beside it."""
        says = self._block(block).says
        own: dict[str, str | None] = {"by": in_quotes(self.by), "date": self._date}
        own["work"] = in_quotes(work) if work else None
        head = edit.values(block)
        if not head.get("by") and not any(review.marks for review in says.by_student.values()):
            block = edit.put(block, (), {"by": own["by"], "date": own["date"]})
            head = edit.values(block)
        same = {
            "by": head.get("by") == self.by,
            "date": head.get("date") == self._date,
            "work": bool(work) and work.startswith(head.get("work") or "?"),
        }
        return block, {key: None if same[key] else value for key, value in own.items()}

    def _change(
        self,
        student: str,
        work: str,
        wanted: Callable[[_Block], bool],
        change: Callable[[str], str],
        holds: Callable[[Reviews], bool],
    ) -> None:
        """Change the student's block that is wanted; else the last one or, where that can't be, a new one.

        holds: tells whether what all blocks say is as it should be then.
        """
        own = self._places.get(student, [])
        number = next((one for one in own if wanted(self._blocks[one])), None)
        places: list[int | None] = [number] if number is not None else [*own[-1:], None]
        for place in places:
            before = self._blocks[place].text if place is not None else self._new_block(student, work)
            try:
                self._take(place, change(before), student, holds)
            except NotNow:
                raise
            except (UsageError, edit.CannotEdit):
                if place == places[-1]:
                    raise
            else:
                return

    def _new_block(self, student: str, work: str) -> str:
        lines = [f"- student: {quoted(student)}", f"  by: {in_quotes(self.by)}", f"  date: {self._date}"]
        lines += [f"  as: {self.role}"] if self.role is not MarkRole.FIRST else []
        lines += [f"  work: {in_quotes(work)}"] if work else []
        return "\n".join(lines) + "\n"

    def _block(self, text: str) -> _Block:
        says = self._parsed(text)
        role = MarkRole(edit.values(text).get("as", MarkRole.FIRST))
        return _Block(text, next(iter(says.by_student), ""), says, role)

    def _parsed(self, text: str) -> Reviews:
        return parse_reviews(
            text, str(self.path), self._task, self._students, whole_batch=False, id_of=self.id_of
        )

    def _note_places(self) -> None:
        self._places = {}
        for number, block in enumerate(self._blocks):
            if block.student:
                self._places.setdefault(block.student, []).append(number)

    # -- the file --------------------------------------------------------------------------------------

    def _take(self, number: int | None, text: str, student: str, holds: Callable[[Reviews], bool]) -> None:
        """Put a block in its place, or at the end, and write the file.

        holds: tells whether what all blocks say is as it should be then.
        """
        head, blocks = self._head, list(self._blocks)
        if number is None:
            head = self._appended(head, blocks, text)
        else:
            blocks[number] = self._block(text)
        before, after = self.reviews, self._read(blocks, student)
        kept = _others(before, student) == _others(after, student)
        if not (kept and holds(after)):
            raise self._cannot("the change does not fit into it")
        was = self._head, self._blocks, self.reviews
        self._head, self._blocks, self.reviews = head, blocks, after
        try:
            if self._held:
                self._waits = True
            else:
                self._write()
        except UsageError:
            self._head, self._blocks, self.reviews = was
            raise
        self._note_places()

    def _appended(self, head: str, blocks: list[_Block], text: str) -> str:
        """Add a block to the end, an empty line before it; return what stands before all blocks."""
        if not blocks and not head.strip(_BOM):
            head += _HEAD.format(title=" ".join(self._task.title.split()), id=self._task.id)
        first = blocks[0].text if blocks else ""
        indent = first[: len(first) - len(first.lstrip(" "))]
        text = "".join(indent + line for line in text.splitlines(keepends=True))
        last = blocks[-1].text if blocks else head
        gap = "" if last.endswith("\n\n") else "\n" if last.endswith("\n") else "\n\n"
        if blocks:
            blocks[-1] = replace(blocks[-1], text=last + gap)
        blocks.append(self._block(text))
        return head if len(blocks) > 1 else head + gap

    def _read(self, blocks: list[_Block], student: str) -> Reviews:
        """Return what the blocks say, where nothing but one student's, or shared comments, has changed."""
        found = replace(
            self.reviews,
            by_student=dict(self.reviews.by_student),
            listed=dict(self.reviews.listed),
            again=dict(self.reviews.again),
            waiting={key: one for key, one in self.reviews.waiting.items() if key[0] != student},
            shared={} if not student else self.reviews.shared,
        )
        for known in (found.by_student, found.listed, found.again):
            known.pop(student, None)
        of_student = [block for block in blocks if block.student == student]
        for block in of_student:
            faults = found.add(block.says)
            if faults:
                raise UsageError(*faults)
        if student in found.by_student:
            # Within a file the same words count each time.
            remarks = tuple(one for block in of_student for one in block.review.remarks)
            found.by_student[student] = replace(found.by_student[student], remarks=remarks)
        return found

    def _write(self) -> None:
        """Write the file so that it is on the disk.  Raises `NotNow`."""
        content = (self._head + "".join(block.text for block in self._blocks) + self._tail).encode()
        self._disk.write(content, self._content or b"")
        self._content = content

    def _cannot(self, reason: str) -> UsageError:
        return cannot(self.path, reason)


def _others(reviews: Reviews, student: str) -> tuple[object, ...]:
    """Return what a change of one student's review must leave alone."""
    shared = reviews.shared if student else None
    return {name: one for name, one in reviews.by_student.items() if name != student}, shared


def _of(reviews: Reviews, student: str) -> Review:
    return reviews.by_student.get(student, Review())


def _alike(
    now: Collection[OverridingMark | Remark],
    expected: Collection[OverridingMark | Remark],
) -> bool:
    """Tell whether marks say the same, whoever signed them."""

    def said(one: OverridingMark | Remark) -> str:
        plain = replace(one, by="", date="")
        return repr(plain if isinstance(plain, Remark) else replace(plain, work=""))

    return sorted(map(said, now)) == sorted(map(said, expected))

"""The marker's desk: the works that are to be marked, what all files of reviews say of them, and changes.

It stands between the page and the files.  Each change says which value it saw: where that is not what
stands now, nothing is changed, and the page is told what stands.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from grader.marking.rounding import format_mark
from grader.model.errors import UsageError
from grader.model.submission import Remark
from grader.model.task import Criterion, Task
from grader.records.reviews.content import SharedComment
from grader.reviewing.asked import Refused, Sent, given_in, override_in, remark_in
from grader.reviewing.disk import NotNow
from grader.reviewing.edit import CannotEdit
from grader.reviewing.figures import figures
from grader.reviewing.given import Given
from grader.reviewing.own_file import OwnFile
from grader.reviewing.view import Plain, Share, View, review_in, seen_of
from grader.reviewing.works import Work

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DIGITS = 16


class Conflict(Exception):
    """Somebody changed what is to be changed.  now: what stands there."""

    def __init__(self, now: object) -> None:
        super().__init__()
        self.now = now


class Busy(Exception):
    """The file can't be read or written now; its text says why.  The same change may fit later."""


class Desk(View):
    """All that a page asks and changes."""

    def __init__(
        self,
        task: Task,
        works: Sequence[Work],
        own: OwnFile,
        others: Callable[[], Sequence[Path]],
        share: Share,
        *,
        blind: bool = False,
        today: Callable[[], date] = date.today,
    ) -> None:
        """others: returns the files of others, which can begin at any time.  share: what is shown."""
        super().__init__(task, works, own, others, share, blind=blind)
        self._today, self._problem = today, ""

    def overview(self) -> Plain:
        """Return what the page needs at its start."""
        self._refresh()
        whole = self.whole()
        return whole | {"problems": [*self.problems(), *([self._problem] if self._problem else [])]}

    def figures(self) -> Plain:
        """Return how the marks are distributed, by criterion and marker."""
        self._refresh()
        return figures([self.criteria[each] for each in self.share.criteria], self.seen())

    def work(self, number: int) -> Plain:
        """Return what people gave to a work, and why that is not read anew.  Raises `Refused`."""
        self._refresh()
        return self.state(self._work(number)) | {"problem": self._problem}

    # -- changes ---------------------------------------------------------------------------------------

    def change(self, data: Mapping[str, object]) -> Plain:
        """Carry out a change; return how the work is now.  Raises `Conflict`, `Refused` and `Busy`.

        A change that stands already is carried out: the answer to it may have been lost.
        """
        sent = Sent(data)
        does = {
            "mark": self._mark,
            "override": self._put_override,
            "remark": self._remark,
            "again": self._look_again,
            "share": self._share,
        }.get(sent.text("kind"))
        if does is None:
            raise Refused("there is no such change")
        work = self._work(sent.number("work")) if sent.text("kind") != "share" else None
        with self.writing():
            does(sent, work)
        return {"work": self.state(work) if work is not None else None, "shared": self.shared()}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all changes of the block, or none.  Raises `Refused` and `Busy`."""
        try:
            with self._own.held():
                self._others.look()
                yield
        except NotNow as error:
            raise Busy(self.told(error.faults)) from error
        except UsageError as error:
            raise Refused(self.told(error.faults)) from error
        except CannotEdit:
            raise Refused(
                f"this review is laid out so that only a person can change it: {self._own.path}"
            ) from None

    def _mark(self, sent: Sent, work: Work | None) -> None:
        assert work is not None
        criterion = self.criteria.get(sent.text("criterion"))
        if criterion is None or criterion.id not in self.share.criteria:
            raise Refused("there is no such criterion here")
        now = self.value(work.id, criterion.id)
        seen = {key: now[key] for key in ("marks", "level", "comment", "uses")}
        to = given_in(sent.inner("to"), criterion)
        if seen_of(to) == seen:
            return
        self._check_seen(sent, seen)
        if now["file"]:
            raise Refused(f"{now['by']} gave this mark, in {now['file']}; it can be changed there alone")
        known = {str(each["id"]) for each in self.shared()}
        if not known.issuperset(to.uses):
            raise Refused("there is no such shared comment")
        self._own.set_mark(work.id, criterion.id, to, work.digest[:_DIGITS])

    def _put_override(self, sent: Sent, work: Work | None) -> None:
        assert work is not None
        question = sent.text("question")
        now = self.override(work.id, question)
        seen = now and {key: now[key] for key in ("marks", "reason")}
        to = override_in(sent.inner("to"), question, self.task)
        if seen == (to and {"marks": format_mark(to.marks), "reason": to.reason}):
            return
        self._check_seen(sent, seen)
        if now is not None and not now["own"]:
            raise Refused(f"{now['by']} set this mark, in another file; it can be changed there alone")
        self._own.set_override(work.id, question, to, work.digest[:_DIGITS])

    def _remark(self, sent: Sent, work: Work | None) -> None:
        assert work is not None
        old, to = sent.inner("saw"), sent.inner("to")
        mine = review_in(self._own.reviews, work.id).remarks
        if old is not None:
            wanted = Remark(
                comment=old.words("comment"),
                by="",
                question=old.text("question"),
                file=self.real_file(work.id, old.text("file")),
                line=old.number("line"),
            )
            for one in [one for one in mine if _is_same(one, wanted)][:1]:
                self._own.drop_remark(work.id, one)
        if to is not None:
            remark = remark_in(to, self.task, self._own.by, self._today().isoformat())
            remark = replace(remark, file=self.real_file(work.id, remark.file))
            if not any(_is_same(one, remark) for one in mine):
                self._own.add_remark(work.id, remark, work.digest[:_DIGITS])

    def _look_again(self, sent: Sent, work: Work | None) -> None:
        assert work is not None
        now, to = self.again(work.id), sent.words("to")
        if to == now:
            return
        if sent.words("saw") != now:
            raise Conflict(now)
        if now and work.id not in self._own.reviews.again:
            raise Refused("another marker noted this, in another file")
        self._own.set_again(work.id, to, work.digest[:_DIGITS])

    def _share(self, sent: Sent, _: Work | None) -> None:
        to = sent.inner("to")
        if to is None:
            raise Refused("a shared comment needs words")
        name, text, criterion = to.text("id"), to.words("text"), to.text("for")
        if not _NAME.fullmatch(name):
            raise Refused("the name of a comment has letters, digits, hyphens and underscores, at most 64")
        if not text:
            raise Refused("a shared comment needs words")
        if criterion and criterion not in self.criteria:
            raise Refused("there is no such criterion")
        now = next((one for one in self.shared() if one["id"] == name), None)
        seen = now and {key: now[key] for key in ("text", "for")}
        if seen == {"text": text, "for": criterion}:
            return
        self._check_seen(sent, seen)
        if now is not None and not now["own"]:
            raise Refused("this comment stands in another marker's file; give yours another name")
        self._own.share(name, SharedComment(text, criterion, self._own.by))

    @staticmethod
    def _check_seen(sent: Sent, now: Plain | None) -> None:
        saw = sent.inner("saw")
        if (saw.data if saw is not None else None) != now:
            raise Conflict(now)

    def take(self, work: Work, criterion: Criterion, to: Given) -> None:
        """Set what is given for a criterion, as a sheet says; see `writing`."""
        self._own.set_mark(work.id, criterion.id, to, work.digest[:_DIGITS])

    # -- files -----------------------------------------------------------------------------------------

    def _work(self, number: int) -> Work:
        if number not in self.share.works:
            raise Refused("there is no such work here")
        return self.works[number]

    def _refresh(self) -> None:
        """Read the files again.  What they said before stands until they can be read."""
        try:
            self._own.refresh()
            self._problem = ""
        except NotNow as error:
            self._problem = f"your file of reviews can't be read now: {self.told(error.faults)}"
        self._others.look()


def _is_same(one: Remark, other: Remark) -> bool:
    """Tell whether two remarks say the same of the same place, whoever wrote them."""
    names = ("comment", "question", "file", "line")
    return all(getattr(one, name) == getattr(other, name) for name in names)

"""What a marker sees: works, what the files of reviews say of them, and where two contradict each other."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.intake.names import listed
from grader.marking.rounding import format_mark
from grader.model.errors import Fault
from grader.model.policy import Second
from grader.model.results import SubmissionResult
from grader.model.submission import MarkRole, Remark, Review
from grader.model.task import Criterion, Task
from grader.records.reviews.content import Reviews, SharedComment
from grader.reviewing.blind import Hidden
from grader.reviewing.given import NOTHING, Given, given
from grader.reviewing.others import Others, mark_in
from grader.reviewing.own_file import OwnFile
from grader.reviewing.works import Work, key_of, without_marks_by_hand

Plain = dict[str, object]


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the marking that one person does.  criteria: their ids.  works: their numbers."""

    criteria: tuple[str, ...]
    works: frozenset[int]


class View:
    """What the files say, as plain data.  It is as they were when they were last read."""

    def __init__(
        self,
        task: Task,
        works: Sequence[Work],
        own: OwnFile,
        others: Callable[[], Sequence[Path]],
        share: Share,
        *,
        blind: bool = False,
    ) -> None:
        """others: returns the files of others, which can begin at any time.  share: what is shown."""
        self.task, self.share, self.blind = task, share, blind
        self.works = {work.number: work for work in works}
        self._own, self.role = own, own.role
        self._rule = task.second or Second()
        self._hides = own.role is MarkRole.SECOND and self._rule.blind
        self._others = Others(others, task, {work.id for work in works}, own.id_of)
        self.criteria = {each.id: each for question in task.questions for each in question.criteria}

    # -- what is there ---------------------------------------------------------------------------------

    def whole(self) -> Plain:
        """Return what a page needs at its start."""
        return {
            "id": self.task.id,
            "task": self.task.title,
            "role": self.role,
            "by": self._own.by,
            "blind": self.blind,
            "file": str(self._own.path),
            "criteria": [
                self._criterion(question.id, each)
                for question in self.task.questions
                for each in question.criteria
                if each.id in self.share.criteria
            ],
            "questions": [
                {"id": each.id, "title": each.title, "most": format_mark(each.most)}
                for each in self.task.questions
            ],
            "most": format_mark(self.task.most),
            "works": [self._in_list(number) for number in sorted(self.share.works)],
            "shared": self.shared(),
        }

    def problems(self) -> list[str]:
        """Return what a page tells of the files."""
        return [*self._strangers(), *self._contradictions(), *self._unread()]

    def _strangers(self) -> list[str]:
        """Return what the page tells of reviews that name nobody by an id of this run."""
        names = [name for each in self.every() for name in each.strangers]
        if self.blind:
            return []
        return [f"reviews of people who are not here by these ids: {listed(names)}"] if names else []

    def _contradictions(self) -> list[str]:
        """Return what is said otherwise in two files, by which marking refuses."""
        found = [work.label for work in self.works.values() if self._is_contradicted(work.id)]
        told = []
        if found and not self._hides:
            what = f"files of reviews contradict each other: {listed(found)}"
            told.append(f"{what}; marking refuses until one gives way")
        known: dict[str, tuple[SharedComment, str]] = {}
        for reviews, name in self._by_file():
            for id_, one in reviews.shared.items():
                first, where = known.setdefault(id_, (one, name))
                if first != one:
                    told.append(
                        f"the shared comment {id_} has other words in {name} than in {where}; marking refuses"
                    )
        return told

    def _is_contradicted(self, student: str) -> bool:
        keys = self._overridden(student)
        return any(self._against(student, each) for each in self.criteria) or any(
            self._overrides_against(student, key) for key in keys
        )

    def _unread(self) -> list[str]:
        faults = [each.fault for each in self._others.files if each.fault is not None]
        return [self.told([fault]) for fault in faults]

    def told(self, faults: Iterable[Fault]) -> str:
        """Return mistakes in files on one line; in blind marking their places alone: they can name people."""
        lines = []
        for fault in faults:
            has_place = re.search(r":[0-9]+:[0-9]+\Z", fault.where)
            message = "a mistake" if self.blind and has_place else fault.message
            lines.append(f"{fault.where}: {message}" if fault.where else message)
        return "; ".join(lines[:3])

    @staticmethod
    def _criterion(question: str, criterion: Criterion) -> Plain:
        return {
            "id": criterion.id,
            "question": question,
            "title": criterion.title,
            "description": criterion.description,
            "marks": format_mark(criterion.marks),
            "levels": [
                {"id": level.id, "marks": format_mark(level.marks), "description": level.description}
                for level in criterion.levels
            ],
        }

    def _in_list(self, number: int) -> Plain:
        work = self.works[number]
        return {
            "number": number,
            "label": work.label,
            "id": "" if self.blind or work.id == work.label else work.id,
            "key": key_of(self.task.id, work),
            "open": [each for each in self.share.criteria if not self._is_given(work.id, each)],
            "again": self.again(work.id),
            "equal": [each for each in work.equal if each in self.share.works],
        }

    def _is_given(self, student: str, criterion: str) -> bool:
        if self.role is MarkRole.AGREED and not self.differs(student, criterion):
            return True
        return self._marks(student, criterion, self.role) is not None

    def _marks(self, student: str, criterion: str, role: MarkRole) -> Fraction | None:
        found = (mark_in(one, student, criterion, role) for one in self.every())
        return next((mark.marks for mark in found if mark is not None), None)

    def differs(self, student: str, criterion: str) -> bool:
        """Tell whether two people's marks of a criterion differ by more than the task lets stand."""
        first, second = (self._marks(student, criterion, role) for role in (MarkRole.FIRST, MarkRole.SECOND))
        return first is not None and second is not None and abs(first - second) > self._rule.within

    def _beside(self, student: str, criterion: str) -> list[Plain]:
        """Return the marks of other roles, where who marks may see them."""
        if self._hides or self.role is MarkRole.FIRST:
            return []
        return [
            {"role": mark.role, "marks": format_mark(mark.marks), "by": mark.by, "comment": mark.comment}
            for reviews in self.every()
            for mark in review_in(reviews, student).marks
            if mark.criterion == criterion and mark.role is not self.role
        ]

    def shared(self) -> list[Plain]:
        used: dict[str, list[int]] = {}
        numbers = {work.id: number for number, work in self.works.items()}
        for reviews in self.seen():
            for student, review in reviews.by_student.items():
                for mark in review.marks:
                    for name in mark.uses:
                        used.setdefault(name, []).append(numbers.get(student, 0))
        known: dict[str, SharedComment] = {}
        for reviews in self.every():
            known = dict(reviews.shared) | known
        return [
            {
                "id": name,
                "for": one.criterion,
                "text": one.text,
                "own": name in self._own.reviews.shared,
                "works": sorted(set(used.get(name, ())) - {0}),
            }
            for name, one in known.items()
        ]

    def state(self, work: Work) -> Plain:
        return {
            **self._in_list(work.number),
            "criteria": {each: self.value(work.id, each) for each in self.share.criteria},
            "overrides": {key: self.override(work.id, key) for key in self._overridden(work.id)},
            "remarks": [self._plain_remark(work.id, one) for one in self._remarks(work.id)],
        }

    def value(self, student: str, criterion: str) -> Plain:
        """Return what stands for a criterion, and where two files contradict each other."""
        own = given(self._own.reviews, student, criterion, self.role)
        found = list(self._others.marks(student, criterion, self.role))
        is_own = own.marks is not None or bool(own.comment or own.uses) or not found
        reviews = self._own.reviews if is_own else found[0][0].reviews
        mark = mark_in(reviews, student, criterion, self.role)
        return {
            **seen_of(own if is_own else given(reviews, student, criterion, self.role)),
            "by": mark.by if mark is not None else "",
            "date": mark.date if mark is not None else "",
            "old": bool(
                mark is not None and mark.work and not self._digest_of(student).startswith(mark.work)
            ),
            "beside": self._beside(student, criterion),
            "file": "" if is_own else found[0][0].path.name,
            "against": self._against(student, criterion),
        }

    def _against(self, student: str, criterion: str) -> list[Plain]:
        """Return what other files say otherwise than the first that says anything, also about who or when."""
        own = mark_in(self._own.reviews, student, criterion, self.role)
        found = list(self._others.marks(student, criterion, self.role))
        first = own if own is not None else found[0][1] if found else None
        return [
            {"file": other.path.name, "marks": format_mark(mark.marks), "by": mark.by}
            for other, mark in found
            if mark != first
        ]

    def _digest_of(self, student: str) -> str:
        return next((work.digest for work in self.works.values() if work.id == student), "")

    def _overridden(self, student: str) -> list[str]:
        found = [one.question for each in self.seen() for one in review_in(each, student).overrides]
        return list(dict.fromkeys(found))

    def override(self, student: str, question: str) -> Plain | None:
        for reviews in self.seen():
            for one in review_in(reviews, student).overrides:
                if one.question == question:
                    return {
                        "marks": format_mark(one.marks),
                        "reason": one.reason,
                        "by": one.by,
                        "own": reviews is self._own.reviews,
                        "against": self._overrides_against(student, question),
                    }
        return None

    def _overrides_against(self, student: str, question: str) -> list[Plain]:
        found = [
            (name, one)
            for reviews, name in self._by_file()
            for one in review_in(reviews, student).overrides
            if one.question == question
        ]
        return [
            {"file": name, "marks": format_mark(one.marks), "by": one.by}
            for name, one in found
            if one != found[0][1]
        ]

    def _remarks(self, student: str) -> list[Remark]:
        return [one for each in self.seen() for one in review_in(each, student).remarks]

    def _plain_remark(self, student: str, one: Remark) -> Plain:
        is_own = one in review_in(self._own.reviews, student).remarks
        names = ("comment", "by", "date", "question", "file", "line", "text")
        found = {name: getattr(one, name) for name in names} | {"own": is_own}
        return found | {"file": self._shown_file(student, one.file)}

    def _shown_file(self, student: str, file: str) -> str:
        if not (self.blind and file):
            return file
        hidden = self.hidden(student)
        return hidden.files.get(file, hidden(file))

    def real_file(self, student: str, shown: str) -> str:
        if not (self.blind and shown):
            return shown
        return next((real for real, each in self.hidden(student).files.items() if each == shown), shown)

    def hidden(self, student: str) -> Hidden:
        """Return what hides the names of a student."""
        return Hidden(next(work.result(blind=False) for work in self.works.values() if work.id == student))

    def again(self, student: str) -> str:
        return next((each.again[student] for each in self.seen() if student in each.again), "")

    def seen(self) -> list[Reviews]:
        """Return the reviews that a marker may see."""
        return [self._own.reviews] if self._hides else self.every()

    def result(self, number: int) -> SubmissionResult:
        """Return the result of a work, without what this marker may not see."""
        found = self.works[number].result(self.blind)
        return without_marks_by_hand(found) if self._hides else found

    def every(self) -> list[Reviews]:
        return [reviews for reviews, _ in self._by_file()]

    def _by_file(self) -> list[tuple[Reviews, str]]:
        others = ((other.reviews, other.path.name) for other in self._others.files)
        return [(self._own.reviews, self._own.path.name), *others]

    def given(self, student: str, criterion: str) -> Given:
        """Return what stands for a criterion, the own file first."""
        own = given(self._own.reviews, student, criterion, self.role)
        other = next(self._others.marks(student, criterion, self.role), None)
        if own != NOTHING or other is None:
            return own
        return given(other[0].reviews, student, criterion, self.role)

    def given_elsewhere(self, student: str, criterion: str) -> str:
        """Return who gave a mark, and in which file, where it is not the own one; else nothing."""
        value = self.value(student, criterion)
        return f"{value['by']} gave this mark, in {value['file']}" if value["file"] else ""


def review_in(reviews: Reviews, student: str) -> Review:
    return reviews.by_student.get(student, Review())


def seen_of(one: Given) -> Plain:
    """Return what a change of a criterion says that it saw."""
    return {
        "marks": format_mark(one.marks) if one.marks is not None else "",
        "level": one.level,
        "comment": one.comment,
        "uses": list(one.uses),
    }

"""What files of reviews say: marks and overrides by student, remarks, and the comments that several share."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from grader.model.errors import Fault
from grader.model.submission import CriterionMark, MarkRole, OverridingMark, Review
from grader.yamlfile.source import shown


@dataclass(frozen=True, slots=True)
class SharedComment:
    """A comment that several marks use.  criterion: for which it was written; empty for any.

    place: where it stands.
    """

    text: str
    criterion: str = ""
    by: str = ""
    place: str = field(default="", compare=False)


@dataclass(slots=True)
class Reviews:
    """The content of files of reviews.

    listed: the criteria in them for each student, marked or not; see `listed_as`.
    strangers: students of them who are not in the batch.
    places: where each mark and override stands, by student and its name.
    shared: the comments that several marks use, by id.
    again: what a marker wants to look at again, by student.
    waiting: the words of criteria that have no mark yet, by student and criterion: a comment, and its uses.
    """

    by_student: dict[str, Review] = field(default_factory=dict)
    listed: dict[str, set[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    shared: dict[str, SharedComment] = field(default_factory=dict)
    again: dict[str, str] = field(default_factory=dict)
    waiting: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def add(self, other: "Reviews", hint: str = "let one of the two files say it") -> list[Fault]:
        """Take in what another file says; return where the two contradict each other, each with this hint."""
        faults = []
        for student, review in other.by_student.items():
            own = self.by_student.get(student, Review())
            before = dict(by_name(own))
            for name, given in by_name(review):
                if name in before and before[name] != given:
                    message = f"{name} of {shown(student)} is given otherwise in {self.places[student, name]}"
                    faults.append(Fault(message, other.places[student, name], hint=hint))
            marks = tuple(one for one in review.marks if name_of(one) not in before)
            overrides = tuple(one for one in review.overrides if name_of(one) not in before)
            remarks = tuple(one for one in review.remarks if one not in own.remarks)
            self.by_student[student] = Review(
                (*own.marks, *marks), (*own.overrides, *overrides), (*own.remarks, *remarks)
            )
        for name, comment in other.shared.items():
            known = self.shared.setdefault(name, comment)
            if known != comment:
                what = f"the comment `{name}` is another one in {known.place}"
                faults.append(Fault(what, comment.place, hint="give one of the two another name"))
        for student, names in other.listed.items():
            self.listed.setdefault(student, set()).update(names)
        self.strangers += [name for name in other.strangers if name not in self.strangers]
        self.places = other.places | self.places
        self.again = other.again | self.again
        self.waiting = other.waiting | self.waiting
        return faults

    def with_comments(self) -> "Reviews":
        """Return the same, each mark with the comments that it uses before its own; all names are known."""
        told = {
            student: replace(review, marks=tuple(map(self._told, review.marks)))
            for student, review in self.by_student.items()
        }
        return replace(self, by_student=told)

    def _told(self, mark: CriterionMark) -> CriterionMark:
        if not mark.uses:
            return mark
        texts = [self.shared[name].text for name in mark.uses]
        return replace(mark, comment="\n".join([*texts, *filter(None, [mark.comment])]))

    def unknown_comments(self) -> Iterator[Fault]:
        """Yield a fault for each comment that is used and stands nowhere."""
        for student, review in self.by_student.items():
            for mark in review.marks:
                for name in mark.uses:
                    if name not in self.shared:
                        what = f"there is no comment `{shown(name)}`"
                        known = ", ".join(sorted(self.shared)[:12])
                        hint = f"the comments are {known}" if known else "add a block `comment`, `text`"
                        yield Fault(what, self.places[student, name_of(mark)], hint=hint)


_ROLES = {MarkRole.FIRST: "", MarkRole.SECOND: "second ", MarkRole.AGREED: "agreed "}


def listed_as(criterion: str, role: MarkRole) -> str:
    """Return the name under which a criterion is listed for a role."""
    return criterion if role is MarkRole.FIRST else f"{criterion} ({role})"


def by_name(review: Review) -> Iterator[tuple[str, CriterionMark | OverridingMark]]:
    """Yield the marks and overrides of a review, each with its name; each is given once."""
    for mark in review.marks:
        yield name_of(mark), mark
    for override in review.overrides:
        yield name_of(override), override


def name_of(given: CriterionMark | OverridingMark) -> str:
    """Return what is marked, for people."""
    if isinstance(given, CriterionMark):
        return f"the {_ROLES[given.role]}mark of `{given.criterion}`"
    return (
        f"the override of question `{given.question}`" if given.question else "the override of the whole mark"
    )

"""The files of the other markers, which are read and never written."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.submission import CriterionMark, MarkRole
from grader.model.task import Task
from grader.records.file_text import read_bytes, text_of
from grader.records.reviews.content import Reviews
from grader.records.reviews.reading import parse_reviews


@dataclass
class Other:
    """A file of another marker.  fault: why what it said before still stands; None where it can be read."""

    path: Path
    content: bytes = b""
    reviews: Reviews = field(default_factory=Reviews)
    fault: Fault | None = None


class Others:
    """All of them; new ones can begin at any time."""

    def __init__(
        self,
        paths: Callable[[], Sequence[Path]],
        task: Task,
        students: Collection[str],
        id_of: Callable[[str], str],
    ) -> None:
        """id_of: see `reviews_in`."""
        self._paths, self._task, self._students, self._id_of = paths, task, students, id_of
        self.files: list[Other] = []
        self.look()

    def look(self) -> None:
        """Read what has changed."""
        known = {other.path for other in self.files}
        self.files += [Other(path) for path in self._paths() if path not in known]
        for other in self.files:
            try:
                content = read_bytes(other.path, "the reviews") if other.path.is_file() else b""
                if content == other.content:
                    other.fault = None
                    continue
                text = text_of(content, str(other.path), "the reviews")
                found = parse_reviews(
                    text, str(other.path), self._task, self._students, whole_batch=False, id_of=self._id_of
                )
            except UsageError as error:
                other.fault = error.faults[0]
            except OSError as error:
                other.fault = Fault(error.strerror or str(error), str(other.path))
            else:
                other.content, other.reviews, other.fault = content, found, None

    def marks(self, student: str, criterion: str, role: MarkRole) -> Iterator[tuple[Other, CriterionMark]]:
        """Yield what each file gives for a criterion."""
        for other in self.files:
            mark = mark_in(other.reviews, student, criterion, role)
            if mark is not None:
                yield other, mark


def mark_in(reviews: Reviews, student: str, criterion: str, role: MarkRole) -> CriterionMark | None:
    """Return the mark that reviews give for a criterion; None for none."""
    review = reviews.by_student.get(student)
    marks = review.marks if review is not None else ()
    return next((each for each in marks if each.criterion == criterion and each.role is role), None)

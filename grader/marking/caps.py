"""Takes away the marks above a cap, of a section or of the task.  Exact; nothing is rounded here."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.model.results import Cap, QuestionResult
from grader.model.task import Task


def caps(task: Task, questions: Sequence[QuestionResult]) -> tuple[Cap, ...]:
    """Return the caps that take something: those of the sections, then that of the task."""
    return tuple(_caps(task, questions))


def _caps(task: Task, questions: Sequence[QuestionResult]) -> Iterator[Cap]:
    marks = {question.id: question.mark for question in questions}
    left = sum(marks.values(), Fraction(0))
    for section in task.sections:
        above = sum((marks.get(name, Fraction(0)) for name in section.questions), -section.cap)
        if above > 0:
            left -= above
            yield Cap(title=section.title, most=section.cap, amount=above)
    if left > task.most:
        yield Cap(title="", most=task.most, amount=left - task.most)

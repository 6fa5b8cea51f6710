"""The requests of a course to look again: what was decided, and what a marker should know of each."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

from grader.course.course import Course, CourseTask, Request
from grader.records.decided import Decision


def decisions_of(course: Course, task: CourseTask) -> tuple[Decision, ...]:
    """Return the marks that were decided on requests for a task, by the day of the answer."""
    found = []
    rules = course.requests
    for request in course.asked:
        answer = request.answer
        if request.task != task.name or answer is None or answer.marks is None or rules is None:
            continue
        decision = Decision(
            student=request.student,
            question=request.question,
            marks=answer.marks,
            reason=answer.text,
            by=answer.by,
            date=answer.date,
            asked=f"{request.asked:%Y-%m-%d}",
            another=rules.another,
            # A line or a folder would make marks look stale that are not.
            place=rules.file.name,
        )
        found.append(decision)
    # A new request can stand anywhere in the file.
    return tuple(sorted(found, key=lambda one: one.date))


def remarks_on(course: Course, who: Callable[[str], str]) -> Iterator[tuple[Request, str]]:
    """Yield each request that came too late, or is one too many of its person, with the words for that.

    who: tells the one person of a name, an id or a mail.
    """
    rules = course.requests
    if rules is None:
        return
    counts: Counter[str] = Counter()
    for request in sorted(course.asked, key=lambda one: one.asked):
        task = course.task(request.task)
        student = who(request.student)
        counts[student] += 1
        if rules.each is not None and counts[student] > rules.each:
            yield request, f"it is number {counts[student]}, and {rules.each} are allowed"
        told = task.told if task is not None else None
        if rules.within_s is not None and told is not None:
            ended = told + timedelta(seconds=rules.within_s)
            if request.asked > ended:
                yield request, f"it came after {ended:%Y-%m-%d %H:%M}, when the time for requests ended"

"""The requests of a student to look again, on the pages of a course."""

from dataclasses import dataclass

from grader.course.course import Decided, Request
from grader.course.pages.times import time_in
from grader.course.standing import Standing
from grader.reports.views.wording import short_number
from grader.reports.words import say, word


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestView:
    """A request.  about: its task, and the question.  state: what became of it, and why: `answer`."""

    about: str
    asked: str
    text: str
    state: str
    answer: str = ""
    is_open: bool = False


def request_views(standing: Standing, student: str, *, for_staff: bool) -> tuple[RequestView, ...]:
    """Return the requests of a student; for students, those about tasks whose marks they know."""
    tasks = {task.name: task for task in standing.tasks}
    return tuple(
        _view(standing, each, tasks[each.task].title, for_staff=for_staff)
        for each in standing.requests.get(student, ())
        if for_staff or tasks[each.task].released
    )


def _view(standing: Standing, request: Request, title: str, *, for_staff: bool) -> RequestView:
    about = say("{task}, question {id}", task=title, id=request.question) if request.question else title
    asked, answer = time_in(request.asked, standing.course.zone), request.answer
    if answer is None:
        return RequestView(about=about, asked=asked, text=request.text, state=say("waits"), is_open=True)
    state = say(_STATES[answer.decision])
    if answer.marks is not None:
        state = say("changed to {mark}", mark=short_number(answer.marks))
    who = f" ({answer.by}, {answer.date})" if for_staff else f" ({answer.date})"
    return RequestView(
        about=about, asked=asked, text=request.text, state=state, answer=f"{answer.text}{who}".strip()
    )


_STATES = {
    Decided.KEPT: word("kept"),
    Decided.CHANGED: word("changed"),
    Decided.DECLINED: word("declined"),
}

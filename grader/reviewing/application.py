"""What answers the page of a marker: data, changes, and the files of the works; see `grader.serving`."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from tornado.web import Application, HTTPError

from grader.model.results import RunInfo, TaskHead
from grader.reports.html.templating import own_files, policy, templates
from grader.reviewing.asked import Refused
from grader.reviewing.desk import Busy, Conflict, Desk
from grader.reviewing.works import Files, report_page, sources
from grader.serving.address import Address
from grader.serving.handler import LocalHandler, application

_TEXT = "text/plain"
_FRAMED = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
_NO_PAGE = f"default-src 'none'; {_FRAMED}"


class Room:
    """The desk, and what the page shows beside it.

    page: the HTML of the page.  files: returns the files of a work, by its number.
    """

    def __init__(self, desk: Desk, run: RunInfo, head: TaskHead, files: Callable[[int], Files]) -> None:
        self.desk, self.run, self.head, self.files = desk, run, head, files
        style, script = own_files("page.css", "review.css"), own_files("review_queue.js", "review.js")
        allowed = policy(style=style, script=script, images="'self'")
        allowed += "; connect-src 'self'; frame-src 'self'"
        environment = templates("review.css")
        environment.globals.update(policy=allowed, task=head)
        self.page = environment.get_template("review.html.j2").render(script=script).encode()


class _Handler(LocalHandler):
    """Answers from the room.  What can't be carried out is told with its reason."""

    room: Room

    def initialize(self, room: Room) -> None:
        self.room = room

    def tell(self, refused: Refused | Busy) -> None:
        """Tell why not.  Of what is busy the page keeps all that was typed, and asks again."""
        is_busy = isinstance(refused, Busy)
        status = HTTPStatus.SERVICE_UNAVAILABLE if is_busy else HTTPStatus.UNPROCESSABLE_ENTITY
        self.send_json({"refused": str(refused)}, status)


class _Page(_Handler):
    def get(self) -> None:
        self.send(self.room.page)


class _Overview(_Handler):
    def get(self) -> None:
        try:
            self.send_json(self.room.desk.overview())
        except (Refused, Busy) as refused:
            self.tell(refused)


class _Figures(_Handler):
    def get(self) -> None:
        try:
            self.send_json(self.room.desk.figures())
        except (Refused, Busy) as refused:
            self.tell(refused)


class _Work(_Handler):
    def get(self, number: str) -> None:
        desk = self.room.desk
        try:
            found = desk.work(int(number))
        except (Refused, Busy) as refused:
            self.tell(refused)
            return
        result = desk.result(int(number))
        self.send_json({**found, "sources": sources(result)})


class _Files(_Handler):
    def get(self, number: str) -> None:
        found = self.room.files(_in_share(self.room, number)).names()
        if isinstance(found, str):
            self.send_json({"files": [], "why": found})
        else:
            desk = self.room.desk
            work = desk.works[int(number)]
            shown = desk.hidden(work.id) if desk.blind else str
            files = [{"name": shown(each.name), "size": each.size_b} for each in found]
            self.send_json({"files": files, "why": ""})


class _Change(_Handler):
    def post(self) -> None:
        try:
            self.send_json(self.room.desk.change(self.sent()))
        except Conflict as conflict:
            self.send_json({"now": conflict.now}, HTTPStatus.CONFLICT)
        except (Refused, Busy) as refused:
            self.tell(refused)


class _Framed(_Handler):
    """Something that our own page shows in a frame."""

    def finish(self, chunk: Any = None) -> Any:
        self.set_header("X-Frame-Options", "SAMEORIGIN")
        is_page = str(self._headers.get("Content-Type")).startswith("text/html")
        # A page has a policy of its own; of all else a browser loads nothing more.
        self.set_header("Content-Security-Policy", _FRAMED if is_page else _NO_PAGE)
        return super().finish(chunk)


class _Report(_Framed):
    def get(self, number: str) -> None:
        desk = self.room.desk
        result = desk.result(_in_share(self.room, number))
        self.send(report_page(result, self.room.run, self.room.head).encode("utf-8", "replace"))


class _File(_Framed):
    def get(self, number: str, place: str) -> None:
        found = self.room.files(_in_share(self.room, number)).content(int(place))
        if found is None:
            raise HTTPError(HTTPStatus.NOT_FOUND)
        content, kind = found
        if kind == _TEXT:
            content = content.decode("utf-8", "replace").encode()
        self.send(content, kind)


def _in_share(room: Room, number: str) -> int:
    if int(number) not in room.desk.share.works:
        raise HTTPError(HTTPStatus.NOT_FOUND)
    return int(number)


def review_application(address: Address, room: Room) -> Application:
    """Return what answers at an address."""
    given = {"room": room}
    number = r"([0-9]{1,6})"
    return application(
        address,
        ("", _Page, given),
        ("api/overview", _Overview, given),
        ("api/figures", _Figures, given),
        (f"api/work/{number}", _Work, given),
        (f"api/files/{number}", _Files, given),
        ("api/change", _Change, given),
        (f"work/{number}/report", _Report, given),
        (f"work/{number}/file/{number}", _File, given),
    )

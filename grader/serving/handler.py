"""Answers requests of our own pages, and refuses every other one before its body is read.

Every user of this machine can connect, and so can every web page in a browser on it.  The token keeps both
out; the other checks hold should a browser give it away.
"""

import json
from hmac import compare_digest
from http import HTTPStatus
from typing import Any, TypeAlias, cast

from tornado.http1connection import HTTP1Connection
from tornado.ioloop import IOLoop
from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from grader.serving.address import Address

_DEEPEST = 50
MOST_BODY_B = 256 << 10

_ANSWER_S = 30.0
_SITES = ("same-origin", "none")
"""What a browser says of a request that one of our pages made, or a person."""

_READING = ("GET", "HEAD")
_HTML, _JSON, _TEXT = "text/html", "application/json", "text/plain"
_FIELDS = (
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
_POLICY = "Content-Security-Policy"
_NOT_FRAMED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_NOTHING = f"default-src 'none'; {_NOT_FRAMED}"


@stream_request_body
class LocalHandler(RequestHandler):
    """Has a method for each method of HTTP that it answers; `head` comes with `get`.

    A method is given the groups of its pattern as text, and answers by `send` or `send_json`, or raises
    `HTTPError` with a status alone.  No error says more than its status.

    A script of a page has to write by `fetch` in its usual mode.  Pages send no referrer, and by the rules of
    Fetch a browser then says `Origin: null` of forms and of other modes.
    """

    _sent: bytearray

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        nothing = RequestHandler.get
        if cls.get is not nothing:
            cls.head = cls.get  # tornado sends no body then
        had = (name for name in RequestHandler.SUPPORTED_METHODS if getattr(cls, name.lower()) is not nothing)
        cls.SUPPORTED_METHODS = tuple(had)

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        self.clear_header("Date")
        for name, value in (*_FIELDS, (_POLICY, _NOTHING)):
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse a request by its head: tornado calls this before it reads the body."""
        self._sent = bytearray()
        address: Address = self.settings["address"]
        self._check_token(address.token)
        self._check_origin(address)
        if self.request.method in _READING:
            if "Content-Length" in self.request.headers or "Transfer-Encoding" in self.request.headers:
                raise HTTPError(HTTPStatus.BAD_REQUEST)
        else:
            self._check_body(address)

    def _check_token(self, token: str) -> None:
        given = self.request.path.split("/", 2)[1]
        # Take the same time for every token of the same length.
        if not compare_digest(given.encode("latin-1"), token.encode()) or not self.request.path.isascii():
            raise HTTPError(HTTPStatus.NOT_FOUND)

    def _check_origin(self, address: Address) -> None:
        """Refuse a name that leads here by DNS, and pages of other origins."""
        fields = self.request.headers
        ours = (
            fields.get_list("Host") == [address.host]
            and all(each == address.origin for each in fields.get_list("Origin"))
            and all(each.startswith(f"{address.origin}/") for each in fields.get_list("Referer"))
            and all(each in _SITES for each in fields.get_list("Sec-Fetch-Site"))
        )
        if not ours:
            raise HTTPError(HTTPStatus.FORBIDDEN)

    def _check_body(self, address: Address) -> None:
        """Refuse what a form or a script of another page could send, and what is too long."""
        fields = self.request.headers
        if fields.get_list("Origin") != [address.origin]:
            raise HTTPError(HTTPStatus.FORBIDDEN)
        kind, _, charset = ",".join(fields.get_list("Content-Type")).lower().partition(";")
        if kind.strip() != _JSON or charset.strip() not in ("", "charset=utf-8"):
            raise HTTPError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        lengths = fields.get_list("Content-Length")
        if len(lengths) != 1 or "Transfer-Encoding" in fields:
            raise HTTPError(HTTPStatus.LENGTH_REQUIRED)
        if not (lengths[0].isascii() and lengths[0].isdigit()):
            raise HTTPError(HTTPStatus.BAD_REQUEST)
        # A number of thousands of digits is not read.
        if len(lengths[0]) > 9 or int(lengths[0]) > MOST_BODY_B:
            raise HTTPError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Return a part of the path, which tornado has decoded from its percents, once."""
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise HTTPError(HTTPStatus.NOT_FOUND) from None

    def data_received(self, chunk: bytes) -> None:
        self._sent += chunk

    def sent(self) -> dict[str, object]:
        """Return the JSON object that the request brought.  Raises `HTTPError`."""
        try:
            value = json.loads(self._sent.decode())
            # Others could not read what a lenient reader lets in: halves of characters, NaN and infinities.
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            raise HTTPError(HTTPStatus.BAD_REQUEST) from None
        if not isinstance(value, dict) or _is_deep(value):
            raise HTTPError(HTTPStatus.BAD_REQUEST)
        return value

    def send(self, body: bytes, kind: str = _HTML, status: HTTPStatus = HTTPStatus.OK) -> None:
        """Answer.  kind: the media type of the body, which is text in UTF-8."""
        self.set_status(status)
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        if kind == _HTML:
            # A page has a policy of its own, which names its style and its script; this one comes on top.
            self.set_header(_POLICY, _NOT_FRAMED)
        self.finish(body)

    def send_json(self, value: object, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send(json.dumps(value, allow_nan=False).encode(), _JSON, status)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        status = HTTPStatus(status_code)
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.set_header("Allow", ", ".join(self.SUPPORTED_METHODS))
        self.send(f"{status.phrase}\n".encode(), _TEXT, status)

    def compute_etag(self) -> None:
        """Return none: nothing is kept that could be asked for again."""

    def on_finish(self) -> None:
        # Tornado waits for a slow reader for ever.
        IOLoop.current().call_later(_ANSWER_S, cast(HTTP1Connection, self.request.connection).close)


class _Nothing(LocalHandler):
    """Answers where no pattern fits."""

    def prepare(self) -> None:
        raise HTTPError(HTTPStatus.NOT_FOUND)

    def get(self) -> None:
        """Is never called."""


Rule: TypeAlias = tuple[str, type[LocalHandler], dict[str, Any]]
"""A pattern, the handler of the paths that it fits, and what the handler's `initialize` is given."""


def application(address: Address, *rules: Rule) -> Application:
    """Return what answers at an address; the first rule that fits counts.

    A pattern has to fit the whole path below the token, without a slash at its beginning, as it stands in the
    request.  Its groups are decoded once, and no dots in them are resolved.
    """
    return Application(
        [(f"/[^/]*/(?:{pattern})", handler, arguments) for pattern, handler, arguments in rules],
        default_handler_class=_Nothing,
        address=address,
    )


def _is_deep(value: object) -> bool:
    """Tell whether a value is nested deeper than any request of ours."""
    level = [value]
    for _ in range(_DEEPEST):
        holders = [each for each in level if isinstance(each, dict | list)]
        level = [part for each in holders for part in (each.values() if isinstance(each, dict) else each)]
        if not level:
            return False
    return True

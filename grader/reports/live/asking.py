"""What a request asks for; anything but the plainest request of our own pages is refused.

Every user of this machine can connect, and so can every web page in a browser on it.  The token keeps both
out; the other checks hold should a browser give it away.
"""

import hmac
import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import unquote_to_bytes

MOST_HEAD_B = 16 << 10

_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SITES = (b"same-origin", b"none")
"""What a browser says of a request that one of our pages made, or a person."""


class RequestRefused(Exception):
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are.  host: address and port.  token: the first part of every path."""

    host: str
    token: str

    @property
    def url(self) -> str:
        return f"http://{self.host}/{self.token}/"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """path: below the token, decoded, without a slash at its beginning.  whole: with the body."""

    path: str
    whole: bool


def asked(head: bytes, address: Address) -> PageRequest:
    """Return what is asked for.  head: the request up to the empty line.  Raises `RequestRefused`."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    match first.split(b" "):
        case [b"GET" | b"HEAD" as method, target, b"HTTP/1.1" | b"HTTP/1.0"]:
            pass
        case [_, _, b"HTTP/1.1" | b"HTTP/1.0"]:
            raise RequestRefused(HTTPStatus.METHOD_NOT_ALLOWED)
        case _:
            raise RequestRefused(HTTPStatus.BAD_REQUEST)
    _check(_fields(lines), address.host.encode())
    return PageRequest(_path(target, address.token.encode()), method == b"GET")


def _fields(lines: list[bytes]) -> dict[bytes, list[bytes]]:
    fields: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name):
            raise RequestRefused(HTTPStatus.BAD_REQUEST)
        fields.setdefault(name.lower(), []).append(value.strip(b" \t"))
    return fields


def _check(fields: dict[bytes, list[bytes]], host: bytes) -> None:
    """Refuse a name that leads here by DNS, pages of other origins, and requests with a body."""
    if b"content-length" in fields or b"transfer-encoding" in fields:
        raise RequestRefused(HTTPStatus.BAD_REQUEST)
    origin = b"http://" + host
    ours = (
        fields.get(b"host") == [host]
        and all(each == origin for each in fields.get(b"origin", ()))
        and all(each.startswith(origin + b"/") for each in fields.get(b"referer", ()))
        and all(each in _SITES for each in fields.get(b"sec-fetch-site", ()))
    )
    if not ours:
        raise RequestRefused(HTTPStatus.FORBIDDEN)


def _path(target: bytes, token: bytes) -> str:
    """Return the path below the token; equal addresses are equal bytes, and no part of it is resolved."""
    empty, _, rest = target.partition(b"/")
    given, slash, rest = rest.partition(b"/")
    # Take the same time for every token of the same length.
    if not hmac.compare_digest(given, token) or empty or not slash:
        raise RequestRefused(HTTPStatus.NOT_FOUND)
    try:
        return unquote_to_bytes(rest.partition(b"?")[0]).decode()
    except UnicodeDecodeError:
        raise RequestRefused(HTTPStatus.NOT_FOUND) from None

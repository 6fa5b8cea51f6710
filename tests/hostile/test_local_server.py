"""The server of our own pages, to which everybody on this machine and every page in a browser can connect."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from support.local_server import Talk, all_of, parted, served

from grader.serving import handler, server
from grader.serving.handler import MOST_BODY_B, LocalHandler, Rule

NOTE = b'{"text": "a note"}'
SLOW_S = 0.3
LONG_B = 64 << 20


class _Notes(LocalHandler):
    """Keeps what is put; `taken` holds all that was asked of it."""

    def initialize(self, taken: list[object]) -> None:
        self._taken = taken

    def get(self, name: str) -> None:
        self._taken.append(name)
        self.send_json({"name": name})

    def put(self, name: str) -> None:
        note = self.sent()
        self._taken.append((name, note))
        self.send_json({"name": name})


class _Pages(LocalHandler):
    def get(self, path: str) -> None:
        if path == "fault":
            raise ValueError("a secret of ours")
        self.send(b"x" * LONG_B if path == "long" else path.encode())


class _Sky(LocalHandler):
    def get(self) -> None:
        self.send(b"above")


RULES: list[Rule] = [("sun|moon", _Sky, {})]


@pytest.fixture(scope="module")
def taken() -> list[object]:
    return []


@pytest.fixture(scope="module")
def running(taken: list[object]) -> Iterator[Talk]:
    with served(*RULES, ("notes/([^/]*)", _Notes, {"taken": taken}), ("(.*)", _Pages, {})) as talk:
        yield talk


@pytest.fixture
def talk(running: Talk, taken: list[object]) -> Talk:
    taken.clear()
    return running


def _refused(answer: tuple[int, bytes, bytes], status: int) -> bool:
    """Tell whether an answer is a refusal that says nothing but its status, and allows no one."""
    found, head, body = answer
    assert found == status, answer
    assert body == head.split(b"\r\n")[0].split(b" ", 2)[2] + b"\n"
    lines = head.split(b"\r\n")[1:]
    assert {line.partition(b":")[0].lower() for line in lines} <= {
        b"content-type", b"cache-control", b"cross-origin-opener-policy", b"cross-origin-resource-policy",
        b"referrer-policy", b"x-content-type-options", b"x-frame-options", b"content-security-policy",
        b"content-length", b"connection", b"allow",
    }  # fmt: skip
    assert b"Content-Type: text/plain; charset=utf-8" in lines
    return any(line.startswith(b"Content-Security-Policy: default-src 'none'; ") for line in lines)


def test_own_pages_may_read_and_write(talk: Talk, taken: list[object]) -> None:
    own = (f"Origin: http://{talk.host}", "Sec-Fetch-Site: same-origin")
    assert talk.get("notes/a%20b", *own)[::2] == (200, b'{"name": "a b"}')
    assert talk.put("notes/a%2fb", NOTE, "Sec-Fetch-Site: same-origin")[::2] == (200, b'{"name": "a/b"}')
    assert taken == ["a b", ("a/b", {"text": "a note"})]


def test_a_pattern_fits_the_whole_path(talk: Talk) -> None:
    for path, body in (("sun", b"above"), ("moon", b"above"), ("sunx", b"sunx"), ("x/moon", b"x/moon")):
        assert talk.get(path)[::2] == (200, body)


def test_an_answer_has_no_more_in_its_head_than_it_needs(talk: Talk) -> None:
    names = {line.partition(b":")[0] for line in talk.get("notes/a")[1].split(b"\r\n")[1:]}
    assert names == {
        b"Cache-Control", b"Connection", b"Content-Length", b"Content-Security-Policy", b"Content-Type",
        b"Cross-Origin-Opener-Policy", b"Cross-Origin-Resource-Policy", b"Referrer-Policy",
        b"X-Content-Type-Options", b"X-Frame-Options",
    }  # fmt: skip


# Who may ask


def _tokens(token: str) -> list[str]:
    wrong = ("B" if token[0] == "A" else "A") + token[1:]
    return [
        wrong,
        token[:-1],
        token + "x",
        token.swapcase(),
        token + "%00",
        "",
        "x",
        "%" + token,
        "\xe9" * 43,
    ]


@pytest.mark.parametrize("number", range(9))
def test_a_forged_or_shortened_token_finds_nothing(talk: Talk, taken: list[object], number: int) -> None:
    target = f"/{_tokens(talk.token)[number]}/notes/a"
    fields = (f"Origin: http://{talk.host}", "Content-Type: application/json", f"Content-Length: {len(NOTE)}")
    assert _refused(talk.ask(target), 404)
    assert _refused(talk.ask(target, *fields, method="PUT", body=NOTE), 404)
    assert taken == []


@pytest.mark.parametrize(
    "target",
    ["/", "/notes/a", "/{token}", "http://{host}/{token}/notes/a", "http://evil.example/{token}/notes/a",
     "*", "//{token}/notes/a", "/./{token}/notes/a", "/x/../{token}/notes/a", "/x/%2e%2e/{token}/notes/a",
     "/?/{token}/notes/a", "/notes/a?token={token}"],
)  # fmt: skip
def test_a_target_of_another_form_finds_nothing(talk: Talk, taken: list[object], target: str) -> None:
    assert _refused(talk.ask(target.format(token=talk.token, host=talk.host)), 404)
    assert taken == []


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 403), ("evil.example:{port}", 403), ("localhost:{port}", 403), ("127.0.0.1", 403),
     ("127.1:{port}", 403), ("[::1]:{port}", 403), ("127.0.0.1:{port}.", 403), ("", 403)],
)  # fmt: skip
def test_a_name_that_leads_here_by_dns_is_refused(
    talk: Talk, taken: list[object], host: str, status: int
) -> None:
    head = f"GET /{talk.token}/notes/a HTTP/1.1\r\nHost: {host.format(port=talk.port)}\r\n\r\n"
    answered = talk.send(head.encode())
    # The library refuses what is no host at all, in its own words.
    assert answered == b"HTTP/1.1 400 Bad Request\r\n\r\n" or _refused(parted(answered), status)
    assert taken == []


def test_two_hosts_or_none_are_refused(talk: Talk, taken: list[object]) -> None:
    for fields in (f"Host: {talk.host}\r\nHost: evil.example\r\n", f"Host: {talk.host}\r\n" * 2, ""):
        request = f"GET /{talk.token}/notes/a HTTP/1.1\r\n{fields}\r\n"
        assert talk.send(request.encode()) == b"HTTP/1.1 400 Bad Request\r\n\r\n"
    assert taken == []


FOREIGN = (
    "Origin: http://evil.example",
    "Origin: null",
    "Origin: http://127.0.0.1:1",
    "Origin: https://{host}",
    "Origin: http://{host}/",
    "Origin:",
    "Origin: http://{host}\r\nOrigin: http://evil.example",
    "Referer: http://evil.example/x",
    "Referer: http://{host}.evil.example/",
    "Referer: http://{host}@evil.example/",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: same-site",
    "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site",
)


@pytest.mark.parametrize("field", FOREIGN)
def test_pages_of_other_origins_are_refused(talk: Talk, taken: list[object], field: str) -> None:
    line = field.format(host=talk.host)
    assert _refused(talk.get("notes/a", line), 403)
    assert _refused(talk.put("notes/a", NOTE, line), 403)
    assert taken == []


@pytest.mark.parametrize("origin", [(), ("Origin: null",), ("Origin: http://evil.example",)])
def test_nothing_is_written_without_our_origin(
    talk: Talk, taken: list[object], origin: tuple[str, ...]
) -> None:
    fields = (*origin, "Content-Type: application/json", f"Content-Length: {len(NOTE)}")
    assert _refused(talk.ask(f"/{talk.token}/notes/a", *fields, method="PUT", body=NOTE), 403)
    assert taken == []


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
     "text/plain; application/json", "application/json, text/plain", "application/jsonx",
     "application/json; charset=utf-16", "application/json; x=y", "application/json;charset=utf-8;q=1"],
)  # fmt: skip
def test_what_a_form_can_send_is_not_written(talk: Talk, taken: list[object], kind: str) -> None:
    fields = (f"Origin: http://{talk.host}", f"Content-Type: {kind}", f"Content-Length: {len(NOTE)}")
    assert _refused(talk.ask(f"/{talk.token}/notes/a", *fields, method="PUT", body=NOTE), 415)
    assert taken == []


def test_a_content_type_may_say_its_charset(talk: Talk) -> None:
    for kind in ("application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"):
        fields = (f"Origin: http://{talk.host}", f"Content-Type: {kind}", f"Content-Length: {len(NOTE)}")
        assert talk.ask(f"/{talk.token}/notes/a", *fields, method="PUT", body=NOTE)[0] == 200


def test_a_preflight_is_told_of_no_other_origin(talk: Talk, taken: list[object]) -> None:
    asked = ("Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: content-type")
    for origin in ("http://evil.example", f"http://{talk.host}"):
        answer = talk.get("notes/a", f"Origin: {origin}", *asked, method="OPTIONS")
        assert _refused(answer, 405)
        assert b"\r\nAllow: GET, HEAD, PUT\r\n" in answer[1]
    assert taken == []


@pytest.mark.parametrize("method", ["POST", "DELETE", "PATCH", "TRACE", "CONNECT", "put", "BREW", "<b>"])
def test_a_method_that_a_handler_lacks_is_refused(talk: Talk, taken: list[object], method: str) -> None:
    answer = parted(
        talk.send(f"{method} /{talk.token}/notes/a HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode())
    )
    assert answer[0] == 400 or _refused(answer, 405)
    assert b"<b>" not in answer[2]
    assert taken == []


# Paths


@pytest.mark.parametrize(
    ("path", "given"),
    [("../x", "../x"), ("%2e%2e/x", "../x"), ("%252e%252e", "%2e%2e"), ("//x", "//x"), ("%2fx", "/x"),
     ("a//b", "a//b"), ("./a/", "./a/"), ("%00", "\0"), ("%c3%a9", "é"), ("a+b", "a+b"), ("a;b=c", "a;b=c"),
     ("a?b=../c", "a"), ("a#b", "a#b"), ("a%3fb", "a?b"), ("%0d%0aX: y", None), ("%0d%0aX:%20y", "\r\nX: y"),
     ("a\\..\\b", "a\\..\\b"), ("%", "%"), ("%zz", "%zz"), ("http://evil.example/", "http://evil.example/")],
)  # fmt: skip
def test_a_path_is_decoded_once_and_no_part_of_it_resolved(talk: Talk, path: str, given: str | None) -> None:
    status, head, body = talk.get(path)
    assert (status, body) == ((400, b"") if given is None else (200, given.encode()))
    assert b"\r\nX: y" not in head


@pytest.mark.parametrize("path", ["%ff", "%c0%ae%c0%ae", "a/%ed%a0%80", "\xe9", "notes/%ff", "notes/a/b%ff"])
def test_a_path_that_is_no_text_finds_nothing(talk: Talk, taken: list[object], path: str) -> None:
    assert _refused(talk.get(path), 404)
    assert taken == []


# Bodies


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'"text"', b"1", b"null", b"\xff\xfe{\0}\0", b"\xef\xbb\xbf{}", b'{"a": "\xff"}',
     b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1e999}', b'{"a": "\\ud800"}', b"{} {}", b'{"a": 1,}',
     b'{"a": ' + b"9" * 5000 + b"}", b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[" * 60_000,
     b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}"],
    ids=lambda body: repr(body[:12]),
)  # fmt: skip
def test_a_body_that_is_no_json_object_is_refused(talk: Talk, taken: list[object], body: bytes) -> None:
    assert _refused(talk.put("notes/a", body), 400)
    assert taken == []
    assert talk.put("notes/a", NOTE)[0] == 200


def test_the_longest_body_is_taken_and_a_longer_one_is_not(talk: Talk, taken: list[object]) -> None:
    def body(length: int) -> bytes:
        return b'{"a": "' + b"x" * (length - 9) + b'"}'

    assert talk.put("notes/a", body(MOST_BODY_B))[0] == 200
    taken.clear()
    for length in (MOST_BODY_B + 1, 16 << 20):
        assert _refused(talk.put("notes/a", body(length)), 413)
    assert taken == []


@pytest.mark.parametrize("length", ["9" * 400, "9" * 9000, str(1 << 40)])
def test_a_huge_length_is_refused_before_any_of_it_comes(talk: Talk, length: str) -> None:
    own = (f"Origin: http://{talk.host}", "Content-Type: application/json")
    answer = talk.ask(f"/{talk.token}/notes/a", *own, f"Content-Length: {length}", method="PUT")
    assert _refused(answer, 413)


@pytest.mark.parametrize(
    ("lengths", "status"),
    [("Content-Length: -1", 400), ("Content-Length: +5", 400), ("Content-Length: 0x10", 400),
     ("Content-Length: 5, 5", 400), ("Content-Length:", 400), ("Content-Length: 5\r\nContent-Length: 6", 411),
     ("X: y", 411), ("Transfer-Encoding: chunked", 411), ("Transfer-Encoding: gzip, chunked", 411),
     ("Transfer-Encoding: chunked\r\nContent-Length: 5", 411)],
)  # fmt: skip
def test_a_body_of_unclear_length_is_refused(
    talk: Talk, taken: list[object], lengths: str, status: int
) -> None:
    own = (f"Origin: http://{talk.host}", "Content-Type: application/json", lengths)
    body = b"5\r\n{   }\r\n0\r\n\r\n"
    assert _refused(talk.ask(f"/{talk.token}/notes/a", *own, method="PUT", body=body), status)
    assert taken == []


def test_a_body_that_ends_too_early_is_not_taken(talk: Talk, taken: list[object]) -> None:
    head = f"PUT /{talk.token}/notes/a HTTP/1.1\r\nHost: {talk.host}\r\nOrigin: http://{talk.host}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(NOTE) + 1}\r\n\r\n"
    with talk.connected() as connection:
        connection.sendall(head.encode() + NOTE)
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection) == b""
    assert taken == []


def test_chunks_are_not_read_however_many(talk: Talk, taken: list[object]) -> None:
    own = (f"Origin: http://{talk.host}", "Content-Type: application/json", "Transfer-Encoding: chunked")
    body = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"
    answer = talk.ask(f"/{talk.token}/notes/a", *own, method="PUT", body=body * 400 + b"0\r\n\r\n")
    assert _refused(answer, 411)
    assert taken == []


@pytest.mark.parametrize(
    "field", ["Content-Length: 3", "Content-Length: 0", "Transfer-Encoding: chunked", "Content-Length: x"]
)
def test_what_reads_has_no_body(talk: Talk, taken: list[object], field: str) -> None:
    assert _refused(talk.get("notes/a", field), 400)
    head = talk.get("notes/a", field, method="HEAD")
    assert (head[0], head[2]) == (400, b"")
    assert taken == []


def test_a_second_request_in_a_body_or_behind_it_is_not_answered(talk: Talk, taken: list[object]) -> None:
    second = f"GET /{talk.token}/notes/second HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode()
    first = second.replace(b"second", b"first")
    assert talk.send(first + second * 5).count(b"HTTP/1.1") == 1
    assert taken == ["first"]
    taken.clear()
    for field in ("Transfer-Encoding: chunked", "Content-Length: 5", "Content-Length: 0"):
        refused = talk.ask(f"/{talk.token}/notes/first", field, body=b"0\r\n\r\n" + second)
        assert _refused(refused, 400)
    own = (f"Origin: http://{talk.host}", "Content-Type: application/json")
    for length in (0, 1, len(NOTE)):
        field = f"Content-Length: {length}"
        talk.ask(f"/{talk.token}/notes/put", *own, field, method="PUT", body=NOTE + second)
    assert taken == [("put", json.loads(NOTE))]


def test_keeping_a_connection_is_not_granted(talk: Talk) -> None:
    for version in ("1.1", "1.0"):
        request = f"GET /{talk.token}/x HTTP/{version}\r\nHost: {talk.host}\r\nConnection: keep-alive\r\n\r\n"
        assert talk.send(request.encode()).endswith(b"\r\n\r\nx")


def test_the_oldest_version_is_answered_like_the_newer(talk: Talk) -> None:
    asked = f"GET /{talk.token}/x HTTP/1.0\r\n"
    assert talk.send(f"{asked}Host: {talk.host}\r\n\r\n".encode()).endswith(b"\r\n\r\nx")
    assert _refused(parted(talk.send(f"{asked}\r\n".encode())), 403)
    assert talk.send(f"GET /{talk.token}/x\r\n\r\n".encode()) == b"HTTP/1.1 400 Bad Request\r\n\r\n"


@pytest.mark.parametrize(
    "line",
    ["GET /{token}/x HTTP/2.0", "GET /{token}/x HTTP/9", "GET  /{token}/x HTTP/1.1", "PRI * HTTP/2.0",
     "GET\t/{token}/x HTTP/1.1", "GET /{token}/\0 HTTP/1.1", "GET /{token}/x y HTTP/1.1", "\x16\x03\x01",
     "GET /{token}/x HTTP/1.1\r\n folded: x", "GET /{token}/x HTTP/1.1\r\nno colon",
     "GET /{token}/x HTTP/1.1\r\nA : b", "GET /{token}/x HTTP/1.1\r\nA: b\0c"],
)  # fmt: skip
def test_what_is_not_well_formed_is_refused(talk: Talk, line: str) -> None:
    request = f"{line.format(token=talk.token)}\r\nHost: {talk.host}\r\n\r\n"
    assert talk.send(request.encode("latin-1")) == b"HTTP/1.1 400 Bad Request\r\n\r\n"


# Those who would keep the server busy


def test_a_huge_head_is_not_read(talk: Talk, taken: list[object]) -> None:
    for field in ("X: " + "y" * (32 << 10), "X: y\r\n" * 8000, "X" * (1 << 20)):
        request = f"GET /{talk.token}/notes/a HTTP/1.1\r\nHost: {talk.host}\r\n{field}\r\n\r\n"
        assert talk.send(request.encode()) == b""
    assert taken == []
    assert talk.get("x")[0] == 200


def _trickled(talk: Talk, begin: bytes, piece: bytes) -> bytes:
    """Send a piece from time to time until the other side closes; return what it answered."""
    with talk.connected() as connection:
        connection.sendall(begin)
        connection.settimeout(SLOW_S / 6)
        while True:
            try:
                return all_of(connection)
            except TimeoutError:
                pass
            try:
                connection.sendall(piece)
            except ConnectionError:
                return b""


def test_a_slow_head_is_given_up(monkeypatch: pytest.MonkeyPatch, taken: list[object]) -> None:
    assert server._HEAD_S <= 5
    monkeypatch.setattr(server, "_HEAD_S", SLOW_S)
    with served(("(.*)", _Pages, {})) as talk:
        begin = f"GET /{talk.token}/ HTTP/1.1\r\nHost: {talk.host}\r\nX: ".encode()
        assert _trickled(talk, begin, b"y") == b""
        assert _trickled(talk, b"", b"") == b""


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch, taken: list[object]) -> None:
    assert server._BODY_S <= 10
    taken.clear()
    monkeypatch.setattr(server, "_BODY_S", SLOW_S)
    with served(("(.*)", _Notes, {"taken": taken})) as talk:
        begin = (
            f"PUT /{talk.token}/a HTTP/1.1\r\nHost: {talk.host}\r\nOrigin: http://{talk.host}\r\n"
            'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"a": "'
        )
        assert _trickled(talk, begin.encode(), b"y") == b""
    assert taken == []


def test_an_answer_that_hardly_anybody_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert handler._ANSWER_S <= 30
    monkeypatch.setattr(handler, "_ANSWER_S", SLOW_S)
    with served(("(.*)", _Pages, {})) as talk, talk.connected() as connection:
        connection.sendall(f"GET /{talk.token}/long HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode())
        length = 0
        while piece := connection.recv(1 << 18):
            length += len(piece)
            time.sleep(SLOW_S / 6)
        assert length < LONG_B


def test_hundreds_who_ask_nothing_keep_nobody_out(talk: Talk) -> None:
    idle = [talk.connected() for _ in range(300)]
    try:
        for _ in range(3):
            assert talk.get("x")[::2] == (200, b"x")
            idle += [talk.connected() for _ in range(40)]
    finally:
        for one in idle:
            one.close()


def test_the_oldest_of_those_who_ask_nothing_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert server._MOST_WAITING <= 100
    monkeypatch.setattr(server, "_MOST_WAITING", 5)
    monkeypatch.setattr(server, "_HEAD_S", 600.0)
    with served(("(.*)", _Pages, {})) as talk:
        reading = talk.connected()
        reading.sendall(f"GET /{talk.token}/long HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode())
        reading.recv(1)
        waiting = [talk.connected() for _ in range(8)]
        for one in waiting[:3]:
            assert all_of(one) == b""
        for one in waiting[3:]:
            one.sendall(f"GET /{talk.token}/x HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode())
            assert all_of(one).endswith(b"\r\n\r\nx")
        assert len(all_of(reading)) > LONG_B  # it asked, so it is none of those
        for one in (reading, *waiting):
            one.close()


def test_those_who_leave_in_the_middle_do_no_harm(talk: Talk) -> None:
    whole = f"GET /{talk.token}/long HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode()
    for length in (0, 5, len(whole) - 1, len(whole)):
        for _ in range(5):
            with talk.connected() as connection:
                # Close by a reset, not by an end.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                connection.sendall(whole[:length])
    assert talk.get("x")[0] == 200


# What is told


def test_a_fault_of_ours_tells_nothing(talk: Talk) -> None:
    assert _refused(talk.get("fault"), 500)
    assert talk.get("x")[0] == 200


def test_the_end_closes_the_port_and_all_connections() -> None:
    with served(("(.*)", _Pages, {})) as talk:
        silent, half, unread = talk.connected(), talk.connected(), talk.connected()
        half.sendall(b"GET /")
        unread.sendall(f"GET /{talk.token}/long HTTP/1.1\r\nHost: {talk.host}\r\n\r\n".encode())
        assert talk.get("x")[0] == 200
    for one in (silent, half, unread):
        with one:
            all_of(one)  # comes to an end
    with pytest.raises(ConnectionRefusedError):
        talk.connected()


_FOREGROUND = """\
import asyncio
from grader.serving.address import listen
from grader.serving.handler import LocalHandler, application
from grader.serving.server import serve
class Page(LocalHandler):
    def get(self, path):
        if path == "fault":
            raise ValueError("a secret of ours")
        self.send(path.encode())
        if path == "end":
            over.set()
over = asyncio.Event()
listening, address = listen()
print(address.url, flush=True)
try:
    serve(listening, application(address, ("(.*)", Page, {})), over.wait)
except KeyboardInterrupt:
    print("interrupted")
print("over")
"""


@pytest.fixture
def foreground() -> Iterator[tuple["subprocess.Popen[bytes]", Talk]]:
    """A program that serves until a page ends it, or a person does."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", _FOREGROUND], **pipes) as program:
        assert program.stdout is not None
        host, token = program.stdout.readline().decode().removeprefix("http://").split("/")[:2]
        yield program, Talk.to(host, token)
        program.kill()


def test_a_page_can_end_a_server_in_the_foreground(
    foreground: tuple["subprocess.Popen[bytes]", Talk],
) -> None:
    program, talk = foreground
    idle = talk.connected()
    assert talk.get("end")[::2] == (200, b"end")
    assert program.communicate(timeout=600) == (b"over\n", b"")
    idle.close()


def test_ctrl_c_ends_a_server_in_the_foreground(foreground: tuple["subprocess.Popen[bytes]", Talk]) -> None:
    program, talk = foreground
    idle = talk.connected()
    assert talk.get("x")[0] == 200
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=600) == (b"interrupted\nover\n", b"")
    idle.close()


def test_nothing_is_logged(foreground: tuple["subprocess.Popen[bytes]", Talk]) -> None:
    program, talk = foreground
    for request in (b"\x1b[31mred\r\n\r\n", b"GET /\x1b HTTP/1.1\r\n\r\n", b"x" * (1 << 17)):
        talk.send(request)
    assert _refused(talk.get("fault"), 500)
    assert _refused(talk.get("%1b[31m", "Origin: null"), 403)
    assert _refused(talk.get("x", method="BREW"), 405)
    talk.get("end")
    assert program.communicate(timeout=600) == (b"over\n", b"")

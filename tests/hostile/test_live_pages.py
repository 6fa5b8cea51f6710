"""The pages of a run that goes on: those who may not see them, and those who would hold the run up."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.local_server import all_of
from support.results_sample import submissions
from support.watched_run import Watched, watched_run

from grader.model.results import SubmissionResult
from grader.reports.written_pages import STAFF_FOLDER, page_link

PATH_LIKE = (
    "../../etc/passwd",
    "..",
    "a/b",
    "%2e%2e%2fsecret",
    "nul\0",
    "C:\\x",
    "<script>alert(1)</script>",
    "é",
)


def _all() -> list[SubmissionResult]:
    found = list(submissions())
    return [*found, *(replace(found[0], id=name, name=name) for name in PATH_LIKE)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    (folder / "results.json").write_text("the whole results")
    (folder / "staff").mkdir()
    (folder / "staff" / "link.html").symlink_to("/etc/passwd")
    (folder / "staff" / "real.html").write_text("a page of before")
    with watched_run(folder, _all(), total=40) as found:
        yield found


def test_pages_are_served_to_who_has_the_token(run: Watched) -> None:
    status, head, body = run.get("")
    assert status == 200
    assert f"{len(_all())} of 40 marked".encode() in body
    assert run.get("index.html") == (status, head, body)
    for line in (
        b"Cross-Origin-Resource-Policy: same-origin",
        b"X-Content-Type-Options: nosniff",
        b"Referrer-Policy: no-referrer",
        b"Content-Security-Policy: base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        b"Cache-Control: no-store",
    ):
        assert line in head.split(b"\r\n")
    assert b"Server" not in head


def test_head_is_answered_without_a_body(run: Watched) -> None:
    status, head, body = run.get("", method="HEAD")
    assert (status, body) == (200, b"")
    assert head == run.get("")[1]


@pytest.mark.parametrize("one", _all(), ids=lambda one: repr(one.id))
def test_each_student_has_a_page_whatever_the_id_looks_like(run: Watched, one: SubmissionResult) -> None:
    status, _, body = run.get(page_link(STAFF_FOLDER, one.id))
    assert status == 200
    assert b"<h1>" in body
    assert b"<script>alert" not in body


@pytest.mark.parametrize(
    "path",
    [
        "results.json", "run.sqlite", "staff", "staff/", "staff/link.html", "staff/real.html", "students/",
        "../etc/passwd", "../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd",
        "%252e%252e%252fetc%252fpasswd", "..\\..\\etc\\passwd", "..%5c..%5cetc%5cpasswd", "/etc/passwd",
        "//etc/passwd", "%2fetc%2fpasswd", "staff/../results.json", "staff/..%2fresults.json", "./index.html",
        "index.html/", "index.html%00", "%c0%ae%c0%ae/results.json", "%ff", "%", "file:///etc/passwd",
        "index-2.html", "index-0.html", "status/", "index.html#x", "staff/student-01.html/..",
    ],
)  # fmt: skip
def test_nothing_outside_of_the_report_is_served(run: Watched, path: str) -> None:
    status, head, body = run.get(path)
    assert (status, body) == (404, b"Not Found\n")
    assert b"Content-Security-Policy: default-src 'none'; " in head


@pytest.mark.parametrize(
    "target", ["/", "/index.html", "/{short}/", "/{wrong}/", "/{token}", "/{token}x/", "//{token}/",
               "/./{token}/", "/x/../{token}/", "/%{token}/",
               "/favicon.ico", "http://{host}/{token}/", "{token}/", "*"]
)  # fmt: skip
def test_without_the_whole_token_nothing_is_there(run: Watched, target: str) -> None:
    wrong = ("B" if run.token[0] == "A" else "A") + run.token[1:]
    asked = target.format(token=run.token, short=run.token[:-1], wrong=wrong, host=run.host)
    assert run.ask(asked)[::2] == (404, b"Not Found\n")


@pytest.mark.parametrize(
    "line",
    ["Host: evil.example", "Host: evil.example:{port}", "Host: localhost:{port}", "Host: 127.0.0.1",
     "Host: [::1]:{port}", "Host:"],
)  # fmt: skip
def test_another_name_for_this_host_is_refused(run: Watched, line: str) -> None:
    request = f"GET /{run.token}/ HTTP/1.1\r\n{line.format(port=run.port)}\r\n\r\n"
    assert run.send(request.encode()).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("line", ["Host: 127.0.0.1:{port}\r\nHost: evil.example", "X: y"])
def test_two_names_for_this_host_or_none_are_refused(run: Watched, line: str) -> None:
    request = f"GET /{run.token}/ HTTP/1.1\r\n{line.format(port=run.port)}\r\n\r\n"
    assert run.send(request.encode()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "field",
    ["Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1", "Referer: http://evil.example/x",
     "Referer: http://{host}.evil.example/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"],
)  # fmt: skip
def test_pages_of_other_origins_are_refused(run: Watched, field: str) -> None:
    assert run.get("", field.format(host=run.host))[0] == 403


def test_own_pages_may_ask(run: Watched) -> None:
    origin = f"http://{run.host}"
    fields = (f"Origin: {origin}", f"Referer: {origin}/{run.token}/", "Sec-Fetch-Site: same-origin")
    assert run.get("status", *fields)[0] == 200


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "BREW"]
)
def test_it_can_only_be_read(run: Watched, method: str) -> None:
    status, head, _ = run.get("", method=method)
    assert status == 405
    assert b"Allow: GET, HEAD" in head
    assert b"Access-Control" not in head


@pytest.mark.parametrize(
    "request_",
    [b"\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET\r\n\r\n",
     b"GET / HTTP/9\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n",
     b"\x16\x03\x01\r\n\r\n",
     b"GET / HTTP/1.1\r\n folded: x\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
     b"GET / HTTP/1.1\r\nA : b\r\n\r\n"],
)  # fmt: skip
def test_anything_but_a_plain_request_is_refused(run: Watched, request_: bytes) -> None:
    assert run.send(request_).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("field", ["Content-Length: 3", "Transfer-Encoding: chunked"])
def test_a_request_has_no_body(run: Watched, field: str) -> None:
    assert run.get("", field)[0] == 400


def test_a_request_line_of_a_megabyte_is_not_read(run: Watched) -> None:
    answered = run.send(b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n\r\n")
    assert answered == b"" or answered.startswith(b"HTTP/1.1 431 ")
    assert run.get("status")[0] == 200


def test_hundreds_of_idle_connections_keep_nobody_out(run: Watched) -> None:
    idle = [run.connected() for _ in range(300)]
    try:
        assert run.get("status")[0] == 200
        assert run.get("")[0] == 200
    finally:
        for one in idle:
            one.close()


def test_who_has_the_port_after_the_run_cannot_have_a_page_loaded(tmp_path: Path) -> None:
    """The page loads itself again only at an answer with a secret that no request holds."""
    with watched_run(tmp_path, submissions(), total=9) as run:
        proof = json.loads(run.get("status")[2])["proof"]
        page = run.get("")[2].decode()
        assert len(proof) >= 32
        assert f'data-proof="{proof}"' in page
        assert page.index("proof !== box.dataset.proof") < page.index("location.reload()")
        assert proof not in run.token
    with watched_run(tmp_path, submissions(), total=9) as other:
        assert json.loads(other.get("status")[2])["proof"] != proof


def test_the_end_of_the_run_closes_open_connections(tmp_path: Path) -> None:
    with watched_run(tmp_path, submissions(), total=9) as run:
        assert json.loads(run.get("status")[2]).items() >= {"marked": 6, "of": 9}.items()
        silent, half, unread = run.connected(), run.connected(), run.connected()
        half.sendall(b"GET /")
        unread.sendall(f"GET /{run.token}/ HTTP/1.1\r\nHost: {run.host}\r\n\r\n".encode())
    for one in (silent, half, unread):
        with one:
            all_of(one)  # comes to an end
    with pytest.raises(ConnectionRefusedError):
        run.connected()
    assert list(tmp_path.iterdir()) == []


def test_students_pages_that_are_held_are_not_served(tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text("{}")
    with watched_run(tmp_path, submissions(), total=6) as run:
        assert run.get("students/student-01.html")[0] == 404
        status, _, body = run.get("staff/student-01.html")
        assert status == 200
        assert b"../students" not in body


def test_a_server_that_was_killed_does_not_stop_the_run(tmp_path: Path) -> None:
    first, *others = submissions()
    with watched_run(tmp_path, [first], total=6) as run:
        assert run.watch._process is not None
        run.watch._process.kill()
        run.watch._process.wait()
        run.add(*others)
        assert run.told[1:] == ["note: the run goes on without the pages of --watch: their process ended"]


def test_a_full_disk_ends_the_pages_and_not_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with watched_run(tmp_path, (), total=6) as run:

        def full(file: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            run.add(*submissions())
        assert run.told[1:] == ["note: the run goes on without the pages of --watch: No space left on device"]
        with pytest.raises(ConnectionRefusedError):
            run.connected()

"""The process that serves the pages of a run: read only, one address, one request a connection.

It shares with the run a socket, a file of results and a pipe that ends with the run.  So nobody who connects
can delay the run.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus

from grader.reports.live.asking import MOST_HEAD_B, RequestRefused, asked
from grader.reports.live.results import Content, ResultsSoFar

_HEAD_S, _BODY_S = 5.0, 30.0
_MOST_WAITING = 100
"""Connections that have not asked yet; one more, and the oldest is closed."""
_NICE = 10

_FIELDS = (
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
_NOT_FRAMED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_NOTHING = f"default-src 'none'; {_NOT_FRAMED}"


def answer(status: HTTPStatus, content: Content, *, whole: bool = True) -> bytes:
    """Return a response.  whole: with its body."""
    # A page has a policy of its own, which names its style sheet and its script; this one comes on top.
    policy = _NOT_FRAMED if content.kind == "text/html" else _NOTHING
    fields = [
        ("Content-Type", f"{content.kind}; charset=utf-8"),
        ("Content-Length", str(len(content.body))),
        ("Content-Security-Policy", policy),
        *_FIELDS,
    ]
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        fields.append(("Allow", "GET, HEAD"))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode("ascii") + content.body * whole


def refusal(status: HTTPStatus) -> bytes:
    return answer(status, Content(f"{status.phrase}\n".encode("ascii"), "text/plain"))


class Server:
    """Answers each connection once, and closes it."""

    def __init__(self, results: ResultsSoFar) -> None:
        self._results = results
        self._waiting: dict[asyncio.StreamWriter, None] = {}
        """Connections that have not asked yet, the oldest first."""
        self._maker = ThreadPoolExecutor(1)
        """Makes one page at a time, while connections come and go."""

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            try:
                response = await self._response(reader, writer)
                # Then `drain` returns when the other side, or the kernel for it, has everything.
                writer.transport.set_write_buffer_limits(0)
                writer.write(response)
                async with asyncio.timeout(_BODY_S):
                    await writer.drain()
                writer.close()
            finally:
                if not writer.is_closing():
                    writer.transport.abort()

    async def _response(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        if len(self._waiting) >= _MOST_WAITING:
            next(iter(self._waiting)).transport.abort()
        self._waiting[writer] = None
        try:
            async with asyncio.timeout(_HEAD_S):
                head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        finally:
            del self._waiting[writer]
        try:
            found = asked(head, self._results.head.address)
            loop = asyncio.get_running_loop()
            content = await loop.run_in_executor(self._maker, self._results.content, found.path)
        except RequestRefused as refused:
            return refusal(refused.status)
        except Exception:
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR)
        return answer(HTTPStatus.OK, content, whole=found.whole)


async def serve(
    listening: socket.socket, results: ResultsSoFar, end_with: Callable[[asyncio.Event], None]
) -> None:
    """Serve until the event is set that `end_with` is given."""
    over = asyncio.Event()
    end_with(over)
    async with await asyncio.start_server(Server(results).meet, sock=listening, limit=MOST_HEAD_B):
        await over.wait()
        # Connections and the page that is being made end with this process.
        os._exit(0)


def main(listening: int, file: int) -> None:
    """Serve on a socket from a file, both given by number, until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run alone acts on Ctrl-C, and ends this process
    with suppress(OSError):
        os.nice(_NICE)

    def until_input_ends(over: asyncio.Event) -> None:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), over.set)

    results = ResultsSoFar(file)
    asyncio.run(serve(socket.socket(fileno=listening), results, until_input_ends))

"""The one loop that serves: bounds of time, size and number for everybody who connects, whoever it is."""

import asyncio
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, cast

from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.web import Application

from grader.serving.handler import MOST_BODY_B

_HEAD_S, _BODY_S = 5.0, 10.0
_MOST_HEAD_B = 16 << 10
_MOST_WAITING = 100
"""Connections that have not asked yet; one more, and the oldest is closed."""

_NOWHERE = logging.NullHandler()

_INTERRUPTS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

Until: TypeAlias = Callable[[], Awaitable[object]]


class _Request(HTTPMessageDelegate):
    """Hands a request on to what answers it, and knows whether its head has come."""

    def __init__(self, connection: HTTP1Connection, answering: HTTPMessageDelegate) -> None:
        self._connection, self._answering = connection, answering
        self._has_come = False

    @property
    def is_awaited(self) -> bool:
        return not self._has_come and not self._connection.stream.closed()

    def give_up(self) -> None:
        self._connection.close()

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        self._has_come = True
        return self._answering.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._answering.data_received(chunk)

    def finish(self) -> None:
        self._answering.finish()

    def on_connection_close(self) -> None:
        self._answering.on_connection_close()


class _Door(HTTPServerConnectionDelegate):
    """Lets so many wait, and no more: who asks nothing keeps nobody out."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._awaited: list[_Request] = []
        """The oldest first."""

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        connection = cast(HTTP1Connection, request_conn)
        if connection.stream.closed():
            # Tornado goes on to what came behind the one request of a connection, though it has closed it.
            return HTTPMessageDelegate()
        self._awaited = [one for one in self._awaited if one.is_awaited]
        if len(self._awaited) >= _MOST_WAITING:
            self._awaited.pop(0).give_up()
        request = _Request(connection, self._application.start_request(server_conn, request_conn))
        self._awaited.append(request)
        return request


def _nothing() -> None:
    """Do nothing."""


def serve(
    listening: socket.socket, application: Application, until: Until, ready: Callable[[], None] = _nothing
) -> None:
    """Serve on a socket until a call of `until` is over; then close it and all connections.

    ready: called once, when all is served.  An answer that was sent before the end still arrives.
    Ctrl-C raises `KeyboardInterrupt` after that.
    """
    if asyncio.run(_serve(listening, application, until, ready)):
        raise KeyboardInterrupt


async def _serve(
    listening: socket.socket, application: Application, until: Until, ready: Callable[[], None]
) -> bool:
    """Serve, and tell whether an interrupt ended it."""
    _keep_quiet()
    server = HTTPServer(
        _Door(application),
        no_keep_alive=True,
        max_header_size=_MOST_HEAD_B,
        idle_connection_timeout=_HEAD_S,
        max_body_size=MOST_BODY_B,
        body_timeout=_BODY_S,
        max_buffer_size=2 * MOST_BODY_B,
    )
    listening.setblocking(False)
    server.add_socket(listening)
    interrupted = asyncio.Event()
    try:
        with _hearing(interrupted):
            ready()
            over, stopped = (asyncio.ensure_future(each) for each in (until(), interrupted.wait()))
            await asyncio.wait((over, stopped), return_when=asyncio.FIRST_COMPLETED)
            for each in (over, stopped):
                each.cancel()
            await asyncio.wait((over, stopped))
            if not over.cancelled():
                over.result()  # raises what `until` raised
    finally:
        server.stop()
        await server.close_all_connections()
    return interrupted.is_set()


@contextmanager
def _hearing(interrupted: asyncio.Event) -> Iterator[None]:
    """Have interrupts set an event, where a handler of this process waits for them.

    A handler that raises could do so in the middle of any callback of the loop, and some of them catch all.
    """
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _INTERRUPTS}
    heard = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in heard:
            loop.add_signal_handler(number, interrupted.set)
    except (NotImplementedError, RuntimeError, ValueError):
        # Windows, and threads beside the main one, have no such handlers.
        heard = {}
    try:
        yield
    finally:
        for number, handler in heard.items():
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN if interrupted.is_set() else handler)


def _keep_quiet() -> None:
    """Log nothing: whoever connects could write to the terminal, and a request has the token in it."""
    log = logging.getLogger("tornado")
    log.addHandler(_NOWHERE)
    log.propagate = False
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)


async def until_readable(file: int) -> None:
    """Return when a file, given by number, has something to read or comes to its end."""
    readable = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(file, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(file)

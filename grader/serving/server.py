"""The one loop that serves: bounds of time, size and number for everybody who connects, whoever it is."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
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


def serve(listening: socket.socket, application: Application, until: Until) -> None:
    """Serve on a socket until a call of `until` is over; then close it and all connections.

    An answer that was sent before still arrives.  Ctrl-C raises `KeyboardInterrupt`, as elsewhere.
    """
    asyncio.run(_serve(listening, application, until))


async def _serve(listening: socket.socket, application: Application, until: Until) -> None:
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
    try:
        await until()
    finally:
        server.stop()
        await server.close_all_connections()


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

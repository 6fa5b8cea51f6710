"""A server of our own pages in a thread, and raw sockets to talk to it."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from grader.serving.address import Address, listen
from grader.serving.handler import Rule, application
from grader.serving.server import serve, until_readable


def all_of(connection: socket.socket) -> bytes:
    """Return what comes until the other side closes."""
    pieces = []
    try:
        while piece := connection.recv(1 << 16):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


class Talk:
    """Talks to the server at an address, byte by byte."""

    address: Address

    @classmethod
    def to(cls, host: str, token: str) -> "Talk":
        talk = Talk()
        talk.address = Address(host, token)
        return talk

    @property
    def host(self) -> str:
        return self.address.host

    @property
    def port(self) -> int:
        return int(self.host.rpartition(":")[2])

    @property
    def token(self) -> str:
        return self.address.token

    @property
    def url(self) -> str:
        return self.address.url

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, request: bytes) -> bytes:
        """Return all that comes back."""
        with self.connected() as connection:
            with suppress(OSError):  # it can be refused before it was read
                connection.sendall(request)
            return all_of(connection)

    def get(self, path: str, *fields: str, method: str = "GET") -> tuple[int, bytes, bytes]:
        """Ask for a path below the token, as it stands; return the status, the head and the body."""
        return self.ask(f"/{self.token}/{path}", *fields, method=method)

    def put(self, path: str, body: bytes, *fields: str, method: str = "PUT") -> tuple[int, bytes, bytes]:
        """Ask as a script of our own page does."""
        own = (
            f"Origin: http://{self.host}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        return self.ask(f"/{self.token}/{path}", *own, *fields, method=method, body=body)

    def ask(
        self, target: str, *fields: str, method: str = "GET", body: bytes = b""
    ) -> tuple[int, bytes, bytes]:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host}", *fields, "", ""]
        return parted(self.send("\r\n".join(lines).encode() + body))


def parted(answer: bytes) -> tuple[int, bytes, bytes]:
    """Return the status, the head and the body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), head, body


@contextmanager
def served(*rules: Rule) -> Iterator[Talk]:
    """Yield a server with these rules, which ends with the context."""
    listening, address = listen()
    end, told = os.pipe()
    run = partial(serve, listening, application(address, *rules), partial(until_readable, end))
    thread = threading.Thread(target=run)
    with listening:
        thread.start()
        try:
            yield Talk.to(address.host, address.token)
        finally:
            os.close(told)
            thread.join(60)
            os.close(end)
            assert not thread.is_alive()

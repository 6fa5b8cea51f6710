"""Where pages are served: a port of this machine alone, and a secret that each path begins with."""

import secrets
import socket
from dataclasses import dataclass

_LOOPBACK = "127.0.0.1"
_TOKEN_B = 32


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are.  host: address and port.  token: the first part of every path."""

    host: str
    token: str

    @property
    def origin(self) -> str:
        """What a browser calls the pages in `Origin`."""
        return f"http://{self.host}"

    @property
    def url(self) -> str:
        return f"{self.origin}/{self.token}/"


def listen() -> tuple[socket.socket, Address]:
    """Return a socket that listens at a port which the kernel chooses, and a new address there."""
    listening = socket.create_server((_LOOPBACK, 0))
    return listening, Address(f"{_LOOPBACK}:{listening.getsockname()[1]}", secrets.token_urlsafe(_TOKEN_B))

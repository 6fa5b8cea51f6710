"""Traps for attacks: servers that must not be reached, and a process that must not be signalled."""

import secrets
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path


class Traps:
    """Servers that must not be reached, and a process that must not be signalled."""

    def __init__(self, folder: Path, become: tuple[str, ...]) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        self._unix.listen()
        self._abstract = socket.socket(socket.AF_UNIX)
        name = f"vault-{secrets.token_hex(8)}"
        self._abstract.bind("\0" + name)
        self._abstract.listen()
        self.victim = subprocess.Popen([*become, "sleep", "1000"])
        self.places = {
            "tcp": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "unix": str(folder / "socket"),
            "abstract": name,
            "victim": self.victim.pid,
        }

    def touched(self) -> Iterator[str]:
        """Yield the traps that somebody stepped into."""
        for name, trap in (("tcp", self._tcp), ("unix", self._unix), ("abstract", self._abstract)):
            trap.setblocking(False)
            try:
                trap.accept()[0].close()
                yield name
            except BlockingIOError:
                pass
        self._udp.setblocking(False)
        try:
            self._udp.recv(100)
            yield "udp"
        except BlockingIOError:
            pass
        state = Path(f"/proc/{self.victim.pid}/stat").read_text().rpartition(")")[2].split()[0]
        if self.victim.poll() is not None or state not in "SR":
            yield "bystander"

    def close(self) -> None:
        """End them all."""
        self.victim.kill()
        self.victim.wait()
        for trap in (self._tcp, self._udp, self._unix, self._abstract):
            trap.close()

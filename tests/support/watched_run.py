"""A run that is watched: its pages are served by the process of `grader mark --watch`, from made results."""

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from grader.cli.watching import Watch
from grader.model.events import Event, RunStarted, SubmissionKept
from grader.model.results import SubmissionResult
from grader.store.results_json import submission_text
from support.results_sample import RUN, TASK


class Silent:
    def say(self, text: str) -> None:
        pass

    def see(self, event: Event) -> None:
        pass


class Watched:
    """A run of so many submissions.  Use it as a context manager; `add` ends one."""

    def __init__(self, folder: Path, total: int) -> None:
        self._texts: dict[str, str] = {}
        self.told: list[str] = []
        self.watch = Watch(TASK, folder, self._texts.__getitem__, released=False)
        self._display = self.watch.beside(Silent(), self.told.append)
        self._total = total

    def __enter__(self) -> "Watched":
        self._display.see(RunStarted(RUN, self._total))
        (line,) = self.told
        found = re.fullmatch(r"watch: http://(127\.0\.0\.1):([0-9]+)/([A-Za-z0-9_-]{43})/", line)
        assert found, line
        self.port, self.token = int(found[2]), found[3]
        self.host = f"{found[1]}:{self.port}"
        self.url = line.removeprefix("watch: ")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.watch.__exit__(kind, error, trace)

    def add(self, *submissions: SubmissionResult) -> None:
        for one in submissions:
            self._texts[one.id] = submission_text(one)
            self._display.see(SubmissionKept(one.id))

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, request: bytes) -> bytes:
        """Return all that comes back."""
        with self.connected() as connection:
            try:
                connection.sendall(request)
            except OSError:
                return b""  # it was refused before it was read
            return all_of(connection)

    def get(self, path: str, *fields: str, method: str = "GET") -> tuple[int, bytes, bytes]:
        """Ask for a path below the token, as it stands; return the status, the head and the body."""
        return self.ask(f"/{self.token}/{path}", *fields, method=method)

    def ask(self, target: str, *fields: str, method: str = "GET") -> tuple[int, bytes, bytes]:
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self.host}", *fields, "", ""]
        head, _, body = self.send("\r\n".join(lines).encode()).partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), head, body


def all_of(connection: socket.socket) -> bytes:
    pieces = []
    try:
        while piece := connection.recv(1 << 16):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


@contextmanager
def watched_run(folder: Path, submissions: Iterable[SubmissionResult], total: int) -> Iterator[Watched]:
    """Yield a run that goes on, with these submissions marked."""
    with Watched(folder, total) as run:
        run.add(*submissions)
        yield run

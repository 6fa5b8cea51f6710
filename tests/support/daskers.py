"""A Dask scheduler and workers, each a process of its own as on machines of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.plugins.cluster.link import ON_LOOPBACK
from support.processes import descendants

_START_S = 60.0
_DASK = (sys.executable, "-m")
RESTRICTED = Path(__file__).with_name("restricted.py")


class Dasker:
    """One process, the leader of its own group; `log` is all that it says."""

    def __init__(self, folder: Path, name: str, command: Sequence[str], changes: Mapping[str, str]) -> None:
        folder.mkdir(exist_ok=True)
        self._log = folder / f"{name}.log"
        quick = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false", "PYTHONWARNINGS": "ignore"}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                list(command),
                cwd=folder,
                env={**os.environ, **quick, **changes},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> str:
        return self._log.read_text()

    def wait_for(self, words: str) -> None:
        """Wait until it has said something."""
        deadline = time.monotonic() + _START_S
        while words not in self.log:
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.05)

    def send(self, number: int) -> None:
        """Send a signal to it, its nanny or worker, and all else that it started."""
        for pid, _ in descendants(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def end(self) -> None:
        """End it as a power cut would."""
        self.send(signal.SIGKILL)
        self.process.wait()


class DaskCluster:
    """A scheduler, and the workers that were started for it.

    tls: options for both, if any.  host: the address on which the scheduler listens.
    """

    def __init__(self, folder: Path, tls: Sequence[str] = (), host: str = "127.0.0.1") -> None:
        self._folder = folder
        self._host = host
        self._tls = list(tls)
        self._all: list[Dasker] = []
        self.address = ""

    def start(self) -> None:
        """Start the scheduler."""
        command = [*_DASK, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--no-show"]
        command += ["--host", ("tls" if self._tls else "tcp") + f"://{self._host}", *ON_LOOPBACK.split()]
        scheduler = self._start("scheduler", [*command, *self._tls])
        found = None
        while found is None:
            scheduler.wait_for("Scheduler at:")
            found = re.search(r"Scheduler at:\s+(\S+)\s", scheduler.log)
        self.address = found.group(1)

    @property
    def scheduler(self) -> Dasker:
        return self._all[0]

    def worker(
        self, name: str, *options: str, taken: Sequence[str] = (), wait: bool = True, **changes: str
    ) -> Dasker:
        """Start a worker.  taken: words for `restricted`.  changes: to its environment."""
        command = [*_DASK, "distributed.cli.dask_worker", self.address, "--name", name, "--no-dashboard"]
        command += ON_LOOPBACK.split()
        command += ["--memory-limit", "0", "--local-directory", str(self._folder / name)]
        before = [sys.executable, str(RESTRICTED), *taken, "--"] if taken else []
        worker = self._start(name, [*before, *command, *self._tls, *options], changes)
        if wait:
            worker.wait_for("Registered to:")
        return worker

    def _start(self, name: str, command: Sequence[str], changes: Mapping[str, str] | None = None) -> Dasker:
        dasker = Dasker(self._folder / "run", name, command, changes or {})
        self._all.append(dasker)
        return dasker

    def end(self) -> None:
        """End everything."""
        for dasker in reversed(self._all):
            dasker.end()


@contextmanager
def dask_cluster(folder: Path, *tls: str, host: str = "127.0.0.1") -> Iterator[DaskCluster]:
    """A scheduler without workers, gone afterwards."""
    cluster = DaskCluster(folder, tls, host)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.end()


@contextmanager
def extra(worker: Dasker) -> Iterator[Dasker]:
    """A worker that is gone afterwards."""
    try:
        yield worker
    finally:
        worker.end()

"""The connection to a Dask scheduler: lists the workers, and asks one of them to call a function.

Only this module knows Dask.  `grader.plugins.cluster.site` has the functions that run in the workers.
"""

import asyncio
import logging
import warnings
from collections.abc import Collection
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from grader.model.errors import Fault, UsageError

_CONNECT_S = 5.0
_ANSWER_S = 10.0
_END_S = 1.0
_LOOK_S = 3.0
_RECONNECT_S = 90.0
"""How long Dask tries to find a lost scheduler: longer than all our own waits."""

ON_LOOPBACK = "--dashboard-address 127.0.0.1:0"
"""Without it the HTTP servers of scheduler and workers listen on all addresses, without TLS."""

# A text, because a scheduler reads tasks too, and only the workers have the grader.
_TASK = "__import__('grader.plugins.cluster.site', fromlist=['site']).{}(**given)"


@dataclass(frozen=True, slots=True)
class Access:
    """The address of a scheduler, and the files for TLS.

    address: such as `tcp://host:8786` or `tls://host:8786`.
    ca, certificate, key: files for TLS, PEM; empty for those of Dask's own configuration.
    """

    address: str
    ca: str = ""
    certificate: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker as the scheduler describes it.

    host: its machine.  threads: the number of tasks that it takes at a time.
    takes_work: it is neither leaving nor short of memory.
    last_seen: the time of its last sign of life, by the scheduler's clock.
    """

    address: str
    name: str
    host: str
    threads: int
    takes_work: bool
    last_seen: float


class LinkBroken(Exception):
    """The scheduler can't be reached, or has forgotten the request."""


class NoAnswer(Exception):
    """A worker could not answer; the message gives the reason."""


class ClusterConnection:
    """An open connection, for the event loop in which `open` was called."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self.address = address

    @classmethod
    async def open(cls, access: Access) -> "ClusterConnection":
        """Connect.  Raises `UsageError`."""
        make = _client_class()
        security = _security(access)
        client: Any = None
        try:
            await _knock(access.address)
            client = make(
                access.address,
                security=security,
                asynchronous=True,
                set_as_default=False,
                direct_to_workers=False,
                # This also covers a connection that is lost later.
                timeout=_RECONNECT_S,
                name="grader",
            )
            await asyncio.wait_for(client, 2 * _CONNECT_S)
        # A server of another protocol sends bytes that Dask reads as lengths, some larger than any memory.
        except (
            OSError, TimeoutError, ValueError, TypeError, RuntimeError, ImportError,
            MemoryError, OverflowError,
        ) as error:  # fmt: skip
            if client is not None:
                with suppress(Exception):
                    await asyncio.wait_for(client.close(), _END_S)
            reason = f"there is no Dask scheduler at {access.address}: {_in_short(error)}"
            hint = f"start one and give the address that it prints: dask scheduler {ON_LOOPBACK}"
            raise UsageError(Fault(reason, hint=hint)) from error
        return cls(client, access.address)

    async def workers(self) -> list[Worker]:
        """Return the workers.  Raises `LinkBroken`."""
        if self._client.status not in ("running", "connecting"):
            raise LinkBroken
        try:
            identity = await asyncio.wait_for(self._client.scheduler.identity(), _ANSWER_S)
        except (OSError, TimeoutError, AttributeError) as error:
            raise LinkBroken from error
        return [
            Worker(
                address,
                str(facts["name"]),
                str(facts["host"]),
                int(facts["nthreads"]),
                facts["status"] == "running",
                float(facts["last_seen"]),
            )
            for address, facts in identity["workers"].items()
        ]

    async def ask(self, worker: str, function: str, **given: str | bytes) -> bytes:
        """Let one worker, and no other, call a function of `grader.plugins.cluster.site`; return its answer.

        Never returns if the worker is lost.  Raises `NoAnswer` and `LinkBroken`.
        """
        future = self._client.submit(
            eval,
            _TASK.format(function),
            {"given": given},
            key=f"grader-{function}-{uuid4().hex}",
            workers=[worker],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )
        try:
            answer = await future
        except CancelledError as error:
            raise LinkBroken from error
        except Exception as error:
            raise NoAnswer(_in_short(error)) from error
        finally:
            future.release()
        if not isinstance(answer, bytes):
            raise NoAnswer("it answered with something else than was asked")
        return answer

    async def look(self, worker: str, run: str) -> bytes:
        """Return what a worker is at in a run; empty where it does not say so soon.

        It answers beside its work: this is no task, which would wait for a thread.
        """
        given = {"given": {"run": run}}
        asking = self._client.run(
            eval, _TASK.format("look"), given, workers=[worker], wait=True, on_error="ignore"
        )
        try:
            answers = await asyncio.wait_for(asking, _LOOK_S)
        except (OSError, TimeoutError, ValueError, AttributeError, RuntimeError):
            return b""
        answer = answers.get(worker, b"")
        return answer if isinstance(answer, bytes) else b""

    async def end(self, run: str, workers: Collection[str]) -> None:
        """Tell workers that a run is over; workers that this does not reach forget the run later."""
        if workers:
            telling = self._client.run(
                eval, _TASK.format("end"), {"given": {"run": run}}, workers=list(workers), on_error="ignore"
            )
            # A dead scheduler cannot pass the message on.
            with suppress(OSError, TimeoutError, ValueError, AttributeError, RuntimeError):
                await asyncio.wait_for(telling, _END_S)

    async def close(self) -> None:
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._client.close(), _END_S)


def _client_class() -> Any:
    """Return Dask's client.  Raises `UsageError` if Dask is not installed."""
    try:
        import distributed
    except ModuleNotFoundError as error:
        reason = f"a cluster needs {error.name}, which is not installed"
        raise UsageError(Fault(reason, hint="pip install 'grader-harness[cluster]'")) from error
    _quieten()
    return distributed.Client


async def _knock(address: str) -> None:
    """Raise `OSError` at once if no server listens there, since Dask would retry for a while."""
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, rest = parse_address(address)
    if scheme in ("tcp", "tls"):
        host, port = parse_host_port(rest, 8786)
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), _CONNECT_S)
        writer.close()


def _security(access: Access) -> Any:
    """Return Dask's object for TLS, None for its own configuration.  Raises `UsageError`."""
    import distributed.security

    make: Any = distributed.security.Security
    try:
        if not (access.ca or access.certificate or access.key):
            if (
                access.address.startswith("tls://")
                and not make().get_connection_args("client")["ssl_context"]
            ):
                hint = "name them with --tls-ca-file, --tls-cert and --tls-key, or in Dask's configuration"
                raise UsageError(Fault(f"{access.address} needs certificates", hint=hint))
            return None
        if not access.address.startswith("tls://"):
            reason = f"TLS needs an address that begins with tls://, not {access.address}"
            raise UsageError(Fault(reason, hint="the scheduler prints its address when it starts"))
        files = {
            "tls_ca_file": access.ca,
            "tls_client_cert": access.certificate,
            "tls_client_key": access.key,
        }
        _check_key(access.key or access.certificate)
        security = make(require_encryption=True, **{name: path for name, path in files.items() if path})
        if not security.get_connection_args("client")["ssl_context"]:
            hint = "--tls-key can be left out where the certificate's file holds the key as well"
            raise UsageError(Fault("--tls-ca-file and --tls-cert are both needed", hint=hint))
    except OSError as error:
        raise UsageError(Fault(f"the files for TLS can't be used: {_in_short(error)}")) from error
    return security


def _check_key(path: str) -> None:
    """Raise `UsageError` for an encrypted key: OpenSSL would ask for its pass phrase on the terminal."""
    if path and b"ENCRYPTED" in Path(path).read_bytes():
        hint = "give one without: openssl pkey -in KEY -out NEW, readable by you alone"
        raise UsageError(Fault("the key for TLS has a pass phrase", path, hint=hint))


def _quieten() -> None:
    """Keep Dask's messages from the terminal; we report what matters in our own words."""
    import dask
    from distributed.versions import VersionMismatchWarning

    # Dask sets levels of its own on some loggers below its own one.
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    # We compare workers in everything that a mark can depend on, and Dask's version is not part of it.
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})


def _in_short(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__

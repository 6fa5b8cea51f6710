"""The options for marking on a cluster, and the connection that they ask for."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from grader.engine.batch import Connector, Machines
from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import registry

_F = TypeVar("_F", bound=Callable[..., Any])
_FILES = (
    ("--tls-ca-file", "With --cluster: certificates of the authority that signed the scheduler's, PEM."),
    ("--tls-cert", "With --cluster: our own certificate, PEM."),
    ("--tls-key", "With --cluster: the key of our own certificate, PEM."),
)


def cluster_options(command: _F) -> _F:
    """Add `--cluster` and its TLS options: parameters `cluster`, and `tls_…`, named as Dask names them."""
    for name, text in reversed(_FILES):
        option = click.option(name, metavar="FILE", type=click.Path(exists=True, dir_okay=False), help=text)
        command = option(command)
    return click.option(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="Mark on the workers of a Dask cluster, whose scheduler is at ADDRESS: tcp://HOST:8786.",
    )(command)


@contextmanager
def cluster_at(
    address: str, tls: Mapping[str, str | None], jobs: int | None, note: Callable[[str], None]
) -> Iterator[Machines | None]:
    """Yield a cluster, connected while the context is open; None where no address is given.

    tls: the files, by parameter.  note: is called with sentences for people.
    Raises `click.UsageError` and `UsageError`.
    """
    if not address:
        given = [name.removeprefix("tls_") for name, path in tls.items() if path]
        if given:
            raise click.UsageError(f"--{'tls-' + given[0].replace('_', '-')} goes with --cluster alone")
        yield None
        return
    if jobs is not None:
        raise click.UsageError(
            "--jobs is about this machine; a cluster's workers take as many submissions as they have threads"
        )
    scheme, separator, _ = address.partition("://")
    known = registry().names(Group.MACHINES)
    if separator and scheme not in known:
        message = f"there is no cluster with an address such as {scheme}://…"
        raise UsageError(Fault(message, address, hint=f"there are {', '.join(known)}"))
    # Ours has the cluster extra: 0.1 s that few runs need.
    connector: Connector = registry().load(Group.MACHINES, scheme if separator else "tcp")
    files = {name: path or "" for name, path in tls.items()}
    with connector.connect(address, files, note) as machines:
        yield machines

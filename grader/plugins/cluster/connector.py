"""Connects the command line to a Dask cluster."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from grader.engine.batch import Connector, Machines
from grader.plugins.cluster.cluster import Cluster
from grader.plugins.cluster.link import Access


@contextmanager
def _connected(address: str, files: Mapping[str, str], note: Callable[[str], None]) -> Iterator[Machines]:
    cluster = Cluster(Access(address, files["tls_ca_file"], files["tls_cert"], files["tls_key"]), note)
    try:
        yield cluster
    finally:
        cluster.close()


CONNECTOR = Connector(_connected)

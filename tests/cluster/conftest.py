"""One cluster for all tests: a scheduler, a worker with a nanny and one without, both honest and fit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.daskers import DaskCluster, dask_cluster


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of two workers with a thread each; tests may add workers, which they end themselves."""
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        nanny = cluster.worker("nanny", "--nthreads", "1", wait=False)
        cluster.worker("plain", "--nthreads", "1", "--no-nanny")
        nanny.wait_for("Registered to:")
        yield cluster


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A scheduler with no workers but those that a test starts, and ends itself."""
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """A folder with a task of its own and 16 submissions that take a tenth of a second each."""
    folder = tmp_path / "batch"
    folder.mkdir()
    (folder / "spec").mkdir()
    (folder / "spec" / "count.yaml").write_text(SPEC)
    (folder / "spec" / "solution").mkdir()
    (folder / "spec" / "solution" / "count.py").write_text(RIGHT)
    (folder / "spec" / "checkers.py").write_text(CHECKERS)
    for number in range(16):
        place = folder / "work" / f"student-{number:02}"
        place.mkdir(parents=True)
        (place / "count.py").write_text(RIGHT if number % 3 else WRONG)
    return folder


SPEC = """\
task: count
title: Count
marks: 3
reference: solution
checkers: checkers.py
modules: {count: count.py}
questions:
  - id: "1"
    title: total
    marks: 1
    cases:
      - call: total(300_000)
        returns: same as reference
      - call: total(3)
        check: is_six()
  - id: "2"
    title: names
    marks: 2
    award: each
    cases:
      - call: name(1)
        returns: "'one'"
      - call: name(2)
        returns: "'two'"
      - call: name(3)
        raises: KeyError
"""

RIGHT = """\
def total(n):
    found = 0
    for number in range(n + 1):
        found += number
    return found


def name(number):
    return {1: "one", 2: "two"}[number]
"""

WRONG = RIGHT.replace("n + 1", "n").replace('"two"', '"tw\\N{LATIN SMALL LETTER O WITH DIAERESIS}"')

CHECKERS = """\
def is_six(answer):
    return None if answer == 6 else "not six"
"""

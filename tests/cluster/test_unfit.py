"""Workers that are not what the run needs take no work, and its user is told which and why."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, grader, only_error, results
from support.daskers import DaskCluster, extra
from support.following import Following, marked

import grader as package
from grader.model.errors import NoSandbox
from grader.model.results import Status
from grader.runtime.code_identity import python_version
from grader.worker.walls import syscalls


@pytest.fixture
def other_grader(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Make a copy of the grader with one file changed, for a worker's PYTHONPATH."""

    def make(name: str, file: str, more: str) -> Path:
        copy = tmp_path / name / "grader"
        shutil.copytree(Path(package.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        with (copy / file).open("a") as changed:
            changed.write(more)
        return copy.parent

    return make


def test_workers_whose_grader_runs_on_another_python_mark_nothing(
    own: DaskCluster, batch: Path, other_python: Path
) -> None:
    worker = own.worker("newer", "--nthreads", "1", "--no-nanny", PYTHONPATH=str(other_python))
    with extra(worker), pytest.raises(NoSandbox) as refused:
        marked(batch, own.address)
    assert f"its grader runs on Python 3.99.0, and the run's on {python_version()}" in str(refused.value)


HONEST = str(Path(package.__file__).parents[1])

# It is examined as another one, and then answers with nonsense.
LIE = """

honest = examine

def examine(**given):
    import os
    os.environ["PYTHONPATH"] = os.environ["HONEST"]
    return honest(**given)

def mark(run, payload, sha256, evidence):
    word = b"\\n[false, [\\"SubmissionResult\\", \\"student-00\\"]]\\n"
    return b"result " + sha256.encode() + word + bytes(16)
"""


def test_workers_that_lie_about_their_code_or_send_nonsense_mark_nothing(
    own: DaskCluster, batch: Path, other_grader: Callable[[str, str, str], Path]
) -> None:
    changed = other_grader("changed", "judge/judge.py", "\n\nFULL_MARKS = True\n")
    liar = other_grader("liar", "plugins/cluster/site.py", LIE)
    options = ("--nthreads", "1", "--no-nanny")
    with (
        extra(own.worker("changed", *options, wait=False, PYTHONPATH=str(changed))) as first,
        extra(own.worker("liar", *options, wait=False, PYTHONPATH=str(liar), HONEST=HONEST)) as second,
    ):
        first.wait_for("Registered to:")
        second.wait_for("Registered to:")
        among_liars = Following(batch, own.address, patience_s=1.0)
        with pytest.raises(NoSandbox, match="no worker is left that can mark"):
            list(among_liars.steps())
        with extra(own.worker("honest", *options)):
            on_cluster = marked(batch, own.address)
    told = "\n".join(among_liars.notes)
    assert "worker changed (tcp://" in told
    assert f"it says that it has grader {package.__version__}, but its code is another one" in told
    assert "worker liar (tcp://" in told
    assert "it failed again and again: it sent no proper result: this is not a SubmissionResult" in told
    assert {result.status for result in among_liars.results} <= {Status.PENDING}
    assert on_cluster.marks() == marked(batch).marks()


@pytest.mark.skipif(
    sys.platform != "linux" or not syscalls.SUPPORTED, reason="needs seccomp to take system calls away"
)
def test_one_driver_is_taken_that_all_have_and_other_versions_are_told(
    own: DaskCluster, tmp_path: Path, other_grader: Callable[[str, str, str], Path]
) -> None:
    older = other_grader("older", "__init__.py", "")
    source = (older / "grader" / "__init__.py").read_text()
    (older / "grader" / "__init__.py").write_text(source.replace(package.__version__, "0.0.9"))
    options = ("--nthreads", "1", "--no-nanny")
    command = ("mark", SPEC, BATCH / "student-01", BATCH / "student-02", "--cluster", own.address)
    with (
        extra(own.worker("older", *options, wait=False, PYTHONPATH=str(older))) as first,
        extra(own.worker("poor", *options, taken=["namespaces"])),
    ):
        first.wait_for("Registered to:")
        refused = grader(*command, "-o", tmp_path / "refused", "--require", "namespaces")
        done = grader(*command, "-o", tmp_path / "done")
    assert refused.returncode == 6
    error = only_error(refused)
    assert "no worker of the cluster is fit to mark" in error
    assert f"it has grader 0.0.9, and the run {package.__version__}" in error
    assert "it does not have any sandbox that would do (namespaces: " in error
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "done")["run"]["sandbox"]["driver"] == "landlock"
    assert "note: worker older (tcp://" in done.stderr

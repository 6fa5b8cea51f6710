"""A batch gets the same marks on a cluster as here, whatever becomes of the workers meanwhile."""

import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, Marked, environment, grader, reproducible, results
from support.daskers import DaskCluster, dask_cluster, extra
from support.following import Following, marked
from support.processes import alive, descendants

from grader.engine.run import spread
from grader.model.errors import NoSandbox
from grader.model.results import Status
from grader.plugins.cluster import workers as cluster_workers


def test_results_are_those_of_a_local_run(honest: DaskCluster, marked_here: Marked, tmp_path: Path) -> None:
    done = grader("mark", SPEC, BATCH, "-o", tmp_path, "--cluster", honest.address)
    assert done.returncode == 0, done.stderr
    assert done.stdout == marked_here.done.stdout
    assert reproducible(results(tmp_path)) == reproducible(results(marked_here.folder))


@pytest.fixture(scope="module")
def marked_here(tmp_path_factory: pytest.TempPathFactory) -> Marked:
    """The same batch, marked by this machine alone."""
    folder = tmp_path_factory.mktemp("here")
    return Marked(grader("mark", SPEC, BATCH, "-o", folder), folder)


def test_workers_read_no_file_of_the_task(honest: DaskCluster, batch: Path) -> None:
    here = marked(batch)
    # The order is prepared before the first result: from then on nobody needs these files.
    on_cluster = marked(batch, honest.address, lambda: shutil.rmtree(batch / "spec"))
    assert on_cluster.marks() == here.marks()


def test_a_harness_and_files_of_calls_come_with_the_task(honest: DaskCluster, tmp_path: Path) -> None:
    book = Path(__file__).parents[2] / "docs" / "cookbook"
    for recipe in ("harness", "data-files"):
        spec, works = book / f"{recipe}.yaml", book / recipe / "wrong"
        here = grader("mark", spec, works, "-o", tmp_path / recipe)
        there = grader("mark", spec, works, "-o", tmp_path / f"{recipe}2", "--cluster", honest.address)
        assert there.returncode == 0, there.stderr
        assert there.stdout == here.stdout
        assert reproducible(results(tmp_path / f"{recipe}2")) == reproducible(results(tmp_path / recipe))


def test_the_tasks_own_files_come_with_it(honest: DaskCluster, tmp_path: Path) -> None:
    (tmp_path / "euro.csv").write_text("DE,1.5\n")
    spec = tmp_path / "rates.yaml"
    spec.write_text(
        "task: rates\ntitle: Rates\nmarks: 1\nmodules: {rates: rates.py}\n"
        "files: {euro.csv: {from: euro.csv}}\n"
        'questions:\n  - {id: "1", title: One, marks: 1, cases: [{call: f(), returns: "\'DE,1.5\'"}]}\n'
    )
    for number in range(4):
        (place := tmp_path / "works" / f"student-{number:02}").mkdir(parents=True)
        (place / "rates.py").write_text("TEXT = open('euro.csv').read()\ndef f():\n    return TEXT.strip()\n")
    done = grader("mark", spec, tmp_path / "works", "-o", tmp_path / "out", "--cluster", honest.address)
    assert done.returncode == 0, done.stderr
    assert {each["mark"] for each in results(tmp_path / "out")["submissions"]} == {"1"}


def test_what_cannot_be_read_here_is_pending_and_no_fault_of_the_workers(
    honest: DaskCluster, batch: Path
) -> None:
    # They are begun in a spread order, and a few are read ahead.
    gone = sorted(spread([f"student-{number:02}" for number in range(16)])[8:])

    def take_away() -> None:
        for name in gone:
            shutil.rmtree(batch / "work" / name)

    on_cluster = marked(batch, honest.address, take_away)
    assert len(on_cluster.results) == 16
    assert {each.id: each.problems for each in on_cluster.results if each.status is Status.PENDING} == {
        name: (f"internal error: {name} can't be read (No such file or directory)",) for name in gone
    }
    assert not any("takes no work" in note for note in on_cluster.notes), on_cluster.notes


def test_a_worker_that_dies_or_is_cut_off_loses_nothing(
    honest: DaskCluster, batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = marked(batch)
    monkeypatch.setattr(cluster_workers, "SILENCE_S", 3.0)
    options = ("--nthreads", "2", "--no-nanny")
    dying, silent = (honest.worker(name, *options, wait=False) for name in ("dying", "silent"))
    with extra(dying), extra(silent):
        dying.wait_for("Registered to:")
        silent.wait_for("Registered to:")

        def strike() -> None:
            dying.send(signal.SIGKILL)
            silent.send(signal.SIGSTOP)

        on_cluster = marked(batch, honest.address, strike)
    assert on_cluster.marks() == here.marks()
    assert len(on_cluster.results) == 16
    # One that had nothing to do is not missed, and the run can end before it falls silent for long enough.
    assert any("lost worker" in note for note in on_cluster.notes), on_cluster.notes


def test_when_all_workers_are_lost_the_run_stops_and_can_be_resumed(own: DaskCluster, batch: Path) -> None:
    with extra(own.worker("only", "--nthreads", "1", "--no-nanny")) as only:
        following = Following(batch, own.address, patience_s=1.0)
        steps = following.steps()
        next(steps)
        only.send(signal.SIGKILL)
        with pytest.raises(NoSandbox, match="no worker is left") as stopped:
            list(steps)
    assert stopped.value.exit_code == 6
    assert "the same command goes on" in str(stopped.value)
    assert 1 <= len(following.results) < 16


def test_a_worker_that_is_lost_while_it_is_examined_keeps_no_other_from_marking(
    own: DaskCluster, batch: Path
) -> None:
    options = ("--nthreads", "1", "--no-nanny")
    with extra(own.worker("dying", *options)) as dying, ThreadPoolExecutor(1) as thread:
        idle = descendants(dying.process.pid)
        on_cluster = thread.submit(marked, batch, own.address)
        deadline = time.monotonic() + 600
        while descendants(dying.process.pid) <= idle and time.monotonic() < deadline:
            time.sleep(0.01)
        dying.send(signal.SIGKILL)
        with extra(own.worker("other", *options)):
            assert len(on_cluster.result().results) == 16


def test_when_the_scheduler_is_lost_the_run_stops_and_can_be_resumed(batch: Path, tmp_path: Path) -> None:
    with dask_cluster(tmp_path) as cluster:
        cluster.worker("plain", "--nthreads", "1", "--no-nanny")
        following = Following(batch, cluster.address, patience_s=1.0)
        steps = following.steps()
        next(steps)
        cluster.scheduler.send(signal.SIGKILL)
        with pytest.raises(NoSandbox) as stopped:
            list(steps)
    assert stopped.value.exit_code == 6
    assert "the same command goes on" in str(stopped.value)
    assert 1 <= len(following.results) < 16


def test_an_interrupt_ends_what_the_workers_do(own: DaskCluster, tmp_path: Path) -> None:
    spec = "task: slow\ntitle: Slow\nmarks: 1\nmodules: {slow: slow.py}\nquestions:\n"
    spec += "  - {id: '1', title: spin, marks: 1, limits: {time: 60s}, cases: [{call: spin(), returns: 1}]}\n"
    (tmp_path / "slow.yaml").write_text(spec)
    for name in ("student-01", "student-02"):
        (tmp_path / "batch" / name).mkdir(parents=True)
        (tmp_path / "batch" / name / "slow.py").write_text("def spin():\n    while True:\n        pass\n")
    with extra(own.worker("spinning", "--nthreads", "1", "--no-nanny")) as worker:
        idle = descendants(worker.process.pid)
        command = [COMMAND, "mark", "slow.yaml", "batch", "-o", "out", "--cluster", own.address]
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE
        )
        spinning = _wait_for_box(worker.process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        assert process.returncode == 130, said
        assert b"interrupted: 0 of 2" in said
        assert b"Traceback" not in said
        _wait_until_gone(spinning - idle)


def _wait_for_box(pid: int) -> set[tuple[int, str]]:
    """Wait until a student's program runs below a process; return all that runs there."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        found = descendants(pid)
        for one, _ in found:
            comm = Path(f"/proc/{one}/comm")
            if comm.exists() and comm.read_text() == "grader-box\n":
                return found
        time.sleep(0.05)
    raise AssertionError("no student program was started")


def _wait_until_gone(processes: set[tuple[int, str]]) -> None:
    deadline = time.monotonic() + 30
    while alive(processes):
        assert time.monotonic() < deadline, "something still runs on the worker"
        time.sleep(0.05)

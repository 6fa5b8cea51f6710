"""What people see while a cluster marks: what is begun, what takes long, and one error where it is lost."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.command_line import environment, only_error
from support.daskers import DaskCluster, Dasker, dask_cluster, extra
from support.following import marked
from support.processes import descendants

from grader.model.events import CaseUnderWay, SubmissionMarked, SubmissionStarted
from grader.plugins.cluster.link import ON_LOOPBACK

DOCS = Path(__file__).parents[2] / "docs"
OWN = ("--nthreads", "1", "--no-nanny")


def test_each_submission_is_told_when_a_thread_begins_it(own: DaskCluster, batch: Path) -> None:
    (batch / "work" / "student-07" / "count.py").write_text(
        "import time\n\n\ndef total(n):\n    time.sleep(4)\n\n\ndef name(number):\n    return ''\n"
    )
    with extra(own.worker("one", *OWN, wait=False)) as one, extra(own.worker("two", *OWN)):
        one.wait_for("Registered to:")
        followed = marked(batch, own.address)
    under_way: set[str] = set()
    for event in followed.events:
        if isinstance(event, SubmissionStarted):
            under_way.add(event.id)
            # Each worker has a second job ahead, which nobody is told of.
            assert len(under_way) <= 2
        if isinstance(event, SubmissionMarked):
            under_way.remove(event.result.id)
    assert len(followed.results) == 16
    slow = [(one.id, one.case, one.waits) for one in followed.events if isinstance(one, CaseUnderWay)]
    assert ("student-07", "1.1", True) in slow
    assert {name for name, _, _ in slow} == {"student-07"}


def test_a_lost_scheduler_is_one_error_in_our_words(batch: Path, tmp_path: Path) -> None:
    """It is told on the command line, with less patience."""
    (batch / "work" / "student-07" / "count.py").write_text("while True:\n    pass\n")
    program = (
        "from grader.plugins.cluster.cluster import Cluster; from grader.cli import main; "
        "Cluster.__init__.__kwdefaults__['patience_s'] = 12.0; main()"
    )
    with dask_cluster(tmp_path) as cluster:
        cluster.worker("plain", *OWN)
        options = ("mark", "spec/count.yaml", "work", "-o", tmp_path / "out", "--cluster", cluster.address)
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, options)],
            cwd=batch,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while not (tmp_path / "out" / "run.sqlite").exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        cluster.scheduler.send(signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=120)
    done = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
    assert done.returncode == 6
    assert only_error(done) == f"error: the scheduler at {cluster.address} does not answer any more"
    assert f"note: the scheduler at {cluster.address} does not answer; waiting for it, up to 12 s" in stderr
    assert "Traceback" not in stderr
    assert "distributed" not in stderr


def test_http_is_served_on_the_loopback_address_alone(tmp_path: Path) -> None:
    with dask_cluster(tmp_path, host="0.0.0.0") as cluster:
        worker = cluster.worker("plain", *OWN, "--host", "0.0.0.0")
        for each in (cluster.scheduler, worker):
            assert listening(each)["0.0.0.0"] == 1, "its own protocol"
            assert listening(each)["127.0.0.1"] == 1, "HTTP"
            assert len(listening(each)) == 2


def listening(dasker: Dasker) -> dict[str, int]:
    """Return on how many ports of which addresses a process listens, or one below it."""
    sockets = set()
    for pid, _ in descendants(dasker.process.pid):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            sockets.add(str(file.readlink()).removeprefix("socket:[").removesuffix("]"))
    found: dict[str, int] = {}
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *others = row.split()
            if state == "0A" and others[5] in sockets:
                host = local.partition(":")[0]
                shown = {"00000000": "0.0.0.0", "0100007F": "127.0.0.1"}.get(host, host)
                found[shown] = found.get(shown, 0) + 1
    return found


def test_the_docs_start_nothing_without_that_option() -> None:
    text = (DOCS / "cluster.md").read_text()
    commands = re.findall(r"^ +(dask (?:scheduler|worker) (?:.*\\\n)*.*)", text, re.MULTILINE)
    assert len(commands) >= 4
    option, value = ON_LOOPBACK.split()
    for command in commands:
        assert re.search(rf"{option} {value.rpartition(':')[0]}:\d+", command), command

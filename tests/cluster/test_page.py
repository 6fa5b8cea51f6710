"""What `docs/cluster.md` has typed: certificates, a scheduler and a worker with TLS, and runs on them.

Left out are `pip`, and the commands without TLS: all other tests of this folder begin with these.
"""

import re
import shlex
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, grader, only_error
from support.daskers import Dasker

PAGE = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
_TYPED = re.compile(r"^(?:    |\$ )((?:grader mark|dask|openssl) (?:.*\\\n)*.*)$", re.MULTILINE)


def typed(begin: str) -> list[list[str]]:
    """Return the words of the commands that begin so."""
    lines = [re.sub(r"\\\n|\s+# .*", " ", line) for line in _TYPED.findall(PAGE)]
    return [shlex.split(line) for line in lines if line.startswith(begin)]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
def test_tls_as_the_page_sets_it_up_keeps_out_who_has_no_certificate(tmp_path: Path) -> None:
    assert len(typed("openssl")) == 3
    for command in typed("openssl"):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    for ending in (".pem", "-key.pem"):
        shutil.copy(tmp_path / f"node{ending}", tmp_path / f"me{ending}")
    (scheduler, *_), (worker, *_) = typed("dask scheduler"), typed("dask worker")
    _, first, again = typed("grader mark")
    here = {"SPEC": str(SPEC), "SUBMISSIONS": str(BATCH / "student-01"), "lab7": socket.gethostname()}

    with ExitStack() as running:

        def start(words: list[str], *more: str) -> Dasker:
            program = [sys.executable, "-m", f"distributed.cli.dask_{words[1]}"]
            dasker = Dasker(tmp_path, words[1], [*program, *words[2:], *more], {})
            running.callback(dasker.end)
            return dasker

        # Other schedulers of this machine may have the usual port.
        begun = start(scheduler, "--port", "0")
        begun.wait_for("Scheduler at:")
        (port,) = re.findall(r"Scheduler at:\s+tls://\S+:(\d+)\s", begun.log)
        here["tls://10.0.0.1:8786"] = address = f"tls://127.0.0.1:{port}"
        start([here.get(word, word) for word in worker]).wait_for("Registered to:")
        done = grader(*(here.get(word, word) for word in first[1:]), cwd=tmp_path)
        without = grader("mark", SPEC, BATCH / "student-01", "-o", tmp_path / "out", "--cluster", address)
    assert done.returncode == 0, done.stderr
    assert without.returncode == 2
    assert f"{address} needs certificates" in only_error(without)

    done = grader(*(here.get(word, word) for word in again[1:]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"1 submission that {here['lab7']} had a part in will be marked again" in done.stderr

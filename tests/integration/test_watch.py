"""`grader mark --watch`: what listens, where it says so, and that it ends with the run."""

import signal
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import endless
from support.command_line import BATCH, SPEC, Done, begins_with, grader, only_error, results, unhurried
from support.foreground import Foreground
from support.processes import comes_true
from support.trees import MakeTree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

_NOTES_BINDS = """\
import os, sys
def hook(event, arguments):
    if event == "socket.bind":
        caller = sys._getframe(1)
        while not caller.f_globals["__name__"].startswith("grader."):
            caller = caller.f_back
        with open(os.environ["BINDS"], "a") as file:
            print(caller.f_globals["__name__"], *arguments[1:], file=file)
sys.addaudithook(hook)
"""


def _binds(tmp_path: Path, *options: str) -> tuple[Done, list[str]]:
    """Mark the small batch; return who of our own Pythons bound a socket, and to which address.

    The doctor's canaries are left out: nobody is to reach them, and they are gone before the run begins.
    """
    binds = tmp_path / "binds"
    first = begins_with(_NOTES_BINDS, tmp_path / "first")
    done = grader(
        "mark", SPEC, BATCH, "-o", tmp_path / "out", *options,
        PYTHONPATH=first, BINDS=str(binds), XDG_CACHE_HOME=str(tmp_path),
    )  # fmt: skip
    lines = binds.read_text().splitlines()
    canaries = [line for line in lines if line.startswith("grader.doctor.")]
    assert canaries
    return done, [line for line in lines if line not in canaries]


def test_without_the_option_nothing_listens(tmp_path: Path) -> None:
    assert _binds(tmp_path)[1] == []


def test_with_it_one_address_listens_and_the_results_are_the_same(tmp_path: Path) -> None:
    done, binds = _binds(tmp_path, "--watch")
    assert binds == ["grader.serving.address ('127.0.0.1', 0)"]
    lines = unhurried(done.stderr)
    (said,) = [line for line in lines if line.startswith("watch: ")]
    assert said.startswith("watch: http://127.0.0.1:")
    assert comes_true(lambda: _refuses(said.removeprefix("watch: ")))
    assert lines[-1] == f"report: {tmp_path / 'out' / 'index.html'}"
    pages = (tmp_path / "out").glob("**/*.html")
    assert not [page for page in pages if "Still running" in page.read_text()]
    assert len(results(tmp_path / "out")["submissions"]) == len(list(BATCH.iterdir()))


def test_without_tornado_nothing_is_marked_and_what_to_install_is_told(tmp_path: Path) -> None:
    hides = (
        "import importlib.metadata as metadata\n"
        "found = metadata.version\n"
        "def version(name):\n"
        "    if name == 'tornado':\n"
        "        raise metadata.PackageNotFoundError(name)\n"
        "    return found(name)\n"
        "metadata.version = version\n"
    )
    hidden = begins_with(hides, tmp_path / "first")
    done = grader("mark", SPEC, BATCH, "-o", tmp_path / "out", "--watch", PYTHONPATH=hidden)
    assert done.returncode == 2
    assert "--watch needs tornado, which is not installed" in only_error(done)
    assert "pip install 'grader-harness[pages]'" in done.stderr
    assert not (tmp_path / "out").exists()
    assert grader("mark", SPEC, BATCH, "-o", tmp_path / "out", PYTHONPATH=hidden).returncode == 0


def _refuses(url: str) -> bool:
    """Tell whether nobody listens there any more."""
    try:
        urllib.request.urlopen(url, timeout=60).close()
    except OSError as error:
        return isinstance(getattr(error, "reason", None), ConnectionRefusedError)
    return False


class _Watching(Foreground):
    def wait_until_served(self) -> str:
        """Return where the pages are."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if line.startswith("watch: "):
                self.look()
                return line.removeprefix("watch: ").strip()
        raise AssertionError("the run ended")


@pytest.fixture
def watching(make_folder: MakeTree) -> Iterator[_Watching]:
    """A run whose submissions never come to an end."""
    folder = make_folder("slow", endless.files(3))
    started = _Watching("mark", "slow.yaml", "batch", "-o", "out", "-q", "--watch", folder=folder)
    try:
        yield started
    finally:
        started.end_at_last()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_pages_end_with_the_run_however_it_ends(watching: _Watching, sent: signal.Signals) -> None:
    url = watching.wait_until_served()
    with urllib.request.urlopen(url, timeout=60) as answer:
        assert b"0 of 3 marked" in answer.read()
    watching.look()
    watching.process.send_signal(sent)
    watching.process.wait(60)
    assert watching.leaves_nothing_running()
    assert comes_true(lambda: _refuses(url))


def test_kept_results_are_there_from_the_start(tmp_path: Path, make_folder: MakeTree) -> None:
    files = endless.files(2) | {"batch/quick/slow.py": "def spin():\n    return 1\n"}
    folder = make_folder("slow", files)
    assert grader("mark", "slow.yaml", "batch/quick", "-o", "out", cwd=folder).returncode == 0
    again = _Watching("mark", "slow.yaml", "batch", "-o", "out", "-q", "--watch", folder=folder)
    try:
        with urllib.request.urlopen(again.wait_until_served() + "staff/quick.html", timeout=60) as answer:
            assert b"spin()" in answer.read()
    finally:
        again.process.send_signal(signal.SIGINT)
        again.end_at_last()

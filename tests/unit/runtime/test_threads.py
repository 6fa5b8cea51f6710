"""How many threads are left for us, by the user's limit and control groups, and for how many submissions."""

import os
import resource
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from support.marking import cases, mark, question

from grader.engine import host_limits
from grader.engine.host_limits import require_room, room_for
from grader.engine.submission import denied
from grader.model.errors import NoSandbox
from grader.runtime import threads
from grader.runtime.threads import available_threads, denials_so_far
from grader.spec import load_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
MOUNT = "30 24 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
SPEC = Path(__file__).parents[2] / "data" / "mini" / "words.yaml"


def host(root: Path, **files: str) -> Path:
    """Write a host whose inner group is `a` in the outer one, with what `files` says of each: "most used"."""
    texts = {"proc/self/mountinfo": MOUNT, "proc/self/cgroup": "0::/a\n"}
    for name, text in files.items():
        folder = "sys/fs/cgroup/a" if name == "inner" else "sys/fs/cgroup"
        texts[f"{folder}/pids.max"], texts[f"{folder}/pids.current"] = f"{text} 0".split()[:2]
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text.strip() + "\n")
    return root


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.mark.usefixtures("as_root")
def test_the_tightest_group_counts(tmp_path: Path) -> None:
    assert available_threads(host(tmp_path / "1", inner="100 40", outer="90 45")) == 45
    assert available_threads(host(tmp_path / "2", inner="100 40", outer="max 45")) == 60
    assert available_threads(host(tmp_path / "3", inner="max 40")) is None
    assert available_threads(host(tmp_path / "4", inner="10 40")) == 0


def test_a_user_s_own_limit_counts_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1000, resource.RLIM_INFINITY))
    for number, count in ((7, 3), (8, 1)):
        for task in range(count):
            (tmp_path / "proc" / str(number) / "task" / str(task)).mkdir(parents=True)
    (tmp_path / "proc" / "sys").mkdir()
    assert available_threads(host(tmp_path)) == 1000 - 4


def test_threads_of_this_machine_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_000_000, resource.RLIM_INFINITY))
    monkeypatch.setattr(threads, "_of_groups", lambda _: iter(()))
    release = threading.Event()
    more = [threading.Thread(target=release.wait) for _ in range(200)]
    before = available_threads()
    for each in more:
        each.start()
    after = available_threads()
    release.set()
    assert before is not None
    assert after is not None
    assert before - after > 100


def test_no_more_are_alive_than_could_all_have_their_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_task(SPEC)
    monkeypatch.setattr(host_limits, "available_b", lambda: None)
    for left, most in ((None, sys.maxsize), (300, 4), (10, 1)):
        monkeypatch.setattr(host_limits, "available_threads", partial(lambda left: left, left))
        assert room_for(task).most == most
    assert room_for(task).want.startswith("want of threads: this user may have 10 more")


def test_too_few_for_one_submission_mark_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_limits, "available_threads", lambda: 60)
    with pytest.raises(NoSandbox, match="only 60 threads are left here"):
        require_room(load_task(SPEC))


@pytest.mark.parametrize(
    ("inner", "outer", "denied"), [("max", "130", 7), ("130", "max", 3), ("max", "max", 3)]
)
def test_denials_are_counted_where_the_kernel_does(
    tmp_path: Path, inner: str, outer: str, denied: int
) -> None:
    """Of an outer group without a bound, only other groups' denials are told."""
    root = host(tmp_path, inner=f"{inner} 0", outer=f"{outer} 0")
    (root / "sys/fs/cgroup/a/pids.events").write_text("max 3\n")
    (root / "sys/fs/cgroup/pids.events").write_text("max 4\n")
    assert denials_so_far(root) == denied


DENIED = 'def half(n):\n    raise RuntimeError("can\'t start new thread")\n'
SPEC_OF_ONE = question("call: half(4)\n  returns: 2")
TESTED = "def test_half():\n    import work\n    assert work.half(4) == 2\n"


@pytest.mark.parametrize("kind", ["call", "pytest"])
@pytest.mark.parametrize(
    ("left", "verdict"), [(10, "internal-error"), (500, "exception"), (None, "exception")]
)
def test_a_thread_that_the_host_denied_costs_no_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int | None, verdict: str, kind: str
) -> None:
    """The words count only while few are left: a program can say them itself."""
    monkeypatch.setattr(denied, "available_threads", lambda: left)
    for each in ("a", "b"):
        (tmp_path / each).mkdir()
        (tmp_path / each / "tests.py").write_text(TESTED)
    spec = SPEC_OF_ONE if kind == "call" else question("pytest: tests.py")
    right = "def half(n):\n    return n // 2\n"
    found = cases(mark(tmp_path / "a", spec, DENIED, reference=right))
    assert [str(case.verdict) for case in found.values()] == [verdict]
    loads = mark(tmp_path / "b", spec, DENIED + "half(1)\n", reference=right)
    assert [str(case.verdict) for case in cases(loads).values()] == [
        verdict.replace("exception", "load-error")
    ]


SAYS = (
    "print('[0.044s][warning][os,thread] Failed to start thread \"GC Thread#0\" - pthread_create failed')\n"
)


@pytest.mark.parametrize(("left", "verdict"), [(10, "internal-error"), (500, "wrong-answer")])
def test_what_a_java_machine_says_stands_on_stdout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int, verdict: str
) -> None:
    monkeypatch.setattr(denied, "available_threads", lambda: left)
    (case,) = cases(mark(tmp_path, question('program: work\n  stdout: "ok\\n"'), SAYS)).values()
    assert str(case.verdict) == verdict


CAUGHT = """
def half(n):
    raise ValueError("whatever a program makes of it")
"""


def test_a_thread_that_the_kernel_counts_as_denied_needs_no_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = iter(range(100))
    monkeypatch.setattr(denied, "denials_so_far", lambda: next(counts))
    (case,) = cases(mark(tmp_path, SPEC_OF_ONE, CAUGHT)).values()
    assert str(case.verdict) == "internal-error"


def test_a_case_that_met_a_denial_runs_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([0, 1])
    monkeypatch.setattr(denied, "denials_so_far", lambda: next(counts, 1))
    (case,) = cases(mark(tmp_path, SPEC_OF_ONE, "def half(n):\n    return n // 2\n")).values()
    assert str(case.verdict) == "accepted"

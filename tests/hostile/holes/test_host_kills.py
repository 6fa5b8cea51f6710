"""What the system does to a process is never its student's act; what a student does to one is never ours."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from support.attack_run import Way, mark
from support.command_line import COMMAND, environment
from support.processes import alive, comes_true, descendants
from support.rows import first_of
from support.sieges import Arena, adopt_orphans, raised
from support.toolchains import JAVASCRIPT, C

from grader.engine.host_limits import alive_b
from grader.model.limits import MIB
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools import tool
from grader.sandbox.tools.build import build
from grader.sandbox.tools.toolchains import missing_tool
from grader.sandbox.zygote import HostKilled
from grader.spec import load_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HEAD = """
task: host
title: Host
marks: {marks}
limits: {{time: 2s, wall: {wall}, memory: 128MiB}}
modules: {{work: work.py}}
{more}
questions:
  - {{id: "1", title: f, marks: {marks}, award: each, cases: [{cases}]}}
"""


def spec_of(wall: str, *cases: str, more: str = "") -> str:
    return HEAD.format(marks=len(cases), wall=wall, cases=", ".join(cases), more=more)


SPEC = spec_of("20s", "{call: f(1), returns: 1}", "{call: f(2), returns: 2, visibility: hidden}")
WAITS = "import time\ndef f(x):\n    time.sleep(0.7)\n    return x\n"


def boxes_below(pid: int) -> set[int]:
    """The boxes and cases at work below a process, by the name of the process."""
    found = set()
    for process, _ in alive(descendants(pid)):
        with suppress(OSError):
            if Path(f"/proc/{process}/comm").read_text() == "grader-box\n":
                found.add(process)
    return found


def marked_while_boxes_are_killed(folder: Path, most: int, jobs: int) -> tuple[dict[str, object], int]:
    """Mark two works and kill the first `most` boxes that are seen; return the results, and how many were."""
    (folder / "spec.yaml").write_text(SPEC)
    for student in ("one", "two"):
        (folder / "batch" / student).mkdir(parents=True)
        (folder / "batch" / student / "work.py").write_text(WAITS)
    command = [COMMAND, "mark", "spec.yaml", "batch", "-o", "out", "-j", str(jobs), "--quiet"]
    killed: set[int] = set()
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL) as process:

        def has_ended() -> bool:
            # The box of the examination comes before any other; it has no work that waits.
            if (folder / "out").exists():
                for pid in boxes_below(process.pid) - killed:
                    if len(killed) < most:
                        killed.add(pid)
                        with suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
            return process.poll() is not None

        assert comes_true(has_ended, 120.0)
    return json.loads((folder / "out" / "results.json").read_text()), len(killed)


# One at a time, nothing else is at work anyway.
@pytest.mark.parametrize("jobs", first_of([2, 1]))
def test_what_the_system_kills_is_marked_when_nothing_else_is_at_work(tmp_path: Path, jobs: int) -> None:
    adopt_orphans()
    document, killed = marked_while_boxes_are_killed(tmp_path, 4, jobs)
    assert killed == 4
    for submission in document["submissions"]:  # type: ignore[attr-defined]
        assert (submission["mark"], submission["status"]) == ("2", "marked"), submission


def test_what_it_kills_again_and_again_is_pending(tmp_path: Path) -> None:
    adopt_orphans()
    document, killed = marked_while_boxes_are_killed(tmp_path, 1000, 2)
    assert killed > 4
    for submission in document["submissions"]:  # type: ignore[attr-defined]
        assert submission["status"] == "pending"
        cases = [case for question in submission["questions"] for case in question["cases"]]
        assert {case["verdict"] for case in cases} == {"internal-error"}
        messages = {case["message"] for case in cases}
        assert all("the system killed the process" in message for message in messages), messages


KILLS_ITSELF = {
    "kill": "import os; os.kill(os.getpid(), 9)",
    "all": "import os; os.kill(-1, 9)",
    "group": "import os; os.kill(0, 9)",
    "raise": "import signal; signal.raise_signal(9)",
    "thread": "import threading, signal; signal.pthread_kill(threading.get_ident(), 9)",
    "descriptor": "import os, signal; signal.pidfd_send_signal(os.pidfd_open(os.getpid()), 9)",
    "timer": (
        "import ctypes, os, struct, time; libc = ctypes.CDLL(None, use_errno=True)\n"
        "made, event = ctypes.c_void_p(), struct.pack('QiiQ', 0, 9, 0, 0) + bytes(64)\n"
        "if libc.timer_create(1, event, ctypes.byref(made)): raise OSError(ctypes.get_errno(), 'no')\n"
        "libc.timer_settime(made, 0, struct.pack('4q', 0, 0, 0, 1), None); time.sleep(0.5)"
    ),
    "cpu time": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (0, 0))",
    "other's end": "import ctypes; ctypes.CDLL(None).prctl(1, 9); raise OSError('its keeper lives')",
}


def test_nothing_in_a_box_can_die_as_the_system_kills(driver_arena: Arena) -> None:
    if driver_arena.driver is Driver.POSIX:
        pytest.skip("it promises nothing")
    for name, outcome in driver_arena.besiege_with_each("", KILLS_ITSELF).items():
        assert raised(outcome) in ("PermissionError", "OSError", "ValueError"), (name, outcome)


@pytest.mark.acceptance  # `make test` has what it does to a process
def test_a_box_that_computes_on_beside_its_cases_meets_its_own_limit(way: Way) -> None:
    """The kernel kills it for that, and nobody else is to blame."""
    spins = (
        "import threading\ndef spin():\n    n = 0\n    while True:\n        n += 1\n"
        "def f(x):\n    spin()\n    return x\n"
    )
    done = mark(way, SPEC, {"one": {"work.py": spins}})
    assert done.submission("one")["status"] == "marked"
    assert set(done.verdicts("one")) <= {"time-limit", "wall-limit", "skipped"}


def test_the_kernels_own_limit_leaves_room_for_a_kernel_that_counts_more(way: Way) -> None:
    """On a virtual machine under load it counts 11 s where it tells 9.4, so it killed before our limit."""
    spec = spec_of("200s", "{call: f(1), returns: 1, limits: {time: 60s}}")
    done = mark(
        way, spec, {"one": {"work.py": "import resource\ndef f(x):\n    return resource.getrlimit(0)\n"}}
    )
    (case,) = done.submission("one")["questions"][0]["cases"]
    assert int(case["actual"].strip("()").split(", ")[0]) >= 60 * 1.2 * 1.25, case


# -- what a student's own context spoils ---------------------------------------------------------------------

SPOILS = {
    "files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))",
    "few files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))",
    "memory": "import resource; resource.setrlimit(resource.RLIMIT_AS, (1, 1))",
    "sizes": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "stack": "import resource; resource.setrlimit(resource.RLIMIT_STACK, (0, 0))",
    "processes": "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))",
    "descriptors": "import os; os.closerange(0, 64)",
    "channels": "import os; os.closerange(3, 64)",
    "stop": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "alarm": "import signal; signal.setitimer(signal.ITIMER_REAL, 0.001)",
    "cpu alarm": "import signal; signal.setitimer(signal.ITIMER_PROF, 0.001)",
    "idle": "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))",
    "nice": "import os; os.nice(19)",
    "blocked": "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))",
    "folder": "import os; os.chdir('/dev')",
    "mask": "import os; os.umask(0o777)",
}
PROGRAM = r'{program: work, stdin: "3\n", stdout: "3\n"}'
ASKS = (
    r'{name: asks, program: work, stdout: "11\n",'
    ' dialogue: [{says: "n? ", answer: 5}, {says: "more? ", answer: 6}]}'
)
SPOILED = spec_of("3s", "{call: f(1), returns: 1}", PROGRAM, ASKS)
HONEST = """
def f(x):
    return x
if __name__ == "__main__":
    n = input("n? ")
    print(int(n) + int(input("more? ")))
"""


@pytest.mark.acceptance  # 25 s for each user
@pytest.mark.parametrize("place", ["at import", "in the case"])
def test_what_a_student_does_to_a_process_is_the_student_s(place: str, way: Way) -> None:
    works = {"honest": {"work.py": HONEST}}
    for name, line in SPOILS.items():
        early, late = (line, "pass") if place == "at import" else ("pass", line)
        program = HONEST.replace("    return x", "    spoil()\n    return x")
        program = program.replace("    n = input", "    spoil()\n    n = input")
        works[name.replace(" ", "-")] = {"work.py": f"def spoil():\n    {late}\n{early}\n{program}"}
    done = mark(way, SPOILED, works)
    for submission in done.results["submissions"]:
        assert submission["status"] == "marked", (submission["id"], submission)


IN_C = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <time.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    struct rlimit none = {0, 0};
    int a = 0, b = 0;
    (void)none;
    SPOIL;
    printf("n? "); fflush(stdout);
    if (scanf("%d", &a) != 1) return 0;
    printf("more? "); fflush(stdout);
    if (scanf("%d", &b) != 1) return 0;
    printf("%d\\n", a + b);
    return 0;
}
"""
SPOILS_IN_C = {
    "honest": "",
    "files": "setrlimit(RLIMIT_NOFILE, &none)",
    "files-by-another-call": "prlimit(0, RLIMIT_NOFILE, &none, 0)",
    "memory": "setrlimit(RLIMIT_AS, &none)",
    "no-input": "close(0)",
    "other-input": 'dup2(open("/dev/null", O_RDONLY), 0)',
    "copied-input": "dup2(0, 5)",
    "no-descriptors": "close(0); close(1); close(2)",
    "kill": "kill(getpid(), SIGKILL)",
    "stop": "raise(SIGSTOP)",
    "alarm": "alarm(1); pause()",
    "parent": "prctl(PR_SET_PDEATHSIG, SIGKILL)",
    "timer": "timer_t t; struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL}; "
    "struct itimerspec s = {{0, 0}, {0, 1}}; if (!timer_create(CLOCK_MONOTONIC, &e, &t)) { "
    "timer_settime(t, 0, &s, 0); sleep(1); }",
}


@pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")
@pytest.mark.acceptance  # the same by a compiled program
def test_nor_is_what_a_program_in_c_does_to_itself(strongest: Way) -> None:
    spec = spec_of("3s", ASKS, more="toolchains: [c]")
    works = {name: {"work.c": IN_C.replace("SPOIL", line)} for name, line in SPOILS_IN_C.items()}
    works["large"] = {"work.c": "static char a[1 << 30];\nint main(void) { return a[0]; }\n"}
    done = mark(strongest, spec, works)
    assert done.submission("honest")["mark"] == "1", done.cases("honest")
    for submission in done.results["submissions"]:
        assert submission["status"] == "marked", (submission["id"], submission)


# -- memory --------------------------------------------------------------------------------------------------

HOLDS = """
import time
def f(x):
    held = [bytearray(b"x" * (1 << 20)) for _ in range(90)]
    time.sleep(0.9)
    return len(held)
"""
NEEDS = """
def f(x):
    for _ in range(3):
        held = [bytearray(b"x" * (1 << 20)) for _ in range(90)]
        del held
    return x
"""


def is_empty(group: Path) -> bool:
    return not (group / "cgroup.procs").read_text()


@contextmanager
def group_of(limit_b: int) -> Iterator[Path]:
    """A control group with so much memory; skip where none can be made."""
    for root, most in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        folder = Path(root) / f"grader-test-{os.getpid()}"
        try:
            folder.mkdir()
            (folder / most).write_text(str(limit_b))
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            continue
        try:
            yield folder
        finally:
            comes_true(partial(is_empty, folder))
            folder.rmdir()
        return
    pytest.skip("no control group for memory can be made here")


@pytest.mark.acceptance  # it fills the memory that there is
def test_accomplices_that_hold_memory_have_nobody_killed(tmp_path: Path) -> None:
    adopt_orphans()
    spec = tmp_path / "spec.yaml"
    spec.write_text(SPEC)
    for number in range(3):
        for name, text in (("holds", HOLDS), ("needs", NEEDS)):
            work = tmp_path / "batch" / f"{name}-{number}"
            work.mkdir(parents=True)
            (work / "work.py").write_text(text)
    limit_b = alive_b(load_task(spec)) + 60 * MIB
    command: list[str | Path] = [COMMAND, "mark", spec, tmp_path / "batch", "-o", tmp_path / "out", "-j", "3"]
    with group_of(limit_b) as group:
        enter = 'echo $$ > "$0/cgroup.procs"; exec "$@"'
        done = subprocess.run(
            [*("sh", "-c", enter), group, *command],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "1 at a time and not 3, for want of memory" in done.stderr
    document = json.loads((tmp_path / "out" / "results.json").read_text())
    marks = {submission["id"]: submission["mark"] for submission in document["submissions"]}
    assert [marks[f"needs-{number}"] for number in range(3)] == ["2", "2", "2"]


# -- tools -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(missing_tool(C) != "", reason="gcc is not installed")
def test_a_compiler_that_the_system_kills_is_no_fault_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler tells in words of its own that a part of it was killed, and the text can say these too."""
    text = "#error Killed signal terminated program cc1\n"
    python = find_interpreter("")
    monkeypatch.setattr(tool, "killed_by_system", count().__next__)
    with pytest.raises(HostKilled):
        build(C, "main.c", {"main.c": text}, python, purse=UNBILLED)
    monkeypatch.setattr(tool, "killed_by_system", lambda: 5)
    built = build(C, "main.c", {"main.c": text}, python, purse=UNBILLED)
    assert built.files is None
    assert "Killed signal" in built.said


def test_the_system_tells_how_many_it_has_killed() -> None:
    assert tool.killed_by_system() >= 0
    assert "oom_kill" in Path("/proc/vmstat").read_text()


TAKES = (
    "const held = []; for (let i = 0; i < 100; i++) held.push(Buffer.alloc(8 << 20, 1)); console.log(3);\n"
)


@pytest.mark.skipif(bool(missing_tool(JAVASCRIPT)), reason="node is not installed")
@pytest.mark.parametrize("limit", first_of([400, 600]))
def test_a_runtime_that_took_more_than_its_limit_is_not_the_system_s_doing(
    tmp_path: Path, limit: int
) -> None:
    """Where the machine has less than it takes, the system kills it, and its mark was pending."""
    spec = tmp_path / "spec.yaml"
    spec.write_text(spec_of("20s", PROGRAM, more="toolchains: [javascript]"))
    for name, text in (("takes", TAKES), ("honest", "console.log(3);\n")):
        (tmp_path / "batch" / name).mkdir(parents=True)
        (tmp_path / "batch" / name / "work.js").write_text(text)
    command: list[str | Path] = [COMMAND, "mark", spec, tmp_path / "batch", "-o", tmp_path / "out", "-q"]
    with group_of(limit * MIB) as group:
        enter: list[str | Path] = ["sh", "-c", 'echo $$ > "$0/cgroup.procs"; exec "$@"', group]
        subprocess.run([*enter, *command], env=environment(), stdout=subprocess.DEVNULL, check=False)
    document = json.loads((tmp_path / "out" / "results.json").read_text())
    found = {each["id"]: (each["mark"], each["status"]) for each in document["submissions"]}
    assert found == {"honest": ("1", "marked"), "takes": ("0", "marked")}
    assert document["submissions"][1]["questions"][0]["cases"][0]["verdict"] == "memory-limit"

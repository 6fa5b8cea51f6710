"""What becomes of marking where the host offers less than this one, and what the report says of it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support import restricted
from support.command_line import BATCH, COMMAND, SPEC, Done, only_error, results, run

from grader.worker.walls import syscalls

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not syscalls.SUPPORTED, reason="needs seccomp to take system calls away"
)
STUDENTS = [BATCH / "student-01", BATCH / "student-04"]


def without(*taken: str, command: Sequence[str | Path]) -> Done:
    """Run the command where what `taken` names does not work."""
    return run([sys.executable, restricted.__file__, *taken, "--", COMMAND, *command])


def test_without_namespaces_landlock_marks_alike(tmp_path: Path) -> None:
    done = without("namespaces", command=["mark", SPEC, *STUDENTS, "-o", tmp_path])
    assert done.returncode == 0, done.stderr
    document = results(tmp_path)
    assert document["run"]["sandbox"]["driver"] == "landlock"
    open_guarantees = {name for name, held in document["run"]["sandbox"]["guarantees"].items() if not held}
    assert open_guarantees == {"files-metadata"}
    assert [submission["mark"] for submission in document["submissions"]] == ["6", "5"]
    assert "! 1 guarantee of the sandbox did not hold" in done.stdout


def test_without_landlock_too_marking_is_refused(tmp_path: Path) -> None:
    done = without("namespaces", "landlock", command=["mark", SPEC, *STUDENTS, "-o", tmp_path / "out"])
    assert done.returncode == 6
    error = only_error(done)
    assert "the strongest sandbox that works on this host is seccomp, and landlock is required" in error
    assert "--require seccomp" in done.stderr
    assert not (tmp_path / "out").exists()


def limited(*limit: str, command: Sequence[str | Path], program: str = COMMAND) -> Done:
    """Run the command under a limit of the shell's."""
    return run(["sh", "-c", f'ulimit {" ".join(limit)}; exec "$@"', "sh", program, *command])


def test_a_limit_on_open_files_that_can_be_raised_is(tmp_path: Path) -> None:
    done = limited("-S", "-n", "64", command=["mark", SPEC, *STUDENTS, "-o", tmp_path])
    assert done.returncode == 0, done.stderr
    assert [submission["mark"] for submission in results(tmp_path)["submissions"]] == ["6", "5"]


def test_one_that_cannot_be_is_named_once(tmp_path: Path) -> None:
    done = limited("-n", "64", command=["mark", SPEC, *STUDENTS, "-o", tmp_path / "out"])
    assert done.returncode == 6
    assert only_error(done).count("only 64 open files are allowed here (ulimit -n)") == 1


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (("-v", "1024000"), "only 1000 MiB of address space are allowed here (ulimit -v)"),
        (("-d", "1024000"), "only 1000 MiB of data are allowed here (ulimit -d)"),
        (("-f", "16"), "a file are allowed here (ulimit -f)"),
        (("-t", "5"), "only 5 s of CPU time are allowed here (ulimit -t)"),
        (("-s", "1024"), "only 1 MiB of stack are allowed here (ulimit -s)"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_no_student_pays_for_a_limit_of_the_shells(
    tmp_path: Path, limit: tuple[str, str], words: str
) -> None:
    own = tmp_path / "words.yaml"
    text = SPEC.read_text().replace("time: 150ms, wall: 5s, memory: 128MiB", "time: 10s, memory: 1GiB")
    for name in ("reference", "checkers.py"):
        text = text.replace(f": {name}\n", f": {SPEC.parent / name}\n", 1)
    own.write_text(text)
    done = limited(*limit, command=["mark", own, *STUDENTS, "-o", tmp_path / "out"])
    assert done.returncode == 6
    assert words in only_error(done)
    assert not (tmp_path / "out").exists()


LEAP = """
task: leap
title: Leap years
marks: 1
modules: {leap: leap.py}
questions:
  - {id: "1", title: Leap, marks: 1, cases: [{call: leap(2000), returns: true}]}
"""
DEEP = """
def down(n):
    return max([n - 1], key=down) + 1 if n else 0
def leap(year):
    return down(450) == 450
"""
THREADS = """
import threading
def leap(year):
    found = []
    threads = [threading.Thread(target=found.append, args=(year % 400 == 0,)) for _ in range(4)]
    for each in threads: each.start()
    for each in threads: each.join()
    return found == [True] * 4
"""


@pytest.mark.parametrize("command", ["mark", "check"])
@pytest.mark.parametrize("limit", ["256", "262144"])
def test_a_stack_of_the_shells_changes_no_mark(tmp_path: Path, limit: str, command: str) -> None:
    """With little, deep recursion crashes; with much, threads do not fit into a box's memory."""
    (tmp_path / "leap.yaml").write_text(LEAP)
    work = tmp_path / "student-01" / "leap.py"
    work.parent.mkdir()
    work.write_text(DEEP if limit == "256" else THREADS)
    if command == "check":
        done = limited("-S", "-s", limit, command=["check", tmp_path / "leap.yaml", work.parent])
        assert "1 of 1" in done.stdout
        return
    spec, output = tmp_path / "leap.yaml", tmp_path / "out"
    done = limited("-S", "-s", limit, command=["mark", spec, work.parent, "-o", output])
    assert done.returncode == 0, done.stderr
    assert [submission["mark"] for submission in results(output)["submissions"]] == ["1"]


SIGNALS = """
import os, signal, sys
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - {signal.SIGCHLD})
os.execv(sys.argv[1], sys.argv[1:])
"""
HEARS = """
import os, signal, time
def rings(year):
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    heard = []
    signal.signal(signal.SIGALRM, lambda *_: heard.append("rang"))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.05)
    return heard == ["rang"]
def leap(year):
    ignored = {each for each in signal.valid_signals() if signal.getsignal(each) is signal.SIG_IGN}
    assert ignored == {signal.SIGPIPE, signal.SIGXFSZ}
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        os.write(write_end, b"x")
    except BrokenPipeError:
        pass
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return rings(year)
"""


@pytest.mark.parametrize("command", ["mark", "check"])
def test_signals_are_as_python_has_them_whoever_starts_us(tmp_path: Path, command: str) -> None:
    (tmp_path / "leap.yaml").write_text(LEAP)
    work = tmp_path / "student-01" / "leap.py"
    work.parent.mkdir()
    work.write_text(HEARS)
    options: list[str | Path] = ["-o", tmp_path / "out"] if command == "mark" else []
    spec = tmp_path / "leap.yaml"
    done = run([sys.executable, "-c", SIGNALS, COMMAND, command, spec, work.parent, *options])
    assert done.returncode == 0, done.stderr
    marks = [each["mark"] for each in results(tmp_path / "out")["submissions"]] if options else []
    assert "1 of 1" in done.stdout or marks == ["1"]


BUILT = Path(__file__).parents[2] / "docs" / "cookbook" / "toolchains.yaml"
OTHERS = """
import pickle, sys
from pathlib import Path
from grader.plugins.cluster.eligibility import Requirements, profile_for
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools.build import refusal
from grader.spec import load_task
task = load_task(Path(sys.argv[1]))
print(profile_for(pickle.dumps(Requirements(task, "", Driver.LANDLOCK))).problem)
print(refusal(task.toolchains[0], Driver.NAMESPACES, find_interpreter("")))
"""


def test_built_programs_need_a_stack_without_a_hard_limit(tmp_path: Path) -> None:
    """With a finite one the first thread has too little, or each of the others too much."""
    words = "only 16 MiB of stack are allowed here (ulimit -s), and programs in C or another language need it"
    done = limited("-s", "16384", command=["mark", BUILT, BATCH, "-o", tmp_path / "out"])
    assert done.returncode == 6
    assert words in only_error(done)
    assert not (tmp_path / "out").exists()
    others = limited("-s", "16384", command=["-c", OTHERS, BUILT], program=sys.executable)
    of_worker, of_check = others.stdout.splitlines()
    assert of_worker.startswith(words), others.stderr
    assert of_check.startswith(words)


def test_a_weak_sandbox_that_was_asked_for_is_on_the_first_screen(tmp_path: Path) -> None:
    command: list[str | Path] = ["mark", SPEC, *STUDENTS, "-o", tmp_path, "--require", "seccomp"]
    done = without("namespaces", "landlock", command=command)
    assert done.returncode == 0, done.stderr
    first_screen = done.stdout.splitlines()[:24]
    assert any(line.startswith("! Weak sandbox: seccomp") for line in first_screen)
    document = results(tmp_path)
    assert document["run"]["sandbox"]["driver"] == "seccomp"
    assert not document["run"]["sandbox"]["guarantees"]["files-read"]
    assert [submission["mark"] for submission in document["submissions"]] == ["6", "5"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 0 < page.index("Weak sandbox: seccomp") < page.index("student-01")


def test_a_stronger_sandbox_can_be_required(tmp_path: Path) -> None:
    command: list[str | Path] = ["mark", SPEC, *STUDENTS, "-o", tmp_path / "out", "--require", "namespaces"]
    done = without("namespaces", command=command)
    assert done.returncode == 6
    assert "is landlock, and namespaces is required" in only_error(done)


def test_a_student_can_check_their_work_anywhere() -> None:
    done = without("namespaces", "landlock", command=["check", SPEC, STUDENTS[0]])
    assert done.returncode == 0, done.stderr


def test_the_doctor_says_what_is_open_and_what_to_do() -> None:
    done = without("namespaces", "landlock", command=["doctor"])
    assert done.returncode == 6
    assert "namespaces does not work here: " in done.stdout
    assert "landlock does not work here: " in done.stdout
    assert "  files-read is open, by: read a file by its path; " in done.stdout
    assert "  for namespaces: " in done.stdout
    assert "  for landlock: " in done.stdout
    assert "too weak for marking, unless you say --require seccomp" in done.stdout

"""A tool pays for all of its processes, also for those that are killed and those that nobody waits for."""

from pathlib import Path

import pytest
from support.marking import mark, question
from support.toolchains import C

from grader.engine.submission import marker
from grader.languages.toolchain import SOURCE, Toolchain
from grader.model.results import Status
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools import build as building
from grader.sandbox.tools.build import build
from grader.sandbox.tools.tool import ToolLimits, run_tool
from grader.sandbox.tools.toolchains import missing_tool

SHELL = "/bin/sh"
BURNS = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
SPINS = "while :; do :; done"
MAKE = Toolchain("shell", (".sh",), build=("sh", SOURCE), run=("./program",))
needs_gcc = pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")


def spent(script: str, cpu_s: float = 20.0, budget: Budget | None = None) -> tuple[Budget, bool]:
    """Return the budget after a run, and whether the tool was stopped at its limit."""
    budget = budget or Budget(60.0, 60.0)
    run = run_tool([SHELL, "-c", script], "", ToolLimits(cpu_s=cpu_s), purse=budget)
    return budget, run.is_over


@pytest.mark.parametrize(
    "script",
    [
        f"({BURNS}); true",
        f"({BURNS}) & ({BURNS}) & wait",
        f"({BURNS}; kill -9 $(exec sh -c 'echo $PPID')); true",
    ],
    ids=["a child", "two at once", "a child that kills itself"],
)
def test_a_tool_pays_for_its_children(script: str) -> None:
    alone, _ = spent(BURNS)
    once_s = 60.0 - alone.cpu_left_s
    budget, _ = spent(script)
    assert 60.0 - budget.cpu_left_s > once_s / 3


def test_the_limit_is_that_of_all_processes_together() -> None:
    budget, is_over = spent(f"for n in 1 2 3 4; do ({SPINS}) & done; wait", cpu_s=1.0)
    assert is_over
    assert 1.0 <= 60.0 - budget.cpu_left_s < 3.0


def test_processes_one_after_another_share_the_limit() -> None:
    """The kernel's own limit counts for each of them."""
    budget, is_over = spent(f"for n in 1 2 3 4 5 6 7 8 9; do sh -c 'ulimit -t 1; {SPINS}'; done", cpu_s=2.0)
    assert is_over
    assert 2.0 <= 60.0 - budget.cpu_left_s < 4.0


def test_the_kernels_limit_leaves_room_for_a_kernel_that_counts_more() -> None:
    """On a virtual machine under load it counted 11 s where it told 9.4."""
    # The limits are set when the tool has started, and before it gets its input.
    run = run_tool([SHELL, "-c", "read line; ulimit -t"], "x\n", ToolLimits(cpu_s=10.0), purse=UNBILLED)
    assert int(run.stdout) >= 10 * 1.25


@pytest.mark.acceptance
def test_what_nobody_waits_for_is_billed() -> None:
    """A parent that ignores the end of its children lets the kernel forget their times."""
    code = (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "for n in range(40):\n    if not os.fork():\n        end = time.process_time() + 0.5\n"
        "        while time.process_time() < end: pass\n        os._exit(0)\n    time.sleep(0.01)\n"
        "    try:\n        os.wait()\n    except ChildProcessError:\n        pass\n"
    )
    budget = Budget(60.0, 60.0)
    run = run_tool([find_interpreter("").command, "-I", "-S", "-c", code], "", ToolLimits(3.0), purse=budget)
    assert run.is_over
    assert 60.0 - budget.cpu_left_s >= 3.0


def test_a_tool_ends_with_the_budget() -> None:
    budget, is_over = spent(SPINS, budget=Budget(0.5, 60.0))
    assert is_over
    assert budget.is_used_up
    assert budget.cpu_left_s > -1.5


def test_a_daemon_of_a_build_is_billed_until_it_is_killed() -> None:
    budget = Budget(60.0, 60.0)
    texts = {"w.sh": f"(({SPINS}) &)\nsleep 1\nexit 1\n"}
    build(MAKE, "w.sh", texts, find_interpreter(""), purse=budget)
    assert 60.0 - budget.cpu_left_s > 0.1


def test_a_run_of_nobodys_is_not_billed() -> None:
    run_tool([SHELL, "-c", "true"], "", purse=UNBILLED)
    assert not UNBILLED.is_used_up


def test_waiting_of_a_command_of_the_specs_is_billed() -> None:
    budget = Budget(60.0, 60.0)
    build(MAKE, "w.sh", {"w.sh": "sleep 1\nexit 1\n"}, find_interpreter(""), purse=budget)
    assert 60.0 - budget.wall_left_s > 0.9


# -- compilers ---------------------------------------------------------------------------------------------


def laborious(functions: int) -> str:
    """Return C source that takes the compiler's time again when it links."""
    body = "".join(
        f"if (a & {n}) a = x[(a ^ {n}) & 31] * {n}; else x[a & 15] += a ^ {n};\n" for n in range(700)
    )
    texts = [f"long f{n}(long *x, long a) {{ a += {n};\n{body}return a; }}\n" for n in range(functions)]
    calls = "".join(f"a += f{n}(x, a);" for n in range(functions))
    return "".join(texts) + f"int main(void) {{ long x[32] = {{0}}, a = 1; {calls} return a & 1; }}\n"


@needs_gcc
def test_a_compiler_that_computes_too_long_is_the_students_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_S", 1.0)
    budget = Budget(60.0, 60.0)
    built = build(C, "main.c", {"main.c": laborious(60)}, find_interpreter(""), purse=budget)
    assert (built.files, built.is_over, built.lacks_budget) == (None, True, False)
    assert built.said == "gcc was stopped after 1 s of computing"
    assert 1.0 <= 60.0 - budget.cpu_left_s < 3.0


@needs_gcc
def test_a_build_ends_with_the_budget_and_is_not_pending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = Budget(1.0, 30.0)
    monkeypatch.setattr(marker, "budget_of", lambda task: budget)
    spec = "toolchains: [c]\n" + question(
        '{program: work, stdout: "7\\n"}', '{program: work, stdout: "8\\n"}'
    )
    result = mark(tmp_path, spec, {"work.c": laborious(60)})
    assert result.status is Status.MARKED
    assert budget.cpu_left_s > -2.0

"""Tools that read students' texts: the walls around them, tried by a shell in the tool's place."""

import os
import shutil
import time
from pathlib import Path

import pytest

from grader.model.rule import Rule, RuleKind
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools import tool
from grader.sandbox.tools.source_tools import NoSight, lint, search
from grader.sandbox.tools.tool import ToolLimits, ToolRun
from grader.sandbox.tools.tool_cell import ToolCell
from grader.sandbox.zygote import SandboxFailure
from grader.worker.walls import syscalls

pytestmark = pytest.mark.skipif(not syscalls.SUPPORTED, reason="no tables for this architecture")

SHELL = "/bin/sh"
WALLED = (Driver.NAMESPACES, Driver.LANDLOCK)
LINTER = Rule(kind=RuleKind.LINTER, text="linter", modules=("one",), select=("F",))


def cell(driver: Driver) -> ToolCell:
    return ToolCell(driver, find_interpreter(""), UNBILLED)


@pytest.mark.parametrize("driver", LADDER)
def test_tools_find_the_same_in_every_cell(driver: Driver) -> None:
    runner = cell(driver).run
    text = "import os\n\n\ndef f(x):\n    return f(x)\n"
    assert [(place.line, place.message[:4]) for place in lint(LINTER, "one", "one.py", text, runner)] == [
        (1, "F401")
    ]
    assert [place.line for place in search("f($X)", "one", text, runner)] == [5]
    with pytest.raises(NoSight):
        lint(LINTER, "one", "one.py", "x = " + "-" * 300_000 + "1", runner)


def test_a_tool_that_did_not_run_has_not_found_nothing() -> None:
    """Python too ends with status 1, which both tools have for something else."""
    did_not_run = ToolRun(status=1, stdout="", stderr="Fatal Python error: init_sys_streams")
    with pytest.raises(SandboxFailure, match="Fatal Python error"):
        lint(LINTER, "one", "one.py", "import os\n", lambda command, text: did_not_run)
    with pytest.raises(SandboxFailure, match="Fatal Python error"):
        search("f($X)", "one", "f(1)\n", lambda command, text: did_not_run)


@pytest.mark.parametrize("driver", WALLED)
def test_a_tool_reads_and_writes_no_file(driver: Driver, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary\n")
    secret.chmod(0o666)
    for folder in (tmp_path, *tmp_path.parents[:-1]):
        if folder.owner() == tmp_path.owner() and str(folder) != "/tmp":
            folder.chmod(0o755)
    script = f"read line < {secret}; echo got $line; echo x > {secret}; echo x > {tmp_path}/new; echo done"
    run = cell(driver).run([SHELL, "-c", script], "")
    assert "canary" not in run.stdout + run.stderr
    assert run.stdout == "got\ndone\n"
    assert secret.read_text() == "canary\n"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("driver", [*WALLED, Driver.SECCOMP])
def test_a_tool_starts_no_process_and_signals_nobody(driver: Driver) -> None:
    run = cell(driver).run([SHELL, "-c", "echo before; (echo inside) && echo after"], "")
    assert run.stdout == "before\n"
    assert run.status not in (0, 1)
    # What a shell can still do to itself, it can do to no one else where a pid namespace holds it.
    if driver is Driver.NAMESPACES:
        run = cell(driver).run([SHELL, "-c", f"kill -9 {os.getpid()}; echo alive"], "")
        assert run.stdout == "alive\n"


@pytest.mark.parametrize("driver", WALLED)
def test_a_tool_s_limits_hold_in_a_cell(driver: Driver) -> None:
    limits = ToolLimits(cpu_s=1)
    run = cell(driver).run([SHELL, "-c", "while :; do :; done"], "", limits)
    assert run.status not in (0, 1)
    assert run.cpu_s > 0.5
    run = cell(driver).run(
        [SHELL, "-c", "while :; do echo 0123456789012345678901234567890123456789; done"], "", limits
    )
    assert len(run.stdout) < 10 << 20


@pytest.mark.parametrize("driver", WALLED)
def test_a_cell_that_cannot_be_built_is_our_own_fault(driver: Driver) -> None:
    """Not the student's: "could not be looked at" would count as broken."""
    with pytest.raises(SandboxFailure, match="cannot be put into a sandbox"):
        cell(driver).run(["/nowhere/ruff", "check"], "")


@pytest.mark.parametrize("driver", WALLED)
def test_a_cell_that_does_not_start_is_our_own_fault(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that ends with an error has the exit status of a linter, and would have found nothing."""
    monkeypatch.setattr("grader.sandbox.tools.tool_cell.package_folder", lambda: "/nowhere")
    with pytest.raises(SandboxFailure, match="cannot be put into a sandbox"):
        cell(driver).run([SHELL, "-c", "echo"], "")


def test_no_wall_stands_between_a_tool_and_its_text() -> None:
    text = "x = 1\n" * 200_000
    assert shutil.which("sh")
    run = cell(Driver.NAMESPACES).run([SHELL, "-c", "n=0; while read l; do n=$((n+1)); done; echo $n"], text)
    assert run.stdout == "200000\n"


@pytest.mark.parametrize("driver", WALLED)
def test_limits_hold_however_late_the_grader_sets_them(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(pid: int, limits: ToolLimits, most_s: float) -> None:
        time.sleep(0.5)
        at_once(pid, limits, most_s)

    at_once = tool._limit
    monkeypatch.setattr(tool, "_limit", late)
    run = cell(driver).run([SHELL, "-c", "ulimit -n; read line; echo got $line"], "all of it\n")
    assert (run.status, run.stdout, run.stderr) == (0, "64\ngot all of it\n", "")

"""The mask for new files of the shell that marks (`umask`) changes no mark: servers have 027 or 077."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import restricted
from support.command_line import COMMAND, environment, results, run
from support.sieges import Arena, indented, job, value
from support.toolchains import C

from grader.sandbox.budget import UNBILLED
from grader.sandbox.data_files import show_files
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import Interpreter, find_interpreter
from grader.sandbox.portable.zygote import PortableZygote
from grader.sandbox.tools.tool_cell import ToolCell
from grader.sandbox.tools.toolchains import missing_tool
from grader.sandbox.zygote import Zygote
from grader.worker.walls import syscalls

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not syscalls.SUPPORTED, reason="builds roots, or takes system calls away"
)
USUAL = 0o022

LOOKED_AT = """
task: masked
title: Masked
marks: {marks}
modules: {{work: work.py}}
files: {{data/words.txt: "more"}}
questions:
  - {{id: "1", title: Mask, marks: 1, cases: [{{call: mask(), returns: 18}}]}}
  - {{id: "2", title: Data, marks: 1, cases: [{{call: data(), returns: "'more'"}}]}}
"""
ANYWHERE = LOOKED_AT.format(marks=2)
WRITES = f"""{LOOKED_AT.format(marks=4)}
  - {{id: "3", title: File, marks: 1, cases: [{{call: f('hi'), returns: "'hi'"}}]}}
  - {{id: "4", title: Files, marks: 1, cases: [{{call: g('b.txt'), files: {{b.txt: hi}}, returns: "'hi'"}}]}}
"""
COMPILED = """
task: masked
title: Masked
marks: 1
modules: {total: total.py}
toolchains: [c]
questions:
  - {id: "1", title: C, marks: 1, cases: [{program: total, stdout: "5"}]}
"""
WORK = """
import os

def mask():
    mine = os.umask(0)
    os.umask(mine)
    return mine

def data():
    with open("data/words.txt") as file:
        return file.read()

def f(text):
    with open("saved.txt", "w") as file:
        file.write(text)
    return g("saved.txt")

def g(name):
    with open(name) as file:
        return file.read()
"""


def marked(folder: Path, mask: int, text: str, *before: str) -> tuple[str, list[str]]:
    """Mark the work under a mask, with the cache that is in the folder; return the driver and the marks."""
    work = folder / "student-01"
    work.mkdir(exist_ok=True)
    (work / "work.py").write_text(WORK)
    (work / "total.c").write_text('#include <stdio.h>\nint main(void) { printf("5"); }\n')
    spec, output = folder / "masked.yaml", folder / f"out-{mask:03o}"
    spec.write_text(text)
    shell = ["sh", "-c", f'umask {mask:03o}; exec "$@"', "sh", *before, COMMAND]
    done = run([*shell, "mark", spec, work, "-o", output], env=environment(XDG_CACHE_HOME=str(folder / "c")))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (output / "results.json").stat().st_mode & 0o777 == 0o666 & ~mask, (
        "what people read is as they say"
    )
    document = results(output)
    (submission,) = document["submissions"]
    return document["run"]["sandbox"]["driver"], [each["mark"] for each in submission["questions"]]


@pytest.mark.parametrize("masks", [(0o077,), (0o022, 0o077)], ids=["examined", "remembered"])
def test_a_mask_of_the_shells_changes_no_mark(tmp_path: Path, masks: tuple[int, ...]) -> None:
    """Another user could not enter a root that was built under it, where root marks."""
    for mask in masks:
        assert marked(tmp_path, mask, WRITES) == ("namespaces", ["1", "1", "1", "1"]), f"{mask:03o}"


@pytest.mark.skipif(bool(missing_tool(C)), reason="gcc is not installed")
def test_nor_that_of_a_program_in_c(tmp_path: Path) -> None:
    assert marked(tmp_path, 0o077, COMPILED) == ("namespaces", ["1"])


def test_nor_any_without_namespaces(tmp_path: Path) -> None:
    taken = sys.executable, restricted.__file__, "namespaces", "--"
    assert marked(tmp_path, 0o077, ANYWHERE, *taken) == ("landlock", ["1", "1"])


@pytest.fixture
def masked() -> Iterator[None]:
    """Have this process work under another mask than the usual one."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def _opened(driver: Driver) -> Callable[[Interpreter], Zygote]:
    return PortableZygote if driver is Driver.PORTABLE else lambda interpreter: Zygote(driver, interpreter)


@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("driver", [*LADDER, Driver.PORTABLE])
def test_every_box_sees_the_same_one(driver: Driver) -> None:
    source = "import os\ndef attack():\n" + indented("return os.umask(0)")
    with _opened(driver)(find_interpreter("")) as zygote:
        assert value(Arena(driver, "fresh", zygote).besiege(source, job("attack")).outcome) == USUAL


@pytest.mark.usefixtures("masked")
@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_every_cell_of_a_tool_has_it(driver: Driver) -> None:
    run = ToolCell(driver, find_interpreter(""), UNBILLED).run(["/bin/sh", "-c", "umask"], "")
    assert (run.stdout, run.stderr) == (f"{USUAL:04o}\n", "")


@pytest.mark.usefixtures("masked")
def test_folders_of_the_tasks_own_files_are_the_same(tmp_path: Path) -> None:
    """Those that `portable` makes for a box: others have them from the box itself."""
    data, shown = tmp_path / "data", tmp_path / "shown"
    for folder in (data / "more", shown):
        folder.mkdir(parents=True)
    show_files(str(data), str(shown))
    assert (shown / "more").stat().st_mode & 0o777 == 0o777 & ~USUAL

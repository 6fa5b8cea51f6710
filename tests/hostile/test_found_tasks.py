"""A task that `grader check` finds may be anybody's: a folder of a download, or of a fork.

Where nothing holds code, none of it runs, whichever key names it; its files lie below it, links followed.
"""

from pathlib import Path

import pytest
from support.command_line import Done, grader
from support.rows import first_of

from grader.cli.exit_code import ExitCode
from grader.engine.brought.code import first_code
from grader.model.task import SpecFile
from grader.spec import load_task

HEAD = """
task: half
title: Half
marks: 1
modules: {work: work.py}
"""
CASES = """
questions:
  - {id: "1", title: half, marks: 1, cases: [%s]}
"""
RUNS = "import pathlib\npathlib.Path({!r}).touch()\n"
PLAIN = "{call: half(4), returns: 2}"
OWN = {
    "reference": ("reference: own\n", "{call: half(4), returns: same as reference}"),
    "checker": ("checkers: checks.py\n", "{call: half(4), check: even()}"),
    "generator": ("checkers: checks.py\n", "{call: half(n), given: {n: even_ones()}, returns: n // 2}"),
    "harness": ("", "{call: half(4), harness: harness.py, returns: 2}"),
    "test file": ("reference: own\n", "{pytest: tests.py}"),
    "lambda": ("", "{call: 'half(4, lambda x: x)', returns: 2}"),
    "commands": ("toolchains: [c]\n", "{program: work, stdout: ''}"),
}
"""What of a task is code, by the key that brings it along."""


@pytest.fixture(name="course")
def course_of_somebody(tmp_path: Path) -> Path:
    """A folder with code that leaves a file where it runs, and a student's work below it."""
    runs = RUNS.format(str(tmp_path / "it-ran"))
    folder = tmp_path / "course"
    for name in ("own", "me"):
        (folder / name).mkdir(parents=True)
    (folder / "me" / "work.py").write_text("def half(n, key=None):\n    return n // 2\n")
    (folder / "own" / "work.py").write_text(runs + "def half(n, key=None):\n    return n // 2\n")
    checks = "def even(answer):\n    return None\ndef even_ones(random):\n    return 2\n"
    (folder / "checks.py").write_text(runs + checks)
    (folder / "harness.py").write_text(runs + "import work\ndef other(n):\n    return work.half(n)\n")
    (folder / "tests.py").write_text(runs + "import work\ndef test_half():\n    assert work.half(4) == 2\n")
    (tmp_path / "elsewhere.py").write_text("def half(n, key=None):\n    return n // 2\n")
    return folder


def found(course: Path, driver: str = "") -> Done:
    """Check below the task, which is found; driver: the one to force, empty for the strongest."""
    return grader("check", cwd=course / "me", GRADER_DRIVER=driver)


@pytest.mark.parametrize("driver", first_of(["portable", "posix"]))
@pytest.mark.parametrize("what", OWN)
def test_no_code_of_it_runs_where_nothing_holds_it(what: str, driver: str, course: Path) -> None:
    keys, case = OWN[what]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = found(course, driver)
    # The inputs of generated cases are drawn while the spec is read.
    wanted = ExitCode.SPEC if what == "generator" else ExitCode.USAGE
    assert done.returncode == wanted, done.stdout + done.stderr
    assert "nobody named this task, and its own code would run without a sandbox here" in done.stderr
    assert "grader check TASK.yaml" in done.stderr
    assert not (course.parent / "it-ran").exists()


REACHING = {
    "a name of Python's": ("", """'__builtins__.get("exec")("RUN")'"""),
    "an item of it": ("", """'__builtins__["exec"]("RUN")'"""),
    "a module": ("import os\n", "'os.system(\"touch TOUCHED\")'"),
    "a module of a module": ("import random\n", "'random._os.system(\"touch TOUCHED\")'"),
    "another name": ("import subprocess as sp\n", "'sp.getoutput(\"touch TOUCHED\")'"),
    "a function": ("from os import system\n", "'system(\"touch TOUCHED\")'"),
    "all names": ("from os import *\n", "'system(\"touch TOUCHED\")'"),
    "an import within": ("def f():\n    global os\n    import os\nf()\n", "'os.system(\"touch TOUCHED\")'"),
    "a path that it gives": ("", "'half(max([Path(\"TOUCHED\")]).touch())'"),
    "a path through the work": ("def same(x):\n    return x\n", "'same(Path(\"TOUCHED\")).touch()'"),
    "a class's": ("class A:\n    import os\n", "'A.os.system(\"touch TOUCHED\")'"),
    "an object's": (
        "import os\nclass A:\n    def __init__(self):\n        self.os = os\n",
        "'A().os.system(\"touch TOUCHED\")'",
    ),
    "a method of a module": (
        "import shutil\nclass A:\n    def __init__(self):\n        self.copy = shutil\n",
        '\'A().copy.copy("task.yaml", "TOUCHED")\'',
    ),
    "a generator's frame": (
        "def gen(n):\n    yield n\n",
        """'list(map(gen(3).gi_frame.f_builtins["exec"], ["RUN"]))'""",
    ),
    "an attribute in a list": (
        "class A:\n    import os\n",
        "'max([\"touch TOUCHED\"], key=[A.os.system][0])'",
    ),
    "an attribute for a function": (
        "class A:\n    import os\ndef apply(f, x):\n    return f(x)\n",
        "'apply([A.os.system][0], \"touch TOUCHED\")'",
    ),
    "an attribute in a tuple": (
        "class A:\n    import os\n",
        "'sorted([\"touch TOUCHED\"], key=(A.os.system, 1)[0])'",
    ),
    "a method's name from all names": (
        "from os import *\nclass A:\n    def system(self):\n        pass\n",
        "'system(\"touch TOUCHED\")'",
    ),
    "a method's name": (
        "from os import system as go\nstart = go\nclass A:\n    def start(self):\n        pass\n",
        "'start(\"touch TOUCHED\")'",
    ),
    "a class's own": (
        "from os import popen\nclass A:\n    run = staticmethod(popen)\n"
        "class B:\n    def run(self):\n        pass\n",
        "'A().run(\"touch TOUCHED\").read()'",
    ),
    "a path as a text": (
        "def save(name, text):\n    open(name, 'w').write(text)\n",
        '\'save("TOUCHED", "text")\'',
    ),
    "a bound module": ("import os\nos_too = os\n", "'os_too.system(\"touch TOUCHED\")'"),
    "a bound function": ("import os\nrun = os.system\n", "'run(\"touch TOUCHED\")'"),
    "a frame": ("def g():\n    yield 1\n", """'g().gi_frame.f_builtins["exec"]("RUN")'"""),
}
"""Calls that reach what runs anything, by what a student's work has."""


@pytest.mark.parametrize("driver", first_of(["portable", "posix"]))
@pytest.mark.parametrize("way", REACHING)
def test_no_call_of_it_reaches_what_runs_anything(way: str, driver: str, course: Path) -> None:
    head, call = REACHING[way]
    ran = course.parent / "it-ran"
    call = call.replace("TOUCHED", str(ran)).replace("RUN", f"open('{ran}', 'w')".replace("'", "''"))
    work = course / "me" / "work.py"
    work.write_text(head + work.read_text())
    (course / "task.yaml").write_text(HEAD + CASES % f"{{call: {call}, returns: 2}}")
    done = found(course, driver)
    assert done.returncode in (ExitCode.USAGE, ExitCode.SPEC), done.stdout + done.stderr
    assert not ran.exists()
    if done.returncode == ExitCode.USAGE:
        assert "nobody named this task, and its own code would run without a sandbox here" in done.stderr


STEPS = {
    "a list of it": ["[A.os.system]", 'list(map(b[0], ["touch TOUCHED"]))'],
    "a method for it": ["A()", "b.roll = A.os.system", 'b.roll("touch TOUCHED")'],
}


@pytest.mark.parametrize("way", STEPS)
def test_no_scenario_of_it_binds_what_runs_anything(way: str, course: Path) -> None:
    work = course / "me" / "work.py"
    work.write_text("class A:\n    import os\n    def roll(self):\n        pass\n" + work.read_text())
    ran = course.parent / "it-ran"
    first, *others = (f"'{step}'".replace("TOUCHED", str(ran)) for step in STEPS[way])
    steps = ", ".join([f"{{call: {first}, as: b}}", *(f"{{call: {step}}}" for step in others)])
    (course / "task.yaml").write_text(HEAD + CASES % f"{{scenario: [{steps}]}}")
    done = found(course, "portable")
    assert done.returncode in (ExitCode.USAGE, ExitCode.SPEC), done.stdout + done.stderr
    assert not ran.exists()


HONEST = {
    "nothing yet": "",
    "a name with a mistake": "import os\ndef halve(n):\n    return n // 2\n",
    "no Python": "import os\ndef half(n)\n    return n // 2\n",
    "another name for it": "def f(n):\n    return n // 2\nhalf = f\n",
    "a lambda": "from collections.abc import Callable\nhalf: Callable = lambda n: n // 2\n",
    "a cached one": "from functools import lru_cache\ndef f(n):\n    return n // 2\nhalf = lru_cache(f)\n",
    "an object": "class Half:\n    def __call__(self, n):\n        return n // 2\nhalf = Half()\n",
}
"""Works that a task which nobody named may call."""


@pytest.mark.parametrize("what", HONEST)
def test_a_work_that_is_not_finished_or_written_otherwise_is_checked(what: str, course: Path) -> None:
    (course / "me" / "work.py").write_text(HONEST[what])
    (course / "task.yaml").write_text(HEAD + CASES % PLAIN)
    done = found(course, "portable")
    is_right = "half" in HONEST[what] and what != "no Python"
    assert done.returncode == (ExitCode.DONE if is_right else ExitCode.NOT_MET), done.stdout + done.stderr


NOTEBOOK = """{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
 {"id": "a", "cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,
  "source": "%matplotlib inline\\nimport os"},
 {"id": "b", "cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,
  "source": "def half(n):\\n    return n // 2"}]}"""


def test_no_call_of_it_reaches_what_a_notebook_imports(course: Path) -> None:
    (course / "me" / "work.py").unlink()
    (course / "me" / "work.ipynb").write_text(NOTEBOOK)
    ran = course.parent / "it-ran"
    for call, ending in ((f"'os.system(\"touch {ran}\")'", ExitCode.USAGE), ("half(4)", ExitCode.DONE)):
        (course / "task.yaml").write_text(HEAD + CASES % f"{{call: {call}, returns: 2}}")
        done = found(course, "portable")
        assert done.returncode == ending, done.stdout + done.stderr
    assert not ran.exists()


def test_it_makes_no_object_of_a_class_that_the_work_imports(course: Path) -> None:
    work = course / "me" / "work.py"
    work.write_text("from subprocess import Popen\n" + work.read_text())
    ran = course.parent / "it-ran"
    types = "types: {Popen: {fields: [args]}}\n"
    case = f'{{call: \'half(Popen(["touch", "{ran}"]))\', returns: 2}}'
    (course / "task.yaml").write_text(HEAD + types + CASES % case)
    done = found(course, "portable")
    assert done.returncode == ExitCode.USAGE, done.stdout + done.stderr
    assert "`types` name `Popen`, which the work does not define" in done.stderr
    assert not ran.exists()


def test_what_a_work_defines_can_be_called_beside_its_imports(course: Path) -> None:
    (course / "me" / "work.py").write_text("import os\nfrom math import *\ndef half(n):\n    return n // 2\n")
    (course / "task.yaml").write_text(HEAD + CASES % PLAIN)
    assert found(course, "portable").returncode == ExitCode.DONE


def test_one_without_code_is_checked_there_and_one_that_is_named_too(course: Path) -> None:
    (course / "task.yaml").write_text(HEAD + CASES % PLAIN)
    assert found(course, "portable").returncode == ExitCode.DONE
    keys, case = OWN["checker"]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = grader("check", course / "task.yaml", course / "me", GRADER_DRIVER="portable")
    assert done.returncode == ExitCode.DONE, done.stdout + done.stderr
    assert (course.parent / "it-ran").exists()


def test_behind_walls_its_code_runs(course: Path) -> None:
    keys, case = OWN["reference"]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = found(course)
    assert done.returncode == ExitCode.DONE, done.stdout + done.stderr
    assert not (course.parent / "it-ran").exists()


@pytest.mark.parametrize("python", ["./evil", "evil", "evil.exe", r"..\evil.exe", "3.11/../evil", "[3.11]"])
def test_it_chooses_no_program(python: str, course: Path) -> None:
    (course / "task.yaml").write_text(HEAD + f"python: {python}\n" + CASES % PLAIN)
    done = found(course)
    assert done.returncode == ExitCode.SPEC, done.stdout + done.stderr
    assert "task.yaml:6:9" in done.stderr


LEADS_OUT = {
    "a path of the reference": ("reference: ../own\n", "{call: half(4), returns: same as reference}"),
    "a link for the reference": ("reference: linked\n", "{call: half(4), returns: same as reference}"),
    "a link in the reference": ("reference: with-link\n", "{call: half(4), returns: same as reference}"),
    "a path of the checkers": ("checkers: ../elsewhere.py\n", "{call: half(4), check: half()}"),
    "a link for the checkers": ("checkers: link.py\n", "{call: half(4), check: half()}"),
    "a file of a program": ("", "{program: work, files: {a: {from: link.py}}, stdout: ''}"),
}


@pytest.mark.parametrize("way", LEADS_OUT)
def test_what_it_names_lies_below_it(way: str, course: Path) -> None:
    (course.parent / "own").mkdir()
    (course.parent / "own" / "work.py").write_text("def half(n):\n    return n // 2\n")
    (course / "linked").symlink_to(course.parent / "own")
    (course / "link.py").symlink_to(course.parent / "elsewhere.py")
    (course / "with-link").mkdir()
    (course / "with-link" / "work.py").symlink_to(course.parent / "elsewhere.py")
    keys, case = LEADS_OUT[way]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = found(course)
    assert done.returncode == ExitCode.SPEC, done.stdout + done.stderr
    assert "this lies outside of the task's folder, and nobody named this task" in done.stderr
    assert "task.yaml:" in done.stderr
    named = grader("check", course / "task.yaml", course / "me")
    assert "outside of the task's folder" not in named.stderr


def test_code_is_found_by_its_class_and_not_by_its_key(course: Path) -> None:
    for what, (keys, case) in OWN.items():
        (course / "task.yaml").write_text(HEAD + keys + CASES % case)
        task = load_task(course / "task.yaml")
        assert first_code(task), what
        assert any(isinstance(file, SpecFile) for file in task.files)
    (course / "task.yaml").write_text(HEAD + CASES % PLAIN)
    assert not first_code(load_task(course / "task.yaml"))

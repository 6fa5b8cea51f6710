"""`grader check` without fork and signals, as far as Linux can show it (see `support.elsewhere`)."""

import json
import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from support.command_line import grader, unhurried
from support.declared import telling_few
from support.elsewhere import SYSTEMS, check_elsewhere, check_with
from support.installed import needs
from support.kind_rows import ACCEPTED, OTHERWISE, PUBLIC, ROWS, WRONG, Work, fits, write_work
from support.rows import first_of
from support.smallest import KINDS as KINDS_OF_CASES
from support.smallest import write_kinds

from grader.authoring.programs import folders_of
from grader.cli.exit_code import ExitCode
from grader.cli.own_work import own_work
from grader.engine.self_check import SelfCheck, public_part
from grader.model.errors import UsageError
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.sandbox.driver import CHOICE, LADDER, Driver
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
KINDS = ROOT / "tests" / "data" / "elsewhere"
SPEC = KINDS / "kinds.yaml"
REMARKS = [
    "There is no sandbox for this system: your program ran as if you had started it yourself.",
    "This system does not tell how much a program computes, so its time was taken by the clock.",
]
DRAWN = """
task: half
title: Half
marks: 1
checkers: checkers.py
modules: {work: work.py}
questions:
  - {id: "1", title: half, marks: 1, cases: [{call: half(n), given: {n: even(9)}, returns: n // 2}]}
"""
SLOW_START = """
task: half
title: Half
marks: 1
budget: 5s
modules: {work: work.py}
questions:
  - id: "1"
    title: half
    marks: 1
    cases: [{call: half(4), returns: 2}, {call: half(6), returns: 3}, {call: half(8), returns: 4}]
"""
LISTS_WALLS = """
import sys
walls = [name for name in sys.modules if name.startswith("grader.worker.walls.")]
assert walls == ["grader.worker.walls.place"], walls
assert "grader.doctor" not in sys.modules
print("nothing of Linux was imported", file=sys.stderr)
"""


def untimed(text: str) -> list[str]:
    """The lines, without times that were measured."""
    text = re.sub(r"  (?:<1|[\d.]+) m?s of ", "  some of ", text)
    return re.sub(r"stopped after [\d.]+ s of computing", "stopped after some computing", text).splitlines()


@pytest.mark.parametrize("system", SYSTEMS)
def test_right_work_is_accepted_with_a_word_about_what_is_weaker(system: str, tmp_path: Path) -> None:
    done = check_elsewhere(tmp_path, SPEC, KINDS / "reference", code=LISTS_WALLS, system=system)
    assert unhurried(done.stderr) == ["nothing of Linux was imported"]
    assert done.returncode == ExitCode.DONE
    lines = done.stdout.splitlines()
    assert "Mark: 8 of 8" in lines
    assert lines[-2:] == REMARKS


@pytest.mark.acceptance  # `make test` has the words for right work
def test_each_way_to_be_wrong_gets_the_same_words(tmp_path: Path) -> None:
    usual = check_with("namespaces", SPEC, KINDS / "wrong")
    forced = check_with("portable", SPEC, KINDS / "wrong")
    done = check_elsewhere(tmp_path, SPEC, KINDS / "wrong")
    assert {each.returncode for each in (usual, forced, done)} == {ExitCode.NOT_MET}
    told = untimed(usual.stdout)
    assert [*told, REMARKS[0]] == untimed(forced.stdout)
    # Without signals it is not known where a loop was stopped.
    stopped = told.index("  stopped after some computing, in line 6 of kinds.py; 0.3 s are allowed")
    told[stopped : stopped + 3] = ["  stopped after 1 s by the clock; 0.3 s of computing are allowed"]
    assert untimed(done.stdout) == [*told, *REMARKS]


HANDED_OUT = tuple(name for name, row in ROWS.items() if row.handout == PUBLIC)
SOME = ("call", "raises", "scenario-files", "program-leaves", "dialogue", "exit", "rule", "pattern", "given")
HEAVY = {"numpy", "pandas", "matplotlib"}
"""Packages that ask Windows itself for more where `sys.platform` names it; no stand-in can answer."""


def handouts() -> list[ParameterSet]:
    """Return kinds of cases for each system: some for `make test`, the others for `make acceptance`."""
    light = tuple(name for name in HANDED_OUT if not HEAVY.intersection(KINDS_OF_CASES[name].needs))
    heavy = tuple(name for name in HANDED_OUT if name not in light)
    return [
        pytest.param("win32", SOME, id="win32-some"),
        pytest.param("win32", light, id="win32-all", marks=pytest.mark.acceptance),
        # It lacks less than Windows, so the light ones are tried there.
        pytest.param("darwin", (*SOME, *heavy), id="darwin-heavy", marks=pytest.mark.acceptance),
    ]


@pytest.mark.parametrize(("system", "names"), handouts())
@pytest.mark.parametrize("work", first_of(["wrong", "otherwise", "right"]))
def test_a_handout_gets_the_words_of_marking_for_each_kind_of_case(
    system: str, names: tuple[str, ...], work: str, tmp_path: Path
) -> None:
    needs("pandas", "matplotlib")
    spec = write_kinds(tmp_path, names)
    write_work(
        spec, {"wrong": WRONG, "otherwise": OTHERWISE, "right": Work({})}[work], tmp_path / "in" / work
    )
    assert grader("bundle", spec, "-o", tmp_path / "handout").returncode == ExitCode.DONE
    handout = tmp_path / "handout" / "kinds.yaml"
    done = check_elsewhere(tmp_path, handout, tmp_path / "in" / work, "--json", system=system)
    cases = {each["id"]: each["cases"][-1] for each in json.loads(done.stdout)["submission"]["questions"]}
    told = {
        name: {"wrong": ROWS[name].wrong, "otherwise": ROWS[name].otherwise}.get(work, "") for name in names
    }
    assert cases.keys() == set(names)
    assert [(name, case) for name, case in cases.items() if not fits(case, told[name] or ACCEPTED)] == []


def test_the_start_of_python_is_nobodys_time(tmp_path: Path) -> None:
    """Where there is the clock alone, to start Python and to import packages would count as the student's."""
    (tmp_path / "work.py").write_text("def half(n):\n    return n // 2\n")
    (tmp_path / "half.yaml").write_text(SLOW_START)
    done = check_elsewhere(tmp_path, tmp_path / "half.yaml", tmp_path / "work.py", start_s=2.5)
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (ExitCode.DONE, REMARKS)


def test_a_module_that_is_no_python_is_told_with_its_line(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "kinds.py").write_bytes(b"def double(x):\r\n    return (x\r\n")
    done = check_elsewhere(tmp_path, SPEC, work, "-q", "1")
    assert done.returncode == ExitCode.NOT_MET
    assert "The same in 7 other cases: " in done.stdout
    assert "line 2 of kinds.py" in done.stdout
    assert not unhurried(done.stderr)


def test_output_survives_a_console_of_another_encoding() -> None:
    done = grader(
        "check", SPEC, KINDS / "wrong", "-q", "1", PYTHONIOENCODING="ascii", GRADER_DRIVER="portable"
    )
    assert done.returncode == ExitCode.NOT_MET
    assert "Error" not in done.stderr
    assert r"Zo\xeb" in done.stdout


CODE_PAGES = ("cp1252:strict", "cp850", "cp437", "ascii", "ascii:strict")
GERMAN = """
task: half
title: Hälfte
marks: 1
language: de
modules: {work: work.py}
questions:
  - id: "1"
    title: Hälften
    marks: 1
    cases: [{call: half('ä→ß'), returns: "'ä'"}, {call: missing('日本'), returns: "'…'"}]
"""


@pytest.mark.parametrize("page", first_of(CODE_PAGES))
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_code_page_shows_what_it_can(page: str, system: str, tmp_path: Path) -> None:
    # As on a host where nothing says UTF-8.
    poor = {"PYTHONIOENCODING": page, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    (tmp_path / "work.py").write_text("def half(text):\n    print('Größe: 日本')\n    return text\n", "utf-8")
    (tmp_path / "half.yaml").write_text(GERMAN, "utf-8")
    given = tmp_path / "half.yaml", tmp_path / "work.py"
    reads = page.partition(":")[0]
    done = check_elsewhere(tmp_path, *given, system=system, reads=reads, changes=poor)
    assert (done.returncode, unhurried(done.stderr)) == (ExitCode.NOT_MET, [])
    # What the code page has is shown as it is.
    head = "Hälfte: work" if "cp" in page else r"H\xe4lfte: work"
    assert done.stdout.splitlines()[0] == head
    assert r"\u65e5\u672c" in done.stdout
    done = check_elsewhere(tmp_path, *given, "--json", system=system, reads=reads, changes=poor)
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["task"]["title"] == "Hälfte"


def test_functions_of_the_spec_draw_inputs(tmp_path: Path) -> None:
    (tmp_path / "checkers.py").write_text("def even(random, most):\n    return 2 * random.randint(0, most)\n")
    (tmp_path / "work.py").write_text("def half(n):\n    return n // 2\n")
    (tmp_path / "half.yaml").write_text(DRAWN)
    done = check_elsewhere(tmp_path, tmp_path / "half.yaml", tmp_path / "work.py")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (ExitCode.DONE, REMARKS)


def test_json_says_what_is_weaker() -> None:
    done = grader("check", SPEC, KINDS / "reference", "--json", GRADER_DRIVER="portable")
    assert json.loads(done.stdout)["remarks"] == REMARKS[:1]


def test_a_check_without_a_sandbox_says_so() -> None:
    done = grader("check", SPEC, KINDS / "reference", GRADER_DRIVER="posix")
    remark = (
        "No sandbox works on this host (grader doctor says why): your program ran as if you had started it"
    )
    assert f"{remark} yourself." in done.stdout.splitlines()


def test_a_driver_that_does_not_exist_is_named() -> None:
    done = check_with("portible", SPEC, KINDS / "reference")
    assert done.returncode == ExitCode.USAGE
    assert "GRADER_DRIVER is 'portible'; the drivers are namespaces, landlock" in done.stderr


def test_no_mark_can_stand_on_it(tmp_path: Path) -> None:
    assert Driver.PORTABLE not in LADDER
    done = grader("mark", SPEC, KINDS / "wrong", "--require", "portable", "-o", tmp_path)
    assert done.returncode == ExitCode.USAGE
    assert not list(tmp_path.iterdir())


# -- the same verdicts as elsewhere --------------------------------------------------------------------------


def programs(spec: Path, task: Task) -> list[Path]:
    """Some of a spec's sample submissions, else a right and a wrong program; none for its reference alone."""
    samples = ROOT / "submissions" / spec.stem
    if samples.is_dir():
        return telling_few(task, samples, most=3)
    folders = [spec.with_suffix("") / kind for kind in ("right", "wrong")]
    found = [work for folder in folders if folder.is_dir() for work in folders_of(folder)[:1]]
    # Nothing is built without walls, so of a task with toolchains the reference alone is tried.
    return [] if task.toolchains else found


def verdicts(result: SubmissionResult) -> dict[str, str]:
    return {case.id: case.verdict for question in result.questions for case in question.cases}


@pytest.mark.parametrize("spec", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda spec: spec.stem)
@pytest.mark.acceptance  # `unit/sandbox/test_own_programs.py` has what test files need
def test_every_program_gets_the_same_verdicts(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = load_task(spec)
    try:
        task = public_part(whole)
    except UsageError:
        pytest.skip("it has no public case")
    works = programs(spec, task) or [spec.with_suffix("") / "reference"]
    found: dict[Driver, dict[str, dict[str, str]]] = {}
    for driver in (Driver.NAMESPACES, Driver.PORTABLE):
        monkeypatch.setenv(CHOICE, driver)
        with SelfCheck(task) as session:
            found[driver] = {
                work.name: verdicts(session.check(own_work(work, dict(task.modules)))) for work in works
            }
    assert found[Driver.NAMESPACES] == found[Driver.PORTABLE]

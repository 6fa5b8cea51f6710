"""The example plugin, as a wheel in a fresh environment: it brings one of each, and all commands know them.

No line of the grader is about it.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, cases_of, environment, results, run, submissions
from support.plugged import TASK, fresh_environment


class World:
    """An environment with the plugin, the task, and a run over its works."""

    def __init__(self, folder: Path) -> None:
        self.python = fresh_environment(folder)
        self.folder = folder / "task"
        shutil.copytree(TASK, self.folder)
        self.out = self.folder / "out"
        self.marking = self.grader("mark", "brought.yaml", "works", "-o", "out")

    def grader(self, *arguments: str | Path, **changes: str) -> Done:
        # The tools of rules stand beside the Python of the tests.
        path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
        command = [self.python, "-m", "grader", *arguments]
        return run(command, cwd=self.folder, env=environment(PATH=path, **changes))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("plugins"))


@pytest.mark.acceptance
def test_it_is_listed_with_what_it_brings(world: World) -> None:
    listed = world.grader("plugins")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "grader-example 1.2, for grader.api 1.0, in " in " ".join(listed.stdout.split())
    brought = {tuple(line.split()[1:3]) for line in listed.stdout.splitlines() if "usable" in line}
    assert {kind for kind, _ in brought} == {
        *("commands", "exports", "kinds", "languages", "layouts", "renderers", "rules", "values"),
    }
    (plugin,) = json.loads(world.grader("plugins", "--json").stdout)["plugins"]
    assert (plugin["name"], plugin["version"], plugin["inside_imports"]) == ("grader-example", "1.2", [])
    assert [each["fault"] for each in plugin["brings"]] == [None] * 8


@pytest.mark.acceptance
def test_its_things_decide_marks(world: World) -> None:
    assert world.marking.returncode == 0, world.marking.stderr
    assert "works was taken for a download of ILIAS of 2 students" in world.marking.stderr
    marked = submissions(world.out)
    assert {name: (one["name"], one["mark"]) for name, one in marked.items()} == {
        "aroe": ("Al Roe", "0"),
        "jdoe": ("Jo Doe", "3"),
    }
    wrong = cases_of(world.out, "aroe")
    assert wrong["1.1"]["message"] == "call 2 has another answer than the first one"
    assert wrong["1.2"]["message"] == "expected Angle(10) (Angle), got 371 (int)"
    assert [picture["title"] for picture in wrong["1.4"]["pictures"]] == ["the numbers"]
    assert [case["verdict"] for case in cases_of(world.out, "jdoe").values()] == ["accepted"] * 5
    (rule,) = marked["aroe"]["rules"]
    assert (rule["rule"], rule["broken"]) == ("no bit tricks", True)


@pytest.mark.acceptance
def test_it_is_a_part_of_the_record(world: World) -> None:
    identity = results(world.out)["run"]["plugins"]["grader-example"]
    assert identity.startswith("1.2, code ")
    assert identity.split()[-1] in world.grader("explain", "out", "aroe").stdout


@pytest.mark.acceptance
@pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
def test_a_program_in_its_language_is_marked(world: World) -> None:
    work = world.folder / "tools" / "student-01"
    work.mkdir(parents=True)
    (work / "tool.pl").write_text('my $t = 0; while (<STDIN>) { $t += $_; } print "$t\\n";\n')
    done = world.grader("mark", "tool.yaml", "tools", "-o", "tool-out")
    assert done.returncode == 0, done.stderr
    assert submissions(world.folder / "tool-out")["student-01"]["mark"] == "1"


@pytest.mark.acceptance
def test_check_and_try_know_it(world: World) -> None:
    checked = world.grader("check", "brought.yaml", "works/Roe_Al_aroe_12")
    assert "call 2 has another answer than the first one" in checked.stdout
    assert "no bit tricks" in checked.stdout
    tried = world.grader("try", "brought.yaml")
    assert (tried.returncode, "Every program gets what it should." in tried.stdout) == (0, True), tried.stderr


@pytest.mark.acceptance
def test_validate_knows_it(world: World) -> None:
    validated = world.grader("validate", "--quick", "brought.yaml")
    assert validated.returncode == 0, validated.stdout + validated.stderr
    assert "No fault in this quick look." in validated.stdout


@pytest.mark.acceptance
def test_a_case_of_its_kind_is_replayed(world: World) -> None:
    replayed = world.grader("replay", "out", "aroe", "1.1")
    assert "The same verdict as recorded: wrong answer." in replayed.stdout, replayed.stderr
    assert replayed.stdout.count("work.roll(3)") == 4


@pytest.mark.acceptance  # it builds wheels; `test_bundle.py` has handouts
def test_a_handout_says_that_it_needs_it(world: World) -> None:
    made = world.grader("bundle", "brought.yaml", "-o", "handout")
    assert "note: students need grader-example 1.2 to check their work" in made.stderr
    assert (
        "pip install grader-harness grader-example==1.2" in (world.folder / "handout/README.md").read_text()
    )
    spec = (world.folder / "handout" / "brought.yaml").read_text()
    assert "stable: roll(3)" in spec
    assert "returns: Angle(10)" in spec
    assert "- rule:\n      forbidden constructs:" in spec
    checked = world.grader("check", "handout/brought.yaml", "works/Doe_Jo_jdoe_11")
    assert "Mark: 3 of 3" in checked.stdout, checked.stderr


@pytest.mark.acceptance
def test_pages_and_exports_show_it(world: World) -> None:
    page = (world.out / "staff" / "aroe.html").read_text()
    for words in ("roll(3)", "call 2 has another answer than the first one", "Angle(10)", "no bit tricks"):
        assert words in page
    assert world.grader("report", "out").returncode == 0
    assert world.grader("export", "out", "--to", "ilias").returncode == 0
    assert (world.out / "exports" / "ilias.csv").read_bytes() == b"login,mark\r\naroe,0\r\njdoe,3\r\n"
    for name in ("csv", "junit", "markdown", "gradescope", "gitlab"):
        assert world.grader("export", "out", "--to", name).returncode == 0
    assert "ilias" in world.grader("export", "--help").stdout
    packed = world.grader("export", "out", "--to", "gradescope-autograder")
    assert "plugins are not packed (grader-example)" in packed.stderr


def test_its_command_is_one_of_the_graders(world: World) -> None:
    assert world.grader("count", "out").stdout == "2 of 2 are marked\n"
    assert "Count the marked works of a run." in world.grader("--help").stdout


@pytest.fixture
def changed(world: World) -> Iterator[Path]:
    """A module of the installed plugin, put back afterwards."""
    (module,) = world.folder.parent.rglob("site-packages/grader_example/bars.py")
    before = module.read_text()
    yield module
    module.write_text(before)


def of_run(world: World) -> tuple[Any, str]:
    done = world.grader("mark", "brought.yaml", "works", "-o", "out")
    assert done.returncode == 0, done.stderr
    return results(world.out)["run"]["plugins"]["grader-example"], done.stderr


@pytest.mark.acceptance
def test_other_code_under_the_same_version_marks_again(world: World, changed: Path) -> None:
    first, _ = of_run(world)
    same, told = of_run(world)
    assert (same, "2 of 2 submissions unchanged" in told) == (first, True), told
    changed.write_text(f"{changed.read_text()}\n# another\n")
    other, told = of_run(world)
    assert (other != first, "unchanged" in told) == (True, False), told


def test_without_plugins_its_spec_is_not_understood(world: World) -> None:
    done = world.grader("check", "brought.yaml", "works/Doe_Jo_jdoe_11", GRADER_PLUGINS="none")
    assert done.returncode == 3
    assert "`stable` is not a key of a case" in done.stderr
    assert "`Angle` can't be called inside an expression" in done.stderr
    assert "there is no renderer `bars`" in done.stderr
    assert "`no bit tricks` is no kind of rule" in done.stderr
    assert "hint: GRADER_PLUGINS=none leaves plugins out, and a spec may need one" in done.stderr

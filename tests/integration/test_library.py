"""`grader new --from NAME` and `grader library`: tasks that others take over."""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.command_line import environment, grader, only_error, run
from support.declared import differences, mark_folders, read_declared
from support.unprivileged import BECOME, NOBODY, give_away

from grader.authoring.library.copying import TaskName, copy_task
from grader.authoring.library.page import COPIED, LICENCE, MARKS, NEEDED, VALIDATION, Page, read_page
from grader.authoring.library.shipped import PACKED, library_in, own_library
from grader.authoring.programs import folders_of, read_programs
from grader.marking.rounding import format_mark
from grader.plugins.validate.whole import Options, validate
from grader.reports.views.wording import counted
from grader.spec import load_task

ROOT = Path(__file__).parents[2]


REFERENCE = """\
import calendar


def is_leap(year):
    return calendar.isleap(year)
"""


def pages() -> dict[str, Page]:
    with own_library() as library:
        return {name: library.page(place) for name, place in library.places.items()}


PAGES = pages()


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A small library: a task with its reference one folder above, as `grader new` has it."""
    folder = tmp_path / "our-tasks"
    for path, text in {
        "LICENSE": "Do as you like.\n",
        "specs/leap.yaml": """\
task: leap
title: Leap years
marks: 2
reference: ../reference/leap
modules: {leap: leap.py}
questions:
  - id: "1"
    title: is_leap
    marks: 2
    award: each
    cases:
      - {call: is_leap(2024), returns: true}
      - {call: is_leap(1900), returns: false}
      - {count: is_leap(year), over: {year: "range(1895, 2010)"}, returns: 28, visibility: hidden}
      - {call: is_leap(2000), returns: true, visibility: hidden}
""",
        "specs/leap.md": """\
# Leap years

## About

- Practises: branches
- Licence: CC-BY-4.0
- Author: Ada
- Version: 3
""",
        "specs/leap/wrong/every-fourth/leap.py": "def is_leap(year):\n    return year % 4 == 0\n",
        "reference/leap/leap.py": REFERENCE,
        "other/notes.md": "# Notes\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


# -- the tasks that grader brings along -------------------------------------------------------------


def test_the_library_has_the_seven_and_every_recipe() -> None:
    specs = [*(ROOT / "specs").glob("*.yaml"), *(ROOT / "docs" / "cookbook").glob("*.yaml")]
    assert sorted(PAGES) == sorted(path.stem for path in specs)


@pytest.mark.parametrize("name", PAGES)
def test_a_copy_of_each_task_is_whole(name: str, tmp_path: Path) -> None:
    copied = copy_task(TaskName(name), tmp_path / "elsewhere")
    task = load_task(copied.spec)
    assert (task.id, copied.is_free) == (name, True)
    assert {path.parts[0] for path in map(Path, files_of(tmp_path / "elsewhere"))} <= {"specs", "reference"}
    page = PAGES[name]
    assert page.title
    assert page.problems == ()
    assert [key for key in NEEDED if not page.about.get(key)] == []
    assert page.about[LICENCE] == "MIT"
    assert "MIT License" in (copied.spec.with_suffix("") / "LICENSE").read_text()
    (line,) = re.findall(rf"^- {COPIED}: (.*)$", copied.spec.with_suffix(".md").read_text(), re.MULTILINE)
    assert re.fullmatch(rf"{name} of the library of grader, \d+\.\S+, sha256 [0-9a-f]{{16}}", line)
    # The figures of its page, as far as they can be counted without running it.
    programs = read_programs(task)
    parts = [counted(len(task.cases), "case")]
    if programs.right or programs.wrong:
        parts.append(f"{len(programs.right)} right and {counted(len(programs.wrong), 'wrong program')}")
    assert page.about[MARKS] == format_mark(task.marks)
    assert page.about[VALIDATION].startswith(", ".join(parts) + ", ")
    assert re.search(r", (?:(\d+) of \1 mutants? caught|no mutants)$", page.about[VALIDATION])


VALIDATED = ("classes", "dates", "floats")
"""A copy has the same files, so few are validated here, and their programs marked.

Our own specs are validated by `test_validate_specs.py`, and recipes when their pages get new figures.
"""


@pytest.mark.acceptance  # it tries mutants
@pytest.mark.parametrize("name", VALIDATED)
def test_a_copy_is_valid_and_marks_its_programs(name: str, tmp_path: Path) -> None:
    task = load_task(copy_task(TaskName(name), tmp_path).spec)
    found = validate(task, Options(jobs=2, mutants=20), lambda *_: None)
    assert found.faults == ()
    assert found.caught == found.total > 0
    batch = task.spec_path.with_suffix("") / "wrong"
    declared = read_declared(batch)
    few = {name: each for name, each in [*declared.items()][:2] if "status" not in each}
    folders = [each for each in folders_of(batch) if each.name in few]
    assert differences(mark_folders(task, folders, beside=batch), few) == {}
    assert few


DRAWS = ("generated", "growth")
"""Their inputs are drawn by Hypothesis, which the copy of a user without rights has not."""


@pytest.mark.acceptance  # it starts a Python for each task
@pytest.mark.parametrize("name", [*PAGES][::6])
def test_a_user_without_rights_copies_tasks_from_the_packed_library(
    name: str, nobody: tuple[str, Path] | None, packed_for_nobody: Path
) -> None:
    if nobody is None:
        pytest.skip(f"no Python here can be run by user {NOBODY}")
    python, home = nobody
    env = environment(PYTHONPATH=str(home / "packages"), HOME=str(home))
    copying = [*BECOME, python, "-m", "grader", "new", "--from", name, f"copies/{name}"]
    done = run(copying, cwd=home, env=env)
    assert done.returncode == 0, done.stderr
    with own_library() as library:
        wanted = library.files(library.places[name])
    copy = files_of(home / "copies" / name)
    assert copy.keys() == wanted.keys()
    assert [path for path in wanted if copy[path] != wanted[path] and path != f"specs/{name}.md"] == []
    if name in DRAWS:
        return
    looking = [*BECOME, python, "-m", "grader", "intake", f"copies/{name}/specs/{name}.yaml"]
    kind = next(
        each for each in ("wrong", "submissions") if (home / f"copies/{name}/specs/{name}/{each}").is_dir()
    )
    done = run([*looking, f"copies/{name}/specs/{name}/{kind}"], cwd=home, env=env)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def packed_for_nobody(nobody: tuple[str, Path] | None) -> Iterator[Path]:
    """The archive that a build puts into the package, in the copy of a user without rights."""
    if nobody is None:
        yield Path()
        return
    path = nobody[1] / "packages" / "grader" / "authoring" / "library" / PACKED
    path.write_bytes(packing().packed(ROOT))
    give_away(path.parent)
    yield path
    path.unlink()


def packing() -> Any:
    """Return the hook of the build as a module."""
    spec = importlib.util.spec_from_file_location("pack_library", ROOT / ".ci" / "pack_library.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_packed_alike_whatever_the_dates_are(tmp_path: Path) -> None:
    for name in ("one", "other"):
        for path in (
            "LICENSE",
            "specs/a.yaml",
            "specs/a/__pycache__/a.pyc",
            "reference/a/a.py",
            "docs/cookbook/b.yaml",
        ):
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(path)
    (tmp_path / "other" / "LICENSE").touch()
    one, other = (packing().packed(tmp_path / name) for name in ("one", "other"))
    assert one == other
    assert packing().files_of(tmp_path / "one") == [
        "specs/a.yaml",
        "reference/a/a.py",
        "docs/cookbook/b.yaml",
    ]


# -- copying ----------------------------------------------------------------------------------------


def test_a_recipe_is_copied_tried_and_marked(tmp_path: Path) -> None:
    done = grader("new", "--from", "values", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == """\
new: specs/values
new: specs/values.md
new: specs/values.yaml

Edit the spec, and see what each save changes:
  grader try specs/values.yaml --watch
Mark what students hand in, a folder each:
  grader mark specs/values.yaml submissions/values
"""
    )
    assert "Every program gets what it should." in grader("try", "specs/values.yaml", cwd=tmp_path).stdout
    done = grader("mark", "specs/values.yaml", "specs/values/wrong", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 submissions" in done.stdout


def test_tasks_share_files_and_nothing_is_overwritten(tmp_path: Path) -> None:
    assert grader("new", "--from", "shogun-resit", "course", cwd=tmp_path).returncode == 0
    done = grader("new", "--from", "shogun", "--dir", "course", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert load_task(tmp_path / "course/specs/shogun.yaml").id == "shogun"
    before = files_of(tmp_path / "course")
    again = grader("new", "--from", "shogun", "course", cwd=tmp_path)
    assert again.returncode == 2
    assert "this is there already, and nothing is overwritten" in only_error(again)
    # A file that both need, and that was changed for one of them.
    for path in ("specs/shogun.yaml", "specs/shogun.md"):
        (tmp_path / "course" / path).unlink()
    (tmp_path / "course/specs/shogun/boards.yaml").write_text("mine\n")
    done = grader("new", "--from", "shogun", "course", cwd=tmp_path)
    assert "course/specs/shogun/boards.yaml: this is there already" in only_error(done)
    after = files_of(tmp_path / "course")
    assert after.keys() == before.keys() - {"specs/shogun.yaml", "specs/shogun.md"}
    assert after["specs/shogun/boards.yaml"] == b"mine\n"


def test_a_copy_that_fails_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = Path.rename
    count = 0

    def rename(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == 4:
            raise OSError(28, "No space left on device")
        return renamed(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(Exception, match="the task can't be written: No space left on device"):
        copy_task(TaskName("values"), tmp_path / "new" / "place")
    assert list(tmp_path.iterdir()) == []


def test_a_task_of_a_departments_library_is_copied_with_where_it_comes_from(
    tasks: Path, tmp_path: Path
) -> None:
    for number, name in enumerate(("our-tasks/leap", "our-tasks/leap.yaml", "./our-tasks//leap")):
        done = grader("new", "--from", name, f"copy-{number}", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        copy = tmp_path / f"copy-{number}"
        assert sorted(files_of(copy)) == [
            "reference/leap/leap.py",
            "specs/leap.md",
            "specs/leap.yaml",
            "specs/leap/LICENSE",
            "specs/leap/wrong/every-fourth/leap.py",
        ]
        page = (copy / "specs" / "leap.md").read_text()
        assert re.search(r"^- Copied from: leap of our-tasks, 3, sha256 [0-9a-f]{16}$", page, re.MULTILINE)
        assert "- Licence: CC-BY-4.0" in page
    # A copy of a copy names both.
    assert grader("new", "--from", "copy-0/leap", "third", cwd=tmp_path).returncode == 0
    assert (tmp_path / "third/specs/leap.md").read_text().count("- Copied from: ") == 2


def test_what_holds_for_all_tasks_is_said_once(tasks: Path, tmp_path: Path) -> None:
    """The nearest README.md says it; a copy has it on its own page, and `--write` leaves it where it is."""
    page = tasks / "specs" / "leap.md"
    page.write_text(page.read_text().replace("- Licence: CC-BY-4.0\n- Author: Ada\n", "- Author: Bo\n"))
    (tasks / "README.md").write_text("# Ours\n\n## About\n\n- Licence: MIT\n- Author: Ada\n- Version: 9\n")
    with library_in(tasks) as library:
        read = library.page(library.place("leap"))
    assert read.about == {"Practises": "branches", "Licence": "MIT", "Author": "Bo", "Version": "3"}
    assert read.with_entry("Marks", "2").text == page.read_text().replace("- Author", "- Marks: 2\n- Author")
    assert grader("new", "--from", "our-tasks/leap", "copy", cwd=tmp_path).stderr == ""
    copied = read_page((tmp_path / "copy/specs/leap.md").read_text())
    assert {**copied.about, "Copied from": ""} == {**read.about, "Copied from": ""}
    # The nearest one alone counts, also if it says nothing.
    (tasks / "specs" / "README.md").write_text("# Sheets\n")
    with library_in(tasks) as library:
        assert "Licence" not in library.page(library.place("leap")).about


def test_a_task_in_a_folder_of_its_own(tasks: Path, tmp_path: Path) -> None:
    own = tasks / "leap"
    shutil.move(tasks / "specs", own)
    shutil.move(tasks / "reference" / "leap", own / "leap" / "reference")
    spec = own / "leap.yaml"
    spec.write_text(spec.read_text().replace("../reference/leap", "leap/reference"))
    assert grader("new", "--from", tasks / "leap", "copy", cwd=tmp_path).returncode == 0
    assert load_task(tmp_path / "copy/specs/leap.yaml").reference is not None


def test_mistakes_are_told(tasks: Path, tmp_path: Path) -> None:
    def told(*arguments: str) -> tuple[str, str]:
        done = grader("new", *arguments, cwd=tmp_path)
        assert done.returncode == 2
        return only_error(done), done.stderr.splitlines()[-1]

    assert told("--from", "knight-tour") == (
        "error: the library of grader: there is no task 'knight-tour' in this library",
        "hint: did you mean knights-tour or knights-tour-class?",
    )
    assert told("--from", "our-tasks/leep")[1] == "hint: did you mean leap?"
    assert (
        told("--from", "nowhere/leap")[0]
        == "error: nowhere: the library can't be read: No such file or directory"
    )
    assert told("--from", "values", "--marks", "3")[0].startswith(
        "error: --marks and --from-examples go with"
    )
    assert told("here", "--from", "values", "--dir", "there")[0].startswith("error: name one folder")
    assert told()[0] == "error: missing argument 'TASK': the name of the new task"
    assert told("leap", "--from", "gone.py")[0].startswith("error: gone.py: the reference can't be read")
    (tasks / "reference" / "leap" / "leap.py").unlink()
    (tasks / "reference" / "leap").rmdir()
    assert grader("new", "--from", "our-tasks/leap", "copy", cwd=tmp_path).returncode == 0
    assert "there is no folder" in only_error(grader("mark", "copy/specs/leap.yaml", ".", cwd=tmp_path))


def test_without_a_licence_it_is_said(tasks: Path, tmp_path: Path) -> None:
    page = tasks / "specs" / "leap.md"
    page.write_text(page.read_text().replace("- Licence: CC-BY-4.0\n", ""))
    done = grader("new", "--from", "our-tasks/leap", "copy", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "note: its page names no licence: ask its author before you pass it on\n"


# -- listing and checking ---------------------------------------------------------------------------


def test_the_list_fits_a_terminal_and_names_each_task(tmp_path: Path) -> None:
    done = grader("library", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert re.findall(r"^([a-z][a-z-]+)  ", done.stdout, re.MULTILINE)[1:] == list(PAGES)
    assert "\nknights-tour           11  Knight's Tour (recursion and backtracking,\n" in done.stdout
    assert done.stdout.endswith(
        f"\n{len(PAGES)} tasks, licence: MIT\nTo copy one into this folder: grader new --from NAME\n"
    )
    assert grader("library", "list", cwd=tmp_path).stdout == done.stdout


def test_a_departments_list(tasks: Path, tmp_path: Path) -> None:
    assert (
        grader("library", "list", "our-tasks", cwd=tmp_path).stdout
        == """\
task  marks  what it shows
leap         Leap years (branches)

1 task, licence: CC-BY-4.0
To copy one into this folder: grader new --from our-tasks/NAME
"""
    )
    done = grader("library", "list", "our-tasks/other", cwd=tmp_path)
    assert done.returncode == 4
    assert only_error(done) == "error: our-tasks/other: there is no task of a library here"


def test_a_check_brings_the_figures_up_to_date(tasks: Path, tmp_path: Path) -> None:
    done = grader("library", "check", "our-tasks", "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        1,
        "- leap  Marks is 2, and its page does not say it: --write brings it up to date",
    )
    done = grader("library", "check", "our-tasks", "-q", "--write", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    told = re.fullmatch(
        r"\+ leap  (4 cases, 0 right and 1 wrong program, (\d+) of \2 mutants caught)\n\n1 task, all well\n",
        done.stdout,
    )
    assert told is not None
    assert (
        (tasks / "specs/leap.md").read_text()
        == f"""\
# Leap years

## About

- Practises: branches
- Marks: 2
- Licence: CC-BY-4.0
- Author: Ada
- Version: 3
- Validation: {told[1]}
"""
    )
    before = files_of(tasks)
    assert grader("library", "check", "our-tasks", "-q", cwd=tmp_path).returncode == 0
    assert files_of(tasks) == before
    page = tmp_path / "reports/leap/validation/index.html"
    assert "specs/leap.yaml" in page.read_text()
    assert "grader-library-" not in page.read_text()


def test_a_check_names_what_is_wrong(tasks: Path, tmp_path: Path) -> None:
    page = tasks / "specs" / "leap.md"
    page.write_text("# Leap years\n\n## About\n\n- Practices: branches\n- Licence: unknown\nAda\n")
    (tasks / "LICENSE").unlink()
    spec = tasks / "specs" / "leap.yaml"
    text = spec.read_text()
    spec.write_text(text.replace("task: leap", "task: years").replace("returns: 28", "returns: 27"))
    done = grader("library", "check", "our-tasks", "--quick", "-q", cwd=tmp_path)
    assert done.returncode == 1
    told = [line.removeprefix("- leap").strip() for line in done.stdout.splitlines()]
    assert told[:6] == [
        "its page does not say `- Practises: …`",
        "its page does not say `- Author: …`",
        "its licence is unknown, so nobody may take it over: ask its author",
        "its page has an entry `Practices`: did you mean `Practises`?",
        "its page, line 7 is no entry such as `- Licence: MIT`",
        "there is no file LICENSE with the text of the licence, in its folder or above",
    ]
    assert "its spec says `task: years`, and the file is called leap.yaml" in told
    assert "1.3: the reference does not pass this case" in told
    assert told[-1] == "1 task, 0 well"
    # A mistake of the spec is told at its place in the library, and other tasks are checked all the same.
    spec.write_text(text.replace("marks: 2\nref", "marks: 3\nref"))
    for path in ("leap.yaml", "leap.md"):
        shutil.copy(tasks / "specs" / path, tasks / "other" / path.replace("leap", "other-leap"))
    (tasks / "other/other-leap.yaml").write_text(text.replace("task: leap", "task: other-leap"))
    done = grader("library", "check", "our-tasks", "--quick", "-q", cwd=tmp_path)
    assert "our-tasks/specs/leap.yaml:3:8: the questions' marks add up to 2, not to 3" in done.stdout
    assert "- other-leap  its page does not say" in done.stdout
    assert done.stdout.endswith("\n2 tasks, 0 well\n")


def test_misuse_of_a_check_is_told(tasks: Path, tmp_path: Path) -> None:
    done = grader("library", "check", "our-tasks", "laep", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "hint: did you mean leap?"
    done = grader("library", "check", "our-tasks", "--write", "--quick", cwd=tmp_path)
    assert only_error(done).startswith("error: --write needs all of the figures")
    (tasks / "other" / "leap.yaml").write_text("task: leap\n")
    (tasks / "other" / "leap.md").write_text("# Leap\n")
    done = grader("library", "check", "our-tasks", cwd=tmp_path)
    assert (
        only_error(done) == "error: our-tasks: two tasks are called leap: other/leap.yaml and specs/leap.yaml"
    )


_BLOCK = re.compile(r"((?:[^\n]+\n)+)\n```(yaml|python|markdown|console)\n(.*?)```", re.DOTALL)
_NAME = re.compile(r"`([\w/.-]+\.(?:yaml|py|md))`:$", re.MULTILINE)


def test_the_page_is_what_it_says(tmp_path: Path) -> None:
    """Its files are written, its commands run, its output comes."""
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert f"`grader` brings {len(PAGES)} of them along" in page
    blocks = _BLOCK.findall(page)
    for before, language, content in blocks:
        name = _NAME.search(before)
        if language != "console" and name is not None:
            path = tmp_path / "our-tasks" / name[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    (tmp_path / "our-tasks" / "LICENSE").write_text("CC-BY-4.0\n")
    commands = [
        content.removeprefix("$ ").partition("\n") for _, language, content in blocks if language == "console"
    ]
    assert len(commands) == 2
    for command, _, shown in commands:
        done = grader(*command.split()[1:], cwd=tmp_path)
        assert (done.stdout, done.returncode) == (shown, 0), done.stderr


# -- in CI ------------------------------------------------------------------------------------------


def in_a_job(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the lines of a job in a repository, with `grader` on the path."""
    env = environment(**variables, CI="true", PATH=f"{Path(sys.executable).parent}:/usr/bin:/bin")
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("forge", ["github", "gitlab"])
@pytest.mark.acceptance  # it checks a library as a command does
def test_the_job_of_a_forge_checks_every_task(forge: str, tasks: Path) -> None:
    if forge == "github":
        content = yaml.safe_load((ROOT / ".github/workflows/library.yml").read_text())
        inputs = content[True]["workflow_call"]["inputs"]  # YAML 1.1 reads the key `on` as true
        steps = [step for step in content["jobs"]["check"]["steps"] if "run" in step]
        used = [name for step in steps for name in re.findall(r"inputs\.([\w-]+)", str(step["env"]))]
        assert set(used) <= inputs.keys()
        script = "\n".join(step["run"] for step in steps)
        variables = {"PACKAGE": inputs["package"]["default"], "FOLDER": inputs["folder"]["default"]}
    else:
        job = yaml.safe_load((ROOT / ".gitlab/library.yml").read_text())[".grader-library"]
        script = "\n".join([*job["before_script"], *job["script"]])
        variables = job["variables"]
    assert grader("library", "check", tasks, "-q", "--write", "-o", tasks.parent / "out").returncode == 0
    done = in_a_job(script, tasks, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tasks / "grader-report/leap/validation/index.html").exists()
    spec = tasks / "specs" / "leap.yaml"
    spec.write_text(spec.read_text().replace("returns: 28", "returns: 27"))
    done = in_a_job(script, tasks, **variables)
    assert (done.returncode, "1.3: the reference does not pass this case" in done.stdout) == (1, True)


@pytest.mark.acceptance  # it tries mutants
def test_a_department_s_library_prints_what_the_page_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    files = re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(files) == 4
    for name, text in [*files, ("LICENSE", "Do as you like.\n")]:
        path = tmp_path / "our-tasks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shown = re.findall(r"^\$ grader (library \w+ our-tasks)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [command.split()[1] for command, _ in shown] == ["list", "check"]
    for command, output in shown:
        assert grader(*command.split(), cwd=tmp_path).stdout == output

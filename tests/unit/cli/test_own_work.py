"""The task and the work that `grader check` finds by itself."""

import os
from pathlib import Path

import click
import pytest
from support.trees import MakeTree

from grader.cli.own_work import find_spec, own_files, own_work, spec_and_path
from grader.model.errors import NothingToMark, UsageError

SPEC = "task: leap\nquestions: []\n"
MODULES = {"leap": "leap.py"}


@pytest.mark.parametrize("folder", [".", "src", "src/deep"])
def test_a_task_is_found_here_and_above_in_a_repository(
    make_folder: MakeTree, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_folder(
        "mine", {".git/config": "", "leap.yaml": SPEC, "src/deep/leap.py": "", "a.yaml": "x: 1\n"}
    )
    monkeypatch.chdir(root / folder)
    assert find_spec(Path()).resolve() == root / "leap.yaml"


def test_nothing_is_looked_for_above_the_repository(make_folder: MakeTree) -> None:
    root = make_folder("mine", {"leap.yaml": SPEC, "repo/.git/config": "", "repo/leap.py": ""})
    with pytest.raises(UsageError, match="there is no task in this folder"):
        find_spec(root / "repo")


def test_without_a_repository_the_two_folders_above_are_looked_at(make_folder: MakeTree) -> None:
    root = make_folder("mine", {"leap.yaml": SPEC, "one/two/three/leap.py": ""})
    assert find_spec(root / "one").resolve() == root / "leap.yaml"
    assert find_spec(root / "one" / "two").resolve() == root / "leap.yaml"
    with pytest.raises(UsageError, match="there is no task in this folder, nor in the two above it"):
        find_spec(root / "one" / "two" / "three")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="it is not told who owns a file")
def test_a_task_two_folders_above_is_nobody_elses(make_folder: MakeTree) -> None:
    """Such as one that a stranger put into the folder for temporary files."""
    root = make_folder("shared", {"leap.yaml": SPEC, "one/two/leap.py": ""})
    root.chmod(0o777)
    with pytest.raises(UsageError, match="there is no task in this folder"):
        find_spec(root / "one" / "two")
    root.chmod(0o775)
    assert find_spec(root / "one" / "two").resolve() == root / "leap.yaml"


def test_several_tasks_are_told(make_folder: MakeTree) -> None:
    root = make_folder("mine", dict.fromkeys(("b.yaml", "a.yml", "d.yaml", "c.yaml"), SPEC))
    with pytest.raises(UsageError, match=r"several tasks lie here: a\.yml, b\.yaml, c\.yaml, …"):
        find_spec(root)


def test_arguments_can_be_left_out(make_folder: MakeTree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_folder("mine", {"leap.yaml": SPEC, "leap.py": "", "other.py": ""})
    monkeypatch.chdir(root)
    spec = Path("leap.yaml")
    assert spec_and_path([]) == (spec, Path())
    assert spec_and_path([spec]) == (spec, Path())
    assert spec_and_path([Path("leap.py")]) == (spec, Path("leap.py"))
    assert spec_and_path([spec, Path("other.py")]) == (spec, Path("other.py"))
    with pytest.raises(click.UsageError, match=r"leap\.yaml looks like the spec"):
        spec_and_path([Path("leap.py"), spec])
    with pytest.raises(UsageError, match="there is no such file or folder"):
        spec_and_path([Path("none.py")])


def test_a_folder_with_the_file_is_the_students_whatever_lies_below(make_folder: MakeTree) -> None:
    root = make_folder("mine", {"leap.py": "", "old/leap.py": "", "older/leap.py": ""})
    assert own_work(root, MODULES).path == root


def test_nothing_to_check_is_told_with_the_name_that_is_asked_for(make_folder: MakeTree) -> None:
    with pytest.raises(NothingToMark, match=r"there is no Python file here; the task asks for leap\.py"):
        own_work(make_folder("mine", {"notes.txt": ""}), MODULES)
    with pytest.raises(UsageError, match=r"the task asks for leap\.py; found helper\.py and main\.py"):
        own_work(make_folder("theirs", {"main.py": "", "helper.py": ""}), MODULES)


def test_a_notebook_of_the_modules_name_is_work(make_folder: MakeTree) -> None:
    root = make_folder("yours", {"leap.ipynb": "{}", "notes.txt": ""})
    assert own_work(root, MODULES).path == root


def test_what_is_watched_are_python_files_here_and_one_folder_below(make_folder: MakeTree) -> None:
    files = {"leap.py": "", "a/b.py": "", "a/c/d.py": "", ".venv/e.py": "", "notes.txt": "", "a/f.txt": ""}
    root = make_folder("mine", files)
    assert [path.relative_to(root).as_posix() for path in own_files(root)] == ["a/b.py", "leap.py"]
    assert list(own_files(root / "leap.py")) == [root / "leap.py"]


def test_a_work_with_the_ending_of_a_text_is_named(make_folder: MakeTree) -> None:
    """Editors and mail programs add it, and some systems hide it."""
    root = make_folder("mine", {"Leap.py.txt": "", "notes.txt": ""})
    with pytest.raises(NothingToMark, match=r"found Leap\.py\.txt; the task asks for leap\.py"):
        own_work(root, MODULES)

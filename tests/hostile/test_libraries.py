"""A stranger's task, made to harm who copies it.  Nothing of it runs, and nothing else is read."""

import os
import socket
from pathlib import Path

import pytest
from support.command_line import grader, only_error

from grader.authoring.library.copying import TaskName, copy_task
from grader.intake.trees.tree import FILES_MAX
from grader.model.errors import UsageError

SPEC = """\
task: leap
title: Leap years
marks: 1
reference: leap/reference
checkers: leap/checkers.py
modules: {leap: leap.py}
questions:
  - {id: "1", title: is_leap, marks: 1, cases: [{call: is_leap(4), returns: true}]}
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and sockets of POSIX")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "stranger"
    (folder / "leap" / "reference").mkdir(parents=True)
    (folder / "leap.yaml").write_text(SPEC)
    (folder / "leap.md").write_text("# Leap\n\n## About\n\n- Practises: x\n- Licence: MIT\n- Author: Eve\n")
    (folder / "leap" / "checkers.py").write_text("")
    (folder / "leap" / "reference" / "leap.py").write_text("def is_leap(year):\n    return True\n")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "secret.py").write_text("secret = 1\n")
    return folder


def refused(library: Path) -> str:
    """Copy the task; return why it was refused.  Nothing is written then."""
    target = library.parent / "copy"
    with pytest.raises(UsageError) as told:
        copy_task(TaskName("leap", library), target)
    assert not target.exists()
    return str(told.value)


def test_what_is_copied_without_harm(library: Path, tmp_path: Path) -> None:
    assert copy_task(TaskName("leap", library), tmp_path / "copy").spec.is_file()


@pytest.mark.parametrize("target", ["../../secret/secret.py", "/etc/passwd", "../leap.md", "nowhere", "."])
def test_a_link_below_the_task(library: Path, target: str) -> None:
    (library / "leap" / "data.txt").symlink_to(target)
    assert "leap/data.txt is a link, and links are not followed" in refused(library)


def test_a_folder_that_is_a_link(library: Path) -> None:
    (library / "leap" / "more").symlink_to("../../secret")
    assert "leap/more is a link, and links are not followed" in refused(library)


@pytest.mark.parametrize("name", ["leap.yaml", "leap.md"])
def test_a_spec_or_a_page_that_is_a_link(library: Path, name: str) -> None:
    (library / name).rename(library.parent / "secret" / name)
    (library / name).symlink_to(f"../secret/{name}")
    assert "there is no task 'leap' in this library" in refused(library)


def test_the_folder_of_a_task_that_is_a_link(library: Path) -> None:
    (library / "leap").rename(library.parent / "secret" / "leap")
    (library / "leap").symlink_to("../secret/leap")
    copied = copy_task(TaskName("leap", library), library.parent / "copy")
    assert not copied.spec.with_suffix("").exists()


def test_a_licence_that_is_a_link_is_left_out(library: Path) -> None:
    (library / "LICENSE").symlink_to("../secret/secret.py")
    copied = copy_task(TaskName("leap", library), library.parent / "copy")
    assert "LICENSE" not in {path.name for path in copied.spec.with_suffix("").iterdir()}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("leap/reference", "../secret"),
        ("leap/reference", "leap/../../secret"),
        ("leap/reference", "../../../../../../../../etc"),
        ("leap/reference", "/etc"),
        ("leap/checkers.py", "/etc/passwd"),
        ("leap/checkers.py", "../secret/secret.py"),
        ("leap/checkers.py", "leap\\\\..\\\\..\\\\secret"),
        ("modules:", "include: ../secret/secret.py\nmodules:"),
        ("modules:", "files: {a: {from: /etc/passwd}}\nmodules:"),
    ],
)
def test_a_spec_that_names_what_lies_outside(library: Path, old: str, new: str) -> None:
    (library / "leap.yaml").write_text(SPEC.replace(old, new))
    assert "which lies outside of the library" in refused(library)


def test_a_named_file_that_is_a_link(library: Path) -> None:
    (library / "reference").symlink_to("../secret")
    (library / "leap.yaml").write_text(SPEC.replace("leap/reference", "reference"))
    assert "reference is a link, and links are not followed" in refused(library)
    (library / "reference").unlink()
    (library / "reference").mkdir()
    (library / "code.py").symlink_to("../secret/secret.py")
    (library / "leap.yaml").write_text(SPEC.replace("leap/checkers.py", "code.py"))
    with pytest.raises(UsageError, match=r"code\.py is a link, and links are not followed"):
        copy_task(TaskName("leap", library), library.parent / "other")


@pytest.mark.parametrize("name", [".", "..", "./leap/.."])
def test_a_reference_that_is_the_whole_library(library: Path, name: str) -> None:
    (library / "leap.yaml").write_text(SPEC.replace("leap/reference", name))
    told = refused(library)
    assert "a folder with more than this task" in told or "outside of the library" in told


def test_pipes_sockets_and_devices(library: Path) -> None:
    pipe = library / "leap" / "pipe"
    os.mkfifo(pipe)
    assert "leap/pipe is a pipe, not a file" in refused(library)
    pipe.unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(library / "leap" / "socket"))
        assert "leap/socket is a socket, not a file" in refused(library)
    (library / "leap" / "socket").unlink()
    if os.geteuid() == 0:
        os.mknod(library / "leap" / "device", 0o600 | 0o020000, os.makedev(1, 5))
        assert "leap/device is a device, not a file" in refused(library)


def test_a_page_that_is_a_pipe_does_not_block(library: Path) -> None:
    (library / "leap.md").unlink()
    os.mkfifo(library / "leap.md")
    assert "leap.md is a pipe, not a file" in refused(library)


@pytest.mark.parametrize("name", ["a\\b.txt", "a\nb.txt", "\x1b[2J.txt", "c:evil.txt", "\udcff.txt"])
def test_a_name_that_is_none_elsewhere(library: Path, name: str) -> None:
    (library / "leap" / name).write_text("")
    assert "has a name that is none on every system" in refused(library)


def test_more_than_a_task_can_have(library: Path) -> None:
    with (library / "leap" / "large.bin").open("wb") as file:
        file.truncate(60 * 1024**2)
    assert "is larger than 50 MiB" in refused(library)
    (library / "leap" / "large.bin").unlink()
    for number in range(3):
        with (library / "leap" / f"large-{number}.bin").open("wb") as file:
            file.truncate(20 * 1024**2)
    assert "is beyond the 50 MiB" in refused(library)


def test_more_files_than_can_be_counted(library: Path) -> None:
    for number in range(FILES_MAX + 1):
        (library / "leap" / f"{number}").touch()
    assert f"holds more than {FILES_MAX} files" in refused(library)


def test_a_program_that_a_copy_would_start_outside_of_any_sandbox(library: Path) -> None:
    (library / "leap.yaml").write_text(f"python: {library}/python\n{SPEC}")
    assert "this program would run without a sandbox" in refused(library)


def test_yaml_that_explodes_is_refused(library: Path) -> None:
    (library / "leap.yaml").write_text("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n")
    assert "leap.yaml:1:4" in refused(library)
    (library / "leap.yaml").write_text("[" * 5000)
    assert "leap.yaml:1:" in refused(library)


def test_nothing_of_it_runs(library: Path, tmp_path: Path) -> None:
    """Neither where it is copied nor where it is listed, and whatever the current folder holds."""
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\n"
    for name in (
        "conftest.py",
        "sitecustomize.py",
        "leap/checkers.py",
        "leap/reference/leap.py",
        "yaml.py",
        "grader.py",
    ):
        (library / name).write_text(code)
    (library / ".git" / "hooks").mkdir(parents=True)
    (library / ".git" / "config").write_text(f'[core]\n\tfsmonitor = "touch {ran}; false"\n')
    for arguments in (["new", "--from", "./leap", "../copy"], ["library", "list", "."]):
        done = grader(*arguments, cwd=library, fresh=True)
        assert done.returncode == 0, done.stderr
    assert not ran.exists()
    assert not any(path.name == ".git" for path in (tmp_path / "copy").rglob("*"))


def test_its_words_are_no_commands_of_a_terminal(library: Path) -> None:
    page = library / "leap.md"
    page.write_text(
        page.read_text().replace("# Leap", "# Le\x1b[2Jap\u202e").replace("MIT", "M\x1b]0;x\x07IT")
    )
    done = grader("library", "list", ".", cwd=library)
    assert done.returncode == 0
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)
    os.chmod(library / "leap.yaml", 0)
    if os.geteuid() != 0:
        assert "can't be read" in only_error(grader("new", "--from", "./leap", "copy", cwd=library))


def test_a_copy_is_no_program_and_keeps_out_what_was_put_in_its_way(library: Path, tmp_path: Path) -> None:
    (library / "leap" / "checkers.py").chmod(0o6777)
    copied = copy_task(TaskName("leap", library), tmp_path / "copy")
    assert not (copied.spec.with_suffix("") / "checkers.py").stat().st_mode & 0o6111
    # A link at the place of a file is there already, even if it leads to the same text.
    other = tmp_path / "other" / "specs" / "leap"
    other.mkdir(parents=True)
    (other / "checkers.py").symlink_to(library / "leap" / "checkers.py")
    with pytest.raises(UsageError, match="this is there already"):
        copy_task(TaskName("leap", library), tmp_path / "other")

"""The file that an image is made from.  None is made here; `docs/containers.md` says by what one was."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from support.command_line import run
from support.release_script import release

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text("utf-8")


def copied() -> list[str]:
    """Return the files and folders that are copied into the image from this tree."""
    return [
        name for words in re.findall(r"^COPY (?!--)(.+) \S+$", TEXT, re.MULTILINE) for name in words.split()
    ]


def test_it_is_let_see_what_it_copies_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert next(line for line in lines if not line.startswith("#")) == "*"
    assert sorted(line[1:] for line in lines if line.startswith("!")) == sorted(copied())


@pytest.mark.acceptance
def test_the_wheel_is_built_from_what_it_copies(tmp_path: Path) -> None:
    """A file that the build needs and that is not copied is missed here, and not first in an image."""
    source = tmp_path / "source"
    source.mkdir()
    for name in copied():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / name, source / name)
    (said,) = re.findall(r"^RUN pip (wheel .*) /wheels \.$", TEXT, re.MULTILINE)
    command = [
        sys.executable,
        "-m",
        "pip",
        *said.split(),
        str(tmp_path / "wheels"),
        "--no-build-isolation",
        ".",
    ]
    done = run(command, cwd=source)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    done = run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path / "whole", ROOT])
    assert done.returncode == 0, done.stderr
    assert wheel.read_bytes() == (tmp_path / "whole" / wheel.name).read_bytes()


def test_its_extras_and_its_python_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (extras,) = re.findall(r'^ARG EXTRAS="(.*)"$', TEXT, re.MULTILINE)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    versions = set(re.findall(r"^FROM docker\.io/library/python:(3\.\d+)-", TEXT, re.MULTILINE))
    assert len(versions) == 1
    assert versions <= set(release.wanted_pythons(ROOT))


def test_its_user_is_not_root() -> None:
    assert re.findall(r"^USER (.*)$", TEXT, re.MULTILINE) == ["1000"]

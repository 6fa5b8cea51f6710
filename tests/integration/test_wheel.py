"""The package as it is installed elsewhere: what it needs is in the wheel, and nothing of the checkout."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, environment, results

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with a wheel of this checkout, installed by pip, and the packages of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    done([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(ROOT)])
    (wheel,) = folder.glob("grader_harness-*.whl")
    home = folder / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    python = str(home / "bin" / "python")
    done([sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", str(wheel)])
    # A path alone: the file that adds the checkout in a developer's environment does not count here.
    (packages_of(home) / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return home


def packages_of(home: Path) -> Path:
    return next((home / "lib").glob("python*")) / "site-packages"


def done(command: list[str], cwd: Path | None = None) -> str:
    run = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_it_holds_what_the_checkout_holds_of_the_package(installed: Path) -> None:
    def files(package: Path) -> set[str]:
        found = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
        return {name for name in found if "__pycache__" not in name}

    packed = {"authoring/library/tasks.tar.gz"}
    assert files(packages_of(installed) / "grader") == files(ROOT / "grader") | packed


def test_its_commands_and_its_plugin_are_there(installed: Path, tmp_path: Path) -> None:
    python = str(installed / "bin" / "python")
    assert done([str(installed / "bin" / "grader"), "--version"], tmp_path).startswith("grader")
    where = done([python, "-c", "import grader; print(grader.__file__)"], tmp_path)
    assert Path(where.strip()).is_relative_to(installed)
    assert "--submission=PATH" in done([python, "-m", "pytest", "--help"], tmp_path)


def test_it_marks_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    command = str(installed / "bin" / "grader")
    done([command, "mark", str(SPEC), str(BATCH / "student-01"), "-o", "out"], tmp_path)
    assert [one["mark"] for one in results(tmp_path / "out")["submissions"]] == ["6"]
    assert (tmp_path / "out" / "index.html").exists()


def test_its_library_is_that_of_the_checkout(installed: Path, tmp_path: Path) -> None:
    """A task is copied without the checkout, and without a network."""
    command = str(installed / "bin" / "grader")
    own = [sys.executable, "-m", "grader", "library"]
    assert done([command, "library"], tmp_path) == done(own, tmp_path)
    copies = []
    for copying, folder in ((command, "one"), (str(Path(sys.executable).with_name("grader")), "other")):
        done([copying, "new", "--from", "shogun-resit", folder], tmp_path)
        copy = tmp_path / folder
        copies.append(
            {path.relative_to(copy): path.read_bytes() for path in copy.rglob("*") if path.is_file()}
        )
    assert copies[0] == copies[1]


def test_it_and_a_handout_are_all_that_a_student_needs(installed: Path, tmp_path: Path) -> None:
    command = str(installed / "bin" / "grader")
    done([command, "bundle", str(SPEC), "-o", str(tmp_path / "handout"), "--with-checkers"], tmp_path)
    for file in (BATCH / "student-01").glob("*.py"):
        (tmp_path / "handout" / file.name).write_bytes(file.read_bytes())
    assert done([command, "check"], tmp_path / "handout").splitlines()[-2:] == [
        "Accepted: 7 of 7 cases",
        "These are the public cases only; marking has others too.",
    ]

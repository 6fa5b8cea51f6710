"""The package as it is installed elsewhere: what it needs is in the wheel, and nothing of the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, environment, results

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a wheel of this checkout was unpacked into."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("grader-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "packages")
    return folder / "packages"


def test_it_holds_what_the_checkout_holds_of_the_package(installed: Path) -> None:
    def files(package: Path) -> set[str]:
        found = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
        return {name for name in found if "__pycache__" not in name}

    assert files(installed / "grader") == files(ROOT / "grader")


def test_it_marks_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    env = environment(PYTHONPATH=str(installed))
    where = [sys.executable, "-c", "import grader; print(grader.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(installed)
    command = [sys.executable, "-m", "grader", "mark", str(SPEC), str(BATCH / "student-01"), "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [one["mark"] for one in results(tmp_path / "out")["submissions"]] == ["6"]
    assert (tmp_path / "out" / "index.html").exists()


def test_it_and_a_handout_are_all_that_a_student_needs(installed: Path, tmp_path: Path) -> None:
    def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "grader", *map(str, arguments)]
        env = environment(PYTHONPATH=str(installed), HOME=str(tmp_path))
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)

    made = run("bundle", SPEC, "-o", tmp_path / "handout", "--with-checkers", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    for file in (BATCH / "student-01").glob("*.py"):
        (tmp_path / "handout" / file.name).write_bytes(file.read_bytes())
    done = run("check", cwd=tmp_path / "handout")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-2:] == [
        "Accepted: 7 of 7 cases",
        "These are the public cases only; marking has others too.",
    ]

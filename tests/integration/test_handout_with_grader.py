"""`grader bundle --with-grader`: a handout from which a student checks where there is no network."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, environment, grader, results, run
from support.release_script import release

from grader import __version__
from grader.authoring.bundle.build import make_bundle, write_bundle, zipped

ROOT = Path(__file__).parents[2]
NO_NETWORK = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}

TASK = """\
task: sums
title: Sums
marks: 6
reference: reference
modules: {sums: sums.py}
questions:
  - id: "1"
    title: total
    marks: 4
    award: each
    cases:
      - {call: "total([1, 2])", returns: 3}
      - {call: "total([])", returns: same as reference}
      - {call: "total([-1])", returns: -1}
      - {call: total(None), raises: TypeError}
  - id: "2"
    title: program
    marks: 2
    cases:
      - {program: sums, stdin: "3 4\\n", stdout: same as reference}
"""
REFERENCE = """\
def total(numbers):
    return sum(numbers)


if __name__ == "__main__":
    print(total(map(int, input().split())))
"""
WORKS = {
    "right": REFERENCE,
    "partly": REFERENCE.replace("return sum(numbers)", "return sum(numbers) if numbers else None"),
    "wrong": "def total(numbers):\n    return 3\n",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    (folder / "reference").mkdir()
    (folder / "reference" / "sums.py").write_text(REFERENCE)
    (folder / "sums.yaml").write_text(TASK)
    for student, text in WORKS.items():
        (folder / "works" / student).mkdir(parents=True)
        (folder / "works" / student / "sums.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def handout(course: Path) -> Path:
    done = grader("bundle", course / "sums.yaml", "-o", course / "handout", "--with-grader")
    assert done.returncode == 0, done.stderr
    assert f"it carries grader-harness {__version__}+check, click " in done.stderr
    return course / "handout"


def lines_of_page(handout: Path) -> list[list[str]]:
    """Return the commands that the page of a handout says, in words."""
    found = re.findall(r"^    (python .*)$", (handout / "README.md").read_text(), re.MULTILINE)
    return [line.split() for line in found]


@pytest.mark.parametrize("version", [*release.wanted_pythons(ROOT), "3.14"])
def test_the_lines_of_its_page_give_the_marks_of_marking(
    course: Path, handout: Path, tmp_path: Path, version: str
) -> None:
    """In a fresh environment, with nothing but pip in it."""
    home, found = tmp_path / "environment", release.pythons([version])
    if not found:
        pytest.skip(f"Python {version} is not installed")
    subprocess.run([found[version], "-m", "venv", home], check=True)
    install, check = lines_of_page(handout)
    work = tmp_path / "sums"
    shutil.copytree(handout, work)

    def said(line: list[str], *more: str) -> str:
        done = run([home / "bin" / line[0], *line[1:], *more], cwd=work, env=environment(**NO_NETWORK))
        assert done.returncode in ((0, 1) if line is check else (0,)), done.stdout + done.stderr
        return done.stdout

    said(install)
    done = grader("mark", course / "sums.yaml", course / "works", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    marks = {one["id"]: one["mark"] for one in results(tmp_path / "out")["submissions"]}
    checked = {}
    for student, text in WORKS.items():
        (work / "sums.py").write_text(text)
        checked[student] = json.loads(said(check, "--json"))["submission"]["mark"]
    assert checked == marks == {"right": "6", "partly": "4", "wrong": "1"}
    # What it is not for is told, without a traceback.
    for arguments in (["mark", "sums.yaml", "."], ["report", str(tmp_path / "out")]):
        other = run([home / "bin" / "grader", *arguments], cwd=work)
        assert other.returncode == 2
        assert re.fullmatch(
            r"error: this needs \w+, which is not installed\nhint: pip install .*\n", other.stderr
        )


def test_it_has_all_that_pip_needs_and_is_small(handout: Path) -> None:
    listed = (handout / "wheels" / "requirements.txt").read_text()
    files = {path.name: path.read_bytes() for path in (handout / "wheels").glob("*.whl")}
    assert sorted(name.partition("-")[0] for name in files) == ["click", "grader_harness", "pyyaml"]
    assert all(name.endswith("-py3-none-any.whl") for name in files)
    assert sum(map(len, files.values())) < 2 * 1024**2
    assert listed.splitlines()[1:3] == ["--no-index", "--find-links ."]
    assert len(re.findall(r"^\S+==\S+ --hash=sha256:[0-9a-f]{64}$", listed, re.MULTILINE)) == len(files)


def test_without_the_option_a_handout_has_no_byte_of_it(course: Path) -> None:
    plain, carrying = (make_bundle(course / "sums.yaml", with_grader=each) for each in (False, True))
    assert sorted(plain.files) == ["README.md", "sums.yaml"]
    assert sorted(set(carrying.files) - set(plain.files))[-1] == "wheels/requirements.txt"
    assert plain.files["sums.yaml"] == carrying.files["sums.yaml"]
    assert zipped(carrying) == zipped(make_bundle(course / "sums.yaml", with_grader=True))


def test_what_it_lacks_stands_on_its_page_and_is_told(tmp_path: Path) -> None:
    text = TASK.replace("modules:", "packages: [yaml]\nmodules:").replace("reference: reference\n", "")
    text = text.replace("same as reference", '"7\\n"').replace('returns: "7\\n"', "returns: 0")
    text += "rules:\n  - linter: {select: F}\n"
    (tmp_path / "sums.yaml").write_text(text)
    done = grader("bundle", "sums.yaml", "-o", "out", "--with-grader", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "note: it does not carry ruff, yaml, which a check needs too" in done.stderr
    assert "A check also needs `ruff`, `yaml`" in (tmp_path / "out" / "README.md").read_text()


@pytest.fixture(scope="module")
def installed(handout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheels of a handout."""
    home = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet"]
    done = run(
        [*pip, "--no-deps", "-r", handout / "wheels" / "requirements.txt"], env=environment(**NO_NETWORK)
    )
    assert done.returncode == 0, done.stderr
    return home


def test_a_handout_can_be_made_where_one_was_installed(
    course: Path, handout: Path, installed: Path, tmp_path: Path
) -> None:
    """From an editable installation and from its wheel come the same bytes."""
    command: list[str | Path] = [
        installed / "bin" / "python",
        "-m",
        "grader",
        "bundle",
        handout / "sums.yaml",
    ]
    done = run([*command, "-o", tmp_path / "again", "--with-grader"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, again = (
        {path.name: path.read_bytes() for path in (folder / "wheels").iterdir()}
        for folder in (handout, tmp_path / "again")
    )
    assert first == again


def test_changed_and_foreign_installations_are_refused(
    handout: Path, installed: Path, tmp_path: Path
) -> None:
    packages = tmp_path / "packages"
    shutil.copytree(next((installed / "lib").glob("python*")) / "site-packages", packages)

    def told(folder: Path) -> str:
        command: list[str | Path] = [
            installed / "bin" / "python",
            "-m",
            "grader",
            "bundle",
            handout / "sums.yaml",
        ]
        changes = environment(PYTHONPATH=str(folder))
        done = run([*command, "-o", tmp_path / "out", "--with-grader"], cwd=tmp_path, env=changes)
        assert done.returncode == 2, done.stdout + done.stderr
        assert not (tmp_path / "out").exists()
        return done.stderr

    assert "the grader that runs here is not the grader-harness that pip installed" in told(ROOT)
    with (packages / "click" / "utils.py").open("a") as file:
        file.write("# mended here\n")
    assert "click/utils.py: this file of click is not the one that was installed" in told(packages)
    # As where a system's own packages are: without a list of their files.
    (next(packages.glob("click-*.dist-info")) / "RECORD").unlink()
    assert "click was not installed by pip here, so its wheel cannot be made" in told(packages)


def test_its_wheel_is_the_one_that_a_build_makes_without_the_library(tmp_path: Path) -> None:
    """Students get no reference and no hidden case of a task that their course may have taken from it."""
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "-o",
        tmp_path,
        ROOT,
    ]
    done = run(command)
    assert done.returncode == 0, done.stderr
    (built,) = tmp_path.glob("*.whl")
    # Installed anew: the metadata of an editable installation can be older than the tree.
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    done = run([*pip, "--target", tmp_path / "packages", built])
    assert done.returncode == 0, done.stderr
    code = (
        "from grader.authoring.bundle.wheel import OWN, wheel_of\n"
        "made = wheel_of(OWN)\n"
        "open(made.name, 'xb').write(made.content)\n"
    )
    (tmp_path / "made").mkdir()
    changes = environment(PYTHONPATH=str(tmp_path / "packages"))
    done = run([sys.executable, "-c", code], cwd=tmp_path / "made", env=changes)
    assert done.returncode == 0, done.stderr
    (made,) = (tmp_path / "made").iterdir()
    assert made.name == built.name.replace(__version__, f"{__version__}+check")
    contents = []
    for path in (built, made):
        with zipfile.ZipFile(path) as archive:
            contents.append(
                {name: archive.read(name) for name in archive.namelist() if "dist-info" not in name}
            )
    del contents[0]["grader/authoring/library/tasks.tar.gz"]
    for name in ("review.js", "review_queue.js", "review.css"):
        del contents[0][f"grader/reports/html/templates/{name}"]
    rest = {name: text for name, text in contents[0].items() if "/plugins/convert/" not in name}
    assert len(rest) < len(contents[0])
    assert rest == contents[1]


def test_a_work_that_comes_in_with_the_folder_is_marked_as_without(tmp_path: Path) -> None:
    write_bundle(make_bundle(SPEC, with_checkers=True, with_grader=True), tmp_path / "words")
    (tmp_path / "words" / "words.py").write_bytes((BATCH / "student-01" / "words.py").read_bytes())
    done = grader("mark", SPEC, tmp_path / "words", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert [one["mark"] for one in results(tmp_path / "out")["submissions"]] == ["6"]

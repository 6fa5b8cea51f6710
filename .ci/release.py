"""Makes the files of a release: checks that they may be made, builds them twice, tries them with each Python.

    make rehearsal          # before the changelog has a date, with the Pythons that are here
    make release TAG=v0.1.0 # what that tag does on GitHub too, but for the upload

What is built is the last commit, exported; nothing else in the folder counts.  Nothing is uploaded.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EPOCH = "1580601600"
"""The date of all files in a release, 2020-02-02: hatchling's own.  So bytes depend on no clock, and
`grader bundle --with-grader` can make the wheel again from an installation, which keeps no dates."""
MOST_B = 3 * 1024**2
"""The most bytes of a wheel, since handouts carry it."""
SAMPLE, MARKS = "tests/data/mini", ("6", "1.5", "4", "5", "4.5", "5", "0", "0")
"""A task with a batch, and the marks of the batch."""
MACHINES: tuple[Mapping[str, str], ...] = (
    {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1", "umask": "022"},
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "77", "umask": "077"},
)
"""What differs between the two builds, beside folders and dates of files."""


class Problem(Exception):
    """The release can't be made; its text is for people."""


def version_of(tree: Path) -> str:
    """Return the version of a tree, from the one place where it stands."""
    found = re.search(r'^__version__ = "([^"]+)"$', (tree / "grader/__init__.py").read_text("utf-8"), re.M)
    if found is None:
        raise Problem('grader/__init__.py: there is no line `__version__ = "…"`')
    return found[1]


def heading_problem(changelog: str, version: str, rehearse: bool = False) -> str:
    """Return what is wrong with the changelog's first section; empty for nothing."""
    first = next((line for line in changelog.splitlines() if line.startswith("## ")), "")
    found = re.fullmatch(r"## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)", first)
    if found is None or found[1] != version:
        return f"CHANGELOG.md: the first section is {first!r}, expected `## {version} (DATE)`"
    if found[2] == "unreleased" and not rehearse:
        return f"CHANGELOG.md: {version} is unreleased; write the date, as in `## {version} (2027-01-31)`"
    return ""


def problems(tree: Path, tag: str = "", rehearse: bool = False) -> Iterator[str]:
    """Yield why the release of a checkout may not be made."""
    version = version_of(tree)
    if found := heading_problem((tree / "CHANGELOG.md").read_text("utf-8"), version, rehearse):
        yield found
    if tag and tag != f"v{version}":
        yield f"the tag is {tag}, and grader/__init__.py says {version}; expected v{version}"
    if not rehearse and _said(["git", "status", "--porcelain"], tree).strip():
        yield "git status: there are changes that are in no commit, and a release is made of the last commit"


def wanted_pythons(tree: Path) -> list[str]:
    """Return the versions of Python that the project says it is for."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    named = (
        re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in project["classifiers"]
    )
    return [found[1] for found in named if found]


def pythons(versions: Sequence[str]) -> dict[str, str]:
    """Return an interpreter for each version that is here: this one, one on the path, or one of pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = {}
    for version in versions:
        names = [sys.executable, shutil.which(f"python{version}")]
        names += map(str, sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True))
        if fit := next((name for name in names if name and _is(name, version)), None):
            found[version] = fit
    return found


def _is(python: str, version: str) -> bool:
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def built_twice(tree: Path, work: Path) -> tuple[Path, Path]:
    """Return the wheel and the sdist of the last commit.  Raises `Problem` if two builds give other bytes.

    The first builds the wheel from the sdist, the second from the tree.
    """
    built: list[dict[str, Path]] = []
    for number, (machine, kinds) in enumerate(zip(MACHINES, ((), ("--sdist", "--wheel")), strict=True)):
        source, out = work / f"source-{'x' * number}{number}", work / f"built-{number}"
        source.mkdir()
        archive = _run(["git", "archive", "HEAD"], tree)
        # The second machine's files have the date of their export.
        unpacking = ["tar", "-x", *(["-m"] if number else [])]
        subprocess.run(unpacking, input=archive, cwd=source, check=True, umask=int(machine["umask"], 8))
        changes = {"SOURCE_DATE_EPOCH": EPOCH, **{name: machine[name] for name in machine if name != "umask"}}
        command = [sys.executable, "-m", "build", "--no-isolation", *kinds, "-o", str(out)]
        _run(command, source, changes, int(machine["umask"], 8))
        built.append({path.name: path for path in out.iterdir()})
    first, second = built
    if sorted(first) != sorted(second):
        raise Problem(f"two builds give {sorted(first)} and {sorted(second)}")
    for name, path in first.items():
        if path.read_bytes() != second[name].read_bytes():
            raise Problem(f"{name}: two builds differ: compare {path} and {second[name]}")
    (wheel,), (sdist,) = (
        [first[name] for name in first if name.endswith(end)] for end in (".whl", ".tar.gz")
    )
    return wheel, sdist


def wheel_problem(wheel: Path) -> str:
    """Return what is wrong with a wheel; empty for nothing."""
    if (size := wheel.stat().st_size) >= MOST_B:
        return f"{wheel.name} has {size:,} bytes; handouts carry most of it: it has to stay below {MOST_B:,}"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    info = "-".join(wheel.name.split("-")[:2]) + ".dist-info/"
    odd = [name for name in names if not name.startswith(("grader/", info)) or name.endswith((".pyc", ".so"))]
    return f"{wheel.name} has files that are not of the package: {', '.join(odd[:5])}" if odd else ""


def tried(python: str, wheel: Path, sample: Path, folder: Path) -> None:
    """Install a wheel into a fresh environment and mark a sample.  Raises `Problem` at any other result."""
    home = folder / "environment"
    _run([python, "-m", "venv", str(home)], folder)
    _run([str(home / "bin/python"), "-m", "pip", "install", "--quiet", str(wheel)], folder)
    command = str(home / "bin/grader")
    told, version = _said([command, "--version"], folder).split()[-1], wheel.name.split("-")[1]
    if told != version:
        raise Problem(f"{command} says that it is {told}, expected {version}")
    marking = ["mark", str(sample / "words.yaml"), str(sample / "submissions"), "-o", "out"]
    _run([command, *marking, "--require", "posix"], folder)
    results = json.loads((folder / "out/results.json").read_bytes())
    marks = tuple(one["mark"] for one in results["submissions"])
    if marks != MARKS:
        raise Problem(f"the marks of {SAMPLE} are {marks}, expected {MARKS}")


def _said(command: Sequence[str], folder: Path) -> str:
    return _run(command, folder).decode()


def _run(
    command: Sequence[str], folder: Path, changes: Mapping[str, str] | None = None, umask: int = -1
) -> bytes:
    """Return what a command prints.  Raises `Problem`."""
    environment = {**os.environ, **(changes or {})}
    environment.pop("PYTHONPATH", None)
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=False, umask=umask
        )
    except OSError as error:
        raise Problem(f"{command[0]} does not start: {error.strerror}") from None
    if done.returncode != 0:
        told = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise Problem(f"this failed: {' '.join(command)}\n{told[-3000:]}")
    return done.stdout


def released(tree: Path, out: Path, tag: str, rehearse: bool) -> None:
    """Make the files of a release.  Raises `Problem`."""
    if found := list(problems(tree, tag, rehearse)):
        raise Problem("\n".join(found))
    wanted = wanted_pythons(tree)
    here = pythons([*wanted, *(later for later in ("3.14",) if later not in wanted)])
    if missing := [version for version in wanted if version not in here]:
        told = f"not here, and so not tried: Python {', '.join(missing)}"
        if not rehearse:
            raise Problem(f"{told}\nhint: install it, or see --rehearse")
        print(told)
    with tempfile.TemporaryDirectory(prefix="grader-release-") as folder:
        work = Path(folder)
        wheel, sdist = built_twice(tree, work)
        if odd := wheel_problem(wheel):
            raise Problem(odd)
        print("two builds gave equal bytes")
        for version, python in here.items():
            place = work / f"python-{version}"
            place.mkdir()
            tried(python, wheel, work / "source-0" / SAMPLE, place)
            print(f"Python {version}: a fresh environment marks as expected")
        out.mkdir(exist_ok=True)
        for made in (wheel, sdist):
            temporary = out / f".{made.name}.part"
            shutil.copyfile(made, temporary)
            temporary.replace(out / made.name)
            print(f"{hashlib.sha256(made.read_bytes()).hexdigest()}  {out.name}/{made.name}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the files of a release from the last commit.")
    parser.add_argument("--tag", default="", help="the tag of the release, to be compared with the version")
    parser.add_argument("--rehearse", action="store_true", help="allow what only a release needs")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args()
    try:
        released(ROOT, options.output, options.tag, options.rehearse)
    except Problem as problem:
        print("\n".join(f"error: {line}" for line in str(problem).splitlines()), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Plugins for tests: the example as a wheel in an environment of its own, and small ones in a folder."""

import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from support.command_line import Done, environment, run

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "data" / "plugin"
TASK = EXAMPLE / "task"


def done(command: Sequence[str | Path]) -> None:
    ended = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def fresh_environment(folder: Path) -> Path:
    """Make an environment with the wheels of this checkout and of the example plugin; return its Python."""
    for project in (ROOT, EXAMPLE):
        done([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, project])
    home = folder / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-deps",
        "--no-index",
    ]
    wheels: list[str | Path] = [*folder.glob("*.whl")]
    done([*install, *wheels])
    # What the grader needs comes from here; the file that adds the checkout does not count there.
    packages = next((home / "lib").glob("python*")) / "site-packages"
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return python


def small_plugin(
    folder: Path,
    modules: Mapping[str, str],
    brings: Mapping[str, str],
    *,
    name: str = "odd-plugin",
    version: str = "1.0",
    package: str = "odd",
    api: str = "1.0",
) -> Path:
    """Lay out an installed plugin in a folder that `PYTHONPATH` can name; return the folder.

    modules: texts of the package's modules, by name.
    brings: `module:object` of each entry point, by its group without `grader.` and its name: `kinds/stable`.
    """
    home = folder / package
    home.mkdir(parents=True, exist_ok=True)
    for module, text in {"__init__": "", **modules}.items():
        (home / f"{module}.py").write_text(text)
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [f"[grader.api]\n{api} = {package}"] if api else []
    for place, value in brings.items():
        group, _, entry = place.partition("/")
        lines.append(f"[grader.{group}]\n{entry} = {value}")
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


def grader_with(folder: Path, *arguments: str | Path, cwd: Path | None = None, **changes: str) -> Done:
    """Run `grader` with the plugins that lie in a folder."""
    command = [sys.executable, "-m", "grader", *arguments]
    return run(command, cwd=cwd, env=environment(PYTHONPATH=str(folder), **changes))

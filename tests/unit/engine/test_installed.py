"""Which packages submissions meet, and what counts as a change of them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.trees import MakeTree

from grader.engine.cache.installed import releases, stamps, stamps_of_python
from grader.sandbox.interpreter import Interpreter


def metadata(name: str, version: str, *needs: str) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    return "\n".join([*lines, *(f"Requires-Dist: {need}" for need in needs), ""])


@pytest.fixture
def folder(make_folder: MakeTree) -> Path:
    """Packages: shapes, of the distribution PyShapes, needs points, which needs nothing; other is apart."""
    return make_folder(
        "packages",
        {
            "shapes/__init__.py": "from points import V\n",
            "points.py": "V = 1\n",
            "PyShapes-1.0.dist-info/METADATA": metadata(
                "PyShapes", "1.0", "Points>=1", "absent; sys_platform == 'win32'", "other; extra == 'more'"
            ),
            "PyShapes-1.0.dist-info/RECORD": "shapes/__init__.py,,\nPyShapes-1.0.dist-info/METADATA,,\n",
            "points-2.0.dist-info/METADATA": metadata("points", "2.0"),
            "points-2.0.dist-info/RECORD": "points.py,,\n",
            "other-3.0.dist-info/METADATA": metadata("other", "3.0"),
        },
    )


def interpreter(folder: Path) -> Interpreter:
    return Interpreter("python", "3.11.7", (), (str(folder), str(folder / "absent")), ())


def test_releases_are_those_of_what_is_imported_and_of_what_that_needs(folder: Path) -> None:
    assert releases(["shapes"], interpreter(folder)) == ["points 2.0", "pyshapes 1.0"]
    assert releases(["points"], interpreter(folder)) == ["points 2.0"]
    assert releases(["nowhere"], interpreter(folder)) == []
    assert releases([], interpreter(folder)) == []


def upgrade_what_it_needs(folder: Path) -> None:
    (folder / "points-2.0.dist-info").rename(folder / "points-2.1.dist-info")


def upgrade_it(folder: Path) -> None:
    (folder / "PyShapes-1.0.dist-info").rename(folder / "PyShapes-2.0.dist-info")


def install_it_again(folder: Path) -> None:
    os.utime(folder / "PyShapes-1.0.dist-info" / "RECORD", ns=(1, 1))


def edit_a_file(folder: Path) -> None:
    (folder / "shapes" / "__init__.py").write_text("V = 2\n")


def add_a_module(folder: Path) -> None:
    (folder / "shapes" / "more.py").write_text("")


@pytest.mark.parametrize(
    "change", [upgrade_what_it_needs, upgrade_it, install_it_again, edit_a_file, add_a_module]
)
def test_every_change_is_noticed(folder: Path, change: Callable[[Path], None]) -> None:
    before = stamps(["shapes"], interpreter(folder))
    change(folder)
    assert stamps(["shapes"], interpreter(folder)) != before


def test_what_python_compiled_is_no_change(folder: Path) -> None:
    before = stamps(["shapes"], interpreter(folder))
    (folder / "shapes" / "__pycache__").mkdir()
    (folder / "shapes" / "__pycache__" / "more.cpython-311.pyc").write_bytes(b"")
    assert stamps(["shapes"], interpreter(folder)) == before


def test_where_nothing_may_be_imported_nothing_counts(folder: Path) -> None:
    assert stamps([], interpreter(folder)) == []


def test_a_python_that_is_replaced_by_one_of_the_same_version_is_another_one(make_folder: MakeTree) -> None:
    folder = make_folder(
        "python", {"bin/python3.11": "program", "lib/statistics.py": "", "lib/json/a.py": ""}
    )
    program, library = folder / "bin" / "python3.11", folder / "lib"
    python = Interpreter(str(program), "3.11.7", (), (), (), str(program), (str(library),))
    seen = [stamps_of_python(python)]
    (library / "statistics.py").write_text("# mended\n")
    seen.append(stamps_of_python(python))
    program.write_text("another program")
    seen.append(stamps_of_python(python))
    assert len(set(map(tuple, seen))) == 3
    (library / "json" / "__pycache__").mkdir()
    assert stamps_of_python(python) == seen[-1]

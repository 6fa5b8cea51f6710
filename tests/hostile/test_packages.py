"""What else is installed beside the packages of a task decides no mark: boxes do not find it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.sieges import DRIVERS, LIMITS, MEMORY_B, Arena, job, raised, value
from support.trees import MakeTree

from grader.sandbox.box import Box, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import Interpreter, find_interpreter
from grader.sandbox.portable.zygote import PortableZygote
from grader.sandbox.zygote import Zygote
from grader.worker.walls import syscalls

WAYS = (*DRIVERS, Driver.POSIX, Driver.PORTABLE)


def metadata(name: str, *needs: str) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    return "\n".join([*lines, *(f"Requires-Dist: {need}" for need in needs), ""])


FILES = {
    # shapes needs points; other, and alone.py without any record, are merely there.
    "shapes/__init__.py": "from points import V\n",
    "shapes/late.py": "import points.more\nW = points.more.W\n",
    "points/__init__.py": "V = 1\n",
    "points/more.py": "W = 2\n",
    "other/__init__.py": "X = 3\n",
    "alone.py": "Y = 4\n",
    "PyShapes-1.0.dist-info/METADATA": metadata("PyShapes", "points>=1", "other; extra == 'more'"),
    "PyShapes-1.0.dist-info/RECORD": "shapes/a.py,,\nPyShapes-1.0.dist-info/METADATA,,\n../../bin/a,,\n",
    "points-1.0.dist-info/METADATA": metadata("points"),
    "points-1.0.dist-info/RECORD": "points/__init__.py,,\npoints-1.0.dist-info/METADATA,,\n",
    "other-1.0.dist-info/METADATA": metadata("other"),
    "other-1.0.dist-info/RECORD": "other/__init__.py,,\n",
}


@pytest.fixture(params=["apart", "below what boxes read"])
def interpreter(request: pytest.FixtureRequest, make_folder: MakeTree) -> Interpreter:
    """Our own, with a folder of packages of the test's, and one that is not there."""
    folder = make_folder("python", {f"packages/{name}": text for name, text in FILES.items()})
    found = find_interpreter("")
    readable = (*found.readable, str(folder)) if request.param != "apart" else found.readable
    folders = (str(folder / "packages"), str(folder / "absent"))
    hidden = (*found.hidden, *found.packages)
    return replace(found, readable=readable, packages=folders, hidden=hidden)


@contextmanager
def arena(driver: Driver, interpreter: Interpreter, *preloaded: str) -> Iterator[Arena]:
    if driver in DRIVERS and not syscalls.SUPPORTED:
        pytest.skip("there are no tables of system calls for this architecture")
    if driver is Driver.PORTABLE:
        with PortableZygote(interpreter, preloaded) as zygote:
            yield Arena(driver, "snapshot", zygote)
    else:
        with Zygote(driver, interpreter, preloaded) as zygote:
            yield Arena(driver, "snapshot", zygote)


IMPORTS = """
def named():
    import shapes, points
    from shapes.late import W
    return [shapes.V, points.V, W]

def other():
    import other

def alone():
    import alone
"""


@pytest.mark.parametrize("driver", WAYS)
def test_what_is_named_and_what_that_needs_is_found(driver: Driver, interpreter: Interpreter) -> None:
    with arena(driver, interpreter, "shapes") as place:
        siege = place.besiege(IMPORTS, job("named"), job("other"), job("alone"))
    assert value(siege.outcomes[0]) == [1, 1, 2]
    assert [raised(outcome) for outcome in siege.outcomes[1:]] == ["ModuleNotFoundError"] * 2


@pytest.mark.parametrize("driver", WAYS)
def test_modules_of_the_library_open_no_packages(driver: Driver, interpreter: Interpreter) -> None:
    # A task with types of its own has `dataclasses` imported once for all.
    with arena(driver, interpreter, "dataclasses") as place:
        siege = place.besiege(IMPORTS, job("named"), job("other"), job("alone"))
    assert [raised(outcome) for outcome in siege.outcomes] == ["ModuleNotFoundError"] * 3


@pytest.mark.parametrize("driver", WAYS)
def test_a_students_module_is_found_though_a_package_has_its_name(
    driver: Driver, interpreter: Interpreter
) -> None:
    text = {"work": "import other\n\ndef own():\n    return other.X\n", "other": "X = 'mine'\n"}
    with (
        arena(driver, interpreter, "shapes") as place,
        Box(place.zygote, Program("work", text), MEMORY_B, LIMITS, LIMITS.time_s, purse=UNBILLED) as box,
    ):
        box.load()
        (outcome,) = box.run([job("own")])
    assert value(outcome) == "mine"


DETOURS = """
import os, sys
from importlib import invalidate_caches
from importlib.machinery import FileFinder, SourceFileLoader

folder = [path for path in sys.path if path.endswith("/packages")][0]

def listed():
    return sorted(os.listdir(folder))

def finder():
    return FileFinder(folder, (SourceFileLoader, [".py"])).find_spec("alone") is None

def cache():
    sys.path_importer_cache.clear()
    invalidate_caches()
    import other

def read():
    open(folder + "/alone.py")
"""


def test_detours_find_nothing_in_a_root_of_its_own(interpreter: Interpreter) -> None:
    with arena(Driver.NAMESPACES, interpreter, "shapes") as place:
        siege = place.besiege(DETOURS, job("listed"), job("finder"), job("cache"), job("read"))
    assert value(siege.outcomes[0]) == sorted(
        ["PyShapes-1.0.dist-info", "points", "points-1.0.dist-info", "shapes"]
    )
    assert value(siege.outcomes[1]) is True
    assert [raised(outcome) for outcome in siege.outcomes[2:]] == ["ModuleNotFoundError", "FileNotFoundError"]


def test_programs_of_the_instructors_find_all(interpreter: Interpreter) -> None:
    with Zygote(Driver.NAMESPACES, interpreter, all_packages=True) as zygote:
        place = Arena(Driver.NAMESPACES, "snapshot", zygote)
        assert value(place.besiege(IMPORTS + "    return alone.Y\n", job("alone")).outcome) == 4


def test_a_package_without_a_record_is_found_by_its_name(interpreter: Interpreter) -> None:
    assert Path(interpreter.packages[0], "alone.py").is_file()
    with arena(Driver.NAMESPACES, interpreter, "alone") as place:
        siege = place.besiege(IMPORTS + "    return alone.Y\n", job("alone"), job("other"))
    assert value(siege.outcomes[0]) == 4
    assert raised(siege.outcomes[1]) == "ModuleNotFoundError"

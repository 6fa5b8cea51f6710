"""The bounds of the tree: modules, folders, floors and circles.  `docs/design/size.md` gives the reasons."""

import ast
import importlib.util
import statistics
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 87_000
LONGEST = 400
LONGER = {
    "grader/model/results.py": 620,
    "grader/model/case.py": 600,
    "grader/worker/box/calls.py": 500,
}
"""Modules that hold a family of declarations, or the one loop of a box, with their own bounds."""
MOST_MODULES = 20
MEDIAN = (80, 130)
MOST_FLOORS = {"spec": 18, "": 14}
MOST_FLOORS_OF_ALL = 30
MOST_ASKS = 7
"""Branches on the kind of a case outside its package; some of them look at results."""


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", ROOT / "benchmarks" / "house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    return module


def faults(texts: dict[str, str]) -> list[str]:
    """Return the bounds that modules, by path, exceed."""
    lengths = {path: len(text.splitlines()) for path, text in texts.items()}
    found = [
        f"{path} has {length} lines" for path, length in lengths.items() if length > LONGER.get(path, LONGEST)
    ]
    folders = Counter(str(Path(path).parent) for path in texts if not path.endswith("__init__.py"))
    found += [f"{folder} has {number} modules" for folder, number in folders.items() if number > MOST_MODULES]
    if sum(lengths.values()) > MOST_LINES:
        found.append(f"the tree has {sum(lengths.values())} lines")
    if not MEDIAN[0] <= statistics.median(lengths.values()) <= MEDIAN[1]:
        found.append(f"the module in the middle has {statistics.median(lengths.values())} lines")
    return found


def test_modules_and_folders_keep_their_bounds(house: ModuleType) -> None:
    assert faults(house.working_tree()) == []


def test_a_long_module_and_a_full_folder_are_told(house: ModuleType) -> None:
    texts = house.working_tree()
    long = "/".join(["grader", "wire", "long.py"])
    texts[long] = "x = 1\n" * (LONGEST + 1)
    texts |= {f"grader/store/more_{number}.py": "" for number in range(MOST_MODULES)}
    # The lines that are added may be more than the tree has room for.
    told = [fault.partition(" has ")[0] for fault in faults(texts)]
    assert [name for name in told if name != "the tree"] == [long, "grader/store"]


def test_few_ask_which_kind_a_case_is(house: ModuleType) -> None:
    *_, everything = house.figures(house.working_tree())
    assert everything.asks <= MOST_ASKS


def test_a_branch_on_a_kind_is_told(house: ModuleType) -> None:
    for text, asks in (
        ("if case.what is None: pass", 1),
        ("x = [y for y in z if isinstance(y, ProgramRun)]", 1),
        ("if turn.case.steps: pass\nwhile case.growth: pass", 2),
        ("if calls_of(case).apart: pass\nif what.generated: pass", 2),
        ("if kind_of(case).runs: pass\nx = case.what", 0),
    ):
        assert house.questions_of_kind(ast.parse(text)) == asks


def test_a_module_that_imports_back_is_a_circle(house: ModuleType) -> None:
    above = {"a": {"b"}, "b": {"c"}, "c": set[str]()}
    assert (house.circles(above), house.floors(above)) == ([], 3)
    assert house.circles({**above, "c": {"b"}}) == [{"b", "c"}]


@pytest.mark.acceptance
def test_packages_keep_their_floors_and_have_no_circle(house: ModuleType) -> None:
    *packages, everything = house.figures(house.working_tree())
    high = {
        row.name: row.floors for row in packages if row.floors > MOST_FLOORS.get(row.name, MOST_FLOORS[""])
    }
    assert (high, everything.circles) == ({}, 0)
    assert everything.floors <= MOST_FLOORS_OF_ALL

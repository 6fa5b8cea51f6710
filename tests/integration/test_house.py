"""The bounds of the tree: modules, folders, floors and circles.  `docs/design/size.md` gives the reasons."""

import ast
import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 400
LONGER = {
    "grader/model/results.py": 620,
    "grader/model/case.py": 620,
    "grader/reports/german.py": 450,
    "grader/worker/box/calls.py": 500,
}
"""Modules that hold a family of declarations, or the one loop of a box, with their own bounds."""
MOST_MODULES = 20
MOST_FLOORS = {"spec": 18, "": 14}
MOST_FLOORS_OF_ALL = 33
MOST_ASKS = 7
"""Branches on the kind of a case outside its package; some of them look at results."""

MOST_WALKS = 6
"""Functions outside `grader.values` that tell sorts of values apart; some of them read no values."""


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def house() -> ModuleType:
    return benchmark("house")


@pytest.fixture(scope="module")
def walks(house: ModuleType) -> ModuleType:
    return benchmark("walks")


def faults(texts: dict[str, str]) -> list[str]:
    """Return the bounds that modules, by path, exceed."""
    lengths = {path: len(text.splitlines()) for path, text in texts.items()}
    found = [
        f"{path} has {length} lines" for path, length in lengths.items() if length > LONGER.get(path, LONGEST)
    ]
    folders = Counter(str(Path(path).parent) for path in texts if not path.endswith("__init__.py"))
    found += [f"{folder} has {number} modules" for folder, number in folders.items() if number > MOST_MODULES]
    return found


def test_modules_and_folders_keep_their_bounds(house: ModuleType) -> None:
    assert faults(house.working_tree()) == []


def test_a_long_module_and_a_full_folder_are_told(house: ModuleType) -> None:
    texts = house.working_tree()
    long = "/".join(["grader", "wire", "long.py"])
    texts[long] = "x = 1\n" * (LONGEST + 1)
    texts |= {f"grader/store/more_{number}.py": "" for number in range(MOST_MODULES)}
    assert [fault.partition(" has ")[0] for fault in faults(texts)] == [long, "grader/store"]


def test_few_ask_which_kind_a_case_is(house: ModuleType) -> None:
    asks = [
        house.questions_of_kind(ast.parse(text))
        for path, text in house.working_tree().items()
        if not path.startswith("grader/kinds/")
    ]
    assert sum(asks) <= MOST_ASKS


def test_a_branch_on_a_kind_is_told(house: ModuleType) -> None:
    for text, asks in (
        ("if case.what is None: pass", 1),
        ("x = [y for y in z if isinstance(y, ProgramRun)]", 1),
        ("if turn.case.steps: pass\nwhile case.growth: pass", 2),
        ("if calls_of(case).apart: pass\nif what.generated: pass", 2),
        ("if kind_of(case).runs: pass\nx = case.what", 0),
    ):
        assert house.questions_of_kind(ast.parse(text)) == asks


def test_few_tell_sorts_of_values_apart(house: ModuleType, walks: ModuleType) -> None:
    assert len(walks.told_in(house.working_tree()).walks) <= MOST_WALKS


def test_a_walk_over_values_is_told(walks: ModuleType) -> None:
    for test, told in (
        ("isinstance(x, set) or isinstance(x, Record)", True),
        ("type(x) is set or type(x) in SOME", True),
        ("SOME.get(type(x)) or isinstance(x, set)", True),
        ("isinstance(x, list) or isinstance(x, dict)", True),
        ("isinstance(x, set | frozenset)", False),
        ("isinstance(x, int) or isinstance(x, str)", False),
    ):
        found = [*walks.telling(f"SOME = {{dict: 1}}\ndef f(x):\n    return {test}")]
        assert bool(found) is told, test
    path = "/".join(["grader", "judge", "sums.py"])
    text = "def f(x):\n    match x:\n        case set(): return 1\n        case Record(): return 2"
    assert walks.told_in({path: text}).walks == [f"{path}: f"]
    assert walks.told_in({path: text.replace("set", "dict").replace("Record", "list")}).walks == []


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

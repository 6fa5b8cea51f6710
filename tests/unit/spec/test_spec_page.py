"""The reference page holds what the tables of keys hold, and its example is a valid spec."""

import re
import shutil
from pathlib import Path

import pytest

from grader.spec import load_task
from grader.spec.expressions.bounds import (
    MAX_CALLS_OF_SPEC,
    MAX_INTEGER_BITS,
    MAX_ITEMS,
    MAX_ITEMS_OF_SPEC,
    MAX_TEXT,
)
from grader.spec.expressions.parse import MAX_CHARACTERS
from grader.spec.keys import (
    BUDGET,
    CASE,
    CONTENT,
    CRITERION,
    INCLUDED,
    LATE,
    LATE_STEP,
    LAYOUT,
    LAYOUT_USE,
    LEVEL,
    LIMITS,
    PACE,
    PICTURE,
    QUESTION,
    RAISES,
    ROUNDING,
    RULE,
    RULE_OPTION,
    SMOKE,
    STEP,
    TABLES,
    TASK,
    TEXT,
    TURN,
    TURN_END,
    TYPE,
    WATCH,
)
from grader.yamlfile.field import Table
from grader.yamlfile.nodes import MAX_NODES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "spec.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
HEADINGS = {
    TASK: "The task",
    INCLUDED: "include",
    TYPE: "types",
    LAYOUT: "layouts",
    LAYOUT_USE: "A value by a layout",
    QUESTION: "A question",
    CASE: "A case",
    TURN: "A turn",
    TURN_END: "An answer",
    CONTENT: "A file's content",
    STEP: "A step",
    TEXT: "An expected text",
    LIMITS: "limits",
    BUDGET: "budget",
    ROUNDING: "rounding",
    PICTURE: "picture",
    PACE: "pace",
    RAISES: "raises",
    WATCH: "watch",
    CRITERION: "A criterion",
    LEVEL: "levels",
    LATE: "late",
    LATE_STEP: "steps",
    SMOKE: "smoke",
    RULE: "A rule",
    RULE_OPTION: "Options of a rule",
}


def rows_of(table: Table) -> dict[str, list[str]]:
    """Return the cells of each row of a section's table, by the key in the first of them."""
    lines = [line for line in SECTIONS[HEADINGS[table]].splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {row[0].strip("`"): row for row in cells}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_every_key_has_its_row_and_every_row_its_key(table: Table) -> None:
    assert list(rows_of(table)) == list(table.names)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_required_keys_are_marked_and_choices_listed(table: Table) -> None:
    rows = rows_of(table)
    for field in table.fields:
        _, _, values, default, _ = rows[field.name]
        assert (default == "required") == field.required, field.name
        assert all(f"`{choice}`" in values for choice in field.choices), field.name


@pytest.mark.parametrize(
    "bound",
    [MAX_CALLS_OF_SPEC, MAX_INTEGER_BITS, MAX_ITEMS, MAX_ITEMS_OF_SPEC, MAX_TEXT, MAX_CHARACTERS, MAX_NODES],
)
def test_bounds_are_those_of_the_page(bound: int) -> None:
    assert f"{bound:,}" in PAGE


def test_the_example_of_the_page_is_a_valid_spec(tmp_path: Path) -> None:
    data = ROOT / "tests" / "data" / "spec"
    (example,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (checkers,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "reference").mkdir()
    shutil.copy(data / "reference" / "knight1.py", tmp_path / "reference" / "tour.py")
    (tmp_path / "checkers.py").write_text(checkers, encoding="utf-8")
    path = tmp_path / "tour.yaml"
    path.write_text(example, encoding="utf-8")
    assert [case.id for case in load_task(path).cases] == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]

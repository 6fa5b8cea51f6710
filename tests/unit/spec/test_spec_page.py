"""The reference page and the JSON Schema are what the tables of keys generate; the page's example works."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.spec import load_task
from grader.spec.expressions.bounds import (
    MAX_CALLS_OF_SPEC,
    MAX_INTEGER_BITS,
    MAX_ITEMS,
    MAX_ITEMS_OF_SPEC,
    MAX_TEXT,
)
from grader.spec.expressions.parse import MAX_CHARACTERS
from grader.spec.keys.case import CASE
from grader.spec.keys.rules import RULE_OPTION, RULE_OPTIONS
from grader.spec.schema import PAGE, SCHEMA, TABLES, json_schema, plain, schema_text, with_tables
from grader.yamlfile.kinds import slug
from grader.yamlfile.nodes import MAX_NODES, Mapping, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source
from grader.yamlfile.table import Fields, Key, KeyTable

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
TEXT = (DOCS / PAGE).read_text(encoding="utf-8")
SPECS = sorted([*ROOT.glob("specs/*.yaml"), *ROOT.glob("tests/data/*/*.yaml")])
KEYS = [(table, key) for table in (*TABLES, *RULE_OPTIONS.values()) for key in table.keys]
VALIDATOR = Draft202012Validator(json_schema())


def test_the_page_has_a_table_for_every_kind_of_mapping() -> None:
    marked = re.findall(r"<!-- keys: ([a-z-]+) -->", TEXT)
    assert sorted(marked) == sorted([*map(slug, (*TABLES, RULE_OPTION)), "of-each-kind"])


def test_the_page_is_what_the_tables_generate() -> None:
    assert with_tables(TEXT) == TEXT, "run `python -m grader.spec.schema`"


def test_the_page_can_be_read_in_one_sitting() -> None:
    """At most twice what it was (553 lines, 6,989 words) before it could say what courses need."""
    assert len(TEXT.splitlines()) <= 2 * 553
    assert len(TEXT.split()) <= 2 * 6989


def test_the_schema_is_what_the_tables_generate() -> None:
    assert (DOCS / SCHEMA).read_text(encoding="utf-8") == schema_text(), "run `python -m grader.spec.schema`"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_good_specs_fit_the_schema(path: Path) -> None:
    load_task(path)
    assert [error.message for error in VALIDATOR.iter_errors(plain(path.read_text(encoding="utf-8")))] == []


def test_there_are_specs_to_fit_the_schema() -> None:
    assert len(SPECS) > 5


def changed(**changes: Any) -> list[str]:
    """Return the places of what the schema finds in a good spec with some keys of a case changed."""
    spec = plain((ROOT / "tests" / "data" / "spec" / "valid.yaml").read_text(encoding="utf-8"))
    spec["questions"][0]["cases"][0].update(changes)
    return [error.json_path for error in VALIDATOR.iter_errors(spec)]


@pytest.mark.parametrize(
    "changes",
    [
        {"visiblity": "hidden"},
        {"visibility": "secret"},
        {"weight": [1]},
        {"weight": "heavy"},
        {"unchanged": "yes"},
        {"limits": {"time": "30sec"}},
        {"limits": {"tme": 1}},
        {"needs": {"a": 1}},
        {"stdin": "8"},
        {"goes on": 3},
        {"watch": {"f": {"calls": []}}},
    ],
    ids=str,
)
def test_the_schema_refuses_unknown_keys_and_wrong_types(changes: dict[str, Any]) -> None:
    places = changed(**changes)
    assert places, "the schema has nothing against it"
    assert all(place.startswith("$.questions[0].cases[0]") for place in places)


def test_the_schema_has_nothing_against_what_is_right() -> None:
    assert changed(weight="0.5", hint="a hint", limits={"time": "30s"}) == []


def test_a_plot_stands_beside_a_call_and_its_keys_or_alone() -> None:
    spec = plain((ROOT / "tests" / "data" / "spec" / "valid.yaml").read_text(encoding="utf-8"))
    plot = {"plot": {"title": "a"}}
    beside = {"call": "f(1)", "files": {"a.txt": "1"}, "harness": "h.py", "prints": "", **plot}
    for case, is_right in ((beside, True), (plot, True), ({**plot, "files": {"a.txt": "1"}}, False)):
        spec["questions"][0]["cases"][0] = case
        assert VALIDATOR.is_valid(spec) is is_right


def test_an_empty_spec_lacks_what_is_required() -> None:
    (required, *_) = [error for error in VALIDATOR.iter_errors({}) if error.validator == "required"]
    assert "required" in required.message


@pytest.mark.parametrize(("table", "key"), KEYS, ids=lambda part: getattr(part, "title", None) or part.name)
def test_every_key_is_told_and_its_example_is_read(table: KeyTable, key: Key) -> None:
    assert key.meaning
    assert key.kind.values
    if not key.example:
        return
    reporter = Reporter(Source("example", f"{key.name}: {key.example}"))
    root = compose(reporter)
    assert isinstance(root, Mapping)
    fields = Fields(root, KeyTable(table.title, (key,)), reporter)
    assert fields[key.name] is not None
    assert not reporter.found_any
    schema = {**json_schema(), "$ref": None, **key.kind.schema}
    if schema["$ref"] is None:
        del schema["$ref"]
    Draft202012Validator(schema).validate(plain(key.example))


def test_choices_are_listed() -> None:
    assert CASE.key("visibility").kind.values == "`public`, `hidden`, `after-due`"


@pytest.mark.parametrize(
    "bound",
    [MAX_CALLS_OF_SPEC, MAX_INTEGER_BITS, MAX_ITEMS, MAX_ITEMS_OF_SPEC, MAX_TEXT, MAX_CHARACTERS, MAX_NODES],
)
def test_bounds_are_those_of_the_page(bound: int) -> None:
    assert f"{bound:,}" in TEXT


def test_the_example_of_the_page_is_a_valid_spec(tmp_path: Path) -> None:
    data = ROOT / "tests" / "data" / "spec"
    (example,) = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (checkers,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "reference").mkdir()
    shutil.copy(data / "reference" / "knight1.py", tmp_path / "reference" / "tour.py")
    (tmp_path / "checkers.py").write_text(checkers, encoding="utf-8")
    path = tmp_path / "tour.yaml"
    path.write_text(example, encoding="utf-8")
    assert [case.id for case in load_task(path).cases] == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]

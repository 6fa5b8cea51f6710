"""Generates the JSON Schema for editors and the tables of `docs/spec.md` from the tables of keys.

`python -m grader.spec.schema` writes both into the folder `docs` of a checkout.
"""

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.spec.keys import case
from grader.spec.keys.answers import CONTENT, DATA, RAISES
from grader.spec.keys.case import CASE, CASE_FORMS
from grader.spec.keys.common import LIMITS, PACE, PICTURE, PRINTED_TEXT
from grader.spec.keys.penalties import INSTEAD, LATE, LATE_STEP, SMOKE
from grader.spec.keys.plots import PLOT
from grader.spec.keys.policy import GROUP, SECOND, SECTION
from grader.spec.keys.rules import RULE, RULE_OPTION, RULE_OPTIONS
from grader.spec.keys.task import (
    BUDGET,
    CELLS,
    CRITERION,
    INCLUDED,
    LAYOUT,
    LAYOUT_USE,
    LEVEL,
    OWN_TOOLCHAIN,
    QUESTION,
    ROUNDING,
    TASK,
    TYPE,
)
from grader.spec.keys.values import VALUE_FILE
from grader.yamlfile.kinds import ref, slug
from grader.yamlfile.nodes import Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source
from grader.yamlfile.table import Key, KeyTable

SCHEMA = "spec.schema.json"
PAGE = "spec.md"

_ORDER = (
    *(
        "a step",
        PRINTED_TEXT.title,
        "a turn of a dialogue",
        "an answer",
        "a validator",
        CONTENT.title,
        "against",
    ),
    *(PLOT.title, PICTURE.title, PACE.title, RAISES.title, "a watched callback"),
)
"""The titles of the tables that cases use; that of a new kind comes after them."""


def _of_cases() -> list[KeyTable]:
    shared = (PRINTED_TEXT, CONTENT, PLOT, PICTURE, PACE, RAISES)
    return sorted((*shared, *case.TABLES), key=lambda table: [*_ORDER, table.title].index(table.title))


TABLES = (
    *(TASK, DATA, OWN_TOOLCHAIN, INCLUDED, TYPE, LAYOUT, LAYOUT_USE, LIMITS, BUDGET, ROUNDING, CELLS),
    *(QUESTION, CASE, *_of_cases()),
    *(CRITERION, LEVEL, VALUE_FILE, LATE, LATE_STEP, SMOKE, INSTEAD, SECOND, RULE, GROUP, SECTION),
)

_SAID = {
    "a step": (CASE, "[a case](#a-case)"),
    INCLUDED.title: (TASK, "[the task](#the-task)"),
}
"""Tables some of whose keys are explained in another one, on the same page."""

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKED = re.compile(r"(<!-- keys: ([a-z-]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12, of a spec."""
    tables = (*TABLES, *RULE_OPTIONS.values())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A spec of grader",
        "description": "What a submission must hold, which calls are made, and what each is worth.",
        **ref(TASK),
        "$defs": {slug(table): _table_schema(table) for table in tables} | {slug(CASE): _case_schema()},
    }


def _table_schema(table: KeyTable) -> dict[str, Any]:
    required = {"required": [key.name for key in table.keys if key.required]}
    return {
        "type": "object",
        "properties": {key.name: _key_schema(key) for key in table.keys},
        # A question that includes another one takes from it what is missing.
        **({"anyOf": [required, {"required": ["include"]}]} if table is QUESTION else required),
        "additionalProperties": False,
    }


def _case_schema() -> dict[str, Any]:
    """Return the schema of a case, which has a key that says its kind, and keys that go with it."""
    kinds = [
        {"if": _is_kind(name), "then": {"propertyNames": {"enum": [name, *kind.goes_with]}}}
        for name, kind in CASE_FORMS.items()
    ]
    any_of = [{"required": [name]} for name in CASE_FORMS]
    return {**_table_schema(CASE), "anyOf": any_of, "allOf": kinds}


def _is_kind(name: str) -> dict[str, Any]:
    """Return the schema of a case of this kind; `plot` shows none beside `call`."""
    others = [{"required": [other]} for other, kind in CASE_FORMS.items() if name in kind.goes_with]
    return {"required": [name]} | ({"not": {"anyOf": others}} if others else {})


def _key_schema(key: Key) -> dict[str, Any]:
    unit = f" ({key.kind.values})" if "enum" not in key.kind.schema else ""
    absent = "" if key.required else f" Default: {_absent(key)}."
    text = _LINK.sub(r"\1", f"{key.meaning[:1].upper()}{key.meaning[1:]}{unit}.{absent}")
    examples = {"examples": [plain(key.example)]} if key.example else {}
    return {**key.kind.schema, "description": text, **examples}


def plain(text: str) -> Any:
    """Return a YAML text as plain data, by the same rules as a spec."""
    root = compose(Reporter(Source("example", text)))
    if root is None:
        raise ValueError(f"this is not YAML: {text}")
    return _plain(root)


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    assert isinstance(node, Mapping)
    return {key.text: _plain(value) for key, value in node.pairs}


def page_table(table: KeyTable) -> str:
    """Return a table of the page, with a row for each key, or one for all that another table explains."""
    elsewhere, place = _SAID.get(table.title, (None, ""))
    said = [key for key in table.keys if elsewhere and key in elsewhere.keys]
    own = [key for key in table.keys if key not in said]
    rows = [f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in map(_row, own)]
    if said:
        rows.append(f"| {', '.join(f'`{key.name}`' for key in said)} | as in {place} | | | |\n")
    return "".join(["| key | meaning | unit, values | default | example |\n|---|---|---|---|---|\n", *rows])


def page_kinds() -> str:
    """Return the page's table of the keys that go with each kind of case."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for name, kind in CASE_FORMS.items():
        kinds.setdefault(tuple(kind.goes_with), []).append(f"`{name}`")
    lines = ["| a case with | can have |\n", "|---|---|\n"]
    for keys, names in kinds.items():
        lines.append(f"| {', '.join(names)} | {', '.join(f'`{key}`' for key in keys)} |\n")
    return "".join(lines)


def _row(key: Key) -> tuple[str, ...]:
    example = f"`{key.example}`" if key.example else ""
    return (
        f"`{key.name}`",
        key.meaning,
        key.kind.values,
        "required" if key.required else _absent(key),
        example,
    )


def _absent(key: Key) -> str:
    """Return in words the value that holds where a key is absent."""
    default = key.default
    if key.absent or default is None or default in ((), ""):
        return key.absent or "none"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default if isinstance(default, StrEnum | str) else f'{float(default):g}'}`"


def with_tables(page: str, tables: Iterable[KeyTable] = (*TABLES, RULE_OPTION)) -> str:
    """Return a page with every table between its marks generated again."""
    known = {slug(table): page_table(table) for table in tables} | {"of-each-kind": page_kinds()}
    return _MARKED.sub(lambda mark: f"{mark[1]}\n{known[mark[2]]}\n{mark[3]}", page)


def write(folder: Path) -> None:
    """Write the schema and the tables of the page into a folder of documentation."""
    (folder / SCHEMA).write_text(schema_text(), encoding="utf-8")
    page = folder / PAGE
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


def schema_text() -> str:
    """Return the text of the schema's file."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write(Path("docs"))

"""Pages of a library's tasks, and the files that a spec names."""

import re
from pathlib import Path

import pytest

from grader.authoring.library.named_files import KEYS, named_files
from grader.authoring.library.page import read_page
from grader.model.errors import UsageError

PAGE = """\
# Leap years

Text.

## About

- Practises: branches,
  and remainders
- Licence: MIT

More text.

## Files

- Author: nobody
"""


def test_the_list_is_read() -> None:
    page = read_page(PAGE)
    assert page.title == "Leap years"
    assert page.about == {"Practises": "branches, and remainders", "Licence": "MIT"}
    assert page.problems == ("line 11 is no entry such as `- Licence: MIT`",)


def test_an_entry_is_put_in_its_place() -> None:
    page = read_page(PAGE).with_entry("Marks", "2").with_entry("Practises", "branches")
    page = (
        page.with_entry("Validation", "4 cases").with_more("Copied from", "a").with_more("Copied from", "b")
    )
    assert (
        page.text.split("## About\n")[1].split("\nMore")[0]
        == """
- Practises: branches
- Marks: 2
- Licence: MIT
- Validation: 4 cases
- Copied from: a
- Copied from: b
"""
    )
    assert page.text.split("\nMore")[1] == PAGE.split("\nMore")[1]


@pytest.mark.parametrize("text", ["# A\n", "# A\n\n## About\n", "# A\n\n## About\n\n", ""])
def test_a_page_without_a_list_gets_one(text: str) -> None:
    page = read_page(text).with_more("Copied from", "a")
    assert page.about == {"Copied from": "a"}
    assert page.text.endswith("## About\n\n- Copied from: a\n") or page.text.endswith(
        "## About\n- Copied from: a\n"
    )


def test_every_key_that_names_a_file_is_known() -> None:
    """Each key whose value is a path from the spec, as the reference of all keys has it."""
    rows = (Path(__file__).parents[3] / "docs" / "spec.md").read_text(encoding="utf-8").splitlines()
    found = {}
    for cells in (row.split(" | ") for row in rows if row.startswith("| `")):
        if len(cells) > 2 and re.match(r"path\b", cells[2]):
            found[cells[0].strip("|` ")] = cells[2]
    assert found.keys() == KEYS


def test_the_files_of_a_spec() -> None:
    spec = b"""\
reference: ../reference/leap
modules: {leap: leap.py}
files: {a.csv: {from: data/a.csv}}
questions:
  - include: shared/questions.yaml#3
    cases:
      - {student tests: t, against: {right: [r/one.py, r/two.py], wrong: w.py}}
      - {program: p, stdin: {from: in.txt}, stdout: "from: nowhere"}
      - before: |
          x = 1
"""
    assert named_files(spec, "leap.yaml") == (
        "../reference/leap", "data/a.csv", "shared/questions.yaml", "r/one.py", "r/two.py", "w.py", "in.txt"
    )  # fmt: skip


@pytest.mark.parametrize("text", [b"a: [", b"\xff", b"python: /bin/evil\n", b"python: python3\n"])
def test_what_is_no_spec_for_others(text: bytes) -> None:
    with pytest.raises(UsageError, match=r"leap\.yaml"):
        named_files(text, "leap.yaml")

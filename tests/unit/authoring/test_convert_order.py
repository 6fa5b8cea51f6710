"""What ran before a test in its own tool, and not here: other tests, fixtures, cells of a notebook."""

import json
from pathlib import Path

import pytest

from grader.plugins.convert import read_tests
from grader.plugins.convert.draft import Draft

PRICE = "def test_b():\n    assert work.price(4) == 12\n"


def read(tmp_path: Path, text: str) -> Draft:
    path = tmp_path / "test_a.py"
    path.write_text(f"import pytest, work\n{text}", encoding="utf-8")
    return read_tests(path, "pytest", "work")


def calls(draft: Draft) -> list[str]:
    return [str(case.keys["call"]) for one in draft.questions for case in one.cases]


@pytest.mark.parametrize(
    "test",
    [
        "def test_a(shop):\n    pass\n",
        "@pytest.mark.usefixtures('shop')\ndef test_a():\n    pass\n",
        "@pytest.fixture\ndef town(shop): pass\ndef test_a(town):\n    pass\n",
    ],
)
def test_what_a_fixture_changes_for_good_a_later_test_may_rely_on(tmp_path: Path, test: str) -> None:
    fixture = "@pytest.fixture\ndef shop():\n    work.RATE = 3\n"
    draft = read(tmp_path, fixture + test + PRICE)
    assert draft.questions == []
    assert "it may rely on what line 4, in another test" in str(draft.remarks[-1])
    own = fixture.replace("work.RATE = 3", "return work")
    assert calls(read(tmp_path, own + test + PRICE)) == ["price(4)"]


def test_the_only_case_may_rely_on_what_is_left_out(tmp_path: Path) -> None:
    """Nothing was said of it."""
    draft = read(tmp_path, f"def test_a():\n    for item in work.ITEMS: item.clear()\n{PRICE}")
    assert calls(draft) == ["price(4)"]
    assert "stricter: from here on each call has a process of its own" in str(draft.remarks[-1])
    assert read(tmp_path, PRICE).remarks == []


def notebook(tmp_path: Path, *texts: str) -> Draft:
    """Read a notebook, in which a cell with an assertion is one of tests."""
    test = {"nbgrader": {"grade": True, "points": 1, "grade_id": "a"}}
    cells = [
        {"cell_type": "code", "source": text, "metadata": test if "assert" in text else {}} for text in texts
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    return read_tests(path, "nbgrader", "work")


@pytest.mark.parametrize(
    ("behind", "kept"),
    [
        ("def area(r, h): return r * h", []),
        ("size = area", ["area(2)"]),
        ("area = None", []),
        ("from shapes import area", []),
        ("def volume(area): return area", ["area(2)"]),
        ("%%bash\necho area", []),
        ("%%bash\necho size", ["area(2)"]),
    ],
)
def test_a_name_that_a_later_cell_gives_anew(tmp_path: Path, behind: str, kept: list[str]) -> None:
    """The right notebook lost the test, which ran before that cell in nbgrader."""
    draft = notebook(tmp_path, "def area(r): return 3 * r", "assert area(2) == 6", behind)
    assert calls(draft) == kept
    told = str(draft.remarks[-1])
    if kept:
        assert "stricter: from here on each call has a process of its own, after all cells but tests" in told
    else:
        assert "left out: `area` gets another value in cell 3, behind it" in told


def test_a_name_of_the_test_alone_or_of_a_module_may_be_given_anew(tmp_path: Path) -> None:
    test = "assert area(2) == 6\nassert all(math.floor(area(y)) == 3 * y for y in [3])"
    cells = "import math\ndef area(r): return 3 * r", test, "import math\ny = 5"
    assert calls(notebook(tmp_path, *cells)) == ["area(2)"]

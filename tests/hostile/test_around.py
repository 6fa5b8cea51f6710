"""A student's module between code of the task's: what it does there costs itself, and no other's mark."""

from pathlib import Path

import pytest
from support.declared import mark_folders

from grader.spec import load_task

SPEC = """\
task: around
title: Around
marks: 2
reference: reference
modules: {work: work.py}
questions:
  - id: "1"
    title: Around
    marks: 2
    award: each
    before: before_it.py
    gives: [data]
    after: after_it.py
    takes: [made]
    cases:
      - {call: total(), returns: 6}
      - {call: len(data), returns: 3}
"""
HONEST = "made = [each for each in data]\n"
HOSTILE = {
    "changes": "import sys\nsys.modules['before_it'].data.clear()\ndata.append(7)\nmade = [6]\n",
    "exits": "import sys\nmade = [1]\nsys.exit(0)\n",
    "names": "globals()[type('S', (str,), {'startswith': lambda *_: 1 / 0})('made')] = 1\n",
    "raises": "class Made:\n    def __iter__(self):\n        raise SystemExit(0)\nmade = Made()\n",
    "ends": "import os\nclass Made:\n    def __iter__(self):\n        os._exit(0)\nmade = Made()\n",
    "lists": "class L(list):\n    def __iter__(self):\n        while True: yield 1\nmade = L()\n",
    "none": "",
    "deletes": "del data\nmade = [1, 2, 3]\n",
    "replaces": "import builtins\nbuiltins.exec = builtins.compile = None\nmade = [1]\n",
    "module": "import sys, types\nsys.modules['work'] = types.ModuleType('work')\nmade = [1, 2, 3]\n",
}


@pytest.mark.parametrize("first", ["honest-1", "zz-honest"])
@pytest.mark.acceptance  # `integration/test_around.py` has the keys
def test_no_module_harms_another(tmp_path: Path, first: str) -> None:
    (tmp_path / "around.yaml").write_text(SPEC)
    (tmp_path / "before_it.py").write_text("data = [1, 2, 3]\n")
    (tmp_path / "after_it.py").write_text("def total():\n    return sum(made)\n\nlist(made)[:0]\n")
    works = {"reference": HONEST, first: HONEST, **HOSTILE}
    for name, text in works.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "work.py").write_text(text)
    found = mark_folders(load_task(tmp_path / "around.yaml"), [tmp_path / name for name in (first, *HOSTILE)])
    assert found[first].mark == 2
    assert {name: result.status for name, result in found.items()} == dict.fromkeys(found, "marked")
    for name in HOSTILE:
        assert found[name].mark <= 1 or name == "module", (name, found[name].mark)

"""What small files of other tools become: the spec, its checkers and the list, as the files beside this test.

`GRADER_UPDATE_GOLDEN=1` writes the files again; look at what `git diff` says then.
"""

import os
import shutil
from pathlib import Path

import pytest

from grader.plugins.convert import TOOLS, read_tests, written

GOLDEN = Path(__file__).parent / "files"
FOREIGN = Path(__file__).parents[2] / "data" / "convert"


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool(tool: str, tmp_path: Path) -> None:
    # Beside no `conftest.py` of this checkout's.
    foreign = shutil.copytree(FOREIGN / tool, tmp_path / "foreign" / tool)
    draft = read_tests(foreign, tool, "work", tool)
    tmp_path = tmp_path / "made"
    tmp_path.mkdir()
    spec = tmp_path / f"{tool}.yaml"
    made = written(draft, spec, tool, tool)
    assert spec.read_text(encoding="utf-8") == made.spec
    compare(f"{tool}.yaml", made.spec)
    compare(f"{tool}.txt", "".join(f"{remark}\n" for remark in sorted(set(map(str, draft.remarks)))))
    listed = sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path)
    if listed:
        compare(f"{tool}_files.txt", "".join(f"{path.relative_to(tmp_path)}\n" for path in listed))
    beside = tmp_path / f"{tool}_checkers.py"
    assert beside.exists() == bool(made.checkers)
    if made.checkers:
        compare(f"{tool}_checkers.py.txt", made.checkers)


def compare(name: str, content: str) -> None:
    golden = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        golden.write_text(content, encoding="utf-8")
    assert content == golden.read_text(encoding="utf-8")

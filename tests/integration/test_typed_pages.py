"""The quick starts, the guides, and the pages for students and on CI are what they say.

Their files are written, their commands run, their output comes.  `GRADER_UPDATE_GOLDEN=1` writes the output
into the pages again.
"""

import os
from pathlib import Path

import pytest
from support.rows import first_of
from support.typed_session import as_printed, typed

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(page for name in ("start", "coming-from") for page in (DOCS / name).glob("*.md"))
PAGES = [
    DOCS / "students.md",
    DOCS / "ci.md",
    DOCS / "course.md",
    *(page for page in PAGES if page.stem != "README"),
]


@pytest.mark.parametrize("page", first_of(PAGES), ids=lambda page: page.stem)
def test_a_page_is_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # Where a page checks the folder that it is in, this name is shown.
    folder = tmp_path / "work"
    folder.mkdir()
    commands = [*typed(text, folder)]
    assert any(one.command.startswith("grader ") for one in commands)
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        page.write_text(as_printed(text, commands), encoding="utf-8")
        return
    for one in commands:
        assert one.is_as_shown, f"$ {one.command}\n{one.printed}"

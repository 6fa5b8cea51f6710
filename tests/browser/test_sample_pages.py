"""axe finds nothing on the pages of the sample batches, nor on the further pages of made ones.

Of a batch the pages of the whole class are audited, and those of some students: each has a verdict that
those before lack.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.axe import audit, audit_alike
from support.chromium import PROGRAM, Page, browser_page
from support.declared import telling_few
from support.every_page import FURTHER_KINDS, KINDS, write_every_page
from support.marked_samples import SPECS, marked_sample

from grader.reports.render import render_all
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
PERSONAL = (STAFF_FOLDER, STUDENT_FOLDER)
MOST = 3
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def every_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a page of every kind."""
    folder = tmp_path_factory.mktemp("every")
    write_every_page(folder)
    return folder


@pytest.mark.parametrize("kinds", [KINDS, FURTHER_KINDS], ids=["each kind", "further pages"])
def test_axe_finds_nothing_in_any_form_of_a_page(page: Page, every_page: Path, kinds: dict[str, str]) -> None:
    found = {kind: audit(page, every_page / path) for kind, path in kinds.items()}
    assert {kind: told for kind, told in found.items() if told} == {}


def test_axe_finds_nothing_on_the_sample_batches(
    page: Page, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """One after another, since most elements of a page have been audited on those before."""
    known: set[str] = set()
    for name, spec in SPECS.items():
        folder = tmp_path / name
        render_all(marked_sample(name, tmp_path_factory), folder)
        few = {each.name for each in telling_few(load_task(spec), ROOT / "submissions" / name, MOST)}
        pages = [
            path
            for path in sorted(folder.rglob("*.html"))
            if path.parent.name not in PERSONAL or path.stem in few
        ]
        assert len([path for path in pages if path.parent.name in PERSONAL]) == 2 * len(few) > 2
        assert len(pages) > 2 * len(few)
        assert {str(path): found for path in pages if (found := audit_alike(page, path, known))} == {}

"""axe finds nothing on any page of the sample batches, nor on the further pages of made ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.axe import audit, audit_alike
from support.chromium import PROGRAM, Page, browser_page
from support.every_page import FURTHER_KINDS, write_every_page
from support.marked_samples import SPECS, marked_sample

from grader.reports.render import render_all

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Return the shapes of elements on the pages that were audited in full."""
    return set()


def test_axe_finds_nothing_on_further_pages(page: Page, tmp_path: Path) -> None:
    write_every_page(tmp_path)
    found = {kind: audit(page, tmp_path / path) for kind, path in FURTHER_KINDS.items()}
    assert {kind: told for kind, told in found.items() if told} == {}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SPECS)
def test_axe_finds_nothing_on_a_sample_batch(
    page: Page, known: set[str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    render_all(marked_sample(name, tmp_path_factory), tmp_path)
    pages = sorted(tmp_path.rglob("*.html"))
    assert pages
    assert {str(path): found for path in pages if (found := audit_alike(page, path, known))} == {}

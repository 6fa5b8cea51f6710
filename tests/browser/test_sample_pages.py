"""axe finds nothing on any page of the sample batches, nor on the further pages of made ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.axe import audit
from support.chromium import PROGRAM, Page, browser_page
from support.declared import mark_declared, read_declared
from support.every_page import FURTHER_KINDS, write_every_page
from support.results_sample import RUN

from grader.model.results import RunResults, TaskHead
from grader.reports.render import render_all
from grader.spec import load_task

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

ROOT = Path(__file__).parents[2]
SPECS = {path.stem: path for path in sorted((ROOT / "specs").glob("*.yaml"))}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


def _findings(page: Page, paths: list[Path]) -> dict[str, list[str]]:
    assert paths
    return {str(path): found for path in paths if (found := audit(page, path))}


def test_axe_finds_nothing_on_further_pages(page: Page, tmp_path: Path) -> None:
    write_every_page(tmp_path)
    assert _findings(page, [tmp_path / path for path in FURTHER_KINDS.values()]) == {}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SPECS)
def test_axe_finds_nothing_on_a_sample_batch(page: Page, tmp_path: Path, name: str) -> None:
    task, batch = load_task(SPECS[name]), ROOT / "submissions" / name
    marked = mark_declared(task, [batch], read_declared(batch), beside=batch)
    render_all(RunResults(RUN, TaskHead.of(task), list(marked.values())), tmp_path)
    assert _findings(page, sorted(tmp_path.rglob("*.html"))) == {}

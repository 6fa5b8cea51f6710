"""axe finds nothing on a page of any kind; `test_sample_pages.py` asks for more pages, in all their forms."""

from pathlib import Path

import pytest
from support.axe import audit_alike
from support.chromium import PROGRAM, browser_page
from support.every_page import KINDS, write_every_page

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed"),
]


def test_axe_finds_nothing_on_any_kind_of_page(tmp_path: Path) -> None:
    write_every_page(tmp_path)
    known: set[str] = set()
    with browser_page() as page:
        found = {kind: audit_alike(page, tmp_path / path, known) for kind, path in KINDS.items()}
    assert {kind: told for kind, told in found.items() if told} == {}

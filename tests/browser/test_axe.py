"""axe finds nothing on a page of any kind, in any form; `test_sample_pages.py` asks for more pages."""

from pathlib import Path

import pytest
from support.axe import audit
from support.chromium import PROGRAM, browser_page
from support.every_page import KINDS, write_every_page

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


def test_axe_finds_nothing_on_any_kind_of_page(tmp_path: Path) -> None:
    write_every_page(tmp_path)
    with browser_page() as page:
        assert {kind: found for kind, path in KINDS.items() if (found := audit(page, tmp_path / path))} == {}

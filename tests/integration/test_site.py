"""The site builds from `docs/` without a warning, and its pages load nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_LOADED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]*)"|<link\b[^>]*\bhref="([^"]*)\"""")
_IN_STYLE = re.compile(r"""(?:@import|url\()\s*["']?([^"')\s]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: each warning, such as a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going"]
    done = subprocess.run(
        [*command, "-d", folder / "doctrees", DOCS, folder / "html"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_make_docs_is_as_strict() -> None:
    assert "sphinx -q -n -W --keep-going " in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.acceptance
def test_every_page_is_in_the_site(site: Path) -> None:
    pages = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert pages <= {path.relative_to(site) for path in site.rglob("*.html")}


@pytest.mark.acceptance
def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loaded = set()
    for page in site.rglob("*.html"):
        for found in _LOADED.findall(page.read_text(encoding="utf-8")):
            loaded |= {target for target in found if target}
    assert any(target.endswith(".css") or ".css?" in target for target in loaded)
    assert [target for target in loaded if re.match(r"(?:\w+:)?//", target)] == []
    for style in site.rglob("*.css"):
        targets = _IN_STYLE.findall(style.read_text(encoding="utf-8"))
        assert [target for target in targets if re.match(r"(?:https?:)?//", target)] == [], style

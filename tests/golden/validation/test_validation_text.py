"""What `grader validate` prints, as the files beside this test have it; see `docs/testing.md`."""

import os
import re
from pathlib import Path

import pytest
from support.validation_sample import faulty, well

from grader.reports.html.validation import validation_page
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.validation import validation_lines

GOLDEN = Path(__file__).parent / "files"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faulty.txt", to_text(validation_lines(faulty(), 80, "reports/small/validation/index.html"))),
        ("faulty-40.txt", to_text(validation_lines(faulty(), 40))),
        ("well.txt", to_text(validation_lines(well(), 80))),
        ("faulty.html", validation_page(faulty())),
    ],
)
def test_the_text_is_as_it_was(name: str, text: str) -> None:
    path = GOLDEN / name
    # The style is a file of its own, and would drown what changed.
    text = re.sub(r"(?s)<style>.*?</style>", "<style></style>", text)
    text = re.sub(r"sha256-[\w+/=]+", "sha256-", text)
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_nothing_hostile_reaches_a_terminal_or_a_page() -> None:
    text = to_text(validation_lines(faulty(), 80))
    page = validation_page(faulty())
    assert "\x1b" not in text
    assert "\x1b" not in page
    assert "<spec>" not in page
    assert "<b>" not in page.replace('<b aria-hidden="true">', "")


def test_lines_fit_the_terminal() -> None:
    for width in (40, 80):
        for each in to_text(validation_lines(faulty(), width)).splitlines():
            assert len(each) <= width or each.startswith("     "), each  # code is not wrapped

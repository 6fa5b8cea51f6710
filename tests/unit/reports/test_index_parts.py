"""A cohort over several pages: each student is on one of them, and the first has the data of all."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.large_cohort import COUNT, HOSTILE, large_cohort, write_pages

from grader.reports.html.parts import ROWS, parts, rows_of
from grader.reports.views.cohort.index import student_rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("large")).parent


def data_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="all-students">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize(
    ("count", "files"),
    [
        (0, ["index.html"]),
        (ROWS, ["index.html"]),
        (ROWS + 1, ["index.html", "index-2.html"]),
        (2 * ROWS, ["index.html", "index-2.html"]),
    ],
)
def test_a_page_holds_so_many_students_and_no_more(count: int, files: list[str]) -> None:
    assert [part.file for part in parts(count)] == files
    assert [number for part in parts(count) for number in range(count)[rows_of(part)]] == list(range(count))


def test_every_student_is_on_one_page_and_links_lead_from_each_to_each(folder: Path) -> None:
    links = [row.link for row in student_rows(large_cohort())]
    seen: list[str] = []
    for part in parts(COUNT):
        page = (folder / part.file).read_text("utf-8")
        table = page[page.index('<table class="students"') :]
        table = table[: table.index("</tbody>")]
        seen += re.findall(r'<a href="(staff/[^"]+)"', table)
        others = [other.file for other in parts(COUNT) if other != part]
        assert re.findall(r'<a href="(index[^"]*)" aria-label', page) == others
    assert seen == links


def test_the_data_of_the_first_page_say_the_same_as_the_rows(folder: Path) -> None:
    page = (folder / "index.html").read_text("utf-8")
    data = data_in(page)
    rows = list(student_rows(large_cohort()))
    assert [link or f"staff/{name}.html" for _, name, link, *_ in data["students"]] == [
        row.link for row in rows
    ]
    # The cells of the data are, byte for byte, those that stand in the pages without a script.
    lines = [
        line
        for part in parts(COUNT)
        for line in (folder / part.file).read_text("utf-8").splitlines()
        if line.startswith('<tr role="row"><th scope="row" class="name"')
    ]
    for student, line in zip(data["students"], lines, strict=True):
        cells = [data["totals"][student[4]], *(data["cells"][cell] for cell in student[5])]
        assert line.endswith("</th>" + "".join(cell[1] for cell in cells) + "</tr>")
    # Alike ones are there once.
    assert len(data["cells"]) < 60


def test_no_name_ends_the_data_or_misleads(folder: Path) -> None:
    page = (folder / "index.html").read_text("utf-8")
    assert page.count("<script") == page.count("</script>") == 2
    names = [student[0] for student in data_in(page)["students"]][-len(HOSTILE) :]
    assert names[0] == HOSTILE[0]
    assert names[4:] == ["\\u202egnp.exe", "\\ud800"]


def test_further_pages_have_no_script(folder: Path) -> None:
    page = (folder / "index-2.html").read_text("utf-8")
    assert "<script" not in page
    assert "script-src" not in page

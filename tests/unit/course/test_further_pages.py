"""A large course over several pages: everybody is on one of them, and each leads to each."""

import re
from pathlib import Path

import pytest
from support.course_sample import standing

from grader.course.pages.write import write_pages
from grader.model.errors import UsageError

STUDENT = re.compile(r'<th scope="row"><a href="staff/(student-[0-9]+)\.html">')


def write(folder: Path, people: int) -> dict[str, str]:
    """Write the pages with five students on each; return those of the course by name."""
    write_pages(standing(people), folder, (), rows=5)
    return {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.html"))}


def test_everybody_is_on_one_page(tmp_path: Path) -> None:
    pages = write(tmp_path / "course", 12)
    assert list(pages) == ["index-2.html", "index-3.html", "index.html"]
    found = [
        name
        for page in ("index.html", "index-2.html", "index-3.html")
        for name in STUDENT.findall(pages[page])
    ]
    assert found == [f"student-{number:02}" for number in range(1, 13)]


def test_each_page_leads_to_each(tmp_path: Path) -> None:
    for name, page in write(tmp_path / "course", 12).items():
        nav = page[page.index('<nav class="parts"') :]
        links = set(re.findall(r'href="(index[-0-9]*\.html)#students"', nav))
        assert links | {name} == {"index.html", "index-2.html", "index-3.html"}
        assert "of 12</p>" in nav


def test_only_the_first_tells_what_needs_a_person(tmp_path: Path) -> None:
    pages = write(tmp_path / "course", 12)
    assert [name for name, page in pages.items() if 'id="needs"' in page] == ["index.html"]


def test_a_page_that_is_no_more_needed_goes_and_other_files_stay(tmp_path: Path) -> None:
    write(tmp_path / "course", 12)
    other = tmp_path / "course" / "index-of-names.html"
    other.write_text("mine")
    assert list(write(tmp_path / "course", 4)) == ["index-of-names.html", "index.html"]
    assert other.read_text() == "mine"


def test_no_further_page_is_written_over_a_file_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "index-2.html").write_text("mine")
    with pytest.raises(UsageError, match="did not write what is here"):
        write_pages(standing(12), tmp_path, (), rows=5)
    assert (tmp_path / "index-2.html").read_text() == "mine"

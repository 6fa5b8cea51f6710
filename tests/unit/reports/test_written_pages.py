"""Pages of students who left the batch go; nothing that we did not write ever does; what stands stays."""

import os
from pathlib import Path

import pytest

from grader.reports.written_pages import FILE_NAME, PageList


def render(folder: Path, *names: str, made_from: str = "1") -> set[str]:
    """Write two pages for each name, and return those that were not there already."""
    written, new = PageList(folder), set()
    for name in names:
        for part in ("staff", "students"):
            (folder / part).mkdir(exist_ok=True)
            path = f"{part}/{name}"
            if not written.stands(path, made_from):
                (folder / path).write_text(name)
                written.add(path, made_from)
                new.add(path)
    written.finish()
    return new


def pages(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("*/*")}


def test_pages_that_are_not_written_again_are_removed(tmp_path: Path) -> None:
    render(tmp_path, "a.html", "b.html")
    render(tmp_path, "b.html")
    assert pages(tmp_path) == {"staff/b.html", "students/b.html"}
    assert render(tmp_path, "a.html", "b.html") == {"staff/a.html", "students/a.html"}


def test_further_pages_of_a_cohort_that_has_become_smaller_are_removed(tmp_path: Path) -> None:
    for name in ("index-2.html", "index-x.html", "junit.xml"):
        (tmp_path / name).write_text("")
    written = PageList(tmp_path)
    for name in ("index-2.html", "index-x.html", "junit.xml"):
        written.add(name, "1")
    written.finish()
    render(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"index-x.html", "junit.xml", FILE_NAME}


def test_what_was_made_from_the_same_stands(tmp_path: Path) -> None:
    assert render(tmp_path, "a.html") == {"staff/a.html", "students/a.html"}
    assert render(tmp_path, "a.html") == set()
    assert render(tmp_path, "a.html", made_from="2") == {"staff/a.html", "students/a.html"}
    assert render(tmp_path, "a.html") == {"staff/a.html", "students/a.html"}


def test_what_is_gone_cut_or_changed_since_does_not_stand(tmp_path: Path) -> None:
    render(tmp_path, "a.html", "b.html", "c.html")
    (tmp_path / "staff" / "a.html").unlink()
    (tmp_path / "staff" / "b.html").write_text("")
    page = tmp_path / "staff" / "c.html"
    page.write_text("forged")
    os.utime(page, ns=(0, page.stat().st_mtime_ns + 1))
    assert render(tmp_path, "a.html", "b.html", "c.html") == {
        "staff/a.html",
        "staff/b.html",
        "staff/c.html",
    }


def test_what_we_did_not_write_stays(tmp_path: Path) -> None:
    render(tmp_path, "a.html")
    (tmp_path / "staff" / "mine.html").write_text("")
    render(tmp_path)
    assert pages(tmp_path) == {"staff/mine.html"}


@pytest.mark.parametrize(
    "path",
    [
        "../victim.html", "/victim.html", "..\\victim.html", "victim.html", "staff/victim",
        "staff/.html/../victim.html", "staff/../victim.html", "staff/..\\victim.html",
        "index-1.html/../victim.html", "..", "",
    ],
)  # fmt: skip
def test_a_forged_list_reaches_nothing_else(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "report"
    (folder / "staff").mkdir(parents=True)
    victims = [tmp_path / "victim.html", folder / "victim.html", folder / "staff" / "victim"]
    for victim in victims:
        victim.write_text("")
    (folder / FILE_NAME).write_text(f"{path}\t1\t0\t0\n{path}\n")
    render(folder)
    assert all(victim.exists() for victim in victims)


def test_a_list_that_cannot_be_read_removes_nothing(tmp_path: Path) -> None:
    render(tmp_path, "a.html")
    (tmp_path / FILE_NAME).write_bytes(b"\xff\n")
    render(tmp_path, "b.html")
    assert pages(tmp_path) == {f"{part}/{name}.html" for part in ("staff", "students") for name in "ab"}


def interrupted(folder: Path, *written: str, due: tuple[str, ...]) -> None:
    """Begin a report whose pages are due, and end after some of them."""
    report = PageList(folder)
    for path in due:
        assert not report.stands(path, "1")
    report.announce(due)
    for path in written:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("ours")


def test_pages_of_a_first_report_that_was_killed_are_known_to_the_next(tmp_path: Path) -> None:
    due = ("staff/a.html", "staff/b.html", "index-2.html")
    interrupted(tmp_path, "staff/a.html", "staff/b.html", "index-2.html", due=due)
    render(tmp_path, "a.html")
    assert pages(tmp_path) == {"staff/a.html", "students/a.html"}
    assert not (tmp_path / "index-2.html").exists()


def test_a_report_that_was_killed_still_knows_the_pages_of_the_one_before(tmp_path: Path) -> None:
    render(tmp_path, "a.html", "b.html")
    interrupted(tmp_path, "staff/c.html", due=("staff/c.html", "staff/d.html"))
    interrupted(tmp_path, due=("staff/d.html",))
    assert render(tmp_path, "a.html") == set()
    assert pages(tmp_path) == {"staff/a.html", "students/a.html"}


def test_what_a_killed_report_had_not_come_to_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff" / "mine.html").write_text("mine")
    interrupted(tmp_path, due=("staff/mine.html", "staff/none.html"))
    assert render(tmp_path, "none.html") == {"staff/none.html", "students/none.html"}
    assert pages(tmp_path) == {"staff/mine.html", "staff/none.html", "students/none.html"}


def test_where_nothing_new_is_due_the_list_is_left_alone(tmp_path: Path) -> None:
    render(tmp_path, "a.html")
    before = (tmp_path / FILE_NAME).stat()
    PageList(tmp_path).announce(["staff/a.html"])
    assert (tmp_path / FILE_NAME).stat() == before

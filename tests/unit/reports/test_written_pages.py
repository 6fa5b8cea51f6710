"""Pages of students who left the batch go; nothing that we did not write ever does."""

from pathlib import Path

import pytest

from grader.reports.written_pages import FILE_NAME, Written


def render(folder: Path, *names: str) -> None:
    written = Written(folder)
    for name in names:
        for part in ("staff", "students"):
            (folder / part).mkdir(exist_ok=True)
            (folder / part / name).write_text(name)
        written.add(name)
    written.finish()


def pages(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.glob("*/*")}


def test_pages_that_are_not_written_again_are_removed(tmp_path: Path) -> None:
    render(tmp_path, "a.html", "b.html")
    render(tmp_path, "b.html")
    assert pages(tmp_path) == {"staff/b.html", "students/b.html"}


def test_what_we_did_not_write_stays(tmp_path: Path) -> None:
    render(tmp_path, "a.html")
    (tmp_path / "staff" / "mine.html").write_text("")
    render(tmp_path)
    assert pages(tmp_path) == {"staff/mine.html"}


@pytest.mark.parametrize(
    "line", ["../victim.html", "/victim.html", "..\\victim.html", "victim", ".html", ".."]
)
def test_a_forged_list_reaches_nothing_else(tmp_path: Path, line: str) -> None:
    folder = tmp_path / "report"
    (folder / "staff").mkdir(parents=True)
    (folder / "victim.html").write_text("")
    (folder / "staff" / "victim").write_text("")
    (folder / FILE_NAME).write_text(f"{line}\n")
    render(folder)
    assert (folder / "victim.html").exists()
    assert (folder / "staff" / "victim").exists()


def test_a_list_that_cannot_be_read_removes_nothing(tmp_path: Path) -> None:
    render(tmp_path, "a.html")
    (tmp_path / FILE_NAME).write_bytes(b"\xff\n")
    render(tmp_path, "b.html")
    assert pages(tmp_path) == {f"{part}/{name}.html" for part in ("staff", "students") for name in "ab"}

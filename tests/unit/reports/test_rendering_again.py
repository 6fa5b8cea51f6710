"""Rendering into the same folder again: what would be the same stays, and nothing stale does."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.results_sample import RUN, TASK, submissions

from grader.model.results import RunResults
from grader.reports.render import render_all
from grader.store.reading import read_results, stream_results, with_texts
from grader.store.results_json import write_results


def document() -> RunResults:
    """Return the sample's results, of a later run."""
    return RunResults(replace(RUN, id="later", finished="2030-01-01T00:00:00Z"), TASK, submissions())


def stamps(folder: Path) -> dict[str, int]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "pages.txt")
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in paths}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    render_all(RunResults(RUN, TASK, submissions()), tmp_path)
    return tmp_path


def written_again(report: Path, again: RunResults, *, released: bool = False) -> set[str]:
    before = stamps(report)
    render_all(again, report, released)
    after = stamps(report)
    assert after.keys() == before.keys()
    return {path for path in after if after[path] != before[path]}


def test_another_run_that_found_the_same_writes_the_index_alone(report: Path) -> None:
    assert written_again(report, document()) == {"index.html"}
    assert "2030-01-01" in (report / "index.html").read_text("utf-8")


def test_a_result_that_changed_is_shown_everywhere(report: Path) -> None:
    again = document()
    first, second, *others = again.submissions
    again = replace(again, submissions=[first, replace(second, mark=Fraction(1, 4)), *others])
    name = f"{second.id}.html"
    pages = {f"staff/{name}", f"students/{name}"}
    assert written_again(report, again) == {*pages, "index.html", "marks.csv", "junit.xml"}


def test_what_students_may_see_now_reaches_their_pages_and_goes_again(report: Path) -> None:
    before = (report / "students" / "student-02.html").read_bytes()
    assert written_again(report, document(), released=True) >= {"students/student-02.html"}
    assert written_again(report, document()) >= {"students/student-02.html"}
    after = (report / "students" / "student-02.html").read_text("utf-8")
    assert (
        after.replace("2030-01-01 00:00 UTC", "").split("<footer")[0] == before.decode().split("<footer")[0]
    )


def test_another_title_of_the_task_reaches_every_page(report: Path) -> None:
    again = replace(document(), task=replace(TASK, title="Another"))
    assert written_again(report, again) == set(stamps(report))


@pytest.mark.parametrize("spoilt", ["", "<!doctype html>"])
def test_a_page_that_was_cut_is_written_again(report: Path, spoilt: str) -> None:
    page = report / "staff" / "student-01.html"
    whole = page.read_bytes()
    page.write_text(spoilt)
    render_all(RunResults(RUN, TASK, submissions()), report)
    assert page.read_bytes() == whole


def test_a_file_that_is_streamed_and_one_that_is_read_whole_have_the_same_texts(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, document())
    streamed, whole = (
        [text for _, text in with_texts(found.submissions)]
        for found in (stream_results(path), read_results(path))
    )
    assert streamed == whole
    assert len(set(whole)) == len(submissions())

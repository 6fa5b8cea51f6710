"""Students' files that several processes render: the same bytes, the same errors, and nothing left behind."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from support.many_results import many_results, write_many_results
from support.processes import alive, descendants
from support.rows import first_of

from grader.model.errors import UsageError
from grader.model.results import RunResults
from grader.reports import render as rendering
from grader.reports import student_files
from grader.reports.render import render
from grader.reports.student_files import Common, Due, StudentPages, make_in_processes
from grader.store.reading import stream_results

COUNT = 41


@pytest.fixture(autouse=True)
def _small_work_is_worth_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(student_files, "_CHUNK_LENGTH", 20_000)


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the pools that were started."""
    started: list[int] = []

    def counted(common: Common, due: Iterable[Due], processes: int) -> Iterator[StudentPages]:
        started.append(processes)
        return make_in_processes(common, due, processes)

    monkeypatch.setattr(rendering, "make_in_processes", counted)
    return started


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    # Where processes are not forked, Python starts one of its own for them, which stays.
    resource_tracker.ensure_running()
    before = descendants(os.getpid())
    yield
    assert alive(descendants(os.getpid())) <= before


def rendered(
    folder: Path, document: RunResults, processes: int, *, released: bool = False
) -> dict[str, bytes]:
    """Render into the folder, and return what every file holds, but for the order and times in the list."""
    folder.mkdir(exist_ok=True)
    render(document, folder, released, processes)
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    lines = sorted(line.rpartition(b"\t")[0] for line in found["pages.txt"].splitlines())
    return {**found, "pages.txt": b"\n".join(lines)}


@pytest.mark.parametrize("released", first_of([False, True]))
def test_the_number_of_processes_changes_no_byte(tmp_path: Path, pools: list[int], released: bool) -> None:
    document = stream_results(write_many_results(tmp_path / "results", COUNT) / "results.json")
    one, two, three = (
        rendered(tmp_path / str(processes), document, processes, released=released) for processes in (1, 2, 3)
    )
    assert pools == [2, 3]
    assert one == two == three
    assert len(one) == 2 * COUNT + 4


def test_a_document_that_is_in_memory_is_rendered_alike(tmp_path: Path, pools: list[int]) -> None:
    document = many_results(COUNT)
    assert rendered(tmp_path / "1", document, 1) == rendered(tmp_path / "2", document, 2)
    assert pools == [2]


def test_what_stands_needs_no_process(tmp_path: Path, pools: list[int]) -> None:
    before = rendered(tmp_path / "out", many_results(COUNT), 1)
    assert rendered(tmp_path / "out", many_results(COUNT), 2) == before
    assert pools == []


@pytest.mark.acceptance  # `make test` has what stands
def test_only_pages_that_do_not_stand_are_written(tmp_path: Path, pools: list[int]) -> None:
    document = many_results(COUNT)
    before = rendered(tmp_path / "out", document, 2)
    (tmp_path / "out" / "staff" / "student-00007.html").unlink()
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("st*/*.html")}
    assert rendered(tmp_path / "out", document, 2) == before
    assert all(path.stat().st_mtime_ns == time for path, time in times.items())
    assert len(pools) == 2


def test_little_work_is_not_worth_a_process(
    tmp_path: Path, pools: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = many_results(COUNT)
    monkeypatch.setattr(rendering, "_WORTH_A_PROCESS", 1 << 30)
    rendered(tmp_path / "little", document, 8)
    assert pools == []
    monkeypatch.setattr(rendering, "_WORTH_A_PROCESS", 100_000)
    rendered(tmp_path / "more", document, 8)
    assert len(pools) == 1
    assert 2 <= pools[0] < 8


def test_of_two_students_with_one_id_the_later_has_the_page(tmp_path: Path, pools: list[int]) -> None:
    document = many_results(COUNT)
    first, *others = document.submissions
    document = replace(document, submissions=[first, *others, replace(others[0], id=first.id)])
    assert rendered(tmp_path / "1", document, 1) == rendered(tmp_path / "8", document, 8)
    assert pools == []


def test_a_page_that_cannot_be_written_is_told_as_ever(tmp_path: Path) -> None:
    for processes in (1, 2):
        folder = tmp_path / str(processes)
        page = folder / "students" / "student-00030.html"
        (page / "below").mkdir(parents=True)
        with pytest.raises(UsageError) as caught:
            render(many_results(COUNT), folder, False, processes)
        (fault,) = caught.value.faults
        assert fault.message == "the report cannot be written: Is a directory"
        assert Path(fault.where).parent == page.parent
        assert not (folder / "index.html").exists()
        assert not (folder / "junit.xml").exists()
        assert list(folder.rglob("*.part")) == []


def test_where_no_process_can_be_started_the_grader_does_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    expected = rendered(tmp_path / "1", many_results(COUNT), 1)
    monkeypatch.setattr("grader.runtime.start.pool", none_left)
    assert rendered(tmp_path / "2", many_results(COUNT), 2) == expected

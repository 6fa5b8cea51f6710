"""Summaries that are kept beside results: they hold for one content alone, and nothing depends on them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.every_detail import submissions as detailed
from support.results_sample import RUN, TASK
from support.results_sample import submissions as sample

from grader.model.errors import UsageError
from grader.model.results import RunResults
from grader.store.kept_summaries import kept_summaries
from grader.store.results_json import write_results
from grader.store.summaries import Summary, summaries

KEPT = ".summaries.json"
MARK = '"mark": "'


def fresh(path: Path) -> list[Summary]:
    return list(summaries(path)[1])


@pytest.fixture(params=[sample, detailed], ids=["sample", "every detail"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "results.json"
    write_results(path, RunResults(RUN, TASK, request.param()))
    return path


def test_they_are_those_of_the_results(path: Path) -> None:
    first = kept_summaries(path)[1]
    assert first == fresh(path)
    assert path.with_name(KEPT).exists()
    head, again = kept_summaries(path)
    assert again == first
    assert head.task == summaries(path)[0].task


def test_what_was_kept_is_what_is_read(path: Path) -> None:
    kept_summaries(path)
    place = path.with_name(KEPT)
    content = json.loads(place.read_text())
    content["submissions"][0]["mark"] = "0.125"
    place.write_text(json.dumps(content))
    assert str(kept_summaries(path)[1][0].mark) == "1/8"


def test_results_that_are_replaced_meanwhile_are_read_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run can end between the digest and the head: marks of two runs never stand together."""
    kept_summaries(path)
    other = path.with_name("other.json")
    other.write_text(path.read_text().replace(MARK, MARK + "1", 1))

    def late(place: Path) -> tuple[RunResults, Iterator[Summary]]:
        if other.exists():
            other.replace(place)
        return summaries(place)

    monkeypatch.setattr("grader.store.kept_summaries.summaries", late)
    assert kept_summaries(path)[1] == fresh(path)


def test_results_of_another_content_are_read_anew(path: Path) -> None:
    kept_summaries(path)
    before = path.stat()
    text = path.read_text()
    changed = text.replace(MARK, MARK + "1", 1)
    assert changed != text
    path.write_text(changed)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kept_summaries(path)[1] == fresh(path)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"schema": 1}', "[" * 100_000, "\0", "null"])
def test_a_damaged_file_counts_as_none(path: Path, content: str) -> None:
    kept_summaries(path)
    path.with_name(KEPT).write_text(content)
    assert kept_summaries(path)[1] == fresh(path)


def test_they_need_not_be_written(path: Path) -> None:
    path.with_name(KEPT).mkdir()
    assert kept_summaries(path)[1] == fresh(path)


def test_damaged_results_are_told_and_nothing_is_kept(path: Path) -> None:
    path.write_text(path.read_text().replace(MARK, MARK + "x", 1))
    with pytest.raises(UsageError, match="is damaged"):
        kept_summaries(path)
    assert not path.with_name(KEPT).exists()


def test_another_layout_is_read_whole(path: Path) -> None:
    expected = kept_summaries(path)[1]
    path.with_name(KEPT).unlink()
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert kept_summaries(path)[1] == expected
    assert not path.with_name(KEPT).exists()

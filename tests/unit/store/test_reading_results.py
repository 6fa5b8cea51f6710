"""A results file that is missing, cut or foreign is one clear message."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.results_sample import as_json, results

from grader.model.errors import UsageError
from grader.store.reading import read_results, stream_results
from grader.store.results_json import write_results

READERS = pytest.mark.parametrize("read", [read_results, stream_results])


def refusal(read: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read(path)
    (fault,) = caught.value.faults
    assert fault.where.startswith(str(path))
    return fault.message


@READERS
def test_missing(read: Callable[[Path], object], tmp_path: Path) -> None:
    assert refusal(read, tmp_path / "results.json") == "there is no such file"


@READERS
def test_a_folder(read: Callable[[Path], object], tmp_path: Path) -> None:
    assert "cannot be read" in refusal(read, tmp_path)


@READERS
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9, 0.999])
def test_cut(read: Callable[[Path], object], tmp_path: Path, share: float) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert "cut off" in refusal(read, path)


@READERS
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"student,mark\na,1\n", "is not JSON"),
        (b"[1, 2]", 'it has no "schema"'),
        (b'{"score": 3}', 'it has no "schema"'),
        (b"\xff\xfe{}", "is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"schema": "grader-results/2"}', 'has the schema "grader-results/2"'),
        (b'{"schema": "grader-results/1", "run": {}}', "the document lacks submissions, task"),
        (
            b'{"schema": "grader-results/1", "run": 3, "task": {}, "submissions": []}',
            "the run is not an object",
        ),
        (
            b'{"schema": "grader-results/1", "run": null, "task": {}, "submissions": []}',
            "the run is not an object",
        ),
    ],
)
def test_foreign(read: Callable[[Path], object], tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(content)
    assert message in refusal(read, path)


def test_a_newer_schema_has_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text('{"schema": "grader-results/9"}')
    with pytest.raises(UsageError, match="newer version"):
        read_results(path)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("submissions", 1, "mark"), "submission 2 lacks mark"),
        (("submissions", 0, "questions", 0, "cases"), "a question of submission 1 lacks cases"),
        (("submissions", 0, "questions", 0, "cases", 0, "call"), "a case of submission 1 lacks call"),
        (("run", "sandbox"), "the run lacks sandbox"),
        (("run", "sandbox", "guarantees"), "the sandbox lacks guarantees"),
    ],
)
def test_incomplete(tmp_path: Path, path: tuple[Any, ...], message: str) -> None:
    broken = as_json(results())
    place = broken
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    file = tmp_path / "results.json"
    file.write_text(json.dumps(broken))
    assert message in refusal(read_results, file)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("submissions", 1, "mark"), "x9.5"),
        (("submissions", 1, "mark"), "1/0"),
        (("submissions", 1, "mark"), "9" * 400),
        (("submissions", 1, "late_s"), 10**400),
        (("submissions", 0, "questions", 0, "cases", 0, "wall_s"), 10**400),
        (("submissions", 0, "questions", 0, "max_mark"), 2),
        (("submissions", 0, "questions", 0, "cases", 0, "weight"), []),
        (("submissions", 0, "questions", 0, "cases", 0, "cpu_s"), float("inf")),
        (("submissions", 0, "questions", 0, "cases", 0, "raised"), 5),
        (("submissions", 0, "problems"), [None]),
        (("run", "started"), None),
        (("task", "max_mark"), "eleven"),
    ],
)
def test_a_value_of_another_kind(tmp_path: Path, path: tuple[Any, ...], value: object) -> None:
    broken = as_json(results())
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    file = tmp_path / "results.json"
    file.write_text(json.dumps(broken))
    assert "has a value of another kind than a run writes" in refusal(read_results, file)


def test_a_spoilt_line_is_found_while_streaming(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    lines = path.read_text().splitlines(keepends=True)
    second = next(index for index, line in enumerate(lines) if line.startswith('{"id": "student-02'))
    lines[second] = '{"id": "student-02",\n'
    path.write_text("".join(lines))
    streamed = stream_results(path)
    with pytest.raises(UsageError, match="submission 2 is not JSON"):
        list(streamed.submissions)


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (b'"\xff"', "is not UTF-8 text"),
        (b"1" * 5_000, "a number that is too long"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_in_a_submission_is_told(tmp_path: Path, spoilt: bytes, message: str) -> None:
    path = tmp_path / "results.json"
    write_results(path, results())
    place = b'{"id": "student-02"'
    path.write_bytes(path.read_bytes().replace(place, b'{"more": ' + spoilt + b", " + place[1:]))
    streamed = stream_results(path)
    with pytest.raises(UsageError, match=message):
        list(streamed.submissions)
    assert message in refusal(read_results, path)


@READERS
def test_of_a_run_that_has_not_ended(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").touch()
    assert refusal(read, tmp_path / "results.json").startswith("is not there yet: the run into this folder")

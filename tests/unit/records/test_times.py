"""Times of submission from YAML, CSV and Gradescope's metadata, and how each may be wrong."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.records.times.by_student import Times, read_times

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def all_times(folder: Path, text: str | bytes, name: str = "times.yaml") -> Times:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_times(path)


def times(folder: Path, text: str | bytes, name: str = "times.yaml") -> dict[str, datetime]:
    return {student: every[-1] for student, every in all_times(folder, text, name).items()}


def faults(folder: Path, text: str | bytes, name: str = "times.yaml") -> list[str]:
    with pytest.raises(UsageError) as caught:
        times(folder, text, name)
    assert caught.value.exit_code == 2
    return [f"{fault.where.removeprefix(str(folder))} {fault.message}" for fault in caught.value.faults]


def test_yaml(tmp_path: Path) -> None:
    text = "# when\na: 2026-11-21T12:00Z\n'12': 2026-11-21T13:00+01:00\n"
    assert times(tmp_path, text) == {"a": NOON, "12": NOON}
    assert times(tmp_path, "") == {}


def test_csv_in_any_order_of_columns_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = '\ufeffName,Submitted,Student\r\n"A, B",2026-11-21T12:00Z,a\r\nC,,b\r\n'
    assert times(tmp_path, text, "times.CSV") == {"a": NOON}


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_csv_as_excel_writes_it(tmp_path: Path, encoding: str) -> None:
    text = "student;submitted\r\nZoë;2026-11-21T12:00Z\r\n"
    assert times(tmp_path, text.encode(encoding), "times.csv") == {"Zoë": NOON}


def test_of_several_attempts_the_latest_comes_last(tmp_path: Path) -> None:
    text = "a: [2026-11-21T12:00Z, 2026-11-20T12:00Z]"
    assert all_times(tmp_path, text) == {"a": (NOON - timedelta(days=1), NOON)}
    assert times(tmp_path, "a: [2026-11-21T12:00Z, 2026-11-20T12:00Z]") == {"a": NOON}
    text = "student,submitted\na,2026-11-21T12:00Z\na,2026-11-20T12:00Z\n"
    assert times(tmp_path, text, "times.csv") == {"a": NOON}


GRADESCOPE = """\
---
submission_1:
  :submitters:
  - :name: "Ada: &x"
    :sid: '1'
  :created_at: &1 2026-11-21 12:00:00.000000000 Z
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    :created_at: 1999-01-01 00:00:00 Z
    ? [a, b]
    : :created_at
    tests: [{output: ":created_at: 1998-01-01 00:00:00 Z"}]
  :history:
  - :created_at: 1997-01-01 00:00:00 Z
submission_2:
  :created_at: *1
submission_3:
  :score: 1.0
"""


def test_gradescope(tmp_path: Path) -> None:
    found = times(tmp_path, GRADESCOPE, "submission_metadata.yml")
    assert found == {"submission_1": NOON, "submission_2": NOON}


def test_mistakes_have_their_places(tmp_path: Path) -> None:
    assert faults(tmp_path, "a: 2026-11-21\nb: {c: d}\na: 2026-11-21T12:00Z") == [
        "/times.yaml:1:4 `2026-11-21` is not a point in time with its zone",
        "/times.yaml:2:4 this is not a point in time with its zone",
        "/times.yaml:3:1 `a` is given twice, on line 1 and on line 3",
    ]
    assert faults(tmp_path, "student,submitted\na,soon\n", "t.csv") == [
        "/t.csv:2 `soon` is not a point in time with its zone"
    ]
    assert faults(tmp_path, "name,submitted\n", "t.csv") == [
        "/t.csv:1 there is no column `student`; expected the columns student and submitted"
    ]
    two = "student,submitted,Submitted\na,2026-11-21T12:00Z,2026-11-21T12:00Z\n"
    assert faults(tmp_path, f"{two}b,2026-11-21T12:00Z,2026-11-20T12:00Z\n", "t.csv") == [
        "/t.csv:3 the times: two columns are called `Submitted`, and here they differ"
    ]
    assert faults(tmp_path, "submission_1:\n  :created_at: soon", "submission_metadata.yml") == [
        "/submission_metadata.yml submission_1: `soon` is not a point in time"
    ]
    assert faults(tmp_path, "a: [", "submission_metadata.yml") == [
        "/submission_metadata.yml:2:1 this is not the metadata of a Gradescope export"
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_cells_are_apart_as_the_program_for_tables_writes_them(tmp_path: Path, sign: str) -> None:
    rows = ("Submitted,student,note", '2026-11-21T12:00:00+00:00,a,"x, y"', ",b,")
    assert times(tmp_path, "\n".join(row.replace(",", sign) for row in rows), "t.csv") == {"a": NOON}


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        read_times(tmp_path / "absent.yaml")
    with pytest.raises(UsageError, match="Is a directory"):
        read_times(tmp_path)
    assert faults(tmp_path, b"a: \xff") == ["/times.yaml the times can't be read: this is not UTF-8 text"]

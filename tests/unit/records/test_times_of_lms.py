"""Times as LMSs write them: Moodle's worksheet in the site's language, and what Canvas's API answers."""

import csv
import io
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.class_of_40.people import CLASS
from support.class_of_40.sheets import moodle

from grader.model.errors import UsageError
from grader.records.times import written_dates
from grader.records.times.by_student import Times, in_zone, read_times, together
from grader.records.times.worksheet import has_times
from grader.records.times.written_dates import written_date

AFTERNOON = datetime(2026, 9, 10, 14, 5)


@pytest.mark.parametrize(
    "text",
    [
        "Thursday, 10 September 2026, 2:05 PM",
        "Thursday, September 10, 2026, 2:05 PM",
        "Thursday, 10 September 2026, 14:05 PM",
        "Donnerstag, 10. September 2026, 14:05",
        "jeudi 10 septembre 2026, 14:05",
        "jeudi 10 septembre 2026 à 14h05",
        "jueves, 10 de septiembre de 2026, 14:05",
        "giovedì, 10 settembre 2026, 14:05",
        "quinta-feira, 10 de setembro de 2026 às 14:05",
        "donderdag, 10 september 2026, 2:05  p.m.",
        "czwartek, 10 września 2026, 14:05",
        "torstaina 10. syyskuuta 2026, 14.05",
        "čtvrtek, 10. září 2026, 14.05",
        "  THURSDAY,\N{NO-BREAK SPACE}10 SEPTEMBER 2026, 2:05 P. M.  ",
    ],
)
def test_dates_in_words(text: str) -> None:
    assert written_date(text) == AFTERNOON


@pytest.mark.parametrize(
    "text",
    [
        "10/09/2026, 14:05",
        "Thursday, 10 Septembre 20266, 14:05",
        "Thursday, 31 September 2026, 14:05",
        "Thursday, 10 September 2026, 25:05",
        "Thursday, 10 September 2026",
        "10 September or 11 October 2026, 14:05",
        "10 September 2026, 14:05 or 15:05",
        "September 2026, 14:05",
        # October in Croatian, and November in Polish.
        "subota, 10. listopada 2026., 14:05",
        "Friday, 10 September 2026, 14:05",
        # A half of the day in words that nobody knows here.
        "torsdag, 10 september 2026, 2:05 em",
    ],
)
def test_what_is_no_date_that_is_known(text: str) -> None:
    assert written_date(text) is None


def test_noon_and_midnight() -> None:
    hours = [written_date(f"1 May 2026, {clock}") for clock in ("12:00 AM", "12:00 PM", "0:00", "1:00 am")]
    assert [time.hour if time is not None else None for time in hours] == [0, 12, 0, 1]


def test_no_month_is_another_one_in_another_language() -> None:
    rows = [row.split() for row in written_dates._MONTHS.strip().split("\n")]
    assert {len(row) for row in rows} == {12}
    numbers = {(word, number) for row in rows for number, word in enumerate(row)}
    assert max(Counter(word for word, _ in numbers).values()) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_moodles_worksheet(tmp_path: Path, language: str) -> None:
    path = tmp_path / "worksheet.csv"
    path.write_bytes(moodle.blank(language=language))
    assert has_times(path)
    handed_in = [(one.participant, one.counted()) for one in CLASS]
    expected = {
        f"moodle-{participant}": (attempt.at.replace(second=0, microsecond=0, tzinfo=None),)
        for participant, attempt in handed_in
        if attempt is not None
    }
    assert read_times(path) == expected


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_worksheet_whose_columns_were_moved(tmp_path: Path, language: str) -> None:
    path, moved = tmp_path / "worksheet.csv", tmp_path / "moved.csv"
    path.write_bytes(moodle.blank(language=language))
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    for row in rows[1:]:
        row[-2] = "Thursday, 31 December 2026, 2:05 PM"
    with moved.open("w", newline="", encoding="utf-16") as file:
        csv.writer(file, delimiter="\t").writerows([row[0], *reversed(row[1:])] for row in rows)
    assert read_times(moved) == read_times(path)


def test_a_date_that_is_not_known_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "worksheet.csv"
    text = moodle.blank().decode("utf-8-sig").replace("Saturday, 31 October 2026, 8:00 PM", "soon", 1)
    path.write_text(text, encoding="utf-16")
    with pytest.raises(UsageError) as caught:
        read_times(path)
    (fault,) = caught.value.faults
    assert (fault.message, fault.where) == ("`soon` is no date that is known", f"{path}:2")


def test_other_sheets_have_no_times_of_this_kind(tmp_path: Path) -> None:
    path = tmp_path / "any.csv"
    for content in (b"", b"student,submitted\nParticipant 7,2026-11-21T12:00Z\n", b"\xff\xfe", b"PK\3\4"):
        path.write_bytes(content)
        assert not has_times(path)
    assert not has_times(tmp_path / "absent.csv")
    path.write_text("student,submitted\nParticipant 7,2026-11-21T12:00Z\n")
    assert list(read_times(path)) == ["Participant 7"]


CANVAS = [
    {"user_id": 501, "submitted_at": "2026-11-21T12:00:00Z", "late": False},
    {"user_id": 502, "submitted_at": None, "workflow_state": "unsubmitted"},
    {"anonymous_id": "aB09z", "submitted_at": "2026-11-21T13:00:00+01:00"},
    {
        "user_id": 503,
        "submitted_at": "2026-11-22T12:00:00Z",
        "submission_history": [
            {"submitted_at": "2026-11-21T12:00:00Z", "attempt": 1},
            {"submitted_at": "2026-11-22T12:00:00Z", "attempt": 2},
        ],
    },
]


@pytest.mark.parametrize("guard", ["", "while(1);"])
def test_canvas(tmp_path: Path, guard: str) -> None:
    path = tmp_path / "submissions.json"
    path.write_text(guard + json.dumps(CANVAS))
    noon, next_day = datetime(2026, 11, 21, 12, tzinfo=UTC), datetime(2026, 11, 22, 12, tzinfo=UTC)
    assert read_times(path) == {
        "canvas-501": (noon,),
        "canvas-anon-aB09z": (noon,),
        "canvas-503": (noon, next_day),
    }


@pytest.mark.parametrize(
    "text",
    [
        *("{", "{}", "[1]", '[{"user_id": "501"}]', '[{"user_id": true}]', "[" * 100_000, ""),
        '[{"user_id": 5, "submitted_at": "soon"}]',
        '[{"user_id": 5, "submitted_at": ["2026-11-21T12:00:00Z"]}]',
        '[{"user_id": 5, "submitted_at": {}}]',
    ],
)
def test_what_is_not_canvass_answer(tmp_path: Path, text: str) -> None:
    path = tmp_path / "submissions.json"
    path.write_text(text)
    with pytest.raises(UsageError):
        read_times(path)


def test_a_history_without_times_hides_no_time(tmp_path: Path) -> None:
    path = tmp_path / "submissions.json"
    one = {"user_id": 501, "submitted_at": "2026-11-21T12:00:00Z"}
    path.write_text(json.dumps([one | {"submission_history": [{"submitted_at": None}, "x"]}]))
    assert read_times(path) == {"canvas-501": (datetime(2026, 11, 21, 12, tzinfo=UTC),)}


def test_files_add_up_and_a_time_that_two_have_stands_once() -> None:
    one: Times = in_zone({"a": (AFTERNOON,), "b": (AFTERNOON,)}, UTC)
    two: Times = {"a": (AFTERNOON.replace(tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))}
    assert {student: len(times) for student, times in together([one, two]).items()} == {"a": 2, "b": 1}


def test_a_time_that_one_file_has_twice_is_that_of_two_attempts() -> None:
    one: Times = {"a": (AFTERNOON.replace(tzinfo=UTC),) * 2}
    assert together([one, one]) == one

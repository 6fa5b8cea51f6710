"""Times and reviews are given to whom they are about."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.intake import discover
from grader.intake.attempts import MOST_ATTEMPTS, with_attempts
from grader.model.submission import Remark, Review
from grader.records.attach import with_records

MODULES = {"work": "work.py"}
FIRST = datetime(2026, 11, 1, tzinfo=UTC)


def times_of_attempts(folder: Path, attempts: int, times: int) -> tuple[list[datetime | None], list[str]]:
    """Return the times that the marked attempts of a student get, a day after another, and what is told."""
    for number in range(1, attempts + 1):
        work = folder / "ada" / f"attempt-{number}" / "work.py"
        work.parent.mkdir(parents=True)
        work.write_text(f"x = {number}\n")
    notes: list[str] = []
    candidates = with_attempts(discover([folder], MODULES), MODULES, lambda _: None)
    days = [FIRST + timedelta(days=number) for number in range(times)]
    (ada,) = with_records(candidates, {"ada": days}, {}, notes.append)
    return [each.record.submitted if each.record is not None else None for each in ada.attempts], notes


def test_attempts_that_are_left_out_keep_their_times(tmp_path: Path) -> None:
    """Else all would count as handed in at the latest, and those in time as late."""
    found, notes = times_of_attempts(tmp_path, MOST_ATTEMPTS + 2, MOST_ATTEMPTS + 2)
    assert found == [FIRST + timedelta(days=2 + number) for number in range(MOST_ATTEMPTS)]
    assert notes == []


def test_with_fewer_times_than_attempts_the_latest_holds_for_all(tmp_path: Path) -> None:
    found, notes = times_of_attempts(tmp_path, MOST_ATTEMPTS + 2, MOST_ATTEMPTS)
    assert found == [FIRST + timedelta(days=MOST_ATTEMPTS - 1)] * MOST_ATTEMPTS
    assert notes == ["ada has 22 attempts and 20 times; all are taken for handed in at the latest"]


def test_remarks_under_two_names_of_a_student_are_all_there(tmp_path: Path) -> None:
    for name in ("amy", "AMY"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "work.py").write_text("x = 1\n")
    candidates = discover([tmp_path], MODULES)
    own = next(each.id for each in candidates if each.claimed == "amy")
    remarks = [Remark(comment=text, by="A. Marker") for text in ("Well written.", "Come and see me.")]
    reviews = {name: Review(remarks=(one,)) for name, one in zip((own, "amy"), remarks, strict=True)}
    found = {each.id: each.record for each in with_records(candidates, {}, reviews)}[own]
    assert found is not None
    assert found.review.remarks == tuple(remarks)

"""What people write for somebody who has handed in nothing yet holds when the work comes."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.intake import Candidate
from grader.model.errors import UsageError
from grader.records.beside import Sources
from grader.records.handed_in import handed_in
from grader.spec import load_task

SPEC = """\
task: t
title: T
marks: 1
modules: {m: m.py}
late: {deadline: 2036-11-20T12:00:00Z, then: 50%, extensions: extensions.yaml}
questions:
  - {id: q, title: Q, marks: 1, cases: [{call: f(), returns: 1}]}
"""
DOWNLOAD = ("Ada Fox_701_assignsubmission_file", "Di Dun_702_assignsubmission_file")
OWN = "student,name,mail,login\ns1,Ada Fox,ada@u.edu,adaf\ns2,Di Dun,di@u.edu,did\n"
PARTICIPANTS = (
    "First name,Last name,ID number,Email address,Groups\nAda,Fox,007,ada@u.edu,\nDi,Dun,010,di@u.edu,\n"
)
OVERRIDE = "- {{student: {}, by: A, overrides: [{{marks: 1, reason: agreed}}]}}\n"


def batch(
    folder: Path,
    works: Iterable[str],
    roster: str,
    name: str,
    *,
    review: str = "",
    batch: str = "in",
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, Candidate]:
    """Return the submissions by the name of the person.  name: whom the extension is for."""
    (folder / "t.yaml").write_text(SPEC, "utf-8")
    (folder / "extensions.yaml").write_text(f'"{name}": 48h\n', "utf-8")
    (folder / "r.csv").write_text(roster, "utf-8")
    for work in works:
        (folder / "in" / work).mkdir(parents=True, exist_ok=True)
        (folder / "in" / work / "m.py").write_text("x = 1\n", "utf-8")
    if review:
        (folder / "mine.yaml").write_text(OVERRIDE.format(review), "utf-8")
    files = Sources(roster=folder / "r.csv", reviews=(folder / "mine.yaml",) if review else ())
    found = handed_in(load_task(folder / "t.yaml"), [folder / batch], files, note)
    return {each.name: each for each in found}


def deadline(found: Candidate) -> datetime | None:
    record, late = found.record, datetime(2036, 11, 20, 12, tzinfo=UTC)
    return record.extension.ends(late) if record is not None and record.extension is not None else late


@pytest.mark.parametrize(
    ("roster", "works", "name", "then"),
    [
        pytest.param(OWN, ("adaf", "did"), "s2", "did", id="the roster's id"),
        pytest.param(OWN, DOWNLOAD, "did", "moodle-702", id="a login"),
        pytest.param(OWN, DOWNLOAD, "di@u.edu", "moodle-702", id="a mail"),
        pytest.param(PARTICIPANTS, DOWNLOAD, "010", "moodle-702", id="an ID number"),
        pytest.param(
            "student,name,moodle\n,Ada Fox,701\n,Di Dun,702\n", DOWNLOAD, "702", "moodle-702", id="a number"
        ),
    ],
)
def test_an_extension_and_a_mark_hold_when_the_work_comes(
    tmp_path: Path, roster: str, works: tuple[str, str], name: str, then: str
) -> None:
    before = batch(tmp_path, works[:1], roster, name, review=f'"{name}"')["Di Dun"]
    now = batch(tmp_path, works, roster, name, review=f'"{name}"')["Di Dun"]
    assert (before.id != now.id, now.id) == (True, then)
    for each in (before, now):
        assert each.record is not None
        assert [one.reason for one in each.record.review.overrides] == ["agreed"]
    assert deadline(now) == datetime(2036, 11, 22, 12, tzinfo=UTC)


def test_an_extension_of_nobody_on_the_roster_is_told_and_stops_nothing(tmp_path: Path) -> None:
    """Who once had one may have left since."""
    notes: list[str] = []
    assert len(batch(tmp_path, ("adaf", "did"), OWN, "s3", note=notes.append)) == 2
    assert "the extensions name s3, who is not in this batch" in notes


def test_a_name_that_two_people_have_elsewhere_gives_nobody_more_time(tmp_path: Path) -> None:
    roster = "student,name,sis,github\ns1,Ada Fox,77,ada\ns2,Di Dun,78,77\n"
    found = batch(tmp_path, ("s1", "s2"), roster, "77")
    assert {each.is_doubtful for each in found.values()} == {True}


@pytest.mark.parametrize("works", [("adaf",), ("adaf", "did"), DOWNLOAD[:1]])
def test_a_folder_of_works_is_a_batch_also_with_one_work_left(tmp_path: Path, works: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as refused:
        batch(tmp_path, works, OWN, "s2", review="zoe")
    assert "there is no submission `zoe`" in refused.value.faults[0].message
    assert batch(tmp_path, works, OWN, "s3", review="zoe", batch=f"in/{works[0]}")["Ada Fox"].record


def test_moodles_number_is_not_taken_for_an_id_number(tmp_path: Path) -> None:
    notes: list[str] = []
    batch(tmp_path, DOWNLOAD, PARTICIPANTS, "702", note=notes.append)
    assert "the extensions name 702, who is not in this batch" in notes


def test_the_letters_of_a_mail_can_be_large_or_small(tmp_path: Path) -> None:
    roster = "student,name,mail,login\ns1,Ada Fox,Ada@U.edu,ada\n"
    ada = batch(tmp_path, ("ada",), roster, "ada@u.EDU", review="ADA@U.edu")["Ada Fox"]
    assert deadline(ada) == datetime(2036, 11, 22, 12, tzinfo=UTC)
    assert ada.record is not None
    assert ada.record.review.overrides

"""The class of 40 through every layout: the same students, files and times, and equal marks."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.class_of_40 import task as figures
from support.class_of_40.every import LAYOUTS
from support.class_of_40.layouts import brightspace, moodle
from support.class_of_40.people import CLASS
from support.class_of_40.rendered import Entry
from support.class_of_40.sheets import moodle as moodle_sheet
from support.command_line import grader

from grader.intake import Candidate, SourceKind, discover, read
from grader.model.errors import UsageError
from grader.records.handed_in import Sources, handed_in
from grader.spec import load_task

ALWAYS = ("moodle, flat", "classroom")
"""Layouts whose marks `make test` compares; `make acceptance` has the others."""
MODULES = {name.removesuffix(".py"): name for name in figures.MODULES}


def is_packed_twice(entry: Entry, layout: str) -> bool:
    """Tell whether the work lies in a zip in a zip of the student's own, which is not opened.

    LMSs without folders pack one that is uploaded; of `zips`, somebody has packed each student's work.
    Gradescope opens one zip itself.
    """
    packed = set() if layout.startswith("gradescope") else {"s27"}
    if layout.startswith(("canvas", "blackboard", "brightspace")):
        packed |= {"s28"}
    if layout == "zips":
        packed |= {"s28", "s29", "s30"}
    return not packed.isdisjoint(entry.students)


def lms_ids(candidate: Candidate) -> set[str]:
    """Return everything by which a layout may name a student."""
    person = candidate.person
    place = (candidate.path.name, *candidate.inside)[-1]
    ids = set(person.ids.values()) if person is not None else set()
    return ids | {candidate.id, candidate.name, place, place.removesuffix(".zip")}


def work(candidate: Candidate) -> dict[str, str]:
    """Return the sources that would be marked, by file name."""
    return {file.name.rpartition("/")[2]: file.text for file in read(candidate, MODULES).files.values()}


def attempts(candidates: Sequence[Candidate], entry: Entry) -> list[Candidate]:
    """Return the candidates of the students of an entry, in the order of their attempts."""
    return [one for one in candidates if entry.lms_id in lms_ids(one)]


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - {"classroom", "repositories"}))
def test_students_files_and_times_are_those_that_the_layout_has(layout: str, tmp_path: Path) -> None:
    rendered = LAYOUTS[layout](tmp_path)
    notes: list[str] = []
    found = discover([rendered.path], MODULES, notes.append)
    seen: list[Candidate] = []
    for entry in rendered.entries:
        own = attempts(found, entry)
        if layout == "zip of folders" and "\t" in entry.lms_id:
            # No LMS makes such a name in a zip.
            assert not own
            assert any("\tTab" in note and "control characters" in note for note in notes)
            continue
        together = {one.work for one in own if one.work}
        mine = own if not together else own[:1]
        assert mine, f"{entry.students} is missing"
        one = mine[entry.number - 1] if len(mine) > 1 else mine[0]
        seen += own
        if not is_packed_twice(entry, layout):
            text = {name: data.decode() for name, data in entry.work.items()}
            assert work(one) == text, entry.students
        if entry.at is not None and one.kind is not SourceKind.UNREAD:
            assert one.record is not None
            assert one.record.submitted is not None
            assert one.record.submitted.replace(tzinfo=None, microsecond=0) == entry.at.replace(tzinfo=None)
        elif layout.startswith("canvas"):
            assert one.is_late is entry.late
    assert {id(one) for one in seen} >= {id(one) for one in found if one.person is not None}
    assert len({one.id for one in found}) == len({one.student or one.id for one in found})


def spec_with_deadline(folder: Path, policy: str = "latest") -> Path:
    return figures.late_spec(folder, attempts=policy)


@pytest.mark.parametrize(
    "layout",
    [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.acceptance) for name in LAYOUTS],
)
def test_marks_are_equal(layout: str, tmp_path: Path) -> None:
    rendered = LAYOUTS[layout](tmp_path)
    spec = spec_with_deadline(tmp_path)
    done = grader("mark", spec, rendered.path, "-o", tmp_path / "out", "-q", "-j", "2")
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    marked = {one["id"]: one for one in results}
    found = handed_in(load_task(spec), [rendered.path], Sources(), lambda _: None)
    assert set(marked) == {one.id for one in found}
    last = {entry.students: entry for entry in rendered.entries}
    for entry in last.values():
        own = [marked[one.id] for one in attempts(found, entry)]
        assert own or (layout == "zip of folders" and "\t" in entry.lms_id), entry.students
        for one in own:
            if is_packed_twice(entry, layout):
                # Nobody's work gets lost without a word.
                assert (one["status"], one["mark"]) == ("marked", "0")
                assert "zip" in " ".join((*one["problems"], *one["notes"])), entry.students
            elif entry.mark is None:
                # Text that was typed into a page is something, if nothing that is read.
                assert one["status"] == ("marked" if entry.left_out else "no-submission")
                assert one["mark"] == "0"
            else:
                assert (one["status"], one["mark"]) == ("marked", str(entry.mark)), entry.students


def test_intake_shows_what_mark_takes(tmp_path: Path) -> None:
    rendered = LAYOUTS["blackboard"](tmp_path)
    spec = spec_with_deadline(tmp_path, "best")
    shown = json.loads(grader("intake", spec, rendered.path, "--json").stdout)["submissions"]
    done = grader("mark", spec, rendered.path, "-o", tmp_path / "out", "-q", "-j", "2")
    assert done.returncode == 0, done.stderr
    marked = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    assert sorted({one["id"] for one in shown}) == [one["id"] for one in marked]
    times: dict[str, list] = {one["id"]: [] for one in marked}
    for one in shown:
        times[one["id"]].append((one["submitted"], one["late_s"]))
    for one in marked:
        several = [(each["submitted"], each["late_s"]) for each in one.get("attempts", ())]
        assert times[one["id"]] == (several or [(one["submitted"], one["late_s"])])


def test_names_that_tell_nobody_apart_are_refused(tmp_path: Path) -> None:
    rendered = brightspace.render(tmp_path, shared_numbers=True)
    with pytest.raises(UsageError, match="it is not sure whose work this is"):
        discover([rendered.path], MODULES)


@pytest.mark.parametrize("colon", ["", ":", "_"])
def test_times_of_brightspace(colon: str, tmp_path: Path) -> None:
    rendered = brightspace.render(tmp_path, colon=colon)
    assert all(one.record is not None for one in discover([rendered.path], MODULES))


def test_a_moodle_team(tmp_path: Path) -> None:
    (one,) = discover([moodle.render(tmp_path, team=True).path], MODULES)
    assert one.id == "moodle-881"


def test_a_moodle_team_is_its_members_with_the_roster(tmp_path: Path) -> None:
    team = [student for student in CLASS if student.group]
    rows = [f"Participant {s.participant},{s.name},{s.mail},,{s.group}" for s in team]
    roster = tmp_path / "worksheet.csv"
    roster.write_text("\n".join(["Identifier,Full name,Email address,Grade,Group", *rows]))
    rendered = moodle.render(tmp_path, team=True)
    notes: list[str] = []
    spec = load_task(spec_with_deadline(tmp_path))
    found = handed_in(spec, [rendered.path], Sources(roster=roster), notes.append)
    assert sorted(one.name for one in found) == sorted(student.name for student in team)
    assert len({one.id for one in found}) == 3
    assert {one.work for one in found} == {"moodle-881"}
    assert len({json.dumps(work(one)) for one in found}) == 1


def test_times_of_a_moodle_team_come_from_the_worksheet_beside_a_roster(tmp_path: Path) -> None:
    """The download has the team's number alone, and the roster of a course has none of this assignment."""
    team = [student for student in CLASS if student.group]
    roster, worksheet = tmp_path / "people.csv", tmp_path / "worksheet.csv"
    rows = [f"{one.key},{one.name},{one.mail},{one.group}" for one in team]
    roster.write_text("\n".join(["student,name,mail,group", *rows]))
    sheet = moodle_sheet.blank(team, team=True).replace(b",-,-,", b',"1 May 2026, 20:05",-,')
    worksheet.write_bytes(sheet)
    notes: list[str] = []
    spec = load_task(spec_with_deadline(tmp_path))
    path = moodle.render(tmp_path, team=True).path
    found = handed_in(spec, [path], Sources(roster=roster, times=worksheet), notes.append)
    assert [one.name for one in found] == [one.name for one in team]
    assert all(one.record is not None and one.record.submitted is not None for one in found)
    assert not any("not in this batch" in note or "no time" in note for note in notes)


@pytest.mark.parametrize("named", ["roster", "times"])
def test_times_come_from_moodles_worksheet(tmp_path: Path, named: str) -> None:
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_bytes(moodle_sheet.blank())
    notes: list[str] = []
    spec = load_task(spec_with_deadline(tmp_path))
    sources = Sources(roster=worksheet) if named == "roster" else Sources(times=worksheet)
    found = handed_in(spec, [moodle.render(tmp_path).path], sources, notes.append)
    times = {one.id: one.record.submitted for one in found if one.record is not None and one.record.submitted}
    assert times == {
        f"moodle-{one.participant}": one.attempts[-1].at.replace(second=0) for one in CLASS if one.attempts
    }
    assert "times without a zone were taken for the deadline's, UTC+0000" in notes
    assert not any("no time" in note for note in notes)
    assert any("come from the roster" in note for note in notes) == (named == "roster")


def test_what_a_worksheet_says_in_other_words_is_told_and_costs_nothing(tmp_path: Path) -> None:
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_bytes(moodle_sheet.blank().replace(b"October", "Октябрь".encode()))
    notes: list[str] = []
    spec = load_task(spec_with_deadline(tmp_path))
    path = moodle.render(tmp_path).path
    found = handed_in(spec, [path], Sources(roster=worksheet), notes.append)
    assert all(one.record is None or one.record.submitted is None for one in found)
    assert any("the roster's times do not count: `Saturday, 31" in note for note in notes)
    assert any("no submission has a time" in note for note in notes)
    notes.clear()
    handed_in(spec, [path], Sources(roster=worksheet, without=("times",)), notes.append)
    assert not any("times do not count" in note for note in notes)


def test_dates_of_a_sheet_keep_nobody_waiting_without_a_deadline(tmp_path: Path) -> None:
    """A course names the sheet for the marks that go back, and its times come along."""
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_bytes(moodle_sheet.blank().replace(b"October", "Октябрь".encode()))
    notes: list[str] = []
    spec, path = load_task(spec_with_deadline(tmp_path)), moodle.render(tmp_path).path
    with pytest.raises(UsageError, match="is no date that is known"):
        handed_in(spec, [path], Sources(times=worksheet), notes.append)
    found = handed_in(replace(spec, late=None), [path], Sources(times=worksheet), notes.append)
    assert found
    assert any(f"the times in {worksheet} do not count: `Saturday, 31" in note for note in notes)


def test_who_has_no_time_is_named(tmp_path: Path) -> None:
    times = tmp_path / "times.yaml"
    rows = (f"moodle-{one.participant}: 2026-10-31T12:00Z\n" for one in CLASS if one.attempts)
    times.write_text("".join(list(rows)[1:]))
    notes: list[str] = []
    handed_in(
        load_task(spec_with_deadline(tmp_path)),
        [moodle.render(tmp_path).path],
        Sources(times=times),
        notes.append,
    )
    assert notes[-1] == "1 submission has no time, so nothing is taken off for lateness there: Zoë Brontë"


def test_numbers_of_one_assignment_are_people_by_its_worksheet(tmp_path: Path) -> None:
    """The roster of a course can't know these numbers; two of one name are told apart by their mails."""
    roster, worksheet = tmp_path / "people.csv", tmp_path / "worksheet.csv"
    worksheet.write_bytes(moodle_sheet.blank())
    rows = [f"{one.key},Maria Silva,{one.mail}" for one in CLASS if one.number in (11, 12)]
    roster.write_text("\n".join(["student,name,mail", *rows]))
    spec = load_task(spec_with_deadline(tmp_path))
    path = moodle.render(tmp_path, [one for one in CLASS if one.number in (11, 12)]).path
    for times, ids in ((None, 4), (worksheet, 2)):
        found = handed_in(spec, [path], Sources(roster=roster, times=times), lambda _: None)
        assert len(found) == ids
    assert {one.id: one.person.mail for one in found if one.person is not None} == {
        f"moodle-{one.participant}": one.mail for one in CLASS if one.number in (11, 12)
    }


def test_a_clone_counts_as_of_the_deadline(tmp_path: Path) -> None:
    rendered = LAYOUTS["classroom"](tmp_path)
    notes: list[str] = []
    found = handed_in(
        load_task(spec_with_deadline(tmp_path, "last-before-deadline")),
        [rendered.path],
        Sources(),
        notes.append,
    )
    (thea,) = [one for one in found if one.person is not None and one.person.ids["github"] == "octo-25"]
    (three,) = [student for student in CLASS if student.key == "s25"]
    times = [one.record.submitted for one in thea.attempts if one.record is not None]
    assert times == [three.attempts[1].at, three.attempts[2].at]
    assert work(thea.attempts[0]) == {name: data.decode() for name, data in three.attempts[1].work.items()}
    assert any("what the students' machines said" in note for note in notes)

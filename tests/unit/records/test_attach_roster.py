"""A roster beside submissions: who is who, who handed in nothing, and what is told and never guessed."""

from datetime import UTC, datetime

import pytest
from support.with_roster import attached, candidate

from grader.intake import SourceKind
from grader.model.person import Person
from grader.model.policy import Extension
from grader.model.submission import Review
from grader.records.attach import with_records
from grader.records.whose import Whose


def test_ids_come_first_then_login_and_mail() -> None:
    text = "student,name,mail,canvas,login\n,Zoë,z@x.edu,50101,zo\n,Ada,ada@x.edu,,ada\n,Bob,bob@x.edu,,\n"
    by_id = candidate("canvas-50101", Person(name="bronte zoe", ids={"canvas": "50101"}))
    by_mail = candidate("g-1", Person(name="A. L.", mail="ADA@x.edu"))
    found, notes = attached([by_id, by_mail, candidate("bob")], text)
    assert found["canvas-50101"].name == "Zoë"
    assert found["g-1"].person == Person(id="g-1", name="Ada", mail="ada@x.edu", ids={"login": "ada"})
    assert found["bob"].name == "Bob"
    assert "not on the roster" not in notes


def test_a_name_that_looks_alike_decides_nothing_and_is_told() -> None:
    found, notes = attached([candidate("x", Person(name="Jon Smith"))], "name,student\nJohn Smith,js\n")
    assert found["x"].person == Person(name="Jon Smith")
    assert found["js"].is_doubtful
    assert "1 submission is of people who are not on the roster: Jon Smith" in notes
    assert "is Jon Smith (x) the same as John Smith on the roster?" in notes


def test_a_number_under_another_name_is_told() -> None:
    """Moodle numbers teams by a series of their own, and a roster without groups knows people alone."""
    text = "student,name,moodle\n,Amy Adams,1234\n,Zoë Brontë,1235\n,Cy Cox,1236\n"
    team = candidate("moodle-1234", Person(name="Team A", ids={"moodle": "1234"}))
    turned = candidate("moodle-1235", Person(name="Bronte Zoe", ids={"moodle": "1235"}))
    blind = candidate("moodle-1236", Person(ids={"moodle": "1236"}))
    _, notes = attached([team, turned, blind], text)
    assert notes.count("by the number on the roster") == 1
    assert "moodle-1234 was handed in as Team A, and is Amy Adams by the number on the roster" in notes


def test_who_is_there_by_the_roster_alone_has_the_id_that_a_download_would_give() -> None:
    """Bea, of a team, is called `7012` here, while files of times name the id of the LMS."""
    text = "student,name,moodle,group\n,Amy,7011,Red\n,Bea,7012,Red\n"
    own = candidate("moodle-7011", Person(name="Amy", ids={"moodle": "7011"}))
    found, _ = attached([own], text)
    late = datetime(2026, 11, 21, tzinfo=UTC)
    timed = with_records(list(found.values()), {"moodle-7012": [late]}, {"moodle-7012": Review()})
    bea = next(each for each in timed if each.name == "Bea")
    assert bea.record is not None
    assert bea.record.submitted == late
    assert Whose(timed).of("moodle-7012") == [bea]
    assert "moodle-7012" in Whose(timed).names()


def test_two_of_one_name_are_told_apart_by_ids_alone() -> None:
    text = "student,name,moodle\na,Maria Silva,7011\nb,Maria Silva,7012\n"
    maria = candidate("m", Person(name="Maria Silva", ids={"moodle": "7012"}))
    found, _ = attached([maria], text)
    assert found["m"].person is not None
    assert found["m"].person.ids == {"moodle": "7012"}
    assert found["a"].kind is SourceKind.ABSENT
    nameless, notes = attached([candidate("m", Person(name="Maria Silva"))], text)
    assert nameless["m"].person == Person(name="Maria Silva")
    assert "1 submission is of people who are not on the roster: Maria Silva" in notes


def test_one_name_with_another_id_is_not_sure() -> None:
    stranger = candidate("m", Person(name="Maria Silva", ids={"canvas": "9"}))
    found, notes = attached([stranger], "student,name,canvas\na,Maria Silva,7011\n")
    assert found["a"].is_doubtful
    assert found["m"].person == stranger.person
    assert "The ids differ: 9 and 7011." in notes


def test_one_id_with_another_mail_is_the_same_person() -> None:
    own = candidate("m", Person(name="A. Lovelace", mail="ada@home.org", ids={"canvas": "5"}))
    found, _ = attached([own], "name,canvas,mail,student\nAda Lovelace,5,ada@x.edu,\n")
    assert list(found) == ["m"]
    assert found["m"].name == "Ada Lovelace"


def test_one_name_with_another_mail_is_not_sure() -> None:
    own = candidate("m", Person(name="Ada Lovelace", mail="ada@home.org"))
    found, notes = attached([own], "name,mail,student\nAda Lovelace,ada@x.edu,ada\n")
    assert found["ada"].is_doubtful
    assert "people who are not on the roster: Ada Lovelace" in notes


def test_an_id_of_another_kind_is_no_id() -> None:
    found, _ = attached([candidate("m", Person(ids={"canvas": "50"}))], "student,name,sis\na,Ada,50\n")
    assert found["m"].person == Person(ids={"canvas": "50"})
    assert found["a"].is_doubtful


def test_a_whole_name_is_told() -> None:
    found, notes = attached([candidate("x", Person(name="Ada  Lovelace"))], "student,name\na,Ada Lovelace\n")
    assert list(found) == ["x"]
    assert "1 found on the roster by the whole name alone: Ada Lovelace" in notes


def test_extensions_go_with_the_submission() -> None:
    found, _ = attached([candidate("ada")], "student,name,extension\nada,Ada,2 days\nbob,Bob,1h\n")
    record = found["ada"].record
    assert record is not None
    assert record.extension == Extension("ada", None, 2 * 86400)
    assert found["bob"].record is not None
    assert found["bob"].record.extension == Extension("bob", None, 3600)


def test_a_groups_one_work_counts_for_its_members() -> None:
    text = "student,name,group\nada,Ada,T1\nbob,Bob,T1\neve,Eve,T2\n"
    found, notes = attached([candidate("ada")], text)
    assert found["bob"].path == found["ada"].path
    assert (found["bob"].name, found["bob"].work) == ("Bob", "ada")
    assert found["ada"].work == "ada"
    assert found["eve"].kind is SourceKind.ABSENT
    assert "the work of Ada counts for the whole group T1: Bob" in notes


def test_a_groups_work_came_when_the_times_say_of_one_member() -> None:
    """Else the one who handed in is late, and the others of the group are not."""
    text = "student,name,group,extension\nada,Ada,T1,2 days\nbob,Bob,T1,\neve,Eve,T1,\nkim,Kim,T2,\n"
    found, _ = attached([candidate("ada"), candidate("kim")], text)
    late, own = datetime(2026, 11, 22, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)
    timed = with_records(list(found.values()), {"ada": [late], "eve": [own]}, {})
    records = {each.id: each.record for each in timed if each.record is not None}
    submitted = {name: record.submitted for name, record in records.items()}
    assert submitted == {"ada": late, "bob": late, "eve": own, "kim": None}
    assert records["bob"].extension is None


def test_a_folder_that_is_called_like_a_group_is_the_groups() -> None:
    text = "student,name,group\nada,Ada,team 1\nbob,Bob,team 1\neve,Eve,T2\n"
    found, notes = attached([candidate("team 1"), candidate("eve")], text)
    assert sorted(found) == ["ada", "bob", "eve"]
    assert {found[name].path.name for name in ("ada", "bob")} == {"team 1"}
    assert (found["ada"].name, found["bob"].name) == ("Ada", "Bob")
    assert {found[name].work for name in ("ada", "bob")} == {"team 1"}
    assert "the work of Ada counts for the whole group team 1: Bob" in notes
    late = datetime(2026, 11, 22, tzinfo=UTC)
    timed = with_records(list(found.values()), {"team 1": [late]}, {})
    assert [each.record is not None and each.record.submitted for each in timed] == [late, None, late]


def test_who_may_be_in_the_group_of_a_folder_is_pending_and_not_absent() -> None:
    text = "student,name,group\nada,Ada,T1\nbob,Bob,T1\nkim,Kim,T2\nlou,Lou,T2\n"
    found, notes = attached([candidate("T1"), candidate("ada")], text)
    assert found["ada"].path.name == "ada"
    assert "is T1 (T1) the same as Bob on the roster?" in notes
    assert (found["bob"].kind, found["kim"].kind) == (SourceKind.UNREAD, SourceKind.ABSENT)
    classes, _ = attached([candidate("T1"), candidate("kim"), candidate("lou")], text)
    assert {classes[name].kind for name in ("ada", "bob")} == {SourceKind.UNREAD}


def test_groups_that_hand_in_one_by_one_share_nothing() -> None:
    text = "student,name,group\nada,Ada,L1\nbob,Bob,L1\nzoe,Zoë,L1\nkim,Kim,L2\nlou,Lou,L2\n"
    found, notes = attached([candidate("ada"), candidate("bob"), candidate("kim")], text)
    assert found["zoe"].kind is found["lou"].kind is SourceKind.ABSENT
    assert "hand in one by one (see L1), so no work counts for others" in notes


def test_a_name_that_no_person_has_is_cut_for_reports() -> None:
    found, _ = attached([candidate("a")], f"student,name\na,{'x' * 10_000}\nb,{'y' * 10_000}\n")
    assert [len(each.name) for each in found.values()] == [300, 300]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Lee van Dyke", "LEE VAN DYKE"),
        ("Wei Żółć", "Wei Zolc"),
        ("Bo O'Neil", "BO ONEIL"),
        ("Jörg Weiß", "Joerg Weiss"),
        ("Ana Kim", "Kim Ana"),
    ],
)
@pytest.mark.parametrize("is_bare", [True, False])
def test_two_whose_names_differ_in_letters_alone_are_of_one_name(
    name: str, other: str, is_bare: bool
) -> None:
    text = f"student,name\nzz,Zoe Zeta\none,{name}\ntwo,{other}\n"
    works = [candidate(each, None if is_bare else Person(name=each)) for each in (name, "Zoe Zeta")]
    found, notes = attached(works, text)
    assert [found[one].is_doubtful for one in ("one", "two")] == [True, True]
    assert "1 found on the roster by the whole name alone: Zoe Zeta" in notes


def test_a_folder_that_a_group_takes_from_a_person_is_no_second_work() -> None:
    """Bo's id is the name of a group that he is not in, and he has another folder."""
    text = "student,name,mail,group\nRed,Bo,bo@x.edu,Blue\nx,Amy,amy@x.edu,Red\ny,Cy,cy@x.edu,Red\n"
    found, notes = attached([candidate("Red"), candidate("bo")], text)
    assert "has two works" not in notes
    assert {each.name for each in found.values()} >= {"Amy", "Bo", "Cy"}

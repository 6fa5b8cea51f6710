"""Nobody is said to have handed in nothing whose work may be there."""

import pytest
from support.with_roster import attached, candidate

from grader.intake import SourceKind
from grader.model.person import Person
from grader.records.owners.identity import same_id

STRANGER = Person(
    name="Tea Test", mail="tea@x.edu", ids={"canvas": "99", "sis": "t9", "gradescope": "t9"}, id="tea"
)
CLASS = "student,name,mail,canvas,sis\n,Amy Adams,amy@x.edu,11,s1\n,Bob Brown,bob@x.edu,12,s2\n"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("0123", "123", True),
        (" 0123 ", "#123", True),
        ("AMY", "amy", True),
        ("123456789", "1.23E+08", True),
        ("1,24E+08", "123999999", True),
        ("4567", "1.23E+08", False),
        ("1.23E+08", "1.24E+08", False),
        ("20231235", "20231235.0", True),
        ("20231235", "020.231.235", True),
        ("1'234", "1234", True),
        ("1.23", "123", False),
        ("12.345.67", "1234567", False),
        ("123", "1230", False),
        ("7", "77", False),
        ("", "7", False),
    ],
)
def test_an_id_that_a_spreadsheet_changed_is_the_same(one: str, other: str, is_same: bool) -> None:
    assert same_id(one, other) is same_id(other, one) is is_same


@pytest.mark.parametrize("written", ["123", "1.23E+02"])
def test_a_mail_decides_where_the_ids_differ_in_form(written: str) -> None:
    cy = candidate("g", Person(name="C. C.", mail="cy@x.edu", ids={"sis": "0123"}))
    found, _ = attached([cy], f"student,name,mail,sis\n,Cy Cole,cy@x.edu,{written}\n")
    assert [each.name for each in found.values()] == ["Cy Cole"]


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(STRANGER, id="all"),
        pytest.param(Person(ids={"canvas": "99"}), id="an id"),
        pytest.param(Person(name="Tea Test", mail="tea@x.edu"), id="mail and name"),
    ],
)
def test_a_strangers_work_makes_nobody_pending(known: Person) -> None:
    amy = candidate("a", Person(ids={"canvas": "11"}))
    found, notes = attached([amy, candidate("t", known)], CLASS)
    assert [each.kind for each in found.values() if each.name == "Bob Brown"] == [SourceKind.ABSENT]
    assert "1 submission is of people who are not on the roster" in notes


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(Person(name="Robert"), id="a name"),
        pytest.param(Person(mail="b@home.org"), id="a mail"),
        pytest.param(Person(ids={"blackboard": "bb"}), id="an id that the roster has not"),
        pytest.param(Person(ids={"canvas-anonymous": "5"}), id="nothing"),
        pytest.param(Person(mail="bob@x.edu", ids={"canvas": "99"}), id="his mail"),
        pytest.param(Person(name="Brown Bob", ids={"canvas": "99"}), id="his name"),
        pytest.param(Person(name="Bob Baker", mail="b@home.org"), id="a word of his name"),
        pytest.param(Person(name="Robert", ids={"moodle": "5"}), id="Moodle's number"),
    ],
)
def test_who_may_own_a_work_is_pending(known: Person) -> None:
    amy = candidate("a", Person(ids={"canvas": "11"}))
    lines = CLASS.splitlines()
    text = "\n".join([f"{lines[0]},moodle", *(f"{line},{at}" for at, line in enumerate(lines[1:]))])
    found, notes = attached([amy, candidate("t", known)], text)
    assert [each.is_doubtful for each in found.values() if each.name == "Bob Brown"] == [True]
    assert "is pending" in notes


@pytest.mark.parametrize("name", ["Amy Adams", "Team R"])
def test_moodles_numbers_prove_it_where_they_are_peoples(name: str) -> None:
    text = "student,name,moodle\n,Amy Adams,7\n,Bob Brown,8\n"
    works = [
        candidate("a", Person(name=name, ids={"moodle": "7"})),
        candidate("t", Person(name="Tea", ids={"moodle": "9"})),
    ]
    found, _ = attached(works, text)
    assert [each.is_doubtful for each in found.values() if each.name == "Bob Brown"] == [name == "Team R"]


@pytest.mark.parametrize(
    ("folder", "is_his"),
    [
        ("hw1_bbrown", True),
        ("bbrown hw1", True),
        ("hw1-23456", True),
        ("hw1_023456", True),
        ("Brown_Bob_hw1", True),
        ("bob.x@stud.u.edu", True),
        ("HW Bób", True),
        ("BobBrown-final", True),
        ("hw1-bbrowne", False),
        ("hw1-2345", False),
        ("zoe", False),
    ],
)
def test_a_folder_in_whose_name_a_person_stands_may_be_theirs(folder: str, is_his: bool) -> None:
    text = "student,name,mail,login\n1,Amy,amy@u.edu,amy\n23456,Bob Brown,bob.x@u.edu,bbrown\n"
    found, _ = attached([candidate("amy"), candidate(folder)], text)
    assert found["23456"].is_doubtful is is_his


def test_folders_of_which_none_is_on_the_roster_may_be_anybodys() -> None:
    text = "student,name\namy,Amy\nbob,Bob\n"
    found, notes = attached([candidate("submission_1"), candidate("submission_2")], text)
    assert [found[name].is_doubtful for name in ("amy", "bob")] == [True, True]
    assert "nothing proves that no work of these is that of Amy and Bob: submission_1" in notes


@pytest.mark.parametrize(
    ("names", "is_his"), [(("amy", "zoe99"), True), (("amy.a", "zoe99"), False), (("1", "zoe99"), False)]
)
def test_a_folder_may_be_theirs_who_lack_what_others_are_called_by(
    names: tuple[str, ...], is_his: bool
) -> None:
    text = "student,name,mail,login\n1,Amy A,amy.a@u.edu,amy\n2,Bob,b@u.edu,\n3,Cy,c@u.edu,cy\n"
    found, _ = attached([candidate(name) for name in names], text)
    assert (found["2"].is_doubtful, found["3"].is_doubtful) == (is_his, False)


@pytest.mark.parametrize(
    "written", ["2.02312E+11", "2,02312E+11", "202312345678.0", "202.312.345.678", "########"]
)
@pytest.mark.parametrize("kind", ["student", "sis"])
@pytest.mark.parametrize("folder", ["202312345678", "hw1_202312345678"])
def test_an_id_that_excel_changed_may_be_a_folders(written: str, kind: str, folder: str) -> None:
    heading = f"login,name,{kind}" if kind == "student" else f"student,name,{kind}"
    text = f'{heading}\n,Ada Fox,20231234\n,Cy Oz,"{written}"\n,Di Dun,20231236\n'
    found, _ = attached([candidate("20231234"), candidate(folder)], text)
    kinds = {each.name: each.is_doubtful for each in found.values()}
    assert kinds == {"Ada Fox": False, folder: False, "Cy Oz": True, "Di Dun": False}


def test_a_number_that_excel_rounded_is_another_folders_where_it_differs() -> None:
    text = "student,name\n20231234,Ada Fox\n2.02312E+11,Cy Oz\n"
    found, _ = attached([candidate("20231234"), candidate("202412345678")], text)
    assert {each.name: each.is_doubtful for each in found.values()}["Cy Oz"] is False


def test_an_lms_gives_an_id_that_excel_changed_under_another_name() -> None:
    text = "student,name,sis\n,Ada Fox,20231234\n,Cy Oz,2.02312E+11\n"
    works = [Person(name="Ada Fox", ids={"gradescope": "20231234"})]
    works.append(Person(name="Zed Waller", ids={"gradescope": "202312345678"}))
    found, _ = attached([candidate(each.name, each) for each in works], text)
    assert [each.is_doubtful for each in found.values() if each.name == "Cy Oz"] == [True]

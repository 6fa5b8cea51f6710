"""Works that a group shares: nothing that happens beside them takes a mark from anybody, or gives one."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.class_of_40.layouts.repositories import git
from support.group_course import MARKS, SPEC, enrol, hand_in, marked, take_back, write_course, write_roster

WORKS = {"s1": 4, "s3": 1}
MOODLE = {"Ada Fox_701_assignsubmission_file": 4, "Cy Oz_703_assignsubmission_file": 1}
ABSENT = "no-submission"


@pytest.fixture(params=[WORKS], ids=["folders"])
def course(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A course in which one of each pair hands in."""
    write_course(tmp_path, request.param)
    return tmp_path


@pytest.mark.parametrize("course", [WORKS, MOODLE], ids=["folders", "moodle"], indirect=True)
def test_groups_that_are_given_after_a_run_without_a_roster_count(course: Path) -> None:
    enrol(course)
    for first in (("--without", "roster"), ()):
        marked(course, *first)
        for _ in range(2):
            assert marked(course, "--roster", "people.csv")[0] == MARKS


def test_a_second_work_of_one_pair_takes_nothing_from_another(course: Path) -> None:
    enrol(course)
    assert marked(course)[0] == MARKS
    for most in (4, 2):
        hand_in(course, "s2", most)
        for _ in range(2):
            assert marked(course)[0] == MARKS | {"Bo Ng": str(most)}
    hand_in(course, "s3", 3)
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"Bo Ng": "2", "Cy Oz": "3", "Di Dun": "3"}


def test_two_equal_works_of_a_pair_are_one(course: Path) -> None:
    hand_in(course, "s2", 4)
    enrol(course)
    assert marked(course)[0] == MARKS
    hand_in(course, "s2", 2)
    (course / "reports/t/results.json").unlink()
    assert marked(course)[0] == MARKS | {"Bo Ng": "2", "Di Dun": ABSENT}, "groups hand in one by one"


def test_who_handed_in_alone_gets_no_others_mark_when_works_are_missing(course: Path) -> None:
    hand_in(course, "s2", 3)
    hand_in(course, "s4", 2)
    enrol(course)
    own = {"Ada Fox": "4", "Bo Ng": "3", "Cy Oz": "1", "Di Dun": "2"}
    assert marked(course)[0] == own
    take_back(course, "s2", "s4")
    for _ in range(2):
        assert marked(course)[0] == own | {"Bo Ng": "pending", "Di Dun": "pending"}


@pytest.mark.parametrize("name", ["", "report.pdf"])
def test_a_folder_without_a_work_is_none(course: Path, name: str) -> None:
    (course / "in/s2").mkdir()
    if name:
        (course / "in/s2" / name).write_bytes(b"%PDF-1.4")
    enrol(course)
    found, told = marked(course)
    assert found == MARKS
    assert "nothing that the task asks for, so the work of the group counts: s2" in told
    hand_in(course, "s4", 3)
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"Di Dun": "3"}
    enrol(course, s1="", s2="")
    (course / "reports/t/results.json").unlink()
    assert marked(course)[0]["Bo Ng"] in ("0", ABSENT)


def test_two_works_of_one_person_are_for_a_person_to_decide(course: Path) -> None:
    hand_in(course, "Ada Fox", 2)
    enrol(course)
    found, told = marked(course)
    assert "Ada Fox has two works, s1 (s1) and Ada Fox (Ada-Fox), and is pending" in told
    assert (found["Bo Ng"], found["Cy Oz"], found["Di Dun"]) == ("pending", "1", "1")
    take_back(course, "Ada Fox")
    assert marked(course)[0] == MARKS


def test_works_called_by_an_id_and_by_a_mail_are_two(course: Path) -> None:
    hand_in(course, "ada", 2)
    enrol(course)
    people = course / "people.csv"
    people.write_text(people.read_text().replace("s1@u.edu", "ada@u.edu"))
    found, told = marked(course)
    assert (found["Ada Fox"], found["Bo Ng"]) == ("pending", "pending")
    assert "Ada Fox has two works, s1 (s1) and ada (ada)" in told


def test_a_partner_whose_doubt_is_settled_has_the_work(course: Path) -> None:
    hand_in(course, "Bo Nga", 2)
    enrol(course)
    assert marked(course)[0]["Bo Ng"] == "pending"
    people = course / "people.csv"
    people.write_text(people.read_text() + "s9,Bo Nga,s9@u.edu,\n")
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"Bo Nga": "2"}


def test_equal_works_of_others_are_not_ones_own(course: Path) -> None:
    hand_in(course, "s4", 1)
    hand_in(course, "s5", 4)
    enrol(course, s5="")
    assert marked(course)[0] == MARKS | {"Ed Ex": "4"}
    take_back(course, "s5", "s4")
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"Di Dun": "pending", "Ed Ex": ABSENT}


def test_who_was_left_out_of_the_first_report_is_no_newcomer(course: Path) -> None:
    enrol(course)
    for one in ("s1", "s4"):
        marked(course, "--only", one)
        for _ in range(2):
            assert marked(course)[0] == MARKS
        (course / "reports/t/results.json").unlink()


@pytest.mark.parametrize("course", [WORKS, MOODLE], ids=["folders", "moodle"], indirect=True)
def test_the_work_of_who_leaves_stays_with_the_partner(course: Path) -> None:
    enrol(course)
    assert marked(course)[0] == MARKS
    write_roster(course, {"s2": "Alpha", "s3": "Beta", "s4": "Beta"})
    for _ in range(2):
        found, told = marked(course)
        assert {name: found[name] for name in ("Bo Ng", "Cy Oz", "Di Dun")} == {
            name: MARKS[name] for name in ("Bo Ng", "Cy Oz", "Di Dun")
        }
        assert "the works of the last run count for those who had them: Bo Ng" in told
        assert found.get("Ada Fox") == ("4" if "s1" not in found else None)
    enrol(course)
    for _ in range(2):
        assert marked(course)[0] == MARKS


def test_an_author_who_goes_to_another_group_takes_nothing_from_it(course: Path) -> None:
    enrol(course)
    assert marked(course)[0] == MARKS
    enrol(course, s1="Beta", s2="Gamma")
    for _ in range(2):
        assert marked(course)[0] == MARKS


@pytest.mark.parametrize("course", [WORKS, MOODLE], ids=["folders", "moodle"], indirect=True)
def test_a_pair_whose_author_comes_late_to_the_roster_has_its_work(course: Path) -> None:
    write_roster(course, {"s1": "Alpha", "s2": "Alpha", "s4": "Beta"})
    assert marked(course)[0]["Di Dun"] in ("pending", ABSENT)
    enrol(course)
    for _ in range(2):
        assert marked(course)[0] == MARKS


def test_a_task_can_say_that_each_hands_in_alone(course: Path) -> None:
    enrol(course)
    assert marked(course)[0] == MARKS
    (course / "t.yaml").write_text(SPEC.replace("marks: 4\nmodules", "marks: 4\nalone: true\nmodules", 1))
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"Bo Ng": ABSENT, "Di Dun": ABSENT}
    (course / "t.yaml").write_text(SPEC)
    for _ in range(2):
        found, told = marked(course)
        assert found == MARKS | {"Bo Ng": ABSENT, "Di Dun": ABSENT}
        assert "Bo Ng (no group, now in Alpha)" in told
    assert marked(course, "--without", "groups")[0] == MARKS


def test_who_shares_with_a_group_whose_works_differ_by_now_is_pending(course: Path) -> None:
    """The groups are classes, of which one had handed in until then."""
    enrol(course, s5="Alpha")
    assert marked(course)[0] == MARKS | {"Ed Ex": "4"}
    hand_in(course, "s2", 2)
    for _ in range(2):
        found, told = marked(course)
        assert found == MARKS | {"Bo Ng": "2", "Ed Ex": "pending"}
        assert "pending, since works of their group differ now: Ed Ex (Alpha); `alone: true`" in told
    hand_in(course, "s5", 3)
    assert marked(course)[0] == MARKS | {"Bo Ng": "2", "Ed Ex": "3"}


# -- the number of a line as an id -------------------------------------------------------------------------


def enrol_by_number(course: Path, *people: tuple[str, str]) -> None:
    lines = [
        f"{number},{name},{name.split()[0].lower()}@u.edu,{name.split()[0].lower()},{group}\n"
        for number, (name, group) in enumerate(people, 1)
    ]
    (course / "people.csv").write_text("student,name,mail,login,group\n" + "".join(lines))


PEOPLE = (("Ada Fox", "Alpha"), ("Bo Ng", "Alpha"), ("Cy Oz", "Beta"), ("Di Dun", "Beta"))
NEW = (PEOPLE[0], ("Al Abt", ""), *PEOPLE[1:])


@pytest.fixture
def numbered(tmp_path: Path) -> Path:
    write_course(tmp_path, {"ada": 4, "cy": 1})
    enrol_by_number(tmp_path, *PEOPLE)
    assert marked(tmp_path)[0] == MARKS
    return tmp_path


def test_a_number_that_is_anothers_now_moves_no_work(numbered: Path) -> None:
    enrol_by_number(numbered, *NEW)
    for _ in range(2):
        assert marked(numbered)[0] == MARKS | {"Al Abt": ABSENT}
    enrol_by_number(numbered, *NEW[1:])
    assert marked(numbered)[0]["Bo Ng"] == "4"


def test_a_mark_by_hand_under_such_a_number_is_refused(numbered: Path) -> None:
    reviews = numbered / "reviews/t.yaml"
    reviews.parent.mkdir()
    review = "- {{student: {}, by: A, overrides: [{{marks: 2, reason: copied}}]}}\n"
    reviews.write_text(review.format('"2"'))
    own = MARKS | {"Bo Ng": "2"}
    assert marked(numbered)[0] == own
    enrol_by_number(numbered, *NEW)
    for _ in range(2):
        found, told = marked(numbered)
        assert found == own
        assert "`2` was Bo Ng on the roster of the last run, and is Al Abt now" in told
    reviews.write_text(review.format("bo@u.edu"))
    for _ in range(2):
        assert marked(numbered)[0] == own | {"Al Abt": ABSENT}


# -- clones ------------------------------------------------------------------------------------------------


def push(course: Path, clone: str, most: int, at: datetime) -> None:
    hand_in(course, clone, most)
    folder = course / "in" / clone
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--template=")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "work", at=at)


@pytest.mark.parametrize("attempts", ["", "attempts: best\n"])
def test_a_member_with_an_extension_has_the_commit_of_then(tmp_path: Path, attempts: str) -> None:
    late = f"late: {{deadline: 2026-11-20T12:00Z, then: 50%}}\n{attempts}"
    write_course(tmp_path, {}, SPEC.replace("modules", f"{late}modules"))
    for clone, first, last in (("hw1-ada", 1, 4), ("hw1-beta", 3, 1)):
        push(tmp_path, clone, first, datetime(2026, 11, 19, 12, tzinfo=UTC))
        push(tmp_path, clone, last, datetime(2026, 11, 21, 12, tzinfo=UTC))

    def enrol_with_logins(group_of_bo: str) -> None:
        pairs = f"s1,Ada Fox,ada,Alpha,\ns2,Bo Ng,bong,{group_of_bo},2 days\n"
        pairs += "s3,Cy Oz,cyoz,Beta,\ns4,Di Dun,didun,Beta,2 days\n"
        (tmp_path / "people.csv").write_text(f"student,name,github,group,extension\n{pairs}")

    enrol_with_logins("Alpha")
    own = {"Ada Fox": "2" if attempts else "1", "Bo Ng": "4", "Cy Oz": "3", "Di Dun": "1"}
    for group in ("Alpha", "Beta"):
        enrol_with_logins(group)
        for _ in range(2):
            assert marked(tmp_path)[0] == own

"""People who change groups between the tasks of a course: a work that was marked stays with who had it."""

import re
from pathlib import Path

import pytest
from support.group_course import FOLDERS, MARKS, MOODLE, enrol, hand_in, marked, rename, write_course


@pytest.fixture(params=[FOLDERS], ids=["folders"])
def course(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    write_course(tmp_path, dict(zip(request.param, (4, 1), strict=True)))
    enrol(tmp_path)
    assert marked(tmp_path)[0] == MARKS
    return tmp_path


@pytest.mark.parametrize("course", [FOLDERS, MOODLE], ids=["folders", "moodle"], indirect=True)
def test_who_changes_groups_keeps_the_mark_until_somebody_says_that_the_roster_counts(course: Path) -> None:
    for group in ("Beta", "Gamma"):
        enrol(course, s2=group)
        found, told = marked(course)
        assert found == MARKS
        assert f"Bo Ng (Alpha, now in {group}); --without groups goes by the roster" in told
    enrol(course, s1="", s2="", s3="", s4="")
    assert marked(course)[0] == MARKS
    enrol(course, s2="Beta")
    found, told = marked(course, "--without", "groups")
    assert found == {**MARKS, "Bo Ng": "1"}
    assert "as the roster says: Bo Ng (Beta, was in Alpha)" in told
    assert marked(course)[0] == {**MARKS, "Bo Ng": "1"}


def test_who_comes_to_a_group_after_its_work_was_marked_is_pending(course: Path) -> None:
    enrol(course, s5="Alpha")
    for _ in range(2):
        found, told = marked(course)
        assert found == {**MARKS, "Ed Ex": "pending"}
        assert "came to a group after its work was marked: Ed Ex (Alpha); --without groups" in told
    assert marked(course, "--without", "groups")[0] == {**MARKS, "Ed Ex": "4"}
    assert marked(course)[0] == {**MARKS, "Ed Ex": "4"}


@pytest.mark.parametrize("course", [FOLDERS, MOODLE], ids=["folders", "moodle"], indirect=True)
@pytest.mark.parametrize(
    "names", [("Alef", "Beta"), ("Beta", "Alpha"), ("Beta", "Gamma")], ids=["renamed", "swapped", "shifted"]
)
def test_a_group_that_has_another_name_everywhere_keeps_its_work(
    course: Path, names: tuple[str, str]
) -> None:
    rename(course, *names)
    enrol(course, s1=names[0], s2=names[0], s3=names[1], s4=names[1])
    for _ in range(2):
        found, told = marked(course)
        assert found == MARKS
        assert "--without groups" not in told
    enrol(course, s1=names[0], s2=names[1], s3=names[1], s4=names[1], s5=names[0])
    for _ in range(2):
        assert marked(course)[0] == {**MARKS, "Ed Ex": "pending"}


def test_who_changes_groups_while_these_get_other_names_keeps_the_mark(course: Path) -> None:
    rename(course, "Beta", "Gamma")
    enrol(course, s1="Beta", s2="Gamma", s3="Gamma", s4="Gamma")
    found, told = marked(course)
    assert found == MARKS
    assert "Bo Ng (Beta, now in Gamma)" in told


@pytest.mark.parametrize("newcomer", ["before", "at once"])
def test_a_group_that_has_another_name_on_the_roster_alone_keeps_its_work(
    course: Path, newcomer: str
) -> None:
    if newcomer == "before":
        enrol(course, s5="Alpha")
        marked(course)
    enrol(course, s1="Alef", s2="Alef", s5="Alef")
    for _ in range(2):
        assert marked(course)[0] == {**MARKS, "Ed Ex": "pending"}
    rename(course, "Alef", "Beta")
    hand_in(course, "Alef", 3)
    assert marked(course)[0] == {**MARKS, "Ada Fox": "3", "Bo Ng": "3", "Ed Ex": "3"}


def test_who_handed_in_alone_stays_alone_in_a_team_of_later(course: Path) -> None:
    """Ed had no group, and Fay neither, who handed in nothing."""
    hand_in(course, "s5", 3)
    enrol(course, s5="", s6="")
    alone = MARKS | {"Ed Ex": "3", "Fay Gil": "no-submission"}
    assert marked(course)[0] == alone
    for group in ("Gamma", "Beta"):
        enrol(course, s5=group, s6=group)
        for _ in range(2):
            found, told = marked(course)
            assert found == alone
            if group == "Gamma":
                assert "Fay Gil (no group, now in Gamma)" in told
    hand_in(course, "s5", 2)
    alone |= {"Ed Ex": "2"}
    assert marked(course)[0] == alone
    enrol(course, s5="Gamma", s6="Gamma")
    assert marked(course, "--without", "groups")[0] == alone | {"Fay Gil": "2"}
    assert marked(course)[0] == alone | {"Fay Gil": "2"}


def test_a_task_of_single_works_stays_one_when_teams_are_made(course: Path) -> None:
    for one, group in (("s1", "Alpha"), ("s3", "Beta")):
        (course / "in" / group).rename(course / "in" / one)
    (course / "reports/t/results.json").unlink()
    enrol(course, s1="", s2="", s3="", s4="")
    single = MARKS | {"Bo Ng": "no-submission", "Di Dun": "no-submission"}
    assert marked(course)[0] == single
    for one, most in (("s3", 1), ("s3", 3), ("s5", 2)):
        enrol(course, s5="Gamma")
        hand_in(course, one, most)
        found, told = marked(course)
        assert found["Bo Ng"] == found["Di Dun"] == "no-submission"
        assert (
            "for those who had them: Bo Ng (no group, now in Alpha) and Di Dun (no group, now in Beta)"
            in told
        )
    assert found == single | {"Cy Oz": "3", "Ed Ex": "2"}
    enrol(course, s4="Gamma", s5="")
    assert marked(course, "--without", "groups")[0] == {**found, "Bo Ng": "4"}
    assert marked(course)[0] == {**found, "Bo Ng": "4"}


def test_a_mark_by_hand_settles_who_came_later(course: Path) -> None:
    enrol(course, s5="Alpha")
    marked(course)
    (course / "reviews").mkdir(exist_ok=True)
    text = "- {student: s5, by: A, overrides: [{marks: 0, reason: came in week 3}]}\n"
    (course / "reviews/t.yaml").write_text(text)
    for _ in range(2):
        assert marked(course)[0] == {**MARKS, "Ed Ex": "0"}


@pytest.mark.parametrize("at_once", [True, False])
def test_who_left_a_group_before_it_had_a_work_has_no_part_in_that(course: Path, at_once: bool) -> None:
    enrol(course, s5="Gamma", s6="Gamma")
    assert marked(course)[0] == {**MARKS, "Ed Ex": "no-submission", "Fay Gil": "no-submission"}
    enrol(course, s5="Alpha", s6="Gamma")
    if not at_once:
        found, told = marked(course)
        assert found == {**MARKS, "Ed Ex": "pending", "Fay Gil": "no-submission"}
        assert "came to a group after its work was marked: Ed Ex (Alpha)" in told
    hand_in(course, "Gamma", 2)
    for _ in range(2):
        assert marked(course)[0] == {**MARKS, "Ed Ex": "pending", "Fay Gil": "2"}
    enrol(course, s5="Delta", s6="Gamma")
    assert marked(course)[0] == {**MARKS, "Ed Ex": "no-submission", "Fay Gil": "2"}


def test_other_works_are_those_of_the_rosters_groups(course: Path) -> None:
    for folder in (course / "in").iterdir():
        hand_in(course, folder.name, 3 if folder.name.startswith("Alpha") else 2)
    enrol(course, s2="Beta", s5="Alpha")
    found, told = marked(course)
    assert found == {"Ada Fox": "3", "Bo Ng": "2", "Cy Oz": "2", "Di Dun": "2", "Ed Ex": "3"}
    assert re.search("as the roster says: Bo Ng .Beta, was in Alpha.", told)


def test_a_team_whose_first_work_equalled_anothers_has_its_new_work(course: Path) -> None:
    alpha, beta = sorted(each.name for each in (course / "in").iterdir())
    hand_in(course, alpha, 0)
    hand_in(course, beta, 0)
    assert set(marked(course)[0].values()) == {"0"}
    hand_in(course, beta, 3)
    enrol(course, s2="Beta")
    for _ in range(2):
        assert marked(course)[0] == {"Ada Fox": "0", "Bo Ng": "0", "Cy Oz": "3", "Di Dun": "3"}


@pytest.mark.parametrize(
    ("names", "anew"),
    [(("Beta", "Gamma"), 1), (("Gamma", "Alpha"), 0), (("Beta", "Alpha"), 0), (("Beta", "Alpha"), 1)],
)
def test_one_team_hands_in_anew_while_all_get_other_names(
    course: Path, names: tuple[str, str], anew: int
) -> None:
    folders = sorted(each.name for each in (course / "in").iterdir())
    hand_in(course, folders[anew], 2)
    rename(course, *names)
    enrol(course, s1=names[0], s2=names[0], s3=names[1], s4=names[1])
    people = [("Ada Fox", "Bo Ng"), ("Cy Oz", "Di Dun")][anew]
    for _ in range(2):
        assert marked(course)[0] == {**MARKS, **dict.fromkeys(people, "2")}


def test_who_comes_to_a_marked_work_from_a_team_that_hands_in_anew_is_pending(course: Path) -> None:
    hand_in(course, "Alpha", 3)
    enrol(course, s2="Beta")
    assert marked(course)[0] == {**MARKS, "Ada Fox": "3", "Bo Ng": "pending"}


@pytest.mark.parametrize("names", [("Alef", "Beta"), ("Beta", "Gamma"), ("Alef", "Beth")])
def test_teams_with_equal_works_have_them_under_other_names(course: Path, names: tuple[str, str]) -> None:
    hand_in(course, "Beta", 4)
    marked(course)
    rename(course, *names)
    enrol(course, s1=names[0], s2=names[0], s3=names[1], s4=names[1])
    if names[1] == "Gamma":
        hand_in(course, "Gamma", 2)
    for _ in range(2):
        found = marked(course)[0]
        assert list(found.values()) == ["4", "4", *["2" if "Gamma" in names else "4"] * 2]


def test_who_has_another_id_and_no_work_by_that_is_pending(course: Path) -> None:
    """Ed handed in alone, under the id that the roster had."""
    hand_in(course, "x5", 3)
    enrol(course, s5="")
    people = course / "people.csv"
    text = people.read_text()
    people.write_text(text.replace("s5,Ed Ex", "x5,Ed Ex"))
    assert marked(course)[0] == MARKS | {"Ed Ex": "3"}
    people.write_text(text)
    for _ in range(2):
        assert marked(course)[0] == MARKS | {"x5": "3", "Ed Ex": "pending"}

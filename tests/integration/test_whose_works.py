"""Downloads and rosters as real files: no "no submission" stands under a name whose work may be there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from support.class_of_40.layouts.repositories import git
from support.command_line import grader, submissions

from grader.intake import Candidate, SourceKind
from grader.records.beside import Sources
from grader.records.handed_in import handed_in
from grader.records.whose import Whose
from grader.spec import load_task

SPEC = """\
task: t
title: T
marks: 1
modules: {m: m.py}
late: {deadline: 2036-11-20T23:59:00Z, then: 50%}
questions: [{id: q, title: Q, marks: 1, cases: [{call: f(), returns: 1}]}]
"""
METADATA = """\
submission_1:
  :submitters:
  - :name: Cy C
    :sid: '0123'
    :email: c@u.edu
  :created_at: 2026-11-20 18:30:00 Z
submission_2:
  :submitters:
  - :name: Tea Test
    :sid: '99'
    :email: tea@u.edu
  :created_at: 2026-11-20 18:30:00 Z
"""
PARTICIPANTS = "First name,Last name,ID number,Email address,Groups\n"
CLASSROOM = "identifier,github_username,github_id,name\n"
ABSENT, PENDING = "absent", "pending"
WAITING = {"Sam Smith": PENDING, "Amy Smith": PENDING}


def lay_out(folder: Path, works: Mapping[str, str]) -> None:
    (folder / "t.yaml").write_text(SPEC, "utf-8")
    for name, text in works.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def clone(folder: Path, clones: Iterable[str]) -> None:
    lay_out(folder, {f"{name}/m.py": "" for name in clones})
    for name in clones:
        git(folder / "in" / name, "init", "--quiet", "--template=")
        git(folder / "in" / name, "add", ".")
        git(folder / "in" / name, "commit", "--quiet", "-m", "work")


def whose(folder: Path, roster: str) -> tuple[dict[str, str], str]:
    """Return, for each name of a batch, what it was given: the entry of a download, or why there is none."""
    (folder / "r.csv").write_text(roster, "utf-8")
    notes: list[str] = []
    task = load_task(folder / "t.yaml")
    found = handed_in(task, [folder / "in"], Sources(roster=folder / "r.csv"), notes.append)
    given = {}
    for each in found:
        entry = each.path.relative_to(folder / "in").parts[0] if each.path.parts else ""
        without = ABSENT if each.kind is SourceKind.ABSENT else PENDING
        given[each.name] = without if each.is_doubtful or each.kind is SourceKind.ABSENT else entry
    return given, "\n".join(notes)


def test_an_id_that_excel_changed_and_a_strangers_work(tmp_path: Path) -> None:
    works = {"submission_1/m.py": "", "submission_2/m.py": "", "submission_metadata.yml": METADATA}
    lay_out(tmp_path, works)
    roster = "Name,Email,SID,Role\nCy C,c@u.edu,123,Student\nDee D,d@u.edu,4,Student\n"
    given, _ = whose(tmp_path, roster)
    assert given == {"Cy C": "submission_1", "Tea Test": "submission_2", "Dee D": ABSENT}


def test_who_may_own_a_work_is_pending_in_a_run(tmp_path: Path) -> None:
    lay_out(tmp_path, {"amy/m.py": "def f(): return 1\n", "hw1_bbrown/m.py": "def f(): return 1\n"})
    (tmp_path / "r.csv").write_text("student,name,login\n1,Amy,amy\n2,Bob Brown,bbrown\n3,Cy,cy\n")
    done = grader("mark", "t.yaml", "in", "--roster", "r.csv", "-o", "out", cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    found = submissions(tmp_path / "out")
    assert {each["name"]: each["status"] for each in found.values()} == {
        "Amy": "marked",
        "Bob Brown": "pending",
        "Cy": "no-submission",
        "hw1_bbrown": "marked",
    }
    (bob,) = [each for each in found.values() if each["name"] == "Bob Brown"]
    assert bob["problems"] == ["it is not sure whether a work is this person's"]


TEAMS = ("Team S_12_assignsubmission_file", "Team T_13_assignsubmission_file")


def test_moodles_participants_are_in_each_of_their_groups(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"{name}/m.py": "" for name in TEAMS})
    people = (
        'Cy,C,3,c@u.edu,"Team S, Lab 1"\nDee,D,4,d@u.edu,"Lab 2, Team S"\nEve,E,5,e@u.edu,Team T\n'
        'Fay,F,6,f@u.edu,"Team S, Team T"\nGil,G,7,g@u.edu,Lab 1\n'
    )
    given, said = whose(tmp_path, PARTICIPANTS + people)
    assert given == {
        "Cy C": TEAMS[0],
        "Dee D": TEAMS[0],
        "Eve E": TEAMS[1],
        "Fay F": PENDING,
        "Gil G": ABSENT,
    }
    assert "Fay F is in the groups Team S and Team T, and each of them handed in a work" in said


def test_who_may_have_a_work_of_their_own_has_not_the_groups(tmp_path: Path) -> None:
    """Who is known to be somebody else has it."""
    lay_out(tmp_path, {f"{name}_assignsubmission_file/m.py": "" for name in ("Amy Fox_11", "Jon Smith_12")})
    people = "Amy,Fox,,a@u.edu,Mon\nJohn,Smith,,j@u.edu,Mon\nCy,Weber,,c@u.edu,Mon\n"
    given, said = whose(tmp_path, PARTICIPANTS + people)
    assert given == {
        "Amy Fox": "Amy Fox_11_assignsubmission_file",
        "Jon Smith": "Jon Smith_12_assignsubmission_file",
        "John Smith": PENDING,
        "Cy Weber": "Amy Fox_11_assignsubmission_file",
    }
    assert "is Jon Smith (moodle-12) the same as John Smith on the roster?" in said
    lay_out(tmp_path, {"Bo_13_assignsubmission_file/m.py": ""})
    given, _ = whose(tmp_path, PARTICIPANTS + people)
    assert given["Cy Weber"] == PENDING


def test_a_work_that_is_called_as_its_group_is_all_members(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"{name}_assignsubmission_file/m.py": "" for name in ("Team R_11", "Bo_12")})
    given, _ = whose(tmp_path, f"{PARTICIPANTS}Amy,A,,a@u,Team R\nCy,C,,c@u,Team R\nDee,D,,d@u,\n")
    assert (given["Cy C"], given["Dee D"]) == ("Team R_11_assignsubmission_file", PENDING)


def test_a_team_of_another_name_proves_nothing_of_who_is_in_a_team(tmp_path: Path) -> None:
    """Neither its name nor its number is a person's."""
    works = {f"{name}_assignsubmission_file/m.py": "" for name in ("The Pandas_20", "Blue_21", "Cy Oz_73")}
    lay_out(tmp_path, works)
    people = [f"{name},,{name[0]}@u.edu,{group}" for name, group in TEAMED]
    given, _ = whose(tmp_path, PARTICIPANTS + "\n".join([*people, ""]))
    assert (given["Ada Fox"], given["Bo Ng"]) == (PENDING, PENDING)
    assert given["Di Dun"] == given["Ed Ex"] == "Blue_21_assignsubmission_file"
    assert (given["Cy Oz"], given["Flo Gray"]) == ("Cy Oz_73_assignsubmission_file", ABSENT)


TEAMED = [
    *(("Ada,Fox", "Red Pandas"), ("Bo,Ng", '"Lab 1, Red Pandas"'), ("Cy,Oz", ""), ("Di,Dun", "Blue")),
    *(("Ed,Ex", "Blue"), ("Flo,Gray", "")),
]


@pytest.mark.parametrize(
    "words", ["No groups", "Keine Gruppen", "-", "none", "n/a", "0", "Pas de groupe", "Sin grupos"]
)
def test_who_is_in_no_group_shares_no_work(tmp_path: Path, words: str) -> None:
    lay_out(tmp_path, {f"{name}_assignsubmission_file/m.py": "" for name in ("Team R_11", "Cy C_12")})
    people = [f"{name},{number},{name[0]}@u.edu,{group}" for number, (name, group) in enumerate(PEOPLE)]
    given, _ = whose(tmp_path, PARTICIPANTS + "\n".join([*people, ""]).replace("WORDS", words))
    assert given["Amy A"] == given["Bob B"] == "Team R_11_assignsubmission_file"
    assert (given["Cy C"], given["Dee D"]) == ("Cy C_12_assignsubmission_file", ABSENT)


PEOPLE = [("Amy,A", "Team R"), ("Bob,B", "Team R"), ("Cy,C", "WORDS"), ("Dee,D", "WORDS")]


def test_teams_beside_a_roster_without_groups_may_be_anybodys(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"{name}/m.py": "" for name in TEAMS})
    given, _ = whose(tmp_path, f"{PARTICIPANTS}Cy,C,3,c@u.edu,\n")
    assert given["Cy C"] == PENDING


def test_a_stranger_whose_name_is_wholly_other_makes_nobody_pending(tmp_path: Path) -> None:
    """Where no other work has a name of the roster, the stranger may be anybody."""
    works = {f"{name}_assignsubmission_file/m.py": "x = 1\n" for name in ("Amy Adams_11", "Zoe Zimmer_19")}
    lay_out(tmp_path, works)
    people = ["Amy,Adams,,amy@u.edu,", "Cy,Cole,,cy@u.edu,", "Zoe,Eck,,zoe@u.edu,"]
    given, _ = whose(tmp_path, PARTICIPANTS + "\n".join([*people, ""]))
    assert (given["Cy Cole"], given["Zoe Eck"]) == (ABSENT, PENDING)
    given, _ = whose(tmp_path, PARTICIPANTS + "\n".join([*people[1:], ""]))
    assert (given["Cy Cole"], given["Zoe Eck"]) == (PENDING, PENDING)


@pytest.mark.parametrize(
    ("typed", "office"),
    [("Jörg Böhm", "Joerg,Boehm"), ("Łukasz Żółć", "Lukasz,Zolc"), ("Γιώργος Παππάς", "Giorgos,Pappas")],
)
def test_a_name_in_another_spelling_proves_nothing(tmp_path: Path, typed: str, office: str) -> None:
    works = {f"{name}_assignsubmission_file/m.py": "x = 1\n" for name in ("Amy Adams_11", f"{typed}_19")}
    lay_out(tmp_path, works)
    given, _ = whose(tmp_path, f"{PARTICIPANTS}Amy,Adams,,amy@u.edu,\n{office},,j@u.edu,\n")
    assert given[office.replace(",", " ")] == PENDING


def test_the_worksheet_of_another_assignment(tmp_path: Path) -> None:
    lay_out(
        tmp_path, {f"{name}_{at}_assignsubmission_file/m.py": "" for at, name in enumerate(["Amy A", "Bob"])}
    )
    heads = "Identifier,Full name,Email address,Status,Grade\n"
    given, said = whose(tmp_path, f"{heads}Participant 211,Amy A,a@u,-,-\nParticipant 212,Bob B,b@u,-,-\n")
    assert (given["Amy A"], given["Bob B"]) == (PENDING, PENDING)
    assert "The ids differ: 0 and 211." in said


@pytest.mark.parametrize(
    ("clones", "roster", "expected"),
    [
        pytest.param(
            ("hw1-bob-a", "hw1-bob-b"),
            "1,bob-a,1,Bob A\n2,bob-b,2,Bob B\n3,a,3,Ann\n",
            {"Bob A": "hw1-bob-a", "Bob B": "hw1-bob-b", "Ann": ABSENT},
            id="few with a common beginning",
        ),
        pytest.param(
            ("hw1-uzh-amy", "hw1-uzh-bob"),
            "1,UZH-Amy,1,Amy\n2,uzh-bob,2,Bob\n",
            {"Amy": "hw1-uzh-amy", "Bob": "hw1-uzh-bob"},
            id="accounts with a common beginning",
        ),
        pytest.param(
            ("hw1-amy", "hw1-bob-a", "hw1-cy"),
            "1,amy,1,Amy\n2,cy,2,Cy\n3,a,3,Ann\n4,dee,4,Dee\n",
            {"Amy": "hw1-amy", "Cy": "hw1-cy", "hw1-bob-a": "hw1-bob-a", "Ann": PENDING, "Dee": ABSENT},
            id="a login that ends in another",
        ),
        pytest.param(
            ("hw1-amy-smith", "hw1-bobby", "hw1-cyoz"),
            "1,smith,1,Sam Smith\n2,,,Amy Smith\n",
            {**{name: name for name in ("hw1-amy-smith", "hw1-bobby", "hw1-cyoz")}, **WAITING},
            id="the only login that is known is another's end",
        ),
        pytest.param(
            ("hw1-amy", "hw1-bob", "hw1-weird99"),
            "1,amy,1,Amy\n2,bob,2,Bob\n,,,Dee\n4,eve,4,Eve\n",
            {"Amy": "hw1-amy", "Bob": "hw1-bob", "hw1-weird99": "hw1-weird99", "Dee": PENDING, "Eve": ABSENT},
            id="who has no login",
        ),
        pytest.param(
            ("hw1-amy-smith", "hw1-bob-smith"),
            "1,smith,1,Sam Smith\n2,,,Amy Smith\n",
            {**{name: name for name in ("hw1-amy-smith", "hw1-bob-smith")}, **WAITING},
            id="the end of two",
        ),
        pytest.param(
            ("hw-1-amy", "hw-1-bob", "hw-1-1-cy"),
            "1,amy,1,Amy\n2,bob,2,Bob\n3,1-amy,3,Ann\n4,1-cy,4,Cy\n",
            {"hw-1-amy": "hw-1-amy", "Bob": "hw-1-bob", "Cy": "hw-1-1-cy", "Amy": PENDING, "Ann": PENDING},
            id="a login that begins in the assignment's name",
        ),
        pytest.param(
            ("hw1-amy", "hw1-bob-lee", "hw2-cy", "hw2-dee"),
            "1,amy,1,Amy\n2,bob-lee,2,Bob\n3,cy,3,Cy\n4,dee,4,Dee\n",
            {"Amy": "hw1-amy", "Bob": "hw1-bob-lee", "Cy": "hw2-cy", "Dee": "hw2-dee"},
            id="two assignments",
        ),
    ],
)
def test_the_rosters_logins_say_whose_a_clone_is(
    tmp_path: Path, clones: tuple[str, ...], roster: str, expected: Mapping[str, str]
) -> None:
    clone(tmp_path, clones)
    given, _ = whose(tmp_path, CLASSROOM + roster)
    assert given == expected


IN_TEAMS = CLASSROOM.replace("name\n", "name,group_name\n")


@pytest.mark.parametrize(
    ("clones", "groups", "expected"),
    [
        (("hw1-equipe", "hw1-red-pandas"), ("Équipe", "Red Pandas!"), (0, 0, 1, 1)),
        (("hw1-team-bob", "hw1-team-dee"), ("Team Bob", "team_dee"), (0, 0, 1, 1)),
        (("hw1-team-cy", "hw1-team-bob"), ("team-cy", "team-bob"), (0, 0, 1, 1)),
        (("hw1-bob", "hw1-dee"), ("bob", "dee"), (0, 0, 1, 1)),
        (("hw1-cy", "hw1-amy"), ("cy", "amy"), (PENDING,) * 4),
        (("hw1-alpha", "hw1-amy"), ("Alpha", "amy"), (0, 0, PENDING, PENDING)),
        (("hw1-amy", "hw1-cy"), ("Alpha", "alpha"), (0, 0, 1, 1)),
        (("hw1-alpha", "hw1-cy"), ("Alpha", "alpha"), (PENDING, PENDING, 1, PENDING)),
    ],
)
def test_a_clone_is_the_work_of_the_team_that_its_name_ends_with(
    tmp_path: Path, clones: tuple[str, str], groups: tuple[str, str], expected: tuple[object, ...]
) -> None:
    """Amy and Bob are in the first group, Cy and Dee in the other.  expected: for each, the clone's place."""
    clone(tmp_path, clones)
    people = ("amy", "bob", "cy", "dee")
    lines = [f"{at}x,{one},{at},{one.title()},{groups[at // 2]}\n" for at, one in enumerate(people)]
    (tmp_path / "r.csv").write_text(IN_TEAMS + "".join(lines), "utf-8")
    notes: list[str] = []
    task = load_task(tmp_path / "t.yaml")
    found = handed_in(task, [tmp_path / "in"], Sources(roster=tmp_path / "r.csv"), notes.append)
    given: dict[str, object] = {
        each.person.ids["github"]: PENDING if each.is_doubtful else clones.index(each.path.name)
        for each in found
        if each.person is not None
    }
    assert tuple(map(given.get, people)) == expected
    assert any("Rename folders or groups" in note for note in notes) == (PENDING in expected)


def test_the_clone_of_a_team_is_not_that_of_a_person_with_its_number(tmp_path: Path) -> None:
    clone(tmp_path, ("hw1-2", "hw1-amy", "hw1-bob"))
    lines = "1,amy,1,Amy,1\n2,bob,2,Bob,1\n3,cy,3,Cy,2\n4,dee,4,Dee,2\n"
    given, _ = whose(tmp_path, IN_TEAMS + lines)
    own = {"Amy": "hw1-amy", "Bob": "hw1-bob"}
    assert given == own | {"2": "hw1-2", "Cy": PENDING, "Dee": PENDING}
    given, _ = whose(tmp_path, IN_TEAMS + lines.replace("Bob,1", "Bob,3"))
    assert given == own | {"Cy": "hw1-2", "Dee": "hw1-2"}


NUMBERED = [f"{at},{name},m{at}@u.edu" for at, name in enumerate(("Ada", "Bo", "Cy", "Di", "Ed", "Fay"), 1)]


@pytest.mark.parametrize(
    ("folders", "groups", "expected"),
    [
        (("1", "2", "3"), "112233", ("1", *(PENDING,) * 5)),
        (("1", "2", "3"), "123123", ("1", "2", "3", "1", "2", "3")),
        (("1", "2", "3"), "312312", (PENDING,) * 6),
        (("2", "3", "Red"), ("3", "3", "Red", "Red", "2", "2"), ("3", "3", "Red", "Red", "2", "2")),
        (("1", "2", "3", "6"), "331122", ("1", "2", "3", ABSENT, ABSENT, "6")),
        (("1", "2", "3", "6"), ("1", "1", "2", "2", "3", ""), ("1", *(PENDING,) * 4, "6")),
        (
            ("1", "2", "6", "Red"),
            ("2", "2", "1", "1", "Red", "7"),
            (PENDING, "2", PENDING, PENDING, "Red", "6"),
        ),
    ],
)
def test_a_folder_may_be_called_like_a_group_and_like_a_person_in_another(
    tmp_path: Path, folders: tuple[str, ...], groups: Sequence[str], expected: tuple[str, ...]
) -> None:
    lay_out(tmp_path, {f"{name}/m.py": f"# {name}" for name in folders})
    lines = [f"{person},{group}\n" for person, group in zip(NUMBERED, groups, strict=True)]
    (tmp_path / "r.csv").write_text("student,name,mail,group\n" + "".join(lines), "utf-8")
    task = load_task(tmp_path / "t.yaml")
    found = handed_in(task, [tmp_path / "in"], Sources(roster=tmp_path / "r.csv"), lambda _: None)
    given = {
        each.person.mail: PENDING if each.is_doubtful else each.path.name or ABSENT
        for each in found
        if each.person is not None
    }
    assert tuple(given[f"m{at}@u.edu"] for at in range(1, 7)) == expected


def test_clones_names_are_read_without_a_deadline(tmp_path: Path) -> None:
    clone(tmp_path, ["hw1-amy", "hw1-bob"])
    (tmp_path / "t.yaml").write_text(re.sub("late: .*\n", "", SPEC), "utf-8")
    given, notes = whose(tmp_path, f"{CLASSROOM}1,amy,1,Amy\n2,bob,2,Bob\n3,cy,3,Cy\n")
    assert given == {"Amy": "hw1-amy", "Bob": "hw1-bob", "Cy": ABSENT}
    assert "commits" not in notes


def test_the_rosters_logins_come_first_at_blackboard(tmp_path: Path) -> None:
    lay_out(tmp_path, {"H_uzh_amy_attempt_2026-11-20-18-30-00_m.py": ""})
    people = "Last Name,First Name,Username\nAdams,Amy,uzh_amy\nBrown,Bob,amy\n"
    given, _ = whose(tmp_path, people)
    assert given == {"Amy Adams": "H_uzh_amy_attempt_2026-11-20-18-30-00_m.py", "Bob Brown": ABSENT}


@pytest.mark.parametrize("works", [("Red",), ("Red_31_assignsubmission_file",), ("Cy C",)])
def test_people_whose_mails_begin_alike_keep_their_ids_in_any_order(
    tmp_path: Path, works: tuple[str, ...]
) -> None:
    lay_out(tmp_path, {f"{name}/m.py": "" for name in works})
    people = ["Ann,Fox,,a.fox@one.edu,Red\n", "Al,Fuchs,,a.fox@two.edu,Red\n", "Cy,C,,c@u.edu,Blue\n"]
    ids = []
    for order in (people, people[::-1]):
        (tmp_path / "r.csv").write_text(PARTICIPANTS + "".join(order), "utf-8")
        task = load_task(tmp_path / "t.yaml")
        found = handed_in(task, [tmp_path / "in"], Sources(roster=tmp_path / "r.csv"), lambda _: None)
        ids.append({each.name: each.id for each in found if each.person is not None})
        assert {each.id for each in Whose(found).of("a.fox")} == {ids[0]["Ann Fox"], ids[0]["Al Fuchs"]}
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    ("people", "works"),
    [
        ("Ann,Fox,,a.fox@one.edu,\n", ("Cy C",)),
        ("Ann,Wolf,s1,a.fox@one.edu,\nAl,Fuchs,,a.fox@two.edu,\n", ("Cy C",)),
        ("Al,Fuchs,,a.fox@two.edu,\nAnn,Fox,,a.fox@one.edu,\n", ("Cy C", "Ann Fox")),
    ],
    ids=["alone", "married", "handed in"],
)
def test_an_id_with_a_digest_means_its_person_whatever_else_changes(
    tmp_path: Path, people: str, works: tuple[str, ...]
) -> None:
    def found(text: str, *works: str) -> list[Candidate]:
        lay_out(tmp_path, {f"{name}/m.py": "" for name in works})
        (tmp_path / "r.csv").write_text(PARTICIPANTS + text + "Cy,C,,c@u.edu,\n", "utf-8")
        sources = Sources(roster=tmp_path / "r.csv")
        return handed_in(load_task(tmp_path / "t.yaml"), [tmp_path / "in"], sources, lambda _: None)

    before = found("Ann,Fox,,a.fox@one.edu,\nAl,Fuchs,,a.fox@two.edu,\n", "Cy C")
    ann = next(each.id for each in before if each.name == "Ann Fox")
    assert "~" in ann
    assert [each.name.split()[0] for each in Whose(found(people, *works)).sure(ann)] == ["Ann"]


GRADEBOOK = "Student,ID,SIS User ID,SIS Login ID,Section\n"
OWN = "name,canvas,group,student\n"


@pytest.mark.parametrize(
    ("roster", "ada", "di"),
    [
        (
            f'{GRADEBOOK}"Fox, Ada",55,,a,\n"Ng, Bo",56,,b,\n"Oz, Cy",57,,c,\n"Dun, Di",58,,d,\n',
            PENDING,
            PENDING,
        ),
        (
            f"{OWN}Ada Fox,55,Project A,ada\nBo Ng,56,Project A,bo\nCy Oz,57,,cy\nDi Dun,58,,di\n",
            "projecta_56_1_m.py",
            ABSENT,
        ),
        (f"{OWN}Ada Fox,55,Lab,ada\nBo Ng,56,Lab,bo\nCy Oz,57,Lab,cy\nDi Dun,58,Lab,di\n", PENDING, PENDING),
    ],
    ids=["no groups", "groups", "classes"],
)
def test_a_work_of_canvas_with_a_groups_name_may_be_that_of_who_has_none(
    tmp_path: Path, roster: str, ada: str, di: str
) -> None:
    lay_out(tmp_path, {"projecta_56_1_m.py": "# A", "ozcymaria_57_2_m.py": "# B"})
    given, said = whose(tmp_path, roster)
    assert given == {
        "Ada Fox": ada,
        "Bo Ng": "projecta_56_1_m.py",
        "Cy Oz": "ozcymaria_57_2_m.py",
        "Di Dun": di,
    }
    assert ("projecta (canvas-56)" in said) == (di == PENDING)
    (tmp_path / "in/projecta_56_1_m.py").rename(tmp_path / "in/ngbo_56_1_m.py")
    assert whose(tmp_path, roster.replace("Project A", ""))[0]["Ada Fox"] == ABSENT


@pytest.mark.parametrize(
    ("work", "name", "more"),
    [
        ("adafoxbong", "Bo Ng", ("ozcy_57",)),
        ("adafoxandbong", "Bo Ng", ()),
        ("第一组", "Wei Zhang", ("ozcy_57",)),
        ("group1", "张伟", ()),
        ("projecta", "Bo Ng", ("ozcy_57", "projectb_58")),
    ],
)
def test_a_group_of_canvas_can_be_called_like_its_members_or_in_any_script(
    tmp_path: Path, work: str, name: str, more: tuple[str, ...]
) -> None:
    lay_out(tmp_path, {f"{each}_1_m.py": "" for each in (f"{work}_56", *more)})
    given, said = whose(tmp_path, f"{OWN}Ada Fox,55,,ada\n{name},56,,bo\nCy Oz,57,,cy\nDi Dun,58,,di\n")
    assert given["Ada Fox"] == PENDING
    assert "or a group on the roster" in said


@pytest.mark.parametrize(
    ("work", "name"),
    [
        ("gatesbill", "William Gates"),
        ("doejane", "Jane Miller"),
        ("garcialucia", "Maria Garcia Lopez"),
        ("zhangkevin", "Wei Zhang"),
        ("petrovsasha", "Aleksandr Petrov"),
        ("roekim", "Wei Zhang"),
    ],
)
def test_a_person_of_canvas_with_another_name_makes_nobody_pending(
    tmp_path: Path, work: str, name: str
) -> None:
    lay_out(tmp_path, dict.fromkeys((f"{work}_56_1_m.py", "ozcy_57_2_m.py", "dundi_58_3_m.py"), ""))
    roster = f"{OWN}Ada Fox,55,,ada\n{name},56,,bo\nCy Oz,57,,cy\nDi Dun,58,,di\n"
    given, said = whose(tmp_path, roster)
    assert given["Ada Fox"] == ABSENT
    assert f"{work} ({name}).  If one is a group's, give a roster with the groups" in said


@pytest.mark.parametrize("work", ["ngada", "adabong", "foxleyandng", "teamadabo", "ngbrandt", "ngfoxlund"])
def test_who_stands_in_the_name_of_a_work_of_canvas_is_pending_alone(tmp_path: Path, work: str) -> None:
    lay_out(tmp_path, dict.fromkeys((f"{work}_56_1_m.py", "ozcy_57_1_m.py", "dundi_58_1_m.py"), ""))
    people = "Ada Foxley Brandt Lund,55,,ada\nBo Ng,56,,bo\nCy Oz,57,,cy\nDi Dun,58,,di\nEve Hay,59,,eve\n"
    given, _ = whose(tmp_path, OWN + people)
    assert given["Ada Foxley Brandt Lund"] == PENDING
    assert (given["Bo Ng"], given["Eve Hay"]) == (f"{work}_56_1_m.py", ABSENT)


def test_a_name_with_a_hyphen_is_no_team_and_a_person(tmp_path: Path) -> None:
    lay_out(
        tmp_path, {f"{name}_assignsubmission_file/m.py": "" for name in ("Anna-Maria Fox_701", "Cy Oz_702")}
    )
    people = "Anna Maria,Fox,,am@u,Anna\nMaria,Fox,,m@u,\nCy,Oz,,c@u,\n"
    assert whose(tmp_path, PARTICIPANTS + people)[0]["Maria Fox"] == PENDING


def test_a_team_is_known_by_its_letters_and_by_its_group(tmp_path: Path) -> None:
    folders = [f"{name}_assignsubmission_file" for name in ("RD Team-Ada Fox_701", "Red-Anna-Maria Fox_702")]
    lay_out(tmp_path, {f"{folder}/m.py": "" for folder in folders})
    people = "Ada,Fox,,a@u,R&D: Team\nAnna-Maria,Fox,,am@u,Red\nMaria,Fox,,m@u,Blue\n"
    given, _ = whose(tmp_path, PARTICIPANTS + people)
    assert given == {"Ada Fox": folders[0], "Anna-Maria Fox": folders[1], "Maria Fox": ABSENT}


def test_moodle_has_a_folder_for_each_member_of_a_team(tmp_path: Path) -> None:
    names = (
        "Red-Hot Pandas-Ada Fox_701",
        "Red-Hot Pandas-Bo Ng_702",
        "Default group-Ed Ex_703",
        "Di-Di Dun_704",
    )
    folders = [f"{name}_assignsubmission_file" for name in names]
    lay_out(tmp_path, {f"{folder}/m.py": "" for folder in folders})
    people = "Ada,Fox,,a@u,{0}\nBo,Ng,,b@u,{0}\nEd,Ex,,e@u,\nDi-Di,Dun,,d@u,\nCy,Oz,,c@u,\n"
    given, _ = whose(tmp_path, PARTICIPANTS + people.format("Red-Hot Pandas"))
    assert given == {
        **dict(zip(("Ada Fox", "Bo Ng", "Ed Ex", "Di-Di Dun"), folders, strict=True)),
        "Cy Oz": ABSENT,
    }
    given, _ = whose(tmp_path, PARTICIPANTS + people.format("Blue"))
    assert given["Ada Fox"] == PENDING

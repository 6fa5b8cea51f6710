"""Members of a team that handed in one work: each is called by the roster, and no number stands for one."""

from pathlib import Path

import pytest
from support.command_line import Done, grader, results

SPEC = """\
task: t
title: T
marks: 2
modules: {m: m.py}
questions:
  - {id: "1", title: q, marks: 2, cases: [{call: f(1), returns: 1}]}
"""
HEADS = ("student,name,mail,group\n", "First name,Last name,Email address,Groups\n")
PEOPLE = (("s3,Cy Oz,cy@u,Beta\n", "s4,Di Dun,di@u,Beta\n"), ("Cy,Oz,cy@u,Beta\n", "Di,Dun,di@u,Beta\n"))


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    work = tmp_path / "in/Beta_32_assignsubmission_file/m.py"
    work.parent.mkdir(parents=True)
    work.write_text("def f(n): return n\n")
    (tmp_path / "t.yaml").write_text(SPEC)
    (tmp_path / "reviews").mkdir()
    return tmp_path


def mark(batch: Path, roster: str) -> Done:
    (batch / "people.csv").write_text(roster)
    command = ("mark", batch / "t.yaml", batch / "in", "-o", batch / "out", "-j", "1", "-q")
    return grader(*command, "--roster", batch / "people.csv")


def marks(batch: Path) -> dict[str, str]:
    return {each["name"]: each["mark"] for each in results(batch / "out")["submissions"]}


def zero(batch: Path, student: str) -> None:
    text = f"- {{student: {student}, by: A, overrides: [{{marks: 0, reason: took no part}}]}}\n"
    (batch / "reviews/t.yaml").write_text(text)


@pytest.mark.parametrize(("head", "lines"), list(zip(HEADS, PEOPLE, strict=True)), ids=["own", "moodle"])
def test_another_order_of_the_roster_moves_no_mark_by_hand(
    batch: Path, head: str, lines: tuple[str, str]
) -> None:
    cy, di = lines
    assert mark(batch, head + cy + di).returncode == 0
    (own_id,) = [each["id"] for each in results(batch / "out")["submissions"] if each["name"] == "Cy Oz"]
    zero(batch, own_id)
    for order in (cy + di, di + cy):
        done = mark(batch, head + order)
        assert done.returncode == 0, done.stderr
        assert marks(batch) == {"Cy Oz": "0", "Di Dun": "2"}


def test_an_override_of_a_teams_number_is_nobodys(batch: Path) -> None:
    zero(batch, "moodle-32")
    done = mark(batch, HEADS[0] + "".join(PEOPLE[0]))
    assert done.returncode == 2
    assert "an override names moodle-32, which is the work of Cy Oz and Di Dun" in done.stderr
    assert "write it for each whom it is about: s3 and s4" in done.stderr

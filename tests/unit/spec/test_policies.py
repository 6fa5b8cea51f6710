"""What is taken off and what people mark, from a valid spec."""

from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.model.errors import SpecError
from grader.model.policy import (
    AtLeast,
    Attempts,
    Deduction,
    DeductionBase,
    Extension,
    Group,
    GroupAward,
    LateStep,
    Section,
    Smoke,
)
from grader.model.task import Award, Level
from grader.spec import load_task
from grader.yamlfile.quantities import moment, penalty

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

LATE = """\
late:
  deadline: 2026-11-20T23:59:00+01:00
  grace: 5min
  steps: [{within: 24h, penalty: 15%}, {within: 48h, penalty: 2.5}]
  then: 100%
"""
PEOPLE = """\
task: small
title: Small
marks: 3
modules: {m: m.py, n: n.py}
questions:
  - id: report
    title: Report
    marks: 3
    criteria:
      - {id: form, title: Form, marks: 1}
      - id: text
        title: Text
        marks: 2
        description: Is it clear?
        levels: [{marks: 2, description: yes}, {marks: 0.5, description: hardly}]
"""


GROUPS = """\
groups:
  small: {}
  big: {award: threshold, at least: 2, weight: 0.5}
  rest: {award: minimum, at least: 12.5 %}
  extra: {award: each, marks: 2, bonus: true}
"""
OF_GROUPS = "\n".join(
    f"- {{call: 'is_legal(8, [], (3, 4))', returns: true, group: {name}, weight: 3}}"
    for name in ("small", "big", "big", "rest", "rest", "extra")
)


def test_groups_imply_their_award_and_weigh_as_their_cases(spec: "SmallSpec") -> None:
    (question,) = spec.load(OF_GROUPS, question=GROUPS).questions
    assert question.award is Award.GROUPS
    assert question.groups == (
        Group(id="small", award=GroupAward.ALL, weight=Fraction(3)),
        Group(
            id="big",
            award=GroupAward.THRESHOLD,
            weight=Fraction(1, 2),
            at_least=AtLeast(Fraction(2), False),
        ),
        Group(
            id="rest", award=GroupAward.MINIMUM, weight=Fraction(6), at_least=AtLeast(Fraction(1, 8), True)
        ),
        Group(id="extra", award=GroupAward.EACH, weight=Fraction(2), bonus=True),
    )
    assert (question.marks, question.most, question.bonus) == (1, 3, False)


def test_bonus_cap_sections_and_attempts(spec: "SmallSpec") -> None:
    assert [(task.cap, task.most, task.sections, task.attempts) for task in [spec.load()]] == [
        (None, 1, (), None)
    ]
    head = "cap: 2.5\nattempts: best\nsections: [{title: Extra, questions: ['1'], cap: 2}]\n"
    # The section counts up to its cap, so the bonus group cannot reach 2.5.
    assert spec.messages(OF_GROUPS, head, GROUPS) == [
        "this cap never holds: all questions have 2 together, with bonus"
    ]
    task = spec.load(OF_GROUPS, head.replace("2.5", "1.5"), GROUPS)
    assert (task.cap, task.most, task.attempts) == (Fraction(3, 2), Fraction(3, 2), Attempts.BEST)
    assert task.sections == (Section("Extra", ("1",), Fraction(2)),)


def test_late(spec: "SmallSpec") -> None:
    late = spec.load(head=LATE).late
    assert late is not None
    assert late.deadline == datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
    assert late.grace_s == 300
    assert late.steps == (
        LateStep(86400, Deduction(Fraction(15, 100), DeductionBase.MARK)),
        LateStep(172800, Deduction(Fraction(5, 2))),
    )
    assert (late.then, late.extensions) == (Deduction(Fraction(1), DeductionBase.MARK), ())


def test_what_a_percentage_is_of(spec: "SmallSpec") -> None:
    late = spec.load(head=LATE + "  of: maximum\n").late
    assert late is not None
    assert late.then.of is DeductionBase.MAXIMUM
    assert late.steps[1].takes.of is None


def test_extensions(spec: "SmallSpec") -> None:
    (spec.folder / "more.yaml").write_text("a: 48h\nb: +1h\n'007': 2026-12-01 12:00 Z  # ill\n")
    late = spec.load(head=LATE + "  extensions: more.yaml\n").late
    assert late is not None
    assert late.extensions == (
        Extension("a", extra_s=172800),
        Extension("b", extra_s=3600),
        Extension("007", datetime(2026, 12, 1, 12, tzinfo=UTC)),
    )


def test_the_extensions_are_part_of_the_digest(spec: "SmallSpec") -> None:
    digests = []
    for text in ("a: 48h", "a: 49h", ""):
        (spec.folder / "more.yaml").write_text(text)
        digests.append(spec.load(head=LATE + "  extensions: more.yaml\n").spec_sha256)
    assert len(set(digests)) == 3


def test_an_earlier_deadline_is_no_extension(spec: "SmallSpec") -> None:
    (spec.folder / "more.yaml").write_text("a: 2026-11-20T22:00Z")
    (fault,) = spec.faults(head=LATE + "  extensions: more.yaml\n")
    assert (fault.where, fault.message[:31]) == ("more.yaml:1:4", "this deadline is before that of")


def test_smoke_takes_cases_and_whole_questions(spec: "SmallSpec") -> None:
    assert spec.load(head='smoke: {cases: "1", penalty: 10%}').smoke == Smoke(
        ("1.1",), Deduction(Fraction(1, 10), DeductionBase.MARK)
    )


def test_criteria(spec: "SmallSpec") -> None:
    (question,) = spec.load(text=PEOPLE).questions
    assert (question.module, question.cases) == ("", ())
    assert [(c.id, c.marks, c.description) for c in question.criteria] == [
        ("report.form", 1, ""),
        ("report.text", 2, "Is it clear?"),
    ]
    assert question.criteria[1].levels == (Level(Fraction(2), "yes"), Level(Fraction(1, 2), "hardly"))


def test_all_mistakes_in_a_criterion_are_reported_at_once(spec: "SmallSpec") -> None:
    wrong = "{id: form, title: [], marks: many, description: {}}"
    found = spec.faults(text=PEOPLE.replace("{id: form, title: Form, marks: 1}", wrong))
    assert [fault.message.split()[0] for fault in found] == ["`title`", "`marks`", "`description`"]


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-11-20T23:59:00+01:00", "2026-11-20T22:59:00"),
        ("2026-11-20 23:59 Z", "2026-11-20T23:59:00"),
        ("2026-11-20 23:59:58.126713999 -0700", "2026-11-21T06:59:58.126713"),
        ("2026-11-20 23:59:58 UTC", "2026-11-20T23:59:58"),
    ],
)
def test_a_moment(text: str, utc: str) -> None:
    assert moment(text) == datetime.fromisoformat(f"{utc}+00:00")


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20T23:59:00",
        "2026-11-20",
        "2026-11-20T24:59Z",
        "2026-02-30T12:00Z",
        "0001-01-01T00:00+23:59",
        "9999-12-31T23:59-12:00",
        "2026-11-20T23:59+99:00",
        "2026-11-20T23:59Z" + " " * 40,
        "",
    ],
)
def test_what_is_no_moment(text: str) -> None:
    assert moment(text) is None


def test_a_penalty_is_a_share_or_marks() -> None:
    assert [penalty(text) for text in ("15%", "1.5 %", "2.5", "-1", "%", "ten")] == [
        (Fraction(15, 100), True),
        (Fraction(15, 1000), True),
        (Fraction(5, 2), False),
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("number", "level", "is_fine"), [("2", "2", True), ("1", "0.5", False), ("two", "2", True)]
)
def test_the_id_of_a_level_is_no_other_mark(tmp_path: Path, number: str, level: str, is_fine: bool) -> None:
    """In a sheet a cell has a mark or an id, and one text would mean two marks."""
    spec = tmp_path / "small.yaml"
    end = f"{{marks: {level}, description: x, id: '{number}'}}"
    other = "{marks: 2, description: all}, " if level != "2" else ""
    levels = "[{marks: 2, description: yes}, {marks: 0.5, description: hardly}]"
    spec.write_text(PEOPLE.replace(levels, f"[{other}{end}]"))
    if is_fine:
        load_task(spec)
        return
    with pytest.raises(SpecError, match=f"the id `{number}` could be taken for a mark"):
        load_task(spec)

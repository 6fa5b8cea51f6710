"""The file in which people mark: what it says, what can be wrong with it, and how it grows."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
from support.criteria import task_with

from grader.model.errors import UsageError
from grader.model.submission import CriterionMark, OverridingMark
from grader.model.task import Criterion, Level
from grader.records.reviews.content import Reviews
from grader.records.reviews.reading import parse_reviews
from grader.records.reviews.template import add_awaited, extended

CRITERIA = (
    Criterion(id="r.form", title="Form", marks=Fraction(1)),
    Criterion(
        id="r.text",
        title="Text\nand style",
        marks=Fraction(2),
        levels=(Level(Fraction(2), "all"), Level(Fraction(1, 2), "some")),
    ),
)
TASK = task_with(CRITERIA)
STUDENTS = ("ada", "bob")
AWAITING = {"ada": ["r.form", "r.text"], "bob": ["r.form", "r.text"]}


def parse(text: str, *, whole_batch: bool = True) -> Reviews:
    return parse_reviews(dedent(text), "reviews.yaml", TASK, STUDENTS, whole_batch=whole_batch)


def faults(text: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert caught.value.exit_code == 2
    return [f"{fault.where.removeprefix('reviews.yaml:')} {fault.message}" for fault in caught.value.faults]


def test_what_waits_for_a_person_may_be_about_one_who_has_left() -> None:
    """The grader itself wrote that; a mark that somebody gave is another matter."""
    text = extended("", TASK, {"eve": ["r.form"], "ada": ["r.form"]})
    assert set(parse(text).by_student) == {"ada", "eve"}
    marked = text.replace("  by:", "  by: me").replace("marks:    #", "marks: 1    #")
    assert "there is no submission `eve`" in faults(marked)[0]


def test_marks_of_one_who_has_left_are_told_with_what_to_do() -> None:
    with pytest.raises(UsageError) as caught:
        parse("- student: ada1\n  by: M\n  criteria:\n    r.form: {marks: 1}\n")
    hint = caught.value.faults[0].hint
    assert hint.startswith("write the id that the report has now; if nothing of theirs is marked any more")


def test_marks_and_overrides() -> None:
    found = parse("""\
        - student: ada
          by: A. Marker
          date: 2026-11-25
          criteria:
            r.form: {marks: 0.5, comment: "Short: too short.", by: B. Marker}
            r.text:
              marks: 2
              comment: |
                Line one.
                Line two.
        - student: ada
          by: A. Marker
          overrides:
            - {question: "1", marks: 1, reason: The hidden case was wrong.}
            - {marks: 4.5, reason: Agreed., date: 2026-11-26}
        """)
    review = found.by_student["ada"]
    assert review.marks == (
        CriterionMark(
            criterion="r.form",
            marks=Fraction(1, 2),
            comment="Short: too short.",
            by="B. Marker",
            date="2026-11-25",
        ),
        CriterionMark(
            criterion="r.text",
            marks=Fraction(2),
            comment="Line one.\nLine two.",
            by="A. Marker",
            date="2026-11-25",
        ),
    )
    assert review.overrides == (
        OverridingMark(question="1", marks=Fraction(1), reason="The hidden case was wrong.", by="A. Marker"),
        OverridingMark(
            question="", marks=Fraction(9, 2), reason="Agreed.", by="A. Marker", date="2026-11-26"
        ),
    )


@pytest.mark.parametrize("text", ["", "# only a comment\n", "\ufeff", "[]"])
def test_there_need_be_nothing(text: str) -> None:
    assert parse(text) == Reviews()


def test_what_is_left_blank_is_listed_and_not_marked() -> None:
    found = parse("- {student: ada, by: , criteria: {r.form: , r.text: {marks: , comment: not yet}}}")
    assert found.by_student["ada"].marks == ()
    assert found.listed == {"ada": {"r.form", "r.text"}}


def test_every_mistake_is_told_with_its_place() -> None:
    text = """\
        - student: adda
          by: M
          criteria:
            r.frm: {marks: 1}
            r.form: {marks: 1.5}
            r.text: {marks: 1, date: 25.11.2026}
        - student: bob
          criteria:
            r.form: {marks: 1}
          overrides:
            - {question: "7", marks: 1, reason: x, by: M}
            - {question: "1", marks: 3, reason: x, by: M}
            - {marks: -1, by: M}
            - {marks: 6, reason: x, by: M, note: y}
        - student: bob
          by: M
          criteria: {r.form: {marks: 0}}
          overrides: [{question: "1", marks: 3, reason: x}]
        """
    assert faults(text) == [
        "1:12 there is no submission `adda`",
        "4:5 there is no criterion `r.frm`",
        "5:21 `r.form` is worth 1 at most",
        "6:21 `r.text` has no level of 1",
        "6:30 `25.11.2026` is not a date such as 2026-11-21",
        "9:21 `by` is missing: who gave these marks?",
        "11:18 there is no question `7`",
        "12:30 question `1` is worth 2 at most",
        "13:7 `reason` is missing in an override",
        "13:15 `marks` must be a number such as 2 or 0.5, not `-1`",
        "14:15 the task is worth 5 at most",
        "14:36 `note` is not a key of an override",
        "17:14 `r.form` of bob stands in an earlier review already",
        "18:14 question `1` is overridden twice",
        "18:38 question `1` is worth 2 at most",
    ]


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ("criteria: {r.form: {marks: 0,5}}", "1:54 `5` is not a key of a criterion's review"),
        (
            "criteria: {r.form: {marks: 1, comment: Good, but late}}",
            "1:70 `but late` is not a key of a criterion's review",
        ),
        ("overrides: [{marks: 1,5, reason: nearly}]", "1:47 `5` is not a key of an override"),
        (
            'overrides: [{question: "1", marks: 1, reason: no name, date}]',
            "1:80 `date` stands without a colon",
        ),
        ("overrides: [{question: , marks: 2, reason: late}]", "1:38 which question is overridden?"),
    ],
)
def test_what_a_comma_cut_off_and_a_question_left_blank_are_no_marks(entry: str, place: str) -> None:
    assert faults("- {student: ada, by: M, " + entry + "}") == [place]


def test_a_name_whose_accents_stand_apart_is_the_same_name() -> None:
    text = "- {student: 'Zoe\u0308', by: M, criteria: {r.form: {marks: 1}}}"
    found = parse_reviews(text, "r.yaml", TASK, {"Zo\u00eb"}, whole_batch=True)
    assert [len(each.marks) for each in found.by_student.values()] == [1]


@pytest.mark.parametrize("text", ["student: ada", "text", "- [1]", "- &a {student: ada}\n- *a"])
def test_what_is_no_list_of_reviews(text: str) -> None:
    assert faults(text)


def test_of_a_part_of_the_batch_other_students_are_no_mistake() -> None:
    assert parse("- {student: eve}", whole_batch=False).strangers == ["eve"]


def test_a_new_file_lists_what_is_awaited_and_is_valid_as_it_stands() -> None:
    text = extended("", TASK, AWAITING)
    assert text.startswith("# Marks that people give for T (t).\n")
    assert "      marks:    # 0.5, 2: Text and style\n" in text
    assert parse(text).listed == {"ada": {"r.form", "r.text"}, "bob": {"r.form", "r.text"}}


def test_a_title_of_two_lines_stays_in_the_comment() -> None:
    text = extended("", replace(TASK, title="A\nB: c"), AWAITING)
    assert text.startswith("# Marks that people give for A B: c (t).\n")
    assert parse(text).listed.keys() == {"ada", "bob"}


BY_HAND = (
    "# mine\n"
    "-   student: ada   # Ada L.\n"
    "    by: M\n"
    "    criteria: {r.form: {marks: 1, comment: 'good'}}   # keep\n"
    "\n"
    "# end, without a newline"
)


@pytest.mark.parametrize("before", [BY_HAND, BY_HAND.replace("\n", "\r\n"), "\ufeff" + BY_HAND])
def test_what_a_person_wrote_stays_byte_for_byte(tmp_path: Path, before: str) -> None:
    path = tmp_path / "deep" / "reviews.yaml"
    path.parent.mkdir()
    path.write_bytes(before.encode())
    assert add_awaited(path, TASK, AWAITING, STUDENTS) == ""
    after = path.read_bytes().decode()
    assert after.startswith(before)
    assert ("\r\n" in before) == (after.count("\r\n") == after.count("\n"))
    found = parse(after)
    assert found.listed == {"ada": {"r.form", "r.text"}, "bob": {"r.form", "r.text"}}
    assert [mark.comment for mark in found.by_student["ada"].marks] == ["good"]
    assert add_awaited(path, TASK, AWAITING, STUDENTS) == ""
    assert path.read_bytes().decode() == after


@pytest.mark.parametrize("before", ["[{student: ada}]\n", "- {student: ada}\n...\n"])
def test_a_file_that_nothing_can_be_added_to_is_left_alone(tmp_path: Path, before: str) -> None:
    path = tmp_path / "reviews.yaml"
    path.write_text(before)
    assert "can be added" in add_awaited(path, TASK, AWAITING, STUDENTS)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("student", ["null", "7", "1e3", "Zoë-müller", "a.b", "-x", "true", "0x1f", "Я"])
def test_ids_of_any_kind_are_read_back_as_they_are(student: str) -> None:
    text = extended("", TASK, {student: ["r.form"]})
    assert parse_reviews(text, "r", TASK, [student], whole_batch=True).listed == {student: {"r.form"}}

"""The marker's own file: every change is on the disk, and everything else in it stays as it is."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.criteria import task_with

from grader.model.errors import UsageError
from grader.model.submission import OverridingMark, Remark, Review
from grader.model.task import Criterion, Level
from grader.records.reviews.content import SharedComment
from grader.records.reviews.reading import read_reviews
from grader.records.reviews.template import extended
from grader.reviewing.edit import CannotEdit, add_item, blocks, drop_item, put
from grader.reviewing.given import NOTHING, Given
from grader.reviewing.given import given as given_in
from grader.reviewing.own_file import OwnFile

CRITERIA = (
    Criterion(id="r.form", title="Form", marks=Fraction(1)),
    Criterion(
        id="r.text",
        title="Text",
        marks=Fraction(2),
        levels=(Level(Fraction(2), "all", "all"), Level(Fraction(1, 2), "some", "some")),
    ),
)
TASK = task_with(CRITERIA)
STUDENTS = ("ada", "bob", "Zoë O'Neill", "- x: y")
WORK = "5f2c9e04b1d7aaaa"
HAND = """\
# The class of 2026; keep this line.
- student: ada      # she asked twice
  by: B. Marker
  criteria:
    r.form: {marks: 0.5, comment: "Short: too short."}   # see page 3
    r.text:
      marks: 2
      comment: |
        Line one.
        Line two.

# about bob
- student: bob
  by:
  date:
  work: "0011223344556677"
  criteria:
    r.form:
      marks:    # 0 to 1: Form
      comment:
    r.text:
      marks:    # 0.5, 2: Text
      comment:
  overrides:
    - question: "1"
      marks: 2
      reason: The case was wrong.
      by: B. Marker
# the end
"""


def own(path: Path) -> OwnFile:
    return OwnFile(path, TASK, STUDENTS, "A. Marker", lambda: date(2026, 11, 25))


@pytest.fixture
def file(tmp_path: Path) -> OwnFile:
    path = tmp_path / "reviews" / "t.yaml"
    path.parent.mkdir()
    path.write_text(HAND)
    return own(path)


def comments_of(text: str) -> list[str]:
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


def test_a_mark_is_put_into_its_place(file: OwnFile) -> None:
    file.set_mark("bob", "r.text", Given(Fraction(2), "all", "Well: done."), WORK)
    text = file.path.read_text()
    assert text.startswith(HAND[: HAND.index("- student: bob")])
    assert (
        text[HAND.index("- student: bob") :]
        == """\
- student: bob
  by: "A. Marker"
  date: 2026-11-25
  work: "0011223344556677"
  criteria:
    r.form:
      marks:    # 0 to 1: Form
      comment:
    r.text:
      marks:    # 0.5, 2: Text
      comment: "Well: done."
      level: all
      work: "5f2c9e04b1d7aaaa"
  overrides:
    - question: "1"
      marks: 2
      reason: The case was wrong.
      by: B. Marker
# the end
"""
    )
    review = read_reviews(file.path, TASK, STUDENTS, whole_batch=True).by_student["bob"]
    (mark,) = review.marks
    assert (mark.marks, mark.by, mark.date, mark.work) == (2, "A. Marker", "2026-11-25", WORK)


def test_who_changes_words_has_not_marked_again(file: OwnFile) -> None:
    file.set_mark("ada", "r.form", Given(Fraction(1, 2), "", "Shorter."), WORK)
    mark = file.reviews.by_student["ada"].marks[0]
    assert (mark.comment, mark.by, mark.work) == ("Shorter.", "B. Marker", "")
    file.set_mark("ada", "r.form", Given(Fraction(1), "", "Shorter."), WORK)
    mark = file.reviews.by_student["ada"].marks[0]
    assert (mark.by, mark.work) == ("A. Marker", WORK)
    assert "# see page 3" in file.path.read_text()


def test_words_without_a_mark_are_kept(file: OwnFile) -> None:
    file.set_mark("bob", "r.form", Given(None, "", "ask for the page"), WORK)
    assert given_in(own(file.path).reviews, "bob", "r.form") == Given(None, "", "ask for the page")


def test_taken_away_a_mark_awaits_a_person_again(file: OwnFile) -> None:
    file.set_mark("ada", "r.text", NOTHING, WORK)
    found = read_reviews(file.path, TASK, STUDENTS, whole_batch=True)
    assert [one.criterion for one in found.by_student["ada"].marks] == ["r.form"]
    assert "r.text" in found.listed["ada"]


def test_a_new_file_is_made(tmp_path: Path) -> None:
    file = own(tmp_path / "new" / "t.yaml")
    file.set_mark("- x: y", "r.form", Given(Fraction(1)), WORK)
    file.set_mark("Zoë O'Neill", "r.form", Given(Fraction(1, 2), "", "é\t\n\u2028"), "")
    found = own(file.path).reviews
    assert given_in(found, "- x: y", "r.form") == Given(Fraction(1))
    assert given_in(found, "Zoë O'Neill", "r.form").marks == Fraction(1, 2)
    assert found.by_student["- x: y"].marks[0].by == "A. Marker"


def test_overrides_and_remarks(file: OwnFile) -> None:
    file.set_override("bob", "1", None, WORK)
    file.set_override("bob", "", OverridingMark(question="", marks=Fraction(4), reason="so", by=""), WORK)
    remark = Remark(comment="Why?", by="A. Marker", date="2026-11-25", file="m.py", line=3, text="  x = 1")
    file.add_remark("ada", remark, WORK)
    found = own(file.path).reviews
    assert [(one.question, one.marks, one.by) for one in found.by_student["bob"].overrides] == [
        ("", 4, "A. Marker")
    ]
    (kept,) = found.by_student["ada"].remarks
    assert (kept.file, kept.line, kept.text, kept.by) == ("m.py", 3, "  x = 1".strip(), "A. Marker")
    file.drop_remark("ada", kept)
    assert own(file.path).reviews.by_student["ada"].remarks == ()
    assert comments_of(file.path.read_text()) == comments_of(HAND)


def test_a_shared_comment_is_reworded_for_all(file: OwnFile) -> None:
    file.share("why", SharedComment("Say why.", "r.text"))
    for student in ("ada", "bob"):
        file.set_mark(student, "r.text", Given(Fraction(2), "all", "", ("why",)), WORK)
    file.share("why", SharedComment("Say why it ends.", "r.text"))
    found = read_reviews(file.path, TASK, STUDENTS, whole_batch=True)
    assert [found.by_student[name].marks[-1].comment for name in ("ada", "bob")] == ["Say why it ends."] * 2


def test_what_a_person_writes_meanwhile_is_read(file: OwnFile) -> None:
    other = own(file.path)
    other.set_mark("bob", "r.form", Given(Fraction(1)), WORK)
    with pytest.raises(UsageError, match="changed meanwhile"):
        file.set_mark("ada", "r.form", Given(Fraction(0)), WORK)
    assert file.refresh()
    assert not file.refresh()
    file.set_mark("ada", "r.form", Given(Fraction(0)), WORK)
    assert given_in(file.reviews, "bob", "r.form") == Given(Fraction(1))


@pytest.mark.parametrize("left", [None, "", "\n"])
def test_no_new_file_begins_where_one_vanished(file: OwnFile, left: str | None) -> None:
    """It would have the next mark alone, and the run would drop all others."""
    file.path.unlink()
    if left is not None:
        file.path.write_text(left)
    with pytest.raises(UsageError, match="it is gone or empty; put it back, or begin anew"), file.held():
        raise AssertionError("nothing is changed")
    assert file.path.exists() == (left is not None)


def test_mistakes_of_a_person_are_told_and_nothing_is_written(file: OwnFile) -> None:
    broken = HAND + "- student: ada\n  by: me\n  criteria: {r.form: {marks: 9}}\n"
    file.path.write_text(broken)
    with pytest.raises(UsageError, match="stands in an earlier review"):
        file.refresh()
    assert file.path.read_text() == broken


@pytest.mark.parametrize("text", ["[{student: ada}]\n", "- {student: ada}\n- {student: bob}, x\n"])
def test_what_only_a_person_can_change_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(text)
    with pytest.raises((UsageError, CannotEdit)):
        own(path).set_mark("ada", "r.form", Given(Fraction(1)), WORK)
    assert path.read_text() == text


_MARKS = st.sampled_from([Given(Fraction(1)), Given(Fraction(1, 2), "", "a: b [c"), NOTHING])
_LEVELS = st.sampled_from(
    [Given(Fraction(2), "all"), Given(Fraction(1, 2), "some", "x\ny"), NOTHING, Given(None, "", "later")]
)
_CHANGES = st.one_of(
    st.tuples(st.just("r.form"), st.sampled_from(STUDENTS), _MARKS),
    st.tuples(st.just("r.text"), st.sampled_from(STUDENTS), _LEVELS),
    st.tuples(st.just("1"), st.sampled_from(STUDENTS), st.sampled_from([None, Fraction(1), Fraction(2)])),
    st.tuples(st.just("remark"), st.sampled_from(STUDENTS), st.sampled_from(["one", "- two: ["])),
    st.tuples(st.just("again"), st.sampled_from(STUDENTS), st.sampled_from(["", "look: here"])),
)
_STARTS = st.sampled_from(
    [
        "",
        HAND,
        HAND.replace("\n", "\r\n"),
        "\ufeff" + HAND,
        extended("", TASK, {name: ["r.form", "r.text"] for name in STUDENTS}, {"bob": WORK}),
        "\n".join("    " + line if line else line for line in HAND.split("\n")),
        HAND + "... # over\n# more\n",
        HAND.replace("- student", "- # dash\n  student"),
        "---\n- {student: ada, by: me, # one\n   criteria: {r.form: {marks: 1}}} # two\n# three\n",
    ]
)


@given(_STARTS, st.lists(_CHANGES, max_size=14))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changes_hold_and_comments_stay(
    tmp_path: Path, start: str, changes: list[tuple[str, str, Any]]
) -> None:
    path = tmp_path / "t.yaml"
    path.write_bytes(start.encode())
    file = own(path)
    expected: dict[tuple[str, str], Any] = dict(_said(file))
    for key, student, to in changes:
        if key == "remark":
            file.add_remark(student, Remark(comment=to, by="", question="r"), WORK)
            expected[student, key] = [*expected.get((student, key), []), to]
        elif key == "again":
            file.set_again(student, to, WORK)
            expected[student, key] = to
        elif key == "1":
            put_in = None if to is None else OverridingMark(question="1", marks=to, reason="r", by="")
            file.set_override(student, "1", put_in, WORK)
            expected[student, key] = to
        else:
            file.set_mark(student, key, to, WORK)
            expected[student, key] = to
    fresh = own(path)
    empty: tuple[Any, ...] = (None, "", [], NOTHING)
    assert dict(_said(fresh)) == {key: one for key, one in expected.items() if one not in empty}
    assert dict(_said(file)) == dict(_said(fresh))
    read_reviews(path, TASK, STUDENTS, whole_batch=True)
    kept = comments_of(start)
    assert [one for one in comments_of(path.read_bytes().decode()) if one in kept] == kept
    head, parts, tail = blocks(path.read_bytes().decode().removeprefix("\ufeff"))
    assert tail.startswith("...") == ("\n..." in start)
    assert (head + "".join(parts) + tail).encode() == path.read_bytes().removeprefix("\ufeff".encode())


def _said(file: OwnFile) -> Iterator[tuple[tuple[str, str], object]]:
    found = file.reviews
    for student in STUDENTS:
        review = found.by_student.get(student, Review())
        for criterion in ("r.form", "r.text"):
            one = given_in(found, student, criterion)
            if one != NOTHING:
                yield (student, criterion), one
        for override in review.overrides:
            yield (student, override.question), override.marks
        if review.remarks:
            yield (student, "remark"), [remark.comment for remark in review.remarks]
        if student in found.again:
            yield (student, "again"), found.again[student]


def test_a_block_is_changed_and_the_rest_of_it_stays() -> None:
    block = "- student: a\n  criteria: {r: {marks: 1, comment: 'x'}}   # c\n"
    assert put(block, ("criteria", "r"), {"marks": "2", "comment": None}) == (
        "- student: a\n  criteria: {r: {marks: 2, comment: }}   # c\n"
    )
    more = add_item(block, "remarks", {"comment": "hi"})
    assert more == block + "  remarks:\n    - {comment: hi}\n"
    assert drop_item(more, "remarks", 0) == block

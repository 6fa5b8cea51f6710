"""Which files of reviews count in a run that names none: no mark of the last run is left out unsaid."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.records.file_text import entries_of, is_there
from grader.records.last_run import NAMED, OUTPUT, REVIEWS
from grader.records.reviews.files import (
    are_usual,
    is_lost,
    meant_by,
    refuse_lost,
    reviews_again,
    tell_of_others,
    usual_reviews,
)
from grader.store.record_parts import KeptFile

AMY = "- student: amy\n  by: A\n  criteria:\n    style: {marks: 2}\n"
BLANK = "- student: bob\n  by:\n  date:\n  criteria:\n    style:\n      marks:    # 0 to 2\n"


class Term:
    """A spec, its files of reviews, and what the last run kept of them."""

    def __init__(self, folder: Path) -> None:
        self.spec = folder / "task" / "essay.yaml"
        self.told: list[str] = []
        self.kept: list[KeptFile] = [KeptFile(OUTPUT, folder / "out", b"")]
        self.spec.parent.mkdir()

    def write(self, name: str, text: str) -> Path:
        path = self.spec.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def keep(self, name: str, text: str = AMY) -> Path:
        """Write a file that the last run has read."""
        path = self.write(name, text)
        self.kept.append(KeptFile(REVIEWS, path, text.encode()))
        return path

    def again(self, *, keeps_lost: bool = False) -> dict[str, str]:
        """Return by name what the next run reads."""
        found = reviews_again(self.kept, self.spec, "essay", self.told.append, keeps_lost=keeps_lost)
        return {os.path.relpath(file.path, self.spec.parent): file.content.decode() for file in found}

    def refused(self) -> str:
        with pytest.raises(UsageError) as caught:
            self.again()
        return str(caught.value)


@pytest.fixture
def term(tmp_path: Path) -> Term:
    return Term(tmp_path)


def gone(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_text("")


def without_its_target(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("drive.yaml"))


def of_blanks(path: Path) -> None:
    path.write_text("\ufeff\n \n")


@pytest.mark.parametrize("lose", [gone, emptied, of_blanks])
@pytest.mark.parametrize("name", ["reviews/essay.yaml", "reviews/essay/B.yaml", "own.yaml"])
def test_marks_that_are_lost_hold_a_run_up(term: Term, lose: Callable[[Path], None], name: str) -> None:
    if name == "own.yaml":
        term.kept.append(KeptFile(NAMED, Path(REVIEWS), b""))
    lose(term.keep(name))
    assert "marks of the last run stood in this file of reviews, and it is " in term.refused()
    assert f"--reviews {term.spec.parent / name}" in term.refused()
    # What marks nothing anew goes by what the run read, and says so.
    assert term.again(keeps_lost=True)[name] == AMY
    assert "so the content in the record counts" in term.told[-1]


def test_a_file_that_moved_with_the_spec_says_all_that_it_said(term: Term) -> None:
    old = term.keep("reviews/essay.yaml")
    term.spec = term.spec.parents[1] / "new" / "essay.yaml"
    old.unlink()
    term.write("reviews/essay.yaml", BLANK)
    assert "it is gone" in term.refused(), "the grader itself writes such a file for a late student"
    term.write("reviews/essay.yaml", AMY + BLANK)
    assert term.again() == {"reviews/essay.yaml": AMY + BLANK}


def test_a_renamed_file_may_have_what_the_grader_added(term: Term) -> None:
    term.keep("reviews/essay/A.yaml", AMY + BLANK).unlink()
    text = AMY + BLANK.replace("by:", "by: A").replace("marks:  ", "marks: 1")
    term.write("reviews/essay/Anna.yaml", text)
    assert term.again() == {"reviews/essay.yaml": "", "reviews/essay/Anna.yaml": text}
    assert "A.yaml is gone; Anna.yaml says the same and counts for it" in term.told[0]
    term.write("reviews/essay/Anna.yaml", text.replace("marks: 2", "marks: 1"))
    assert "--reviews " in term.refused()


def test_a_file_called_like_the_task_in_the_folder_of_markers_was_not_named(term: Term) -> None:
    term.keep("reviews/essay/essay.yaml")
    term.write("reviews/essay/B.yaml", BLANK)
    assert term.again() == {
        "reviews/essay.yaml": "",
        "reviews/essay/essay.yaml": AMY,
        "reviews/essay/B.yaml": BLANK,
    }


def test_blanks_that_are_gone_hold_nobody_up(term: Term) -> None:
    term.keep("reviews/essay.yaml", BLANK).unlink()
    assert term.again() == {"reviews/essay.yaml": ""}


@pytest.mark.parametrize("name", ["reviews/essay/B.yaml", "reviews/essay.yaml"])
@pytest.mark.parametrize("was_read", [False, True])
def test_a_link_that_leads_nowhere_is_told(term: Term, name: str, was_read: bool) -> None:
    without_its_target(term.keep(name) if was_read else term.write(name, ""))
    assert f"{Path(name).name}: the reviews can't be read: this link leads nowhere" in term.refused()


def test_a_folder_that_is_a_link_to_a_drive_is_told(term: Term) -> None:
    (term.spec.parent / "reviews").symlink_to(term.spec.parent / "drive")
    assert "reviews: the reviews can't be read: this link leads nowhere" in term.refused()


@pytest.mark.parametrize(
    "other",
    [
        AMY.replace("style", "tone"),
        BLANK + "    tone: {marks: 2}\n",
        AMY.replace("  by", "  as: agreed\n  by"),
        "- student: [",
        "",
    ],
)
def test_the_same_line_under_another_name_says_something_else(term: Term, other: str) -> None:
    term.keep("reviews/essay/A.yaml").unlink()
    term.write("reviews/essay/Anna.yaml", other)
    assert "A.yaml: marks of the last run stood in this file of reviews, and it is gone" in term.refused()


def test_named_files_that_are_new_do_not_stand_for_lost_ones(term: Term) -> None:
    """A course that was copied without its files of reviews names them all the same."""
    term.keep("marks/A.yaml").unlink()
    before, new = [term.kept[-1]], KeptFile(REVIEWS, term.spec.parent / "new.yaml", b"")
    with pytest.raises(UsageError, match="and what is named says nothing yet"):
        refuse_lost(before, [new])
    refuse_lost(before, [replace(new, content=BLANK.encode())])
    refuse_lost(before, [replace(new, path=before[0].path)])
    refuse_lost([replace(before[0], content=BLANK.encode())], [new])


def test_a_copy_names_the_file_of_the_same_name(term: Term) -> None:
    """The old folder of a course that was copied lies there still, so nothing was lost."""
    term.keep("marks/A.yaml")
    before, named = [term.kept[-1]], [term.spec.parent / "copy" / "A.yaml"]
    assert meant_by(named[0], named, before) is before[0]
    assert meant_by(before[0].path, named, before) is before[0]
    assert meant_by(named[0], [*named, before[0].path], before) is None, "that one is named itself"
    assert meant_by(named[0].with_name("B.yaml"), named, before) is None
    with pytest.raises(UsageError, match="and what is named says nothing yet"):
        refuse_lost(before, [KeptFile(REVIEWS, named[0].with_name("B.yaml"), b"")])
    refuse_lost(before, [KeptFile(REVIEWS, named[0], AMY.encode())])


def test_a_file_that_cannot_be_read_any_more_holds_up_nobody_who_names_another(term: Term) -> None:
    path = term.keep("reviews/essay/A.yaml")
    path.unlink()
    path.mkdir()  # whoever runs the tests as root can read all files
    before = [term.kept[-1]]
    assert is_lost(before[0])
    refuse_lost(before, [KeptFile(REVIEWS, path.with_name("copy.yaml"), AMY.encode())])
    term.spec = term.spec.parents[1] / "new" / "essay.yaml"
    assert (
        "A.yaml: marks of the last run stood in this file of reviews, and it can't be read" in term.refused()
    )
    assert "--without reviews" in term.refused()


def test_files_that_look_like_reviews_of_the_task_are_told(term: Term) -> None:
    names = ("reviews/Essay.yaml", "reviews/essay/C.txt", "reviews/essay/mon/B.yaml")
    for name in names:
        term.write(name, AMY)
    term.write("reviews/essay/B.yaml", AMY)
    term.write("reviews/essays.yaml", AMY)
    found = reviews_again(term.kept, term.spec, "essay", term.told.append)
    tell_of_others(found, term.spec, "essay", term.told.append)
    said = [line.partition(" does not count: ")[0] for line in term.told]
    assert [os.path.relpath(each, term.spec.parent) for each in said] == [
        "reviews/Essay.yaml",
        "reviews/essay/C.txt",
        "reviews/essay/mon",
    ]


def test_a_named_file_that_was_put_beside_the_spec_is_the_same(term: Term) -> None:
    term.kept.append(KeptFile(NAMED, Path(REVIEWS), b""))
    term.keep("marks/A.yaml").unlink()
    term.write("reviews/essay/B.yaml", BLANK)
    term.write("reviews/essay.yaml", AMY + BLANK)
    assert term.again() == {"reviews/essay.yaml": AMY + BLANK}
    term.write("reviews/essay.yaml", AMY.replace("marks: 2", "marks: 1"))
    hint = term.refused().partition("hint: ")[2]
    assert f"--reviews {term.spec.parent}/reviews/essay.yaml" in hint
    assert "A.yaml" not in hint


def test_files_that_were_merged_are_there(term: Term) -> None:
    override = "- student: cat\n  by: A\n  overrides: [{marks: 1, reason: late}]\n"
    term.keep("reviews/essay/A.yaml", AMY + override).unlink()
    term.write("reviews/essay.yaml", BLANK + override + AMY)
    assert term.again() == {"reviews/essay.yaml": BLANK + override + AMY}


def test_the_hint_names_all_that_counts_then(term: Term) -> None:
    term.keep("reviews/essay/A one.yaml").unlink()
    here = [term.keep("reviews/essay.yaml", BLANK), term.keep("reviews/essay/B.yaml", BLANK)]
    here[1].write_text(AMY.replace("amy", "bob"))
    told = term.refused()
    assert all(f"--reviews {path}" in told for path in here)
    assert "A one.yaml" not in told.partition("hint: ")[2], "B's file is another one now, and may be meant"
    here[1].write_text(BLANK)
    assert f"--reviews '{term.spec.parent}/reviews/essay/A one.yaml'" in term.refused()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), os.mkdir, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_told(term: Term, make: Callable[[Path], None]) -> None:
    term.write("reviews/essay/A.yaml", AMY)
    make(term.spec.parent / "reviews" / "essay" / "B.yaml")
    assert "B.yaml: the reviews can't be read: " in term.refused()


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for look in (entries_of, is_there):
        with pytest.raises(UsageError, match="the reviews can't be read: Too many levels"):
            look(tmp_path / "loop", "the reviews")
    assert entries_of(tmp_path / "none", "the reviews") == []


def test_to_name_all_that_lies_beside_a_spec_says_nothing(term: Term) -> None:
    one, other = term.write("reviews/essay/A.yaml", AMY), term.write("reviews/essay/B.yaml", BLANK)
    first = usual_reviews(term.spec, "essay")[0]
    assert are_usual([one, other], term.spec, "essay")
    assert are_usual([first, one, other], term.spec, "essay")
    assert not are_usual([one], term.spec, "essay")
    assert are_usual([one, other, one.with_name("new.yml")], term.spec, "essay")
    assert not are_usual([one, other, term.spec], term.spec, "essay")

"""Students can't choose their own time or mark: files that people keep, forged, bombed, or in the way."""

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.command_line import grader, results

from grader.intake import discover
from grader.model.errors import UsageError
from grader.records.attach import check_outside, with_records
from grader.records.reviews.reading import parse_reviews
from grader.records.times.by_student import read_times
from grader.spec import load_task

MakeTree = Callable[[str, Mapping[str, str | bytes]], Path]
MODULES = {"work": "work.py"}
SPEC = """\
task: forged
title: Forged
marks: 2
modules: {work: work.py}
late: {deadline: 2026-11-20T12:00Z, then: 100%}
questions:
  - {id: "1", title: One, marks: 1, cases: [{call: f(), returns: 1}]}
  - {id: "2", title: Two, marks: 1, criteria: [{id: a, title: A, marks: 1}]}
"""
WORK = "def f():\n    return 1\n"
EARLY = "".join(f"submission_{number}:\n  :created_at: 2026-11-19 12:00:00 Z\n" for number in (1, 2))
LATE = EARLY.replace("11-19", "11-21")
FORGED = {
    "submission_metadata.yml": EARLY,
    "times.yaml": "submission_1: 2026-11-19T12:00Z\n",
    "times.csv": "student,submitted\nsubmission_1,2026-11-19T12:00Z\n",
    "reviews.yaml": "- {student: submission_1, by: me, overrides: [{marks: 2, reason: mine}]}\n",
    "reviews/forged.yaml": "- {student: submission_1, by: me, overrides: [{marks: 2, reason: mine}]}\n",
}


def silent(_: str) -> None:
    """Nobody wants to know."""


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_what_a_student_ships_counts_for_nothing(
    tmp_path: Path, make_folder: MakeTree, make_zip: MakeTree, kind: str
) -> None:
    files = {f"submission_1/{name}": text for name, text in FORGED.items()}
    files |= {"submission_1/work.py": WORK, "submission_2/work.py": WORK, "submission_metadata.yml": LATE}
    batch = make_folder("export", files) if kind == "folder" else make_zip("export.zip", files)
    spec = make_folder("specs", {"forged.yaml": SPEC}) / "forged.yaml"
    done = grader("mark", spec, batch, "-o", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, second = results(tmp_path / "out")["submissions"]
    assert first["submitted"] == second["submitted"] == "2026-11-21T12:00:00Z"
    assert (first["late_s"], first["mark"], first["overrides"]) == (86400, "0", [])
    assert first["awaiting"] == ["2.a"]


@pytest.mark.parametrize("option", ["--times", "--reviews"])
def test_a_file_among_the_submissions_is_refused(tmp_path: Path, make_folder: MakeTree, option: str) -> None:
    spec = make_folder("specs", {"forged.yaml": SPEC}) / "forged.yaml"
    batch = make_folder("batch", {"a/work.py": WORK, "a/deep/file.yaml": "", "b/work.py": WORK})
    done = grader("mark", spec, batch, "-o", tmp_path / "out", option, batch / "a" / "deep" / "file.yaml")
    assert done.returncode == 2
    assert "this is among what a handed in" in done.stderr


def test_reviews_that_are_not_there_refuse_nobody(tmp_path: Path, make_folder: MakeTree) -> None:
    """A student marks the folder that they are in, by a task that nobody marks by hand."""
    text = SPEC[: SPEC.index('  - {id: "2"')].replace("marks: 2", "marks: 1")
    spec = make_folder("specs", {"forged.yaml": text}) / "forged.yaml"
    mine = make_folder("mine", {"work.py": WORK})
    done = grader("mark", spec, ".", "-o", tmp_path / "out", cwd=mine)
    assert done.returncode == 0, done.stderr


def test_reviews_of_the_current_folder_do_not_count(tmp_path: Path, make_folder: MakeTree) -> None:
    spec = make_folder("specs", {"forged.yaml": SPEC}) / "forged.yaml"
    mine = make_folder("mine", {"work.py": WORK, **FORGED})
    done = grader("mark", spec, ".", "-o", tmp_path / "out", cwd=mine)
    assert done.returncode == 0, done.stderr
    assert "reviews/forged.yaml does not count" in done.stderr
    (found,) = results(tmp_path / "out")["submissions"]
    assert found["overrides"] == []


def test_a_link_into_a_submission_is_followed_before_it_is_judged(
    tmp_path: Path, make_folder: MakeTree
) -> None:
    batch = make_folder("batch", {"a/work.py": WORK, "a/times.yaml": "", "b/work.py": WORK})
    (tmp_path / "times.yaml").symlink_to(batch / "a" / "times.yaml")
    with pytest.raises(UsageError, match="among what a handed in"):
        check_outside(tmp_path / "times.yaml", discover([batch], MODULES), "the times")


def test_metadata_counts_only_beside_folders_that_all_are_gradescopes(make_folder: MakeTree) -> None:
    batch = make_folder(
        "batch", {"submission_1/work.py": WORK, "zed/work.py": WORK, "submission_metadata.yml": EARLY}
    )
    assert [one.record for one in discover([batch], MODULES)] == [None, None]


def test_metadata_that_is_a_link_is_not_followed(tmp_path: Path, make_folder: MakeTree) -> None:
    batch = make_folder("batch", {"submission_1/work.py": WORK, "submission_2/work.py": WORK})
    (tmp_path / "other.yml").write_text(EARLY)
    (batch / "submission_metadata.yml").symlink_to(tmp_path / "other.yml")
    assert [one.record for one in discover([batch], MODULES)] == [None, None]


def test_a_student_whose_folder_is_named_like_another_has_no_part_in_it(make_folder: MakeTree) -> None:
    batch = make_folder("batch", {"a/work.py": WORK, "A /work.py": WORK})
    times = {"a": read_times_of("2026-11-19T12:00Z", batch.parent)}
    records = {one.name: one.record for one in with_records(discover([batch], MODULES), times, {})}
    assert records["a"] is not None
    assert records["a"].submitted is not None
    assert records["A "] is not None
    assert records["A "].submitted is None


def read_times_of(text: str, folder: Path):
    path = folder / "one.yaml"
    path.write_text(f"a: {text}\n")
    return read_times(path)["a"]


BILLION = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMBS = {
    "laughs": BILLION,
    "deep": "[" * 20_000,
    "deep-mapping": "{a: " * 20_000,
    "long-number": "a: " + "9" * 100_000,
    "tag": "a: !!python/object/apply:os.system ['true']\n",
    "merge": "a: &a {b: 2026-11-19T12:00Z}\nc: {<<: *a}\n",
    "keys": "".join(f"? [{number}]\n: x\n" for number in range(2000)),
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("file", ["times.yaml", "submission_metadata.yml"])
def test_bombs_give_no_times_and_end_quickly(tmp_path: Path, name: str, file: str) -> None:
    path = tmp_path / file
    path.write_text(BOMBS[name])
    started = time.process_time()
    with contextlib.suppress(UsageError):
        assert read_times(path) == {}
    assert time.process_time() - started < 20


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_reviews_are_mistakes_like_others(tmp_path: Path, name: str) -> None:
    spec = tmp_path / "forged.yaml"
    spec.write_text(SPEC)
    with pytest.raises(UsageError):
        parse_reviews(BOMBS[name], "reviews.yaml", load_task(spec), ["a"], whole_batch=True)


def test_formulas_and_escapes_in_names_and_comments_are_harmless_everywhere(
    tmp_path: Path, make_folder: MakeTree
) -> None:
    name = "=cmd|' !A1\x1b[31m"
    spec = make_folder("specs", {"forged.yaml": SPEC}) / "forged.yaml"
    batch = make_folder("batch", {f"{name}/work.py": WORK, "b/work.py": WORK})
    out, reviews = tmp_path / "out", tmp_path / "reviews.yaml"
    arguments = ("mark", spec, batch, "-o", out, "--reviews", reviews)
    assert grader(*arguments).returncode == 0
    hostile_id = results(out)["submissions"][0]["id"]
    assert "\x1b" not in reviews.read_text()
    reviews.write_text(
        f"- student: {hostile_id!r}\n  by: '=1+1'\n  criteria:\n"
        "    2.a: {marks: 1, comment: '<script>alert(1)</script> =HYPERLINK(\"x\") \u202e'}\n"
        "  overrides: [{marks: 1, reason: '<img src=x> ::error::'}]\n"
    )
    done = grader(*arguments)
    assert done.returncode == 0, done.stderr
    page = (out / "students" / f"{hostile_id}.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x1b" not in done.stdout + (out / "marks.csv").read_text()
    assert "\n=" not in (out / "marks.csv").read_text()

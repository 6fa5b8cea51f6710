"""Several attempts of one student: how they are found, and what a student cannot claim."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from grader.intake import digest, discover, read
from grader.intake.attempts import MOST_ATTEMPTS, with_attempts
from grader.intake.candidate import Candidate

MODULES = {"work": "work.py"}
Make = Callable[..., Path]


def found(path: Path, notes: list[str] | None = None) -> dict[str, list[str]]:
    told = [] if notes is None else notes
    candidates = with_attempts(discover([path], MODULES), MODULES, told.append)
    return {one.id: [attempt.attempt for attempt in one.attempts] for one in candidates}


def test_numbered_folders_on_disk_in_the_order_of_their_numbers(make_folder: Make) -> None:
    batch = make_folder(
        "batch",
        {
            "alice/attempt-10/work.py": "x = 10\n",
            "alice/attempt-9/work.py": "x = 9\n",
            "alice/attempt-1/notes.txt": "no work",
            "bob/work.py": "x = 1\n",
            "carol/attempt-1/work.py": "x = 1\n",
        },
    )
    assert found(batch) == {"alice": ["attempt-9", "attempt-10"], "bob": [], "carol": []}


def test_a_batch_of_one_student_with_attempts_is_not_a_batch_of_attempts(make_folder: Make) -> None:
    batch = make_folder("batch", {"alice/attempt-1/work.py": "", "alice/attempt-2/work.py": ""})
    assert found(batch) == {"alice": ["attempt-1", "attempt-2"]}


def test_in_a_zip_of_the_batch(make_zip: Make) -> None:
    path = make_zip("batch.zip", {f"{who}/try {n}/work.py": "" for who in ("a", "b") for n in (1, 2)})
    assert found(path) == {"a": ["try 1", "try 2"], "b": ["try 1", "try 2"]}


def test_an_attempt_can_be_a_zip(make_folder: Make, make_zip: Make) -> None:
    batch = make_folder("batch", {"bob/work.py": ""})
    for number in (1, 2):
        make_zip(f"batch/alice/attempt-{number}/work.zip", {"work.py": f"x = {number}\n"})
    (alice, _) = with_attempts(discover([batch], MODULES), MODULES, print)
    submission = read(alice, MODULES)
    assert [one.files["work"].text for one in submission.attempts] == ["x = 1\n", "x = 2\n"]


def test_folders_in_a_students_own_zip_are_one_attempt(make_folder: Make, make_zip: Make) -> None:
    batch = make_folder("batch", {"bob/work.py": ""})
    make_zip("batch/alice.zip", {"attempt-1/work.py": "", "attempt-2/work.py": ""})
    make_zip("batch/carol/hand-in.zip", {"attempt-1/work.py": "", "attempt-2/work.py": ""})
    assert found(batch) == {"alice": [], "bob": [], "carol": []}


def test_work_beside_the_attempts_makes_it_one_work(make_folder: Make) -> None:
    folders = {"alice/attempt-1/work.py": "", "alice/attempt-2/work.py": "", "bob/work.py": ""}
    assert found(make_folder("one", {**folders, "alice/work.py": ""}))["alice"] == []
    assert found(make_folder("two", {**folders, "alice/final/work.py": ""}))["alice"] == []


def test_links_are_no_attempts(make_folder: Make) -> None:
    batch = make_folder("batch", {"alice/attempt-1/work.py": "", "bob/work.py": "", "bob/other.py": ""})
    os.symlink(batch / "bob", batch / "alice" / "attempt-2")
    assert found(batch)["alice"] == []


def test_a_thousand_attempts_are_not_marked(make_folder: Make) -> None:
    notes: list[str] = []
    files = {f"alice/attempt-{number}/work.py": "" for number in range(1000)}
    names = found(make_folder("batch", {**files, "bob/work.py": ""}), notes)["alice"]
    assert names == [f"attempt-{number}" for number in range(1000 - MOST_ATTEMPTS, 1000)]
    assert notes == [f"alice: only the latest {MOST_ATTEMPTS} attempts are marked; 980 earlier were left out"]


def test_candidates_of_one_student_are_attempts(make_folder: Make) -> None:
    """As an export of a system that keeps attempts will name them."""
    batch = make_folder("batch", {"a1/work.py": "x = 1\n", "a2/work.py": "x = 2\n", "b/work.py": ""})
    flat = [
        replace(one, student="ada" if one.name.startswith("a") else "") for one in discover([batch], MODULES)
    ]
    ada, other = with_attempts(flat, MODULES, print)
    assert (ada.id, [one.attempt for one in ada.attempts]) == ("ada", ["attempt-1", "attempt-2"])
    assert other.attempts == ()
    (alone,) = with_attempts(flat[:1], MODULES, print)
    assert (alone.id, alone.attempts) == ("ada", ())


def test_the_digest_is_that_of_what_is_read_and_covers_every_attempt(make_folder: Make) -> None:
    def alice(first: str) -> Candidate:
        files = {"alice/attempt-1/work.py": first, "alice/attempt-2/work.py": "x\n", "bob/work.py": ""}
        return with_attempts(discover([make_folder(f"batch{first}", files)], MODULES), MODULES, print)[0]

    assert digest(alice("1"), MODULES) == read(alice("1"), MODULES).sha256
    assert digest(alice("1"), MODULES) != digest(alice("2"), MODULES)

"""Downloads made to harm: nobody gets another's work, nothing grows without bound, nobody is missing."""

import io
import os
import time
import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest
from support.class_of_40.layouts.repositories import Commit, git, make, render_hostile, set_traps
from support.class_of_40.people import BY_KEY, EARLY
from support.intake_reading import collect

from grader.intake import Candidate, SourceKind, digest, discover, read
from grader.intake.layouts.commits import as_clones, with_commits
from grader.intake.trees.clone import Clone
from grader.intake.trees.tree import TOTAL_MAX_B, Refused
from grader.model.errors import UsageError
from grader.plugins.lms.layouts.brightspace import BRIGHTSPACE

TWO = {"knight1": "knight1.py", "knight2": "knight2.py"}
SHAPES = {"shapes": "shapes.py", "words": "words.py"}
Make = Callable[..., Path]


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


# -- names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "amy_1_20_../../knight1.py",
        "amy_1_20_..",
        "amy_1_20_\x1b[31mknight1.py",
        "amy_1_20_" + "k" * 300 + ".py",
    ],
)
def test_a_name_that_leads_elsewhere_costs_its_own_student(name: str, make_zip: Make) -> None:
    batch = make_zip("d.zip", {name: "", "bob_2_21_knight1.py": "b = 1\n", "bob_2_22_knight2.py": ""})
    notes: list[str] = []
    submissions = {one.id: one for one in collect([batch], TWO, notes.append)}
    assert set(submissions["canvas-2"].files) == {"knight1", "knight2"}
    assert submissions["canvas-2"].problems == ()
    amy = submissions.get("canvas-1")
    assert amy.files == {} if amy is not None else any(name[:20] in note for note in notes)


def test_a_file_cannot_be_given_to_somebody_else(make_zip: Make) -> None:
    """Bob names his file like one of Amy's; the LMS's part in front of it counts."""
    files = {
        "amy_1_20_knight1.py": "amy",
        "bob_2_21_amy_1_20_knight1.py": "bob",
        "bob_2_22_knight1.py": "bob's own",
    }
    found = discover([make_zip("canvas.zip", files)], TWO)
    assert [(one.id, [file.name for file in one.files]) for one in found] == [
        ("canvas-1", ["knight1.py"]),
        ("canvas-2", ["amy_1_20_knight1.py", "knight1.py"]),
    ]
    prefix = "assignsubmission_file"
    files = {
        f"Amy_1_{prefix}_knight1.py": "amy",
        f"Bob_2_{prefix}_Amy_1_{prefix}_knight1.py": "bob",
    }
    found = discover([make_zip("moodle.zip", files)], TWO)
    assert [one.id for one in found] == ["moodle-1", "moodle-2"]


def test_logins_that_look_alike_are_two_students(make_zip: Make) -> None:
    files = {
        f"HW_{login}_attempt_2026-11-{day}-00-00-00_knight1.py": f"{day}"
        for login in ("eve", "\u202eeve", "EVE")
        for day in (20, 21)
    }
    found = discover([make_zip("d.zip", files)], TWO)
    by_id: dict[str, set[str]] = {}
    for one in found:
        assert one.person is not None
        by_id.setdefault(one.id, set()).add(one.person.ids["blackboard"])
    # Each has a digest of the exact name, whoever else is there.
    assert [name.partition("~")[0].casefold() for name in sorted(by_id)] == ["blackboard-eve"] * 3
    assert len(by_id) == 3
    assert all(len(logins) == 1 for logins in by_id.values())
    assert len({login for logins in by_id.values() for login in logins}) == 3


def test_twins_in_upper_and_lower_case_are_told(make_zip: Make) -> None:
    batch = make_zip("d.zip", {"amy_1_20_knight1.py": "a", "amy_1_21_KNIGHT1.PY": "b", "bob_2_3_x.py": ""})
    amy, _ = collect([batch], TWO)
    assert amy.files["knight1"].text == "a"
    assert (
        "KNIGHT1.PY and knight1.py are the same name on some systems; only knight1.py was read"
        in amy.problems
    )


def test_a_name_twice_in_the_zip_is_pending_for_its_student_alone(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = packed(
            ("amy_1_20_knight1.py", b"a"), ("amy_1_20_knight1.py", b"b"), ("bob_2_3_knight1.py", b"c")
        )
    (tmp_path / "d.zip").write_bytes(data)
    amy, bob = collect([tmp_path / "d.zip"], TWO)
    assert "more than once" in amy.unreadable
    assert bob.unreadable == ""


def test_a_link_in_an_unpacked_download_is_not_followed(make_folder: Make, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("secret = 1\n")
    batch = make_folder("d", {"bob_2_3_knight1.py": "", "eve_4_5_knight2.py": ""})
    (batch / "amy_1_20_knight1.py").symlink_to(tmp_path / "secret.py")
    (batch / "Amy_1_assignsubmission_file").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="not sure"):
        discover([batch], TWO)
    (batch / "Amy_1_assignsubmission_file").unlink()
    amy, _, _ = collect([batch], TWO)
    assert amy.files == {}
    assert "knight1.py is a link, and links are not followed" in amy.problems


def test_metadata_cannot_make_a_student_of_somebody_elses_folder(make_folder: Make) -> None:
    text = "submission_1:\n  :submitters:\n  - :name: ../../x\n    :sid: ../../etc/passwd\n"
    batch = make_folder(
        "d", {"submission_metadata.yml": text, "submission_1/knight1.py": "", "submission_2/knight1.py": ""}
    )
    assert [one.id for one in discover([batch], TWO)] == ["gradescope-..-..-etc-passwd", "submission_2"]


@pytest.mark.parametrize(
    "name", ["a" * 60_000, "_" * 60_000, "a_1" * 20_000, " - " * 20_000, "_assignsubmission_" * 3_000]
)
def test_patterns_need_no_quadratic_time(name: str, make_zip: Make) -> None:
    batch = make_zip("d.zip", {name: "", "amy_1_20_knight1.py": "", "bob_2_21_knight1.py": ""})
    start = time.process_time()
    assert len(discover([batch], TWO)) == 2
    assert time.process_time() - start < 5


# -- zips in zips -----------------------------------------------------------------------------------


def test_a_bomb_in_a_students_zip_stops_at_the_limits(make_zip: Make) -> None:
    bomb = packed(("knight1.py", b"#" * 60_000_000))
    many = packed(*((f"f{n}.txt", b"") for n in range(10_001)))
    nested = packed(("inner.zip", packed(("knight1.py", b"x"))))
    files = {"a_1_1_w.zip": bomb, "b_2_2_w.zip": many, "c_3_3_w.zip": nested, "d_4_4_knight1.py": "x = 1\n"}
    a, b, c, d = collect([make_zip("d.zip", files)], TWO)
    assert any("compressed more than" in text or "is larger than" in text for text in a.problems)
    assert any("holds more than 10000 files" in text for text in b.problems)
    assert any("inner.zip is a zip inside a zip, which is not opened" in text for text in c.problems)
    assert (a.files, b.files, c.files) == ({}, {}, {})
    assert d.files["knight1"].text == "x = 1\n"


def test_a_zip_in_a_zip_and_what_is_in_it_share_one_limit(tmp_path: Path) -> None:
    big = os.urandom(TOTAL_MAX_B // 3 * 2)
    inner = packed(("knight1.py", b"x = 1\n"), ("data.bin", big), method=zipfile.ZIP_STORED)
    outer = packed(("a_1_1_w.zip", inner), ("b_2_2_knight1.py", b""), method=zipfile.ZIP_STORED)
    (tmp_path / "d.zip").write_bytes(outer)
    a, _ = collect([tmp_path / "d.zip"], TWO)
    assert a.files["knight1"].text == "x = 1\n"
    assert any("data.bin is beyond the 50 MiB" in note for note in a.notes)


def test_a_damaged_zip_in_the_zip_is_its_students_problem(make_zip: Make) -> None:
    a, b = collect([make_zip("d.zip", {"a_1_1_w.zip": b"PK\x03\x04", "b_2_2_knight1.py": ""})], TWO)
    assert any("is a damaged zip" in text for text in a.problems)
    assert b.files


# -- clones -----------------------------------------------------------------------------------------


def taken(folder: Path, notes: list[str] | None = None) -> list[Candidate]:
    told: list[str] = [] if notes is None else notes
    clones = as_clones(discover([folder], SHAPES), "git", told.append)
    assert clones is not None
    return with_commits(clones, lambda _: EARLY, (), every_attempt=False)


def clone_of(folder: Path, name: str, content: bytes = b"x = 1\n") -> Path:
    path = folder / name
    make(path, [Commit({"shapes.py": content}, "work", (name, f"{name}@example.edu"), EARLY)], packed=False)
    return path


def test_nothing_that_a_clone_names_is_run(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    batch = tmp_path / "batch"
    clone = clone_of(batch, "amy")
    set_traps(clone, canary)
    clone_of(batch, "bob")
    found = taken(batch)
    assert [read(one, SHAPES).files["shapes"].text for one in found] == ["x = 1\n"] * 2
    assert [digest(one, SHAPES) for one in found] == [read(one, SHAPES).sha256 for one in found]
    assert not canary.exists()


def test_links_submodules_and_attributes_of_a_commit(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("secret = 1\n")
    student = BY_KEY["s01"]
    path = render_hostile(tmp_path / "batch", student, secret)
    with Clone(path) as clone:
        head = clone.head()
    (one,) = discover([path], SHAPES)
    submission = read(Candidate(one.id, one.name, SourceKind.FOLDER, one.path, commit=head), SHAPES)
    attempt = student.counted()
    assert attempt is not None
    assert submission.files["shapes"].text == attempt.work["shapes.py"].decode()
    assert "words" not in submission.files
    assert any("words.py is a link" in text for text in submission.problems)
    assert any("lib is a submodule, and submodules are not read" in text for text in submission.problems)


@pytest.mark.parametrize(
    "trap", ["alternates", "link to objects", "link to a pack", "link to a ref", "odd ref"]
)
def test_a_clone_that_borrows_the_work_of_others_is_refused(trap: str, tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    bob, amy = clone_of(batch, "bob", b"bob = 1\n"), clone_of(batch, "amy", b"amy = 1\n")
    store, theirs = amy / ".git" / "objects", bob / ".git" / "objects"
    match trap:
        case "alternates":
            (store / "info").mkdir(exist_ok=True)
            (store / "info" / "alternates").write_text(f"{theirs}\n")
        case "link to objects":
            store.rename(amy / ".git" / "old")
            store.symlink_to(theirs)
        case "link to a pack":
            (store / "pack").mkdir(exist_ok=True)
            (store / "pack" / "x.pack").symlink_to(theirs)
        case "link to a ref":
            ref = amy / ".git" / "refs" / "heads" / "main"
            ref.unlink()
            ref.symlink_to(bob / ".git" / "refs" / "heads" / "main")
        case "odd ref":
            (amy / ".git" / "HEAD").write_text("ref: refs/heads/../../../../bob/.git/refs/heads/main\n")
    found = {one.name: one for one in taken(batch)}
    assert found["amy"].kind is SourceKind.UNREAD
    assert found["amy"].problem
    assert read(found["bob"], SHAPES).files["shapes"].text == "bob = 1\n"


def test_an_object_that_is_not_what_its_name_says_is_not_read(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    amy, _ = clone_of(batch, "amy"), clone_of(batch, "bob")
    real = git(amy, "rev-parse", "HEAD:shapes.py")
    place = amy / ".git" / "objects" / real[:2] / real[2:]
    place.chmod(0o644)
    place.write_bytes(zlib.compress(b"blob 6\0x = 9\n"))
    found = {one.name: one for one in taken(batch)}
    submission = read(found["amy"], SHAPES)
    assert submission.files == {}
    assert submission.unreadable


def test_an_object_that_is_a_bomb_is_not_read(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    amy, _ = clone_of(batch, "amy"), clone_of(batch, "bob")
    data = b"blob %d\0" % (200 << 20) + bytes(200 << 20)
    name = sha1(data, usedforsecurity=False).hexdigest()
    place = amy / ".git" / "objects" / name[:2] / name[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(data, 1))
    with Clone(amy) as clone, pytest.raises(Refused, match="is larger than 50 MiB"):
        clone.content(name, b"blob", TOTAL_MAX_B)


def test_a_repository_in_an_upload_is_no_clone(tmp_path: Path) -> None:
    """A student who packs a repository with forged times into their folder gains nothing by it."""
    batch = tmp_path / "batch"
    clone_of(batch, "amy")
    (batch / "bob").mkdir()
    (batch / "bob" / "shapes.py").write_text("")
    notes: list[str] = []
    assert as_clones(discover([batch], SHAPES), "", notes.append) is None
    assert "1 of 2 folders are clones of git" in notes[0]
    assert as_clones(discover([batch / "amy"], SHAPES), "", notes.append) is None
    with pytest.raises(UsageError, match="not all of these are clones of git: bob"):
        as_clones(discover([batch], SHAPES), "git", notes.append)


def test_a_cut_history_is_refused(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    origin = clone_of(tmp_path, "origin")
    git(origin, "commit", "--quiet", "--allow-empty", "-m", "later", at=EARLY.replace(year=2030))
    for name in ("amy", "bob"):
        batch.mkdir(exist_ok=True)
        git(batch, "clone", "--quiet", "--depth", "1", f"file://{origin}", name)
    with pytest.raises(UsageError, match="cut history") as refused:
        taken(batch)
    assert "git fetch --unshallow" in str(refused.value)


def test_many_commits_of_one_student_stop_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.intake.trees.clone.MOST_COMMITS", 2)
    batch = tmp_path / "batch"
    amy, _ = clone_of(batch, "amy"), clone_of(batch, "bob", b"bob = 1\n")
    for _ in range(3):
        git(amy, "commit", "--quiet", "--allow-empty", "-m", "late", at=EARLY.replace(year=2030))
    found = {one.name: one for one in taken(batch)}
    assert found["amy"].problem == "amy has more than 2 commits after the deadline"
    assert read(found["bob"], SHAPES).files["shapes"].text == "bob = 1\n"


@pytest.mark.parametrize("damaged", ["HEAD", "HEAD~1"])
def test_a_damaged_clone_is_pending_and_stops_nobody_else(damaged: str, tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    amy, _ = clone_of(batch, "amy"), clone_of(batch, "bob", b"bob = 1\n")
    git(amy, "commit", "--quiet", "--allow-empty", "-m", "late", at=EARLY.replace(year=2030))
    commit = git(amy, "rev-parse", damaged)
    place = amy / ".git" / "objects" / commit[:2] / commit[2:]
    place.chmod(0o644)
    place.write_bytes(b"nothing that git wrote")
    found = {one.name: one for one in taken(batch)}
    submission = read(found["amy"], SHAPES)
    assert submission.unreadable.startswith("amy lacks ")
    assert submission.problems == (submission.unreadable,)
    assert read(found["bob"], SHAPES).files["shapes"].text == "bob = 1\n"


def test_the_work_tree_of_a_clone_is_not_what_counts(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    amy, _ = clone_of(batch, "amy"), clone_of(batch, "bob")
    (amy / "shapes.py").write_text("changed = 1\n")
    one, _ = taken(batch)
    assert read(one, SHAPES).files["shapes"].text == "x = 1\n"


# -- a time in a name, which is not the submission's -------------------------------------------------------


@pytest.mark.parametrize("made", ["Eve - Nov 1, 2026 100 PM", "Eve - Jan 1, 2020 100 AM - x.py"])
@pytest.mark.parametrize("file", ["knight1.py", "Nov 3, 2026 600 PM - knight1.py"])
def test_a_name_does_not_give_an_earlier_time(made: str, file: str, make_zip: Make) -> None:
    """The latest time counts: one in a display name, or in a file's, can only cost its own student."""
    members = {f"101-5 - {made} - Nov 25, 2026 630 PM - {file}": "a = 1\n"}
    members["102-5 - Bob - Nov 21, 2026 630 PM - knight1.py"] = "b = 1\n"
    found = {one.id: one for one in discover([make_zip("d.zip", members)], TWO, lambda _: None)}
    times = {name: str(one.record.submitted)[:16] for name, one in found.items() if one.record is not None}
    assert times["brightspace-101"] == "2026-11-25 18:30"
    assert times["brightspace-102"] == "2026-11-21 18:30"


def test_a_name_of_many_times_is_read() -> None:
    piece = BRIGHTSPACE.piece("101-5 - Eve" + " - Nov 1, 2026 100 PM" * 2_500 + " - m.py", False)
    assert piece is not None
    assert piece.name.endswith("m.py")

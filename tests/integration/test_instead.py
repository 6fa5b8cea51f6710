"""A person's file is marked in place of what a student handed in; later runs do so again, or say why not."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, grader, results

SPEC = """\
task: twice
title: Twice
marks: 2
modules: {twice: twice.py}
instead: {penalty: 15%}
questions:
  - id: "1"
    title: double
    marks: 2
    award: each
    cases:
      - {call: double(2), returns: 4}
      - {call: double(3), returns: 6}
"""
RIGHT = "def double(x):\n    return 2 * x\n"
HALF = "def double(x):\n    return 4\n"
BROKEN = "def double(x)\n    return 2 * x\n"
SIGNED = ("--by", "A. Marker", "--reason", "a colon was missing")
GIVEN = ("--instead", "bob=mended.py", *SIGNED)


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {
            "specs/twice.yaml": SPEC,
            "work/ann/twice.py": HALF,
            "work/bob/twice.py": BROKEN,
            "mended.py": RIGHT,
        },
    )
    return tmp_path


def mark(batch: Path, *more: str | Path, output: str = "out", code: int = 0) -> Done:
    done = grader("mark", "specs/twice.yaml", "work", "-o", batch / output, "-j", "1", "-q", *more, cwd=batch)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def marks(batch: Path, output: str = "out") -> dict[str, str]:
    return {one["id"]: one["mark"] for one in results(batch / output)["submissions"]}


def one(batch: Path, student: str = "bob", output: str = "out") -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in results(batch / output)["submissions"] if each["id"] == student
    )
    return found


def kept(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if "as in the last run" in line]


def test_the_file_is_marked_with_author_reason_and_penalty(batch: Path) -> None:
    mark(batch)
    before = one(batch)
    assert (before["mark"], "instead" in before) == ("0", False)
    done = mark(batch, *GIVEN)
    assert marks(batch) == {"ann": "1", "bob": "1.7"}
    found = one(batch)
    assert found["instead"] == {
        "file": "mended.py",
        "by": "A. Marker",
        "reason": "a colon was missing",
        "work": before["sha256"],
    }
    assert found["sha256"] != before["sha256"], "the digest of what was marked"
    (penalty,) = found["penalties"]
    assert penalty == {"reason": "another file was marked in place of what was handed in", "amount": "0.3"}
    assert "problems" not in found or found["problems"] == []
    assert "Another file was marked in place of 1 work: mended.py by A. Marker" in done.stdout
    assert (batch / "work/bob/twice.py").read_text() == BROKEN
    page = (batch / "out/students/bob.html").read_text()
    assert "mended.py was marked in place of what was handed in." in page
    assert "A. Marker gave it: a colon was missing" in page
    assert "It took 0.3 off the mark." in page
    assert before["sha256"] in page
    assert "another file" in (batch / "out/index.html").read_text()
    assert "mended.py" not in (batch / "out/students/ann.html").read_text()


def test_a_later_run_goes_by_it_again_and_says_so(batch: Path) -> None:
    mark(batch, *GIVEN)
    for more in ((), ("--no-cache",), ("--only", "bob")):
        done = mark(batch, *more)
        assert marks(batch) == {"ann": "1", "bob": "1.7"}
        assert kept(done) == [
            "note: marked instead again as in the last run: mended.py for bob, by A. Marker; "
            "--without instead ends that"
        ]
        assert "!" not in done.stderr
    mark(batch, "--from", batch / "out", output="next")
    assert marks(batch, "next") == {"ann": "1", "bob": "1.7"}
    assert grader("remark", batch / "out", "-q").returncode == 0
    assert marks(batch, "out-again") == {"ann": "1", "bob": "1.7"}
    assert one(batch, output="out-again")["instead"] == one(batch)["instead"]
    assert len(kept(mark(batch, output="out-again"))) == 1


@pytest.mark.acceptance
def test_it_stays_while_others_are_marked_alone(batch: Path) -> None:
    mark(batch, *GIVEN)
    done = grader("mark", "specs/twice.yaml", "work/ann", "-o", "out", "-q", cwd=batch)
    assert "instead of the work of bob, who is not in this batch" in done.stderr
    mark(batch)
    assert marks(batch) == {"ann": "1", "bob": "1.7"}


@pytest.mark.acceptance
def test_without_forgets_it(batch: Path) -> None:
    mark(batch, *GIVEN)
    done = mark(batch, "--without", "instead")
    assert "as --without says" in done.stderr
    assert marks(batch)["bob"] == "0"
    assert kept(mark(batch)) == []
    both = mark(batch, *GIVEN, "--without", "instead", code=2)
    assert "contradict each other" in both.stderr


@pytest.mark.acceptance
def test_one_student_is_marked_by_the_own_work_again(batch: Path) -> None:
    mark(batch, *GIVEN)
    mark(batch, "--instead", "ann=mended.py", *SIGNED)
    assert marks(batch) == {"ann": "1.7", "bob": "1.7"}
    mark(batch, "--instead", "bob=")
    assert marks(batch) == {"ann": "1.7", "bob": "0"}
    assert "mended.py for ann" in kept(mark(batch))[0]


def test_a_work_that_changed_since_is_an_alarm(batch: Path) -> None:
    mark(batch, *GIVEN)
    first = one(batch)["instead"]["work"]
    write(batch, {"work/bob/twice.py": HALF})
    done = mark(batch)
    assert marks(batch)["bob"] == "1.7", "never silently dropped"
    text = " ".join(done.stderr.split())
    assert "! 1 file given instead of a work that changed since: mended.py by A. Marker (bob)." in text
    assert one(batch)["instead"]["given_for"] == first
    assert "given instead of a work that changed since" in (batch / "out/index.html").read_text()
    assert "marked in place of a work that changed since" in (batch / "out/staff/bob.html").read_text()
    for command in ("remark", "report"):
        told = grader(command, batch / "out", "-q") if command == "remark" else grader(command, batch / "out")
        assert "of a work that changed since: mended.py" in told.stderr, told.stderr
    done = mark(batch, *GIVEN)
    assert "changed since" not in done.stderr
    assert "given_for" not in one(batch)["instead"]


@pytest.mark.acceptance
@pytest.mark.parametrize("change", ["gone", "changed"])
def test_a_file_that_is_not_as_it_was_given_is_an_alarm_and_still_counts(batch: Path, change: str) -> None:
    mark(batch, *GIVEN)
    (batch / "mended.py").unlink()
    if change == "changed":
        write(batch, {"mended.py": HALF})
    done = mark(batch)
    assert marks(batch)["bob"] == "1.7"
    assert one(batch)["instead"]["state"] == change
    said = {"gone": "is gone", "changed": "changed since"}[change]
    assert "! 1 file given instead has changed or is gone: mended.py" in done.stderr
    assert f"mended.py by A. Marker {said} (bob)" in " ".join(done.stderr.split())
    assert f"mended.py by A. Marker {said}" in (batch / "out/index.html").read_text()
    mark(batch, "--no-cache")
    assert marks(batch)["bob"] == "1.7"


def test_a_renamed_file_of_the_students_own_and_a_folder(batch: Path) -> None:
    write(batch, {"work/cy/hw6.py": RIGHT, "work/cy/notes.py": "x = 1\n", "given/twice.py": RIGHT})
    write(batch, {"given/more/data.txt": "1"})
    mark(batch)
    assert marks(batch)["cy"] == "0"
    mark(batch, "--instead", "cy=work/cy/hw6.py", "--instead", "bob=given", *SIGNED)
    assert marks(batch) == {"ann": "1", "bob": "1.7", "cy": "1.7"}
    assert (one(batch)["instead"]["file"], one(batch, "cy")["instead"]["file"]) == ("given", "hw6.py")
    assert len(kept(mark(batch))) == 1
    assert one(batch)["instead"].get("state") is None
    write(batch, {"given/more/data.txt": "2"})
    mark(batch)
    assert one(batch)["instead"]["state"] == "changed"


@pytest.mark.acceptance
def test_somebody_who_handed_in_nothing(batch: Path) -> None:
    write(batch, {"roster.csv": "student,name\nann,Ann Lee\nbob,Bob Ray\ndi,Di Fox\n"})
    mark(batch, "--roster", "roster.csv", "--instead", "di=mended.py", *SIGNED)
    found = one(batch, "di")
    assert (found["mark"], found["status"], found["instead"]["work"]) == ("1.7", "marked", "none")
    write(batch, {"work/di/twice.py": HALF})
    assert "given instead of a work that changed since: mended.py" in mark(batch).stderr


@pytest.mark.acceptance
def test_of_several_attempts_one_is_replaced(batch: Path) -> None:
    late = "late: {deadline: 2026-11-20T12:00:00Z, then: 100%}\nattempts: last-before-deadline\n"
    write(
        batch,
        {
            "specs/twice.yaml": SPEC.replace("instead:", f"{late}instead:"),
            "work/cy/attempt-1/twice.py": BROKEN,
            "work/cy/attempt-2/twice.py": HALF,
            "times.yaml": "ann: 2026-11-19T00:00:00Z\nbob: 2026-11-19T00:00:00Z\n"
            "cy: [2026-11-19T00:00:00Z, 2026-11-30T00:00:00Z]\n",
        },
    )
    mark(batch, "--times", "times.yaml", "--instead", "cy=mended.py", *SIGNED)
    found = one(batch, "cy")
    assert (found["mark"], found["instead"]["attempt"]) == ("1.7", "attempt-1")
    assert [attempt["mark"] for attempt in found["attempts"]] == ["1.7", "0"]
    assert "mended.py was marked in place of attempt-1." in (batch / "out/students/cy.html").read_text()
    write(batch, {"times.yaml": "cy: [2026-11-18T00:00:00Z, 2026-11-19T00:00:00Z]\n"})
    assert "given instead of a work that changed since: mended.py" in mark(batch).stderr


@pytest.mark.acceptance
def test_one_of_a_group_alone(batch: Path) -> None:
    write(
        batch,
        {
            "roster.csv": "student,name,group\nann,Ann Lee,g1\nbob,Bob Ray,g2\ncy,Cy Coe,g2\n",
        },
    )
    mark(batch, "--roster", "roster.csv", *GIVEN)
    assert marks(batch) == {"ann": "1", "bob": "1.7", "cy": "0"}
    assert grader("remark", batch / "out", "-q").returncode == 0
    assert marks(batch, "out-again") == {"ann": "1", "bob": "1.7", "cy": "0"}


@pytest.mark.acceptance
def test_diff_tells_it(batch: Path) -> None:
    mark(batch)
    mark(batch, *GIVEN, output="next")
    done = grader("diff", batch / "out", batch / "next")
    assert "mended.py by A. Marker" in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("options", "said", "hint"),
    [
        (("--instead", "bob", *SIGNED), "which file stands for whose work", "STUDENT=FILE"),
        (("--instead", "=mended.py", *SIGNED), "which file stands for whose work", "STUDENT=FILE"),
        (("--instead", "bbo=mended.py", *SIGNED), "there is no submission `bbo`", "did you mean bob?"),
        (("--instead", "bob=no.py", *SIGNED), "there is no such file", "no.py"),
        (("--instead", "bob=~unknown/no.py", *SIGNED), "there is no such file", "~unknown/no.py"),
        (("--instead", "bob=mended.zip", *SIGNED), "can't be an archive", "unpack it"),
        (("--instead", "bob=notes.txt", *SIGNED), "is no work of twice", "the task asks for twice.py"),
        (("--instead", "bob=empty", *SIGNED), "is no work of twice", "the task asks for twice.py"),
        (("--instead", "bob=mended.py", "--by", "A. Marker"), "needs --reason", "say why"),
        (("--instead", "bob=mended.py", "--reason", "x"), "needs --by", "name who"),
        (("--by", "A. Marker"), "--by goes with --instead", "STUDENT=FILE"),
        (("--instead", "bob=mended.py", "--instead", "bob=", *SIGNED), "two files", "bob"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_message_before_anything_is_marked(
    batch: Path, options: tuple[str, ...], said: str, hint: str
) -> None:
    write(batch, {"mended.zip": "", "notes.txt": "x", "empty/notes.txt": "x"})
    done = mark(batch, *options, code=2)
    assert said in done.stderr
    assert hint in done.stderr
    assert not (batch / "out").exists()


def test_a_link_in_a_students_folder_gives_nothing_away(batch: Path) -> None:
    write(batch, {"secret.txt": "the marker's own"})
    link = batch / "work/bob/hw6.py"
    link.symlink_to(batch / "secret.txt")
    done = mark(batch, "--instead", "bob=work/bob/hw6.py", *SIGNED, code=2)
    assert "is a link, and links are not followed" in done.stderr
    link.unlink()
    write(batch, {"private/twice.py": RIGHT, "work/bob/hw6.py": RIGHT})
    (batch / "work/bob/sub").symlink_to(batch / "private")
    done = mark(batch, "--instead", "bob=work/bob/sub/twice.py", *SIGNED, code=2)
    assert "behind a link that was handed in" in done.stderr
    (batch / "work/bob/sub").unlink()
    mark(batch, "--instead", "bob=work/bob/hw6.py", *SIGNED)
    link.unlink()
    link.symlink_to(batch / "secret.txt")
    mark(batch)
    assert (marks(batch)["bob"], one(batch)["instead"]["state"]) == ("1.7", "changed")
    assert "the marker's own" not in (batch / "out/results.json").read_text()


@pytest.mark.acceptance
def test_texts_of_people_are_escaped(batch: Path) -> None:
    reason = "<script>alert(1)</script>\x1b[2J"
    done = mark(batch, "--instead", "bob=mended.py", "--by", "<b>me", "--reason", reason)
    assert "\x1b" not in done.stdout + done.stderr
    for page in ("index.html", "students/bob.html", "staff/bob.html"):
        assert "<script>alert" not in (batch / "out" / page).read_text()
        assert "<b>me" not in (batch / "out" / page).read_text()


@pytest.mark.acceptance
def test_a_record_that_is_gone_is_told(batch: Path) -> None:
    mark(batch, *GIVEN)
    for path in (batch / "out").glob("run.sqlite*"):
        path.unlink()
    done = mark(batch, code=2)
    assert "made with files given instead (mended.py), and their record is gone" in done.stderr
    assert "counts no more" in mark(batch, *GIVEN).stderr
    assert marks(batch)["bob"] == "1.7"


@pytest.mark.acceptance
def test_a_course_goes_by_it_and_a_changed_file_makes_a_task_stale(batch: Path) -> None:
    course = (
        "course: c\ntitle: C\ntasks:\n  twice: {spec: specs/twice.yaml, submissions: work, reports: out}\n"
    )
    write(batch, {"course.yaml": course})
    done = grader("mark", "twice", "-q", *GIVEN, cwd=batch)
    assert (done.returncode, marks(batch)["bob"]) == (0, "1.7"), done.stderr
    assert "marked" in grader("course", "mark", "-q", cwd=batch).stdout
    assert "unchanged" in grader("course", "mark", "-q", cwd=batch).stdout
    write(batch, {"mended.py": HALF})
    done = grader("course", "mark", "-q", cwd=batch)
    assert "unchanged" not in done.stdout
    assert (marks(batch)["bob"], one(batch)["instead"]["state"]) == ("1.7", "changed")
    assert json.loads((batch / "out/results.json").read_text())["run"]["files"][-1]["kind"] == "instead"

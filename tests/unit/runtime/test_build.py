"""Which commit a grader is, in a checkout, beside a stranger's repository, and installed by pip."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.runtime import build

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds a package as if it were this one."""
    package = tmp_path / "place" / "grader"
    (package / "runtime").mkdir(parents=True)
    (package / "runtime" / "build.py").write_text("")
    monkeypatch.setattr(build, "__file__", str(package / "runtime" / "build.py"))
    build.own_commit.cache_clear()
    return package.parent


def git(folder: Path, *words: str) -> str:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *person, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git")
def test_a_checkout_is_its_commit_and_says_when_it_was_changed(place: Path) -> None:
    (place / "notes.txt").write_text("no code")
    for words in (("init", "-q"), ("add", "grader"), ("commit", "-q", "-m", "one")):
        git(place, *words)
    commit = git(place, "rev-parse", "HEAD")
    assert build.own_commit() == commit
    (place / "grader" / "new.py").write_text("")
    build.own_commit.cache_clear()
    assert build.own_commit() == f"{commit} changed"


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git")
def test_a_repository_further_up_is_not_the_graders(place: Path) -> None:
    """Students' courses have their environments in repositories."""
    (place.parent / "work.py").write_text("")
    for words in (("init", "-q"), ("add", "work.py"), ("commit", "-q", "-m", "one")):
        git(place.parent, *words)
    assert build.own_commit() == ""


@pytest.mark.parametrize(
    ("note", "commit"),
    [
        (json.dumps({"url": "https://example.org", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}), COMMIT),
        (json.dumps({"url": "file:///home/me/grader", "dir_info": {}}), ""),
        (json.dumps({"vcs_info": {"commit_id": "a <b>"}}), ""),
        ("[]", ""),
        ("no JSON", ""),
    ],
)
def test_what_pip_notes_is_taken(place: Path, note: str, commit: str) -> None:
    folder = place / "grader_harness-0.1.0.dist-info"
    folder.mkdir()
    (folder / "direct_url.json").write_text(note)
    assert build.own_commit() == commit


def test_a_wheel_without_a_note_has_no_commit(place: Path) -> None:
    assert build.own_commit() == ""
    assert len(build.own_code()) == 12

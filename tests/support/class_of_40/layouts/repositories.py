"""Git repositories: clones of GitHub Classroom, and plain ones, some of them with traps for their reader.

`gh classroom clone student-repos` (github/gh-classroom, README; github.com docs "Using GitHub Classroom with
GitHub CLI") clones into `<assignment>-submissions/<assignment>-<GitHub name>`; a group's repository ends
with the team's name.  The first commit is the starter code, by `github-classroom[bot]`.  A person who
handed in nothing has that alone.

Times in commits are the author's own claim.  git itself makes the repositories here, so it has to be
installed. The traps are run by git where a reader lets it: each of them writes the file `canary`.
"""

import os
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from support.class_of_40.layouts import moodle, plain
from support.class_of_40.people import CLASS, EARLY, TEAM, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.task import SLUG

BOT = ("github-classroom[bot]", "66690702+github-classroom[bot]@users.noreply.github.com")
TEAM_SLUG = "team_a-1-2"
STARTED = EARLY - timedelta(days=7)
STARTER = {"README.md": b"# Figures\n\nWrite shapes.py and words.py.\n"}


def git(folder: Path, *arguments: str, author: tuple[str, str] = BOT, at: datetime = STARTED) -> str:
    """Run git in a repository, as an author at a time, with nothing of this machine's settings."""
    name, mail = author
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.devnull,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": mail,
        "GIT_AUTHOR_DATE": at.isoformat(),
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": mail,
        "GIT_COMMITTER_DATE": at.isoformat(),
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(
    folder: Path, files: Mapping[str, bytes], message: str, author: tuple[str, str], at: datetime
) -> str:
    """Replace all files but the starter's, commit, and return the commit's id."""
    for old in git(folder, "ls-files", "-z").split("\0"):
        if old and old not in STARTER:
            (folder / old).unlink()
    moodle.unpack(folder, files)
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message, author=author, at=at)
    return git(folder, "rev-parse", "HEAD")


def start(folder: Path) -> None:
    """Make a repository that has the starter code."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    commit(folder, STARTER, "Initial commit", BOT, STARTED)


def render(folder: Path, students: Iterable[Student] = CLASS, *, by_hand: bool = False) -> Rendered:
    """Write clones of GitHub Classroom below `folder`, each attempt a commit.

    by_hand: plain repositories without a remote, in folders that are named after the students.
    """
    path = folder / ("repositories" if by_hand else f"{SLUG}-submissions")
    called = plain.names(CLASS)
    entries, missing = [], []
    for student in students:
        if student.group and not student.attempts:
            continue
        owner = TEAM_SLUG if student.group else student.github
        clone = path / (called[student.key] if by_hand else f"{SLUG}-{owner}")
        start(clone)
        author = (student.github, f"{student.github}@users.noreply.github.com")
        members = tuple(s.key for s in CLASS if s.group == TEAM) if student.group else (student.key,)
        for number, attempt in enumerate(student.attempts, 1):
            files = attempt.upload or {"answer.html": attempt.text.encode()}
            commit(clone, files, f"attempt {number}", author, attempt.at)
            late = bool(student.late_s(attempt))
            left_out = ("answer.html",) if attempt.text else attempt.left_out
            ident, name = (clone.name, clone.name) if by_hand else (owner, None)
            entries.append(
                Entry(members, ident, name, attempt.work, attempt.mark, attempt.at, late, number, left_out)
            )
        if not by_hand:
            git(clone, "remote", "add", "origin", f"https://github.com/cs101/{clone.name}.git")
            git(clone, "gc", "--quiet")  # what was cloned lies in a pack
        if not student.attempts:
            missing.append(student.key)
    return Rendered(path, tuple(entries), tuple(missing))


def set_traps(clone: Path, canary: Path) -> None:
    """Lay every trap that needs no commit into a clone: hooks, and settings that name commands."""
    command = f"touch {shlex.quote(str(canary))}"
    hooks = clone / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-commit", "pre-commit", "post-index-change", "reference-transaction"):
        hook = hooks / name
        hook.write_text(f"#!/bin/sh\n{command}\n")
        hook.chmod(0o755)
    evil = clone / ".git" / "evil"
    evil.write_text(f"#!/bin/sh\n{command}\ncat\n")
    evil.chmod(0o755)
    attributes = clone / ".git" / "info"
    attributes.mkdir(exist_ok=True)
    (attributes / "attributes").write_text("*.py filter=evil diff=evil\n")
    settings = {
        "core.fsmonitor": str(evil),
        "core.pager": str(evil),
        "core.sshCommand": str(evil),
        "core.hooksPath": str(hooks),
        "diff.external": str(evil),
        "diff.evil.textconv": str(evil),
        "filter.evil.smudge": str(evil),
        "filter.evil.clean": str(evil),
        "filter.evil.required": "true",
        "gpg.program": str(evil),
        "log.showSignature": "true",
        "remote.origin.url": f"ext::sh -c {shlex.quote(command)}",
        "alias.log": f"!{command}",
    }
    with (clone / ".git" / "config").open("a") as config:
        for key, value in settings.items():
            section, _, name = key.rpartition(".")
            group, _, inner = section.partition(".")
            heading = f'[{group} "{inner}"]' if inner else f"[{group}]"
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            config.write(f'{heading}\n\t{name} = "{quoted}"\n')


def render_hostile(folder: Path, student: Student, outside: Path) -> Path:
    """Write one repository whose last commit has a symlink, a submodule and attributes; return its folder.

    outside: a file that the symlink `words.py` leads to, which no reader may follow.
    The attributes would hide `shapes.py` from `git archive`, and change what it holds.
    """
    attempt = student.counted()
    assert attempt is not None
    clone = folder / f"{SLUG}-{student.github}"
    start(clone)
    commit(clone, attempt.upload, "work", (student.github, f"{student.github}@example.edu"), attempt.at)
    (clone / "words.py").unlink()
    (clone / "words.py").symlink_to(outside)
    (clone / ".gitattributes").write_text("shapes.py export-ignore filter=evil\n*.py export-subst ident\n")
    (clone / ".gitmodules").write_text('[submodule "lib"]\n\tpath = lib\n\turl = ext::sh -c touch% stolen\n')
    head = git(clone, "rev-parse", "HEAD")
    git(clone, "add", "--all")
    git(clone, "update-index", "--add", "--cacheinfo", f"160000,{head},lib")
    git(clone, "commit", "--quiet", "--message", "traps", at=attempt.at + timedelta(minutes=1))
    return clone

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from support.class_of_40.layouts import plain
from support.class_of_40.people import CLASS, EARLY, TEAM, Student
from support.class_of_40.rendered import Entry, Rendered
from support.class_of_40.task import SLUG

BOT = ("github-classroom[bot]", "66690702+github-classroom[bot]@users.noreply.github.com")
TEAM_SLUG = "team_a-1-2"
STARTED = EARLY - timedelta(days=7)
STARTER = {"README.md": b"# Figures\n\nWrite shapes.py and words.py.\n"}


@dataclass(frozen=True)
class Commit:
    """All files of a commit but the starter's, its message, its author and its time."""

    files: Mapping[str, bytes]
    message: str
    author: tuple[str, str]
    at: datetime


STARTED_BY_BOT = Commit({}, "Initial commit", BOT, STARTED)


def git(folder: Path, *arguments: str, at: datetime = STARTED, stdin: bytes = b"") -> str:
    """Run git in a repository with nothing of this machine's settings, and return its output."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": os.devnull,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{role}_NAME": BOT[0],
            f"GIT_{role}_EMAIL": BOT[1],
            f"GIT_{role}_DATE": at.isoformat(),
        }
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, input=stdin, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def make(folder: Path, commits: Sequence[Commit], *, packed: bool) -> None:
    """Make a repository with the starter code and `commits`, checked out.  packed: its objects lie in a
    pack."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main", "--template=")
    stream = b"".join(_fast_import(commit) for commit in (STARTED_BY_BOT, *commits))
    limit = "fastimport.unpackLimit=" + ("1" if packed else "1000")
    git(folder, "-c", limit, "fast-import", "--quiet", "--date-format=raw", stdin=stream)
    git(folder, "reset", "--quiet", "--hard", "main")


def _fast_import(commit: Commit) -> bytes:
    """Return a commit in the format that `git fast-import` reads."""
    name, mail = commit.author
    when = f"{name} <{mail}> {int(commit.at.timestamp())} +0000\n".encode()
    lines = [
        b"commit refs/heads/main\n",
        b"author ",
        when,
        b"committer ",
        when,
        _data(commit.message.encode()),
        b"deleteall\n",
    ]
    for path, content in {**STARTER, **commit.files}.items():
        lines += [f"M 100644 inline {path}\n".encode(), _data(content)]
    return b"".join(lines) + b"\n"


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"


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
        commits = []
        author = (student.github, f"{student.github}@users.noreply.github.com")
        members = tuple(s.key for s in CLASS if s.group == TEAM) if student.group else (student.key,)
        for number, attempt in enumerate(student.attempts, 1):
            files = attempt.upload or {"answer.html": attempt.text.encode()}
            commits.append(Commit(files, f"attempt {number}", author, attempt.at))
            late = bool(student.late_s(attempt))
            left_out = ("answer.html",) if attempt.text else attempt.left_out
            ident, name = (clone.name, clone.name) if by_hand else (owner, None)
            entries.append(
                Entry(members, ident, name, attempt.work, attempt.mark, attempt.at, late, number, left_out)
            )
        make(clone, commits, packed=not by_hand)
        if not by_hand:
            git(clone, "remote", "add", "origin", f"https://github.com/cs101/{clone.name}.git")
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
    work = Commit(attempt.upload, "work", (student.github, f"{student.github}@example.edu"), attempt.at)
    make(clone, [work], packed=True)
    (clone / "words.py").unlink()
    (clone / "words.py").symlink_to(outside)
    (clone / ".gitattributes").write_text("shapes.py export-ignore filter=evil\n*.py export-subst ident\n")
    (clone / ".gitmodules").write_text('[submodule "lib"]\n\tpath = lib\n\turl = ext::sh -c touch% stolen\n')
    head = git(clone, "rev-parse", "HEAD")
    git(clone, "add", "--all")
    git(clone, "update-index", "--add", "--cacheinfo", f"160000,{head},lib")
    git(clone, "commit", "--quiet", "--message", "traps", at=attempt.at + timedelta(minutes=1))
    return clone

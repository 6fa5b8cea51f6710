"""A clone's commits and files, read from its object store without trusting the clone.

A clone is hostile: its configuration can name programs that git runs (`core.fsmonitor`, filters, hooks).  So
none of it is used.  `git cat-file` runs with a repository of our own that is empty, and with the clone's
`objects` folder alone; nothing there names a program.  A store that leads elsewhere (links, alternates) is
refused, since work of others lies there.  Objects are checked against their ids.  The process has limits on
time and memory.

The times of commits are what their author's machine said: a student can write any.
"""

import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Self

from grader.intake.trees.tree import Refused, TooLarge, Unreadable
from grader.model.limits import GIB, MIB

try:
    import resource
except ImportError:
    # Windows has none.
    resource = None  # type: ignore[assignment]

MOST_COMMITS = 10_000
"""Commits of one clone that are looked at, from the newest."""
_MOST_FILES = 100_000
_TIME_S = 60
_CPU_S = 30
_MEMORY_B = 2 * GIB
_COMMIT_MOST_B = 1 * MIB
_REF_MOST_B = 10 * MIB
_ID = re.compile(r"[0-9a-f]{40}")
_REF = re.compile(r"ref: (refs(?:/[A-Za-z0-9_+@=.-]+)+)\n?")
_SETTINGS = ("core.commitGraph=false", "core.multiPackIndex=false", "core.bigFileThreshold=1m", "gc.auto=0")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit.  time: as its author's machine said."""

    id: str
    tree: str
    parents: tuple[str, ...]
    time: datetime


def is_clone(path: Path) -> bool:
    """Tell whether a folder is a git repository with its files."""
    return (path / ".git").is_dir() and not (path / ".git").is_symlink()


def has_git() -> bool:
    return shutil.which("git") is not None


class Clone:
    """The object store of a clone.  Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """Start to read.  Raises `Refused`; `Unreadable` where git is missing."""
        self._git = path / ".git"
        _check_store(self._git / "objects")
        command = ["git", *(word for setting in _SETTINGS for word in ("-c", setting)), "cat-file", "--batch"]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=_environment(self._git / "objects"),
            )
        except OSError as error:
            raise Unreadable("is a git repository, and git can't be run here") from error
        # It reads nothing of the clone before it is asked for an object.
        _limit(self._process.pid)
        self._timer = Timer(_TIME_S, self._process.kill)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    @property
    def is_cut(self) -> bool:
        """Whether it was made with a part of the history alone."""
        return (self._git / "shallow").exists()

    def head(self) -> str:
        """Return the id of the commit that is checked out.  Raises `Refused`."""
        text = _text(self._git / "HEAD")
        match = _REF.fullmatch(text)
        if match is None:
            return _checked(text)
        if ".." in match[1]:
            raise Refused("has a branch with an odd name")
        place = self._git
        for part in match[1].split("/")[:-1]:
            place = place / part
            if place.is_symlink():
                raise Refused("has links in its repository")
        if (self._git / match[1]).exists():
            return _checked(_text(self._git / match[1]))
        packed = self._git / "packed-refs"
        for line in _text(packed).splitlines() if packed.exists() else ():
            if line.endswith(f" {match[1]}"):
                return _checked(line.split(" ")[0])
        raise Refused("has no commit")

    def history(self) -> Iterator[Commit]:
        """Yield the commits from the newest on, at merges those of the branch that was merged into.

        Ends where the clone does.  Raises `Refused`, also after `MOST_COMMITS`.
        """
        wanted = self.head()
        for _ in range(MOST_COMMITS):
            commit = self.commit(wanted)
            if commit is None:
                return
            yield commit
            if not commit.parents:
                return
            wanted = commit.parents[0]
        raise Refused(f"has more than {MOST_COMMITS} commits after the deadline")

    def commit(self, commit_id: str) -> Commit | None:
        """Return a commit; None where the clone lacks it.  Raises `Refused`."""
        content = self.content(commit_id, b"commit", _COMMIT_MOST_B)
        if content is None:
            return None
        header = content.partition(b"\n\n")[0].decode("utf-8", "replace").split("\n")
        tree = [line[5:] for line in header if line.startswith("tree ")]
        parents = [line[7:] for line in header if line.startswith("parent ")]
        times = [line.rsplit(" ", 2)[1:2] for line in header if line.startswith("committer ")]
        try:
            time = datetime.fromtimestamp(int(times[0][0]), UTC)
            return Commit(commit_id, _checked(tree[0]), tuple(map(_checked, parents)), time)
        except (IndexError, ValueError, OverflowError, OSError):
            raise Refused("has a damaged commit") from None

    def content(self, object_id: str, kind: bytes, most_b: int) -> bytes | None:
        """Return an object's bytes; None where the clone lacks it.  Raises `Refused`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{object_id}\n".encode())
            self._process.stdin.flush()
            words = self._process.stdout.readline(200).split()
            if words[1:] == [b"missing"]:
                return None
            size_b = int(words[2])
            if size_b > most_b:
                self._process.kill()  # its answer is not read
                raise TooLarge(f"is larger than {most_b // MIB} MiB, the most that is read")
            content = self._process.stdout.read(size_b + 1)[:-1]
        except (OSError, ValueError, IndexError) as error:
            raise Unreadable("can't be read from its repository") from error
        named = hashlib.sha1(words[1] + b" %d\0" % size_b + content, usedforsecurity=False).hexdigest()
        if named != object_id or words[1] != kind:
            raise Unreadable("is damaged in its repository")
        return content


def _check_store(objects: Path) -> None:
    """Raise `Refused` where a store of objects leads elsewhere."""
    seen = 0
    pending = [objects]
    try:
        if not stat.S_ISDIR(objects.lstat().st_mode):
            raise Refused("is a git repository without a store of its own")
        while pending:
            with os.scandir(pending.pop()) as items:
                for item in items:
                    seen += 1
                    if seen > _MOST_FILES:
                        raise Refused(f"has a repository of more than {_MOST_FILES} files")
                    if item.name in ("alternates", "http-alternates"):
                        raise Refused(
                            "is a git repository that borrows objects from another, and was not read"
                        )
                    if item.is_dir(follow_symlinks=False):
                        pending.append(Path(item.path))
                    elif not item.is_file(follow_symlinks=False):
                        raise Refused("has links in its repository")
    except OSError as error:
        raise Unreadable.by(error) from error


def _text(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise Refused("has links in its repository")
        with path.open("rb") as file:
            return file.read(_REF_MOST_B).decode("utf-8", "replace")
    except OSError as error:
        raise Unreadable.by(error) from error


def _checked(text: str) -> str:
    """Return an object's id.  Raises `Refused`."""
    if not _ID.fullmatch(text.strip()):
        raise Refused("is a git repository of a kind that is not read")
    return text.strip()


def _environment(objects: Path) -> dict[str, str]:
    own = _own_repository()
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": own,
        "LC_ALL": "C",
        "GIT_DIR": own,
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


@cache
def _own_repository() -> str:
    """Return an empty repository, which goes with this process."""
    folder = tempfile.TemporaryDirectory(prefix="grader-git-", ignore_cleanup_errors=True)
    for name in ("objects", "refs"):
        Path(folder.name, name).mkdir()
    Path(folder.name, "HEAD").write_text("ref: refs/heads/none\n")
    _kept.append(folder)
    return folder.name


_kept: list["tempfile.TemporaryDirectory[str]"] = []


def _limit(pid: int) -> None:
    if hasattr(resource, "prlimit"):
        resource.prlimit(pid, resource.RLIMIT_AS, (_MEMORY_B, _MEMORY_B))
        resource.prlimit(pid, resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))

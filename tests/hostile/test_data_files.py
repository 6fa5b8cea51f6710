"""A task's own files under attack: they are there for everybody, and nobody's code changes them."""

from pathlib import Path

import pytest
from support.marking import cases, mark, verdicts

from grader.model.results import SubmissionResult
from grader.sandbox.driver import Driver

SPEC = """
files:
  euro.csv: "DE,1.5\\n"
  more/inner.csv: "FR,2.5\\n"
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: attack(), returns: "'refused'"}
      - {call: look(), returns: "['DE,1.5\\\\n', 'FR,2.5\\\\n']"}
"""
LOOK = "\n\ndef look():\n    return [open(each).read() for each in ('euro.csv', 'more/inner.csv')]\n"
ATTACK = """
import ctypes, mmap, os, shutil, stat

REAL = os.path.realpath("euro.csv")
FOLDER = os.path.dirname(REAL)


def facts():
    stats = [os.stat(each) for each in (REAL, FOLDER)]
    kept = [(s.st_mode, s.st_uid, s.st_gid, s.st_ino, s.st_nlink, s.st_size, s.st_mtime_ns) for s in stats]
    return kept, sorted(os.listdir(FOLDER)), open(REAL).read()


def attack():
    before = facts()
    try:
        {}
    except OSError:
        pass
    # Some calls are answered as if they had succeeded, and do nothing.
    return "refused" if facts() == before else "done"
"""
WAYS = {
    "write": "open('euro.csv', 'w').write('x')",
    "append": "open(REAL, 'a').write('x')",
    "update": "open(REAL, 'r+b').write(b'x')",
    "truncate": "os.truncate(REAL, 0)",
    "by descriptor": "os.write(os.open('euro.csv', os.O_RDWR), b'x')",
    "by path only": "open(f'/proc/self/fd/{os.open(REAL, os.O_PATH)}', 'w').write('x')",
    "map": "mmap.mmap(os.open(REAL, os.O_RDWR), 0)[0:1]",
    "private map, made writable": "mmap.mmap(os.open(REAL, os.O_RDONLY), 0, prot=3, flags=mmap.MAP_SHARED)",
    "unlink": "os.unlink(REAL)",
    "rename": "os.rename(REAL, REAL + '.old')",
    "move the folder": "os.rename(FOLDER, FOLDER + '.old')",
    "rename over": "open('mine', 'w').write('x'), os.rename('mine', REAL)",
    "hard link into": "open('mine', 'w').write('x'), os.link('mine', FOLDER + '/new.csv')",
    "new file": "open(FOLDER + '/new.csv', 'w').write('x')",
    "new folder": "os.mkdir(FOLDER + '/new')",
    "mode": "os.chmod(REAL, 0o666)",
    "mode of the folder": "os.chmod(FOLDER, 0o777)",
    "owner": "os.chown(REAL, os.getuid(), -1)",
    "times": "os.utime(REAL, (0, 0))",
    "attribute": "os.setxattr(REAL, 'user.note', b'x')",
    "remove all": "shutil.rmtree(FOLDER)",
}


def hidden(result: SubmissionResult) -> list[str]:
    return [case.message for case in cases(result).values()]


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
@pytest.mark.parametrize("way", WAYS)
def test_no_case_changes_them(way: str, driver: Driver, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, ATTACK.format(WAYS[way]) + LOOK, driver=driver)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}, hidden(result)


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_the_import_does_not_change_them_for_a_case(driver: Driver, tmp_path: Path) -> None:
    ways = "\n".join(f"try:\n    {way}\nexcept OSError:\n    pass" for way in WAYS.values())
    head = "import mmap, os, shutil\nREAL = os.path.realpath('euro.csv')\nFOLDER = os.path.dirname(REAL)\n"
    spec = SPEC.replace("      - {call: attack(), returns: \"'refused'\"}\n", "")
    own = LOOK.replace("'euro.csv', 'more", "REAL, FOLDER + '/more")
    result = mark(tmp_path, spec, head + ways + own, driver=driver)
    assert set(verdicts(result).values()) <= {"accepted", "load-error"}, hidden(result)


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_nobody_sees_who_has_read_them(driver: Driver, tmp_path: Path) -> None:
    """Else a hidden case could tell its input to another submission, a bit for each file."""
    work = """
import os


def times():
    folder = os.path.dirname(os.path.realpath("euro.csv"))
    return [os.stat(each).st_atime_ns for each in ("euro.csv", "more/inner.csv", folder, f"{folder}/more")]


def attack():
    before = times()
    look(), os.listdir("."), os.listdir("more"), os.listdir(os.path.dirname(os.path.realpath("euro.csv")))
    return "refused" if times() == before else "done"
"""
    for _ in range(2):
        (folder := tmp_path / str(len(list(tmp_path.iterdir())))).mkdir()
        result = mark(folder, SPEC, work + LOOK, driver=driver)
        assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}, hidden(result)


def test_what_a_case_puts_in_their_place_is_gone_in_the_next(tmp_path: Path) -> None:
    work = """
import os


def attack():
    os.unlink("euro.csv")
    os.symlink("/etc/passwd", "euro.csv")
    os.unlink("more/inner.csv")
    os.rmdir("more")
    os.symlink("/", "more")
    return "refused"
"""
    result = mark(tmp_path, SPEC, work + LOOK)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}, hidden(result)


def test_nothing_else_of_the_host_is_seen_beside_them(tmp_path: Path) -> None:
    work = """
import os


def attack():
    folder = os.path.dirname(os.path.realpath("euro.csv"))
    seen = sorted(os.listdir(folder)), sorted(os.listdir(os.path.dirname(folder)))
    return "refused" if seen == (["euro.csv", "more"], ["data", "work"]) else repr(seen)
"""
    assert verdicts(mark(tmp_path, SPEC, work + LOOK)) == {"1.1": "accepted", "1.2": "accepted"}

"""What a student reads in `grader check` about the faults that are hard to find."""

import pytest
from support.command_line import grader

SPEC = """\
task: faults
title: Faults
marks: 9
modules: {{m: m.py}}
limits: {{memory: 200 MiB}}
{files}questions:
  - id: "1"
    title: All
    marks: 9
    award: each
    cases:
      - {{call: deep(1), returns: 2}}
      - {{call: pair(1), returns: 2}}
      - {{call: much(1), returns: 2}}
      - {{call: crash(1), returns: 2}}
      - {{call: stop(1), returns: 2}}
      - {{call: pool(1), returns: 2}}
      - {{call: data(1), returns: 2}}
      - {{call: truth(1), returns: True}}
      - {{call: large(1), returns: 2}}
"""
WORK = """\
import ctypes
import multiprocessing
import os


def deep(n):
    return deep(n + 1)


def pair(n):
    return other(n)


def other(n):
    return pair(n)


def much(n):
    return len([0] * 10 ** 10)


def crash(n):
    return ctypes.string_at(n)


def stop(n):
    print("before")
    os.abort()


def pool(n):
    with multiprocessing.Pool(2) as workers:
        return workers.map(abs, [n])


def data(n):
    return len(open("mine.csv").read())


def truth(n):
    return 'It isn\\'t a "truth" ' * 60


def large(n):
    return "x" * 20_000_000
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The words about each case, in one line, by its function."""
    folder = tmp_path_factory.mktemp("faults")
    (folder / "faults.yaml").write_text(SPEC.format(files=""))
    (folder / "work").mkdir()
    (folder / "work" / "m.py").write_text(WORK)
    (folder / "work" / "mine.csv").write_text("1,2\n")
    done = grader("check", "faults.yaml", "work", cwd=folder, COLUMNS="120")
    assert done.returncode == 1, done.stderr
    found = {}
    for part in done.stdout.split("\n1.")[1:]:
        _, call, *words = part.splitlines()
        found[call.partition("(")[0]] = " ".join(" ".join(words).split())
    return found


def test_a_recursion_is_told_by_its_circle(told: dict[str, str]) -> None:
    """A traceback is cut, so a count would be that of the lines that are left."""
    assert "where m.py, line 7, in deep (again and again)" in told["deep"]
    assert told["pair"].count("(again and again)") == 2
    assert "times)" not in told["deep"] + told["pair"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("much", "it asked for more memory than is allowed. The limit is 200 MiB"),
        ("large", "the answer is too large (more than 8 MiB)"),
        ("crash", "(SIGSEGV), in line 23 of m.py: it used memory that is not its own"),
        ("crash", "stopped m.py, line 23 return ctypes.string_at(n)"),
        ("stop", "(SIGABRT), in line 28 of m.py: compiled code found that it could not go on"),
        ("pool", "`multiprocessing` needs several processes, and there is one here"),
        ("data", "There are no files here; what lies beside a program that is handed in does not come along"),
        ("truth", "expected a bool, got a str expected True answer 'It isn"),
    ],
)
def test_the_words_name_limit_line_or_reason(told: dict[str, str], name: str, words: str) -> None:
    assert words in told[name]


def test_a_long_answer_is_shown_once(told: dict[str, str]) -> None:
    assert told["truth"].count("answer '") == 1
    assert told["truth"].count("expected True") == 1
    assert "It …)" not in told["truth"]

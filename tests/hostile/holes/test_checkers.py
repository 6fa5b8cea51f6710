"""Nothing of a checkers file that met one answer meets another: its state, its files, its interpreter."""

import pytest
from support.attack_run import Way, mark

CHECKERS = """
import builtins
import os
import random
import sqlite3

DB = sqlite3.connect(":memory:")
DB.executescript("create table pets (name text, kind text);"
                 "insert into pets values ('Tom', 'cat'), ('Rex', 'dog')")
SEEN = []
READ, WRITE = os.pipe()
os.set_blocking(READ, False)
WORDS = {}


def finds(answer, n):
    return len(DB.execute(answer).fetchall()) == n


def is_new(answer):
    SEEN.append(answer)
    return len(SEEN) == 1


def evaluates(answer):
    right = eval(answer, {"builtins": builtins, "os": os}) == 4
    return right and len("ab") == 2 and "SPOILT" not in os.environ


def draws(answer):
    first = random.random()
    random.seed(answer)
    return first == random.Random(SEED).random()


def piped(answer):
    try:
        before = os.read(READ, 100)
    except BlockingIOError:
        before = b""
    os.write(WRITE, answer.encode())
    return not before


def asks(turns, word):
    WORDS[word] = WORDS.get(word, 0) + len(turns[-1][0])
    return str(WORDS[word]) if len(turns) < 2 else None


def told(did):
    return [answer for _, answer in did["dialogue"]] == ["2", None]


def drawn(actual, expected):
    SEEN.append(actual)
    return {"title": f"number {len(SEEN)}", "columns": 1, "rows": 1}


SEED = 0
"""
SPEC = """
task: state
title: State
marks: 8
reference: reference
checkers: checks.py
modules: {work: work.py, talk: talk.py}
limits: {time: 1s, memory: 128MiB}
questions:
  - id: "1"
    title: One
    module: work
    marks: 8
    award: each
    cases:
      - {call: query(), check: finds(1)}
      - {call: query(), check: finds(n=1)}
      - {call: word(), check: is_new()}
      - {call: word(), check: is_new()}
      - {call: code(), check: evaluates()}
      - {call: word(), check: piped()}
      - {program: talk, player: asks(word="x"), check: told()}
      - {call: word(), check: draws(), picture: {by: drawn(), always: true}}
"""
TALK = 'input("ab")\ntry:\n    input("c")\nexcept EOFError:\n    pass\n'
WORK = """
def query():
    return {query!r}

def word():
    return {word!r}

def code():
    return {code!r}
"""
RIGHT = WORK.format(query="select name from pets where kind = 'cat'", word="w", code="2 + 2")
SPOILS = (
    ("delete from pets", "[setattr(builtins, 'len', lambda x: 7), 4][1]"),
    ("drop table pets", "os.environ.setdefault('SPOILT', 'x') and 4"),
    ("insert into pets values ('Kit', 'cat')", "[setattr(builtins, 'str', None), 4][1]"),
)


@pytest.mark.acceptance
def test_one_answer_changes_nothing_for_another(way: Way) -> None:
    batch = {
        f"a-{number}": {"work.py": WORK.format(query=query, word="w" * number, code=code), "talk.py": TALK}
        for number, (query, code) in enumerate(SPOILS)
    }
    batch |= {name: {"work.py": RIGHT + f"# {name}\n", "talk.py": TALK} for name in ("b", "c")}
    done = mark(way, SPEC, batch, reference={"work.py": RIGHT, "talk.py": TALK}, checkers=CHECKERS, jobs=1)
    for student in ("b", "c"):
        assert set(done.verdicts(student)) == {"accepted"}, [
            (case["id"], case["verdict"], case["message"]) for case in done.cases(student)
        ]
    for student in batch:
        # Nothing of a case of one's own is met either.
        assert done.verdicts(student)[2:4] == ["accepted"] * 2
        assert done.verdicts(student)[5:] == ["accepted"] * 3
        assert [picture["title"] for picture in done.cases(student)[7]["pictures"]] == ["number 1"]

"""Programs that want a better growth than their work has, and a wrong answer among the repeated ones."""

import textwrap
from collections.abc import Mapping
from fractions import Fraction

import pytest
from support.marking import HEAD, cases

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.marking.growth import MORE_THAN_CUBIC
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

SPEC = """
reference: reference
checkers: checkers.py
questions:
  - id: "1"
    title: Pairs
    marks: 1
    award: each
    cases:
      - call: pairs(xs)
        grow: {n: [100, 200, 400, 800]}
        given: {xs: shuffled(n)}
        growth: n log n
        decides: marks
        returns: same as reference
  - id: "2"
    title: Naive
    marks: 1
    award: each
    cases:
      - call: naive(n)
        grow: {n: [16, 18, 20, 22, 24]}
        growth: linear
        decides: marks
        worse: 25%
        returns: same as reference
"""
CHECKERS = """
def shuffled(random, n):
    xs = [7 * x + random.randrange(7) for x in range(n)]
    random.shuffle(xs)
    return xs
"""
REFERENCE = """
def pairs(xs):
    return max(xs) - min(xs)

def naive(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
"""
SLOW = """
def slow_pairs(xs):
    return max(max(x - y for y in xs) for x in xs)

def slow_naive(n):
    return n if n < 2 else slow_naive(n - 1) + slow_naive(n - 2)

pairs, naive = slow_pairs, slow_naive
"""
CHEATS = {
    "a dict": """
        KEPT = {}
        def pairs(xs):
            key = len(xs)
            if key not in KEPT:
                KEPT[key] = slow_pairs(xs)
            return KEPT[key]
        def naive(n):
            if n not in KEPT:
                KEPT[n] = slow_naive(n)
            return KEPT[n]
        """,
    "lru_cache": """
        from functools import lru_cache
        kept = lru_cache(None)(lambda xs: slow_pairs(xs))
        def pairs(xs):
            return kept(tuple(sorted(xs)))
        naive = lru_cache(None)(lambda n: slow_naive(n))
        """,
    "a default argument": """
        def pairs(xs, kept={}):
            if len(xs) not in kept:
                kept[len(xs)] = slow_pairs(xs)
            return kept[len(xs)]
        def naive(n, kept={}):
            if n not in kept:
                kept[n] = slow_naive(n)
            return kept[n]
        """,
    "a file": """
        import os
        def kept(name, work):
            try:
                with open(name) as file:
                    return int(file.read())
            except OSError:
                found = work()
                try:
                    with open(name, "w") as file:
                        file.write(str(found))
                except OSError:
                    pass
                return found
        def pairs(xs):
            return kept(f"p{sum(xs)}", lambda: slow_pairs(xs))
        def naive(n):
            return kept(f"n{n}", lambda: slow_naive(n))
        """,
    "a table made at import": """
        TABLE = [slow_naive(n) for n in range(28)]
        def naive(n):
            return TABLE[n]
        """,
    "a value that computes when it is read": """
        class Late(int):
            def __index__(self):
                return slow_naive(int.__index__(self))
        def naive(n):
            return Late(n)
        """,
    "a generator": """
        def naive(n):
            yield slow_naive(n)
        """,
    "right once in a process": """
        from random import SystemRandom
        def pairs(xs):
            return max(xs) - min(xs) if SystemRandom().randrange(6) else 0
        def naive(n):
            return slow_naive(n)
        """,
}


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, CaseResult]]:
    """Return the results of all programs, from one run."""
    folder = tmp_path_factory.mktemp("cheats")
    (folder / "reference").mkdir()
    (folder / "reference" / "work.py").write_text(REFERENCE)
    (folder / "checkers.py").write_text(CHECKERS)
    (folder / "sample.yaml").write_text(HEAD.replace("marks: 1", "marks: 2") + SPEC)
    task = load_task(folder / "sample.yaml")
    programs = {"honest": REFERENCE} | {
        name: f"{SLOW}{textwrap.dedent(text)}" for name, text in CHEATS.items()
    }
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        return {
            name: cases(marker.mark(Submission("s", "s", {"work": SourceFile("work.py", text)})).result)
            for name, text in programs.items()
        }


@pytest.mark.acceptance  # each of its measurements takes seconds
def test_honest_work_earns_all(marked: Mapping[str, Mapping[str, CaseResult]]) -> None:
    assert [case.score for case in marked["honest"].values()] == [1, 1]


@pytest.mark.acceptance
@pytest.mark.parametrize("name", ["a dict", "lru_cache", "a default argument", "a file"])
def test_what_a_program_keeps_gains_nothing(
    name: str, marked: Mapping[str, Mapping[str, CaseResult]]
) -> None:
    pairs, naive = marked[name].values()
    assert (pairs.score, naive.score) == (0, Fraction(1, 4)), (pairs.growth, naive.growth)
    assert naive.growth is not None
    assert naive.growth.name in ("exponential", MORE_THAN_CUBIC)


@pytest.mark.acceptance
def test_the_import_is_named(marked: Mapping[str, Mapping[str, CaseResult]]) -> None:
    naive = marked["a table made at import"]["2.1"]
    assert naive.score == Fraction(1, 4)
    assert "the import takes" in naive.message
    assert naive.growth is not None
    assert naive.growth.import_s > 0.02
    assert naive.growth.name == ""


@pytest.mark.parametrize("name", ["a value that computes when it is read", "a generator"])
@pytest.mark.acceptance
def test_an_answer_that_is_no_plain_value_is_not_right(
    name: str, marked: Mapping[str, Mapping[str, CaseResult]]
) -> None:
    assert marked[name]["2.1"].score == 0


@pytest.mark.acceptance
def test_a_wrong_answer_among_the_repeated_ones_is_wrong(
    marked: Mapping[str, Mapping[str, CaseResult]],
) -> None:
    result = marked["right once in a process"]["1.1"]
    assert str(result.verdict) == "wrong-answer"

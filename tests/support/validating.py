"""Validates a small spec that is written for a test: a good one, and it with mistakes planted."""

import textwrap
from collections.abc import Mapping
from pathlib import Path

from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark, Validation
from grader.plugins.validate.whole import Options, validate
from grader.spec import load_task

HEAD = """\
task: small
title: Small
marks: 2
reference: reference
modules: {work: work.py}
limits: {time: 5s}
questions:
"""
LARGEST = """\
  - id: largest
    title: largest
    marks: 1
    cases:
      - {call: "largest([3, 5, 4])", returns: 5, unchanged: true}
      - {call: "largest([])", returns: null}
      - {call: "largest([-2, -7])", returns: -2, visibility: hidden}
      - {call: "largest([1, 2])", returns: 2, visibility: hidden}
      - {call: "largest([2, 1])", returns: 2, visibility: hidden}
      - {call: "largest([4])", returns: 4, visibility: hidden}
      - {call: "largest([0, 0])", returns: 0, visibility: hidden}
"""
DIVISORS = """\
  - id: divisors
    title: divisors
    marks: 1
    cases:
      - {call: divisors(12), returns: "[1, 2, 3, 4, 6, 12]"}
      - {call: divisors(1), returns: "[1]"}
      - {call: divisors(7), returns: "[1, 7]", visibility: hidden}
      - {call: divisors(4), returns: "[1, 2, 4]", visibility: hidden}
"""
REFERENCE = """\
def largest(xs):
    found = None
    for x in xs:
        if found is None or x > found:
            found = x
    return found


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]
"""
WRONG = {"first": "def largest(xs):\n    return xs[0]\n\n\ndef divisors(n):\n    return [1, n]\n"}
EXPECTED = "first: {mark: 0, questions: {largest: 0, divisors: 0}, verdicts: {largest.2: exception}}\n"


def written(
    folder: Path,
    *,
    questions: str = LARGEST + DIVISORS,
    reference: str = REFERENCE,
    checkers: str = "",
    wrong: Mapping[str, str] = WRONG,
    right: Mapping[str, str] | None = None,
    expected: str = EXPECTED,
    handout: str = "",
    equivalent: str = "",
    head: str = HEAD,
) -> Path:
    """Write a spec and what lies beside it; return the spec's path."""
    files = {
        "small.yaml": (head.replace("questions:", "checkers: checkers.py\nquestions:") if checkers else head)
        + questions,
        "reference/work.py": textwrap.dedent(reference),
        "checkers.py": textwrap.dedent(checkers),
        "small/wrong/expected.yaml": expected,
        "small/handout/work.py": handout,
        "small/equivalent.yaml": equivalent,
    }
    files |= {f"small/wrong/{name}/work.py": text for name, text in wrong.items()}
    files |= {f"small/right/{name}/work.py": text for name, text in (right or {}).items()}
    for name, text in files.items():
        if text:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder / "small.yaml"


def task_of(folder: Path, **parts: object) -> Task:
    return load_task(written(folder, **parts))  # type: ignore[arg-type]


def validated(folder: Path, *, options: Options | None = None, **parts: object) -> Validation:
    """Write a spec and validate it in this process.  parts: see `written`."""
    return validate(task_of(folder, **parts), options or Options(jobs=1, mutants=0), lambda *_: None)


def remarks(validation: Validation, check: Check, gravity: Gravity | None = None) -> list[Remark]:
    """Return the remarks of one check."""
    return [
        remark
        for remark in validation.remarks
        if remark.check is check and (gravity is None or remark.gravity is gravity)
    ]

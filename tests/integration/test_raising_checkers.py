"""A checker that raises: an assertion says no; else the answer counts as wrong, and the author is told."""

from pathlib import Path

import pytest
from support.command_line import Done, cases_of, grader, results
from support.marking import cases, mark, question, verdicts

CHECKERS = """
import json
from decimal import Decimal


def asserts(answer):
    assert type(answer) is list, "a list, please"
    assert sum(answer) == 3


def indirectly(answer):
    _must_be_small(answer)


def _must_be_small(answer):
    assert len(answer) < 3, f"{len(answer)} items are too many"


def raises(answer):
    return sum(part * 1 for part in answer) == 3


def deep(answer):
    return json.loads(answer[0]) == 1


def lies(answer):
    raise MemoryError


def recurses(answer):
    return recurses(answer)


def evaluates(answer):
    return eval(answer) == 3


def broken(answer):
    return unknown_name


def of_program(did):
    return int(did["stdout"]) == 3


def together(one, other):
    return one + other == 3
"""
REFERENCE = """
def three():
    return [1, 2]

def texts():
    return ["1"]

def code():
    return "3"

def one():
    return 1

if __name__ == "__main__":
    print(3)
"""
SPEC = """
task: raising
title: Raising
marks: 8
reference: reference
checkers: checkers.py
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 8
    award: each
    cases:
      - {call: three(), check: asserts()}
      - {call: three(), check: indirectly()}
      - {call: three(), check: raises()}
      - {call: texts(), check: deep()}
      - {call: code(), check: evaluates()}
      - {program: work, check: of_program()}
      - {scenario: [{call: one(), as: a}, {call: one(), as: b}], check: "together(a, other=2)"}
      - {scenario: [{call: three(), check: raises()}, {call: one(), returns: 1}]}
"""
WRONG = """
def three():
    return {three}

def texts():
    return ["no JSON"]

def code():
    return "exit()"

def one():
    return "a"

if __name__ == "__main__":
    print("three")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("raising")
    (folder / "raising.yaml").write_text(SPEC)
    (folder / "checkers.py").write_text(CHECKERS)
    for name, text in {
        "reference": REFERENCE,
        "sub/right": REFERENCE,
        "sub/none": WRONG.format(three="None"),
        "sub/long": WRONG.format(three="['a', 1, 2]"),
    }.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "work.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    return grader("mark", "raising.yaml", "sub", "-o", "out", cwd=folder)


def test_no_mark_is_pending_and_none_is_given(folder: Path, done: Done) -> None:
    assert done.returncode == 0, done.stderr
    marks = {one["id"]: (one["status"], one["mark"]) for one in results(folder / "out")["submissions"]}
    assert marks == {"right": ("marked", "8"), "none": ("marked", "0"), "long": ("marked", "0")}


def test_an_assertion_speaks_to_the_student(folder: Path, done: Done) -> None:
    found = cases_of(folder / "out", "none")
    assert found["1.1"]["message"] == "a list, please"
    assert "checker_note" not in found["1.1"]
    assert cases_of(folder / "out", "long")["1.2"]["message"] == "3 items are too many"


def test_the_author_is_told_line_and_answer(folder: Path, done: Done) -> None:
    line = CHECKERS.split("\n").index("    return sum(part * 1 for part in answer) == 3") + 1
    note = (
        f"checker raises raised TypeError: 'NoneType' object is not iterable (line {line} of checkers.py); "
        "the answer is of type NoneType"
    )
    assert cases_of(folder / "out", "none")["1.3"]["checker_note"] == note
    index = (folder / "out" / "index.html").read_text()
    told = " ".join(done.stderr.split())
    for text in (index.replace("&#39;", "'"), told):
        assert note in text
        assert "Checkers raised" in text
    assert note in (folder / "out" / "staff" / "none.html").read_text().replace("&#39;", "'")
    page = (folder / "out" / "students" / "none.html").read_text()
    assert "TypeError" not in page
    assert "could not take the answer, which counts as wrong" in page
    for number in (4, 5, 6, 7, 8):
        assert cases_of(folder / "out", "none")[f"1.{number}"]["checker_note"], number


def test_quietly_too(folder: Path, done: Done) -> None:
    quiet = grader("mark", "raising.yaml", "sub", "-o", "quiet", "--quiet", cwd=folder)
    assert "Checkers raised" in quiet.stdout + quiet.stderr


def test_where_the_spec_is_at_fault_the_mark_is_pending(folder: Path) -> None:
    """The checker raises on the reference's answer too, or nobody knows of a right one."""
    spec = SPEC.replace("check: raises()", "check: broken()")
    (folder / "broken.yaml").write_text(spec)
    refused = grader("mark", "broken.yaml", "sub", "-o", "broken", cwd=folder)
    assert refused.returncode == 3
    assert "NameError" in refused.stderr
    anyway = grader("mark", "broken.yaml", "sub", "-o", "broken", "--anyway", cwd=folder)
    assert anyway.returncode == 5
    assert {one["status"] for one in results(folder / "broken")["submissions"]} == {"pending"}


def test_without_a_reference_or_at_a_limit_of_ours_the_mark_is_pending(tmp_path: Path) -> None:
    spec = question(
        "{call: three(), check: raises()}",
        "{call: three(), check: lies()}",
        "{call: three(), check: recurses()}",
        "{call: three(), check: asserts()}",
    )
    found = mark(tmp_path, spec, WRONG.format(three="None"), checkers=CHECKERS)
    assert list(verdicts(found).values()) == [*["internal-error"] * 3, "wrong-answer"]
    assert cases(found)["1.4"].message == "a list, please"


@pytest.mark.parametrize("language", ["en", "de"])
def test_in_a_handout_it_is_no_failure_of_the_grader(folder: Path, tmp_path: Path, language: str) -> None:
    """A handout has no reference, so nothing shows whose fault it is; at marking there is one."""
    (folder / f"{language}.yaml").write_text(
        SPEC.replace("title: Raising", f"title: Raising\nlanguage: {language}")
    )
    made = grader("bundle", f"{language}.yaml", "--with-checkers", "-o", tmp_path / "handout", cwd=folder)
    assert made.returncode == 0, made.stderr
    (tmp_path / "handout" / "work.py").write_text(WRONG.format(three="None"))
    done = grader("check", cwd=tmp_path / "handout")
    told = " ".join(done.stdout.split())
    if language == "de":
        assert "nicht beurteilt" in told
        assert (
            "die Prüffunktion konnte diese Antwort nicht beurteilen; das entscheidet die Bewertung (" in told
        )
        return
    assert (
        "the checker could not judge this answer; marking will decide about it (checker raises raised" in told
    )
    assert "TypeError: 'NoneType' object is not iterable (line " in told
    assert "not judged" in told
    assert "A checker could not judge some answers. By the others it is 0, which can change." in told
    assert "a list, please" in told
    for words in ("internal error", "grader itself failed", "Traceback"):
        assert words not in told


def test_validate_names_the_line(folder: Path) -> None:
    told = grader("validate", "raising.yaml", "--mutants", "0", cwd=folder)
    said = " ".join(told.stdout.split())
    for name, code in (("raises", "    return sum(part * 1"), ("deep", "    return json.loads")):
        line = next(number for number, text in enumerate(CHECKERS.split("\n"), 1) if text.startswith(code))
        assert f"{name}() fails on odd answers, first at line {line} of checkers.py" in said
    # An assertion is no failure.
    assert "a list, please" not in said


NEAR = """
task: near
title: Near
marks: 2
reference: reference
checkers: checkers.py
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 2
    award: each
    cases:
      - {call: area(2), check: near(want=6.0)}
      - {call: area(2), check: above(want=6.0)}
"""
SCORES = """
def near(answer, want):
    return max(1 - abs(answer - want) / want, 0.0), "not near"

def above(answer, want):
    return answer / want, "not above"
"""


def test_a_score_that_the_answer_makes_nan_counts_as_wrong(tmp_path: Path) -> None:
    (tmp_path / "near.yaml").write_text(NEAR)
    (tmp_path / "checkers.py").write_text(SCORES)
    for name, area in {"reference": "6.0", "sub/nan": 'float("nan")', "sub/minus": "-6.0"}.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "work.py").write_text(f"def area(side):\n    return {area}\n")
    done = grader("mark", "near.yaml", "sub", "-o", "out", cwd=tmp_path)
    found = cases_of(tmp_path / "out", "nan")
    assert [(case["verdict"], case["score"]) for case in found.values()] == [("wrong-answer", "0")] * 2
    assert found["1.1"]["checker_note"] == "checker near gave the score nan; the answer is of type float"
    # A score below 0 is the checker's own mistake: nothing says that the answer is at fault.
    assert cases_of(tmp_path / "out", "minus")["1.2"]["verdict"] == "internal-error"
    assert done.returncode == 5

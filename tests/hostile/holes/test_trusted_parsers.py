"""Texts that cost whoever looks at them more than a submission may cost."""

import io
import zipfile

import pytest
from support.attack_run import Way, mark

SPEC = """
task: texts
title: Texts
marks: 1
modules: {work: work.py}
limits: {time: 1s, memory: 256MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - {call: f(1), returns: 1}
"""
HONEST = {"work.py": "def f(x):\n    return x\n"}
MIXED_TABS = "def g(x):\n    return x\nif 1:\n \tx=1\n\t y=2\n"
"""What is looked at more closely, since Python does not take it as it is."""
QUOTES = MIXED_TABS + "\\'" * 120_000
"""Hours for a scanner that starts anew at each quote."""
TEXTS = {
    "quotes": QUOTES,
    "quotes and no tabs": "x = '" + "\\'" * 120_000,
    "brackets": MIXED_TABS + "(" * 120_000,
    "continued lines": MIXED_TABS + "\\\n" * 120_000,
    "f-strings": MIXED_TABS + "f'{" * 80_000,
    "blocks": MIXED_TABS + "".join(" " * depth + "if 1:\n" for depth in range(900)),
    "triple quotes": MIXED_TABS + '"""\\' * 60_000,
    "another encoding": "# coding: utf-7\n" + MIXED_TABS + "+AAA" * 60_000,
}


def test_a_text_is_read_in_time_linear_in_its_size(strongest: Way) -> None:
    """Else the run does not end before its time is up."""
    batch = {
        f"{name}-{text}".replace(" ", "-"): {**HONEST, f"{name}.py": TEXTS[text]}
        for name in ("helper", "work")
        for text in TEXTS
    }
    done = mark(strongest, SPEC, {**batch, "student-02": HONEST})
    for student in batch:
        assert done.submission(student)["status"] == "marked", student
        assert "internal-error" not in done.verdicts(student), student
    assert done.verdicts("student-02") == ["accepted"]


def test_so_are_many_texts_in_an_archive(strongest: Way) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("work.py", HONEST["work.py"])
        for number in range(40):
            archive.writestr(f"helper{number}.py", QUOTES[:100_000])
    done = mark(strongest, SPEC, {"student-01": {"work.zip": packed.getvalue()}, "student-02": HONEST})
    assert done.submission("student-01")["status"] == "marked"
    assert done.verdicts("student-02") == ["accepted"]


PATTERN = """
task: pattern
title: Pattern
marks: 2
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 2
    award: each
    cases:
      - call: f(1)
        raises: {type: ValueError, message: '^(\\w+\\s?)+ must be positive'}
      - call: f(2)
        raises: {type: ValueError, message: positive}
"""
EVIL = {"work.py": "def f(x):\n    raise ValueError('a' * 60 + '!' if x == 1 else 'x is not positive')\n"}
RIGHT = {"work.py": "def f(x):\n    raise ValueError('x must be positive')\n"}


@pytest.mark.acceptance  # make test has test_a_pattern_that_does_not_end_on_a_message_is_no_match
def test_a_message_cannot_keep_the_judge_busy(strongest: Way) -> None:
    done = mark(strongest, PATTERN, {"student-01": EVIL, "student-02": RIGHT})
    assert done.submission("student-01")["status"] == "marked"
    assert done.verdicts("student-01")[0] not in ("accepted", "internal-error")
    assert done.verdicts("student-01")[1] == "accepted"
    assert done.verdicts("student-02") == ["accepted", "accepted"]


RULES = (
    SPEC.replace("marks: 1\nmodules", "marks: 1\nbudget: 2s\nmodules")
    + """
rules:
  - no recursion
"""
)


@pytest.mark.acceptance  # make test has test_all_looks_at_a_submission_draw_from_one_total
def test_many_helpers_are_looked_at_within_one_budget(strongest: Way) -> None:
    """Each is a large one by itself; CPU time is compared with that of a batch without them."""
    large = "a=1\n" * 250_000
    helpers = {f"helper{number}.py": large for number in range(8)}
    imports = "".join(f"import helper{number}\n" for number in range(8))
    usual = mark(strongest, RULES, {"student-02": HONEST})
    many = {"work.py": imports + HONEST["work.py"], **helpers}
    done = mark(strongest, RULES, {"student-01": many, "student-02": HONEST})
    assert done.verdicts("student-02") == ["accepted"]
    assert done.submission("student-01")["status"] == "marked"
    assert done.cpu_s - usual.cpu_s < 15


HANGING = """
task: hanging
title: Hanging
marks: 2
checkers: checks.py
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 2
    award: each
    cases:
      - {call: f(1), check: hangs()}
      - {call: f(2), returns: 2}
"""
CHECKS = '''
def hangs(answer):
    """Has no end for some answers."""
    total = 0
    while answer == 1:
        total += 1
    return None
'''


@pytest.mark.acceptance  # make test has test_a_checker_that_hangs_is_named_and_not_asked_again
def test_a_checker_that_hangs_is_asked_once_and_named(strongest: Way) -> None:
    """Its limit is 5 s of CPU; the rest of the run takes about one."""
    done = mark(strongest, HANGING, {"student-01": HONEST}, checkers=CHECKS)
    hung, other = done.cases("student-01")
    assert hung["verdict"] == "internal-error"
    assert "hangs" in hung["message"]
    assert "line" in hung["message"]
    assert other["verdict"] == "accepted"
    assert done.cpu_s < 10

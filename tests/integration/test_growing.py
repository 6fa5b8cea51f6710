"""The growth of times, measured on real runs: only what no noise can turn round is asserted."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import grader
from support.marking import cases, mark, question

from grader.kinds.calls.timing import growth
from grader.model.results import CaseResult
from grader.reports.views.case.times import growth_sentence

CUBE = "def work(n):\n    for i in range(n):\n        for j in range(n):\n            for k in range(n):\n%s"
CUBIC = CUBE % "                pass\n    return n\n"
QUICK = "def work(n):\n    return n\n"
SLEEPS_ALONE = """
import time
calls = []

def work(n):
    if n > 20 and not calls:
        time.sleep(1)
    calls.append(n)
    return n
"""
"""A call alone sleeps, all sizes together do not."""
REMARK = "{call: work(n), grow: {n: [20, 40, 80, 160]}, growth: linear, returns: same as reference%s}"
CASE = REMARK.replace("%s", ", decides: marks%s")


def one(folder: Path, work: str, more: str = "", case: str = CASE) -> CaseResult:
    checkers = "def zeros(random, n):\n    return [0] * n\n"
    spec = "limits: {time: 20s}\n" + question(case.replace("%s", more))
    return cases(mark(folder, spec, work, reference=QUICK, checkers=checkers))["1.1"]


def test_a_faster_growth_than_is_asked_for_earns_its_share(tmp_path: Path) -> None:
    result = one(tmp_path, CUBIC, ", worse: 25%")
    assert (str(result.verdict), result.score) == ("partial", Fraction(1, 4))
    assert result.growth is not None
    assert [point.size for point in result.growth.points] == [20, 40, 80, 160]
    assert result.message.startswith("the answers are right, but the time grows as ")
    assert "all up to linear.  Time of a call by size: 20: " in growth_sentence(result.growth)


def test_a_remark_costs_nothing_and_reads_so(tmp_path: Path) -> None:
    result = one(tmp_path, CUBIC, case=REMARK)
    assert (str(result.verdict), result.score, result.message) == ("accepted", 1, "")
    assert result.growth is not None
    assert result.growth.remark
    assert "(a remark without cost; asked for: linear).  Time of a call" in growth_sentence(result.growth)


def test_a_remark_takes_no_more_than_half_of_the_budget(tmp_path: Path) -> None:
    """The case after it runs."""
    later = "{call: work(3), returns: 3}"
    spec = "budget: {time: 10s, wall: 2s}\n" + question(REMARK.replace("%s", ""), later)
    found = cases(mark(tmp_path, spec, SLEEPS_ALONE, reference=QUICK))
    assert [str(case.verdict) for case in found.values()] == ["accepted", "accepted"]
    assert found["1.1"].growth is None


def test_a_growth_that_decides_ends_with_the_budget(tmp_path: Path) -> None:
    spec = "budget: {time: 10s, wall: 1500ms}\n" + question(CASE.replace("%s", ""))
    result = cases(mark(tmp_path, spec, SLEEPS_ALONE, reference=QUICK))["1.1"]
    assert str(result.verdict) == "skipped"
    assert "(1.5 s of waiting) is used up" in result.message


def test_a_growth_that_is_slow_enough_is_accepted(tmp_path: Path) -> None:
    result = one(tmp_path, QUICK)
    assert (str(result.verdict), result.message) == ("accepted", "")
    assert result.growth is not None
    assert result.growth.at_most == "linear"


def test_an_input_of_a_size_comes_from_the_checkers_file(tmp_path: Path) -> None:
    case = (
        "{call: work(len), grow: {n: [1000, 2000, 4000]}, given: {len: zeros(n)}, growth: linear,"
        " check: size(n)}"
    )
    (tmp_path / "a").mkdir()
    checkers = (
        "def zeros(random, n):\n    return [0] * n\n\n\ndef size(answer, n):\n    return len(answer) == n\n"
    )
    result = mark(tmp_path / "a", question(case), QUICK, reference=QUICK, checkers=checkers)
    assert str(cases(result)["1.1"].verdict) == "accepted"


def test_a_wrong_answer_is_never_quick(tmp_path: Path) -> None:
    result = one(tmp_path, "def work(n):\n    return n if n < 50 else 0\n")
    assert str(result.verdict) == "wrong-answer"
    assert result.message.startswith("work(80): expected 80, got 0")
    assert result.growth is None


def test_an_answer_that_is_wrong_when_it_is_timed_is_wrong(tmp_path: Path) -> None:
    work = "calls = []\n\ndef work(n):\n    calls.append(n)\n    return -1 if calls == [40] else n\n"
    result = one(tmp_path, work)
    assert str(result.verdict) == "wrong-answer"
    assert result.message.startswith("when it was run again for its time: expected 40, got -1")


@pytest.mark.parametrize(
    "way", ["while True: pass", "import os; os._exit(0)", "return 'x' * 10**8", "import time; time.sleep(99)"]
)
@pytest.mark.acceptance
def test_harm_while_it_is_timed_is_the_works_own(tmp_path: Path, way: str) -> None:
    """All sizes are called in one process first; only a call alone does harm here."""
    work = f"""
        calls = []

        def work(n):
            calls.append(n)
            if calls == [40]:
                {way}
            return n
    """
    later = "{call: work(3), returns: 3}"
    spec = "limits: {time: 100ms, wall: 300ms}\n" + question(CASE.replace("%s", ""), later)
    found = cases(mark(tmp_path, spec, work, reference=QUICK))
    assert str(found["1.1"].verdict) in ("accepted", "crashed", "output-limit", "wall-limit", "time-limit")
    assert str(found["1.2"].verdict) == "accepted"


def test_more_rounds_are_run_near_an_edge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made_up(self: object, times: growth._Times) -> None:
        times.rounds.append([0.01 * n**1.24 for n in (20, 40, 80, 160)])
        times.imports_s.append(0.0)

    monkeypatch.setattr(growth._Sizes, "run", made_up)
    result = one(tmp_path, QUICK)
    assert result.growth is not None
    assert result.growth.rounds == 9
    assert (result.growth.name, result.growth.others) == ("linear", ("n log n",))
    assert "between linear and n log n, which counts as linear" in growth_sentence(result.growth)


@pytest.mark.acceptance
def test_a_reference_that_grows_too_fast_is_a_fault_of_the_spec(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text(CUBIC)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "work.py").write_text(QUICK)
    head = "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\nreference: reference\n"
    (tmp_path / "spec.yaml").write_text(head + question(CASE.replace("%s", "")))
    done = grader("mark", "spec.yaml", "ada", "-o", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert "the reference does not pass 1.1: the answers are right, but the time grows as" in done.stderr

"""A case near its time limit is tried again, alone, before that counts; what it takes is told at best.

Here the machine is as slow as the test says, so that what uses a certain CPU time is always as near.
"""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest
from marking import cases, mark, question
from steady_gauge import SteadyGauge, make_slow_by

from grader.engine import retrial
from grader.engine.batch import mark_all
from grader.engine.gauge import Gauge, Speedometer
from grader.engine.run import prepare_order
from grader.engine.worker_process import Order, prepare
from grader.intake import discover
from grader.model.results import CaseResult, Status
from grader.sandbox.driver import Driver
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.spec import load_task

BesetBy = Callable[[float], list[int]]


@pytest.fixture
def slow_by(monkeypatch: pytest.MonkeyPatch) -> BesetBy:
    """Make the machine as slow as that, and return a list that gets the core of each trial."""
    tried: list[int] = []

    def slow(slowness: float) -> list[int]:
        make_slow_by(slowness, monkeypatch)
        return tried

    class Counted(Speedometer):
        def __init__(self, gauge: Gauge, core: int) -> None:
            tried.append(core)
            super().__init__(gauge, core)

    monkeypatch.setattr(retrial, "Speedometer", Counted)
    return slow


WORK = """
import mmap, os, time
RUNS = mmap.mmap(-1, 16)

def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def work(n):
    RUNS[0] += 1
    {body}
    return n
"""
SPEC = question("{call: work(1), returns: 1, limits: {time: 200ms, wall: 60s}}")
PROGRAM = """\
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - name: greeting
        program: work
        dialogue: [{says: "Who? ", answer: me}]
        stdout: "me\\n"
        limits: {time: 200ms, wall: 60s}
"""


def case_of(folder: Path, body: str, driver: Driver = Driver.NAMESPACES) -> CaseResult:
    return cases(mark(folder, SPEC, WORK.format(body=body), driver=driver))["1.1"]


def test_what_keeps_its_limit_is_not_tried_again(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    assert str(case_of(tmp_path, "spin(0.1)").verdict) == "accepted"
    assert tried == []


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_a_slow_machine_is_not_the_students_fault(tmp_path: Path, slow_by: BesetBy, driver: Driver) -> None:
    tried = slow_by(2)
    found = case_of(tmp_path, "spin(0.3)", driver)
    assert str(found.verdict) == "accepted"
    assert 0.14 < found.cpu_s < 0.2, "in seconds of the machine at its best"
    assert len(tried) == 1


def test_what_is_too_slow_for_any_machine_is_not_tried_again(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(2)
    for body in ("spin(0.6)", "spin(100)"):
        folder = tmp_path / body
        folder.mkdir()
        found = case_of(folder, body)
        assert str(found.verdict) == "time-limit"
        assert 0.22 < found.cpu_s < 0.3
    assert tried == []


def test_what_is_not_clear_is_decided_by_the_majority(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    assert str(case_of(tmp_path, "spin(0.203)").verdict) == "accepted"
    assert len(tried) >= 3


def test_the_reference_has_its_limit_at_best_too(tmp_path: Path, slow_by: BesetBy) -> None:
    slow_by(2)
    source = WORK.format(body="spin(0.3)")
    spec = question("{call: work(1), returns: same as reference, limits: {time: 200ms, wall: 60s}}")
    assert str(cases(mark(tmp_path, spec, source, reference=source))["1.1"].verdict) == "accepted"


SPENT = [f"{{call: work({n}), returns: {n}, limits: {{time: 500ms, wall: 60s}}}}" for n in range(4)]


def test_a_budget_is_that_of_the_machine_at_best(tmp_path: Path, slow_by: BesetBy) -> None:
    """Four cases of 0.4 s, which are 0.2 s at best."""
    slow_by(2)
    source = WORK.format(body="spin(0.4)")
    for budget, verdict in (("1s", "accepted"), ("500ms", "skipped")):
        folder = tmp_path / budget
        folder.mkdir()
        found = cases(mark(folder, f"budget: {budget}\n{question(*SPENT)}", source))
        assert str(found["1.4"].verdict) == verdict


def test_trials_end_with_the_budget(tmp_path: Path, slow_by: BesetBy) -> None:
    """By the clock, so that nobody else has to wait for longer."""
    tried = slow_by(1)
    spec = "budget: 1s\n" + SPEC
    found = cases(mark(tmp_path, spec, WORK.format(body="time.sleep(0.6); spin(0.205)")))["1.1"]
    assert str(found.verdict) == "time-limit"
    assert len(tried) == 2


def test_a_trial_that_cannot_be_made_is_no_fault_of_the_case(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_by(2)

    def on_core(zygote: Zygote, core: int) -> Zygote:
        raise SandboxFailure("no zygote")

    monkeypatch.setattr(Zygote, "on_core", on_core)
    spec = question(
        *(f"{{call: work({n}), returns: {n}, limits: {{time: 200ms, wall: 60s}}}}" for n in (1, 2))
    )
    result = mark(tmp_path, spec, WORK.format(body="n == 2 and spin(0.3)"))
    assert [str(case.verdict) for case in cases(result).values()] == ["accepted", "internal-error"]
    assert result.status is Status.PENDING


LATE = """\
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - scenario:
          - {call: work(1), returns: 1}
          - {call: work(2), returns: 2}
          - {call: work(3), returns: 3}
        goes on: true
        limits: {time: 200ms, wall: 60s}
"""


@pytest.mark.parametrize("taken_s", [0.24, 0.4, 100])
def test_a_scenario_that_is_late_has_what_it_did_before(
    tmp_path: Path, slow_by: BesetBy, taken_s: float
) -> None:
    slow_by(1)
    found = cases(mark(tmp_path, LATE, WORK.format(body=f"n == 3 and spin({taken_s})")))
    (case,) = found.values()
    assert (str(case.verdict), case.score) == ("partial", Fraction(2, 3)), case


def test_no_run_is_helped_by_an_earlier_one(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(2)
    found = case_of(tmp_path, "RUNS[0] > 1 or spin(0.42)")
    assert len(tried) >= 3
    assert found.cpu_s > 0.2


def test_one_that_was_stopped_since_the_machine_became_slower_has_more_time(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = slow_by(1)
    monkeypatch.setattr(SteadyGauge, "meanwhile", 2.0)
    found = case_of(tmp_path, "spin(0.21 if len(os.sched_getaffinity(0)) > 1 else 0.4)")
    assert str(found.verdict) == "accepted"
    assert len(tried) >= 4, "one was in vain, and three agree"


def test_what_does_not_end_is_clear_at_once(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    found = case_of(tmp_path, "spin(0.21 if len(os.sched_getaffinity(0)) > 1 else 100)")
    assert str(found.verdict) == "time-limit"
    assert len(tried) == 1


def test_a_trial_keeps_to_one_core(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(2)
    body = """
    spin(0.3)
    n = len(os.sched_getaffinity(0)), *os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, range(64))
    except OSError as error:
        n += error.errno,
    """
    found = case_of(tmp_path, body)
    assert found.actual == f"(1, {tried[0]}, 1)"


def test_a_program_is_tried_again_too_with_its_dialogue(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(2)
    program = "import time\nname = input('Who? ')\nwhile time.process_time() < 0.3:\n    pass\nprint(name)\n"
    (found,) = cases(mark(tmp_path, PROGRAM, program)).values()
    assert str(found.verdict) == "accepted", found
    assert found.cpu_s < 0.2
    assert tried


def test_in_a_batch_it_waits_for_the_others(tmp_path: Path, slow_by: BesetBy) -> None:
    slow_by(2)
    (tmp_path / "sample.yaml").write_text(
        "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\n" + SPEC
    )
    for number in range(6):
        folder = tmp_path / "batch" / f"student-0{number}"
        folder.mkdir(parents=True)
        (folder / "work.py").write_text(WORK.format(body="n == 1 and spin(0.3)" if number < 2 else "pass"))
    task = load_task(tmp_path / "sample.yaml")
    candidates = discover([tmp_path / "batch"], dict(task.modules))
    order = prepare_order(task, Driver.NAMESPACES, "")

    def forks(order: Order, processes: int) -> Executor:
        """What was changed for the test is changed in forks alone."""
        context = multiprocessing.get_context("fork")
        return ProcessPoolExecutor(processes, context, prepare, (order,))

    done = [marked.result for marked in mark_all(order, candidates, 2, forks)]
    assert {result.id for result in done[-2:]} == {"student-00", "student-01"}
    found = [case for result in done for case in cases(result).values()]
    assert [(str(case.verdict), case.message) for case in found] == [("accepted", "")] * 6

"""A case near its time limit is tried again, alone, before that counts; what it takes is told at best.

Here the machine is as slow as the test says, so that what uses a certain CPU time is always as near.
"""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from marking import cases, mark, question
from steady_gauge import SteadyGauge, make_slow_by

from grader.engine import attempt, boxes, retrial, runs
from grader.engine.batch import mark_all
from grader.engine.boxes import Boxes
from grader.engine.gauge import Gauge, Speedometer
from grader.engine.order import prepare_order
from grader.engine.worker_process import Marked, Order, prepare
from grader.intake import discover
from grader.model.limits import Limits
from grader.model.outcome import Outcome
from grader.model.results import CaseResult, Status
from grader.sandbox.box import Box, Program
from grader.sandbox.driver import Driver
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.spec import load_task
from grader.wire.messages import Report

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


def case_of(folder: Path, body: str, driver: Driver = Driver.NAMESPACES, *, spec: str = SPEC) -> CaseResult:
    return cases(mark(folder, spec, WORK.format(body=body), driver=driver))["1.1"]


def limit_imports(monkeypatch: pytest.MonkeyPatch, time_s: float, wall_s: float) -> None:
    """Let the imports of students' modules take no longer than that."""
    for module in (boxes, retrial, runs):
        monkeypatch.setattr(module, "IMPORT_LIMITS", Limits(time_s=time_s, wall_s=wall_s))


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


def test_trials_end_with_the_budget(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock, by which every trial here takes 1.2 s, so that nobody else has to wait for longer."""
    tried = slow_by(1)
    monkeypatch.setattr(retrial, "time", SimpleNamespace(monotonic=count(step=1.2).__next__))
    found = case_of(tmp_path, "spin(0.205)", spec="budget: 2s\n" + SPEC)
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


WAITING = question("{call: work(1), returns: 1, limits: {time: 200ms, wall: 400ms}}")
STALLED = "time.sleep(60 if len(os.sched_getaffinity(0)) > 1 else 0.1)"
"""Waits for something that does not come, but when it is tried again, on one core."""


def test_a_stalled_machine_is_not_the_students_fault(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    found = case_of(tmp_path, STALLED, spec=WAITING)
    assert (str(found.verdict), found.message) == ("accepted", "")
    assert len(tried) == 1


def test_a_program_that_a_stalled_machine_kept_waiting_is_tried_again_too(
    tmp_path: Path, slow_by: BesetBy
) -> None:
    tried = slow_by(1)
    program = f"import os, time\n{STALLED}\nprint(input('Who? '))\n"
    spec = PROGRAM.replace("wall: 60s", "wall: 400ms")
    (found,) = cases(mark(tmp_path, spec, program)).values()
    assert str(found.verdict) == "accepted", found
    assert len(tried) == 1


def test_what_waits_when_it_is_alone_too_met_its_wall_limit(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    found = case_of(tmp_path, "time.sleep(60)", spec=WAITING)
    assert str(found.verdict) == "wall-limit"
    assert len(tried) == 1, "which is clear"


def test_waits_are_paid_from_the_budget_of_the_trials(tmp_path: Path, slow_by: BesetBy) -> None:
    """Else code that waits but where it is tried again would make all others wait without end."""
    tried = slow_by(1)
    calls = (f"{{call: work({n}), returns: {n}, limits: {{time: 200ms, wall: 400ms}}}}" for n in range(6))
    body = STALLED.replace("0.1", "0")
    found = cases(mark(tmp_path, "budget: 1s\n" + question(*calls), WORK.format(body=body)))
    assert len(tried) <= 2
    verdicts = [str(case.verdict) for case in found.values()]
    assert verdicts == ["accepted"] * len(tried) + ["wall-limit"] * (6 - len(tried))


def test_a_trial_without_an_import_says_nothing_of_a_wait(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = slow_by(1)
    loads = []

    def fails_at_first(outcome: Outcome) -> bool:
        loads.append(outcome)
        return len(loads) > 1

    monkeypatch.setattr(retrial, "loaded", fails_at_first)
    found = case_of(tmp_path, STALLED, spec=WAITING)
    assert str(found.verdict) == "accepted"
    assert len(tried) > 1


def test_one_that_was_near_and_waits_when_it_is_alone_is_not_clear(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(2)
    spec = WAITING.replace("400ms", "800ms")
    body = "spin(0.3) if len(os.sched_getaffinity(0)) > 1 else time.sleep(60)"
    found = case_of(tmp_path, body, spec=spec)
    assert str(found.verdict) == "wall-limit"
    assert len(tried) == 3


def test_a_submission_that_hangs_costs_one_wall_limit_more(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    limits = "limits: {time: 200ms, wall: 400ms}"
    spec = question(*(f"{{call: work({n}), returns: {n}, {limits}}}" for n in range(4)))
    body = """
    if n == 3:
        spin(0.03)
    time.sleep(60)
    """
    found = cases(mark(tmp_path, spec, WORK.format(body=body)))
    assert {str(case.verdict) for case in found.values()} == {"wall-limit"}
    assert len(tried) == 2, "the first, and the last, which did not only wait"


def test_what_waited_at_first_and_then_works_without_end_met_its_time_limit(
    tmp_path: Path, slow_by: BesetBy
) -> None:
    tried = slow_by(1)
    body = "time.sleep(60) if len(os.sched_getaffinity(0)) > 1 else spin(60)"
    found = case_of(tmp_path, body, spec=WAITING)
    assert str(found.verdict) == "time-limit"
    assert len(tried) == 1


def test_what_waited_stays_what_it_was_where_no_trial_is_left(tmp_path: Path, slow_by: BesetBy) -> None:
    tried = slow_by(1)
    spec = question(
        *(f"{{call: work({n}), returns: {n}, limits: {{time: 200ms, wall: 400ms}}}}" for n in (1, 2))
    )
    found = cases(mark(tmp_path, "budget: 1s\n" + spec, WORK.format(body=STALLED.replace("0.1", "n - 0.7"))))
    assert [str(case.verdict) for case in found.values()] == ["accepted", "wall-limit"]
    assert len(tried) == 1


IMPORTING = question("{call: work(1), returns: 1}", "{call: work(2), returns: 2}")


@pytest.mark.parametrize(
    ("slowness", "body", "trials", "verdict"),
    [
        (1, "spin(0.1)", 0, "accepted"),
        (2, "spin(0.7)", 1, "accepted"),
        (2, "spin(1.6)", 0, "load-error"),
        (2, "spin(60)", 0, "load-error"),
        (1, "spin(60 if len(os.sched_getaffinity(0)) > 1 else 0.1)", 0, "load-error"),
        (1, "spin(0.51 if len(os.sched_getaffinity(0)) > 1 else 0.1)", 1, "accepted"),
        (1, "spin(0.51 if len(os.sched_getaffinity(0)) > 1 else 60)", 1, "load-error"),
        (1, "time.sleep(60)", 1, "load-error"),
    ],
)
def test_an_import_is_tried_again_like_a_case(
    tmp_path: Path,
    slow_by: BesetBy,
    monkeypatch: pytest.MonkeyPatch,
    slowness: float,
    body: str,
    trials: int,
    verdict: str,
) -> None:
    limit_imports(monkeypatch, 0.5, 1)
    tried = slow_by(slowness)
    found = cases(mark(tmp_path, IMPORTING, f"{WORK.format(body='pass')}\n{body}\n"))
    assert {str(case.verdict) for case in found.values()} == {verdict}, found
    assert len(tried) == trials
    if verdict == "load-error":
        assert "it was still being imported after " in found["1.1"].message


def test_an_import_gains_nothing_from_being_tried_again(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that waits, does nothing where it is tried, and works once it is let in."""
    stall_the_first_import(monkeypatch)
    tried = slow_by(1)
    body = f"{WORK.format(body='pass')}\nif len(os.sched_getaffinity(0)) > 1:\n    spin(0.8)\n"
    found = cases(mark(tmp_path, IMPORTING, body))
    assert len(tried) == 1
    assert {str(case.verdict) for case in found.values()} == {"load-error"}
    assert "still being imported after 0.5 s of CPU time" in found["1.1"].message


def test_an_import_is_told_by_what_counts(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_imports(monkeypatch, 0.5, 1)
    slow_by(2)
    alone = "len(os.sched_getaffinity(0)) == 1"
    for body, words in (
        (f"spin(60) if {alone} else time.sleep(60)", "still being imported after 0.5 s of CPU time"),
        (f"spin(60) if {alone} else spin(0.7)\nraise ValueError", "after 0.5 s of CPU time"),
        ("spin(0.7)\nraise ValueError('mine')", "ValueError: mine"),
    ):
        folder = tmp_path / str(len(words))
        folder.mkdir()
        found = cases(mark(folder, IMPORTING, f"{WORK.format(body='pass')}\n{body}\n"))["1.1"]
        assert str(found.verdict) == "load-error"
        assert words in found.message


def test_a_trial_of_an_import_that_cannot_be_made_leaves_no_box(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_imports(monkeypatch, 0.2, 60)
    slow_by(2)
    held: list[int] = []
    closed = Zygote.box_closed

    def box_closed(zygote: Zygote, memory_b: int) -> None:
        closed(zygote, memory_b)
        held.append(memory_b)

    def on_core(zygote: Zygote, core: int) -> Zygote:
        raise SandboxFailure("no zygote")

    monkeypatch.setattr(Zygote, "box_closed", box_closed)
    monkeypatch.setattr(Zygote, "on_core", on_core)
    result = mark(tmp_path, IMPORTING, f"{WORK.format(body='pass')}\nspin(0.3)\n")
    assert result.status is Status.PENDING
    assert len(held) >= 2, "one for each of two attempts"


def test_an_import_that_a_stalled_machine_kept_waiting_is_tried_again(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch
) -> None:
    stall_the_first_import(monkeypatch)
    tried = slow_by(1)
    found = cases(mark(tmp_path, IMPORTING, WORK.format(body="pass")))
    assert {str(case.verdict) for case in found.values()} == {"accepted"}
    assert len(tried) == 1


def stall_the_first_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the first import of a submission wait, as it does on a machine that stands still."""
    limit_imports(monkeypatch, 0.5, 1)
    stalled: list[Program] = []

    class Stalled(Boxes):
        def _load(self, program: Program, limits: Limits) -> tuple[Box, Outcome, Report]:
            if stalled:
                return super()._load(program, limits)
            stalled.append(program)
            waits = {name: f"import time\ntime.sleep(60)\n{text}" for name, text in program.sources.items()}
            return super()._load(replace(program, sources=waits), limits)

    monkeypatch.setattr(attempt, "Boxes", Stalled)


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


@pytest.mark.parametrize(
    ("body", "at_import"),
    [
        ("n == 1 and spin(0.3)", ""),
        ("n == 1 and time.sleep(60 if len(os.sched_getaffinity(0)) > 1 else 0)", ""),
        ("pass", "spin(0.25)"),
    ],
    ids=["a call that is slow", "a call that waits", "an import that is slow"],
)
def test_in_a_batch_it_waits_for_the_others(
    tmp_path: Path, slow_by: BesetBy, monkeypatch: pytest.MonkeyPatch, body: str, at_import: str
) -> None:
    slow_by(2)
    limit_imports(monkeypatch, 0.2, 60)
    spec = SPEC.replace("60s", "1s") if "sleep" in body else SPEC
    (tmp_path / "sample.yaml").write_text(
        "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\n" + spec
    )
    for number in range(6):
        folder = tmp_path / "batch" / f"student-0{number}"
        folder.mkdir(parents=True)
        source = f"{WORK.format(body=body)}\n{at_import}\n" if number < 2 else WORK.format(body="pass")
        (folder / "work.py").write_text(source)
    task = load_task(tmp_path / "sample.yaml")
    candidates = discover([tmp_path / "batch"], dict(task.modules))
    order = prepare_order(task, Driver.NAMESPACES, "")

    def forks(order: Order, processes: int) -> Executor:
        """What was changed for the test is changed in forks alone."""
        context = multiprocessing.get_context("fork")
        return ProcessPoolExecutor(processes, context, prepare, (order,))

    steps = mark_all(order, candidates, 2, forks)
    done = [step.result for step in steps if isinstance(step, Marked)]
    assert {result.id for result in done[-2:]} == {"student-00", "student-01"}
    found = [case for result in done for case in cases(result).values()]
    assert [(str(case.verdict), case.message) for case in found] == [("accepted", "")] * 6

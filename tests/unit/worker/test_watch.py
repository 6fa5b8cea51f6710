"""When a case's limits are met, by clocks that stand still unless a test moves them."""

from typing import NamedTuple

import pytest

from grader.worker.keeper.watch import MACHINE_LIMITS, MACHINE_S, WAITS_AFTER_S, Ended, Watch


class Limits(NamedTuple):
    time_s: float = 2.0
    wall_s: float = 7.0
    output_b: int = 100


DEFAULT = Limits()


class Machine:
    """A case on a machine of which a test says what it gives to the case.

    sees: whether the run queue can be seen.
    """

    def __init__(self, limits: Limits = DEFAULT, *, sees: bool = True) -> None:
        self.now_s = 100.0
        self.cpu_s = self._queued_s = 0.0
        self.can_run = False
        self.looks = self.told = self.naps = 0
        self._sees = sees
        self.watch = Watch(
            limits,
            lambda: self.cpu_s,
            cpu_before_s=0.0,
            queued=self._look,
            on_wait=self._tell,
            clock=lambda: self.now_s,
        )

    def _look(self) -> tuple[float, bool] | None:
        self.looks += 1
        queued_s, self._queued_s = self._queued_s, 0.0
        return (queued_s, self.can_run) if self._sees else None

    def _tell(self) -> None:
        self.told += 1

    def passes(self, *, cpu: float = 0.0, queued: float = 0.0, waited: float = 0.0) -> None:
        """Let time pass: computing, in the run queue, and waiting."""
        self.now_s += cpu + queued + waited
        self.cpu_s += cpu
        self._queued_s += queued

    def follow(self, *, share: float = 0.0, queue_share: float = 0.0, seconds: float = 1000.0) -> str:
        """Have the keeper follow the case, which computes and queues for these shares of its time."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            try:
                nap_s = self.watch.nap_s()
            except Ended as end:
                return f"{end.ending} {end.detail}".rstrip()
            assert nap_s > 0
            self.naps += 1
            rest = 1 - share - queue_share
            self.passes(cpu=share * nap_s, queued=queue_share * nap_s, waited=rest * nap_s)
        return "goes on"


def test_code_that_waits_meets_the_wall_limit() -> None:
    machine = Machine()
    assert machine.follow() == "wall"
    assert 7.0 <= machine.now_s - 100 < 7.2
    assert machine.watch.waited_s() == pytest.approx(machine.now_s - 100)


def test_code_that_only_computes_never_meets_it() -> None:
    """However little of the machine it gets: a fortieth of a core, or a thousandth."""
    for share in (0.5, 0.2, 0.1, 0.025, 0.02):
        machine = Machine()
        assert machine.follow(share=share, queue_share=1 - share) == "time"
        assert machine.watch.waited_s() == pytest.approx(0, abs=1e-6)
        assert machine.told == 0


def test_code_that_gets_no_core_at_all_is_the_machines_fault() -> None:
    for machine in (Machine(), Machine(sees=True)):
        machine.can_run = True
        assert machine.follow(queue_share=1.0) == "internal the machine gave it no core"
        assert machine.now_s - 100 >= MACHINE_LIMITS * 7 + MACHINE_S


def test_a_stay_in_the_run_queue_that_is_not_over_is_no_waiting() -> None:
    """The kernel adds it when it ends; until then a thread that can run says so."""
    machine = Machine()
    machine.can_run = True
    for _ in range(20):
        machine.now_s += 1
        assert machine.watch.nap_s() > 0
    machine._queued_s, machine.can_run = 20.0, False
    assert machine.watch.nap_s() > 0
    assert machine.watch.waited_s() == pytest.approx(0, abs=1e-6)
    assert machine.follow() == "wall"


def test_code_that_both_computes_and_waits() -> None:
    machine = Machine(Limits(time_s=100))
    assert machine.follow(share=0.25, queue_share=0.5) == "wall"
    assert 28 <= machine.now_s - 100 < 29


def test_threads_in_the_run_queue_together_are_worth_no_more_than_the_time() -> None:
    machine = Machine()
    for _ in range(10):
        # Sixty threads stand there for a tenth of a second each, and then all sleep.
        machine.passes(waited=0.5)
        machine._queued_s += 60 * 0.1
        machine.watch.nap_s()
    assert machine.follow() == "wall"
    assert machine.now_s - 100 < 13


def test_that_it_waits_is_told_once() -> None:
    machine = Machine()
    assert machine.follow(seconds=WAITS_AFTER_S) == "goes on"
    assert machine.told == 0
    assert machine.follow() == "wall"
    assert machine.told == 1


def test_a_cheap_case_costs_no_look() -> None:
    machine = Machine()
    machine.watch.nap_s()
    machine.passes(cpu=0.2, waited=0.05)
    machine.watch.nap_s()
    machine.watch.waited_s()
    assert machine.looks == 0


def test_a_case_that_sleeps_is_looked_at_seldom() -> None:
    for limits in (DEFAULT, Limits(time_s=0.1), Limits(wall_s=0.6)):
        machine = Machine(limits)
        assert machine.follow() == "wall"
        assert machine.looks <= 3
        assert machine.naps <= 20 + 11 * (machine.now_s - 100)


def test_a_case_that_sleeps_near_its_cpu_limit_is_looked_at_seldom() -> None:
    machine = Machine()
    machine.passes(cpu=1.9999)
    assert machine.follow(seconds=5.0) == "goes on"
    assert machine.naps < 70


def test_a_case_that_computes_is_stopped_soon_after_its_limit() -> None:
    machine = Machine()
    assert machine.follow(share=1.0) == "time"
    assert 2.0 < machine.cpu_s < 2.01


def test_where_the_run_queue_cannot_be_seen_the_share_of_the_cpu_decides() -> None:
    asleep, kept, slow = (Machine(sees=False) for _ in range(3))
    assert asleep.follow() == "wall"
    assert asleep.now_s - 100 < 7.5
    assert kept.follow(share=0.5) == "time"
    slow.watch.time_s = 1000.0
    assert slow.follow(share=0.3) == "wall"
    assert 35 <= slow.now_s - 100 < 36


def test_the_cpu_limit_holds_however_long_the_wall_limit_is() -> None:
    machine = Machine(Limits(time_s=0.001, wall_s=60))
    machine.passes(cpu=0.4)
    assert machine.follow() == "time"


def test_time_before_the_case_is_not_the_cases() -> None:
    watch = Watch(Limits(time_s=1.0), lambda: 5.5, cpu_before_s=5.25)
    assert watch.cpu_s() == 0.25


def test_waiting_for_the_grader_is_not_counted() -> None:
    machine = Machine()
    machine.watch.pause()
    machine.passes(waited=20)
    machine.watch.resume()
    assert machine.watch.wall_s() == 0
    assert machine.watch.nap_s() > 0
    machine.watch.pause()
    machine.passes(waited=80)
    with pytest.raises(Ended):
        machine.watch.resume()

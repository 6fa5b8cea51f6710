"""When a case's limits are met."""

import time
from typing import NamedTuple

import pytest

from grader.worker.watch import Ended, Watch


class Limits(NamedTuple):
    time_s: float = 10.0
    wall_s: float = 0.02
    output_b: int = 100


def test_code_that_waits_meets_the_wall_limit() -> None:
    watch = Watch(Limits(), lambda: 0.0, cpu_before_s=0.0)
    assert 0 < watch.nap_s() <= 0.02
    time.sleep(0.03)
    with pytest.raises(Ended) as end:
        watch.nap_s()
    assert end.value.ending == "wall"


def test_code_that_is_kept_from_running_is_not_taken_for_waiting() -> None:
    began = time.monotonic()
    watch = Watch(Limits(wall_s=0.05), lambda: 0.5 * (time.monotonic() - began), cpu_before_s=0.0)
    time.sleep(0.08)
    assert watch.nap_s() > 0
    time.sleep(0.3)
    with pytest.raises(Ended) as end:
        watch.nap_s()
    assert end.value.ending == "wall"


def test_the_cpu_limit_holds_however_long_the_wall_limit_is() -> None:
    watch = Watch(Limits(time_s=0.001, wall_s=60), lambda: 0.5, cpu_before_s=0.1)
    time.sleep(0.002)
    with pytest.raises(Ended) as end:
        watch.nap_s()
    assert end.value.ending == "time"


def test_time_before_the_case_is_not_the_cases() -> None:
    watch = Watch(Limits(time_s=1.0), lambda: 5.5, cpu_before_s=5.25)
    assert watch.cpu_s() == 0.25


def test_waiting_for_the_grader_is_not_counted() -> None:
    watch = Watch(Limits(wall_s=60), lambda: 0.0, cpu_before_s=0.0)
    watch.pause()
    time.sleep(0.05)
    watch.resume()
    assert watch.wall_s() < 0.04

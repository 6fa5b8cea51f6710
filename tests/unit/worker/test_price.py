"""What work costs of a submission's budget."""

import pytest

from grader.worker.watch import price_s


@pytest.mark.parametrize(
    ("cpu_s", "wall_s", "price"),
    [
        (0.0, 0.0, 0.0),
        (0.5, 0.5, 0.5),
        (2.0, 2.5, 2.0),
        (0.01, 0.9, 0.01),  # a busy machine makes everybody wait for a moment
        (0.0, 9.0, 3.0),
        (0.1, 30.0, 10.0),
        (3.0, 10.0, 3.0),  # it had much of the processor, and was kept from more by others
        (1.9, 10.0, 10 / 3),
    ],
)
def test_time_costs_what_it_used_and_waiting_a_third(cpu_s: float, wall_s: float, price: float) -> None:
    assert price_s(cpu_s, wall_s) == pytest.approx(price)

"""A machine that is as slow as a test says, so that its times are the same everywhere."""

import pytest

from grader.engine import workplace
from grader.engine.gauge import Gauge


class SteadyGauge(Gauge):
    """Tells the same slowness at all times.  meanwhile: while something runs; 0 for the same."""

    told = 1.0
    meanwhile = 0.0

    def slowness(self) -> float:
        return self.told

    def usual_slowness(self) -> float:
        return self.told

    def slowness_of(self, taken_s: float) -> float:
        return self.meanwhile or self.told


def make_slow_by(slowness: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what this process marks during a test be marked on a machine as slow as that."""
    monkeypatch.setattr(workplace, "Gauge", SteadyGauge)
    monkeypatch.setattr(SteadyGauge, "told", slowness)

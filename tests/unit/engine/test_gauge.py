"""How slow the machine is said to be, and what is remembered of its best."""

import json
import time
from pathlib import Path

import pytest

from grader.engine import gauge
from grader.engine.gauge import MOST, Gauge, Speedometer, look_s, search
from grader.store.best_speed import note_best_s, noted_best_s


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[float]:
    """Return a list of what the next looks will tell; nothing was noted before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told: list[float] = []
    monkeypatch.setattr(gauge, "look_s", lambda: told.pop(0))
    monkeypatch.setattr(gauge, "_FIRST_LOOKS", 2)
    monkeypatch.setattr(gauge, "_found_s", 0.0)
    monkeypatch.setattr(gauge, "_AGE_S", 0.0)
    return told


def test_slowness_is_what_a_look_takes_beside_the_best(looks: list[float]) -> None:
    looks += [0.002, 0.001, 0.003]
    assert Gauge().slowness() == pytest.approx(1.5)


def test_the_slowest_of_the_last_looks_counts(looks: list[float]) -> None:
    looks += [0.002, 0.002, 0.003, *[0.002] * 8]
    found = Gauge()
    assert [found.slowness() for _ in range(9)] == pytest.approx([1.5] * 8 + [1.0])


def test_what_ran_is_told_by_the_mean_speed_of_the_last_looks(looks: list[float]) -> None:
    looks += [0.002, 0.002, 0.002, 0.004, 0.002, 0.004]
    found = Gauge()
    told = [found.usual_slowness() for _ in range(4)]
    assert told == pytest.approx([1, 1 / 0.75, 1 / (2.5 / 3), 1 / 0.75])


def test_what_is_quicker_than_ever_is_the_new_best_the_second_time(looks: list[float]) -> None:
    looks += [0.002, 0.002, 0.001, 0.002, 0.001, 0.002]
    found = Gauge()
    assert [found.slowness() for _ in range(4)] == [1, 1, 2, 2]


def test_a_look_around_does_not_depend_on_one_look(looks: list[float]) -> None:
    looks += [0.002, 0.002, 0.002, 0.004, *[0.002] * 7]
    found = Gauge()
    found.look_around()
    assert found.slowness() == 2


def test_looks_grow_old(looks: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    looks += [0.002, 0.002, 0.003, 0.002]
    found = Gauge()
    now = time.monotonic()
    assert found.slowness() == 1.5
    monkeypatch.setattr(time, "monotonic", lambda: now + 60)
    assert found.slowness() == 1


def test_nothing_is_slower_than_is_believed(looks: list[float]) -> None:
    looks += [0.002, 0.002, 0.1]
    assert Gauge().slowness() == MOST


def test_the_best_is_known_to_the_next_run(looks: list[float]) -> None:
    looks += [0.003, 0.002]
    found = Gauge()
    assert noted_best_s() == 0.003
    looks += [0.001, 0.001, 0.002]
    found.look_again()
    found.look_again()
    assert noted_best_s() == 0.001
    assert Gauge().slowness() == 2


def test_where_there_is_time_the_best_is_searched_for_once(
    looks: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gauge, "_SEARCH_S", 0.1)
    looks += [0.004, 0.001, 0.003, 0.002] + [0.003] * 1000
    search()
    assert noted_best_s() == 0.002
    left = len(looks)
    search()
    assert len(looks) == left
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert Gauge().slowness() == 1.5, "also where nothing can be noted"


def test_a_gauge_learns_from_other_processes(looks: list[float]) -> None:
    looks += [0.004, 0.004, 0.004, 0.004]
    found = Gauge()
    assert found.slowness() == 1
    note_best_s(0.002)
    assert found.slowness() == 1
    found.learn()
    looks.append(0.004)
    assert found.slowness() == 2


def test_a_better_note_of_another_process_stays(looks: list[float]) -> None:
    note_best_s(0.001)
    note_best_s(0.002)
    assert noted_best_s() == 0.001


@pytest.mark.parametrize(
    "noted",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"KEY": "0.1"}',
        '{"KEY": -1.0}',
        '{"KEY": NaN}',
        '{"KEY": 1e300}',
        "\xff",
    ],
)
def test_a_note_that_is_none_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, noted: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    note_best_s(0.125)
    assert noted_best_s() == 0.125
    (file,) = tmp_path.rglob("*.json")
    (key,) = json.loads(file.read_text())
    file.write_text(noted.replace("KEY", key), encoding="latin-1")
    assert noted_best_s() == 0
    note_best_s(0.25)
    assert noted_best_s() == 0.25


def test_without_a_place_for_notes_there_are_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    note_best_s(0.25)
    assert noted_best_s() == 0


def test_a_speedometer_tells_the_mean_of_its_looks(looks: list[float]) -> None:
    looks += [0.001, 0.001]
    found = Gauge()
    looks += [0.001, 0.002] * 10_000
    with Speedometer(found, -1) as meter:
        time.sleep(0.3)
    seen = 20_000 - len(looks)
    assert seen >= 2
    assert meter.speed() == pytest.approx(0.75, abs=0.25 / seen + 1e-9)


def test_a_look_is_a_real_piece_of_work() -> None:
    assert 0 < look_s() < 1

"""How much memory is left for us, by machine and control groups, and for how many submissions it is."""

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import pytest

from grader.engine import batch, host_limits
from grader.engine.batch import Step
from grader.engine.run_config import RunConfig
from grader.intake import Candidate
from grader.intake.candidate import SourceKind
from grader.model.errors import UsageError
from grader.model.limits import MIB
from grader.runtime.memory import at_a_time, available_b
from grader.sandbox.driver import Driver
from grader.spec import load_task

INFO = "MemTotal: 16000000 kB\nMemFree: 100 kB\nMemAvailable: 4096000 kB\n"
V2 = "30 24 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "30 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
CPU = "31 24 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"


def host(root: Path, mounts: str, groups: str, files: dict[str, str]) -> Path:
    files = {"proc/meminfo": INFO, "proc/self/mountinfo": mounts, "proc/self/cgroup": groups, **files}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def v2(folder: str, most: str, used: int, kept: int = 0, high: str = "max") -> dict[str, str]:
    folder = f"sys/fs/cgroup/{folder}".rstrip("/")
    return {
        f"{folder}/memory.max": f"{most}\n",
        f"{folder}/memory.high": f"{high}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": f"anon 5\ninactive_file {kept}\n",
    }


def test_without_control_groups_it_is_what_the_machine_has(tmp_path: Path) -> None:
    assert available_b(host(tmp_path, "", "", {})) == 4096000 * 1024
    assert available_b(tmp_path / "nowhere") is None


def test_the_tightest_group_counts_and_caches_of_files_do_not(tmp_path: Path) -> None:
    files = v2("a/b", "max", 10) | v2("a", str(900 * MIB), 300 * MIB, 100 * MIB) | v2("", "max", 0)
    assert available_b(host(tmp_path, V2, "0::/a/b\n", files)) == 700 * MIB


def test_a_group_that_is_slowed_down_is_full(tmp_path: Path) -> None:
    files = v2("a", str(900 * MIB), 100 * MIB, high=str(500 * MIB))
    assert available_b(host(tmp_path, V2, "0::/a\n", files)) == 400 * MIB


def test_the_first_version_has_other_names(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/memory/docker/x"
    files = {
        f"{folder}/memory.limit_in_bytes": f"{600 * MIB}\n",
        f"{folder}/memory.usage_in_bytes": f"{200 * MIB}\n",
        f"{folder}/memory.stat": f"inactive_file 1\ntotal_inactive_file {50 * MIB}\n",
    }
    groups = "9:cpu:/elsewhere\n8:memory:/docker/x\n0::/\n"
    assert available_b(host(tmp_path, CPU + V1, groups, files)) == 450 * MIB


def test_in_a_container_the_path_may_be_the_host_s(tmp_path: Path) -> None:
    files = v2("", str(512 * MIB), 12 * MIB)
    assert available_b(host(tmp_path, V2, "0::/../../docker/abc\n", files)) == 500 * MIB
    assert available_b(host(tmp_path, V2, "0::/docker/abc\n", files)) == 500 * MIB


def test_a_group_above_its_limit_has_nothing(tmp_path: Path) -> None:
    assert available_b(host(tmp_path, V2, "0::/\n", v2("", str(MIB), 5 * MIB))) == 0


def test_at_least_one_is_always_admitted() -> None:
    assert [at_a_time(100, left) for left in (0, 99, 100, 350)] == [1, 1, 1, 3]
    assert at_a_time(100, None) > 1_000_000


def test_fewer_are_at_work_than_asked_for_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_task(Path(__file__).parents[2] / "data" / "mini" / "words.yaml")
    config = RunConfig(task, Driver.NAMESPACES, "", {})
    each_b = host_limits.alive_b(task)
    assert each_b > 2 * max(case.limits.memory_b for case in task.cases)
    asked: list[int] = []

    def note_most(*_: object, most: int, **__: object) -> Iterator[Step]:
        asked.append(most)
        yield from ()

    monkeypatch.setattr(batch, "mark_all", note_most)
    said: list[str] = []
    for left_b in (9 * each_b, 2 * each_b + 1, 0):
        monkeypatch.setattr(host_limits, "available_b", partial(int, left_b))
        candidates = [Candidate(str(number), "", SourceKind.FOLDER, Path()) for number in range(6)]
        list(batch.ThisMachine(4, said.append).mark_all(config, candidates))
    assert asked == [9, 2, 1]
    assert [text.partition(",")[0] for text in said] == ["2 at a time and not 4", "1 at a time and not 4"]
    assert "by the spec's limits" in said[0]


@pytest.mark.parametrize(("most", "wanted"), [(9, (4, 5)), (4, (4, 0)), (3, (3, 0)), (100, (4, 16))])
def test_those_that_wait_count_too(most: int, wanted: tuple[int, int]) -> None:
    task = load_task(Path(__file__).parents[2] / "data" / "mini" / "words.yaml")
    asked: list[tuple[int, int]] = []

    def no_pool(_: RunConfig, processes: int, spare: int) -> Executor:
        asked.append((processes, spare))
        raise OSError("none")

    config = RunConfig(task, Driver.NAMESPACES, "", {})
    candidates = [Candidate(str(number), "", SourceKind.FOLDER, Path()) for number in range(40)]
    with pytest.raises(UsageError):
        list(batch.mark_all(config, candidates, 4, no_pool, most=most))
    assert asked == [wanted]

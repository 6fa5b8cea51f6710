"""What all tests share: a mark by folder, and submissions laid out from a dictionary."""

import gc
import os
import signal
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.command_line import begins_with
from support.trees import MakeTree
from support.unprivileged import someone_without_rights

PURPOSES = ("unit", "property", "golden", "hostile", "integration", "browser", "cluster")
HERE = Path(__file__).parent
ACCEPTANCE = (
    "browser",
    "cluster",
    "hostile/holes/test_between_boxes.py",
    "hostile/holes/test_endings.py",
    "hostile/holes/test_second_tries.py",
    "hostile/holes/test_time.py",
    "hostile/test_attack_catalogue.py",
    "hostile/test_believed.py",
    "integration/test_authoring_page.py",
    "integration/test_bundle.py",
    "integration/test_check_and_mark.py",
    "integration/test_closed_streams.py",
    "integration/test_course_freshness.py",
    "integration/test_course_people.py",
    "integration/test_course_places.py",
    "integration/test_course_slips.py",
    "integration/test_handout_with_grader.py",
    "integration/test_mark_from.py",
    "integration/test_new.py",
    "integration/test_people.py",
    "integration/test_policy.py",
    "integration/test_poorer_hosts.py",
    "integration/test_pytest_plugin.py",
    "integration/test_record.py",
    "integration/test_release.py",
    "integration/test_review_attacks.py",
    "integration/test_samples.py",
    "integration/test_search.py",
    "integration/test_validate_after_make_mark.py",
    "integration/test_validate_busy.py",
    "integration/test_validate_checks.py",
    "integration/test_validate_specs.py",
    "integration/test_watch.py",
    "integration/test_wheel.py",
    "unit/reference/test_frontier.py",
)
"""Folders and files of long tests, which `make acceptance` runs and `make test` leaves out."""
ROWS = {"hostile": 1, "integration": 2}
"""Folders whose tests run in a real sandbox or command for each row: `make test` has so many rows."""
PORTABLE = (
    "golden/spec_errors",
    "integration/test_check_here.py",
    "property",
    "unit/authoring",
    "unit/cli",
    "unit/course",
    "unit/exports",
    "unit/intake",
    "unit/judge",
    "unit/kinds",
    "unit/languages",
    "unit/marking",
    "unit/records",
    "unit/reports",
    "unit/rules",
    "unit/spec",
    "unit/store",
    "unit/values",
    "unit/wire",
)
"""Folders and files of tests that macOS and Windows run too."""
OF_LINUX = (
    "property/test_cluster_results.py",
    "property/test_common_containers.py",
    "property/test_evidence_cache.py",
    "unit/cli/test_interrupts.py",
    "unit/cli/test_outlook.py",
    "unit/cli/test_progress.py",
    "unit/cli/test_validate.py",
    "unit/kinds/test_defaults.py",
    "unit/reports/test_near_limit.py",
    "unit/reports/test_student_processes.py",
    "unit/spec/test_gradescope_decorators.py",
    "unit/spec/test_uncounted_tests.py",
)
"""Files in those folders that need what only Linux has, such as marking: a test says which must be here."""
# No deadlines: the machine may be busy with other work.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("suite"), max_examples=8)
settings.load_profile("suite")

# A suite in the background ignores Ctrl-C, and each grader that it starts would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same for the end of a terminal (`nohup`).  The suite itself goes on, so it catches the signal; programs
# that it starts begin with the default.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)


# Nothing that is collected becomes garbage, and to look for it in ten thousand tests takes seconds.
gc.disable()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out, on other systems than Linux, what cannot even be imported there."""
    if sys.platform == "linux" or not collection_path.is_relative_to(HERE):
        return None
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if not is_test and not collection_path.is_dir():
        return None
    inside = collection_path.relative_to(HERE).as_posix()
    is_above = inside == "." or any(name.startswith(f"{inside}/") for name in PORTABLE)
    return None if is_above or is_portable(collection_path) else True


def is_portable(path: Path) -> bool:
    """Tell whether macOS and Windows run the tests of a file."""
    names = _names(path)
    return bool(names & set(PORTABLE)) and not names & set(OF_LINUX)


def pytest_collection_finish() -> None:
    """Leave all that was imported and collected out of later looks for garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test with its folder's name; put the long ones first."""
    rows: Counter[object] = Counter()
    for item in items:
        for name in _marks(item.path):
            item.add_marker(name)
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            rows[item.path, item.originalname] += 1
            most = [ROWS[folder] for folder in _names(item.path) & ROWS.keys()]
            if most and rows[item.path, item.originalname] > min(most):
                item.add_marker("acceptance")
    items[:] = _dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


@cache
def _marks(path: Path) -> tuple[str, ...]:
    """Return the names of the marks that all tests of a file have."""
    if not path.is_relative_to(HERE):
        return ()
    names = _names(path)
    marks = [*({path.relative_to(HERE).parts[0]} & set(PURPOSES))]
    marks += ["acceptance"] if names & set(ACCEPTANCE) else []
    return (*marks, "portable") if is_portable(path) else (*marks,)


def _names(path: Path) -> set[str]:
    """Return the names of a file and of the folders that it is in, from here on."""
    inside = path.relative_to(HERE)
    return {inside.as_posix(), *(folder.as_posix() for folder in inside.parents)}


def _dealt(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in blocks, one for each process of the suite, with the long ones first in each.

    Each process begins with one block; when it is done, it takes tests from the end of another's.  So the
    long tests are dealt out here, and none of them begins last.  Those that look at the same run of a module
    stay together: each process makes what they share once.
    """
    long = sorted((item for item in items if _allowed_s(item)), key=_allowed_s, reverse=True)
    short = [item for item in items if not _allowed_s(item)]
    groups: dict[object, list[pytest.Item]] = {}
    for item in long:
        groups.setdefault(_shared(item), []).append(item)
    dealt: list[pytest.Item] = []
    for number in range(processes):
        mine = [item for group in list(groups.values())[number::processes] for item in group]
        rest = len(short) if number == processes - 1 else max(0, len(items) // processes - len(mine))
        dealt += mine + short[:rest]
        del short[:rest]
    return dealt


def _shared(item: pytest.Item) -> object:
    """Return what is equal for tests that share a fixture of their module, and of no other test."""
    assert isinstance(item, pytest.Function)
    indices = item.callspec.indices if hasattr(item, "callspec") else {}
    own = [
        (name, indices.get(name))
        for name, definitions in item._fixtureinfo.name2fixturedefs.items()
        if definitions[-1].scope == "module"
    ]
    return (item.path, *own) if own else item.nodeid


def _allowed_s(item: pytest.Item) -> float:
    """Return the time limit that a test sets itself, or 0."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker is not None else 0.0


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the suite out of the cache folder of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def make_folder(tmp_path: Path) -> MakeTree:
    """Write files below a new folder: its name, and contents by path; a path that ends in / is a folder."""

    def make(name: str, files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / name
        root.mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            place = root / path
            if path.endswith("/"):
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


@pytest.fixture
def make_zip(tmp_path: Path) -> MakeTree:
    """Write a new zip: its name, and contents by member name."""

    def make(name: str, files: Mapping[str, str | bytes]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in files.items():
                archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
        return path

    return make


@pytest.fixture(scope="session")
def nobody() -> Iterator[tuple[str, Path] | None]:
    """A Python for user 65534, and their home; None where there is none.  See `support.unprivileged`."""
    with someone_without_rights() as found:
        yield found


@pytest.fixture
def other_python(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with which a Python says of itself that it is another version."""
    folder = tmp_path / "other-python"
    begins_with("import sys\nsys.version = ' '.join(['3.99.0', *sys.version.split(' ')[1:]])\n", folder)
    return folder

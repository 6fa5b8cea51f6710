"""Runs one test function, or all of a file, and tells what became of each test.

The function `run` is called in a process of its own for each case.  That process is a fork of one in which
pytest is ready to collect, which is most of what a session of pytest costs.
"""

import io
import os
import signal
import sys
import unittest
import unittest.case
from collections.abc import Callable, Generator
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import _pytest.assertion.util
import pytest
from _pytest._io.saferepr import saferepr
from _pytest.config import _prepareconfig

from grader.plugins.tests.cell.book import Book
from grader.plugins.tests.cell.classes import ProxyClass
from grader.plugins.tests.cell.clock import Clock
from grader.plugins.tests.cell.guards.elsewhere import Elsewhere
from grader.plugins.tests.cell.guards.replaced import Replaced
from grader.plugins.tests.cell.guards.texts import Guard
from grader.plugins.tests.cell.instances import told_by_the_program
from grader.plugins.tests.cell.link import ProgramConnection
from grader.plugins.tests.cell.modules import Finder
from grader.plugins.tests.cell.proxies import Proxy
from grader.plugins.tests.cell.standins import StandIns
from grader.plugins.tests.cell.telling import Stopped, told, writable

try:
    _TIMEOUT: Any = import_module("pytest_timeout")
except ImportError:
    # The keeper's limits are then the only ones.
    _TIMEOUT = None

LEFT_OUT = "left out: "
"""The start of what is told of a student's test that asks for what cannot cross."""
_VALUE = 2000
_LONGEST_S = 86_400
"""The clock ends each test long before."""
_OPTIONS = (
    "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:junitxml", "-p", "no:pastebin",
    "-p", "no:legacypath", "-p", "no:stepwise", "-p", "no:setuponly",
    "-p", "no:setupplan", "-p", "no:threadexception", "-p", "no:unraisableexception",
    "--capture=sys", "-c", "/dev/null", "--rootdir=/", "--noconftest", "-q",
)  # fmt: skip


class _File(pytest.Module):
    """A test file from memory."""

    def _getobj(self) -> ModuleType:
        module: ModuleType = self.config.stash[_MODULE]
        return module


_PASSED = {"end": "passed"}
_NOT_RUN = {"end": "broken", "message": "pytest did not run it"}
_MODULE = pytest.StashKey[ModuleType]()


class _Finder(Finder):
    """Gives test files names of ours.  names: these, with what they stand for."""

    def __init__(self, *args: Any) -> None:
        *others, self._names = args
        super().__init__(*others)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = super().create_module(spec)
        if spec.name in self._texts:
            module.__dict__.update(self._names)
        return module


class _Rows:
    """The tests of one case: a plugin that collects, follows and tells."""

    def __init__(self, order: dict[str, Any], link: ProgramConnection, clock: Clock) -> None:
        self._order = order
        self._link = link
        self._clock = clock
        self._texts: dict[str, str] = order["texts"]
        self._compared: tuple[str, str] | None = None
        self._found: dict[str, Any] | None = None
        self.results: list[dict[str, Any]] = []

    # -- collecting ------------------------------------------------------------------------------------

    def collect(self, session: Any) -> None:
        """Find the tests; if that fails, the results tell why."""
        session.items = []
        try:
            if "conftest" in self._texts:
                __import__("conftest")
                session.config.pluginmanager.register(sys.modules["conftest"], "conftest")
            name = self._order["main"]
            __import__(name)
            session.config.stash[_MODULE] = sys.modules[name]
            items = [*session.genitems(_File.from_parent(session, path=Path(f"/{name}.py")))]
        except BaseException as error:
            self.results.append({"name": "", **told(error, self._link, None, self._texts)})
            return
        node = self._order["node"]
        session.items = [item for item in items if not node or _path_of(item) == node]
        session.testscollected = len(session.items)
        unknown = sorted({".".join(_path_of(item)) for item in items} - set(self._order["known"]))
        if self._order["known"] and unknown:
            text = f"pytest finds the test {unknown[0]}, which the file does not show as a function"
            self.results.append({"name": "", "end": "broken", "message": text})
            session.items = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: object) -> Any:
        # A test is the instructor's: never an object that `import *` brought along.
        return [] if isinstance(obj, Proxy | ProxyClass) else None

    # -- running ---------------------------------------------------------------------------------------

    def run(self, session: Any) -> None:
        """Run each test: whatever one raises, and wherever, the others run too."""
        items = session.items
        for number, item in enumerate(items, 1):
            following = items[number] if number < len(items) else None
            if number > 1:
                self._link.begin(fresh=not self._order.get("keeps"))
            self._forget()
            self._link.book.places.begin(item.nodeid)
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            except BaseException as error:
                self._note(error)
            self._settle()
            self._clock.stop()
            _tear_down_rest(session, following)
            answered = self._link.answers > 0
            self.results.append({"name": item.name, "answers": answered, **self._conclusion()})

    def _settle(self) -> None:
        """Ask what is asked of the program after a test; a question that does not end accuses nobody."""
        if self._found != _PASSED:
            return
        with suppress(BaseException):
            self._link.settle()
        if self._link.unfit is not None:
            self._found = self._told(self._link.unfit)

    def _forget(self) -> None:
        self._found, self._compared = None, None

    def _conclusion(self) -> dict[str, Any]:
        return self._found or _NOT_RUN

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, settings: Any) -> bool:
        """Start our timer in place of pytest-timeout's own, which would count the program's time too."""
        self._clock.start(settings.timeout)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> bool:
        """Let the timer run: pytest-timeout says this at a failure too, before fixtures end."""
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        return (yield from self._held())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        return (yield from self._held())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None, Any, Any]:
        return (yield from self._held())

    def _held(self) -> Generator[None, Any, Any]:
        try:
            return (yield)
        except (KeyboardInterrupt, pytest.exit.Exception) as error:
            raise Stopped from error

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        try:
            report = yield
        except BaseException as error:
            # The report shows values, and a `__repr__` of the program's can raise anything.
            self._note(call.excinfo.value if call.excinfo is not None else error)
            raise
        if self._order.get("keeps") and report.skipped and hasattr(report, "wasxfail"):
            # A student says that this test fails; of an author's test, that says nothing about the program.
            self._found = {"end": "skipped", "message": "it is expected to fail"}
        elif call.excinfo is not None or report.outcome != "passed":
            self._note(call.excinfo.value if call.excinfo is not None else None)
        elif call.when == "call" and self._found is None:
            link = self._link
            caught = link.problem or link.unfit is not None
            self._found = self._told(link.unfit) if caught else _PASSED
        return report

    def _note(self, error: BaseException | None) -> None:
        """Note that the test did not pass, unless that is known."""
        if self._found is None or self._found["end"] == "passed":
            self._found = self._told(error)

    def _told(self, error: BaseException | None) -> dict[str, Any]:
        found = told(error, self._link, self._compared, self._texts)
        if not self._order.get("keeps"):
            return found
        # A student cannot know what crosses; with a plain import the test would do.
        if self._link.problem and found["end"] == "broken":
            return {"end": "skipped", "message": f"{LEFT_OUT}{found['message']}"}
        about_files = self._link.files.reason(error, is_programs=found["end"] == "raised")
        if about_files and found["end"] in ("failed", "raised", "stopped"):
            return {"end": "skipped", "message": f"{LEFT_OUT}{about_files}"}
        return found

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.note(op, left, right)

    def note(self, op: str, left: object, right: object) -> None:
        """Note what was compared, for the report."""
        self._compared = None
        if op == "==":
            with suppress(BaseException):
                self._compared = saferepr(right, _VALUE), saferepr(left, _VALUE)


def _tear_down_rest(session: Any, following: Any) -> None:
    """End the fixtures that a test left behind, where an exception ended its teardown."""
    state = session._setupstate
    for _ in range(len(state.stack) + 1):
        with suppress(BaseException):
            state.teardown_exact(following)
            return


class _Ready(NamedTuple):
    """A session of pytest that is ready to collect, and the streams that it captures."""

    config: Any
    session: Any
    streams: tuple[Any, Any, Any]


def run(order: dict[str, Any], ask: Callable[..., Any]) -> list[dict[str, Any]]:
    """Run tests.  ask: sends a message to the grader.

    order: "texts" (test files by module name), "main" (the file's module), "node" (class and function, or
    nothing for all of it), "program" (modules that stand for the program's), "known" (all tests that the
    texts show; empty for any), "keeps" (one process serves all tests), "names", "learned", "learns" (see
    `Book`), "limits" (seconds that the tests may compute and wait).
    """
    return _run(_READY, order, ask, is_guarded=order["names"] is not None)


def _run(
    ready: _Ready, order: dict[str, Any], ask: Callable[..., Any], *, is_guarded: bool
) -> list[dict[str, Any]]:
    """Run tests.  is_guarded: no text of the program's may become code."""
    config, session, streams = ready
    files = [f"{name}.py" for name in order["texts"]]
    time_s, wall_s = order["limits"]
    clock = Clock(time_s, wall_s, files)
    book = Book(order["names"], order.get("learned"), learns=order.get("learns", False))
    link = ProgramConnection(lambda message: heard(ask(message)), files, book, clock)
    guard = Guard(link, order["texts"])

    def heard(reply: Any) -> Any:
        guard.hear(reply)
        if isinstance(reply, list):
            # What the program printed stands at the end.
            reply[-2:] = [writable(each) for each in reply[-2:]]
        return reply

    rows = _Rows(order, link, clock)
    _quicken(rows)
    sys.stdin, sys.stdout, sys.stderr = streams
    names = guard.names() if is_guarded else {}
    _Finder(link, order["texts"], order["program"], config, names).install()
    if is_guarded:
        guard.install()
        Replaced(link, order["texts"]).install()
    sys.meta_path.append(StandIns())
    config.pluginmanager.register(rows, "grader-rows")
    if order["program"]:
        Elsewhere(link).install(config)
    with told_by_the_program():
        rows.collect(session)
        rows.run(session)
    with suppress(BaseException):
        config.hook.pytest_sessionfinish(session=session, exitstatus=0)
    if book.learns and rows.results:
        rows.results[0]["learned"] = book.learned()
    return rows.results


def _quicken(rows: _Rows) -> None:
    """Leave out explanations that can take long on a large value, and note what unittest compares."""
    _pytest.assertion.util.assertrepr_compare = lambda *_, **__: []  # type: ignore[assignment]
    unittest.case.difflib = _NoDiff()  # type: ignore[attr-defined]

    def assert_equal(self: unittest.TestCase, first: Any, second: Any, msg: Any = None) -> None:
        try:
            _assert_equal(self, first, second, msg)
        except AssertionError:
            rows.note("==", first, second)
            raise

    unittest.TestCase.assertEqual = assert_equal  # type: ignore[method-assign]


_assert_equal = unittest.TestCase.assertEqual


class _NoDiff:
    def ndiff(self, *_: object) -> list[str]:
        return []

    def unified_diff(self, *_: object, **__: object) -> list[str]:
        return []


def _path_of(item: Any) -> list[str]:
    """Return the names of a test's classes and its function."""
    names = [getattr(item, "originalname", None) or item.name]
    while (item := item.parent) is not None and not isinstance(item, pytest.Module):
        names.insert(0, item.name)
    return names


_TEST = """
import pytest

@pytest.mark.parametrize("n", [1])
def test_it(n):
    assert n == 2
"""
_WARM_S = 60.0


def _warm_up() -> None:
    """Do once what pytest does first in each process: it loads modules, and the interpreter adapts."""
    order: dict[str, Any] = {
        "texts": {"test_warm_up": _TEST},
        "main": "test_warm_up",
        "node": [],
        "program": [],
        "known": [],
        "names": None,
        "limits": [_WARM_S, _WARM_S],
    }
    kept = sys.stdin, sys.stdout, sys.stderr
    finders = sys.meta_path[:]
    handler = signal.getsignal(signal.SIGALRM) if hasattr(signal, "SIGALRM") else None
    _run(_prepare(), order, lambda _: ["over"], is_guarded=False)
    sys.stdin, sys.stdout, sys.stderr = kept
    sys.meta_path[:] = finders
    sys.modules.pop("test_warm_up", None)
    if handler is not None:
        signal.signal(signal.SIGALRM, handler)
    unittest.TestCase.assertEqual = _assert_equal  # type: ignore[method-assign]


def _prepare() -> _Ready:
    """Bring a session of pytest to where it would collect; the streams stay as they are."""
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdout = sys.stderr = io.StringIO()
    try:
        options, plugins = [*_OPTIONS], []
        if _TIMEOUT is not None and hasattr(signal, "setitimer"):
            options.append(f"--timeout={_LONGEST_S}")
            plugins.append(_TIMEOUT)
        config = _prepareconfig(options, plugins)
        session = pytest.Session.from_config(config)
        config._do_configure()
        config.addinivalue_line("markers", "points(n): what the test is worth")
        config.hook.pytest_sessionstart(session=session)
        return _Ready(config, session, (sys.stdin, sys.stdout, sys.stderr))
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept


# Other plugins that are installed here are not loaded.
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
os.environ["PYTEST_VERSION"] = pytest.__version__
_warm_up()
_READY = _prepare()

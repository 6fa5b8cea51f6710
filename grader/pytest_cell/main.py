"""Runs one test function, or all of a file, and tells what became of each test.

The function `run` is called in a process of its own for each case.
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
from pathlib import Path
from types import ModuleType
from typing import Any

import _pytest.assertion.util
import pytest
from _pytest._io.saferepr import saferepr

from grader.pytest_cell.clock import Clock, TimedOut
from grader.pytest_cell.link import CannotCross, Link, Over, Unfit
from grader.pytest_cell.modules import Finder
from grader.pytest_cell.proxies import Proxy

try:
    _TIMEOUT: Any = import_module("pytest_timeout")
except ImportError:
    # The keeper's limits are then the only ones.
    _TIMEOUT = None

_MESSAGE = 600
_VALUE = 2000
_OPTIONS = (
    "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:junitxml", "-p", "no:pastebin",
    "-p", "no:legacypath", "-p", "no:stepwise", "-p", "no:setuponly",
    "-p", "no:setupplan", "-p", "no:threadexception", "-p", "no:unraisableexception",
    "--capture=sys", "-c", "/dev/null", "--rootdir=/", "--noconftest", "-q",
)  # fmt: skip


class _Stopped(Exception):
    """Stands for an exception that would end pytest itself."""


class _File(pytest.Module):
    """A test file from memory."""

    def _getobj(self) -> ModuleType:
        module: ModuleType = self.config.stash[_MODULE]
        return module


_NOT_RUN = {"end": "broken", "message": "pytest did not run it"}
_MODULE = pytest.StashKey[ModuleType]()


class _Session:
    """One run of pytest: a plugin that collects, follows and tells."""

    def __init__(self, order: dict[str, Any], link: Link, clock: Clock) -> None:
        self._order = order
        self._link = link
        self._clock = clock
        self._texts: dict[str, str] = order["texts"]
        self._first = True
        self._compared: tuple[str, str] | None = None
        self._found: dict[str, Any] | None = None
        self.results: list[dict[str, Any]] = []

    # -- collecting ------------------------------------------------------------------------------------

    def pytest_configure(self, config: Any) -> None:
        config.addinivalue_line("markers", "points(n): what the test is worth")
        Finder(self._link, self._texts, self._order["program"], config).install()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> bool:
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
            self.results.append({"name": "", **self._told(error)})
            return True
        node = self._order["node"]
        session.items = [item for item in items if not node or _path_of(item) == node]
        session.testscollected = len(session.items)
        unknown = sorted({".".join(_path_of(item)) for item in items} - set(self._order["known"]))
        if self._order["known"] and unknown:
            text = f"pytest finds the test {unknown[0]}, which the file does not show as a function"
            self.results.append({"name": "", "end": "broken", "message": text})
            session.items = []
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: object) -> Any:
        # A test is the instructor's: never an object that `import *` brought along.
        return [] if isinstance(obj, Proxy) else None

    # -- running ---------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, Any]:
        self._link.begin(fresh=not self._first)
        self._first = False
        self._found, self._compared = None, None
        result = yield
        self._clock.stop()
        self._conclude(item.name)
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, settings: Any) -> bool:
        """Start our timer in place of pytest-timeout's own, which would count the program's time too."""
        self._clock.start(settings.timeout)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> bool:
        """Let the timer run: pytest-timeout says this at a failure too, before fixtures end."""
        return True

    def _conclude(self, name: str) -> None:
        answered = self._link.answers > 0
        self.results.append({"name": name, "answers": answered, **(self._found or _NOT_RUN)})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        return (yield from self._held())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        return (yield from self._held())

    def _held(self) -> Generator[None, Any, Any]:
        try:
            return (yield)
        except (KeyboardInterrupt, pytest.exit.Exception) as error:
            raise _Stopped from error

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        report = yield
        failed = call.excinfo is not None or report.outcome != "passed"
        if failed and (self._found is None or self._found["end"] == "passed"):
            error = call.excinfo.value if call.excinfo is not None else None
            self._found = self._told(error.__cause__ if isinstance(error, _Stopped) else error, report)
        elif call.when == "call" and self._found is None:
            link = self._link
            caught = link.problem or link.unfit is not None
            self._found = self._told(link.unfit, report) if caught else {"end": "passed"}
        return report

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.note(op, left, right)

    def note(self, op: str, left: object, right: object) -> None:
        """Note what was compared, for the report."""
        self._compared = None
        if op == "==":
            with suppress(Exception):
                self._compared = saferepr(right, _VALUE), saferepr(left, _VALUE)

    def _told(self, error: BaseException | None, report: Any = None) -> dict[str, Any]:
        """Return what became of a test that did not pass."""
        link, compared = self._link, self._compared
        if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        raised = link.number_of(error)
        if link.problem or isinstance(error, CannotCross):
            return {"end": "stopped" if link.is_answer_at_fault else "broken", "message": link.problem}
        if isinstance(error, Over):
            return {"end": "over"}
        if isinstance(error, TimedOut):
            return {"end": "broken", "message": str(error)}
        if absent := link.absent_in(error):
            return {"end": "missing", "message": absent}
        if raised >= 0:
            return {"end": "raised", "raised": raised}
        if isinstance(error, pytest.skip.Exception | unittest.SkipTest):
            return {"end": "skipped", "message": _cut(str(error))}
        if error is None:
            return {"end": "broken", "message": _cut(str(report.longrepr or report.outcome))}
        if isinstance(error, AssertionError | pytest.fail.Exception | Unfit):
            expected, actual = compared or ("", "")
            message = _sentence(str(error)) or _at(error, self._texts) or "an assertion failed"
            return {"end": "failed", "message": message, "expected": expected, "actual": actual}
        text = f"{type(error).__name__}: {_sentence(_safely(error))}"
        return {"end": "stopped", "message": f"{_at(error, self._texts)}{text}"}


def run(order: dict[str, Any], ask: Callable[..., Any]) -> list[dict[str, Any]]:
    """Run tests.  ask: sends a message to the grader.

    order: "texts" (test files by module name), "main" (the file's module), "node" (class and function, or
    nothing for all of it), "program" (modules that stand for the program's), "known" (all tests of the file
    that the grader knows; empty for any), "names" (classes and functions of the reference, by name; None if
    the program is to be believed in everything), "limits" (seconds that the tests may compute and wait).
    """
    files = [f"{name}.py" for name in order["texts"]]
    time_s, wall_s = order["limits"]
    clock = Clock(time_s, wall_s, files)
    session = _Session(order, Link(ask, files, order["names"], clock), clock)
    _quicken(session)
    sys.stdout = sys.stderr = io.StringIO()
    _run_pytest(session, order)
    return session.results


def _run_pytest(session: _Session, order: dict[str, Any]) -> None:
    if _TIMEOUT is None or not hasattr(signal, "setitimer"):
        pytest.main([*_OPTIONS], plugins=[session])
    else:
        options = [*_OPTIONS, f"--timeout={max(order['limits'])}"]
        pytest.main(options, plugins=[session, _TIMEOUT])


def _quicken(session: _Session | None) -> None:
    """Leave out explanations that can take long on a large value, and note what unittest compares."""
    _pytest.assertion.util.assertrepr_compare = lambda *_, **__: []  # type: ignore[assignment]
    unittest.case.difflib = _NoDiff()  # type: ignore[attr-defined]
    if session is None:
        return
    plain = unittest.TestCase.assertEqual

    def assert_equal(self: unittest.TestCase, first: Any, second: Any, msg: Any = None) -> None:
        session.note("==", first, second)
        plain(self, first, second, msg)

    unittest.TestCase.assertEqual = assert_equal  # type: ignore[method-assign]


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


def _at(error: BaseException, texts: dict[str, str]) -> str:
    """Return the innermost line of a test file in an exception's traceback, as the start of a sentence."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.removesuffix(".py") in texts:
            place = f"line {trace.tb_lineno} of {file}: "
        trace = trace.tb_next
    return place


def _safely(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _sentence(text: str) -> str:
    """Return pytest's explanation as one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [line.lstrip("+ ").strip() for line in lines]
    return _cut("; ".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= _MESSAGE else text[: _MESSAGE - 1] + "…"


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
    kept = sys.stdout, sys.stderr
    finders = sys.meta_path[:]
    clock = Clock(_WARM_S, _WARM_S, [])
    session = _Session(order, Link(lambda _: ["over"], [], None, clock), clock)
    _quicken(None)
    sys.stdout = sys.stderr = io.StringIO()
    _run_pytest(session, order)
    sys.stdout, sys.stderr = kept
    sys.meta_path[:] = finders
    sys.modules.pop("test_warm_up", None)


# Other plugins that are installed here are not loaded.
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
_warm_up()

"""Refuses what a test asks of this process, where only the program's own could tell.

The program warns, logs, starts threads, and writes files, in a process of its own.  A test that finds nothing
of it here would pass whatever the program does.  So each such question is told at its line: those about
warnings and records always, the others once the program was called, and by a test rather than by what tidies
up before and after it.
"""

import glob
import os
import pathlib
import sys
import threading
import time
import unittest
import warnings
from collections.abc import Callable, Generator
from types import FrameType
from typing import Any

import pytest
from _pytest.logging import LogCaptureFixture
from _pytest.recwarn import WarningsRecorder

from grader.plugins.tests.cell.link import ProgramConnection

_WARNS, _LOGS = "what the program warns of", "what the program logs"
_FILES, _FOLDER = "what files the program writes", "the program's working folder"
_THREADS, _TIME = "which threads the program has", "how long the program computes"
_LATER: tuple[tuple[Any, str, str], ...] = (
    (glob, "glob iglob", _FILES),
    (os, "listdir scandir walk", _FILES),
    (os, "getcwd", _FOLDER),
    (pathlib.Path, "cwd", _FOLDER),
    (pathlib.Path, "iterdir glob rglob", _FILES),
    (threading, "active_count enumerate", _THREADS),
    (time, "process_time process_time_ns thread_time thread_time_ns", _TIME),
)
"""Functions that are refused once the program was called."""
_IF_ABSENT: tuple[tuple[Any, str, str], ...] = (
    (os.path, "exists lexists isfile isdir", _FILES),
    (pathlib.Path, "exists is_file is_dir", _FILES),
)
"""The same, where they say no."""
_ALWAYS: tuple[tuple[Any, str, str], ...] = (
    (LogCaptureFixture, "get_records", _LOGS),
    (WarningsRecorder, "__getitem__ __iter__ __len__ pop", _WARNS),
    (unittest.TestCase, "assertLogs assertNoLogs", _LOGS),
    (unittest.TestCase, "assertWarns assertWarnsRegex", _WARNS),
)
_PROPERTIES: tuple[tuple[Any, str, str], ...] = (
    (LogCaptureFixture, "messages record_tuples records text", _LOGS),
    (WarningsRecorder, "list", _WARNS),
)
_TIDIES = ("setup", "teardown", "tidy", "cleanup")
"""Begin the names of functions that prepare a test and end it."""


class Elsewhere:
    """Stands before such questions; a plugin that knows when a test itself runs."""

    def __init__(self, link: ProgramConnection) -> None:
        self._link = link
        self._is_in_test = False

    def install(self, config: Any) -> None:
        config.pluginmanager.register(self, "grader-elsewhere")
        for place, names, what in _LATER + _IF_ABSENT:
            for name in names.split():
                says_no = (place, names, what) in _IF_ABSENT
                _put(place, name, self._later(getattr(place, name), what, says_no=says_no))
        for place, names, what in _ALWAYS:
            for name in names.split():
                _put(place, name, self._always(what))
        for place, names, what in _PROPERTIES:
            for name in names.split():
                _put(place, name, property(self._always(what)))
        self._watch_warnings()

    def _refuse(self, what: str) -> None:
        self._link.cannot(f"{what} cannot be seen here: it has a process of its own")

    def _always(self, what: str) -> Callable[..., Any]:
        def refused(*_: object, **__: object) -> None:
            self._refuse(what)

        return refused

    def _later(self, original: Any, what: str, *, says_no: bool) -> Callable[..., Any]:
        of_class = getattr(original, "__self__", None) is not None and isinstance(original.__self__, type)

        def asked(*args: Any, **kwargs: Any) -> Any:
            found = original(*args, **kwargs)
            if self._link.was_called and not (says_no and found) and self._is_test(sys._getframe(1)):
                self._refuse(what)
            return found

        return staticmethod(asked) if of_class else asked

    def _is_test(self, frame: FrameType | None) -> bool:
        """Tell whether a test asks, itself or by a helper in its files."""
        asks = False
        while self._is_in_test and frame is not None and self._link.is_test_file(frame.f_code.co_filename):
            if frame.f_code.co_name.lower().lstrip("_").startswith(_TIDIES):
                return False
            asks, frame = True, frame.f_back
        return asks

    def _watch_warnings(self) -> None:
        link, refuse = self._link, self._refuse

        class Catching(warnings.catch_warnings):
            def __init__(self, *, record: bool = False, **more: Any) -> None:
                action = more.get("action")
                if (record or action == "error") and link.is_test_file(sys._getframe(1).f_code.co_filename):
                    refuse(_WARNS)
                super().__init__(record=record, **more)

        def filtering(original: Callable[..., None]) -> Callable[..., None]:
            def filters(action: Any, *args: Any, **kwargs: Any) -> None:
                if action == "error" and link.is_test_file(sys._getframe(1).f_code.co_filename):
                    refuse(_WARNS)
                original(action, *args, **kwargs)

            return filters

        for name in ("simplefilter", "filterwarnings"):
            _put(warnings, name, filtering(getattr(warnings, name)))
        _put(warnings, "catch_warnings", Catching)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        """Note that a test itself runs (pytest calls this)."""
        self._is_in_test = True
        try:
            marks = item.iter_markers("filterwarnings")
            if any(str(text).strip().startswith("error") for mark in marks for text in mark.args):
                self._link.cannot(f"{item.name}: {_WARNS} cannot be seen here, and `error` asks for it")
            return (yield)
        finally:
            self._is_in_test = False


def _put(place: Any, name: str, value: object) -> None:
    setattr(place, name, value)

"""Tells when a plugin is at work for long, so that nobody takes it for the grader or for a student's program.

A plugin is code of the grader's side, without limits.  One that hangs stops a run, and a person has to see
which one it is.  So a thread looks at the stacks of all others.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread, get_ident
from types import FrameType

from grader.registry.identity import owner
from grader.registry.installed import Plugin
from grader.registry.registry import Registry

PATIENCE_S = 10.0
_LOOK_S = 1.0
_GRADER = f"{Path(__file__).parents[1]}{os.sep}"


class PluginWatch(Thread):
    """Looks each second whether the same call of a plugin's code goes on.

    tell: is called once for each such call, with a sentence.
    """

    def __init__(self, known: Registry, tell: Callable[[str], None], patience_s: float = PATIENCE_S) -> None:
        super().__init__(name="grader-plugins", daemon=True)
        self._tell = tell
        self._patience_s = patience_s
        self._plugins = {entry.plugin for entry in known.installed if entry.plugin is not None}
        self._since: dict[int, tuple[FrameType, float]] = {}
        """The outermost call of a plugin's code in each thread, and when it was first seen."""
        self._told: set[int] = set()

    def run(self) -> None:
        while True:
            time.sleep(min(_LOOK_S, self._patience_s / 4))
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Look at all other threads once."""
        before, self._since = self._since, {}
        for thread, innermost in sys._current_frames().items():
            call = self._call(innermost) if thread != get_ident() else None
            if call is None:
                self._told.discard(thread)
                continue
            plugin, outermost, place = call
            known, began = before.get(thread, (None, now))
            if known is not outermost:
                began = now
                self._told.discard(thread)
            self._since[thread] = outermost, began
            if now - began >= self._patience_s and thread not in self._told:
                self._told.add(thread)
                self._tell(
                    f"plugin {plugin} has been at work for {now - began:.0f} s, now in {place}; "
                    "Ctrl-C ends this, and what is marked until then is kept"
                )

    def _call(self, frame: FrameType | None) -> tuple[Plugin, FrameType, str] | None:
        """Return the plugin that is at work in a stack, its outermost call, and where it is now.

        None if there is none, or if it called the grader, which waits for a student's program, for example.
        """
        found: tuple[Plugin, FrameType] | None = None
        place = ""
        while frame is not None:
            file = frame.f_code.co_filename
            plugin = owner(file, self._plugins)
            if plugin is not None:
                found = plugin, frame
                place = place or f"{frame.f_code.co_name} (line {frame.f_lineno} of {file})"
            elif found is None and file.startswith(_GRADER):
                return None
            frame = frame.f_back
        return (*found, place) if found is not None else None


def begin_to_watch(known: Registry, tell: Callable[[str], None]) -> None:
    """Start the watch of this process, if any plugin is installed."""
    if known.installed:
        PluginWatch(known, tell).start()

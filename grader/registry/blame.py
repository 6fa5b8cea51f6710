"""Tells whose fault an exception is, where it may come from a plugin.

Whatever a plugin brings is called in many places.  So no call is wrapped: where an exception ends a piece of
work, the code that it came through tells whether it is a plugin's.
"""

from pathlib import Path
from types import TracebackType

from grader.registry.identity import folders_of
from grader.registry.installed import Plugin
from grader.registry.registry import described, registry


def blamed(error: BaseException) -> str:
    """Return an exception in words, with the plugin that raised it, if one did."""
    plugin = culprit(error)
    return described(error) if plugin is None else f"plugin {plugin}: {described(error)}"


def culprit(error: BaseException | None) -> Plugin | None:
    """Return the plugin whose code an exception came through last; None if it was none's."""
    while error is not None:
        found = _in_traceback(error.__traceback__)
        if found is not None:
            return found
        error = error.__cause__ or error.__context__
    return None


def _in_traceback(traceback: TracebackType | None) -> Plugin | None:
    found = None
    while traceback is not None:
        found = owner(traceback.tb_frame.f_code.co_filename) or found
        traceback = traceback.tb_next
    return found


def owner(file: str) -> Plugin | None:
    """Return the plugin to which a file of code belongs; None if it is none's."""
    for plugin in registry().plugins:
        if any(Path(file).is_relative_to(folder) for folder in folders_of(plugin.package)):
            return plugin
    return None

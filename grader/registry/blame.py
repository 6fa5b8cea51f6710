"""Tells whose fault an exception is, where it may come from a plugin.

Whatever a plugin brings is called in many places.  So no call is wrapped: where an exception ends a piece of
work, the code that it came through tells whether it is a plugin's.
"""

from types import TracebackType

from grader.registry.identity import owner
from grader.registry.installed import Plugin
from grader.registry.registry import PluginFailed, described, registry


def blamed(error: BaseException) -> str:
    """Return an exception in words, with the plugin that raised it, if one did."""
    if isinstance(error, PluginFailed):
        return str(error)
    plugin = culprit(error)
    return described(error) if plugin is None else f"plugin {plugin}: {described(error)}"


def is_plugins(error: BaseException) -> bool:
    """Tell whether an exception is a plugin's, of whatever class: only Ctrl-C is a person's."""
    if isinstance(error, PluginFailed):
        return True
    return not isinstance(error, KeyboardInterrupt) and culprit(error) is not None


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
        found = owner(traceback.tb_frame.f_code.co_filename, registry().plugins) or found
        traceback = traceback.tb_next
    return found

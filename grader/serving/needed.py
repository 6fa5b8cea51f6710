"""The library that the server stands on is an extra; it need not be there."""

import re

from grader.model.errors import Fault, UsageError

_OLDEST = (6, 6)
_HINT = "pip install 'grader-harness[pages]'"


def need_tornado(asker: str) -> None:
    """Raise `UsageError` where tornado is not installed.  asker: what needs it, such as an option.

    Nothing is imported: who asks may serve from another process.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("tornado")
    except PackageNotFoundError:
        raise UsageError(Fault(f"{asker} needs tornado, which is not installed", hint=_HINT)) from None
    # Another package can have brought an older one.
    parts = re.match(r"(\d+)\.(\d+)", found)
    if parts and (int(parts[1]), int(parts[2])) < _OLDEST:
        reason = f"{asker} needs tornado {'.'.join(map(str, _OLDEST))} or newer, and {found} is installed"
        raise UsageError(Fault(reason, hint=_HINT))

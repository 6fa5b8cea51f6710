"""The exit statuses of the commands."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit status; other tools rely on it."""

    DONE = 0
    """Done; low marks are not a failure."""
    NOT_MET = 1
    """`--fail-under`, or a check, was not met."""
    USAGE = 2
    """The command cannot be carried out as given."""
    SPEC = 3
    """The spec is invalid."""
    NOTHING = 4
    """There was nothing to mark."""
    PENDING = 5
    """Some marks are pending, but for those that wait for a marker."""
    SANDBOX = 6
    """No sandbox here is strong enough."""
    INTERRUPTED = 130
    """Interrupted."""

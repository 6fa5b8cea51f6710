"""The user that what we start as root becomes: one that no account has.

Root of a user namespace, as in a rootless container, can become only what is mapped there.  `/proc` tells it.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_FIRST, _COUNT = 1_900_000_000, 1_000_000
"""Ids that no account has."""
_LAST = 4_294_967_294
_OVERFLOW = 65_534
"""`nobody`: the id that everything unmapped is shown as."""
_REGIONS = (
    (_FIRST, _FIRST + _COUNT - 1),
    (_OVERFLOW + 2, _LAST),
    # Accounts of people begin at 1000 and go up; from 60,001 on systemd makes ids as it needs them.
    (20_000, 60_000),
    (1_000, _OVERFLOW - 1),
    (1, _OVERFLOW - 1),
)
"""Where ids are looked for; the first with enough of them is taken."""
_ENOUGH = 1_000
_TRIES = 100
_SETGID, _SETUID = 6, 7
"""Numbers of the capabilities that a change of user and group needs."""

Span = tuple[int, int]
"""First and last of ids that follow one another."""


def unprivileged_uid() -> int:
    """Return the user, and group, that what we start as root is to become; -1 to stay who we are.

    It is another one for each process.  There is none where we are not root, where one id alone is mapped,
    and where root has lost the right to change.
    """
    if not hasattr(os, "getuid") or os.getuid() != 0 or not may_change():
        return -1
    return chosen(_spans("uid_map"), _spans("gid_map"), os.getpid())


def chosen(uids: Sequence[Span], gids: Sequence[Span], pid: int) -> int:
    """Return the id that process `pid` takes of those that are both; -1 if there is none.

    uids, gids: the ids of users and of groups that are mapped.
    """
    mapped = _common(uids, gids)
    found = [_common(mapped, [region]) for region in _REGIONS]
    spans = max(found, key=lambda spans: min(_count(spans), _ENOUGH))
    count = _count(spans)
    for position in range(min(count, _TRIES)):
        each = _at(spans, (pid + position) % count)
        if each >= _FIRST or not _has_account(each):
            return each
    return -1


def _common(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    pairs = ((max(one[0], other[0]), min(one[1], other[1])) for one in some for other in others)
    return [pair for pair in pairs if pair[0] <= pair[1]]


def _count(spans: Sequence[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)


def _at(spans: Sequence[Span], position: int) -> int:
    for first, last in spans:
        if position <= last - first:
            return first + position
        position -= last - first + 1
    raise IndexError(position)


def _has_account(number: int) -> bool:
    """Tell whether a user or a group with this id is known here."""
    import grp  # noqa: PLC0415  (few hosts need them)
    import pwd  # noqa: PLC0415

    for look_up in (pwd.getpwuid, grp.getgrgid):
        try:
            look_up(number)
        except KeyError:
            continue
        return True
    return False


def _spans(name: str) -> list[Span]:
    """Return the ids that are mapped in our user namespace; all, where there are no namespaces."""
    if sys.platform != "linux":
        return [(0, _LAST)]
    try:
        rows = [line.split() for line in Path("/proc/self", name).read_text("ascii").splitlines()]
    except OSError:
        return [(0, _LAST)]
    return [(int(first), int(first) + int(count) - 1) for first, _, count in rows]


def count_of_namespace() -> int:
    """Return how many users there are in our user namespace; 0 where it is the host's own."""
    count = _count(_spans("uid_map"))
    return count if count < _LAST else 0


def may_change() -> bool:
    """Tell whether root still has the capabilities that a change of user needs."""
    try:
        status = Path("/proc/self/status").read_text("utf-8", "replace")
    except OSError:
        return True
    rights = next((line for line in status.splitlines() if line.startswith("CapEff:")), "CapEff: ffffffff")
    needed = 1 << _SETGID | 1 << _SETUID
    return int(rights.split()[1], 16) & needed == needed

"""Runs a command as root of a user namespace, as in a container that its user started without root's rights.

    python rootless.py --ids INSIDE:OUTSIDE:COUNT [--ids ...] [--deny] [--user UID] -- COMMAND...

Each --ids maps ids of users and of groups alike.  --deny forbids to change supplementary groups, as the
kernel asks of a namespace that somebody without rights made.  The command runs as root in there, or as
--user.  Needs root.
"""

import argparse
import os
import sys
from pathlib import Path

_CLONE_NEWUSER = 0x1000_0000

OF_ROOT = "root's one id"
_USUAL = ("--ids", "0:65534:1", "--ids", "1:200000:65535")
USERS = {
    # As rootless Podman and Docker map them: who started it is root, and the rest is subordinate ids.
    "rootless": _USUAL,
    "rootless without groups": (*_USUAL, "--deny"),
    # As `unshare -Ur` maps the user, and as it does where root types it.
    "one id": ("--ids", "0:65534:1", "--deny"),
    OF_ROOT: ("--ids", "0:0:1"),
    "user of a container": ("--ids", "0:200000:1000", "--ids", "1000:65534:1", "--user", "1000"),
}
"""Options by the names of users; but for the one of root, each is user 65534 outside."""


def become(user: str) -> tuple[str, ...]:
    """Return the beginning of a command line that runs the rest of it as one of `USERS`; empty for others."""
    return (sys.executable, __file__, *USERS[user], "--") if user in USERS else ()


def main() -> None:
    """Make the namespace, and become the command in it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ids", action="append", required=True)
    parser.add_argument("--deny", action="store_true")
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    is_made, made = os.pipe()
    helper = os.fork()
    if helper == 0:
        # It stays outside, where it may write the maps.
        os.read(is_made, 1)
        _write_maps(os.getppid(), given.ids, given.deny)
        os._exit(0)
    _unshare()
    os.write(made, b"1")
    assert os.waitpid(helper, 0)[1] == 0
    if not given.deny:
        os.setgroups([])
    os.setresgid(given.user, given.user, given.user)
    os.setresuid(given.user, given.user, given.user)
    os.execvp(given.command[0], given.command)


def _write_maps(pid: int, ids: list[str], deny: bool) -> None:
    if deny:
        Path(f"/proc/{pid}/setgroups").write_text("deny")
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{name}").write_text("\n".join(each.replace(":", " ") for each in ids))


def _unshare() -> None:
    """Make a user namespace; `os.unshare` came with Python 3.12."""
    import ctypes  # noqa: PLC0415

    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


if __name__ == "__main__":
    main()

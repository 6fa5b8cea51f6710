"""Runs a command on a poorer host: some system calls fail for it and for all that it starts.

    python restricted.py [namespaces] [landlock] [seccomp] -- COMMAND...

Each word names what is taken away.  As a container's own filter does, so that the tests can
show what happens on hosts unlike this one.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.worker.walls.kernel import PR_SET_NO_NEW_PRIVS, install_filter, prctl
from grader.worker.walls.seccomp import _op, _return
from grader.worker.walls.syscalls import FATAL, OWN

_LOAD, _IF_EQUAL = 0x20, 0x15
_ALLOW, _ERRNO, _EPERM, _ENOSYS = 0x7FFF_0000, 0x0005_0000, 1, 38

TAKEN = {
    "namespaces": [(FATAL[name], _EPERM) for name in ("unshare", "setns", "mount", "pivot_root", "chroot")],
    "landlock": [(number, _ENOSYS) for name, number in OWN.items() if name.startswith("landlock")],
    "seccomp": [(OWN["seccomp"], _ENOSYS)],
}


def main() -> None:
    """Take the named system calls away, and become the command."""
    split = sys.argv.index("--")
    program = _op(_LOAD, 0)
    for word in sys.argv[1:split]:
        for number, error in TAKEN[word]:
            program += _op(_IF_EQUAL, number, 0, 1) + _return(_ERRNO | error)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    install_filter(program + _return(_ALLOW), listen=False)
    os.execv(sys.argv[split + 1], sys.argv[split + 1 :])


if __name__ == "__main__":
    main()

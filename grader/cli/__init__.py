"""The command line: `grader COMMAND`.

Data goes to stdout; progress, messages and logs to stderr.  Exit codes are in `ExitCode`.
"""

from grader.cli.import_path import leave_out_current_folder

leave_out_current_folder()  # before any other import

import gc  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from typing import NoReturn  # noqa: E402

from grader.cli.exit_code import ExitCode  # noqa: E402
from grader.cli.interrupts import hear_interrupts  # noqa: E402


def main() -> NoReturn:
    """Run the command line of this process."""
    _fill_streams()  # before anything else is opened
    # Imports leave no garbage, and looking for it takes time.
    gc.disable()
    hear_interrupts()
    try:
        from grader.cli.run import run

        status = run()
    except KeyboardInterrupt:
        status = ExitCode.INTERRUPTED
    # Otherwise Python looks for garbage among all objects before it ends.
    gc.freeze()
    sys.exit(status)


def _fill_streams() -> None:
    """Open the null device for each standard stream that this process was started without (`>&-`).

    Otherwise the next file that is opened, a socket or the database, takes the free descriptor, and whatever
    is written to stdout goes into it.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # The new descriptor is the lowest free one, which is this.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            # It has a descriptor of its own, in case an import has taken this one already.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115

"""Keeps the current folder out of the places from which modules are imported: it can be a student's.

`python -m` puts it there, and so does a `PYTHONPATH` with an empty part, as in `:/home`.  This imports only
what Python has loaded before it looks for any module.
"""

import os
import sys


def leave_out_current_folder() -> None:
    """Take the current folder out of `sys.path`, wherever it stands, unless the grader lies in it."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it is gone
        return
    if here != os.path.realpath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir)):
        sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder) != here]

"""`python -m grader` is the command `grader`."""

import os
import sys

import grader

# Python looks for modules in the current folder first, and that may be a student's.
if sys.path[0] == os.getcwd() != os.path.dirname(grader.__path__[0]):
    del sys.path[0]

from grader.cli import main

if __name__ == "__main__":
    main()

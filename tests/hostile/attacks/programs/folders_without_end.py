"""Folders within folders, and names of 255 bytes, so that the next case cannot clear them away.

Must not: stop the grader; the folder is this submission's alone.
Holds from: namespaces
Hands in: tool
Verdicts: wrong-answer crashed
"""

import os

try:
    while True:
        os.mkdir("d" * 255)
        os.chdir("d" * 255)
except OSError:
    pass

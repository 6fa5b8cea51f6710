"""A program whose helper exchanges standard output, input and the exit.

Must not: get a mark.
Hands in: tool
Verdicts: wrong-answer crashed exception wall-limit output-limit time-limit load-error
"""

import helper

print("nothing")
### file: helper.py
import builtins
import io
import sys


class Both(io.StringIO):
    def write(self, text):
        return sys.__stdout__.write(text.upper())


sys.stdout = Both()
builtins.print = lambda *args: None
builtins.input = lambda *args: "7"
sys.exit = lambda *args: None

"""A program that asks for all lines at once, ahead of what it has to say, and for ever.

Must not: be told more than one answer to each thing said, or keep the grader busy.
Hands in: tool
Verdicts: wrong-answer time-limit wall-limit output-limit exception
"""

import os
import sys

lines = []
try:
    while True:
        lines.append(input())
except EOFError:
    pass
if len(lines) > 1:
    os.abort()  # it was told the future
while True:
    sys.stdin.readline()
    input("first? ")

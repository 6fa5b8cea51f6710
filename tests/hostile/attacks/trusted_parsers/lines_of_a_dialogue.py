"""A program that asks in texts of every length and kind, and never in the one that is due.

Must not: keep the judge busy, or be taken for a question.
Hands in: tool
Verdicts: wrong-answer crashed exception wall-limit output-limit time-limit
"""

import sys

for number in range(200):
    sys.stdout.write("first? "[: number % 8] + "\r\x1b[2K\0" * number)
    sys.stdout.flush()
    try:
        sys.stdin.readline(3)
    except ValueError:
        break

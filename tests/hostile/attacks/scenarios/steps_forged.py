"""Answers to steps that were not asked for yet: sent ahead, with the nonce of the case.

Must not: be taken for the steps' own answers, or be worth anything.
Hands in: shapes
Verdicts: wrong-answer crashed
"""

import sys

ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED = 24, 25, 27, 30, 29, 22
WRONG = b"t\x02s\x08returned\x80"


def channel():
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                return value
        found = found.f_back


class Tally:
    def __init__(self, start):
        for _ in range(7):
            channel().send(STEP, WRONG)
        self.total = 0

    def add(self, number):
        channel().send(ANSWER, b"\x00l\x00")
        return 0

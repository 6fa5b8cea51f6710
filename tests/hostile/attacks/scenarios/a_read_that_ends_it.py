"""An attribute that ends the process, or the interpreter's patience, when it is read; and steps skipped.

Must not: be worth more than the steps before it.
Hands in: shapes
Verdicts: wrong-answer crashed
"""

import os


class Tally:
    def __init__(self, start):
        self.sum = start

    @property
    def total(self):
        os._exit(0)

    def add(self, number):
        return 0

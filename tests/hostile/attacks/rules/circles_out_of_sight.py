"""Recursion by aliases, methods, tables, lambdas given to themselves, and partial.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

from functools import partial

TABLE = {"again": lambda numbers: total(numbers)}


class Adding:
    def __call__(self, numbers):
        return self.each(numbers) if isinstance(numbers, list) else numbers

    def each(self, numbers):
        return sum(self(number) for number in numbers)


def total(numbers):
    return partial(TABLE["again"], numbers)() if numbers == 0 else Adding()(numbers)

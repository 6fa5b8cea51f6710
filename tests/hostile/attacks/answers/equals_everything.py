"""An object that equals whatever it is compared with.

Must not: be accepted.
Verdicts: wrong-answer
"""

class Everything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


def solve(n, places, note):
    return Everything()


def apply(f, places):
    return Everything()

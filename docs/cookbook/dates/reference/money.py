from datetime import timedelta
from fractions import Fraction


def end(start, days):
    return start + timedelta(days=days)


def share(amount, people):
    return Fraction(amount, people)

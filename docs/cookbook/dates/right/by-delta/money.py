from datetime import date
from fractions import Fraction


def end(start, days):
    return date.fromordinal(start.toordinal() + days)


def share(amount, people):
    return Fraction(1, people) * amount

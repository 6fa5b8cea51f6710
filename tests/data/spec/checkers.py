"""Checkers of the fixture: they return None for a right answer, else what is wrong with it."""


def tour(answer, dim, start=(0, 0), *, closed=False):
    if answer is None or len(set(answer)) != dim * dim or answer[-1] != start:
        return "this is not a tour"
    return None


def path(answer, length):
    return None if len(answer) == length else "the path has the wrong length"


def anything(answer, **details):
    return None

"""Answers for a picture that take long: a way of a hundred thousand squares, keys that collide.

Must not: keep the grader drawing beyond its limits, or cost anybody else a mark.
Hands in: shapes
Verdicts: wrong-answer answer-size output-limit
"""


def way(places):
    return [(n % 3, {k * (2**61 - 1) for k in range(20)}) for n in range(2000)]


def moved(point, by):
    return [(0, 0)] * 60_000

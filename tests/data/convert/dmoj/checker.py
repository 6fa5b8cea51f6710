"""Accepts the answer, and for a part of the points a number beside it."""

from dmoj.result import CheckerResult


def check(process_output, judge_output, point_value, **kwargs):
    off = abs(int(process_output) - int(judge_output))
    return CheckerResult(off < 2, point_value * (1 - off / 2) if off < 2 else 0)

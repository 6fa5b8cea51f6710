"""Answers that are drawn: markup, controls, numbers beyond all bounds, what is none, for each square.

Must not: reach a page as anything but text, or keep the grader drawing.
Hands in: shapes
Verdicts: wrong-answer
"""


def way(places):
    shout = f"<script>alert('{places['shout']}')</script>"
    return [
        ("<script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>"),
        (10**4000, -(10**4000)),
        (float("nan"), float("inf")),
        ("\x1b[31m\u202e", "{{ 7 * 7 }}"),
        (0, 0, shout[:0]),
        (),
        [[[[[[[]]]]]]],
        *[(n, 10**9) for n in range(5000)],
    ]
